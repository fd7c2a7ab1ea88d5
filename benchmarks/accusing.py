"""Can greedy's accusations in WAR X-TREME be had? `uv run python -m benchmarks.accusing`: rivals who hoard, hide, or
never accuse, one of them at each table of greedy ones.

Each plays greedy's moves but for what makes it a rival; whose share of wins is more than its fair one has found a hole.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.drivers import acting_player, apply, conceal, deal, returns
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.chance import derive
from fairdeal.engine.records import Record, blank_array, rule
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import Table
from fairdeal.games.war_xtreme.bots import worth_of
from fairdeal.games.war_xtreme.catalogue.tables import MOVE
from fairdeal.games.war_xtreme.rules.aiming import is_must
from fairdeal.games.war_xtreme.rules.effects import equipment_of_action
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.rules.phases import default_action, legal_actions
from fairdeal.games.war_xtreme.state import CATCH, DISPUTE, EQUIP
from fairdeal.lab.estimates import share

GREEDY, NEVER_ACCUSES, HIDES, HIDES_GIFTS, HIDES_BEHIND, HOARDS, STINTS = 0, 1, 2, 4, 8, 16, 32
"""The habits of a rival, as bits."""

RIVALS = {
    "never accuses": NEVER_ACCUSES,
    "hides what must be played": HIDES,
    "hides what would cost it cards": HIDES_GIFTS,
    "hides that while it is behind": HIDES_BEHIND,
    "hoards equipment": HOARDS,
    "keeps equipment for more": STINTS,
    "hides and hoards": HIDES | STINTS,
}

TABLES: dict[str, dict[str, object]] = {
    "two": {},
    "two, 100 rounds": {"max_rounds": 100},
    "two, false accusations cost five": {"false_catch": 5},
    "two, they cost nothing": {"false_catch": 0},
    "four": {"players": 4},
    "four, cheaters are out": {"players": 4, "caught": "out"},
    "eight, 300 rounds": {"players": 8, "max_rounds": 300},
}

STINT = 250
"""Hundredths of a card that equipment must bring more than it does for greedy."""


@rule
def is_behind(state: Record, player: int) -> bool:
    """Return whether another player owns more cards."""
    for seat in range(state.players):
        if deck_size(state.decks[seat]) > deck_size(state.decks[player]):
            return True
    return False


@rule
def worth_to(state: Record, player: int, action: int, ways: int) -> int:
    """Return the value of an action to a rival who plays in these ways."""
    worth = worth_of(state, player, action)
    if action >= CATCH and action < DISPUTE and ways & NEVER_ACCUSES:
        return 0
    if action < EQUIP:
        return worth
    number = equipment_of_action(action)
    if is_must(state, number):
        gives = state.options.catalogue.equipment_op[number - 1] == MOVE
        hides = ways & HIDES or (gives and (ways & HIDES_GIFTS or (ways & HIDES_BEHIND and is_behind(state, player))))
        return 0 if hides else worth
    if ways & HOARDS:
        return 0
    return worth - STINT if ways & STINTS else worth


@rule
def choice_of(state: Record, player: int, ways: int, actions: Record) -> int:
    """Return the action of a seat."""
    count = legal_actions(state, player, actions)
    if count == 1:
        return int(actions[0])
    best, most = int(default_action(state, player)), 0
    for number in range(count):
        worth = worth_to(state, player, int(actions[number]), ways)
        if worth > most:
            best, most = int(actions[number]), worth
    return best


@rule
def play(states: Record, sources: Record, actions: Record, ways: int, games: int, scores: Record) -> None:
    """Play `games` games, the rival of game g at seat g % players; states: [options, game, view]"""
    state = states[1]
    for game in range(games):
        states[1] = states[0]
        derive(state.chance, sources[0], 2 * game)
        derive(sources[1], sources[0], 2 * game + 1)
        deal(state)
        rival = game % int(state.players)
        while not state.over:
            player = acting_player(state, sources[1])
            states[2] = states[1]
            conceal(states[2], player, 0)
            apply(state, player, choice_of(states[2], player, ways if player == rival else GREEDY, actions))
        returns(state, scores[game])


def player_of(table: Table) -> Any:
    """Return the compiled `play` of the game."""
    engine = compiled.compiled(table.game)
    contract = compiled.contract_of(table.game)
    return compile_rules(table.game.name, table.game.state, {"play": play}, contract, engine.twins)["play"]


def wins(table: Table, ways: int, games: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the rival's share of the first place, by game."""
    states, sources = blank_array(table.game.state, 3), blank_array(chance_record, 2)
    states[0] = table.start
    chance.set_key(sources[0], chance.key_of("accusing"))
    scores = np.zeros((games, table.players))
    player_of(table)(states, sources, compiled.scratch(table.game), ways, games, scores)
    first = scores == scores.max(axis=1, keepdims=True)
    rivals = np.arange(games) % table.players
    return np.asarray((first / first.sum(axis=1, keepdims=True))[np.arange(games), rivals])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accusing", description=__doc__)
    parser.add_argument("--games", type=int, default=8000, help="games a table and rival (default 8000)")
    parser.add_argument("--table", action="append", choices=TABLES, help="only this one (may be given again)")
    chosen = parser.parse_args()
    print(f"| | fair | {' | '.join(RIVALS)} |")
    print(f"|{'---|' * (2 + len(RIVALS))}")
    for title in chosen.table or TABLES:
        table = fairdeal.load("war-xtreme", ask_extreme=False, race="seeded", **TABLES[title])
        found = [share(wins(table, ways, chosen.games)) for ways in RIVALS.values()]
        told = [f"{won.value:.1%} ({100 * won.low:.1f} to {100 * won.high:.1f})" for won in found]
        print(f"| {title} | {1 / table.players:.1%} | {' | '.join(told)} |", flush=True)


if __name__ == "__main__":
    main()
