"""Compiled and plain rules leave the same bytes, whatever the options."""

import numpy as np
import pytest

import fairdeal
from fairdeal.engine import chance, compiled
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record

OPTIONS = {
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
}
CASES = [(name, options) for name, all_options in OPTIONS.items() for options in all_options]


@pytest.mark.parametrize(("title", "options"), CASES, ids=[f"{name} {options}" for name, options in CASES])
def test_both_twins_leave_the_same_bytes_after_every_step(title, options):
    table = fairdeal.load(title, **options)
    game = table.game
    plain, twin = compiled.plain(game), compiled.compiled(game)
    ours, theirs = table.blank().record, table.blank().record
    for record in (ours, theirs):
        chance.set_key(record.chance, chance.key_of(f"agreement {options}"))
    plain.rules.deal(ours)
    twin.rules.deal(theirs)
    source = new(chance_record)
    chance.set_key(source, chance.key_of("moves"))
    listed, compiled_listed = compiled.scratch(game), compiled.scratch(game)
    for _ in range(600):
        assert ours.tobytes() == theirs.tobytes()
        if ours.over:
            break
        player = next(seat for seat in range(table.players) if int(ours.to_act) >> seat & 1)
        count = plain.rules.legal_actions(ours, player, listed)
        assert count == twin.rules.legal_actions(theirs, player, compiled_listed)
        assert listed[:count].tolist() == compiled_listed[:count].tolist()
        if not ours.composing:
            check_concealed(game, plain, twin, ours, player)
        action = int(listed[chance.draw(source, count)])
        plain.rules.apply(ours, player, action)
        twin.rules.apply(theirs, player, action)


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
