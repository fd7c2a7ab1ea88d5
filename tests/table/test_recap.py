"""What happened since your last turn, and while you were away."""

import random

import pytest

import fairdeal
from fairdeal.bots.registry import STAND_IN
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.table.log import Player, read_log
from fairdeal.table.recap import LONGEST, TOLD, shortened
from fairdeal.table.sitting import Sitting, replay

NAMES = ("Ada", "Bo", "Cleo", "Dai")
EXTREME = {"war-xtreme": {"ask_extreme": False}}


def opened(title, *bots, seed="recap", **options):
    """Return a sitting of Ada, Bo, Cleo and Dai, as many as sit at the table, with these bots at their seats."""
    table = fairdeal.load(title, **options)
    plays = (*bots, *["person"] * table.players)
    return Sitting.open(table, [Player(*one) for one in zip(NAMES[: table.players], plays, strict=False)], seed)


def chip_it():
    """Return a table of people, of whom the first begins."""
    return opened("chip-it", players=3, first_player=0)


def let_play(sitting, seat, by=""):
    sitting.play(seat, sitting.hint(seat).actions, by)


def test_before_a_seat_has_acted_the_recap_begins_with_the_deal():
    sitting = chip_it()
    assert sitting.recap(0) == ()
    let_play(sitting, 0)
    let_play(sitting, 1)
    assert [(one.seat, one.moves) for one in sitting.recap(2)] == [(0, 1), (1, 1)]


def test_a_recap_lists_the_moves_of_rivals_in_order_after_your_own_move():
    sitting = chip_it()
    for seat in (0, 1, 2):
        let_play(sitting, seat)
    found = sitting.recap(0)
    assert [(one.seat, one.moves) for one in found] == [(1, 1), (2, 1)]
    assert found[0].text == " ".join(event.text for event in sitting.lines(2, 0))
    assert found[0].text.startswith("Bo ")
    assert sitting.scene(0).recap == found
    let_play(sitting, 0)
    assert sitting.recap(0) == ()


@pytest.mark.parametrize("game", ["chi", "chip-it", "war-xtreme"])
def test_a_recap_from_kept_tellings_is_the_one_of_a_replay(game):
    """Every viewer is shown every move, as in a room, and some moves are taken back."""
    dice, compared = random.Random(game), 0
    sitting = opened(game, seed="kept", players=2, **EXTREME.get(game, {}))
    while not sitting.over and sitting.moves_made < 60:
        sitting.play(seat := dice.choice(sitting.state.to_act), dice.choice(list(sitting.state.action_moves(seat))))
        shown = [sitting.scene(viewer) for viewer in (0, 1)]
        if dice.random() < 0.2:
            sitting.take_back()
        elif sitting.moves_made % 6 == 0:
            again = replay(read_log(sitting.log.text()), sitting.seed)
            assert [sitting.recap(viewer) for viewer in (0, 1)] == [again.recap(viewer) for viewer in (0, 1)]
            assert [scene.events for scene in shown] == [again.scene(viewer).events for viewer in (0, 1)]
            compared += 1
        assert all(len(tellings) <= TOLD for tellings in sitting.tellings.values())
    assert compared


def test_only_a_player_who_may_act_gets_a_recap_with_the_scene():
    sitting = chip_it()
    let_play(sitting, 0)
    assert sitting.scene(1).recap
    assert sitting.scene(0).recap == sitting.scene(2).recap == sitting.scene(SPECTATOR).recap == ()
    assert sitting.recap(SPECTATOR) == ()


def test_moves_of_a_stand_in_are_named_as_such_in_the_recap():
    sitting = chip_it()
    let_play(sitting, 0)
    for seat in (1, 2):
        let_play(sitting, seat)
    let_play(sitting, 0, STAND_IN)
    for seat in (1, 2):
        let_play(sitting, seat)
    found = sitting.recap(0)
    assert [(one.seat, one.moves) for one in found] == [(1, 1), (2, 1), (0, 1), (1, 1), (2, 1)]
    assert found[2].text.startswith("A bot played for you. You ")
    assert sitting.lines(4, 0)[0].text.startswith("A bot played for you. You ")
    assert sitting.lines(4, 1)[0].text.startswith("A bot played for Ada. Ada ")
    assert sitting.lines(4, SPECTATOR)[0].text.startswith("A bot played for Ada. Ada ")


def test_a_move_that_was_taken_back_is_not_told():
    sitting = chip_it()
    sitting.play(0, "pass 1")
    sitting.play(1, "pass 1")
    sitting.take_back()
    assert [(one.seat, one.moves) for one in sitting.recap(1)] == [(0, 1)]


