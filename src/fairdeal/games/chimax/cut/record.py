"""CHIMAX CUT: the record of a game, its JSON form and what observations show (docs/rules/chimax.md, section 5)."""

from typing import Any, ClassVar

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import absent, number, placed
from fairdeal.engine.kit.piles import find, push
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.seats import is_in, members, seat_after
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import EMPTY, UNKNOWN, i2, pile
from fairdeal.engine.written import (
    Condition,
    Derived,
    Number,
    Numbers,
    OfCards,
    Places,
    Position,
    Seat,
    Seats,
    Unwritten,
)
from fairdeal.games.chimax import record
from fairdeal.games.chimax.cards import DECLARABLE, KIND_OF
from fairdeal.games.chimax.cut import state as cut
from fairdeal.games.chimax.cut.options import CutOptions
from fairdeal.games.chimax.deck import CARDS, DECLARED, INFINITY, KINDS, QUESTION
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.state import CUTTING, SEATS


class Dealer(Seat):
    """The dealer, who sits to the right of the seat that starts. Positions are written with that seat."""

    def write(self, state: Snapshot) -> dict[str, Any]:
        return {}


def dealer_of(given: Any, state: Fields) -> int:
    """Return the dealer of a position that does not name one."""
    last = state.players - 1
    return last if given.starter is None else (in_range("starter", given.starter, 0, last) - 1) % state.players


class CutValues(record.Values):
    """CUT-07: the values that were declared in a round, by any seat, in order, which are `declared[0]` in the record.
    In a playoff they are listed by seat."""

    kind: ClassVar[Any] = list[list[str] | str] | None

    def write(self, state: Snapshot) -> dict[str, Any]:
        found = super().write(state)
        return found if state.tied else {"declared": found["declared"][0]}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        declared = state.book.declared[0]
        for place, value in enumerate(given.declared or []):
            path = f"declared[{place}]"
            if state.tied and not isinstance(value, list):
                raise BadPosition(path, value, "in a playoff, give a list for each seat")
            if not state.tied:
                kind = KIND_OF[str(value)] if str(value) in DECLARABLE else EMPTY
                if kind == EMPTY or find(declared, kind) >= 0:
                    raise BadPosition(path, value, "give only 15, 25, 50 and 100, each at most once [CUT-07]")
                push(declared, kind)
        if state.tied:
            super().read(given, state, counter)


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


class Kept(Places):
    """CUT-05: the card that each seat has kept."""

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        state.kept[:] = [EMPTY] * SEATS
        for seat, code in enumerate(self.items(given, state, None)):
            if code is not None:
                state.kept[seat] = counter.visible(f"kept[{seat}]", code)


class Shown(OfCards):
    """CUT-04: the card that is shown to all, which the player may keep."""

    kind: ClassVar[Any] = str | int | None

    def in_json(self, state: Snapshot) -> Any:
        return self.cards.code(state.shown)

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        state.shown = EMPTY if given.shown is None else counter.kind("shown", given.shown)


POSITION = Position(
    record.WHOLE_DECK,
    options_record(CutOptions),
    SEATS,
    **record.table(
        ("decide", "declare"),
        lambda given, state: "cut" if given.shown is None else "decide",
        dealer=Dealer(default=dealer_of),
        book=record.Book(
            flat=True,
            parts=record.PARTS_OF_BOOK
            | {"declared": Unwritten(store=record.VALUES, shown={"cards": record.VALUES_SHOWN})},
            **record.IN_PLAYOFF,
        ),
        pack=CutPack(key="deck", store=pile(CARDS), form=absent(), unknown=True, zone="pack"),
        round_scores=Numbers(
            store=(i2, SEATS),
            lowest=-1,
            highest=1,
            default=0,
            when=lambda state: state.phase not in cut.RUNNING,
            only="between rounds",
        ),
    ),
    starter=Derived(
        of=int,
        value=lambda state: seat_after(state, state.dealer),
        reason="the starter must sit on the left of the dealer, seat {state.dealer}",
    ),
    alive=Seats("seats still in the round", default=lambda given, state: range(state.players)),
    kept=Kept(zone="kept{}", form=placed(KINDS, "kept card")),
    shown=Shown(zone="shown", form=placed(KINDS, "card shown")),
    cuts=Number(
        default=lambda given, state: int(given.shown is not None), highest=lambda state: state.options.recuts + 1
    ),
    out=record.Pile(store=pile(CARDS), form=number("cards that have left the deck, in order")),
    declared=CutValues(at="book.declared"),
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
        "alive",
        "at least two seats must be in; all seats if nobody can drop out [CUT-06]",
        has_wrong_players,
        cut.RUNNING,
    ),
    Condition(
        "kept[{}]",
        "this seat cannot keep a card [CUT-06]",
        lambda state, seat: (
            state.kept[seat] != EMPTY and (state.options.mode == cut.UNTIL_INFINITY or not is_in(state.alive, seat))
        ),
        cut.RUNNING,
    ),
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
