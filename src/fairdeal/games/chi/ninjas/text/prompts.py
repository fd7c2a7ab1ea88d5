"""Chaos Ninjas: the prompt for the viewer, moves as advice, and the labels of buttons."""

from collections.abc import Sequence

from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Prompt, Voice, capital, count_of, with_article
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.ninjas.cards import ABILITIES, a_card, ability_of, name_of, title_of
from fairdeal.games.chi.ninjas.rules.legal import has_ability, kind_in_play
from fairdeal.games.chi.ninjas.rules.turns import hand_limit
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, DECOY, DEFENDER, GUARDIAN, PHASES, SHADOW, SPIRIT, TO_WIN
from fairdeal.games.chi.ninjas.text.draft import Attack
from fairdeal.games.chi.ninjas.text.explain import clause_of, needed
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, verb_of
from fairdeal.games.chi.ninjas.text.outcome import won

LABELS = {
    "answer": "Answer with a Counter",
    "pass": "Let it happen",
    "use_decoy": "Lose the Decoy instead",
    "no_action": "Go on",
}
DECLINED = {"decoy": "Let it fall", "strike": "Do not strike", "take": "Take nothing"}
QUESTIONS = {
    "strike": ("Your Striker is here: attack at once?", "A card of yours, then its target."),
    "scout": ("Your Scout has drawn a card. Which one do you discard?", ""),
    "rob": ("Who should your Pickpocket rob?", "They choose what to give."),
    "take": ("Which Defender does your Medic bring back?", "It goes to your hand."),
    "thorn": ("The Thorn stings. Which card do you discard?", "Then you draw one."),
}
"""Questions asked during a turn, each with an explanation."""

SECRET = "Nobody else sees it."


