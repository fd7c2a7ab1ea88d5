"""CHIMAX BOOKS: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Voice
from fairdeal.games.chimax.books.state import ACTIONS, CHOOSE, DECLARING, SLOTS
from fairdeal.games.chimax.books.text.prompts import won
from fairdeal.games.chimax.books.text.rounds import count_round
from fairdeal.games.chimax.cards import CODES, FACE_CODES, FACE_OF, NAMES
from fairdeal.games.chimax.deck import DECLARED, QUESTION
from fairdeal.games.chimax.events import Declared, TimeUp, closing_events, move_events, tapped
from fairdeal.games.chimax.state import DEALING, OWN_PHASE


class Played(events.Played):
    """BOOKS-10, 17: the play of a card. `bare` is True for a question mark if no value is free."""

    bare: bool = False

    def sentence(self, voice: Voice) -> str:
        stays = ": no value is free, so it stays a mere ?" if self.bare else ""
        return f"{voice.does(self.seat, 'play')} {NAMES[self.cards[0]]}{stays}."


class Chose(events.Act):
    """BOOKS-11: the choice of a card that the other seats cannot see yet."""

    words = "You choose a card."


class AllTurnedUp(Event):
    """BOOKS-11: the reveal of all cards, after the last one has been chosen."""

    words = "All cards are turned up."


class Exposed(events.Revealed):
    """BOOKS-30: a card of a hand that was exposed by accident."""

    def sentence(self, voice: Voice) -> str:
        return f"Oops: a card of {voice.of(self.seat)} hand is laid open. It is {NAMES[self.cards[0]]}."


class DealRedone(Event):
    """BOOKS-30: a new deal, after an accident before the first card of a round."""

    words = "Nothing was played yet, so the deal is redone."


class WithKind(events.WithCards):
    """An event with a card that may be a declared question mark."""

    @property
    def shown(self) -> tuple[str, ...]:
        return (FACE_OF[self.cards[0]],)


class PlayedByHouse(WithKind):
    """TOUR-05: a card that the house plays to finish a Book."""

    def sentence(self, voice: Voice) -> str:
        return f"{self.cards[0]} is turned up for {voice.name(self.seat)}."


class TookBook(WithKind):
    """BOOKS-12, 13: a Book won by its highest card."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'take')} the Book with {NAMES[self.cards[0]]}."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by its automatic consequences."""
    found = move_events(before, after, player, actions[0], acted)
    if before.phase >= OWN_PHASE and is_taken(before, after):
        winner = after.taken.winner
        found.append(TookBook(winner, (CODES[open_cards(after)[winner]],), clauses=("BOOKS-12", "BOOKS-13")))
    return [*found, *count_round(before, after), *closing_events(before, after, won)]


def acted(before: Snapshot, after: Snapshot, player: int, action: int) -> Iterator[Event]:
    """Yield the events of the move itself, except those of the tournament layer."""
    match ACTIONS.decode(action):
        case "clock", _:
            yield TimeUp(clauses=("TOUR-05",))
            if is_taken(before, after):
                yield from played_by_house(before, after)
        case "expose", place:
            seat, slot = divmod(place, SLOTS)
            yield Exposed(seat, (CODES[after.hands[seat].cards[slot]],), clauses=("BOOKS-30",))
            if after.phase == DEALING:
                yield DealRedone(clauses=("BOOKS-30",))
        case (("slot" | "face" | "top"), _):
            yield from played(before, after, player)


def open_cards(state: Snapshot) -> dict[int, int]:
    """Return the cards of the visible Book by seat. It is the one in play, or else the one just won."""
    pile = state.book if state.book.length else state.taken
    return dict(zip(pile.seats, pile.held, strict=False))


def is_taken(before: Snapshot, after: Snapshot) -> bool:
    """Return whether the move won a Book. If so, the previous Book has been put away."""
    return bool(after.taken.length and not before.taken.length)


def played(before: Snapshot, after: Snapshot, player: int) -> Iterator[Event]:
    """Yield the card played, or all cards revealed together (BOOKS-10, 11)."""
    cards = open_cards(after)
    if before.phase != CHOOSE:
        cards = {player: cards[player]}
    elif not cards:
        yield Chose(player)
    else:
        yield AllTurnedUp(clauses=("BOOKS-11",))
    for seat, card in cards.items():
        bare = card == QUESTION and after.phase != DECLARING
        yield Played(seat, (CODES[card],), bare, clauses=("BOOKS-17",) if bare else ())


def played_by_house(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    """Yield the cards and declarations by which the house finishes a Book (TOUR-05)."""
    known = open_cards(before) if before.book.length else {}
    for seat, card in open_cards(after).items():
        if seat in known and card != known[seat] and card >= DECLARED:
            yield Declared(seat, FACE_CODES[card - DECLARED], by_house=True, clauses=("TOUR-05",))
        elif card != known.get(seat):
            yield PlayedByHouse(seat, (CODES[card],), clauses=("TOUR-05",))
    yield from tapped(before, after)
