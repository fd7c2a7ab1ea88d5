"""CHIP IT: the reasons why moves are illegal, with clauses."""

from collections import Counter

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it.cards import CODES, cost
from fairdeal.games.chip_it.rules.legal import highest_value, is_open
from fairdeal.games.chip_it.state import LOWEST_RAISE, NEVER
from fairdeal.games.chip_it.text.notation import Play, parse, unreachable


def explain(state: Snapshot, player: int, text: str) -> IllegalMove | None:
    """Return the reason why a well-formed move is illegal, or None if it is legal."""
    move = parse(text)
    reason = why_no_pass(state, player, move) if isinstance(move, int) else why_no_play(state, player, move)
    return IllegalMove(text, *reason) if reason else None


def why_no_pass(state: Snapshot, player: int, points: int) -> tuple[str, str] | None:
    bank = state.bank[player]
    if is_open(state) and state.options.leader_pass == NEVER and state.hands[player].length:
        return "as the leader, you must play a card while you have any", "CHIP-44"
    if points > bank:
        return f"there {'is' if bank == 1 else 'are'} only {count_of(bank, 'point')} in your bank", "CHIP-40"
    if is_open(state) and points == 0:
        return "there is nothing to beat, so you must give back at least one point to pass", "CHIP-45"
    return None


def why_no_play(state: Snapshot, player: int, play: Play) -> tuple[str, str] | None:
    held = Counter(state.hands[player].held)
    for kind, count in Counter(play.kinds).items():
        if held[kind] < count:
            have = f"there is only one {CODES[kind]}" if held[kind] else f"there is no {CODES[kind]}"
            return f"{have} in your hand", "CHIP-20"
    if not is_open(state) and len(play.kinds) != state.top.count:
        return f"the play to beat has {count_of(state.top.count, 'card')}", "CHIP-22"
    for kind in play.kinds:
        if cost(kind, play.value) is None:
            return unreachable(kind, play.value)
    if not is_open(state) and play.value <= state.top.value:
        return f"the value must be higher than {state.top.value}", "CHIP-22"
    if play.value > highest_value(state):
        return f"no value above {highest_value(state)} is allowed at this table", "CHIP-29"
    if play.price > state.pool:
        return f"it takes {count_of(play.price, 'point')}, and the pool holds {state.pool}", "CHIP-27"
    if state.options.raise_ == LOWEST_RAISE:
        return "at this table, cards may be raised only to the lowest legal value", "CHIP-28"
    return None
