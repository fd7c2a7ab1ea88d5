"""My Game in words: moves, positions, reasons and events."""

from collections.abc import Sequence

from fairdeal.engine import written
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Deciding, Event, Played, Scored, Won
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice, count_of

from .rules import ACTIONS, CARDS, HAND, SEATS, options

CODES = tuple(f"c{number}" for number in range(1, CARDS + 1))
"""The codes of the cards."""

NUMBERS = {code: str(number) for number, code in enumerate(CODES, 1)}
TEXTS = Texts(ACTIONS, play=("play {}", CODES))

DECK = written.Cards(CODES, [1] * CARDS, "c1, c2 and so on", "MINE-01")

POSITION = written.Position(
    DECK,
    options,
    SEATS,
    start=written.Seat(at="match.first"),
    over=written.Flag(at="over"),
    turn=written.Seat("who is to play"),
    hands=written.Hands(room=HAND, zone="hand{}"),
    played=written.Places("the card in front of each seat"),
    used=written.Owners("by card, who has played it in a finished trick"),
    won=written.Numbers("tricks", highest=HAND, counter="trick"),
)
"""The state of a game: its record, its form in JSON, and what observations show."""

HAS_CARD = written.Condition(
    "turn",
    "this seat has no card to play [MINE-10]",
    lambda state: not state.over and not may_play(state),
)
IN_ORDER = written.Condition(
    "played",
    "the seats before the one on turn play first [MINE-10]",
    lambda state: not state.over and is_out_of_order(state),
)
EQUAL_HANDS = written.Condition(
    "hands",
    "all players need the same number of cards in this trick [MINE-01]",
    lambda state: not state.over and len({cards_of(state, seat) for seat in range(state.players)}) > 1,
)
CONDITIONS = (HAS_CARD, IN_ORDER, EQUAL_HANDS)
"""The conditions of every state."""


def may_play(state: Snapshot) -> bool:
    """Return whether the seat on turn has a card to play."""
    return bool(state.played[state.turn] == EMPTY and state.hands[state.turn].length)


def is_out_of_order(state: Snapshot) -> bool:
    """Return whether a seat has played after one that still has to."""
    left = [state.played[(state.turn + place) % state.players] == EMPTY for place in range(state.players)]
    return left != sorted(left, reverse=True)


def cards_of(state: Snapshot, seat: int) -> int:
    """Return the number of cards that a seat has in this trick."""
    return int(state.hands[seat].length + (state.played[seat] != EMPTY))


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that is not an action."""
    return TEXTS.unknown(text, f"`play {CODES[0]}`")


def why_not(state: Snapshot, player: int, action: int) -> tuple[str, str] | None:
    """Return the reason why an action is not legal, with the clause, or None if it is legal."""
    return None if action in state.hands[player].held else ("this card is not in your hand", "MINE-10")


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot."""
    return "It takes the trick so far." if actions[0] > max(state.played) else "It cannot be beaten, so the least goes."


# What a move did: a kind of event for each thing that can happen, and `happened`, which makes them.


class PlayedCard(Played):
    """MINE-10: a card played face up."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence, such as `You play 7.`"""
        return f"{voice.does(self.seat, 'play')} {NUMBERS[self.cards[0]]}."


class TookTrick(Scored):
    """MINE-11: a trick taken by the highest card."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence, such as `Bo takes the trick.`"""
        return f"{voice.does(self.seat, 'take')} the trick."


class WonByMost(Won):
    """MINE-20: the highest score has won. Seats with equal scores share the win.

    thing  thing that scores count, such as `book`
    """

    thing: str = "point"

    @property
    def seats(self) -> tuple[int, ...]:
        return self.best

    def deciding(self) -> Deciding:
        return Deciding(self.best, (self.thing,))

    def text(self, voice: Voice) -> str:
        things = count_of(max(self.scores), self.thing)
        if len(self.seats) == 1:
            return f"{voice.does(self.seats[0], 'win')} with {things}."
        return f"{voice.several_titled(self.seats)} share the win with {things} each."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by the automatic effects of the rules."""
    found: list[Event] = [PlayedCard(player, (CODES[actions[0]],))]
    return [*found, *tricks(before, after), *ended(after)]


def tricks(before: Snapshot, after: Snapshot) -> list[Event]:
    """Return the event of the trick that a move has ended, if any."""
    seats = [seat for seat in range(after.players) if after.won[seat] > before.won[seat]]
    return [TookTrick(seat, 1, clauses=("MINE-11",)) for seat in seats]


def ended(state: Snapshot) -> list[WonByMost]:
    """Return the event of the end of the game if it is over."""
    scores = tuple(state.won[: state.players])
    return [WonByMost(scores, "trick", clauses=("MINE-20",))] if state.over else []
