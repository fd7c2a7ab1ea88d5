"""CHIMAX CUT: the record of a game, its JSON form and what observations show (docs/rules/chimax.md, section 5)."""

from typing import Any, ClassVar

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import Form, number, placed
from fairdeal.engine.kit.piles import find, push
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.seats import is_in, members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import EMPTY, UNKNOWN
from fairdeal.engine.written import Condition, Field, Number, Numbers, OfCards, Places, Position, Seats
from fairdeal.games.chimax import record
from fairdeal.games.chimax.cards import DECLARABLE, FACE_CODES, KIND_OF
from fairdeal.games.chimax.cut import state as cut
from fairdeal.games.chimax.cut.options import CutOptions
from fairdeal.games.chimax.deck import CARDS, DECLARED, INFINITY, KINDS, QUESTION
from fairdeal.games.chimax.rules.tournament import everybody, set_table
from fairdeal.games.chimax.state import CUTTING, SEATS

ONLY_IN_PLAYOFFS = tuple(name for name in record.ONLY_IN_PLAYOFFS if name != "declared")
"""Fields that a round does not have."""


class Starter(record.Dealer):
    """The dealer, given as the seat to the left, which starts."""

    def json(self) -> list[tuple[Any, ...]]:
        return [("starter", int | None, None), *super().json()]

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {"starter": (state.dealer + 1) % state.players}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if given.starter is not None:
            dealer = (in_range("starter", given.starter, 0, state.players - 1) - 1) % state.players
            if given.dealer not in (None, dealer):
                reason = f"the starter must sit on the left of the dealer, seat {given.dealer}"
                raise BadPosition("starter", given.starter, reason)
            given.dealer = dealer
        super().read(given, state, counter)


class SeatValues(record.Values):
    """The declared values, which a position lists by seat only in a playoff."""

    kind: ClassVar[Any] = list[list[str | int] | str | int] | None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for place, values in enumerate(given.declared or []):
            if not isinstance(values, list):
                raise BadPosition(f"declared[{place}]", values, "in a playoff, give a list for each seat")
        super().read(given, state, counter)


class RoundValues(Field):
    """CUT-07: the values declared in a round by any seat, in order. They are `book.declared[0]` in the record."""

    def json(self) -> list[tuple[Any, ...]]:
        return []

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {} if state.tied else {"declared": [FACE_CODES[face] for face in state.book.declared[0].held]}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        declared = state.book.declared[0]
        for place, value in enumerate(() if state.tied else given.declared or []):
            if str(value) not in DECLARABLE or find(declared, KIND_OF[str(value)]) >= 0:
                reason = "give only 15, 25, 50 and 100, each at most once [CUT-07]"
                raise BadPosition(f"declared[{place}]", value, reason)
            push(declared, KIND_OF[str(value)])


class CutPack(record.Pack):
    """The deck. If a position leaves it out, each card that is left is unknown."""

    late: ClassVar[bool] = True

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        record.Pile.read(self, given, state, counter)
        for _ in range(cards_left(state) if given.deck is None and state.phase in cut.RUNNING else 0):
            push(state.pack, UNKNOWN)


def cards_left(state: Snapshot) -> int:
    """Return the number of cards that have not left the deck."""
    return int(CARDS - state.out.length - sum(kind != EMPTY for kind in (state.shown, *state.kept)))


class Alive(Seats):
    """The seats still in the round, by default all."""

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        super().read(given, state, counter)
        if given.alive is None:
            state.alive = everybody(state)


class Kept(Places):
    """CUT-05: the card that each seat has kept."""

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        state.kept[:] = [EMPTY] * SEATS
        for seat, code in enumerate(self.items(given, state, None)):
            if code is not None:
                state.kept[seat] = counter.visible(f"kept[{seat}]", code)

    def forms(self) -> dict[str, Form]:
        return {"kept": placed(KINDS, self.words)}


class Shown(OfCards):
    """CUT-04: the card that is shown to all, which the player may keep."""

    kind: ClassVar[Any] = str | int | None

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {"shown": self.cards.code(state.shown)}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        state.shown = EMPTY if given.shown is None else counter.kind("shown", given.shown)

    def forms(self) -> dict[str, Form]:
        return {"shown": placed(KINDS, self.words)}


class Cuts(Number):
    """CUT-04: the number of cuts in this turn, by default one if a card is shown."""

    kind: ClassVar[Any] = int | None

    @property
    def usual(self) -> Any:
        return None

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        cuts = int(given.shown is not None) if given.cuts is None else given.cuts
        state.cuts = in_range("cuts", cuts, 0, self.most(state))


class Out(record.Pile):
    """The cards that have left the deck, in order."""

    def forms(self) -> dict[str, Form]:
        return {"out.cards": number(self.words)}


class Scores(record.Scores):
    """CUT-08: the points of the round that has ended."""

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {} if state.phase in cut.RUNNING else super().write(state)


