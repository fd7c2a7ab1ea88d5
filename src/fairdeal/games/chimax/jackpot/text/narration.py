"""CHIMAX JACKPOT: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.games.chimax.cards import NAMES, SIGNS, name_of
from fairdeal.games.chimax.deck import INFINITY, QUESTION
from fairdeal.games.chimax.jackpot.state import CLAIM, DONE, FLIP, HOLD, STAND_FOR
from fairdeal.games.chimax.jackpot.text.prompts import REEL_NAMES, faces_of, result, where
from fairdeal.games.chimax.state import CLOCK, DEALING, OVER, OWN_PHASE
from fairdeal.games.chimax.text.words import shared_lines


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if int(before.phase) >= OWN_PHASE:
        lines = own_lines(before, after, player, action, voice) + what_followed(before, after, voice)
    return lines


def own_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    reel = REEL_NAMES[min(2, int(before.reel))].lower()
    if action == FLIP:
        return [Line(f"{voice.does(player, 'flip')} {name_of(flipped(after, int(before.reel)))} on the {reel} reel.")]
    if action == HOLD:
        column = before.columns[int(before.reel)]
        kept = name_of(int(column.cards[int(column.length) - 1]))
        return [Line(f"{voice.does(player, 'hold')} {kept} on the {reel} reel.")]
    if action == CLOCK:
        return [Line("Time is up: the deal ends as it stands.", ("TOUR-05",))]
    if action >= STAND_FOR:
        face = action - STAND_FOR
        told = "itself" if face == QUESTION else NAMES[face]
        return [Line(f"The ? on the {reel} reel stands for {told}.", ("JACK-06",))]
    if action == DONE:
        return [Line(f"{voice.does(player, 'let', 'lets')} it lie.", ("JACK-08",))]
    return claim_lines(before, after, player, action - CLAIM, voice)


def flipped(after: Record, reel: int) -> int:
    """The card on top of the column now; nothing is claimed in the same step."""
    column = after.columns[reel]
    return int(column.cards[int(column.length) - 1])


def claim_lines(before: Record, after: Record, player: int, line: int, voice: Voice) -> list[Line]:
    faces = faces_of(before, line) or (0, 0, 0)
    points = int(after.points) - int(before.points)
    book = " ".join(SIGNS[face] for face in faces)
    if faces[0] == faces[1] == INFINITY:
        text = f"JACKPOT! {voice.does(player, 'claim')} {book} {where(line)}: {count_of(points, 'point')}."
        return [Line(text, ("JACK-10",))]
    lines = [Line(f"{voice.does(player, 'claim')} {book} {where(line)}: {count_of(points, 'point')}.", ("JACK-07",))]
    if points > 1 and faces[0] != faces[1]:
        lines.append(Line("A run in the third spin running: a point on top.", ("JACK-09",)))
    return lines


def what_followed(before: Record, after: Record, voice: Voice) -> list[Line]:
    """The next spin, the end of the deal or of the game."""
    phase = int(after.phase)
    if phase == OVER:
        ended = result(after, voice)
        return [Line(f"{ended.text} {ended.why}", ("JACK-11",))] if ended else []
    if phase == DEALING:
        points = count_of(int(after.points), "point")
        return [Line(f"The deal is over: {points}. {decided_deal(after)}", ("JACK-11",))]
    if int(after.spin) > int(before.spin):
        return [Line(f"Spin {int(after.spin)} of {int(after.options.spins)}.", ("JACK-03",))]
    return []


def decided_deal(after: Record) -> str:
    """JACK-11: against par."""
    par = int(after.options.par)
    return f"Par is {par}: won." if int(after.points) >= par else f"Par is {par}: not this time."
