"""CHIMAX BOOKS: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import HOUSE, Record
from fairdeal.engine.scene import Line, Voice
from fairdeal.games.chimax.books.prompts import result
from fairdeal.games.chimax.books.state import CHOOSE, CLOCK, DECLARING, EXPOSE, PLAY, SLOTS
from fairdeal.games.chimax.cards import CODES, DECLARABLE, name_of
from fairdeal.games.chimax.deck import DECLARED, FIFTEEN, QUESTION
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, OWN, PLAYOFF
from fairdeal.games.chimax.words import shared_lines, tap_lines, tie_lines

RUNNING = (PLAY, CHOOSE, DECLARING)


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    if player == HOUSE:
        lines = event_lines(before, after, action, voice)
    elif action < OWN:
        lines = shared_lines(before, after, player, action, voice)
    else:
        lines = played_lines(before, after, player, voice)
    lines += book_lines(before, after, voice)
    lines += round_lines(before, after, voice)
    lines += tie_lines(before, after, voice)
    if int(after.phase) == OVER:
        ended = result(after, voice)
        lines.append(Line(f"{ended.text} {ended.why}".strip() if ended else "", ("BOOKS-28",)))
    return lines


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


def event_lines(before: Record, after: Record, action: int, voice: Voice) -> list[Line]:
    """TOUR-05, BOOKS-30: what the house brought about."""
    if action == CLOCK:
        return clock_lines(before, after, voice)
    seat, slot = (action - EXPOSE) // SLOTS, (action - EXPOSE) % SLOTS
    card = int(after.hands[seat].cards[slot])
    lines = [
        Line(f"Oops: {voice.of(seat)} card in slot {slot + 1} is laid open. It is {name_of(card)}.", ("BOOKS-30",))
    ]
    if int(after.phase) == DEALING:
        lines.append(Line("Nothing was played yet, so the deal is redone.", ("BOOKS-30",)))
    return lines


def clock_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """TOUR-05: time is over; what was played out by the engine."""
    if int(before.phase) == CUTTING or int(after.phase) == PLAYOFF == int(before.phase):
        return [Line("Time is up: the pack is cut for the sleeper.", ("TOUR-05",))]
    lines = [Line("Time is up.", ("TOUR-05",))]
    if is_taken(before, after) or int(before.phase) == PLAYOFF:
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
    if int(before.phase) not in RUNNING or not scored:
        return []
    told = ", ".join(f"{voice.name(seat)} {points:+d}" for seat, points in enumerate(points_of(after)))
    totals = ", ".join(str(total) for total in after.match.totals.tolist()[: int(after.players)])
    return [
        Line(f"Round {int(before.match.game)} is scored: {told}. Totals {totals}.", ("BOOKS-23", "BOOKS-27")),
    ]


def points_of(state: Record) -> list[int]:
    return [int(points) for points in state.round_scores.tolist()[: int(state.players)]]
