"""CHI: what a move did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.engine.scene import Line, Voice
from fairdeal.games.chi.cards import name_of, points_of
from fairdeal.games.chi.colours import COLOUR_NAMES, colour_of
from fairdeal.games.chi.rules.legal import can_draw_deck
from fairdeal.games.chi.state import (
    ANSWER_CHI,
    ATTACK_3,
    ATTACK_6,
    DISCARD,
    DRAW_DECK,
    OVER,
    PASS,
    PLAY_3,
    PLAY_6,
    SINGLE_3,
    YANG_3,
)
from fairdeal.games.chi.text.outcome import decided, victory
from fairdeal.games.chi.text.telling import flushed, gained, is_reshuffled


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = [move_line(before, player, action, voice)]
    if action == PASS:
        lines.append(conflict_line(before, player, voice))
    drawn = drawn_line(before, after, player, action, voice)
    if drawn:
        lines.append(drawn)
    if flushed(before, after, action):
        lines.append(Line("The row was all Yin and is dealt anew.", ("CHI-52",)))
    if is_reshuffled(before, after):
        lines.append(Line("The discard pile is shuffled and becomes the deck.", ("CHI-50",)))
    if after.last_turn and not before.last_turn:
        lines.append(
            Line(f"The area is full: {voice.does(int(after.turn), 'have', 'has')} the last turn.", ("CHI-60",))
        )
    if int(after.phase) == OVER:
        lines.append(Line(f"{victory(after, voice)} {decided(after, voice)}", ("CHI-64",)))
    return lines


def move_line(before: Record, player: int, action: int, voice: Voice) -> Line:
    if action < PLAY_3:
        return Line(f"{voice.does(player, 'take')} {name_of(int(before.row[action]))} from the row.")
    if action < ATTACK_3:
        return yang_line(before, player, action, voice)
    if action < ANSWER_CHI:
        colour, points = colour_of(action - ATTACK_3), 3 if action < ATTACK_6 else 6
        attacks = f"{voice.does(player, 'attack')} {voice.of(1 - player)} {COLOUR_NAMES[colour]} {points}"
        return Line(f"{attacks} with Yin {COLOUR_NAMES[colour]}.")
    if action == ANSWER_CHI:
        return Line(f"{voice.does(player, 'answer')} with a Chi.")
    if action == PASS:
        return Line(f"{voice.does(player, 'give')} in.")
    if action < DRAW_DECK:
        return Line(f"{voice.does(player, 'discard')} {name_of(action - DISCARD)}.", ("CHI-11",))
    if can_draw_deck(before):
        return Line(f"{voice.does(player, 'draw')} from the deck.")
    return Line(f"{voice.does(player, 'can', 'can')} do nothing.", ("CHI-13",))


def yang_line(before: Record, player: int, action: int, voice: Voice) -> Line:
    kind = YANG_3 + action - PLAY_3
    name = COLOUR_NAMES[colour_of(kind)]
    area = before.areas[player].cards.tolist()[: int(before.areas[player].length)]
    if action < PLAY_6 and SINGLE_3 + colour_of(kind) in area:
        return Line(f"{voice.does(player, 'play')} Yang {name} on {name}: safe.", ("CHI-31",))
    return Line(f"{voice.does(player, 'play')} Yang {name}, {points_of(kind)} points.")


def conflict_line(before: Record, loser: int, voice: Voice) -> Line:
    """CHI-42..44: who passes has lost."""
    attacker, colour = int(before.duel.attacker), COLOUR_NAMES[int(before.duel.colour)]
    if loser == attacker:
        return Line(f"{voice.does(1 - attacker, 'keep')} the {colour} Yang.", ("CHI-44",))
    return Line(f"{voice.does(loser, 'lose')} the {colour} Yang.", ("CHI-43",))


def drawn_line(before: Record, after: Record, player: int, action: int, voice: Voice) -> Line | None:
    """CHI-46: the attacker draws; only he is told which card."""
    if action == PASS:
        drawer, clause = int(before.duel.attacker), "CHI-46"
    elif action == DRAW_DECK and can_draw_deck(before):
        drawer, clause = player, "CHI-21"
    else:
        return None
    new = gained(before, after, drawer)
    if not new:
        return None
    told = "a card" if new[0] == UNKNOWN else name_of(new[0])
    return Line(f"{voice.does(drawer, 'draw')} {told} from the deck.", (clause,))
