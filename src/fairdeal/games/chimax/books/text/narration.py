"""CHIMAX BOOKS: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Line, Voice
from fairdeal.games.chimax.books.state import CHOOSE, DECLARING, EXPOSE, SLOTS
from fairdeal.games.chimax.books.text.prompts import result
from fairdeal.games.chimax.cards import CODES, DECLARABLE, name_of
from fairdeal.games.chimax.deck import DECLARED, FIFTEEN, QUESTION
from fairdeal.games.chimax.state import CLOCK, DEALING, OVER, OWN, OWN_PHASE, PLAYOFF
from fairdeal.games.chimax.text.words import closing_lines, shared_lines, tap_lines


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if int(before.phase) >= OWN_PHASE:
        lines += own_lines(before, after, player, action, voice)
        lines += book_lines(before, after, voice) + round_lines(before, after, voice)
    return lines + closing_lines(before, after, result(after, voice), voice, "BOOKS-28")


def own_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    if action == CLOCK:
        return clock_lines(before, after, voice)
    if action >= EXPOSE:
        return exposed_lines(after, action - EXPOSE, voice)
    return played_lines(before, after, player, voice) if action >= OWN else []


def shown(state: Record) -> dict[int, int]:
    """The cards of the Book that lies open, by seat: the one under way, else the one just won."""
    pile = state.book if int(state.book.length) else state.taken
    return dict(zip(pile.seats.tolist(), pile.cards.tolist()[: int(pile.length)], strict=False))


def is_taken(before: Record, after: Record) -> bool:
    """Was a Book won? The one before it is put away by then."""
    return bool(int(after.taken.length) and not int(before.taken.length))


def played_lines(before: Record, after: Record, player: int, voice: Voice) -> list[Line]:
    """BOOKS-10, 11: one card, or all that were committed."""
    cards = shown(after)
    if int(before.phase) != CHOOSE:
        return [card_line(player, cards[player], voice, bare_is_final=int(after.phase) != DECLARING)]
    if not cards:
        return [Line(f"{voice.does(player, 'choose')} a card.")]
    final = int(after.phase) != DECLARING
    opening = Line("All cards are turned up.", ("BOOKS-11",))
    return [opening, *(card_line(seat, card, voice, bare_is_final=final) for seat, card in cards.items())]


def card_line(seat: int, card: int, voice: Voice, bare_is_final: bool) -> Line:
    told = f"{voice.does(seat, 'play')} {name_of(card)}"
    if card == QUESTION and bare_is_final:
        return Line(f"{told}: no value is free, so it stays a mere ?.", ("BOOKS-17",))
    return Line(f"{told}.")


def exposed_lines(after: Record, number: int, voice: Voice) -> list[Line]:
    """BOOKS-30: a card is laid open by accident."""
    seat, slot = divmod(number, SLOTS)
    card = int(after.hands[seat].cards[slot])
    lines = [
        Line(f"Oops: {voice.of(seat)} card in slot {slot + 1} is laid open. It is {name_of(card)}.", ("BOOKS-30",))
    ]
    if int(after.phase) == DEALING:
        lines.append(Line("Nothing was played yet, so the deal is redone.", ("BOOKS-30",)))
    return lines


def clock_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """TOUR-05: time is over; what was played out by the engine."""
    lines = [Line("Time is up.", ("TOUR-05",))]
    if is_taken(before, after):
        known = shown(before) if int(before.book.length) else {}
        for seat, card in shown(after).items():
            if known.get(seat) != card:
                lines.append(played_out_line(seat, card, seat in known, voice))
        lines += tap_lines(before, after, voice)
    return lines


def played_out_line(seat: int, card: int, was_there: bool, voice: Voice) -> Line:
    if was_there and card >= DECLARED:
        value = DECLARABLE[card - DECLARED - FIFTEEN]
        return Line(f"{voice.of(seat).capitalize()} ? counts as {value}.", ("TOUR-05",))
    return Line(f"{CODES[card]} is turned up for {voice.name(seat)}.", ("TOUR-05",))


def book_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """BOOKS-12, 13: who takes the Book."""
    if not is_taken(before, after):
        return []
    winner = int(after.taken.winner)
    card = name_of(shown(after)[winner])
    return [Line(f"{voice.does(winner, 'take')} the Book with {card}.", ("BOOKS-12", "BOOKS-13"))]


def round_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """BOOKS-27: what a round gave."""
    scored = int(after.phase) in (PLAYOFF, OVER) or int(after.match.game) > int(before.match.game)
    if not scored:
        return []
    told = ", ".join(f"{voice.name(seat)} {points:+d}" for seat, points in enumerate(points_of(after)))
    totals = ", ".join(str(total) for total in after.match.totals.tolist()[: int(after.players)])
    return [
        Line(f"Round {int(before.match.game)} is scored: {told}. Totals {totals}.", ("BOOKS-23", "BOOKS-27")),
    ]


def points_of(state: Record) -> list[int]:
    return [int(points) for points in state.round_scores.tolist()[: int(state.players)]]
