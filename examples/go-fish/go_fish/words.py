"""Go Fish in words: moves, positions, reasons and events."""

from collections.abc import Sequence

from fairdeal.engine import written
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Deciding, Drew, Event, Lost, Played, WithOther, Won
from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Voice, count_of

from .rules import CARDS, DECK, FISHED, GAVE, LUCKY, MOST_IN_HAND, OF_A_RANK, RANKS, SEATS, options

CODES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
"""The codes of the ranks."""

PLURALS = {code: code + ("es" if code == "six" else "s") for code in CODES}

POSITION = written.Position(
    written.Cards(CODES, DECK, "ace, two to ten, jack, queen, king", "FISH-01"),
    options,
    SEATS,
    start=written.Seat(at="match.first"),
    over=written.Flag(at="over"),
    turn=written.Seat("who asks"),
    turn_no=written.Number(lowest=1, highest="turn_limit"),
    last=written.Word("what the last question led to: gave, fished, lucky", names=("gave", "fished", "lucky")),
    hands=written.Hands(room=MOST_IN_HAND, most=MOST_IN_HAND - 1),
    known=written.Known("by rank, the cards that all know to be in a hand", clause="FISH-40"),
    deck=written.Deck(room=CARDS),
    books=written.Owners("by rank, who has laid the book"),
)

CONDITIONS = (
    written.Condition(
        "hands[{}]",
        "four cards of a rank are laid at once [FISH-20]",
        lambda state, seat: any(state.hands[seat].held.count(rank) == OF_A_RANK for rank in range(RANKS)),
    ),
    written.Condition(
        "turn",
        "the seat on turn has a card [FISH-21]",
        lambda state: not state.over and not state.hands[state.turn].length,
    ),
)
"""The conditions of every state."""


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return a question as text: `ask 2 queen`."""
    return f"ask {rival(state, player, actions[0] // RANKS)} {CODES[actions[0] % RANKS]}"


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the action of a question. Raises IllegalMove."""
    for action in range((state.players - 1) * RANKS):
        if write_move(state, player, [action]) == text:
            return [action]
    form = f"write `ask 1 seven`: another of the seats 0 to {state.players - 1}, and one of {', '.join(CODES)}"
    raise IllegalMove(text, form, "FISH-10")


def why_not(state: Snapshot, player: int, action: int) -> tuple[str, str] | None:
    """Return the reason why a question is not legal, with the clause, or None if it is legal."""
    rank = action % RANKS
    return None if rank in state.hands[player].held else (f"you have no {CODES[rank]} yourself", "FISH-10")


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a question of the greedy bot."""
    seat, rank = rival(state, player, actions[0] // RANKS), actions[0] % RANKS
    if rank in state.hands[seat].held:
        return f"They have shown {PLURALS[CODES[rank]]}."
    return f"{count_of(state.hands[player].held.count(rank), 'card')} of that book in hand already."


class Asked(WithOther):
    """FISH-10: a question for a rank, from one seat to another."""

    rank: str

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'ask')} {voice.name(self.other)} for {PLURALS[self.rank]}."


class Gave(Lost):
    """FISH-11: all cards of the requested rank, given to the seat that asked."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'give')} {len(self.cards)}."


class WentFishing(Event):
    """FISH-12: a card of another rank drawn from the pool, or no card if the pool is `empty`."""

    empty: bool

    def sentence(self, voice: Voice) -> str:
        return "Go fish! But the pool is empty." if self.empty else "Go fish!"


class Lucky(Drew):
    """FISH-13: a card of the requested rank drawn from the pool."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'fish', 'fishes')} one!"


class Laid(Played):
    """FISH-20: a book laid on the table."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'lay')} the book of {PLURALS[self.cards[0]]}."


class WonByMost(Won):
    """FISH-30: the highest score has won. Seats with equal scores share the win.

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
    """Return the events of a move: the question, the answer, and their consequences."""
    seat, rank = rival(before, player, actions[0] // RANKS), CODES[actions[0] % RANKS]
    found: list[Event] = [Asked(player, seat, rank)]
    if after.last == GAVE:
        given = before.hands[seat].length - after.hands[seat].length
        found.append(Gave(seat, (rank,) * given, clauses=("FISH-11",)))
    elif after.last == LUCKY:
        found.append(Lucky(player, (rank,), clauses=("FISH-13",)))
    elif after.last == FISHED:
        found.append(WentFishing(not before.deck.length, clauses=("FISH-12",)))
    new = [rank for rank in range(RANKS) if after.books[rank] and not before.books[rank]]
    laid = [Laid(after.books[rank] - 1, (CODES[rank],) * OF_A_RANK, clauses=("FISH-20",)) for rank in new]
    return [*found, *laid, *ended(after)]


def ended(state: Snapshot) -> list[WonByMost]:
    """Return the event of the end of the game if it is over."""
    scores = tuple([state.books.count(seat + 1) for seat in range(state.players)])
    return [WonByMost(scores, "book", clauses=("FISH-30",))] if state.over else []
