"""Chaos Ninjas: the sentence that says what to do, and the words on buttons."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Prompt, Voice, count_of
from fairdeal.engine.seats import members
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.ninjas.cards import ABILITIES, a_card, kind_in_play, title_of
from fairdeal.games.chi.ninjas.rules.legal import has_ability, open_to_pairs, target_seat, walls
from fairdeal.games.chi.ninjas.rules.turns import hand_limit
from fairdeal.games.chi.ninjas.state import (
    ACT,
    ANSWER,
    CARD,
    DECOY,
    DECOYING,
    DEFENDER,
    DISCARDING,
    DUEL,
    GIVING,
    GUARDIAN,
    IN_PLAY,
    NO_ACTION,
    PASS,
    PLAY,
    ROB,
    ROBBING,
    SCOUTING,
    SHADOW,
    SKIP,
    SPIRIT,
    STRIKING,
    SUFFERING,
    TAKING,
    TARGET,
    TO_WIN,
    USE_DECOY,
)
from fairdeal.games.chi.ninjas.text.draft import Attack
from fairdeal.games.chi.ninjas.text.notation import attackers_of
from fairdeal.games.chi.ninjas.text.outcome import decided, result

VERBS = {GIVING: "Give", TAKING: "Take"}
DECLINED = {DECOYING: "Let it fall", STRIKING: "Do not strike", TAKING: "Take nothing"}


def button_label(state: Record, player: int, action: int, voice: Voice) -> str:
    """The verb on the button, or the name of the choice, that does an action."""
    abilities = bool(state.options.abilities)
    if action < PLAY:
        return f"Take {a_card(int(state.row[action]))}"
    if action < TARGET:
        return f"Play {title_of(kind_in_play(action - PLAY), abilities)}"
    if action in (ANSWER, PASS):
        return "Answer with a Counter" if action == ANSWER else "Let it happen"
    if action == SKIP:
        return DECLINED[int(state.phase)]
    if action == USE_DECOY:
        return "Lose the Decoy instead"
    if action == NO_ACTION:
        return "Go on"
    if action < CARD:
        return f"Rob {voice.name((player + action - ROB + 1) % int(state.players))}"
    return f"{VERBS.get(int(state.phase), 'Discard')} {a_card(action - CARD)}"


def target_words(state: Record, player: int, action: int, voice: Voice) -> str:
    """`Bo’s blue Scholar`: the card that a target's action means."""
    target = action - TARGET
    seat = int(target_seat(state, player, target))
    return f"{voice.of(seat)} {titled(state, kind_in_play(target % IN_PLAY))}"


def titled(state: Record, kind: int) -> str:
    """`blue Scholar`, `Spirit`; `blue Defender` where there are no abilities."""
    title = title_of(kind, bool(state.options.abilities))
    return title if kind == SPIRIT or not state.options.abilities else f"{COLOUR_NAMES[kind - DEFENDER]} {title}"


def cards_words(kinds: Sequence[int]) -> str:
    """`a red Attacker`, `two Attackers, blue and pink`, `a Spirit`."""
    if len(kinds) == 2:
        first, second = (COLOUR_NAMES[kind] for kind in kinds)
        return f"two Attackers, {first} and {second}" if first != second else f"two {first} Attackers"
    return a_card(kinds[0])


def prompt(state: Record, voice: Voice, picked: int | None, attack: Attack | None, can_act: bool) -> Prompt:
    ended = result(state, voice)
    if ended:
        return Prompt("over", ended.text, ended.why, decided(state, voice)[1])
    if not can_act:
        acting = members(int(state.to_act))[0]
        return Prompt("waiting", f"{voice.names[acting]} is choosing", warning(state, voice))
    if attack is not None and attack.picks:
        return attack_prompt(state, voice, attack)
    if picked is not None:
        return picked_prompt(state, voice, picked)
    if int(state.phase) == ACT:
        played = "Defender or a Spirit" if state.options.spirit == GUARDIAN else "Defender"
        sub = warning(state, voice) or f"Draw from the row, play a {played}, or attack."
        return Prompt("yours", "What is your action?", sub, "NINJA-05")
    return asked_prompt(state, voice)


def warning(state: Record, voice: Voice) -> str:
    """NINJA-06: who wins unless somebody stops him."""
    about = [seat for seat in range(int(state.players)) if int(state.areas[seat].length) >= TO_WIN]
    if not about:
        return ""
    seat = about[0]
    return f"{voice.does(seat, 'have', 'has')} six cards in play: one must fall before {voice.of(seat)} next turn."


