"""A move is taken back only if nobody has learned anything from it but that it was played."""

import random
import re
from collections import Counter
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Passed, Played, Revealed
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.table import undo
from fairdeal.table.log import Player
from fairdeal.table.sitting import NOT_YOURS, Sitting, replay
from fairdeal.table.undo import LEARNED, TURNED_UP, tells_nothing, why_not
from tests.conftest import ROOT
from tests.table.sittings import finished

MOVES = 200
"""Moves of random games that are looked at, for every game; its presets share them."""

DEALS = 6
"""Deals that each of these is played in again, for every viewer; others than `tells_nothing` tries."""

TAKEN_BACK = {
    "chaos-ninjas": {"discard", "pass", "play"},
    "chi": {"discard", "yang"},
    "chimax-books": {"declare", "top"},
    "chimax-cut": {"declare", "keep"},
    "chimax-fate": {"flip", "name", "stop"},
    "chimax-jackpot": {"declare", "hold"},
    "chimax-match-2": {"flip"},
    "chimax-match-3": {"flip"},
    "chimax-order": {"flip"},
    "chip-it": {"pass"},
    "war-xtreme": {"flip", "recruit"},
}
"""Moves of each game that can be taken back at times, such as turning a card that all have seen before."""


def viewers(state):
    return [*range(state.players), SPECTATOR]


def played_moves(name, preset, number):
    """So many moves of random games: the state before, the player, the actions, the state after."""
    dice = random.Random(f"undo {name} {preset}")
    table = fairdeal.load(name, preset=preset)
    state = table.deal(dice.random())
    for _ in range(number):
        if state.over:
            state = table.deal(dice.random())
        before, player, actions = state.copy(), dice.choice(state.to_act), []
        while not actions or state.composing:
            actions.append(dice.choice(state.legal_actions(player)))
            state.apply(player, actions[-1])
        yield before, player, actions, state.copy()


def looks(state, viewer):
    """All that a viewer sees of a state: cards known by heart and at a glance, the scene, what they may do."""
    seen = [state.view(viewer, recall).record.tobytes() for recall in (0, 100)]
    return [*seen, msgspec.json.encode(state.scene(viewer)), state.to_act, state.over, *legal(state, viewer)]


def legal(state, viewer):
    return state.legal_actions(viewer) if viewer in state.to_act else []