def button_label(state: Snapshot, player: int, action: int, voice: Voice) -> str:
    """Return the label of the button or choice for an action."""
    match ACTIONS.decode(action):
        case "draw", place:
            return f"Take {called(state, state.row[place])}"
        case "play", number:
            return f"Play {title_of(kind_in_play(number), state.options.abilities)}"
        case "skip", _:
            return DECLINED[PHASES[state.phase]]
        case "rob", number:
            return f"Rob {voice.name(rival(state, player, number))}"
        case "card", kind:
            return f"{verb_of(state).capitalize()} {called(state, kind)}"
        case verb, _:
            return LABELS[verb]


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice, such as `Attack Bo’s blue Scholar with a red Attacker`."""
    player, first = voice.viewer, actions[0]
    match ACTIONS.decode(first):
        case "target", _:
            return f"Attack {target_words(state, player, first, voice)} with {cards_words(attackers_of(actions))}"
        case "play", number if state.options.abilities:
            return f"Play the {titled(state, kind_in_play(number))}"
    return button_label(state, player, first, voice)


def target_words(state: Snapshot, player: int, action: int, voice: Voice) -> str:
    """Return the target of an attack as text, such as `Bo’s blue Scholar`."""
    seat, kind = aimed_at(state, player, action)
    return f"{voice.of(seat)} {titled(state, kind)}"


def attacked(state: Snapshot) -> int:
    """Return the kind of the card that is under attack."""
    return state.areas[state.duel.defender].cards[state.duel.target]


def titled(state: Snapshot, kind: int) -> str:
    """Return the name of a card at this table, such as `blue Scholar`, or `blue Defender` without abilities."""
    if state.options.abilities and DEFENDER <= kind < COUNTER:
        return f"{COLOUR_NAMES[kind - DEFENDER]} {ability_of(kind)}"
    return name_of(kind)


def called(state: Snapshot, kind: int) -> str:
    """Return the name of a card at this table with its article, such as `a lime Pickpocket`, `a red Attacker` or `a
    Counter`."""
    return with_article(titled(state, kind))


def cards_words(kinds: Sequence[int]) -> str:
    """Return the cards of an attack as text, such as `a red Attacker`, `two Attackers, blue and pink` or `a Spirit`."""
    if len(kinds) == 2:
        first, second = (COLOUR_NAMES[kind] for kind in kinds)
        return f"two Attackers, {first} and {second}" if first != second else f"two {first} Attackers"
    return a_card(kinds[0])


def prompt(state: Snapshot, voice: Voice, picked: int | None, attack: Attack | None, can_act: bool) -> Prompt:
    if state.over:
        end = won(state)
        return Prompt("over", end.text(voice), end.why(voice), end.clauses[0])
    if not can_act:
        return Prompt("waiting", f"{voice.names[state.acting[0]]} is choosing", warning(state, voice))
    if attack is not None and attack.picks:
        return attack_prompt(state, voice, attack)
    if picked is not None:
        return picked_prompt(state, picked)
    if PHASES[state.phase] == "act":
        played = "Defender or a Spirit" if state.options.spirit == GUARDIAN else "Defender"
        sub = warning(state, voice) or f"Draw from the row, play a {played}, or choose an Attacker."
        return Prompt("yours", "Draw, play a card, or attack?", sub, "NINJA-05")
    return asked_prompt(state, voice)


def warning(state: Snapshot, voice: Voice) -> str:
    """NINJA-06: return a warning about the player who is about to win, or an empty string."""
    for seat, area in enumerate(state.areas):
        if area.length >= TO_WIN:
            has = voice.does(seat, "have", "has")
            return f"{has} six cards in play: one must fall before {voice.of(seat)} next turn."
    return ""


def asked_prompt(state: Snapshot, voice: Voice) -> Prompt:
    """Return the prompt for a question asked during a turn."""
    match PHASES[state.phase]:
        case "duel":
            text, sub = duel_question(state, voice), "The last card played wins."
        case "decoy":
            text, sub = f"Your {titled(state, attacked(state))} is about to fall. Lose your Decoy instead?", ""
        case "give":
            text, sub = f"{voice.title(state.turn)} robs you. Which card do you give?", SECRET
        case "discard":
            over = state.hands[voice.viewer].length - hand_limit(state, voice.viewer)
            text, sub = "Which card do you discard?", f"{count_of(over, 'card')} above the limit."
        case phase:
            text, sub = QUESTIONS[phase]
    return Prompt("yours", text, sub, clause_of(state))


def duel_question(state: Snapshot, voice: Voice) -> str:
    attacker, victim = state.duel.attacker, titled(state, attacked(state))
    if voice.viewer == attacker:
        return f"{voice.title(state.duel.defender)} blocks with a Counter. Answer with one of yours?"
    if state.duel.counters:
        return f"{voice.title(attacker)} counters your Counter. Save the {victim} with another one?"
    return f"{voice.title(attacker)} attacks your {victim}. Answer with a Counter?"


def attack_prompt(state: Snapshot, voice: Voice, attack: Attack) -> Prompt:
    """Return the prompt for an attack that is unfinished, or complete but not yet played."""
    if attack.whole:
        return whole_prompt(state, voice, attack.whole)
    if attack.target is None:
        with_what = cards_words(sorted(attack.cards.elements()))
        sub = "Choose a card in front of somebody else, or a second Attacker."
        return Prompt("yours", f"Attack what with {with_what}?", sub, "NINJA-10")
    what = target_words(state, voice.viewer, attack.target, voice)
    seat, kind = aimed_at(state, voice.viewer, attack.target)
    return Prompt("yours", f"Attack {what} with what?", f"{capital(needed(state, seat, kind))}.", "NINJA-10")


def whole_prompt(state: Snapshot, voice: Voice, actions: Sequence[int]) -> Prompt:
    player, cards = voice.viewer, attackers_of(actions)
    seat, _ = aimed_at(state, player, actions[0])
    answer = f"{voice.title(seat)} may answer with a Counter."
    if len(cards) == 2 and has_ability(state, player, SHADOW):
        answer = "Your Shadow keeps it from being countered."
    elif has_ability(state, seat, DECOY):
        answer = f"{voice.title(seat)} may answer with a Counter, or lose a Decoy instead."
    text = f"Attack {target_words(state, player, actions[0], voice)} with {cards_words(cards)}?"
    return Prompt("yours", text, f"{answer} If you win, you draw a card.", "NINJA-10")


def picked_prompt(state: Snapshot, picked: int) -> Prompt:
    """Return the prompt for a picked card: a question, and the consequence of the move."""
    match ACTIONS.decode(picked):
        case "draw", place:
            return Prompt(
                "yours", f"Take {called(state, state.row[place])}?", "The deck refills its place.", "NINJA-05"
            )
        case "play", number:
            return play_prompt(state, kind_in_play(number))
        case _, kind:
            text, sub = f"Discard {called(state, kind)}?", "Everybody can see it."
            if verb_of(state) == "give":
                text, sub = f"Give {called(state, kind)}?", SECRET
            elif verb_of(state) == "take":
                text, sub = f"Take {called(state, kind)} from the discard pile?", ABILITIES[kind - DEFENDER][1]
            return Prompt("yours", text, sub, clause_of(state))


def play_prompt(state: Snapshot, kind: int) -> Prompt:
    if kind == SPIRIT:
        return Prompt("yours", "Play a Spirit?", "It counts in play, and falls only to two Attackers.", "NINJA-20")
    if not state.options.abilities:
        return Prompt("yours", f"Play {a_card(kind)}?", "It counts in play.", "NINJA-05")
    _, text, clause = ABILITIES[kind - DEFENDER]
    return Prompt("yours", f"Play the {titled(state, kind)}?", text, clause)
