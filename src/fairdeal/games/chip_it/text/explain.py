"""CHIP IT: the reasons why moves are illegal, with clauses."""

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import count_of
from fairdeal.games.chip_it.cards import CODES, cost
from fairdeal.games.chip_it.rules.legal import highest_value, is_open, legal_first_cards
from fairdeal.games.chip_it.state import ACTIONS, FIRST_CARD, LOWEST_RAISE, NEVER
from fairdeal.games.chip_it.text.notation import Play, played, unreachable

Reason = tuple[str, str]


def explain(state: Snapshot, player: int, actions: Sequence[int]) -> Reason | None:
    """Return the reason why a move is illegal, with the clause, or None if no reason is found."""
    verbs = [ACTIONS.decode(action).verb for action in actions]
    if verbs[0] == "pass":
        return why_no_pass(state, player, actions[0])
    if verbs[0] != "card":
        return "a play begins with a card", "CHIP-20"
    if len(verbs) == 1:
        return why_no_first_card(state, player, ACTIONS.decode(actions[0]).which)
    if verbs[1] != "points":
        return "the points on the first card follow it", "CHIP-27"
    play = played(actions)
    return why_no_play(state, player, play) if play else None


def why_no_pass(state: Snapshot, player: int, points: int) -> Reason | None:
    bank = state.bank[player]
    if is_open(state) and state.options.leader_pass == NEVER and state.hands[player].length:
        return "as the leader, you must play a card while you have any", "CHIP-44"
    if points > bank:
        return f"there {'is' if bank == 1 else 'are'} only {count_of(bank, 'point')} in your bank", "CHIP-40"
    if is_open(state) and points == 0:
        return "there is nothing to beat, so you must give back at least one point to pass", "CHIP-45"
    return None


def why_no_first_card(state: Snapshot, player: int, kind: int) -> Reason | None:
    found = [0] * len(ACTIONS)
    if kind not in state.hands[player].held:
        return f"there is no {CODES[kind]} in your hand", "CHIP-20"
    if FIRST_CARD + kind in found[: legal_first_cards(state, player, found, 0)]:
        return None
    return f"no play that begins with {CODES[kind]} is higher", "CHIP-22"


def why_no_play(state: Snapshot, player: int, play: Play) -> Reason | None:
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
