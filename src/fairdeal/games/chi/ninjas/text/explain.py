"""Chaos Ninjas: the reasons, with clauses, why moves are illegal and cards cannot be chosen."""

from collections import Counter
from collections.abc import Sequence
from string import digits

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Card, Zone
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.ninjas.cards import CODES, KIND_OF, a_card
from fairdeal.games.chi.ninjas.rules.legal import cards_in_play, kind_in_play, number_in_play, open_to_pairs, walls
from fairdeal.games.chi.ninjas.rules.turns import hand_limit
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, DEFENDER, IN_PLAY, PHASES, SAME_COLOUR, SPIRIT, WILD
from fairdeal.games.chi.ninjas.text.draft import belongs_to_attack
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, verb_of

Why = tuple[str, str]
"""A reason and its clause."""

FITTING = {
    "act": ("draw", "play", "target", "no_action"),
    "strike": ("target", "skip"),
    "rob": ("rob",),
    "duel": ("answer", "pass"),
    "decoy": ("skip", "use_decoy"),
    "take": ("card", "skip"),
}
"""The verbs that are legal in each phase (default: `card`)."""

ASKED: dict[str, Why] = {
    "duel": ("answer the attack first, with `counter` or `pass`", "NINJA-12"),
    "decoy": ("first decide whether the Decoy falls instead, with `decoy` or `skip`", "NINJA-41"),
    "strike": ("the Striker may attack now: `attack` something, or `skip`", "NINJA-31"),
    "scout": ("after a Scout you must discard a card", "NINJA-32"),
    "rob": ("first choose the player to rob, with `rob`", "NINJA-34"),
    "give": ("you are robbed: `give` a card", "NINJA-34"),
    "take": ("the Medic may `take` a Defender from the discard pile, or `skip`", "NINJA-39"),
    "thorn": ("the Thorn makes you discard a card", "NINJA-38"),
    "discard": ("you have more than {} cards: discard one", "NINJA-03"),
}
"""The instructions for all phases except an ordinary turn."""

NOT_ON_TURN: dict[str, Why] = {
    "rob": ("you can rob only when you have just played a Pickpocket", "NINJA-34"),
    "answer": ("a Counter can only answer an attack, and there is none", "NINJA-12"),
    "pass": ("you cannot pass your turn: draw, play a card, or attack", "NINJA-05"),
    "skip": ("there is nothing to decline", "NINJA-30"),
    "use_decoy": ("a Decoy falls only in place of another card", "NINJA-41"),
    **dict.fromkeys(("first", "with", "with_spirit"), ("an attack names its target first", "NINJA-10")),
}
NO_DISCARD = "you can discard only at the end of your turn, above the hand limit", "NINJA-03"


