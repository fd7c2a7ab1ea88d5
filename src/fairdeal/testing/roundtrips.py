"""Checks that every move can be parsed from its notation, and that every state can be set up from its position."""

import itertools
import re
from collections import Counter

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.state import State, Table
from fairdeal.testing.play import check_equal, check_same, must_have, states_by_phase, table_of

MOST = 50
"""Maximum number of legal moves of a state that are written and parsed."""


def check_reading(table: Table, name: str, first: State | None = None) -> Counter[str]:
    """Check moves and positions in states of every phase. The first game continues from `first`. Return the counts of
    phases and verbs."""
    met = Counter[str]()
    states = 0
    for state, phase, where in states_by_phase(table, name, first=first):
        states += 1
        met[phase] += 1
        for player in (*state.to_act, HOUSE) if table.game.events else state.to_act:
            met.update(check_moves(state, player, f"{table}, {where}"))
        check_position(state, f"{table}, {where}")
    must_have(states, 3, f"{table}: states whose moves and positions were written and read back")
    return met


def check_moves(state: State, player: int, where: str) -> Counter[str]:
    """Check that every legal move parses to its own actions, and that no two moves have the same text. Return the
    counts of verbs."""
    verbs = Counter[str]()
    written: dict[str, tuple[int, ...]] = {}
    before = state.copy()
    for actions in itertools.islice(state.action_moves(player), MOST):
        text = state.game.write_move(state.record, player, list(actions))
        found = read_back(state, player, text, where)
        if found != actions:
            raise AssertionError(
                f"{where}: {text!r} of seat {player} is {list(actions)} and reads back as {list(found)}"
            )
        if text in written:
            raise AssertionError(f"{where}: {list(actions)} and {list(written[text])} are both written {text!r}")
        written[text] = actions
        verbs[verb_of(text)] += 1
    check_same(before.record, state.record, f"{where}: writing and reading moves changed the state")
    if player != HOUSE:
        must_have(verbs.total(), 1, f"{where}: legal moves of seat {player}")
    return verbs


def read_back(state: State, player: int, text: str, where: str) -> tuple[int, ...]:
    try:
        return state.read_move(player, text)
    except IllegalMove as problem:
        wrong = f"{text!r} is written for a legal move of seat {player} and not understood: {problem}"
        raise AssertionError(f"{where}: {wrong}") from problem


def verb_of(text: str) -> str:
    """Return the first word of a move."""
    found = re.match(r"[^\W\d]+", text)
    return found[0] if found else text.partition(" ")[0]


def check_position(state: State, where: str) -> None:
    """Check that a state set up from a position writes the same position and has the same legal moves, and check the
    same for views of the state."""
    table, position = state.table, state.position()
    again = table_of(table.game, position["options"]).setup(position)
    check_equal(position, again.position(), f"{where}: the position set up again")
    for player in state.to_act:
        told = f"{where}: legal actions of seat {player} when the position is set up again"
        check_equal(state.legal_actions(player), again.legal_actions(player), told)
    for viewer in (SPECTATOR, *state.to_act[:1]):
        for recall in (0, 100):
            seen = state.view(viewer, recall).position()
            setup = table.setup(seen, seed="again").view(viewer, recall).position()
            check_equal(seen, setup, f"{where}: what {viewer} sees with recall {recall}, set up again")
