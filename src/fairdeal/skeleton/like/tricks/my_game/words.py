"""My Game in words: moves, positions, reasons and events."""

from collections.abc import Sequence

from fairdeal.engine import written
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.skeleton.my_game.rules import SEATS, options
from fairdeal.skeleton.my_game.words import EQUAL_HANDS, HAS_CARD, IN_ORDER

from .rules import CARDS, HAND, RANKS, can_follow, led_suit, winning

SUITS = ("clubs", "diamonds", "hearts", "spades")
CODES = tuple(f"{suit[0]}{rank}" for suit in SUITS for rank in range(1, RANKS + 1))
"""The codes of the cards."""

NUMBERS = {code: f"{code[1]} of {SUITS[number // RANKS]}" for number, code in enumerate(CODES)}

DECK = written.Cards(CODES, [1] * CARDS, "c1, d4 and so on", "MINE-01")

POSITION = written.Position(
    DECK,
    options,
    SEATS,
    start=written.Seat(at="match.first"),
    over=written.Flag(at="over"),
    turn=written.Seat("who is to play"),
    leader=written.Seat("who has led, or will lead"),
    hands=written.Hands(room=HAND, zone="hand{}"),
    played=written.Places("the card in front of each seat"),
    used=written.Owners("by card, who has played it in a finished trick"),
    won=written.Numbers("tricks", highest=HAND, counter="trick"),
)
"""The state of a game: its record, its form in JSON, and what observations show."""

LEADER_FIRST = written.Condition(
    "leader",
    "the seat that leads must play first [MINE-10]",
    lambda state: any(card != EMPTY for card in state.played) != (state.played[state.leader] != EMPTY),
)
CONDITIONS = (HAS_CARD, LEADER_FIRST, IN_ORDER, EQUAL_HANDS)
"""The conditions of every state."""


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
