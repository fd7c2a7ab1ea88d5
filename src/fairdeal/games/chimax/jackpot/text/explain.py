"""CHIMAX JACKPOT: the reasons why moves are illegal, with clauses."""

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chimax.jackpot.rules.lines import has_line
from fairdeal.games.chimax.jackpot.rules.play import may_hold
from fairdeal.games.chimax.jackpot.state import ACROSS, ACTIONS, CLAIMING, DECLARING, REEL
from fairdeal.games.chimax.jackpot.text.notation import LINE_NAMES
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER
from fairdeal.games.chimax.text.words import Reason, layer_reason

NEIGHBOURS = "a Book is three of a kind, or three neighbours in ½ 1 2 3 5 10 15 25 50 100 0 ? ∞"

NOW = {
    DEALING: ("start the next deal first, with `deal`", "GEN-15"),
    CUTTING: ("cut the pack first, with `cut` and a place", "TOUR-02"),
    REEL: ("flip or hold this reel", "JACK-03"),
    DECLARING: ("first declare the face of the ?", "JACK-06"),
    CLAIMING: ("the spin is over: claim a Book, or `done`", "JACK-08"),
    OVER: ("the game is over", "JACK-11"),
}
"""The reason why other actions are illegal, by phase: the action that is due, and its clause."""

PHASE_OF = {"flip": REEL, "hold": REEL, "stand_for": DECLARING, "claim": CLAIMING, "done": CLAIMING}
"""The phase of each of the game's own verbs."""


def why_not(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action is illegal, with its clause, or None if it is legal."""
    return layer_reason(state, player, action) or own_reason(state, action)


def own_reason(state: Snapshot, action: int) -> Reason | None:
    """Return the reason why one of the game's own actions is illegal now, or None if it is legal."""
    verb, which = ACTIONS.decode(action)
    if PHASE_OF[verb] != state.phase:
        return NOW[state.phase]
    if verb == "hold" and not may_hold(state):
        return why_not_hold(state)
    if verb == "stand_for":
        return "at this table, a ? can only stand for 15, 25, 50 or 100", "JACK-06"
    return why_no_book(state, which) if verb == "claim" else None


def why_not_hold(state: Snapshot) -> Reason:
    if not state.columns[state.reel].length:
        return "you cannot hold an empty column: flip a card", "JACK-04"
    return "you must flip at least one card per spin, and this is the last reel to flip", "JACK-04"


def why_no_book(state: Snapshot, line: int) -> Reason:
    if has_line(state, line):
        return NEIGHBOURS if state.options.run_order else f"{NEIGHBOURS}, in ascending or descending order", "JACK-07"
    if line == ACROSS:
        return "a column is empty", "JACK-08"
    return f"the {LINE_NAMES[line]} column has fewer than three cards", "JACK-08"


def tapped(state: Snapshot, viewer: int, picks: object, zone: Zone, card: Card) -> str | Reason:
    """Return the reason why the player cannot choose a card, or the name of a refusal in `clauses.toml`."""
    if state.phase == CLAIMING:
        return "claim"
    if state.phase != REEL:
        return NOW[state.phase]
    if zone.id.startswith("stock"):
        return "pile"
    return "hold" if may_hold(state) else why_not_hold(state)
