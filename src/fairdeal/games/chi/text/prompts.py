"""CHI: the prompt for the viewer, moves as advice, and the labels of buttons."""

import functools
from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Prompt, Voice, count_of
from fairdeal.games.chi.cards import name_of
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.rules.legal import can_draw_deck, may_play_card
from fairdeal.games.chi.state import ACTIONS, CHI, DISCARDING, DUEL, SINGLE_3, YANG_3, YANG_6
from fairdeal.games.chi.text.outcome import result

SAFE = "It makes a stack of two, safe from attacks."


def button_label(state: Snapshot, action: int) -> str:
    """Return the label of the button for an action."""
    match ACTIONS.decode(action):
        case "draw", place:
            return f"Take {name_of(state.row[place])}"
        case "draw_deck", _:
            return "Draw from the deck" if can_draw_deck(state) else "Go on"
    return label_of(action)


@functools.cache
def label_of(action: int) -> str:
    """Return the label of an action whose wording does not depend on the state."""
    match ACTIONS.decode(action):
        case "play_3", colour:
            return f"Play {name_of(YANG_3 + colour)}"
        case "play_6", colour:
            return f"Play {name_of(YANG_6 + colour)}"
        case "attack_3", colour:
            return f"Attack {COLOUR_NAMES[colour]} 3"
        case "attack_6", colour:
            return f"Attack {COLOUR_NAMES[colour]} 6"
        case "answer_chi", _:
            return "Answer with Chi"
        case "pass", _:
            return "Let it happen"
        case _, kind:
            return f"Discard {name_of(kind)}"


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice, such as `Attack Bo’s blue 6 with your Yin`."""
    if ACTIONS.decode(actions[0]).verb in ("attack_3", "attack_6"):
        return f"{attack_words(state, voice, actions[0])} with your Yin"
    return button_label(state, actions[0])


def attack_words(state: Snapshot, voice: Voice, action: int) -> str:
    """Return an attack as text, such as `Attack Bo’s blue 6`."""
    verb, colour = ACTIONS.decode(action)
    return f"Attack {voice.of(1 - voice.viewer)} {COLOUR_NAMES[colour]} {3 if verb == 'attack_3' else 6}"


def prompt(state: Snapshot, voice: Voice, picked: int | None, can_act: bool) -> Prompt:
    ended = result(state, voice)
    if ended:
        return Prompt("over", ended.text, ended.why, "CHI-64")
    if not can_act:
        acting = state.acting[0]
        return Prompt("waiting", f"{voice.names[acting]} is choosing")
    if state.phase == DUEL:
        return duel_prompt(state, voice)
    if picked is not None:
        return picked_prompt(state, voice, picked)
    if state.phase == DISCARDING:
        over = state.hands[voice.viewer].length - state.options.hand_limit
        return Prompt("yours", "Which card do you discard?", f"{count_of(over, 'card')} above the limit.", "CHI-11")
    sub = "" if may_play_card(state, voice.viewer) else "You may not play your last card."
    last = "Last turn. " if state.last_turn else ""
    text = "Take a card from the row, or play one?"
    return Prompt("yours", text, f"{last}{sub or 'A Yang for yourself, a Yin against the other.'}", "CHI-10")


def duel_prompt(state: Snapshot, voice: Voice) -> Prompt:
    colour, attacker = COLOUR_NAMES[state.duel.colour], state.duel.attacker
    if voice.viewer == attacker:
        text, question = f"{voice.title(1 - attacker)} blocks with a Chi.", "Answer with one of yours?"
    elif state.duel.counters:
        text, question = f"{voice.title(attacker)} blocks your Chi.", f"Save the {colour} Yang with another one?"
    else:
        text, question = f"{voice.title(attacker)} attacks your {colour} Yang.", "Answer with a Chi?"
    if CHI not in state.hands[voice.viewer].held:
        return Prompt("yours", text, "You have no Chi to answer with.", "CHI-41")
    return Prompt("yours", f"{text} {question}", "The last card played wins.", "CHI-41")


def picked_prompt(state: Snapshot, voice: Voice, picked: int) -> Prompt:
    """Return the prompt for a picked card: a question, and the consequence of the move."""
    match ACTIONS.decode(picked):
        case "draw", place:
            return Prompt("yours", f"Take {name_of(state.row[place])}?", "The deck refills its place.", "CHI-20")
        case "play_3", colour:
            doubled = SINGLE_3 + colour in state.areas[voice.viewer].held
            sub = SAFE if doubled else "It can be attacked until a second one covers it."
            return Prompt("yours", f"Play {name_of(YANG_3 + colour)}, 3 points?", sub, "CHI-31")
        case "play_6", colour:
            return Prompt("yours", f"Play {name_of(YANG_6 + colour)}, 6 points?", "It can be attacked.", "CHI-33")
        case "attack_3" | "attack_6", colour:
            text = f"{attack_words(state, voice, picked)} with {name_of(colour)}?"
            other = voice.title(1 - voice.viewer)
            return Prompt("yours", text, f"{other} may answer with a Chi. Win or lose, you then draw.", "CHI-40")
        case "discard", kind:
            return Prompt("yours", f"Discard {name_of(kind)}?", "Everybody can see it.", "CHI-11")
    return Prompt("yours", "Draw from the deck?", "", "CHI-21")
