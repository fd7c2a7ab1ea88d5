"""CHIMAX CUT: positions in writing (docs/rules/chimax.md, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.piles import push
from fairdeal.engine.positions import converted, in_range, sized
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.cards import DECLARABLE, KIND_OF, code_of
from fairdeal.games.chimax.cut.rules import is_in
from fairdeal.games.chimax.cut.state import DECIDING, DECLARED_MARKS, DECLARING, KNOCKOUT, ONE_CUT, UNTIL_INFINITY
from fairdeal.games.chimax.deck import CARDS, DECLARED, INFINITY, QUESTION
from fairdeal.games.chimax.state import CUTTING
from fairdeal.games.chimax.text.positions import (
    FaceCounter,
    TablePosition,
    pile_codes,
    pile_kinds,
    read_numbers,
    read_open,
    read_plain,
    read_table,
    write_table,
)

OWN_PHASES = ("decide", "declare")
RUNNING = (CUTTING, DECIDING, DECLARING)
"""The phases in which a round is under way."""

ONLY_IN_PLAYOFFS = ("hands", "leader", "book", "won", "books", "taps", "committed")


class CutPosition(TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position; what may be left out has a default."""

    starter: int | None = None
    alive: list[int] | None = None
    kept: list[str | int | None] | None = None
    shown: str | int | None = None
    cuts: int | None = None
    out: list[str | int] | None = None
    wins: list[int] | None = None
    round_scores: list[int] | None = None


class Values(msgspec.Struct):
    """The values declared in a round; in a playoff they are listed by seat, as in every game."""

    declared: list[str | int] = []


# --- writing -----------------------------------------------------------------------------------------------------


def write_position(state: Record) -> dict[str, Any]:
    """The JSON form. `starter` stands for the dealer, whose left it is."""
    players = int(state.players)
    position = write_table(state, OWN_PHASES)
    position["starter"] = (position.pop("dealer") + 1) % players
    position |= {
        "deck": pile_codes(state.pack),
        "alive": [seat for seat in range(players) if is_in(state, seat)],
        "kept": [code_of(kind) for kind in state.kept.tolist()[:players]],
        "shown": code_of(int(state.shown)),
        "cuts": int(state.cuts),
        "out": pile_codes(state.out),
        "wins": state.match.totals.tolist()[:players],
    }
    if not int(state.tied):
        position["declared"] = pile_codes(state.book.declared[0])
    if int(state.phase) not in RUNNING:
        position["round_scores"] = state.round_scores.tolist()[:players]
    return position


# --- reading -----------------------------------------------------------------------------------------------------


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state with its options. No automatic step is run."""
    given, values = split(position)
    players = int(state.players)
    read_starter(given, players)
    read_table(state, given, OWN_PHASES, "cut" if given.shown is None else "decide", int(state.options.rounds))
    most = int(state.match.games) + (1 if int(state.tied) else 0)
    in_range("round", given.round, 1, most)
    for name in () if int(state.tied) else ONLY_IN_PLAYOFFS:
        if getattr(given, name) not in (None, []):
            raise BadPosition(name, getattr(given, name), "only a playoff has this")
    if int(state.phase) not in RUNNING and given.deck:
        raise BadPosition("deck", given.deck, "the deck is empty between rounds; it is shuffled at `deal` [GEN-15]")
    read_values(state, values)
    read_open_cards(state, given)
    read_scores(state, given)
    if int(state.phase) in RUNNING:
        check_round(state, given)
        fill_deck(state, given)
    count_faces(state)


def split(position: Mapping[str, Any]) -> tuple[CutPosition, Values]:
    """The fields of a position; `declared` apart, unless it is that of a playoff."""
    if position.get("tied"):
        return converted(position, CutPosition), Values()
    rest = {name: value for name, value in position.items() if name != "declared"}
    declared = {"declared": position["declared"]} if "declared" in position else {}
    return converted(rest, CutPosition), converted(declared, Values)


def read_starter(given: CutPosition, players: int) -> None:
    """The starter is the dealer's left; both may be given if they agree."""
    if given.starter is None:
        return
    dealer = (in_range("starter", given.starter, 0, players - 1) - 1) % players
    if given.dealer not in (None, dealer):
        raise BadPosition("starter", given.starter, f"the dealer's left starts, and the dealer is {given.dealer}")
    given.dealer = dealer


def read_values(state: Record, values: Values) -> None:
    """CUT-07: each value is declared once in a round."""
    declared = state.book.declared[0]
    for number, value in enumerate(values.declared):
        if str(value) not in DECLARABLE or KIND_OF[str(value)] in declared.cards.tolist()[: int(declared.length)]:
            raise BadPosition(f"declared[{number}]", value, "15, 25, 50 and 100, each at most once [CUT-07]")
        push(declared, KIND_OF[str(value)])