def explain(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    """Return the reason why a move is illegal, with the clause, or None if no reason is found."""
    return wrong_phase(state, player, actions[0]) or not_possible(state, player, actions)


def wrong_phase(state: Snapshot, player: int, action: int) -> Why | None:
    verb, phase = ACTIONS.decode(action).verb, PHASES[state.phase]
    if verb in FITTING.get(phase, ("card",)):
        return None
    if phase in ASKED:
        words, clause = ASKED[phase]
        return words.format(hand_limit(state, player)), clause
    return NOT_ON_TURN.get(verb, NO_DISCARD)


def clause_of(state: Snapshot) -> str:
    """Return the clause of the current phase, which is not an ordinary turn."""
    return ASKED[PHASES[state.phase]][1]


def not_possible(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    hand = state.hands[player].held
    match ACTIONS.decode(actions[0]):
        case verb, _ if verb != "target" and len(actions) > 1:
            return None
        case "draw", place if state.row[place] == EMPTY:
            return "this place in the row is empty", "NINJA-08"
        case "play", number:
            return no_play(state, hand, kind_in_play(number))
        case "target", _:
            return no_attack(state, player, actions)
        case "answer", _ if COUNTER not in hand:
            return "you have no Counter in your hand", "NINJA-12"
        case "rob", _:
            return "you can rob only players who have more cards in hand than you", "NINJA-34"
        case "card", kind:
            pile = "in the discard pile" if verb_of(state) == "take" else "in your hand"
            return f"{CODES[kind]} is not {pile}", clause_of(state)
        case "no_action", _:
            return "you have another legal move", "NINJA-08"
    return None


def no_play(state: Snapshot, hand: list[int], kind: int) -> Why | None:
    if kind == SPIRIT and state.options.spirit == WILD:
        return "at this table, a Spirit attacks and cannot be played in front of you", "NINJA-20"
    if kind not in hand:
        return f"{CODES[kind]} is not in your hand", "NINJA-20" if kind == SPIRIT else "NINJA-05"
    return None


def no_attack(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    """NINJA-10, 20: return the reason why an attack is illegal, or None."""
    if any(not belongs_to_attack(action) for action in actions):
        return "name one or two Attackers after the target", "NINJA-10"
    cards = attackers_of(actions)
    missing = Counter(cards) - Counter(state.hands[player].held)
    if SPIRIT in cards and state.options.spirit != WILD:
        return "at this table, a Spirit is played in front of you and cannot attack", "NINJA-20"
    if missing:
        twice = " twice" if len(set(cards)) < len(cards) else ""
        return f"{CODES[min(missing)]} is not in your hand{twice}", "NINJA-10"
    seat, kind = aimed_at(state, player, actions[0])
    is_opponent = ACTIONS.decode(actions[0]).which < IN_PLAY * (state.players - 1)
    if not is_opponent or kind not in state.areas[seat].held:
        return f"no opponent has {CODES[kind]} in play there", "NINJA-10"
    return out_of_reach(state, seat, kind, cards)


def out_of_reach(state: Snapshot, seat: int, kind: int, cards: Sequence[int]) -> Why | None:
    """NINJA-07, 10, 11, 20, 35, 40: return the reason why a card in play cannot be attacked with these cards, or
    None."""
    number = number_in_play(kind)
    wall = walls(state) >> number & 1
    if not cards_in_play(state, seat) >> number & 1:
        return "two Defenders on one stack are safe", "NINJA-07"
    if not cards:
        return needed(state, seat, kind), "NINJA-10"
    if len(cards) == 1:
        if wall:
            name, clause = ("Spirit", "NINJA-20") if kind == SPIRIT else ("Wall", "NINJA-40")
            return f"a {name} falls only to two Attackers", clause
        if cards[0] not in (number, SPIRIT):
            return f"a single Attacker must be {COLOUR_NAMES[number]}; otherwise you need two", "NINJA-10"
        return None
    if not open_to_pairs(state, seat) >> number & 1:
        return "a Shieldbearer guards it against two Attackers", "NINJA-35"
    if number in cards and not wall:
        return f"{a_card(number)} can attack alone; two Attackers must both have other colours", "NINJA-11"
    if state.options.pair_attack == SAME_COLOUR and cards[0] != cards[1]:
        return "at this table, two Attackers must have the same colour", "NINJA-11"
    return None


# --- cards that cannot be chosen --------------------------------------------------------------------------------


def tapped(state: Snapshot, viewer: int, picks: Sequence[int], zone: Zone, card: Card) -> str | Why:
    """Return the reason why a card on the table cannot be chosen now."""
    phase = PHASES[state.phase]
    if viewer not in state.acting:
        return "fight" if phase == "duel" else "turn"
    if card.face is None:
        return "unseen"
    if phase not in ("act", "strike"):
        return phase
    kind, attacking = KIND_OF[card.face], any(belongs_to_attack(pick) for pick in picks)
    match zone.place, zone.id.rstrip(digits):
        case "hand", _ if kind == COUNTER:
            return "counter"
        case "hand", _ if kind < DEFENDER:
            return "other_attackers" if attacking else "no_target"
        case "hand", _ if kind == SPIRIT and state.options.spirit == WILD:
            return "spirit"
        case _, "discard":
            return "pile"
        case "own", "area":
            return "yours"
        case _, "area":
            return not_attacked(state, int(zone.id.removeprefix("area")), kind, attacking)
    return "strike"  # on an ordinary turn, cards of the hand can be played and those of the row taken


def not_attacked(state: Snapshot, seat: int, kind: int, attacking: bool) -> str | Why:
    """NINJA-07, 10, 20, 35, 40: return the reason why an opponent's card cannot be attacked."""
    number = number_in_play(kind)
    if not cards_in_play(state, seat) >> number & 1:
        return "safe"
    if attacking:
        return "not_attacked"
    wall = walls(state) >> number & 1
    if not open_to_pairs(state, seat) >> number & 1:
        if wall:
            return "guarded_wall"
        return f"behind a Shieldbearer, you need {a_card(number)}, and you have none", "NINJA-35"
    clause = "NINJA-10" if not wall else "NINJA-20" if kind == SPIRIT else "NINJA-40"
    return needed(state, seat, kind), clause


def needed(state: Snapshot, seat: int, kind: int) -> str:
    """NINJA-10, 20, 35, 40: return a sentence about the cards that are needed to attack a card in play."""
    number = number_in_play(kind)
    if walls(state) >> number & 1:
        return "it takes two Attackers of any colours"
    if not open_to_pairs(state, seat) >> number & 1:
        return f"it takes {a_card(number)}: a Shieldbearer guards it against two Attackers"
    return f"it takes {a_card(number)}, or two of other colours"
