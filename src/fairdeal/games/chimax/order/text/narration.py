"""CHIMAX ORDER: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.piles import find
from fairdeal.engine.records import NOBODY, Record
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import HALF
from fairdeal.games.chimax.order.rules import board_of, how_far
from fairdeal.games.chimax.order.state import EITHER, FLIP, FLIPPING, RACE, RESTART
from fairdeal.games.chimax.order.text.prompts import is_complete, result, wanted
from fairdeal.games.chimax.state import CLOCK
from fairdeal.games.chimax.text.words import closing_lines, shared_lines


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if int(before.phase) == FLIPPING:
        lines = own_lines(before, after, player, action, voice)
    deciding = "TOUR-06" if int(after.tied) else "ORDER-10"
    return lines + closing_lines(before, after, result(after, voice), voice, deciding)


def own_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    if action == CLOCK:
        return [Line("Time is up: what is in order counts.", ("TOUR-05",))]
    lines = flip_lines(before, after, player, action - FLIP, voice)
    if is_complete(after):
        lines.append(Line(f"{voice.does(player, 'call')} “CHIMAX ORDER!”", ("ORDER-11",)))
    elif int(after.phase) != FLIPPING:
        lines.append(Line("Nothing new has come up for too long, and nothing is left to see.", ("MEM-07",)))
    return lines


def flip_lines(before: Record, after: Record, player: int, place: int, voice: Voice) -> list[Line]:
    """ORDER-06 to 09: right or wrong."""
    if int(after.missed.seat) == NOBODY:
        return right_lines(before, after, player, place, voice)
    card = name_of(int(after.missed.card))
    again = find(before.boards[board_of(before, player)].seen, place) >= 0
    what = f"place {place + 1} again: still {card}" if again else f"place {place + 1}: {card}"
    lines = [Line(f"{voice.does(player, 'turn')} up {what}, not {wanted(before, player)}.", ("ORDER-07",))]
    lost = int(how_far(before, player))
    if int(before.options.on_miss) == RESTART and lost:
        lines.append(Line(f"The run is lost: {count_of(lost, 'card')} under cover again.", ("ORDER-09",)))
    elif int(before.options.board) == RACE and int(before.boards[0].open.length):
        lines.append(Line("The cards found go back; the place is kept.", ("ORDER-13",)))
    return lines


def right_lines(before: Record, after: Record, player: int, place: int, voice: Voice) -> list[Line]:
    board = after.boards[board_of(after, player)]
    card = int(board.cards[place])
    reached = int(how_far(before, player)) + 1
    lines = [Line(f"{voice.does(player, 'find')} {name_of(card)} at place {place + 1}: {reached} in order.")]
    if int(before.direction) == EITHER:
        way = "upwards from a half" if card == HALF else "downwards from infinity"
        lines.append(Line(f"So it goes {way}.", ("ORDER-08",)))
    return lines
