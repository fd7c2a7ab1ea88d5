"""The tests of `fairdeal.testing` for each of our games.

Presets are for players; the sets of options here are for tests, and combine options as no preset does.
"""

import os
from pathlib import Path
from types import MappingProxyType

import pytest

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.searches import compiled_search
from fairdeal.testing import GameTests, Hidden, Zone
from fairdeal.testing.agreement import check_agreement
from fairdeal.testing.play import table_of
from tests.games import engines, invariants, rearranging
from tests.games.rearranging import another, other_slots
from tests.games.war_hidden import rearrange_war
from tests.games.war_invariants import war_violation
from tests.perft import counts_of

DECK = Zone("deck.*", "deck")
PLAYOFF = Zone("hands.*.*", "playoff", phase="playoff", others=another)

IN_PLAYOFF = {"phase": "playoff", "tied": [0, 2], "dealer": 0, "hands": [["x"], [], ["x"], []], "leader": 2, "turn": 2}
TIED = {"players": 4, "tie_break": "playoff"}
PLAYED_OFF = (TIED, IN_PLAYOFF, ())
FLEEING = (
    {"players": 4, "ask_extreme": False},
    {
        "round": 5,
        "seats": [{"army": [card, *["?"] * 9]} for card in ("ninja/7", "princess/7", "zombie/K", "monster/Q")],
        "slots": ["?"] * 8,
        "tax": ["?"] * 20,
        "store": ["?"] * 9,
    },
    ("0: flip", "1: flip", "2: flip", "3: flip", "3: flee"),
)
"""Moments that random games seldom reach: options, a position, and moves."""


class OurTests(GameTests):
    """The common settings of our games, with checks of what the engine makes of each."""

    random_games = int(os.environ.get("FAIRDEAL_RANDOM_GAMES", "5000"))
    least_cases = 11
    least_clauses = 26
    least_lessons = 1
    marked_in = Path(__file__).parents[1]

    def test_compiled_rules_and_webassembly_agree(self, table):
        pytest.importorskip("wasmtime", reason="without wasmtime (python -m pip install wasmtime)")
        game = table.game
        print(dict(check_agreement(table, compiled.compiled(game), engines.engine_of(game), 200)))

    def test_compiled_searches_and_webassembly_agree(self, preset):
        pytest.importorskip("wasmtime", reason="without wasmtime (python -m pip install wasmtime)")
        game = self.the_game()
        both = compiled_search(game.name), engines.search_of(game)
        print(dict(engines.check_search(table_of(game, preset=preset), *both, decisions=10, most=12)))

    def test_perft(self):
        print(engines.check_perft(engines.near_the_end(self.the_game())))


class TestChi(OurTests):
    game = "chi"
    least_lessons = 2
    rare = ("none",)  # the deck and the discards are empty
    invariant = staticmethod(invariants.chi_violation)
    longest = 9 * 400
    hidden = Hidden(
        zones=[Zone("deck.*"), Zone("hands.*[]")],
        rearrange=rearranging.rearrange_chi,
        knowledge=["seen"],
    )
    options = (
        {"yang_layout": "mixed", "draw_source": "row_or_deck"},
        {"keep_one": False, "hand_limit": 3, "reshuffle": "when_needed"},
        {"stacks_to_end": 4, "end_trigger": "recheck", "turn_limit": 50},
    )
    counts = counts_of("chi")


class TestChaosNinjas(OurTests):
    game = "chaos-ninjas"
    least_lessons = 2
    rare = ("none",)  # the deck and the discards are empty
    invariant = staticmethod(invariants.ninja_violation)
    longest = 600 * 16
    hidden = Hidden(
        zones=[Zone("deck.*"), Zone("hands.*[]")],
        rearrange=rearranging.rearrange_ninjas,
        knowledge=["seen"],
        forgets=["Gave", "Reshuffled"],
    )
    options = (
        {"players": 3, "pair_attack": "same_colour", "same_colour": "stack", "late_seat_bonus": 1},
        {"players": 4, "spirit": "wild", "spirits": 8, "hand_limit": 10, "counters": 8},
        {"players": 4, "abilities": False, "spirit": "wild", "hand_limit": 3, "reshuffle": "when_needed"},
        {"counters": 0, "spirits": 0, "turn_limit": 50, "first_player": 1},
    )
    counts = counts_of("chaos-ninjas")


