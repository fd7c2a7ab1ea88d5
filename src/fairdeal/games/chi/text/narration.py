"""CHI: what a move did, in words."""

from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Line, Voice
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.cards import name_of
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.rules.legal import can_draw_deck
from fairdeal.games.chi.state import ACTIONS, OVER, SINGLE_3, YANG_3, YANG_6
from fairdeal.games.chi.text.outcome import decided, victory
from fairdeal.games.chi.text.telling import gained, pile_lines


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what the rules did on their own."""
    action = actions[0]
    lines = [move_line(before, player, action, voice)]
    match ACTIONS.decode(action):
        case "pass", _:
            lines.append(conflict_line(before, player, voice))
            lines += drawn_lines(before, after, before.duel.attacker, "CHI-46", voice)
        case "draw_deck", _ if can_draw_deck(before):
            lines += drawn_lines(before, after, player, "CHI-21", voice)
    lines += pile_lines(before, after, action, "Yin", "CHI-52")
    if after.last_turn and not before.last_turn:
        lines.append(
            Line(f"The area is full: {voice.does_then(after.turn, 'have', 'has')} the last turn.", ("CHI-60",))
        )
    if after.phase == OVER:
        lines.append(Line(f"{victory(after, voice)} {decided(after, voice)}", ("CHI-64",)))
    return lines


def move_line(before: Snapshot, player: int, action: int, voice: Voice) -> Line:
    match ACTIONS.decode(action):
        case "draw", place:
            return Line(f"{voice.does(player, 'take')} {name_of(before.row[place])} from the row.")
        case "play_3", colour if SINGLE_3 + colour in before.areas[player].held:
            return Line(f"{voice.does(player, 'play')} a second {COLOUR_NAMES[colour]} Yang: safe.", ("CHI-31",))
        case "play_3", colour:
            return Line(f"{voice.does(player, 'play')} {name_of(YANG_3 + colour)}, 3 points.")
        case "play_6", colour:
            return Line(f"{voice.does(player, 'play')} {name_of(YANG_6 + colour)}, 6 points.")
        case "attack_3" | "attack_6" as verb, colour:
            name, points = COLOUR_NAMES[colour], 3 if verb == "attack_3" else 6
            attacks = f"{voice.does(player, 'attack')} {voice.of(1 - player)} {name} {points}"
            return Line(f"{attacks} with {name_of(colour)}.")
        case "answer_chi", _:
            return Line(f"{voice.does(player, 'block')} with a Chi.")
        case "pass", _:
            return Line(f"{voice.does(player, 'give')} in.")
        case "discard", kind:
            return Line(f"{voice.does(player, 'discard')} {name_of(kind)}.", ("CHI-11",))
    if can_draw_deck(before):
        return Line(f"{voice.does(player, 'draw')} from the deck.")
    return Line(f"{voice.does(player, 'can', 'can')} do nothing.", ("CHI-13",))


def conflict_line(before: Snapshot, loser: int, voice: Voice) -> Line:
    """CHI-42..44: who passes has lost."""
    attacker, colour = before.duel.attacker, COLOUR_NAMES[before.duel.colour]
    if loser == attacker:
        return Line(f"{voice.does(1 - attacker, 'keep')} the {colour} Yang.", ("CHI-44",))
    return Line(f"{voice.does(loser, 'lose')} the {colour} Yang.", ("CHI-43",))


def drawn_lines(before: Snapshot, after: Snapshot, drawer: int, clause: str, voice: Voice) -> list[Line]:
    """The card that somebody drew from the deck; only they are told which."""
    told = ["a card" if kind == UNKNOWN else name_of(kind) for kind in gained(before, after, drawer)[:1]]
    return [Line(f"{voice.does(drawer, 'draw')} {name} from the deck.", (clause,)) for name in told]
