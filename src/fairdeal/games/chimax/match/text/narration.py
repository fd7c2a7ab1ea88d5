"""CHIMAX MATCH: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Line, Voice
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import HALF, INFINITY, ZERO
from fairdeal.games.chimax.match.state import FLIPPING
from fairdeal.games.chimax.match.text.prompts import clause_of, open_faces, result, set_name, worth_in_words
from fairdeal.games.chimax.state import CLOCK, DEALING
from fairdeal.games.chimax.text.words import closing_lines, shared_lines

REMARKS = {
    INFINITY: "There is no more to be had.",
    ZERO: "Somebody had to have the Zeros.",
    HALF: "Two halves, and still nothing whole.",
}


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if int(before.phase) == FLIPPING:
        lines = own_lines(before, after, player, action, voice)
    return lines + closing_lines(before, after, result(after, voice), voice, clause_of(after, 10, 6))


def own_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    if action == CLOCK:
        lines = [Line("Time is up: what lies there stays there, and nobody counts it.", ("TOUR-05",))]
    else:
        lines = flip_lines(before, after, player, voice)
    return lines + end_lines(after, action, voice)


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


def end_lines(after: Record, action: int, voice: Voice) -> list[Line]:
    """MEM-07: the layout ended though cards lie there; M2-11: it was not the last one."""
    lines: list[Line] = []
    if int(after.phase) == FLIPPING:
        return lines
    if int(after.missed.length) and action != CLOCK:
        lines.append(Line("Nothing new is left to see, and nobody wants the rest: the layout ends.", ("MEM-07",)))
    if int(after.phase) == DEALING:
        dealer = voice.does(int(after.dealer), "deal")
        lines.append(Line(f"Nobody has {int(after.options.target)} points yet: {dealer} again.", ("M2-11",)))
    return lines