def test_a_move_that_can_be_taken_back_looks_the_same_in_every_deal_that_anybody_could_think_of(name):
    compiled.compiled(fairdeal.find_game(name))
    source = new(chance_record)
    chance.set_key(source, chance.key_of("another seed"))
    looked_at, allowed, compared, words = 0, 0, 0, set()
    presets = fairdeal.find_game(name).presets
    for preset in presets:
        for before, player, actions, after in played_moves(name, preset, MOVES // len(presets)):
            looked_at += 1
            if not tells_nothing(before, player, actions, after, chance.key_of("undo")):
                continue
            allowed += 1
            words.add(before.game.write_move(before.record, player, actions).split()[0])
            known = {viewer: before.view(viewer, 100) for viewer in viewers(before)}
            seen = {viewer: looks(after, viewer) for viewer in viewers(before)}
            for thinker in viewers(before):
                for _ in range(DEALS):
                    other = known[thinker].resample(source)
                    later = other.after(player, actions)
                    assert later is not None, "somebody learned that the move was possible"
                    for viewer in viewers(before):
                        if other.view(viewer, 100) == known[viewer]:
                            compared += 1
                            assert looks(later, viewer) == seen[viewer]
    print(f"{name}: {looked_at} moves, {allowed} of which can be taken back, {compared} comparisons")
    assert looked_at >= MOVES - len(presets)
    assert allowed >= 10
    assert compared >= allowed * 2 * DEALS
    assert words >= TAKEN_BACK[name]


class Deals:
    """A state for which a viewer knows only that one of `number` equally likely deals was dealt. After a move, the
    first `telling` of them look different from the others."""

    def __init__(self, number, telling, deal=None):
        self.number, self.telling, self.drawn = number, telling, 0
        self.record = np.zeros((), [("deal", "i4"), ("chance", "i4")])
        self.record["deal"] = number - 1 if deal is None else deal

    def resample(self, source):
        self.drawn += 1
        deal = Deals(self.number, self.telling, chance.draw(source, self.number))
        deal.record["chance"] = self.drawn
        return deal

    def every_deal(self, most, rest):
        return None

    def after(self, player, actions):
        return SimpleNamespace(view=lambda viewer, recall: self.record["deal"] < self.telling)

    def view(self, viewer, recall):
        return self


def missed_in(tries, number, telling):
    """Return how often a move that tells something in `telling` of `number` deals is found to tell nothing."""
    source, missed = new(chance_record), 0
    for number_of_try in range(tries):
        chance.set_key(source, chance.key_of(f"deals {number_of_try}"))
        deals = Deals(number, telling)
        missed += undo.foresees(0, deals, 0, [], deals.after(0, []), source)
        assert deals.drawn <= undo.DEALS or number <= undo.FEW
    return missed


def test_a_difference_that_few_of_many_deals_show_is_missed_as_often_as_the_docs_say():
    told = (ROOT / "docs" / "security.md").read_text("utf-8")
    rows = re.findall(r"^\| 1 in ([\d,]+) \| ([\d.]+) % \|$", told, re.MULTILINE)
    assert len(rows) >= 4
    for share, percent in rows:
        assert float(percent) == float(f"{100 * (1 - 1 / int(share.replace(',', ''))) ** undo.DEALS:.2g}"), share
    assert 8 <= missed_in(400, 4000, 100) <= 32  # 4.8 %


def test_where_few_deals_are_possible_all_are_looked_at():
    """The probability is exact, with the rule that ends the draws."""
    assert max(chance_to_miss(deals) for deals in range(1, undo.FEW + 1)) < 0.001
    assert chance_to_miss(40) < 0.001 < (1 - 1 / 40) ** undo.DEALS
    assert missed_in(200, 40, 1) == 0


def test_where_few_draws_are_possible_every_deal_is_looked_at(name):
    """Also those that are drawn less often than others."""
    source, compared, rare = new(chance_record), 0, 0
    chance.set_key(source, chance.key_of("every deal"))
    for state, *_ in played_moves(name, "", MOVES):
        for viewer in viewers(state):
            known = state.view(viewer, 100)
            every = known.every_deal(120)
            if every is None:
                continue
            counted = Counter(map(undo.deal_of, every))
            assert {undo.deal_of(known.resample(source)) for _ in range(40)} <= counted.keys()
            assert all(deal.view(viewer, 100) == known for deal in every)
            compared += len(counted) > 1
            rare += len({*counted.values()}) > 1
    assert compared or name not in ("chaos-ninjas", "chi", "chimax-books", "chip-it", "war-xtreme")
    assert rare or name != "chip-it"


def chance_to_miss(deals):
    """Return the probability that one of so many equally likely deals is not drawn."""
    missed, drawn = 0.0, 0
    without = {0: 1.0}  # by number of other deals drawn: the probability that this one has not been drawn
    while without:
        drawn += 1
        later = Counter()
        for others, probability in without.items():
            later[others] += probability * others / deals
            later[others + 1] += probability * (deals - 1 - others) / deals
        stops = {n for n in later if drawn >= undo.DEALS and drawn >= undo.enough(n or 1)}
        missed += sum(later[others] for others in stops)
        without = {others: later[others] for others in later if others not in stops and later[others]}
    return missed


def test_the_deals_follow_from_the_seed_of_the_table_and_from_nothing_else(monkeypatch):
    keys = []
    monkeypatch.setattr("fairdeal.table.sitting.tells_nothing", lambda *asked: keys.append(asked[4]))
    table = fairdeal.load("chi")
    for seed in ("1", "2"):
        sitting = Sitting.open(table, players_for(2), seed=seed)
        sitting.play_bot(sitting.bot_to_act())
        sitting.may_take_back()
        replay(sitting.log, sitting.seed).may_take_back()
    assert keys[:2] == 2 * [keys[0]]
    assert keys[2:] == 2 * [keys[2]]
    assert len({*keys, chance.key_of("undo")}) == 3


def players_for(seats):
    return [Player(f"Player {seat}", "random") for seat in range(seats)]


def random_sittings(name, **options):
    """A sitting before every move of random games, with the seat to move."""
    table = fairdeal.load(name, **options)
    for seed in range(120):
        sitting = Sitting.open(table, players_for(table.players), seed=str(seed))
        while not sitting.over and sitting.moves_made < 40:
            yield sitting, sitting.bot_to_act()
            sitting.play_bot(sitting.bot_to_act())


def test_a_pass_after_which_somebody_passes_on_their_own_stands():
    """WAR-76: a seat that holds equipment and is not asked can play none of it, and that is told."""
    in_reaction, in_preparation, found = [1, 2, 3], [9, 10, 11], 0
    table = fairdeal.load("war-xtreme", players=3, ask_extreme=False)
    for seed in range(12):
        sitting = Sitting.open(table, players_for(3), seed=str(seed))
        position = sitting.state.position() | {"round": 2}
        for seat, of_seat in enumerate(position["seats"]):
            of_seat["hand"] = [in_reaction[seat]] if seat != 1 else [in_preparation[seed % 3]]
        held = [seat["hand"][0] for seat in position["seats"]]
        position["store"] = [number for number in range(1, 16) if number not in held]
        sitting.state = table.setup(position, seed)
        while sitting.state.position()["phase"] == "PREP":
            sitting.play(sitting.bot_to_act(), "flip")
        if sitting.state.position()["phase"] == "REACT" and sitting.state.to_act == (0,):
            sitting.play(0, "pass")
            found += 1
            assert sitting.state.to_act == (2,), "seat 1 has passed on its own"
            assert not sitting.may_take_back()
    assert found >= 3


def test_a_striker_whose_player_is_asked_for_an_attack_or_not_stands():
    """NINJA-31: who is not asked holds no Attacker with a target, and that is told."""
    targets, found = {"def-blue", "def-yellow", "def-pink", "def-lime", "def-black"}, 0
    for sitting, seat in random_sittings("chaos-ninjas", players=3):
        if "play def-red" not in sitting.state.moves(seat):
            continue
        known = sitting.state.view(SPECTATOR, 100).position()
        hand, rivals = known["hands"][seat], [card for area in known["areas"] for card in area]
        if "def-red" in hand and "atk" not in str(hand) and hand.count("?") >= 2 and len(targets & {*rivals}) >= 2:
            sitting.play(seat, "play def-red")
            found += 1
            assert not sitting.may_take_back()
            sitting.take_back()
        if found == 3:
            break
    assert found == 3


def against_a_bot(name, seed="1", others="random", **options):
    table = fairdeal.load(name, **options)
    names = ("Bo", "Cy", "Di", "Ed")[: table.players - 1]
    return Sitting.open(table, [Player("Ada"), *(Player(name, others) for name in names)], seed=seed)


def refusal(sitting, seat=0):
    with pytest.raises(IllegalMove) as problem:
        sitting.check_taking_back(seat)
    return problem.value.reason


def test_the_answers_of_bots_are_taken_back_with_the_move_and_those_of_people_are_not():
    sitting = against_a_bot("chip-it", players=3, first_player=0)
    assert refusal(sitting) == "you have not made a move yet"
    before = sitting.state.record.tobytes()
    sitting.play(0, "pass 1")
    assert sitting.check_taking_back(0) == 1
    sitting.play(1, "pass 1")
    assert sitting.check_taking_back(0) == 2
    sitting.take_back(2)
    assert sitting.state.record.tobytes() == before
    assert refusal(sitting) == "you have not made a move yet"
    for by in ("greedy", ""):  # a bot that plays for an absent person, and the person
        sitting = against_a_bot("chip-it", others="person", players=3, first_player=0)
        sitting.play(0, "pass 1")
        sitting.play(1, "pass 1", by=by)
        if by:
            assert sitting.check_taking_back(0) == 2
            assert "a bot made that move for you" in refusal(sitting, 1)
        else:
            assert refusal(sitting) == NOT_YOURS
            assert sitting.check_taking_back(1) == 1


def test_a_refusal_says_what_was_seen_and_is_the_same_for_everyone():
    sitting = against_a_bot("chi", first_player=0)
    sitting.play(0, "draw 0")
    assert refusal(sitting).endswith(": a card was drawn")
    sitting = against_a_bot("chip-it", players=3, first_player=0)
    sitting.play(0, next(move for move in sitting.state.moves(0) if move.startswith("play")))
    assert refusal(sitting).endswith(": others have seen your card")
    sitting.take_back()
    sitting.play(0, "pass 1")
    sitting.play(1, next(move for move in sitting.state.moves(1) if move.startswith("play")))
    assert refusal(sitting).endswith(": Bo has shown a card")
    assert why_not([Passed(1)], 0, ("Ada", "Bo")) == LEARNED
    turned_up = Revealed(1, ("ace",))
    assert why_not([Passed(0), turned_up, Played(0, ("king",))], 0, ("Ada", "Bo")) == TURNED_UP


def test_a_move_is_checked_once_and_anew_when_another_is_made_in_its_place(monkeypatch):
    checked = []
    monkeypatch.setattr("fairdeal.table.sitting.tells_nothing", lambda *asked: checked.append(asked[2]) or True)
    sitting = against_a_bot("chip-it", players=3, first_player=0)
    sitting.play(0, "pass 1")
    assert sitting.still().may_take_back()
    assert sitting.may_take_back()
    assert len(checked) == 1
    sitting.take_back()
    sitting.play(0, next(move for move in sitting.state.moves(0) if move.startswith("play")))
    assert sitting.may_take_back()
    assert checked[0] != checked[1]


class Growing(dict):
    """Results to which another thread adds one while they are read."""

    def items(self):
        for item in super().items():
            self[len(self) + 1] = True
            yield item


def test_a_move_is_taken_back_while_another_thread_checks_it():
    sitting = against_a_bot("chip-it", players=3, first_player=0)
    sitting.play(0, "pass 1")
    sitting.told_nothing = Growing({1: True})
    sitting.take_back()
    assert (sitting.moves_made, sitting.told_nothing) == (0, {})


def test_there_is_no_move_to_take_back_before_the_first_one_nor_after_the_end():
    assert [sitting.may_take_back() for sitting in (against_a_bot("chip-it"), finished("chip-it"))] == [False, False]
