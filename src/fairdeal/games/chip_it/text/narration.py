"""CHIP IT: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Line, Voice, count_of
from fairdeal.games.chip_it.cards import by_number, cost, number_of
from fairdeal.games.chip_it.text.notation import Play, played
from fairdeal.games.chip_it.text.outcome import closing_line, game_line


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    play = played(actions)
    lines = [play_line(play, player, voice) if play else pass_line(actions[0], player, voice)]
    if int(after.match.game) != int(before.match.game):
        lines.append(game_line(before, after, player, voice))
        lines.append(Line(f"Game {int(after.match.game)} begins; {voice.does(int(after.turn), 'start')}."))
        return lines
    newly = after.finished.cards.tolist()[int(before.finished.length) : int(after.finished.length)]
    for seat in newly:
        lines.append(Line(f"{voice.does(seat, 'are', 'is')} rid of everything.", ("CHIP-60",)))
    if after.over:
        lines.append(closing_line(after, voice))
    else:
        lines.extend(turn_lines(before, after, player, voice))
    return lines


def play_line(play: Play, player: int, voice: Voice) -> Line:
    numbers = " ".join(str(number_of(kind)) for kind in by_number(play.kinds))
    points = sum(cost(kind, play.value) or 0 for kind in play.kinds)
    if points:
        taken = f"{voice.does(player, 'play')} {numbers} as {play.value} and {verb('take', player, voice)}"
        return Line(f"{taken} {count_of(points, 'point')}.")
    return Line(f"{voice.does(player, 'play')} {numbers}.")


def pass_line(points: int, player: int, voice: Voice) -> Line:
    passes = voice.does(player, "pass", "passes")
    if points:
        return Line(f"{passes} and {verb('give', player, voice)} back {count_of(points, 'point')}.")
    return Line(f"{passes}.")


def verb(word: str, player: int, voice: Voice) -> str:
    """The second verb of a sentence: `take`, `takes`."""
    return word if player == voice.viewer else word + "s"


def turn_lines(before: Record, after: Record, player: int, voice: Voice) -> list[Line]:
    """What happened between the move and the next turn: CHIP-10, 50, 52, 54."""
    lines = []
    turn = int(after.turn)
    owner = int(before.top.owner) if before.top.count else -1
    if played_nothing(before, after) and before.top.count and not after.top.count:
        if owner == turn:
            lines.append(Line(f"Nobody beat it: {voice.does(turn, 'lead')} a new round.", ("CHIP-50",)))
        else:
            lines.append(Line(f"Nobody beat {voice.of(owner)} play: {voice.does(turn, 'lead')} now.", ("CHIP-54",)))
    load = int(before.fronts[turn].load) if turn != player else 0
    if load and not after.fronts[turn].length:
        collected = f"{voice.does(turn, 'collect')} {count_of(load, 'point')} from the beaten cards."
        lines.append(Line(collected, ("CHIP-10",)))
    if not after.hands[turn].length and not after.top.count:
        lines.append(Line(f"{voice.title(turn)} must pass: no cards left.", ("CHIP-52",)))
    return lines


def played_nothing(before: Record, after: Record) -> bool:
    return sum(int(hand.length) for hand in before.hands) == sum(int(hand.length) for hand in after.hands)
