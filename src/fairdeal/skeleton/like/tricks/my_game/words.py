"""My Game in words: moves, positions, reasons and events."""

from collections.abc import Sequence

from fairdeal.engine import written
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record

from .rules import CARDS, HAND, RANKS, can_follow, led_suit, winning

SUITS = ("clubs", "diamonds", "hearts", "spades")
CODES = tuple(f"{suit[0]}{rank}" for suit in SUITS for rank in range(1, RANKS + 1))
"""The codes of the cards."""

NUMBERS = {code: f"{code[1]} of {SUITS[number // RANKS]}" for number, code in enumerate(CODES)}

POSITION = written.Position(
    written.Cards(CODES, [1] * CARDS, "c1, d4 and so on", "MINE-01"),
    turn=written.Seat("who is to play"),
    leader=written.Seat("who has led, or will lead"),
    played=written.Places("the card in front of each seat"),
    used=written.Owners("by card, who has played it in a finished trick"),
    hands=written.Hands(most=HAND),
    won=written.Numbers("tricks", highest=HAND),
)


def check_position(state: Record) -> None:
    """Check that the game can continue from a position. Raises BadPosition if it cannot."""
    if state.over:
        return
    if state.played[state.turn] != EMPTY or not state.hands[state.turn].length:
        raise BadPosition("turn", state.turn, "this seat has no card to play [MINE-10]")
    if any(card != EMPTY for card in state.played) != (state.played[state.leader] != EMPTY):
        raise BadPosition("leader", state.leader, "the seat that leads must play first [MINE-10]")
    if len({state.hands[seat].length + (state.played[seat] != EMPTY) for seat in range(state.players)}) > 1:
        raise BadPosition("hands", "", "all players need the same number of cards in this trick [MINE-01]")


def why_not(state: Snapshot, player: int, action: int) -> tuple[str, str] | None:
    """Return the reason why an action is not legal, with the clause, or None if it is legal."""
    if action not in state.hands[player].held:
        return "this card is not in your hand", "MINE-10"
    if can_follow(state, player) and action // RANKS != led_suit(state):
        return f"follow suit: you have {SUITS[led_suit(state)]}", "MINE-10"
    return None


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot."""
    led, card = led_suit(state), actions[0]
    if led < 0:
        return "A low card to begin with."
    takes = card // RANKS == led and card > state.played[winning(state)]
    return "It takes the trick so far." if takes else "It cannot win, so the lowest goes."
