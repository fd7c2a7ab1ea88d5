"""Compiled and plain rules leave the same bytes, whatever the options."""

import itertools

import numpy as np
import pytest

import fairdeal
from fairdeal.engine import chance, compiled
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record

OPTIONS = {
    "chimax-jackpot": [
        {},
        {"tournament": True, "deals": 3},
        {"spins": 39, "qmark_when": "claim", "run_order": "any", "streak": True, "deals": 2},
        {"qmark_values": "books", "streak": True, "jackpot_bonus": 0, "deals": 2},
        {"qmark_values": "books", "qmark_when": "claim", "open_stock": True, "spins": 20},
        {"open_stock": True, "run_order": "any"},
    ],
    "chip-it": [
        {},
        {"players": 3, "raise": "lowest", "collect": "after_pass"},
        {"players": 5, "leader_pass": "free", "placement": True, "value_cap": 30},
        {"players": 6, "leader_pass": "never", "pool_total": 40},
        {"mode": "tournament", "players": 3},
        {"mode": "duel", "raise": "lowest"},
    ],
    "chi": [
        {},
        {"yang_layout": "mixed", "draw_source": "row_or_deck"},
        {"keep_one": False, "hand_limit": 3, "reshuffle": "when_needed"},
        {"stacks_to_end": 4, "end_trigger": "recheck", "turn_limit": 50},
    ],
    "chaos-ninjas": [
        {},
        {"players": 3, "pair_attack": "same_colour", "same_colour": "stack", "late_seat_bonus": 1},
        {"players": 4, "spirit": "wild", "spirits": 8, "hand_limit": 10, "counters": 8},
        {"players": 4, "abilities": False, "spirit": "wild", "hand_limit": 3, "reshuffle": "when_needed"},
        {"counters": 0, "spirits": 0, "turn_limit": 50, "first_player": 1},
    ],
    "chimax-books": [
        {},
        {"players": 3, "peek": True, "declare_scope": "player_round", "tap": "point", "deal_leader": "dealer_left"},
        {"players": 2, "pick": "top", "reveal": "simultaneous", "scoring": "specials_only", "pair_count": "once"},
        {"peek": True, "reveal": "simultaneous", "declare_scope": "one_value_per_player", "actual_card": "takes_book"},
        {"tournament": True, "target": 5, "declare_scope": "table_book", "pair_count": "exact", "first_dealer": 2},
    ],
    "chimax-cut": [
        {},
        {"players": 2, "recuts": 2, "qmark": "low", "rounds": 8},
        {"players": 4, "mode": "until_infinity", "rounds": 12},
        {"players": 4, "mode": "one_cut", "tournament": True, "rounds": 2},
        {"players": 2, "tournament": True, "rounds": 2, "first_dealer": 1},
    ],
    "chimax-match-2": [
        {},
        {"players": 1, "tournament": True},
        {"players": 3, "qmark_wild": True, "special": "replace", "stall_limit": 4},
        {"players": 4, "target": 3, "tournament": True, "stall_limit": 1},
    ],
    "chimax-match-3": [
        {},
        {"players": 3, "qmark_wild": True, "special": "match2", "stall_limit": 4},
        {"players": 4, "flips": "always_three", "special": "none", "tie_break": "playoff", "stall_limit": 1},
        {"players": 2, "target": 3, "cut": "player", "qmark_wild": True, "flips": "always_three"},
    ],
    "chimax-order": [
        {},
        {"players": 3, "board": "own", "on_miss": "restart", "stall_limit": 5},
        {"players": 4, "board": "race", "direction": "descending", "tournament": True, "stall_limit": 3},
        {"players": 4, "direction": "either", "winner": "most_placed", "tie_break": "playoff", "stall_limit": 2},
        {"players": 1, "on_miss": "restart", "direction": "either", "tournament": True},
    ],
    "chimax-fate": [
        {},
        {"players": 4, "wheel": "position", "stall_limit": 4},
        {"spin_again": True, "prize": "flat", "tries": 13},
        {"players": 1, "solo_spins": 9},
        {"players": 3, "tournament": True, "stall_limit": 1, "tries": 1},
    ],
    "war-xtreme": [
        {},
        {"players": 3, "ask_extreme": False, "must_play": "enforced", "trust_partner": "choose", "auto_sweep": False},
        {"players": 4, "ask_extreme": False, "caught": "out", "race": "seeded", "final_inspection": True},
        {"players": 8, "ask_extreme": False, "war_conflict": "coin", "tax_over_59": "cap", "false_catch": 5},
        {"players": 5, "sets": [2, 4], "ask_extreme": False, "equipment": False, "max_rounds": 40, "dispute": False},
    ],
}
CASES = [(name, options) for name in fairdeal.game_names() for options in OPTIONS[name]]


