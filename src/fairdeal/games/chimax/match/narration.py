"""CHIMAX MATCH: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Line, Voice
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import HALF, INFINITY, ZERO
from fairdeal.games.chimax.match.prompts import clause_of, open_faces, result, set_name, worth_in_words
from fairdeal.games.chimax.match.state import CLOCK, FLIPPING
from fairdeal.games.chimax.state import CUTTING, DEALING
from fairdeal.games.chimax.words import shared_lines, tie_lines

REMARKS = {
    INFINITY: "There is no more to be had.",
    ZERO: "Somebody had to have the Zeros.",
    HALF: "Two halves, and still nothing whole.",
}


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if action == CLOCK:
        lines.append(clock_line(before))
    elif not lines:
        lines += flip_lines(before, after, player, voice)
    lines += end_lines(before, after, action, voice)
    lines += tie_lines(before, after, voice)
    ended = result(after, voice)
    if ended:
        lines.append(Line(ended.text, (clause_of(after, 10, 6),)))
    return lines


def clock_line(before: Record) -> Line:
    """TOUR-05: what the end of the time brought about."""
    if int(before.phase) == CUTTING:
        return Line("Time is up: the house cuts the pack.", ("TOUR-05",))
    if int(before.phase) == FLIPPING:
        return Line("Time is up: what lies there stays there, and nobody counts it.", ("TOUR-05",))
    return Line("Time is up: the playoff is played out.", ("TOUR-05",))


def flip_lines(before: Record, after: Record, player: int, voice: Voice) -> list[Line]:
    """M2-04 to 07, M3-02 to 04: a card turned up, and a set taken or missed."""
    had = int(before.taken[player].length)
    gained = after.taken[player].cards.tolist()[had : int(after.taken[player].length)]
    if gained:
        return taken_lines(before, after, player, gained, voice)
    missed = after.missed.faces.tolist()[: int(after.missed.length)]
    if missed:
        turns = f"{voice.does(player, 'turn')} up {name_of(missed[-1])}"
        return [Line(f"{turns}: no {set_name(after)}.", (clause_of(after, 7, 4), "MEM-04"))]
    return [Line(f"{voice.does(player, 'turn')} up {name_of(open_faces(after)[-1])}.")]


def taken_lines(before: Record, after: Record, player: int, gained: list[int], voice: Voice) -> list[Line]:
    points = int(after.match.totals[player]) - int(before.match.totals[player])
    turns = f"{voice.does(player, 'turn')} up {name_of(gained[-1])}"
    lines = [Line(f"{turns}: {worth_in_words(after, points)}.", (clause_of(after, 6, 4),))]
    same = len(set(gained)) == 1
    if same and gained[0] in REMARKS and (gained[0] != HALF or len(gained) == 2):
        lines.append(Line(REMARKS[gained[0]], (clause_of(after, 9, 5),)))
    return lines


def end_lines(before: Record, after: Record, action: int, voice: Voice) -> list[Line]:
    """MEM-07: the layout ended though cards lie there; M2-11: it was not the last one."""
    lines: list[Line] = []
    if int(before.phase) != FLIPPING or int(after.phase) == FLIPPING:
        return lines
    if int(after.missed.length) and action != CLOCK:
        lines.append(Line("Nothing new is left to see, and nobody wants the rest: the layout ends.", ("MEM-07",)))
    if int(after.phase) == DEALING:
        dealer = voice.does(int(after.dealer), "deal")
        lines.append(Line(f"Nobody has {int(after.options.target)} points yet: {dealer} again.", ("M2-11",)))
    return lines
