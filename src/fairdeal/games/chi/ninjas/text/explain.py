"""Chaos Ninjas: why a move is not legal, or a card that is tapped cannot be chosen, in words and with the clause."""

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import EMPTY
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.ninjas.cards import CODES, KIND_OF, a_card
from fairdeal.games.chi.ninjas.rules.legal import cards_in_play, kind_in_play, number_in_play, open_to_pairs, walls
from fairdeal.games.chi.ninjas.rules.turns import hand_limit
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, DEFENDER, PHASES, SAME_COLOUR, SPIRIT, WILD
from fairdeal.games.chi.ninjas.text.draft import belongs_to_attack
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, read_move, verb_of

Why = tuple[str, str]
"""Words and a clause."""

FITTING = {
    "act": ("draw", "play", "target", "no_action"),
    "strike": ("target", "skip"),
    "rob": ("rob",),
    "duel": ("answer", "pass"),
    "decoy": ("skip", "use_decoy"),
    "take": ("card", "skip"),
}
"""What a phase asks for; all others ask for a card."""

ASKED = {
    "duel": "an attack must be answered first: `counter` or `pass`",
    "decoy": "say first whether the Decoy falls instead: `decoy` or `skip`",
    "strike": "the Striker may attack now: `attack` something, or `skip`",
    "scout": "after a Scout a card is discarded",
    "rob": "choose whom the Pickpocket robs",
    "give": "you are robbed: `give` a card",
    "take": "the Medic may `take` a Defender from the discard pile, or `skip`",
    "thorn": "the Thorn makes you discard a card",
    "discard": "you have more than {} cards: discard one",
}
"""What the phases other than a plain turn ask for."""

TAPPED: dict[str, Why] = {
    "duel": ("An attack must be answered first, with a Counter or by letting it happen.", "CHI-41"),
    "decoy": ("First say whether your Decoy falls instead.", "NINJA-41"),
    "strike": ("A Striker may attack and do nothing else.", "NINJA-31"),
    "scout": ("The Scout asks for a card of your hand to discard.", "NINJA-32"),
    "rob": ("First choose whom your Pickpocket robs.", "NINJA-34"),
    "give": ("You are robbed: choose a card of your hand to give.", "NINJA-34"),
    "take": ("Your Medic may take a Defender from the discard pile.", "NINJA-39"),
    "thorn": ("The Thorn asks for a card of your hand to discard.", "NINJA-38"),
    "discard": ("Your hand is over the limit: a card of it must be discarded first.", "NINJA-03"),
}
"""What they answer to a tap on another card, and their clauses."""

NOT_ON_TURN: dict[str, Why] = {
    "rob": ("only a Pickpocket that arrives robs somebody", "NINJA-34"),
    "answer": ("a Counter answers an attack, and there is none", "CHI-41"),
    "pass": ("a turn may not be passed: draw, play a card, or attack", "CHI-13"),
    "skip": ("there is nothing to decline", "NINJA-30"),
    "use_decoy": ("a Decoy falls only in place of another card", "NINJA-41"),
}
NO_DISCARD = "cards are discarded only at the end of a turn, above the limit", "NINJA-03"


def explain(state: Snapshot, player: int, text: str) -> IllegalMove | None:
    """The reason why a move that can be read is not legal; None if nothing speaks against it."""
    actions = read_move(state, player, text)
    reason = wrong_phase(state, player, actions[0]) or not_possible(state, player, actions)
    return IllegalMove(text, *reason) if reason else None


def wrong_phase(state: Snapshot, player: int, action: int) -> Why | None:
    verb, phase = ACTIONS.decode(action).verb, PHASES[state.phase]
    if verb in FITTING.get(phase, ("card",)):
        return None
    if phase in ASKED:
        return ASKED[phase].format(hand_limit(state, player)), clause_of(state)
    return NOT_ON_TURN.get(verb, NO_DISCARD)


def clause_of(state: Snapshot) -> str:
    """The clause that a phase other than a plain turn comes from."""
    return TAPPED[PHASES[state.phase]][1]


