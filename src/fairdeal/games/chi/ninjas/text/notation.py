"""Chaos Ninjas: moves as text (docs/rules/chi.md, part 2, section 5)."""

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import count_of
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.ninjas.cards import CODES, EXAMPLES, KIND_OF
from fairdeal.games.chi.ninjas.rules.legal import kind_in_play, number_in_play, target_seat
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, DEFENDER, IN_PLAY, PHASES, SPIRIT
from fairdeal.games.chi.state import ROW

TEXTS = Texts(
    ACTIONS,
    draw="draw {}",
    play=("play {}", [*CODES[DEFENDER:COUNTER], CODES[SPIRIT]]),
    target=None,
    with_=None,
    first=None,
    answer="counter",
    pass_="pass",
    skip="skip",
    use_decoy="decoy",
    rob=None,
    card=None,
    no_action="none",
    with_spirit=None,
)
NOT_NOW = {
    "give": ("only a player who is being robbed gives a card", "NINJA-34"),
    "take": ("you can take from the discard pile only when you have just played a Medic", "NINJA-39"),
    "discard": ("you can discard only after a Scout or a Thorn, or above the hand limit", "NINJA-03"),
}
MOVE = re.compile(r"(draw|play|rob|give|take|discard) (\S{1,20})")
ATTACK = re.compile(r"attack (\d{1,3}):(\d{1,3}) (\S{1,20})(?: (\S{1,20}))?")
KNOWN = (
    "`draw 3`, `play def-red`, `attack 1:0 atk-red`, `attack 1:0 atk-blue atk-pink`, `counter`, `pass`, `decoy`, "
    "`rob 1`, `give atk-red`, `take def-red`, `discard atk-red`, `skip` or `none`"
)


def write_move(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the text of a move. An attack consists of two or three actions, and any other move of one."""
    match ACTIONS.decode(actions[0]):
        case "target", _:
            seat, kind = aimed_at(state, player, actions[0])
            cards = " ".join(CODES[card] for card in attackers_of(actions))
            return f"attack {seat}:{state.areas[seat].held.index(kind)} {cards}"
        case "rob", number:
            return f"rob {rival(state, player, number)}"
        case "card", kind:
            return f"{verb_of(state)} {CODES[kind]}"
    return TEXTS.write(actions[0]) or ""


def verb_of(state: Snapshot) -> str:
    """Return the verb for a card chosen in the current phase: give, take or discard."""
    phase = PHASES[state.phase]
    return phase if phase in ("give", "take") else "discard"


def aimed_at(state: Snapshot, player: int, action: int) -> tuple[int, int]:
    """Return the target of the first action of an attack, as the seat and the kind of card."""
    target = ACTIONS.decode(action).which
    return target_seat(state, player, target), kind_in_play(target % IN_PLAY)


def attackers_of(actions: Sequence[int]) -> list[int]:
    """Return the kinds of the attacking cards in an attack's actions."""
    return [attacker(action) for action in actions[1:]]


def attacker(action: int) -> int:
    """Return the kind of card that an action adds to an attack."""
    verb, colour = ACTIONS.decode(action)
    return SPIRIT if verb == "with_spirit" else colour


def read_move(state: Snapshot, player: int, text: str) -> list[int]:
    """Return the actions of a move given as text. Raises IllegalMove for text that cannot be a move in any state."""
    action = TEXTS.read(text)
    if action is not None:
        return [action]
    if attack := ATTACK.fullmatch(text):
        return read_attack(state, player, text, attack)
    if move := MOVE.fullmatch(text):
        return [read_action(state, player, text, *move.groups())]
    raise TEXTS.unknown(text, KNOWN)


def read_action(state: Snapshot, player: int, text: str, verb: str, what: str) -> int:
    """Return the action for a move that consists of one verb and one object, such as `rob 1` or `discard atk-red`."""
    if verb == "draw":
        raise IllegalMove(text, f"the places in the row are 0 to {ROW - 1}", "NINJA-05")
    if verb == "rob":
        return ACTIONS.encode("rob", read_rival(state, player, text, what, "NINJA-34", "you cannot rob yourself"))
    kind = read_kind(text, what)
    if verb == "play":
        raise IllegalMove(text, "only Defenders and Spirits can be played in front of you", "NINJA-05")
    if verb != verb_of(state):
        raise IllegalMove(text, *NOT_NOW[verb])
    if verb == "take" and not DEFENDER <= kind < COUNTER:
        raise IllegalMove(text, f"{what} is not a Defender", "NINJA-39")
    return ACTIONS.encode("card", kind)


def read_rival(state: Snapshot, player: int, text: str, seat: str, clause: str, not_yourself: str) -> int:
    """Return the number of an opponent's seat, counted clockwise from 0."""
    if not seat.isdecimal() or len(seat) > 4 or int(seat) >= state.players:
        raise IllegalMove(text, f"the seats are 0 to {state.players - 1}", clause)
    if int(seat) == player:
        raise IllegalMove(text, not_yourself, clause)
    return (int(seat) - player) % state.players - 1


def read_kind(text: str, card: str) -> int:
    if card not in KIND_OF:
        raise IllegalMove(text, f"{card!r} is not a card: {EXAMPLES}", "NINJA-01")
    return KIND_OF[card]


def read_attack(state: Snapshot, player: int, text: str, parts: re.Match[str]) -> list[int]:
    """Return the actions of an attack. Two Attackers may be given in either order."""
    number = read_rival(state, player, text, parts[1], "NINJA-10", "only cards of opponents can be attacked")
    seat, place = int(parts[1]), int(parts[2])
    area = state.areas[seat].held
    if place >= len(area):
        raise IllegalMove(text, f"seat {seat} has {count_of(len(area), 'card')} in play, numbered from 0", "NINJA-10")
    target = ACTIONS.encode("target", IN_PLAY * number + number_in_play(area[place]))
    cards = sorted(read_kind(text, card) for card in parts.groups()[2:] if card)
    if cards == [SPIRIT]:
        return [target, ACTIONS.encode("with_spirit")]
    if any(kind >= COLOURS for kind in cards):
        raise IllegalMove(text, "only Attackers can attack, alone or in pairs", "NINJA-11")
    first = [ACTIONS.encode("first", kind) for kind in cards[:-1]]
    return [target, *first, ACTIONS.encode("with", cards[-1])]
