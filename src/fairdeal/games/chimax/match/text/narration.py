"""CHIMAX MATCH: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.scene import Line, Voice
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import HALF, INFINITY, ZERO
from fairdeal.games.chimax.match.state import FLIPPING, PAIR
from fairdeal.games.chimax.match.text.prompts import clause_of, open_faces, result, set_name, worth_in_words
from fairdeal.games.chimax.state import CLOCK, DEALING
from fairdeal.games.chimax.text.words import closing_lines, shared_lines

REMARKS = {
    INFINITY: "There is no more to be had.",
    ZERO: "Somebody had to have the Zeros.",
    HALF: "Two halves, and still nothing whole.",
}


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if before.phase == FLIPPING:
        lines += own_lines(before, after, player, action, voice)
    return lines + closing_lines(before, after, result(after, voice), voice, clause_of(after, 10, 6))


def own_lines(before: Snapshot, after: Snapshot, player: int, action: int, voice: Voice) -> list[Line]:
    """A card turned up, or the end of the time; MEM-07: the layout ended though cards lie there; M2-11: it was not the
    last one."""
    if action == CLOCK:
        lines = [Line("Time is up: what lies there stays there, and nobody counts it.", ("TOUR-05",))]
    else:
        lines = flip_lines(before, after, player, voice)
        if after.phase != FLIPPING and after.missed.length:
            lines.append(Line("Nothing new is left to see, and nobody wants the rest: the layout ends.", ("MEM-07",)))
    if after.phase == DEALING:
        dealer = voice.does(after.dealer, "deal")
        lines.append(Line(f"Nobody has {after.options.target} points yet: {dealer} again.", ("M2-11",)))
    return lines


def flip_lines(before: Snapshot, after: Snapshot, player: int, voice: Voice) -> list[Line]:
    """M2-04 to 07, M3-02 to 04: a card turned up, and a set taken or missed."""
    gained = after.taken[player].held[before.taken[player].length :]
    missed = after.missed.faces[: after.missed.length]
    turns = f"{voice.does(player, 'turn')} up {name_of((gained or missed or open_faces(after))[-1])}"
    if not gained:
        clauses = (clause_of(after, 7, 4), "MEM-04")
        return [Line(f"{turns}: no {set_name(after)}.", clauses) if missed else Line(f"{turns}.")]
    points = after.match.totals[player] - before.match.totals[player]
    lines = [Line(f"{turns}: {worth_in_words(after, points)}.", (clause_of(after, 6, 4),))]
    face = gained[0]
    if len(set(gained)) == 1 and face in REMARKS and (face != HALF or after.alike == PAIR):
        lines.append(Line(REMARKS[face], (clause_of(after, 9, 5),)))
    return lines