class TestChipIt(OurTests):
    game = "chip-it"
    least_lessons = 3
    invariant = staticmethod(invariants.chip_it_violation)
    longest = 20 * 6558
    hidden = Hidden(
        zones=[Zone("hands.*[]")],
        rearrange=rearranging.rearrange_chip_it,
        aside=rearranging.set_aside,
    )
    options = (
        {"players": 3, "raise": "lowest", "collect": "after_pass"},
        {"players": 5, "leader_pass": "free", "placement": True, "value_cap": 30},
        {"players": 6, "leader_pass": "never", "pool_total": 40},
        {"mode": "tournament", "players": 3},
        {"mode": "duel", "raise": "lowest"},
    )
    counts = counts_of("chip-it")


class TestChimaxBooks(OurTests):
    game = "chimax-books"
    least_lessons = 2
    invariant = staticmethod(invariants.books_violation)
    longest = 30 * (45 + 2) + 12
    hidden = Hidden(
        zones=[
            Zone("hands.*.*"),
            Zone("won.*.*", remembered=True),
            DECK,
            Zone("committed.*", others=other_slots),
            PLAYOFF,
        ],
        rearrange=rearranging.rearrange_books,
        moments=[PLAYED_OFF],
    )
    options = (
        {"players": 3, "peek": True, "declare_scope": "player_round", "tap": "point", "deal_leader": "dealer_left"},
        {"players": 2, "pick": "top", "reveal": "simultaneous", "scoring": "specials_only", "pair_count": "once"},
        {"peek": True, "reveal": "simultaneous", "declare_scope": "one_value_per_player", "actual_card": "takes_book"},
        {"tournament": True, "target": 5, "declare_scope": "table_book", "pair_count": "exact", "first_dealer": 2},
        {"reveal": "simultaneous", "players": 3},
    )
    counts = counts_of("chimax-books")


class TestChimaxOrder(OurTests):
    game = "chimax-order"
    rare = ("declare",)  # a question mark in a playoff
    invariant = staticmethod(invariants.order_violation)
    longest = (26 + 27 * 26) * 13 + 12
    hidden = Hidden(
        zones=[Zone("layout.*"), Zone("layout.*.*", "board", own=2), DECK, PLAYOFF],
        rearrange=rearranging.rearrange_order,
        moments=[(TIED, IN_PLAYOFF | {"layout": ["x"] * 13}, ())],
        told=rearranging.told_by_missed,
        knowledge=["seen"],
    )
    options = (
        {"players": 3, "board": "own", "on_miss": "restart", "stall_limit": 5},
        {"players": 4, "board": "race", "direction": "descending", "tournament": True, "stall_limit": 3},
        {"players": 4, "direction": "either", "winner": "most_placed", "tie_break": "playoff", "stall_limit": 2},
        {"players": 1, "on_miss": "restart", "direction": "either", "tournament": True},
    )
    counts = counts_of("chimax-order")


LAYOUT = Hidden(
    zones=[Zone("layout.*"), DECK, PLAYOFF],
    rearrange=rearranging.rearrange_match,
    moments=[PLAYED_OFF],
    told=rearranging.told_by_missed,
    knowledge=["seen"],
)
"""The hidden information of Match 2, Match 3 and Fate."""


class TestChimaxMatch2(OurTests):
    game = "chimax-match-2"
    rare = ("declare",)  # a question mark in a playoff
    invariant = staticmethod(invariants.match_violation)
    longest = 30 * (2 * 2450 + 28 + 2) + 12
    hidden = LAYOUT
    options = (
        {"players": 1, "tournament": True},
        {"players": 3, "qmark_wild": True, "special": "replace", "stall_limit": 4},
        {"players": 4, "target": 3, "tournament": True, "stall_limit": 1},
    )
    counts = counts_of("chimax-match-2")


class TestChimaxMatch3(OurTests):
    game = "chimax-match-3"
    rare = ("declare",)  # a question mark in a playoff
    invariant = staticmethod(invariants.match_violation)
    longest = 30 * (3 * 4186 + 39 + 2) + 12
    hidden = LAYOUT
    options = (
        {"players": 3, "qmark_wild": True, "special": "match2", "stall_limit": 4},
        {"players": 4, "flips": "always_three", "special": "none", "tie_break": "playoff", "stall_limit": 1},
        {"players": 2, "target": 3, "cut": "player", "qmark_wild": True, "flips": "always_three"},
    )
    counts = counts_of("chimax-match-3")


