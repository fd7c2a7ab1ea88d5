"""Chaos Ninjas: the record of a game, its JSON form and what observations show of it (docs/rules/chi.md, part 2,
section 4)."""

from typing import Any, ClassVar

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import Form, number, one_of, one_seat, placed
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import CardCounter, in_range, sized
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import EMPTY, i1, record
from fairdeal.engine.scene import count_of
from fairdeal.engine.written import (
    Cards,
    Condition,
    Counts,
    Deck,
    Field,
    Hands,
    Part,
    Phase,
    Piles,
    Position,
    Row,
    Seat,
    Seats,
    TurnNumber,
    Unwritten,
)
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.ninjas import state as ninjas
from fairdeal.games.chi.ninjas.cards import CODES
from fairdeal.games.chi.ninjas.options import NinjaOptions
from fairdeal.games.chi.ninjas.rules.attacks import may_use_decoy
from fairdeal.games.chi.ninjas.rules.hands import hold
from fairdeal.games.chi.ninjas.rules.play import clear_table, copies_in_deck, may_heal, may_rob
from fairdeal.games.chi.ninjas.rules.turns import begin_turn, hand_limit
from fairdeal.games.chi.ninjas.state import COUNTER, DEFENDER, KINDS, MOST_IN_HAND, PHASES, SPIRIT, TO_WIN, WILD
from fairdeal.games.chi.ninjas.text.explain import out_of_reach
from fairdeal.games.chi.state import ROW

MOST_GIVEN = MOST_IN_HAND - 4
"""Maximum number of cards in a hand of a given position. More cards can be drawn or returned during the turn."""

VIEWERS = "0123s"
"""The characters for viewers: `0` to `3` for seats, and `s` for spectators."""


class KnownHands(Hands):
    """Hands in ascending order. `known[i]` is the set of viewers who know card `i`. For the n-th card of a kind, these
    are the viewers who have seen at least n such cards."""

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return record(length=i1, cards=(i1, self.room), known=(i1, self.room)), seats

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        hands, seats = self.items(given, state, []), f"give one item for each of the {state.players} seats"
        seen = sized("seen", given.seen or [[""] * len(codes) for codes in hands], state.players, seats)
        for seat, codes in enumerate(hands):
            if len(codes) > MOST_GIVEN:
                raise BadPosition(f"hands[{seat}]", len(codes), f"a hand has at most {MOST_GIVEN} cards")
            items = f"give {count_of(len(codes), 'item')}, one for each card in that hand"
            sized(f"seen[{seat}]", seen[seat], len(codes), items)
            for place, code in enumerate(codes):
                known = read_viewers(f"seen[{seat}][{place}]", seen[seat][place], state.players, code)
                hold(state.hands[seat], counter.kind(f"hands[{seat}][{place}]", code, unknown=True), known)

    def forms(self) -> dict[str, Form]:
        return super().forms() | {"hands.known": number("nonzero for a card of a rival that you have seen")}


class Seen(Unwritten):
    """The viewers who know each card of the hands, which are read with these."""

    def json(self) -> list[tuple[Any, ...]]:
        return [("seen", list[list[str]] | None, None)]

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return None

    def write(self, state: Snapshot) -> dict[str, Any]:
        hands = state.hands[: state.players]
        return {"seen": [[viewers(known) for known in hand.known[: hand.length]] for hand in hands]}


def viewers(known: int) -> str:
    """Return a set of viewers as text, such as `02s`."""
    return "".join(sign for number, sign in enumerate(VIEWERS) if known >> number & 1)


def read_viewers(path: str, given: str, players: int, code: str) -> int:
    """Return the set of viewers of a card. Raises BadPosition if there is no such viewer."""
    if (code == "?" and given) or not {*given} <= {*VIEWERS[:players], "s"}:
        reason = "list the seats that have seen the card, and `s` for spectators, such as `02s`"
        raise BadPosition(path, given, reason)
    return sum(1 << VIEWERS.index(sign) for sign in {*given})


class Areas(Piles):
    """NINJA-06, 20: the cards in play: Defenders, and Spirits if they are guardians."""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        for seat in range(state.players):
            for place, kind in enumerate(state.areas[seat].cards[: state.areas[seat].length]):
                if not DEFENDER <= kind < COUNTER and (kind != SPIRIT or state.options.spirit == WILD):
                    reason = "only Defenders and guardian Spirits can be in play [NINJA-05, NINJA-20]"
                    raise BadPosition(f"areas[{seat}][{place}]", CODES[kind], reason)


