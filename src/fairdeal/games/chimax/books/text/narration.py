"""CHIMAX BOOKS: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.scene import Line, Voice
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.books.state import ACTIONS, CHOOSE, DECLARING, SLOTS
from fairdeal.games.chimax.books.text.prompts import result
from fairdeal.games.chimax.books.text.rounds import is_scored
from fairdeal.games.chimax.cards import CODES, DECLARABLE, name_of
from fairdeal.games.chimax.deck import DECLARED, FIFTEEN, QUESTION
from fairdeal.games.chimax.state import DEALING, OWN_PHASE
from fairdeal.games.chimax.text.words import closing_lines, shared_lines, tap_lines


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    lines = shared_lines(before, after, player, actions[0], voice)
    if before.phase >= OWN_PHASE:
        lines += own_lines(before, after, player, actions[0], voice)
        lines += book_lines(before, after, voice) + round_lines(before, after, voice)
    return lines + closing_lines(before, after, result(after, voice), voice, "BOOKS-28")


def own_lines(before: Snapshot, after: Snapshot, player: int, action: int, voice: Voice) -> list[Line]:
    match ACTIONS.decode(action):
        case "clock", _:
            return clock_lines(before, after, voice)
        case "expose", place:
            return exposed_lines(after, *divmod(place, SLOTS), voice)
        case (("slot" | "face" | "top"), _):
            return played_lines(before, after, player, voice)
    return []


def shown(state: Snapshot) -> dict[int, int]:
    """The cards of the Book that lies open, by seat: the one under way, else the one just won."""
    pile = state.book if state.book.length else state.taken
    return dict(zip(pile.seats, pile.held, strict=False))


def is_taken(before: Snapshot, after: Snapshot) -> bool:
    """Was a Book won? The one before it is put away by then."""
    return bool(after.taken.length and not before.taken.length)


def played_lines(before: Snapshot, after: Snapshot, player: int, voice: Voice) -> list[Line]:
    """BOOKS-10, 11: one card, or all that were committed. BOOKS-17: a question mark may stay bare."""
    cards = shown(after)
    if before.phase != CHOOSE:
        cards, lines = {player: cards[player]}, []
    elif not cards:
        return [Line(f"{voice.does(player, 'choose')} a card.")]
    else:
        lines = [Line("All cards are turned up.", ("BOOKS-11",))]
    for seat, card in cards.items():
        told = f"{voice.does(seat, 'play')} {name_of(card)}"
        if card == QUESTION and after.phase != DECLARING:
            lines.append(Line(f"{told}: no value is free, so it stays a mere ?.", ("BOOKS-17",)))
        else:
            lines.append(Line(f"{told}."))
    return lines


def exposed_lines(after: Snapshot, seat: int, slot: int, voice: Voice) -> list[Line]:
    """BOOKS-30: a card is laid open by accident."""
    card = name_of(after.hands[seat].cards[slot])
    told = f"Oops: a card of {voice.of(seat)} hand is laid open. It is {card}."
    redone = Line("Nothing was played yet, so the deal is redone.", ("BOOKS-30",))
    return [Line(told, ("BOOKS-30",)), *[redone] * (after.phase == DEALING)]


def clock_lines(before: Snapshot, after: Snapshot, voice: Voice) -> list[Line]:
    """TOUR-05: time is over; what was played out by the engine."""
    lines = [Line("Time is up.", ("TOUR-05",))]
    if not is_taken(before, after):
        return lines
    known = shown(before) if before.book.length else {}
    for seat, card in shown(after).items():
        if seat in known and card != known[seat] and card >= DECLARED:
            value = DECLARABLE[card - DECLARED - FIFTEEN]
            lines.append(Line(f"{voice.title_of(seat)} ? counts as {value}.", ("TOUR-05",)))
        elif card != known.get(seat):
            lines.append(Line(f"{CODES[card]} is turned up for {voice.name(seat)}.", ("TOUR-05",)))
    return lines + tap_lines(before, after, voice)


def book_lines(before: Snapshot, after: Snapshot, voice: Voice) -> list[Line]:
    """BOOKS-12, 13: who takes the Book."""
    if not is_taken(before, after):
        return []
    winner = after.taken.winner
    card = name_of(shown(after)[winner])
    return [Line(f"{voice.does(winner, 'take')} the Book with {card}.", ("BOOKS-12", "BOOKS-13"))]


def round_lines(before: Snapshot, after: Snapshot, voice: Voice) -> list[Line]:
    """BOOKS-27: what a round gave."""
    number, players = before.match.game, after.players
    if not is_scored(before, after):
        return []
    told = ", ".join(f"{voice.name(seat)} {points:+d}" for seat, points in enumerate(after.round_scores[:players]))
    totals = ", ".join(str(total) for total in after.match.totals[:players])
    return [Line(f"Round {number} is scored: {told}. Totals {totals}.", ("BOOKS-23", "BOOKS-27"))]
