"""CHIMAX CUT: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Line, Voice
from fairdeal.engine.seats import is_in, members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import DECLARABLE, name_of
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, KNOCKOUT, ONE_CUT, RUNNING, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.prompts import result
from fairdeal.games.chimax.deck import HALF, INFINITY, ZERO
from fairdeal.games.chimax.text.words import closing_lines, shared_lines

REMARKS = {HALF: " Half a card, really.", ZERO: " Only here is zero nearly everything."}


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    if before.phase not in RUNNING:
        lines = shared_lines(before, after, player, actions[0], voice)
    else:
        lines = own_lines(before, after, player, actions[0], voice)
    return lines + closing_lines(before, after, result(after, voice), voice, "CUT-08", "GEN-14")


def own_lines(before: Snapshot, after: Snapshot, player: int, action: int, voice: Voice) -> list[Line]:
    """What was done in a round, and what followed; CUT-04, 07: a card is kept, or its value declared."""
    match ACTIONS.decode(action):
        case "cut", _:
            lines = cut_lines(before, after, player, voice)
        case "keep", _:
            lines = [Line(f"{voice.does(player, 'keep')} {name_of(before.shown)}.", ("CUT-04",))]
        case "declare", value:
            lines = [Line(f"{voice.does(player, 'say')} the ? is {DECLARABLE[value]}.", ("CUT-07",))]
        case _:
            return [Line("Time is up: nobody wins this round.", ("TOUR-05",))]
    return lines + round_lines(before, after, voice)


def cut_lines(before: Snapshot, after: Snapshot, player: int, voice: Voice) -> list[Line]:
    """CUT-03, 04: the card that came to light, and whether it had to be kept."""
    kind, again = card_shown(before, after, player), "" if before.shown == EMPTY else " again"
    verb = voice.does(player, f"cut{again} and show", f"cuts{again} and shows")
    lines = [Line(f"{verb} {name_of(kind)}.{REMARKS.get(kind, '')}", ("CUT-03",))]
    stays = kind != INFINITY and after.phase != DECIDING and after.options.mode != UNTIL_INFINITY
    if stays and before.options.recuts > 0:
        lines.append(Line("That one must be kept.", ("CUT-04",)))
    return lines


def card_shown(before: Snapshot, after: Snapshot, player: int) -> int:
    """The card that a cut brought to light: it is still shown, or kept, or has left the round since."""
    later = 0
    if after.options.mode != UNTIL_INFINITY:  # cards leave the round in the order of the seats
        later = sum(is_in(before.alive, seat) for seat in range(player + 1, before.players))
    places = (after.shown, after.kept[player], *after.out.held[-1 - later :])
    return next(kind for kind in places if kind != EMPTY)


def round_lines(before: Snapshot, after: Snapshot, voice: Voice) -> list[Line]:
    """CUT-05, 06, 08: who dropped out, who has won the round."""
    lines, mode = [], after.options.mode
    gone = before.alive & ~after.alive
    if gone:
        drop = "drop" if gone.bit_count() > 1 or (voice.viewer >= 0 and gone == 1 << voice.viewer) else "drops"
        lines.append(Line(f"{voice.several_titled(members(gone))} {drop} out with the lowest card.", ("CUT-06",)))
    elif mode == KNOCKOUT and any(kind != EMPTY for kind in before.kept) and all(kind == EMPTY for kind in after.kept):
        lines.append(Line("All the same: nobody drops out, and everybody cuts again.", ("CUT-06",)))
    if after.phase in RUNNING:
        return lines
    points = [new - old for old, new in zip(before.match.totals, after.match.totals, strict=True)]
    winner = next((seat for seat, won in enumerate(points) if won > 0), None)
    if winner is not None and after.shown == INFINITY:
        lines.append(Line(f"Infinity! {voice.does(winner, 'win')} the round at once.", ("CUT-05",)))
    elif winner is not None:
        lines.append(Line(f"{voice.does(winner, 'win')} the round.", ("CUT-08",)))
    elif mode != ONE_CUT:
        lines.append(Line("The deck is used up, and nobody wins the round.", ("CUT-08",)))
    losers = [seat for seat, won in enumerate(points) if won < 0]
    return lines + [Line(f"{voice.does(seat, 'lose')} 1 point for the lowest card.", ("CUT-06",)) for seat in losers]
