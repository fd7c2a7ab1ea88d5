"""CHIP IT: why a move is not legal, in words and with the clause."""

from __future__ import annotations

from collections import Counter

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import Record
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it.cards import CODES, cost
from fairdeal.games.chip_it.rules.legal import highest_value, is_open
from fairdeal.games.chip_it.state import LOWEST_RAISE, NEVER
from fairdeal.games.chip_it.text.notation import Play, clause_of, parse, unreachable


def explain(state: Record, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    move = parse(text)
    reason = why_no_pass(state, player, move) if isinstance(move, int) else why_no_play(state, player, move)
    return IllegalMove(text, *reason) if reason else None


def why_no_pass(state: Record, player: int, points: int) -> tuple[str, str] | None:
    bank = int(state.bank[player])
    if points > 2:
        return "a pass returns 0, 1 or 2 points", "CHIP-40"
    if is_open(state) and int(state.options.leader_pass) == NEVER and state.hands[player].length:
        return "a leader with cards must play", "CHIP-44"
    if points > bank:
        return f"there {'is' if bank == 1 else 'are'} only {count_of(bank, 'point')} in your bank", "CHIP-40"
    if is_open(state) and points == 0:
        return "nothing is on the table to beat, so a pass must give a point back", "CHIP-45"
    return None


def why_no_play(state: Record, player: int, play: Play) -> tuple[str, str] | None:
    hand = state.hands[player]
    held = Counter(hand.cards.tolist()[: int(hand.length)])
    for kind, count in Counter(play.kinds).items():
        if held[kind] < count:
            have = f"only one {CODES[kind]} is" if held[kind] else f"{CODES[kind]} is not"
            return f"{have} in your hand", "CHIP-20"
    if not is_open(state) and len(play.kinds) != int(state.top.count):
        return f"the play to beat has {count_of(int(state.top.count), 'card')}", "CHIP-22"
    costs = []
    for kind in play.kinds:
        points = cost(kind, play.value)
        if points is None:
            return unreachable(kind, play.value), clause_of(kind)
        costs.append(points)
    if not is_open(state) and play.value <= int(state.top.value):
        return f"the value must be higher than {int(state.top.value)}", "CHIP-22"
    if play.value > highest_value(state):
        return f"no value above {highest_value(state)} is allowed at this table", "CHIP-29"
    if sum(costs) > int(state.pool):
        return f"it takes {count_of(sum(costs), 'point')}, and the pool holds {int(state.pool)}", "CHIP-27"
    if int(state.options.raise_) == LOWEST_RAISE:
        return "at this table cards may be raised only to the lowest value that will do", "CHIP-28"
    return None