def not_possible(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    hand = state.hands[player].held
    match ACTIONS.decode(actions[0]):
        case "draw", place if state.row[place] == EMPTY:
            return "this place of the row is empty", "CHI-51"
        case "play", number:
            return no_play(state, hand, kind_in_play(number))
        case "target", _:
            return no_attack(state, player, actions)
        case "answer", _ if COUNTER not in hand:
            return "there is no Counter in your hand", "CHI-41"
        case "rob", _:
            return "rob somebody who has more hand cards than you", "NINJA-34"
        case "card", kind:
            pile = "in the discard pile" if verb_of(state) == "take" else "in your hand"
            return f"{CODES[kind]} is not {pile}", clause_of(state)
        case "no_action", _:
            return "something else can be done", "CHI-13"
    return None


def no_play(state: Snapshot, hand: list[int], kind: int) -> Why | None:
    if kind == SPIRIT and state.options.spirit == WILD:
        return "at this table a Spirit attacks, and is not played in front of you", "NINJA-20"
    if kind not in hand:
        return f"{CODES[kind]} is not in your hand", "NINJA-20" if kind == SPIRIT else "NINJA-05"
    return None


def no_attack(state: Snapshot, player: int, actions: Sequence[int]) -> Why | None:
    """NINJA-10, 20: why these cards do not attack that one."""
    cards = attackers_of(actions)
    missing = Counter(cards) - Counter(state.hands[player].held)
    if SPIRIT in cards and state.options.spirit != WILD:
        return "at this table a Spirit is played in front of you, and does not attack", "NINJA-20"
    if missing:
        twice = " twice" if len(set(cards)) < len(cards) else ""
        return f"{CODES[min(missing)]} is not in your hand{twice}", "NINJA-10"
    seat, kind = aimed_at(state, player, actions[0])
    return out_of_reach(state, seat, kind, cards)


def out_of_reach(state: Snapshot, seat: int, kind: int, cards: Sequence[int]) -> Why | None:
    """NINJA-07, 10, 11, 20, 35, 40: why a card in play does not fall to one card, or to two."""
    number = number_in_play(kind)
    wall = walls(state) >> number & 1
    if not cards_in_play(state, seat) >> number & 1:
        return "two Defenders that lie on each other are safe", "NINJA-07"
    if len(cards) == 1:
        if wall:
            name, clause = ("Spirit", "NINJA-20") if kind == SPIRIT else ("Wall", "NINJA-40")
            return f"a {name} falls only to two Attackers", clause
        if cards[0] not in (number, SPIRIT):
            return f"one Attacker must be {COLOUR_NAMES[number]}; of other colours it takes two", "NINJA-10"
        return None
    if not open_to_pairs(state, seat) >> number & 1:
        return "a Shieldbearer guards it against two cards", "NINJA-35"
    if number in cards and not wall:
        return f"{a_card(number)} suffices alone: two must both be of other colours", "NINJA-11"
    if state.options.pair_attack == SAME_COLOUR and cards[0] != cards[1]:
        return "at this table two Attackers must be of one colour", "NINJA-11"
    return None


# --- cards that are tapped --------------------------------------------------------------------------------------


def why(state: Snapshot, viewer: int, picks: Sequence[int], card: str) -> Why:
    """Why a card of the table cannot be chosen now, and the clause."""
    phase = PHASES[state.phase]
    if state.over:
        return "The game is over.", "NINJA-06"
    if viewer not in state.acting:
        if phase == "duel":
            return "Only the two who fight may answer.", "NINJA-12"
        return "It is not your turn.", "NINJA-02"
    code, _, copy = card.partition(".")
    if code not in KIND_OF or not copy.isdecimal() or len(copy) > 2:
        return "Nobody may look at this card.", "CHI-05"
    if phase not in ("act", "strike"):
        return TAPPED[phase]
    kind, attacking = KIND_OF[code], any(belongs_to_attack(pick) for pick in picks)
    zone = zone_of(state, viewer, kind, int(copy))
    if zone == "hand" and kind == COUNTER:
        return "A Counter answers an attack; on your own turn it stays in hand.", "NINJA-12"
    if zone == "hand" and kind < DEFENDER:
        if attacking:
            return "This Attacker does not go with what is chosen.", "NINJA-11"
        return "Nothing in front of others falls to it alone, nor to it and another Attacker of yours.", "NINJA-10"
    if zone == "hand" and kind == SPIRIT and state.options.spirit == WILD:
        return "A Spirit attacks alone, and there is no Defender that it could fell.", "NINJA-20"
    if zone in ("hand", "row"):  # on a plain turn it can be played, or taken
        return TAPPED["strike"]
    if zone == "discard":
        return "Only a Medic that arrives takes a card from the discard pile.", "NINJA-39"
    if zone == viewer:
        return "This is yours: you attack what lies in front of others.", "NINJA-10"
    return not_attacked(state, int(zone), kind, attacking)


def zone_of(state: Snapshot, viewer: int, kind: int, copy: int) -> str | int:
    """Where a card lies: scenes number the copies of a kind from the discard pile over the areas and the hand to the
    row. An area is told by its seat."""
    piles: list[tuple[str | int, int]] = [
        ("discard", state.discard[kind]),
        *((seat, area.held.count(kind)) for seat, area in enumerate(state.areas)),
        ("hand", state.hands[viewer].held.count(kind)),
    ]
    for zone, number in piles:
        if copy <= number:
            return zone
        copy -= number
    return "row"


def not_attacked(state: Snapshot, seat: int, kind: int, attacking: bool) -> Why:
    """NINJA-07, 10, 20, 35, 40: why a card of an opponent is out of reach."""
    number = number_in_play(kind)
    if not cards_in_play(state, seat) >> number & 1:
        return "Two Defenders that lie on each other are safe.", "NINJA-07"
    if attacking:
        return "What is chosen does not attack this card.", "NINJA-10"
    wall = walls(state) >> number & 1
    if not open_to_pairs(state, seat) >> number & 1:
        if wall:
            return "Only two Attackers could fell it, and a Shieldbearer guards it against two.", "NINJA-35"
        return f"Behind a Shieldbearer it takes {a_card(number)}, and you have none.", "NINJA-35"
    clause = "NINJA-10" if not wall else "NINJA-20" if kind == SPIRIT else "NINJA-40"
    return needed(state, seat, kind), clause


def needed(state: Snapshot, seat: int, kind: int) -> str:
    """NINJA-10, 20, 35, 40: what brings a card in play down."""
    number = number_in_play(kind)
    if walls(state) >> number & 1:
        return "It takes two Attackers, of any colours."
    if not open_to_pairs(state, seat) >> number & 1:
        return f"It takes {a_card(number)}: a Shieldbearer guards it against two."
    return f"It takes {a_card(number)}, or two of other colours."