def read_open_cards(state: Record, given: CutPosition) -> None:
    """Who is still in, and the cards that have left the deck."""
    players = int(state.players)
    for number, seat in enumerate(range(players) if given.alive is None else given.alive):
        state.alive |= 1 << in_range(f"alive[{number}]", seat, 0, players - 1)
    if not int(state.alive):
        raise BadPosition("alive", [], "somebody is always in")
    for seat in range(len(state.kept)):
        state.kept[seat] = EMPTY
    for seat, code in enumerate(sized("kept", given.kept or [None] * players, players)):
        if code is not None:
            state.kept[seat] = read_kept(state, f"kept[{seat}]", code)
    state.shown = EMPTY if given.shown is None else read_known("shown", given.shown)
    state.cuts = in_range("cuts", cuts_of(state, given), 0, int(state.options.recuts) + 1)
    out = given.out or []
    if len(out) > CARDS:
        raise BadPosition("out", len(out), f"there are {CARDS} cards")
    for number, code in enumerate(out):
        push(state.out, read_known(f"out[{number}]", code))


def cuts_of(state: Record, given: CutPosition) -> int:
    """Cuts of the turn under way: at least one if a card is shown."""
    return given.cuts if given.cuts is not None else int(given.shown is not None)


def read_known(path: str, code: object) -> int:
    """A plain card that everybody can see."""
    kind = read_plain(path, code)
    if kind in (UNKNOWN, EMPTY):
        raise BadPosition(path, code, "this card lies open")
    return kind


def read_kept(state: Record, path: str, code: object) -> int:
    """CUT-05, 07: Infinity is never kept; a question mark may stand for a value that was declared."""
    kind = read_open(path, code)
    declared = state.book.declared[0]
    if kind == INFINITY:
        raise BadPosition(path, code, "Infinity wins the round at once and is not kept [CUT-05]")
    values = declared.cards.tolist()[: int(declared.length)]
    if kind >= DECLARED and not int(state.tied) and kind - DECLARED not in values:
        raise BadPosition(path, code, "its value belongs among those declared [CUT-07]")
    return kind


def read_scores(state: Record, given: CutPosition) -> None:
    """CUT-08: the points, in all and of the round just scored."""
    players, rounds = int(state.players), int(state.match.games)
    least = -1 if int(state.options.mode) == ONE_CUT else 0
    read_numbers(state.match.totals[:players], "wins", given.wins, least * rounds, rounds)
    read_numbers(state.round_scores[:players], "round_scores", given.round_scores, least, 1)
    if int(state.phase) in RUNNING and any(given.round_scores or []):
        raise BadPosition("round_scores", given.round_scores, "the round under way is not scored yet")


def check_round(state: Record, given: CutPosition) -> None:
    """CUT-03 to CUT-07: what belongs together while a round is under way."""
    phase, turn, mode = int(state.phase), int(state.turn), int(state.options.mode)
    everybody = (1 << int(state.players)) - 1
    if int(state.alive).bit_count() < 2 or (mode != KNOCKOUT and int(state.alive) != everybody):
        raise BadPosition("alive", given.alive, "two or more are in; all of them where nobody drops out [CUT-06]")
    kept = [seat for seat, kind in enumerate(state.kept.tolist()) if kind != EMPTY]
    wrong = next((seat for seat in kept if mode == UNTIL_INFINITY or not is_in(state, seat)), None)
    if wrong is not None:
        raise BadPosition(f"kept[{wrong}]", code_of(int(state.kept[wrong])), "this seat keeps nothing [CUT-06]")
    if not is_in(state, turn) or (turn in kept) != (phase == DECLARING):
        raise BadPosition("turn", given.turn, "a seat that is in and has not kept a card cuts [CUT-03]")
    if phase == DECLARING and not may_declare(state, turn):
        raise BadPosition("phase", given.phase, "the seat on turn has kept no ? that can be declared [CUT-07]")
    shown = int(state.shown)
    if (shown != EMPTY) != (phase == DECIDING) or shown == INFINITY:
        raise BadPosition(
            "shown", given.shown, "a card is shown in phase decide only; Infinity ends the round [CUT-05]"
        )
    cuts, recuts = int(state.cuts), int(state.options.recuts)
    if (phase == DECIDING and (not 1 <= cuts <= recuts or mode == UNTIL_INFINITY)) or (phase != DECIDING and cuts):
        raise BadPosition("cuts", cuts, f"a card can be cut away {recuts} times, and must then be kept [CUT-04]")


def may_declare(state: Record, seat: int) -> bool:
    """CUT-07: does this seat's question mark wait for a value?"""
    free = int(state.book.declared[0].length) < len(DECLARABLE)
    return free and int(state.kept[seat]) == QUESTION and int(state.options.qmark) == DECLARED_MARKS


def fill_deck(state: Record, given: CutPosition) -> None:
    """A deck that is not written down is all the rest; together there are no more cards than there are."""
    elsewhere = int(state.out.length) + int(int(state.shown) != EMPTY)
    elsewhere += sum(kind != EMPTY for kind in state.kept.tolist())
    if given.deck is None:
        for _ in range(CARDS - elsewhere):
            push(state.pack, UNKNOWN)
    least = 2 if int(state.phase) == CUTTING else 0
    in_range("deck", int(state.pack.length), least, CARDS - elsewhere)


def count_faces(state: Record) -> None:
    """GEN-01: no face is met more often than the deck has it."""
    counter = FaceCounter()
    counter.add_all("kept", state.kept.tolist())
    counter.add_all("out", pile_kinds(state.out))
    counter.add("shown", int(state.shown))
    if int(state.phase) in RUNNING:
        counter.add_all("deck", pile_kinds(state.pack))
