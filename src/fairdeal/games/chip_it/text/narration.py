"""CHIP IT: what a move did, in words."""

from collections.abc import Iterator, Sequence

from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chip_it.cards import by_number, number_of
from fairdeal.games.chip_it.state import ACTIONS
from fairdeal.games.chip_it.text.notation import played
from fairdeal.games.chip_it.text.outcome import closing_line, game_line


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    lines = [move_line(player, actions, voice)]
    if after.match.game != before.match.game:
        starts = voice.does(after.turn, "start")
        return [*lines, game_line(before, after, voice), Line(f"Game {after.match.game} begins; {starts}.")]
    for seat in after.finished.held[before.finished.length :]:
        lines.append(Line(f"{voice.does(seat, 'are', 'is')} rid of everything.", ("CHIP-60",)))
    return [*lines, closing_line(after, voice)] if after.over else [*lines, *turn_lines(before, after, player, voice)]


def move_line(player: int, actions: Sequence[int], voice: Voice) -> Line:
    play, ending = played(actions), "" if player == voice.viewer else "s"
    if play:
        done = f"{voice.does(player, 'play')} {' '.join(str(number_of(kind)) for kind in by_number(play.kinds))}"
        taken = f" as {play.value} and take{ending} {count_of(play.price, 'point')}"
        return Line(f"{done}{taken}.", ("CHIP-26",)) if play.price else Line(f"{done}.")
    points = ACTIONS.decode(actions[0]).which
    given = f" and give{ending} back {count_of(points, 'point')}"
    return Line(f"{voice.does(player, 'pass', 'passes')}{given if points else ''}.")


def turn_lines(before: Snapshot, after: Snapshot, player: int, voice: Voice) -> Iterator[Line]:
    """What happened between the move and the next turn: CHIP-10, 50, 52, 54."""
    turn, owner = after.turn, before.top.owner
    passed = all(was.length == hand.length for was, hand in zip(before.hands, after.hands, strict=True))
    if passed and before.top.count and not after.top.count:
        if owner == turn:
            yield Line(f"Nobody beat it: {voice.does_then(turn, 'lead')} a new round.", ("CHIP-50",))
        else:
            yield Line(f"Nobody beat {voice.of(owner)} play: {voice.does_then(turn, 'lead')} now.", ("CHIP-54",))
    load = before.fronts[turn].load if turn != player else 0
    if load and not after.fronts[turn].length:
        collected = f"{voice.does(turn, 'collect')} {count_of(load, 'point')} from the beaten cards."
        yield Line(collected, ("CHIP-10",))
    if not after.hands[turn].length and not after.top.count:
        yield Line(f"{voice.title(turn)} must pass: no cards left.", ("CHIP-52",))