def asked_prompt(state: Record, voice: Voice) -> Prompt:
    """The questions that come up in the course of a turn."""
    phase, turn = int(state.phase), int(state.turn)
    if phase == DUEL:
        return duel_prompt(state, voice)
    if phase == DECOYING:
        defender = int(state.duel.defender)
        victim = titled(state, int(state.areas[defender].cards[int(state.duel.target)]))
        return Prompt("yours", f"Your {victim} is about to fall. Lose your Decoy instead?", "", "NINJA-41")
    if phase == STRIKING:
        return Prompt("yours", "Your Striker is here: attack at once?", "A card of yours, then its target.", "NINJA-31")
    if phase == ROBBING:
        return Prompt("yours", "Whom does your Pickpocket rob?", "He chooses what to give.", "NINJA-34")
    if phase == GIVING:
        return Prompt(
            "yours", f"{voice.title(turn)} robs you. Which card do you give?", "Nobody else sees it.", "NINJA-34"
        )
    if phase == TAKING:
        return Prompt("yours", "Which Defender does your Medic bring back?", "It goes to your hand.", "NINJA-39")
    if phase == SCOUTING:
        return Prompt("yours", "Your Scout has drawn a card. Which one do you discard?", "", "NINJA-32")
    if phase == SUFFERING:
        return Prompt("yours", "The Thorn stings. Which card do you discard?", "Then you draw one.", "NINJA-38")
    over = int(state.hands[voice.viewer].length) - hand_limit(state, voice.viewer)
    return Prompt("yours", "Which card do you discard?", f"{count_of(over, 'card')} above the limit.", "NINJA-03")


def duel_prompt(state: Record, voice: Voice) -> Prompt:
    attacker, defender = int(state.duel.attacker), int(state.duel.defender)
    victim = titled(state, int(state.areas[defender].cards[int(state.duel.target)]))
    if voice.viewer == attacker:
        text = f"{voice.title(defender)} blocks with a Counter. Answer with one of yours?"
    elif int(state.duel.counters):
        text = f"{voice.title(attacker)} counters your Counter. Save the {victim} with another one?"
    else:
        text = f"{voice.title(attacker)} attacks your {victim}. Answer with a Counter?"
    return Prompt("yours", text, "Whoever plays the last card wins.", "CHI-41")


def attack_prompt(state: Record, voice: Voice, attack: Attack) -> Prompt:
    """The question that a half-made attack asks, or the one before it is carried out."""
    if attack.whole:
        return whole_prompt(state, voice, attack.whole)
    if attack.target is None:
        with_what = cards_words(sorted(attack.cards.elements()))
        sub = "Choose a card in front of somebody else, or a second Attacker."
        return Prompt("yours", f"Attack what with {with_what}?", sub, "NINJA-10")
    what = target_words(state, voice.viewer, attack.target, voice)
    return Prompt("yours", f"Attack {what} with what?", needed(state, voice.viewer, attack.target), "NINJA-10")


def needed(state: Record, player: int, action: int) -> str:
    """NINJA-10, 20, 35, 40: what brings a target down."""
    card, seat = (action - TARGET) % IN_PLAY, int(target_seat(state, player, action - TARGET))
    if walls(state) >> card & 1:
        return "It takes two Attackers, of any colours."
    if not open_to_pairs(state, seat) >> card & 1:
        return f"It takes {a_card(card)}: a Shieldbearer guards it against two."
    return f"It takes {a_card(card)}, or two of other colours."


def whole_prompt(state: Record, voice: Voice, actions: Sequence[int]) -> Prompt:
    player, cards = voice.viewer, attackers_of(actions)
    seat = int(target_seat(state, player, actions[0] - TARGET))
    answer = f"{voice.title(seat)} may answer with a Counter."
    if len(cards) == 2 and has_ability(state, player, SHADOW):
        answer = "Your Shadow keeps it from being countered."
    elif has_ability(state, seat, DECOY):
        answer = f"{voice.title(seat)} may answer with a Counter, or lose a Decoy instead."
    what = target_words(state, player, actions[0], voice)
    text = f"Attack {what} with {cards_words(cards)}?"
    return Prompt("yours", text, f"{answer} If you win, you draw a card.", "NINJA-10")


def picked_prompt(state: Record, voice: Voice, picked: int) -> Prompt:
    """The question that the picked card asks, and what follows from it."""
    if picked < PLAY:
        return Prompt("yours", f"Take {a_card(int(state.row[picked]))}?", "The deck refills its place.", "CHI-20")
    if picked < TARGET:
        return play_prompt(state, kind_in_play(picked - PLAY))
    name = a_card(picked - CARD)
    if int(state.phase) == GIVING:
        return Prompt("yours", f"Give {name}?", "Nobody else sees it.", "NINJA-34")
    if int(state.phase) == TAKING:
        return Prompt(
            "yours", f"Take {name} from the discard pile?", ABILITIES[picked - CARD - DEFENDER][1], "NINJA-39"
        )
    clause = {SCOUTING: "NINJA-32", SUFFERING: "NINJA-38", DISCARDING: "NINJA-03"}[int(state.phase)]
    return Prompt("yours", f"Discard {name}?", "Everybody can see it.", clause)


def play_prompt(state: Record, kind: int) -> Prompt:
    if kind == SPIRIT:
        return Prompt("yours", "Play a Spirit?", "It counts in play, and falls only to two Attackers.", "NINJA-20")
    _, text, clause = ABILITIES[kind - DEFENDER]
    if not state.options.abilities:
        return Prompt("yours", f"Play {a_card(kind)}?", "It counts in play.", "NINJA-05")
    return Prompt("yours", f"Play the {titled(state, kind)}?", text, clause)
