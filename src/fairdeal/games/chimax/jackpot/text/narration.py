"""CHIMAX JACKPOT: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.deck import QUESTION
from fairdeal.games.chimax.jackpot.state import ACTIONS
from fairdeal.games.chimax.jackpot.text.prompts import JACKPOT, REEL_NAMES, book_in, faces_of, result
from fairdeal.games.chimax.state import DEALING, OWN_PHASE
from fairdeal.games.chimax.text.words import shared_lines


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    if before.phase < OWN_PHASE:
        return shared_lines(before, after, player, actions[0], voice)
    return own_lines(before, after, player, actions[0], voice) + what_followed(before, after, voice)


def own_lines(before: Snapshot, after: Snapshot, player: int, action: int, voice: Voice) -> list[Line]:
    reel = before.reel
    match ACTIONS.decode(action):
        case "flip", _:  # nothing is claimed in the same step
            flipped = name_of(after.columns[reel].held[-1])
            return [Line(f"{voice.does(player, 'flip')} {flipped} on the {REEL_NAMES[reel].lower()} reel.")]
        case "hold", _:
            kept = name_of(before.columns[reel].held[-1])
            return [Line(f"{voice.does(player, 'hold')} {kept} on the {REEL_NAMES[reel].lower()} reel.")]
        case "stand_for", face:
            told = "itself" if face == QUESTION else name_of(face)
            return [Line(f"The ? on the {REEL_NAMES[reel].lower()} reel stands for {told}.", ("JACK-06",))]
        case "claim", line:
            return claim_lines(before, after, player, line, voice)
        case "done", _:
            return [Line(f"{voice.does(player, 'let', 'lets')} it lie.", ("JACK-08",))]
    return [Line("Time is up: the deal ends as it stands.", ("TOUR-05",))]


def claim_lines(before: Snapshot, after: Snapshot, player: int, line: int, voice: Voice) -> list[Line]:
    points = after.points - before.points
    told = f"{voice.does(player, 'claim')} {book_in(before, line)}: {count_of(points, 'point')}."
    if faces_of(before, line) == JACKPOT:
        return [Line(f"JACKPOT! {told}", ("JACK-10",))]
    lines = [Line(told, ("JACK-07",))]
    if points > 1:
        lines.append(Line("A run in the third spin running: a point on top.", ("JACK-09",)))
    return lines


def what_followed(before: Snapshot, after: Snapshot, voice: Voice) -> list[Line]:
    """The next spin, the end of the deal or of the game."""
    ended = result(after, voice)
    if ended:
        return [Line(f"{ended.text} {ended.why}", ("JACK-11",))]
    if after.phase == DEALING:
        points, par = after.points, after.options.par
        against = f"Par is {par}: {'won' if points >= par else 'not this time'}."
        return [Line(f"The deal is over: {count_of(points, 'point')}. {against}", ("JACK-11",))]
    if after.spin > before.spin:
        return [Line(f"Spin {after.spin} of {after.options.spins}.", ("JACK-03",))]
    return []
