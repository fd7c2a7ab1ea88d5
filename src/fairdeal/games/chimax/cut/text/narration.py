"""CHIMAX CUT: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.games.chimax.cards import DECLARABLE, name_of
from fairdeal.games.chimax.cut.rules import is_in
from fairdeal.games.chimax.cut.state import DECIDING, DECLARING, KEEP, KNOCKOUT, ONE_CUT, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.prompts import result
from fairdeal.games.chimax.deck import HALF, INFINITY, ZERO
from fairdeal.games.chimax.state import CLOCK, CUTTING, DEALING, DECLARE, PLAYOFF
from fairdeal.games.chimax.text.words import closing_lines, names_of, shared_lines

REMARKS = {HALF: "Half a card, really.", ZERO: "Only here is zero nearly everything."}


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action, phase = actions[0], int(before.phase)
    if phase in (DEALING, PLAYOFF):
        lines = shared_lines(before, after, player, action, voice)
    elif action == CLOCK:
        lines = [Line("Time is up: nobody wins this round.", ("TOUR-05",))]
    elif action < DECLARE:
        lines = cut_lines(before, after, player, voice) + round_lines(before, after, voice)
    else:
        lines = kept_lines(before, player, action, voice) + round_lines(before, after, voice)
    return lines + closing_lines(before, after, result(after, voice), voice, "CUT-08", "GEN-14")


def kept_lines(before: Record, player: int, action: int, voice: Voice) -> list[Line]:
    """CUT-04, 07: a card is kept, or its value declared."""
    if action == KEEP:
        return [Line(f"{voice.does(player, 'keep')} {name_of(int(before.shown))}.", ("CUT-04",))]
    return [Line(f"{voice.does(player, 'say')} the ? is {DECLARABLE[action - DECLARE]}.", ("CUT-07",))]


def cut_lines(before: Record, after: Record, player: int, voice: Voice) -> list[Line]:
    """CUT-03, 04: the card that came to light, and whether it had to be kept."""
    kind = card_shown(before, after, player)
    again = "cut again and show" if int(before.shown) != EMPTY else "cut and show"
    verb = voice.does(player, again, again.replace("cut", "cuts", 1).replace("show", "shows"))
    remark = f" {REMARKS[kind]}" if kind in REMARKS else ""
    lines = [Line(f"{verb} {name_of(kind)}.{remark}", ("CUT-03",))]
    stays = kind != INFINITY and int(after.phase) != DECIDING and int(after.options.mode) != UNTIL_INFINITY
    if stays and int(before.options.recuts) > 0:
        lines.append(Line("That one must be kept.", ("CUT-04",)))
    return lines


def card_shown(before: Record, after: Record, player: int) -> int:
    """The card that a cut brought to light: it is still shown, or kept, or has left the round since."""
    if int(after.shown) != EMPTY:
        return int(after.shown)
    if int(after.kept[player]) != EMPTY:
        return int(after.kept[player])
    length = int(after.out.length)
    if int(after.options.mode) == UNTIL_INFINITY:
        return int(after.out.cards[length - 1])
    later = sum(bool(is_in(before, seat)) for seat in range(player + 1, int(before.players)))
    return int(after.out.cards[length - 1 - later])


def round_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """CUT-05, 06, 08: who dropped out, who has won the round."""
    players, mode = int(after.players), int(after.options.mode)
    lines = []
    gone = int(before.alive) & ~int(after.alive)
    if gone:
        drop = "drop" if gone.bit_count() > 1 or (voice.viewer >= 0 and gone == 1 << voice.viewer) else "drops"
        lines.append(Line(f"{names_of(gone, voice)} {drop} out with the lowest card.", ("CUT-06",)))
    elif mode == KNOCKOUT and kept_by_all(before, after):
        lines.append(Line("All the same: nobody drops out, and everybody cuts again.", ("CUT-06",)))
    if int(after.phase) in (CUTTING, DECIDING, DECLARING):
        return lines
    points = [int(after.match.totals[seat]) - int(before.match.totals[seat]) for seat in range(players)]
    winner = next((seat for seat in range(players) if points[seat] > 0), None)
    if int(after.shown) == INFINITY and winner is not None:
        lines.append(Line(f"Infinity! {voice.does(winner, 'win')} the round at once.", ("CUT-05",)))
    elif winner is not None:
        lines.append(Line(f"{voice.does(winner, 'win')} the round.", ("CUT-08",)))
    elif mode != ONE_CUT:
        lines.append(Line("The deck is used up, and nobody wins the round.", ("CUT-08",)))
    losers = [seat for seat in range(players) if points[seat] < 0]
    lines += [
        Line(f"{voice.does(seat, 'lose')} {count_of(1, 'point')} for the lowest card.", ("CUT-06",)) for seat in losers
    ]
    return lines


def kept_by_all(before: Record, after: Record) -> bool:
    """CUT-06: were all cards kept and compared, and nobody the lower?"""
    kept = sum(kind != EMPTY for kind in before.kept.tolist())
    return kept > 0 and all(kind == EMPTY for kind in after.kept.tolist())
