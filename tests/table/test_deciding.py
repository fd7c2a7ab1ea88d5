"""The end says what decided a game: the move from which on the winner led, in a sentence and with its cards."""

import contextlib
import itertools
import random
import re
from collections import Counter

import pytest

import fairdeal
from fairdeal.engine.errors import BadOption
from fairdeal.engine.events import Described, Event, Won, described
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Gain, LogLine, Moved, Result, Round, Scene, Seat, Tally, Voice
from fairdeal.engine.travel import travelled
from fairdeal.table.deciding import comfort, decided, deciding_move, light
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.testing.play import play_at_random, table_of
from tests.conftest import SHORT
from tests.table.sittings import finished

BO = Seat(1, "Bo")

ENDINGS = 200
"""Random games of each title whose ends are looked at."""


class Standing:
    """A state of which only the lead matters."""

    def __init__(self, *leaders):
        self.leaders = frozenset(leaders)
        self.ranks = tuple(1 if seat in leaders else 2 for seat in range(3))


def moves_of(*leads):
    return deciding_move(dict(enumerate(Standing(*map(int, lead)) for lead in leads)).__getitem__, len(leads) - 1)


@pytest.mark.parametrize(
    ("leads", "move"),
    [
        (("012", "0", "1", "1", "1"), 2),
        (("012", "1", "0", "1", "1"), 3),
        (("012", "1", "01", "1"), 3),
        (("012", "0", "0", "1"), 3),
        (("1", "1", "1"), 2),
    ],
)
def test_it_is_the_move_from_which_on_the_winner_led_alone(leads, move):
    assert moves_of(*leads) == move


def test_every_game_for_several_ends_with_a_sentence_and_the_cards_are_printed(name_for_several):
    sitting = finished(name_for_several, **SHORT.get(name_for_several, {}))
    for viewer in (0, SPECTATOR):
        result = sitting.scene(viewer).result
        told = result.decided
        if told is None:
            continue
        assert result.places.count(1) == 1
        assert 0 < told.move <= sitting.moves_made
        last = told.move == sitting.moves_made
        assert last == (not told.text.startswith(f"From move {told.move} on "))
        assert not last or re.match(r"(Round|Game|Layout) \d+ brought ", told.text)
        assert told.text.endswith((".", "!", "”"))
        assert len(told.text) < 170
        assert set(told.cards) <= set(sitting.table.game.faces(sitting.table.options))
        assert not any(event.text == told.text for event in sitting.scene(viewer).events)


def endings(name, number):
    """Yield the ends of random games with every preset and number of players: the game's name for a viewer, and the
    viewer's last scene with its events."""
    game, chance, tables, made = find_game(name), random.Random(name), [], 0
    for preset, players in itertools.product(game.presets, range(game.players[0], game.players[1] + 1)):
        with contextlib.suppress(BadOption):  # some presets are for some numbers of players
            tables.append(table_of(game, SHORT.get(name, {}) | {"players": players}, preset))
    names = [f"Player {seat}" for seat in range(game.players[1])]
    while made < number:
        table = tables[made % len(tables)]
        state = table.deal(f"{name} {made}")
        while not state.over:
            before = state.copy()
            player, actions = play_at_random(state, chance)
        made += 1
        for viewer in {chance.randrange(table.players), SPECTATOR}:
            seen = [one.seen_by(viewer, names[: table.players]) for one in (before, state)]
            events = seen[0].happened(seen[1], player, actions)
            told = described(events, Voice(tuple(names[: table.players]), viewer), player)
            scene = seen[1].scene()
            yield f"{name} {made - 1} for {viewer}", scene, events, travelled(told, seen[0].scene(), scene)


def test_what_decided_a_game_is_in_the_scene_of_everybody(name):
    """The light at the end of a game falls on something that is there: a seat that has won, its counters, open cards.
    On nothing, if nobody has played."""
    met = Counter()
    for where, scene, events, told in endings(name, ENDINGS):
        found = light(scene, events, told)
        if found is None:
            assert scene.result.text.startswith("No game"), f"{where}: nothing is lit"
            met["nothing"] += 1
            continue
        places = scene.result.places
        assert found.seats, f"{where}: {found}"
        assert {places[seat] for seat in found.seats} >= {1}, f"{where}: nobody who has won is lit"
        seen = [card for zone in scene.zones for card in zone.cards[-1 if zone.layout == "stack" else 0 :]]
        up = {card.id for card in seen if card.face and not card.down}
        assert set(found.cards) <= up, f"{where}: {found} lights cards that nobody sees"
        (deciding,) = [event.deciding() for event in events if isinstance(event, Won)]
        named = {zone.id for zone in scene.zones} | {card.id for zone in scene.zones for card in zone.cards}
        assert set(deciding.on) <= named, f"{where}: {deciding} names what is not in the scene"
        assert bool(deciding.on) <= bool(found.cards), f"{where}: nothing of {deciding} lies open"
        assert bool(deciding.counters) == bool(found.counters), f"{where}: nobody has the counters of {deciding}"
        labels = {counter.label for seat in scene.seats if seat.seat in found.seats for counter in seat.counters}
        assert set(found.counters) <= labels, f"{where}: {found}"
        met["a seat"] += 1
        met["more"] += bool(found.cards or found.counters)
    assert met["a seat"] > ENDINGS
    assert met["more"] > ENDINGS / 2, "only a seat is lit, though cards or a counter decided it"