class TestChimaxCut(OurTests):
    game = "chimax-cut"
    invariant = staticmethod(invariants.cut_violation)
    longest = 80 * 5 + 9
    hidden = Hidden(
        zones=[Zone("deck.*"), PLAYOFF],
        rearrange=rearranging.rearrange_cut,
        moments=[PLAYED_OFF],
    )
    options = (
        {"players": 2, "recuts": 2, "qmark": "low", "rounds": 8},
        {"players": 4, "mode": "until_infinity", "rounds": 12},
        {"players": 4, "mode": "one_cut", "tournament": True, "rounds": 2},
        {"players": 2, "tournament": True, "rounds": 2, "first_dealer": 1},
    )
    counts = counts_of("chimax-cut")


class TestChimaxFate(OurTests):
    game = "chimax-fate"
    rare = ("declare",)  # a question mark in a playoff
    spoken = ("name",)
    invariant = staticmethod(invariants.fate_violation)
    longest = 728 * 4 + 13 * 2 + 12
    hidden = LAYOUT
    options = (
        {"players": 4, "wheel": "position", "stall_limit": 4},
        {"spin_again": True, "prize": "flat", "tries": 13},
        {"players": 1, "solo_spins": 9},
        {"players": 3, "tournament": True, "stall_limit": 1, "tries": 1},
    )
    counts = counts_of("chimax-fate")


class TestChimaxJackpot(OurTests):
    game = "chimax-jackpot"
    rare = ("playoff",)  # a case has it refused: one player has nobody to play off with
    invariant = staticmethod(invariants.jackpot_violation)
    longest = 5 * (68 + 3)
    hidden = Hidden(
        zones=[Zone("stock.*.*"), DECK],
        rearrange=rearranging.rearrange_jackpot,
    )
    options = (
        {"tournament": True, "deals": 3},
        {"spins": 39, "qmark_when": "claim", "run_order": "any", "streak": True, "deals": 2},
        {"qmark_values": "books", "streak": True, "jackpot_bonus": 0, "deals": 2},
        {"qmark_values": "books", "qmark_when": "claim", "open_stock": True, "spins": 20},
        {"open_stock": True, "run_order": "any"},
    )
    counts = counts_of("chimax-jackpot")


class TestWarXtreme(OurTests):
    game = "war-xtreme"
    least_lessons = 3
    calm = MappingProxyType({"ask_extreme": False})
    spoken = "act", "recruit"  # everybody sees a wrong action of a race, and a slot that is then filled again
    invariant = staticmethod(war_violation)
    longest = 1_000_000
    hidden = Hidden(
        zones=[
            Zone("seats.*.army.*"),
            Zone("tax.*"),
            Zone("slots.*"),
            Zone("wars.*.pot_down.*[]"),
            Zone("wars.*.recruits.*"),
            Zone("seats.*.hand[]", "equipment"),
            Zone("seats.*.hidden[]", "equipment"),
            Zone("store.*", "equipment"),
            *(Zone("choices.*", phase=phase, others=another) for phase in ("EXTREME", "RACE", "CHOICE")),
        ],
        rearrange=rearrange_war,
        moments=[FLEEING],
        knowledge=["seen"],
        forgets=["*"],
    )
    options = (
        {"players": 3, "ask_extreme": False, "must_play": "enforced", "trust_partner": "choose", "auto_sweep": False},
        {"players": 4, "ask_extreme": False, "caught": "out", "race": "seeded", "final_inspection": True},
        {"players": 8, "ask_extreme": False, "war_conflict": "coin", "tax_over_59": "cap", "false_catch": 5},
        {"players": 5, "sets": [2, 4], "ask_extreme": False, "equipment": False, "max_rounds": 40, "dispute": False},
        {"race": "seeded", "players": 3, "equipment": False, "ask_extreme": False},
    )
    counts = counts_of("war-xtreme")


def test_every_installed_game_is_tested():
    assert {tests.game for tests in OurTests.__subclasses__()} == set(fairdeal.game_names())