class Target(Field):
    """NINJA-10: the seat that is attacked, and the index of its card, stored as `defender` and `target`."""

    kind: ClassVar[Any] = list[int]

    def in_json(self, state: Snapshot) -> Any:
        return [state.duel.defender, state.duel.target]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        seat, place = sized("duel.target", given.target, 2, "give a seat and the index of a card in front of it")
        state.duel.defender = in_range("duel.target[0]", seat, 0, state.players - 1)
        state.duel.target = in_range("duel.target[1]", place, 0, state.areas[seat].length - 1)


class Played(Field):
    """NINJA-10, 12: one or two attacking cards (EMPTY if absent or already discarded), and the Counters on them."""

    kind: ClassVar[Any] = list[str]

    def in_json(self, state: Snapshot) -> Any:
        kinds = [kind for kind in state.duel.cards if kind != EMPTY] + [COUNTER] * state.duel.counters
        return [CODES[kind] for kind in kinds]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        kinds = counter.read("duel.cards", given.cards)
        cards = sorted(kind for kind in kinds if kind != COUNTER)
        counters = kinds[len(cards) :]
        none = state.phase == ninjas.DUEL and not cards
        if none or len(cards) > 2 or counters != [COUNTER] * len(counters):
            reason = "give one or two attacking cards, then the Counters [NINJA-10, NINJA-12]"
            raise BadPosition("duel.cards", given.cards, reason)
        state.duel.cards[0], state.duel.cards[1] = (*cards, EMPTY, EMPTY)[:2]
        state.duel.counters = len(counters)


POSITION = Position(
    Cards(
        CODES,
        lambda state: [copies_in_deck(state, kind) for kind in range(KINDS)],
        "atk-red, def-red, counter, spirit",
        "NINJA-01",
    ),
    options_record(NinjaOptions),
    ninjas.SEATS,
    start=Seat(at="match.first"),
    turn=Seat("seat on turn"),
    phase=Phase(", ".join(PHASES), names=PHASES),
    turn_no=TurnNumber(lowest=1, highest="turn_limit"),
    winners=Seats(phases=("over",), clause="NINJA-06", sparse=True),
    hands=KnownHands(room=MOST_IN_HAND, zone="hand{}", counter="in hand"),
    seen=Seen(sparse=True),
    areas=Areas("cards in play", room=TO_WIN, clause="NINJA-06", zone="area{}"),
    row=Row(room=ROW, clause="CHI-03", zone="row"),
    deck=Deck(room=ninjas.CARDS, zone="deck"),
    discard=Counts("number of cards of each kind"),  # the zone shows Defenders alone while a Medic chooses one
    duel=Part(
        phases=("duel", "decoy"),
        parts={
            "attacker": Seat(required=True),
            "defender": Unwritten(form=one_seat()),
            "target": Target(form=one_of(ninjas.IN_PLAY, words="index of the attacked card")),
            "cards": Played(store=(i1, 2), form=placed(KINDS, "attacking cards")),
            "counters": Unwritten("number of Counters played so far"),
            "answering": Seat(key="to_act", required=True),
        },
    ),
    robbed=Seat("seat that gives a card", phases=("give",), clause="NINJA-34"),
    draft=Unwritten(  # an unfinished attack: the target, counted from TARGET, and the first of two Attackers, or EMPTY
        store=record(target=i1, first=i1),
        shown={
            "target": number("target of an incomplete attack, as an index into the target actions"),
            "first": one_of(DEFENDER, words="colour of the first of two Attackers"),
        },
    ),
)


def prepare_position(state: Fields) -> None:
    """Clear the table."""
    clear_table(state)
    start_match(state, 1, 0)


def asked(state: Snapshot) -> int:
    """Return the seat that is to act."""
    if state.phase in (ninjas.DUEL, ninjas.DECOYING):
        return int(state.duel.answering)
    return int(state.robbed if state.phase == ninjas.GIVING else state.turn)


def turns_of_seat(state: Snapshot) -> str:
    first, players = 1 + (state.turn - state.match.first) % state.players, state.players
    return f"seat {state.turn} has turn {first} and every {players} turns after it [NINJA-02]"