POSITION = Position(
    record.WHOLE_DECK,
    options_record(CutOptions),
    SEATS,
    **record.table(
        ("decide", "declare"),
        lambda given, state: "cut" if given.shown is None else "decide",
        dealer=Starter(),
        tied=record.Tied("tied seats in a playoff", sparse=True, only=ONLY_IN_PLAYOFFS),
        book=record.book_field(declared=SeatValues("declared values, in order")),
        pack=CutPack(key="deck", room=CARDS, unknown=True, zone="pack"),
        round_scores=Scores(lowest=-1, highest=1, default=0),
    ),
    alive=Alive("seats still in the round"),
    kept=Kept("kept card", zone="kept{}"),
    shown=Shown("card shown", zone="shown"),
    cuts=Cuts(highest=lambda state: state.options.recuts + 1),
    out=Out("cards that have left the deck, in order", room=CARDS),
    declared=RoundValues(at="book.declared"),
    wins=Numbers(at="match.totals", lowest=-100, highest="rounds", default=0, counter="point"),
)


def prepare_position(state: Fields) -> None:
    """Clear the table."""
    set_table(state, state.options.rounds)


def least(state: Snapshot) -> int:
    """Return the lowest number of points in a round (CUT-08)."""
    return -1 if state.options.mode == cut.ONE_CUT else 0


def has_wrong_players(state: Snapshot) -> bool:
    """Return whether too few seats are in the round (CUT-06)."""
    alive = len(members(state.alive))
    return alive < 2 or (state.options.mode != cut.KNOCKOUT and alive < state.players)


def may_not_keep(state: Snapshot, seat: int) -> bool:
    """Return whether a seat has kept a card although it cannot (CUT-06)."""
    can = state.options.mode != cut.UNTIL_INFINITY and is_in(state.alive, seat)
    return state.kept[seat] != EMPTY and not can


def cannot_be_on_turn(state: Snapshot) -> bool:
    """Return whether the seat on turn is out of the round, or has kept a card too early or not at all (CUT-03)."""
    keeps = state.kept[state.turn] != EMPTY
    return not is_in(state.alive, state.turn) or keeps != (state.phase == cut.DECLARING)


def has_nothing_to_declare(state: Snapshot) -> bool:
    """Return whether the seat on turn has not kept a question mark that it can declare (CUT-07)."""
    waits = state.kept[state.turn] == QUESTION and state.options.qmark == cut.DECLARED_MARKS
    return not waits or state.book.declared[0].length == len(DECLARABLE)


def has_cut_too_often(state: Snapshot) -> bool:
    """Return whether the number of cuts does not fit the phase (CUT-04)."""
    if state.phase != cut.DECIDING:
        return bool(state.cuts)
    return not 1 <= state.cuts <= state.options.recuts or state.options.mode == cut.UNTIL_INFINITY


CONDITIONS = (
    *record.TABLE_CONDITIONS,
    Condition(
        "round",
        lambda state: f"this match has {state.match.games} rounds",
        lambda state: state.match.game > state.match.games + bool(state.tied),
    ),
    Condition("alive", "at least one seat must be in the round", lambda state: not state.alive),
    Condition(
        "deck",
        "the deck is empty between rounds; it is shuffled at `deal` [GEN-15]",
        lambda state: state.phase not in cut.RUNNING and state.pack.length,
    ),
    Condition(
        "kept[{}]",
        "Infinity wins the round at once and is not kept [CUT-05]",
        lambda state, seat: state.kept[seat] == INFINITY,
    ),
    Condition(
        "kept[{}]",
        "this value must also be listed in `declared` [CUT-07]",
        lambda state, seat: (
            not state.tied
            and state.kept[seat] >= DECLARED
            and state.kept[seat] - DECLARED not in state.book.declared[0].held
        ),
    ),
    Condition(
        "wins[{}]",
        "a round costs a point only if each seat has one cut [CUT-08]",
        lambda state, seat: state.match.totals[seat] < least(state) * state.options.rounds,
    ),
    Condition(
        "round_scores[{}]",
        "a round costs a point only if each seat has one cut [CUT-08]",
        lambda state, seat: state.round_scores[seat] < least(state),
    ),
    Condition(
        "round_scores", "the current round has no scores yet", lambda state: any(state.round_scores), cut.RUNNING
    ),
    Condition(
        "alive",
        "at least two seats must be in; all seats if nobody can drop out [CUT-06]",
        has_wrong_players,
        cut.RUNNING,
    ),
    Condition("kept[{}]", "this seat cannot keep a card [CUT-06]", may_not_keep, cut.RUNNING),
    Condition(
        "turn",
        "give a seat in the round, which has kept a card in phase declare only [CUT-03]",
        cannot_be_on_turn,
        cut.RUNNING,
    ),
    Condition(
        "phase",
        "the seat on turn has not kept a ? that it can declare [CUT-07]",
        has_nothing_to_declare,
        (cut.DECLARING,),
    ),
    Condition(
        "shown",
        "give a card in phase decide only, and not Infinity, which ends the round [CUT-05]",
        lambda state: (state.shown != EMPTY) != (state.phase == cut.DECIDING) or state.shown == INFINITY,
        cut.RUNNING,
    ),
    Condition(
        "cuts",
        lambda state: f"the maximum is {state.options.recuts} in phase decide and 0 in other phases [CUT-04]",
        has_cut_too_often,
        cut.RUNNING,
    ),
    Condition(
        "deck",
        lambda state: f"give {2 if state.phase == CUTTING else 0} to {cards_left(state)} cards [CUT-03]",
        lambda state: not (2 if state.phase == CUTTING else 0) <= state.pack.length <= cards_left(state),
        cut.RUNNING,
    ),
)
"""The conditions of every state."""
