"""CHIMAX FATE: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.fate.rules import must_turn_unseen, spins_are_over
from fairdeal.games.chimax.fate.state import ACTIONS, BY_FACE, SPINNING
from fairdeal.games.chimax.fate.text.prompts import result
from fairdeal.games.chimax.state import OVER, OWN_PHASE, PLAYOFF
from fairdeal.games.chimax.text.words import closing_lines, shared_lines


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = shared_lines(before, after, player, action, voice)
    if before.phase >= OWN_PHASE:
        lines += own_lines(before, after, player, action, voice)
    lines += closing_lines(before, after, result(after, voice), voice, "FATE-08")
    if after.phase == SPINNING and after.turn != before.turn and must_turn_unseen(after):
        lines.append(Line("Nothing new for so long: the next card must be one that nobody has seen.", ("MEM-07",)))
    return lines


def own_lines(before: Snapshot, after: Snapshot, player: int, action: int, voice: Voice) -> list[Line]:
    match ACTIONS.decode(action):
        case "clock", _:
            return [Line("Time is up: what lies face down stays there.", ("TOUR-05",))]
        case "spin", _ if after.options.wheel == BY_FACE:
            return [Line(f"{voice.does(player, 'spin')}: the wheel calls for {name_of(after.wheel)}.", ("FATE-03",))]
        case "spin", _:
            return [Line(f"{voice.does(player, 'spin')}: the wheel points at a card.", ("FATE-10",))]
        case "flip", place:
            told = Line(found(before, after, player, place, voice), ("FATE-07",))
        case "name", face:
            said = f"{voice.does(player, 'say')} {name_of(face)}."
            told = Line(f"{said} {found(before, after, player, before.wheel, voice)}", ("FATE-10",))
        case _:
            told = Line(f"{voice.does(player, 'stop')} looking, and the cards go back.", ("FATE-06",))
    return [told, *ending_lines(after)]


def found(before: Snapshot, after: Snapshot, player: int, place: int, voice: Voice) -> str:
    """FATE-06, 07, 10: a hit, a miss, or the last miss of a turn, after which the cards go back. Where it lies is for
    people to remember."""
    points = after.match.totals[player] - before.match.totals[player]
    if points:
        card = name_of(after.taken[player].held[-1])
        return f"It is {card}: {count_of(points, 'point')} for {voice.name(player)}."
    if after.missed.card != EMPTY:
        return f"It is {name_of(after.missed.card)}, and goes back."
    return f"{voice.does(player, 'turn')} up {name_of(after.layout.cards[place])}."


def ending_lines(after: Snapshot) -> list[Line]:
    """MEM-07, FATE-11: why the game ended before the last card was taken."""
    if after.phase in (OVER, PLAYOFF) and after.left:
        if spins_are_over(after):
            return [Line("That was the last spin.", ("FATE-11",))]
        if must_turn_unseen(after):
            return [Line("Nobody finds anything any more: the game ends as it lies.", ("MEM-07",))]
    return []
