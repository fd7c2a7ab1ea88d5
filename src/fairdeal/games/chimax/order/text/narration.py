"""CHIMAX ORDER: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.records import NOBODY
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import HALF
from fairdeal.games.chimax.order.rules import board_of, how_far
from fairdeal.games.chimax.order.state import ACTIONS, EITHER, FLIPPING, RACE, RESTART
from fairdeal.games.chimax.order.text.prompts import is_complete, result, wanted
from fairdeal.games.chimax.text.words import closing_lines, shared_lines


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if before.phase == FLIPPING:
        lines += own_lines(before, after, player, action, voice)
    deciding = "TOUR-06" if after.tied else "ORDER-10"
    return lines + closing_lines(before, after, result(after, voice), voice, deciding)


def own_lines(before: Snapshot, after: Snapshot, player: int, action: int, voice: Voice) -> list[Line]:
    verb, place = ACTIONS.decode(action)
    if verb == "clock":
        return [Line("Time is up: what is in order counts.", ("TOUR-05",))]
    told = right_lines if after.missed.seat == NOBODY else wrong_lines
    lines = told(before, after, player, place, voice)
    if is_complete(after):
        lines.append(Line(f"{voice.does(player, 'call')} “CHIMAX ORDER!”", ("ORDER-11",)))
    elif after.phase != FLIPPING:
        lines.append(Line("Nothing new has come up for too long, and nothing is left to see.", ("MEM-07",)))
    return lines


def wrong_lines(before: Snapshot, after: Snapshot, player: int, place: int, voice: Voice) -> list[Line]:
    """ORDER-07, 09, 13: a card goes back."""
    again = " again" if place in before.boards[board_of(before, player)].seen.held else ""
    what = f"{name_of(after.missed.card)}{again}, not {wanted(before, player)}"
    lines = [Line(f"{voice.does(player, 'turn')} up {what}.", ("ORDER-07",))]
    lost = how_far(before, player)
    if before.options.on_miss == RESTART and lost:
        lines.append(Line(f"The run is lost: {count_of(lost, 'card')} under cover again.", ("ORDER-09",)))
    elif before.options.board == RACE and before.boards[0].open.length:
        lines.append(Line("The cards found go back; the place is kept.", ("ORDER-13",)))
    return lines


def right_lines(before: Snapshot, after: Snapshot, player: int, place: int, voice: Voice) -> list[Line]:
    """ORDER-06, 08: a card is found."""
    card, reached = after.boards[board_of(after, player)].cards[place], how_far(before, player) + 1
    lines = [Line(f"{voice.does(player, 'find')} {name_of(card)}: {reached} in order.", ("ORDER-06",))]
    if before.direction == EITHER:
        way = "upwards from a half" if card == HALF else "downwards from infinity"
        lines.append(Line(f"So it goes {way}.", ("ORDER-08",)))
    return lines
