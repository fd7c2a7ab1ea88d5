"""CHI: the sentence that says what to do, and the words on buttons."""

from __future__ import annotations

from fairdeal.engine.piles import find
from fairdeal.engine.records import Record
from fairdeal.engine.scene import Prompt, Voice, count_of
from fairdeal.engine.seats import members
from fairdeal.games.chi.cards import name_of
from fairdeal.games.chi.colours import COLOUR_NAMES, colour_of
from fairdeal.games.chi.rules.legal import can_draw_deck, may_play_card
from fairdeal.games.chi.state import (
    ANSWER_CHI,
    ATTACK_3,
    ATTACK_6,
    DISCARD,
    DISCARDING,
    DRAW_DECK,
    DUEL,
    PASS,
    PLAY_3,
    PLAY_6,
    SINGLE_3,
)
from fairdeal.games.chi.text.explain import played_kind
from fairdeal.games.chi.text.outcome import result


def button_label(state: Record, player: int, action: int) -> str:
    """The verb on the button that does an action."""
    kind = played_kind(action)
    if action < PLAY_3:
        return f"Take {name_of(int(state.row[action]))}"
    if action in (ANSWER_CHI, PASS):
        return "Answer with Chi" if action == ANSWER_CHI else "Let it happen"
    if action == DRAW_DECK or kind is None:
        return "Draw from the deck" if can_draw_deck(state) else "Go on"
    if ATTACK_3 <= action < ANSWER_CHI:
        return f"Attack {COLOUR_NAMES[kind]} {3 if action < ATTACK_6 else 6}"
    return f"{'Discard' if action >= DISCARD else 'Play'} {name_of(kind)}"


def prompt(state: Record, voice: Voice, picked: int | None, can_act: bool) -> Prompt:
    ended = result(state, voice)
    if ended:
        return Prompt("over", ended.text, ended.why, "CHI-64")
    if not can_act:
        acting = members(int(state.to_act))[0]
        return Prompt("waiting", f"{voice.names[acting]} is choosing")
    if int(state.phase) == DUEL:
        return duel_prompt(state, voice)
    if picked is not None:
        return picked_prompt(state, voice, picked)
    if int(state.phase) == DISCARDING:
        over = int(state.hands[voice.viewer].length) - int(state.options.hand_limit)
        return Prompt("yours", "Which card do you discard?", f"{count_of(over, 'card')} above the limit.", "CHI-11")
    sub = "" if may_play_card(state, voice.viewer) else "Your last card may not be played."
    last = "Last turn. " if state.last_turn else ""
    text = "Take a card of the row, or play one?"
    return Prompt("yours", text, f"{last}{sub or 'A Yang for yourself, a Yin against the other.'}", "CHI-10")


def duel_prompt(state: Record, voice: Voice) -> Prompt:
    colour, attacker = COLOUR_NAMES[int(state.duel.colour)], int(state.duel.attacker)
    if voice.viewer == attacker:
        text = f"{voice.title(1 - attacker)} blocks with a Chi. Answer with one of yours?"
    else:
        text = f"{voice.title(attacker)} attacks your {colour} Yang. Answer with a Chi?"
    return Prompt("yours", text, "Whoever plays the last card wins.", "CHI-41")


def picked_prompt(state: Record, voice: Voice, picked: int) -> Prompt:
    """The question that the picked card asks, and what follows from it."""
    kind = played_kind(picked)
    if picked < PLAY_3:
        return Prompt("yours", f"Take {name_of(int(state.row[picked]))}?", "The deck refills its place.", "CHI-20")
    if picked == DRAW_DECK or kind is None:
        return Prompt("yours", "Draw from the deck?", "", "CHI-21")
    if picked >= DISCARD:
        return Prompt("yours", f"Discard {name_of(kind)}?", "Everybody can see it.", "CHI-11")
    if picked >= ATTACK_3:
        rival, colour = voice.of(1 - voice.viewer), COLOUR_NAMES[kind]
        text = f"Attack {rival} {colour} {3 if picked < ATTACK_6 else 6} with Yin {colour}?"
        other = voice.title(1 - voice.viewer)
        return Prompt("yours", text, f"{other} may answer with a Chi. Win or lose, you then draw.", "CHI-40")
    if picked >= PLAY_6:
        return Prompt("yours", f"Play {name_of(kind)}, 6 points?", "It can be attacked.", "CHI-33")
    doubled = find(state.areas[voice.viewer], SINGLE_3 + colour_of(kind)) >= 0
    sub = (
        "It makes a stack of two, safe from attacks." if doubled else "It can be attacked until a second one covers it."
    )
    return Prompt("yours", f"Play {name_of(kind)}, 3 points?", sub, "CHI-31")