def test_no_clause_of_a_recap_is_longer_than_a_line_and_old_moves_are_only_counted():
    sitting = chip_it()
    while sitting.moves_made < 2 * TOLD and not sitting.over:
        let_play(sitting, sitting.state.to_act[0], STAND_IN)
    assert sitting.moves_made > TOLD
    found = sitting.recap(0)
    assert sum(one.moves for one in found) == sitting.moves_made
    assert found[0].text.startswith("… ")
    assert found[0].moves > TOLD
    assert all(0 < len(one.text) <= LONGEST + 2 for one in found)
    assert found[-1].text.endswith(told(sitting, sitting.moves_made)[-1])


def test_a_long_recap_has_its_beginning_and_the_newest_moves():
    assert shortened(["Bo plays.", "A." * 50, "B plays.", "B wins."]) == "Bo plays. … B plays. B wins."
    assert shortened([]) == ""
    long = shortened(["word " * 30])
    assert len(long) <= LONGEST
    assert long.endswith("word …")


def test_a_recap_never_begins_with_the_second_half_of_a_move():
    """Chi's answers and Fate's search are longer than a clause."""
    begun = 0
    for title in ("chi", "chaos-ninjas", "chimax-fate", "chimax-cut"):
        sitting = opened(title, "person", "greedy", players=2)
        while sitting.moves_made < 80 and not sitting.over:
            found = sitting.recap(0)
            since = sitting.moves_made - sum(one.moves for one in found)
            if found and not found[0].text.startswith("… "):
                first = next(text for n in range(since + 1, sitting.moves_made + 1) for text in told(sitting, n))
                assert found[0].text.startswith(first.rsplit(" ", 1)[0])
                begun += len(" ".join(told(sitting, since + 1))) > 0
            let_play(sitting, sitting.state.to_act[0])
    assert begun > 40


def told(sitting, number):
    return [event.text for event in sitting.lines(number, 0)]


def test_a_recap_tells_everything_in_the_order_in_which_it_happened():
    """An attack before what came of it, though who answers had moved before it too."""
    twice = 0
    for title in ("chaos-ninjas", "chimax-books", "chimax-match-2", "war-xtreme"):
        sitting = opened(title, "person", "greedy", "greedy", players=3, **EXTREME.get(title, {}))
        while sitting.moves_made < 60 and not sitting.over:
            found = sitting.recap(0)
            assert {one.seat for one in found} <= {HOUSE, 1, 2}
            since = sitting.moves_made - sum(one.moves for one in found)
            heard = " ".join(text for n in range(since + 1, sitting.moves_made + 1) for text in told(sitting, n))
            for part in (part.strip() for one in found for part in one.text.split("…") if part.strip()):
                assert part in heard
                heard = heard.partition(part)[2]
            twice += len({one.seat for one in found}) < len(found)
            let_play(sitting, sitting.state.to_act[0])
    assert twice > 3


def test_the_moments_since_a_turn_are_what_the_seat_saw_then_and_nothing_can_be_chosen_in_them():
    sitting = chip_it()
    for seat in (0, 1, 2):
        let_play(sitting, seat)
    found = sitting.moments_since(0)
    assert [scene.seq for scene in found] == [1, 2, 3]
    assert all(scene.choices == () and scene.mode == "replay" and scene.viewer == 0 for scene in found)
    assert found[0].events == (), "the first is the table as the seat left it"
    assert [scene.events for scene in found[1:]] == [tuple(sitting.lines(number, 0)) for number in (2, 3)]
    assert [scene.zones for scene in found] == [sitting.seen_at(number, 0).scene().zones for number in (1, 2, 3)]
    let_play(sitting, 0)
    assert [scene.seq for scene in sitting.moments_since(0)] == [4]
    assert len(sitting.moments_since(1)) == 3


def test_of_a_long_absence_the_newest_moments_are_shown():
    sitting = opened("chi", "greedy", seed="long", first_player=0)
    while sitting.moves_made < TOLD + 9:
        let_play(sitting, sitting.state.to_act[0], STAND_IN)
    found = sitting.moments_since(1)
    assert len(found) == TOLD + 1
    assert found[-1].seq == sitting.moves_made


def test_no_moment_reveals_who_was_asked_because_of_their_cards():
    sitting = opened("war-xtreme", *["greedy"] * 4, seed="windows", players=4)
    met = 0
    for _ in range(120):
        sitting.play_bot(sitting.bot_to_act())
        number = sitting.moves_made
        if not sitting.in_window(number, 0) and sitting.made_unseen(number, 0):
            met += 1
            found = sitting.moments_since(0)
            seqs = [scene.seq for scene in found]
            assert seqs == sorted(set(seqs)), "there is one scene for each number that the seat knows"
            author = sitting.log.moves[sitting.log.last_known(0, number) - 1].seat
            assert {event.seat for event in found[-1].events} <= {HOUSE, author}
    assert met > 3