def size_of_hand(state: Snapshot) -> str:
    held = count_of(state.hands[state.turn].length, "card")
    return f"the player on turn has {held} and the limit is {hand_limit(state, state.turn)} [NINJA-03]"


def answering(duel: Snapshot) -> int:
    """Return the seat that must respond to an attack, given the Counters played (NINJA-12)."""
    return int(duel.attacker if duel.counters % 2 else duel.defender)


def cannot_attack(state: Snapshot) -> bool:
    """Return whether the attacking cards cannot attack their target (NINJA-10, 11)."""
    duel = state.duel
    cards = [kind for kind in duel.cards if kind != EMPTY]
    attackers = cards[-1] < COLOURS or (cards == [SPIRIT] and state.options.spirit == WILD)
    kind = state.areas[duel.defender].cards[duel.target]
    return not attackers or out_of_reach(state, duel.defender, kind, cards) is not None


def has_no_decoy(state: Snapshot) -> bool:
    """Return whether the defender is not asked for a Decoy, or cards are left of the attack (NINJA-41)."""
    duel = state.duel
    cards = duel.counters or duel.cards[0] != EMPTY
    return bool(cards or duel.answering != duel.defender or not may_use_decoy(state))


CONDITIONS = (
    Condition(
        "turn_no",
        turns_of_seat,
        lambda state: (state.turn_no - 1 - state.turn + state.match.first) % state.players,
    ),
    Condition(
        "duel.attacker",
        "the attacker must be the player on turn [NINJA-10]",
        lambda state: state.duel.attacker != state.turn,
        (ninjas.DUEL, ninjas.DECOYING),
    ),
    Condition(
        "duel.target[0]",
        "the target must be an opponent's card [NINJA-10]",
        lambda state: state.duel.defender == state.turn,
        (ninjas.DUEL, ninjas.DECOYING),
    ),
    Condition(
        "duel.cards",
        "these cards cannot attack that target [NINJA-10, NINJA-11]",
        cannot_attack,
        (ninjas.DUEL,),
    ),
    Condition(
        "duel.to_act",
        "defender and attacker must answer in turn [NINJA-12]",
        lambda state: state.duel.answering != answering(state.duel),
        (ninjas.DUEL,),
    ),
    Condition(
        "duel",
        "phase decoy needs a defender with a Decoy to act, and no cards [NINJA-41]",
        has_no_decoy,
        (ninjas.DECOYING,),
    ),
    Condition(
        "winners",
        "give at least one winner [NINJA-06, NINJA-09]",
        lambda state: not state.winners,
        (ninjas.OVER,),
    ),
    Condition(
        "phase",
        "Defenders have no abilities at this table [NINJA-30]",
        lambda state: not state.options.abilities,
        tuple(range(ninjas.DECOYING, ninjas.DISCARDING)),
    ),
    Condition(
        "phase",
        size_of_hand,
        lambda state: state.hands[state.turn].length <= hand_limit(state, state.turn),
        (ninjas.DISCARDING,),
    ),
    Condition(
        "phase",
        "nobody has more cards in hand than the player on turn [NINJA-34]",
        lambda state: not may_rob(state, state.turn),
        (ninjas.ROBBING,),
    ),
    Condition(
        "phase",
        "the robbed player must have more cards in hand than the player on turn [NINJA-34]",
        lambda state: state.hands[state.robbed].length <= state.hands[state.turn].length,
        (ninjas.GIVING,),
    ),
    Condition(
        "phase",
        "there is no Defender in the discard pile [NINJA-39]",
        lambda state: not may_heal(state),
        (ninjas.TAKING,),
    ),
    Condition(
        "phase",
        "the player to act has no cards in hand",
        lambda state: not state.hands[asked(state)].length,
        (ninjas.SCOUTING, ninjas.GIVING, ninjas.SUFFERING, ninjas.DISCARDING),
    ),
)
"""The conditions of every state."""


def settle_position(state: Fields) -> None:
    """Let the seat act that is asked. If a turn begins, the game may end by NINJA-06; no other step is carried out."""
    if state.phase == ninjas.ACT:
        state.turn_no -= 1
        begin_turn(state, state.turn)
    elif not state.over:
        state.to_act = 1 << asked(state)
