"""CHIMAX FATE: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.fate.rules import must_turn_unseen, spins_are_over
from fairdeal.games.chimax.fate.state import BY_FACE, FLIP, NAME, SPIN, SPINNING, STOP
from fairdeal.games.chimax.fate.text.prompts import result
from fairdeal.games.chimax.state import CLOCK, OVER, OWN_PHASE, PLAYOFF
from fairdeal.games.chimax.text.words import closing_lines, shared_lines


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if int(before.phase) >= OWN_PHASE:
        lines = own_lines(before, after, player, action, voice)
    lines += closing_lines(before, after, result(after, voice), voice, "FATE-08")
    if int(after.phase) == SPINNING and int(after.turn) != int(before.turn) and must_turn_unseen(after):
        lines.append(Line("Nothing new for so long: the next card must be one that nobody has seen.", ("MEM-07",)))
    return lines


def own_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    if action == CLOCK:
        return [Line("Time is up: what lies face down stays there.", ("TOUR-05",))]
    if action == SPIN:
        return [spin_line(after, player, voice)]
    if action == STOP:
        lines = [Line(f"{voice.does(player, 'stop')} looking, and the cards go back.", ("FATE-06",))]
    else:
        place = action - FLIP if action < STOP else int(before.wheel)
        said = f"{voice.does(player, 'say')} {name_of(action - NAME)}. " if action >= NAME else ""
        told = said + found_line(before, after, player, place, voice)
        lines = [Line(told, ("FATE-10" if said else "FATE-07",))]
    return lines + (ending_lines(after) if int(after.phase) in (OVER, PLAYOFF) else [])


def spin_line(after: Record, player: int, voice: Voice) -> Line:
    if int(after.options.wheel) != BY_FACE:
        return Line(f"{voice.does(player, 'spin')}: the wheel points at place {int(after.wheel) + 1}.", ("FATE-10",))
    return Line(f"{voice.does(player, 'spin')}: the wheel calls for {name_of(int(after.wheel))}.", ("FATE-03",))


def found_line(before: Record, after: Record, player: int, place: int, voice: Voice) -> str:
    """FATE-06, 07, 10: a hit, a miss, or the last miss of a turn, after which the cards go back."""
    points = int(after.match.totals[player]) - int(before.match.totals[player])
    if points:
        taken = after.taken[player]
        card = name_of(int(taken.cards[int(taken.length) - 1]))
        return f"Place {place + 1} is {card}: {count_of(points, 'point')} for {voice.name(player)}."
    if int(after.missed.card) != EMPTY:
        return f"Place {place + 1} is {name_of(int(after.missed.card))}, and goes back."
    return f"{voice.does(player, 'turn')} up place {place + 1}: {name_of(int(after.layout.cards[place]))}."


def ending_lines(after: Record) -> list[Line]:
    """MEM-07, FATE-11: why the game ended before the last card was taken."""
    if not int(after.left):
        return []
    if spins_are_over(after):
        return [Line("That was the last spin.", ("FATE-11",))]
    if must_turn_unseen(after):
        return [Line("Nobody finds anything any more: the game ends as it lies.", ("MEM-07",))]
    return []