@pytest.mark.parametrize(("title", "options"), CASES, ids=[f"{name} {options}" for name, options in CASES])
def test_both_twins_leave_the_same_bytes_after_every_step(title, options):
    table = fairdeal.load(title, **options)
    game = table.game
    plain, twin = compiled.plain(game), compiled.compiled(game)
    ours, theirs = table.blank().record, table.blank().record
    deals = itertools.count()
    source = new(chance_record)
    chance.set_key(source, chance.key_of("moves"))
    listed, compiled_listed = compiled.scratch(game), compiled.scratch(game)
    compared = 0
    for step in range(600):
        if step == 0 or ours.over:
            ours, theirs = table.blank().record, table.blank().record
            key = chance.key_of(f"agreement {options} {next(deals)}")
            for record, rules in ((ours, plain.rules), (theirs, twin.rules)):
                chance.set_key(record.chance, key)
                rules.deal(record)
        assert ours.tobytes() == theirs.tobytes()
        player = next(seat for seat in range(table.players) if int(ours.to_act) >> seat & 1)
        count = plain.rules.legal_actions(ours, player, listed)
        assert count == twin.rules.legal_actions(theirs, player, compiled_listed)
        assert listed[:count].tolist() == compiled_listed[:count].tolist()
        if not ours.composing:
            compared += 1
            check_concealed(game, plain, twin, ours, player)
        action = int(listed[chance.draw(source, count)])
        plain.rules.apply(ours, player, action)
        twin.rules.apply(theirs, player, action)
    assert compared > 100


def check_concealed(game, plain, twin, state, player):
    for viewer in (player, SPECTATOR):
        for recall in (0, 100):
            ours, theirs = state.copy(), state.copy()
            plain.rules.conceal(ours, viewer, recall)
            twin.rules.conceal(theirs, viewer, recall)
            assert ours.tobytes() == theirs.tobytes()
    ours = state.copy()
    plain.rules.conceal(ours, player, False)
    plan, compiled_plan = compiled.scratch(game), compiled.scratch(game)
    count = plain.greedy(ours, player, plan)
    assert count == twin.greedy(ours, player, compiled_plan)
    assert plan[:count].tolist() == compiled_plan[:count].tolist()
    theirs, sources = ours.copy(), [new(chance_record), new(chance_record)]
    for source in sources:
        chance.set_key(source, chance.key_of("resample"))
    plain.rules.resample(ours, player, sources[0])
    twin.rules.resample(theirs, player, sources[1])
    assert ours.tobytes() == theirs.tobytes()
    out, compiled_out = np.zeros(8), np.zeros(8)
    plain.rules.returns(state, out)
    twin.rules.returns(state, compiled_out)
    assert out.tolist() == compiled_out.tolist()


def test_drivers_play_the_same_games_plain_and_compiled(name):
    from fairdeal.engine import records

    table = fairdeal.load(name)
    results = []
    for engine in (compiled.plain(table.game), compiled.compiled(table.game)):
        states, sources = records.blank_array(table.game.state, 3), records.blank_array(chance_record, 2)
        states[0] = table.blank().record
        chance.set_key(sources[0], chance.key_of("drivers"))
        scores, lengths = np.zeros((2, table.players)), np.zeros((2, 2), np.int64)
        bots = np.arange(table.players) % 2
        engine.simulate(states, sources, compiled.scratch(table.game), bots, 5, 2, scores, lengths)
        results.append((scores.tolist(), lengths.tolist()))
    assert results[0] == results[1]
    assert sum(map(sum, results[0][1])) > 10