def test_after_that_move_nobody_else_ever_led():
    met = 0
    for name, seed in itertools.product(("chi", "chimax-match-2", "chaos-ninjas"), "abc"):
        sitting = finished(name, seed=seed, **SHORT.get(name, {}))
        told = sitting.scene(SPECTATOR).result.decided
        move = told.move if told else sitting.moves_made
        winners = frozenset(seat for seat, place in enumerate(sitting.scene(SPECTATOR).result.places) if place == 1)
        if move < sitting.moves_made:
            met += 1
            assert sitting.state_at(move - 1).leaders != winners
            assert all(sitting.state_at(n).leaders == winners for n in range(move, sitting.moves_made))
    assert met > 4


def test_a_last_move_by_which_the_loser_draws_level_has_decided_nothing():
    colours = ("yellow", "blue", "lime", "pink", "red")
    areas = [[f"def-{colour}" for colour in colours]] * 2
    position = {"turn": 0, "row": [None] * 6, "hands": [["spirit"], ["spirit"]], "areas": areas}
    state = fairdeal.load("chaos-ninjas").setup(position, "level")
    sitting = Sitting.open(state.table, [Player("Ada"), Player("Bo")], "level", state)
    sitting.play(0, "play spirit")
    sitting.play(1, "play spirit")
    scene = sitting.scene(0)
    assert [len(zone.cards) for zone in scene.zones if zone.id in ("area0", "area1")] == [6, 6]
    assert scene.result.decided.text.startswith("From move 1 on you led: You play a Spirit.")
    assert [event.text for event in scene.events] == [
        "Bo plays a Spirit.",
        "You win. Nobody broke the six cards in front of you.",
    ]


@pytest.mark.parametrize(
    ("places", "scores", "more", "said"),
    [
        ((1, 2), (7, 6), {}, ["", "One short: it could hardly be closer."]),
        ((3, 1, 2), (1, 12, 10), {}, ["Well played.", "", "Only 2 short. Well played."]),
        ((3, 1, 2), (1, 6, 3), {}, ["Well played.", "", "Second of 3. Well played."]),
        ((2, 1, 2), (1, 6, 1), {}, ["Well played.", "", "Well played."]),
        ((1, 2), (1, 0), {"shown": ("nothing left", "9 cards")}, ["", "Well played."]),
        ((1, 1), (7, 7), {}, ["", ""]),
        ((1, 1), (0, 0), {"won": False}, ["", ""]),
        ((1,), (4,), {"won": False, "par": 5}, ["One short: it could hardly be closer."]),
        ((1,), (0,), {"won": False, "par": 5}, ["The next deal may be kinder."]),
        ((1,), (5,), {"par": 5}, [""]),
    ],
)
def test_who_has_not_won_reads_a_kind_word(places, scores, more, said):
    result = Result("Somebody wins.", places, scores, **more)
    assert [comfort(result, viewer) for viewer in (*range(len(places)), SPECTATOR)] == [*said, ""]


def test_one_player_alone_has_decided_nothing(name_for_one):
    assert finished(name_for_one, **SHORT.get(name_for_one, {})).scene(0).result.decided is None


def test_a_running_game_has_decided_nothing():
    table = fairdeal.load("chi")
    assert Sitting.open(table, [Player("Ada"), Player("Bo")], "x").scene(0).result is None


def test_the_last_move_is_no_turning_point():
    """Only the points of a round that it ended are."""
    scenes, told = (Scene("", "", 0), Scene("", "", 0)), [Described(Event(), LogLine("Bo plays 5."))]
    assert decided(9, 9, BO, told, scenes) is None
    assert decided(8, 9, BO, told, scenes).text == "From move 8 on Bo led: Bo plays 5."


def test_a_win_that_is_shared_has_no_turning_point():
    endings = [finished("chimax-cut", seed=str(seed), rounds=2) for seed in range(12)]
    results = [sitting.scene(SPECTATOR).result for sitting in endings]
    shared = [result.decided for result in results if result.places.count(1) > 1]
    assert shared
    assert not any(shared)


def test_a_round_that_decided_it_says_why():
    gains = (Gain("Books", 4), Gain("three ∞", 3, cards=("inf",) * 3))
    ended = Round(3, "Round 3 done: Bo 7.", (Tally(1, 7, gains),))
    told = decided(
        9, 9, BO, [Described(Event(), LogLine("Bo plays 5."))], (Scene("", "", 0), Scene("", "", 0, round=ended))
    )
    assert told.text == "Round 3 brought Bo 7: Books 4, three ∞ +3."
    assert told.cards == ("inf", "inf", "inf")


def test_a_round_with_a_single_gain_says_its_points_once():
    ended = Round(3, "Round 3 done: Bo 1.", (Tally(1, 1, (Gain("last one in", 1),)),))
    told = decided(9, 9, BO, [], (Scene("", "", 0), Scene("", "", 0, round=ended)))
    assert told.text == "Round 3 brought Bo 1: last one in."


def test_the_cards_are_those_that_were_played_and_none_that_was_drawn():
    sitting = finished("chi", seed="a", **SHORT["chi"])
    move = next(n for n in range(1, 60) if re.search("plays an? .* Yang", sitting.events_of(n, SPECTATOR)[0].line.text))
    scenes = sitting.seen_at(move - 1, SPECTATOR).scene(), sitting.seen_at(move, SPECTATOR).scene()
    told = decided(move, 99, BO, sitting.described(move, SPECTATOR), scenes)
    assert told.text.startswith(f"From move {move} on Bo led: ")
    assert len(told.cards) == 1
    assert told.cards[0].startswith("yang")
    drawn = Described(Event(), LogLine("x", moves=(Moved("c", "deck", "hand0"),)))
    assert decided(move, 99, BO, [drawn], scenes).cards == ()
