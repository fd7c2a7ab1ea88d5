"""CHIMAX CUT: positions as JSON (docs/rules/chimax.md, section 5)."""

from collections.abc import Mapping
from typing import Any

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.piles import find, push
from fairdeal.engine.kit.positions import in_range, opened, sized
from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot, snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.games.chimax.cards import DECLARABLE, KIND_OF, code_of
from fairdeal.games.chimax.cut import state as cut
from fairdeal.games.chimax.deck import CARDS, DECLARED, INFINITY, QUESTION
from fairdeal.games.chimax.state import CUTTING
from fairdeal.games.chimax.text import positions as shared

OWN_PHASES = ("decide", "declare")
ONLY_IN_PLAYOFFS = ("hands", "leader", "book", "won", "books", "taps", "committed")


class CutPosition(shared.TablePosition, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position. Fields that can be omitted have a default. `declared` lists the values declared in a
    round, in order; in a playoff it lists them by seat, as in all games."""

    starter: int | None = None
    alive: list[int] | None = None
    kept: list[str | int | None] | None = None
    shown: str | int | None = None
    cuts: int | None = None
    out: list[str | int] | None = None
    wins: list[int] | None = None
    round_scores: list[int] | None = None
    declared: list[list[str | int] | str | int] | None = None  # type: ignore[assignment]


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position in its JSON form. It has `starter`, the seat to the dealer's left, in place of the dealer."""
    players = state.players
    position = shared.write_table(state, OWN_PHASES)
    position["starter"] = (position.pop("dealer") + 1) % players
    position |= {
        "deck": shared.pile_codes(state.pack),
        "alive": members(state.alive),
        "kept": [code_of(kind) for kind in state.kept[:players]],
        "shown": code_of(state.shown),
        "cuts": state.cuts,
        "out": shared.pile_codes(state.out),
        "wins": state.match.totals[:players],
    }
    if not state.tied:
        position["declared"] = shared.pile_codes(state.book.declared[0])
    if state.phase not in cut.RUNNING:
        position["round_scores"] = state.round_scores[:players]
    return position


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options. No automatic steps are carried out."""
    given, state = opened(position, CutPosition, state)
    players, rounds = state.players, state.options.rounds
    read_starter(given, players)
    for number, values in enumerate(given.declared or [] if given.tied else []):
        if not isinstance(values, list):
            raise BadPosition(f"declared[{number}]", values, "in a playoff, give a list for each seat")
    shared.read_table(state, given, OWN_PHASES, "cut" if given.shown is None else "decide", rounds)
    in_range("round", given.round, 1, rounds + bool(state.tied))
    for name in () if state.tied else ONLY_IN_PLAYOFFS:
        if getattr(given, name) not in (None, []):
            raise BadPosition(name, getattr(given, name), "allowed only in a playoff")
    running = state.phase in cut.RUNNING
    if not running and given.deck:
        raise BadPosition("deck", given.deck, "the deck is empty between rounds; it is shuffled at `deal` [GEN-15]")
    if not state.tied:
        read_values(state, given)
    counted = shared.FaceCounter()
    read_open_cards(state, given, counted)
    read_scores(state, given, running)
    if running:
        check_round(snapshot(state), given)
        fill_deck(state, given)
    counted.add_all("deck", snapshot(state.pack).held)


def read_starter(given: CutPosition, players: int) -> None:
    """Set the dealer from the starter, who sits to the dealer's left. If both are given, they must agree."""
    if given.starter is None:
        return
    dealer = (in_range("starter", given.starter, 0, players - 1) - 1) % players
    if given.dealer not in (None, dealer):
        raise BadPosition(
            "starter", given.starter, f"the starter must sit on the left of the dealer, seat {given.dealer}"
        )
    given.dealer = dealer


def read_values(state: Record, given: CutPosition) -> None:
    """Read the declared values. Each can be used only once in a round (CUT-07)."""
    declared = state.book.declared[0]
    for number, value in enumerate(given.declared or []):
        if str(value) not in DECLARABLE or find(declared, KIND_OF[str(value)]) >= 0:
            raise BadPosition(f"declared[{number}]", value, "give only 15, 25, 50 and 100, each at most once [CUT-07]")
        push(declared, KIND_OF[str(value)])


def read_open_cards(state: Record, given: CutPosition, counted: shared.FaceCounter) -> None:
    """Read the seats still in the round, and the cards that have left the deck."""
    players = state.players
    for number, seat in enumerate(range(players) if given.alive is None else given.alive):
        state.alive |= 1 << in_range(f"alive[{number}]", seat, 0, players - 1)
    if not state.alive:
        raise BadPosition("alive", [], "at least one seat must be in the round")
    state.kept[:] = [EMPTY] * len(state.kept)
    for seat, code in enumerate(sized("kept", given.kept or [None] * players, players)):
        if code is not None:
            state.kept[seat] = read_kept(state, f"kept[{seat}]", code, counted)
    state.shown = EMPTY if given.shown is None else counted.face("shown", given.shown)
    cuts = int(given.shown is not None) if given.cuts is None else given.cuts
    state.cuts = in_range("cuts", cuts, 0, state.options.recuts + 1)
    out = given.out or []
    if len(out) > CARDS:
        raise BadPosition("out", len(out), f"there are only {CARDS} cards")
    for number, code in enumerate(out):
        push(state.out, counted.face(f"out[{number}]", code))


def read_kept(state: Record, path: str, code: object, counted: shared.FaceCounter) -> int:
    """Read a kept card, which cannot be Infinity and may be a declared question mark (CUT-05, 07)."""
    kind = shared.read_open(path, code)
    if kind == INFINITY:
        raise BadPosition(path, code, "Infinity wins the round at once and is not kept [CUT-05]")
    if kind >= DECLARED and not state.tied and find(state.book.declared[0], kind - DECLARED) < 0:
        raise BadPosition(path, code, "this value must also be listed in `declared` [CUT-07]")
    counted.add(path, kind)
    return kind


def read_scores(state: Record, given: CutPosition, running: bool) -> None:
    """Read the totals, and the points of the round just scored (CUT-08)."""
    players, rounds = state.players, state.options.rounds
    least = -1 if state.options.mode == cut.ONE_CUT else 0
    shared.read_numbers(players, state.match.totals, "wins", given.wins, least * rounds, rounds)
    shared.read_numbers(players, state.round_scores, "round_scores", given.round_scores, least, 1)
    if running and any(given.round_scores or []):
        raise BadPosition("round_scores", given.round_scores, "the current round has no scores yet")


def check_round(state: Snapshot, given: CutPosition) -> None:
    """Check the fields of a round in progress for contradictions (CUT-03 to CUT-07)."""
    phase, turn, mode, alive = state.phase, state.turn, state.options.mode, members(state.alive)
    if len(alive) < 2 or (mode != cut.KNOCKOUT and len(alive) < state.players):
        raise BadPosition(
            "alive", given.alive, "at least two seats must be in; all seats if nobody can drop out [CUT-06]"
        )
    kept = [seat for seat, kind in enumerate(state.kept) if kind != EMPTY]
    for seat in kept:
        if mode == cut.UNTIL_INFINITY or seat not in alive:
            raise BadPosition(f"kept[{seat}]", code_of(state.kept[seat]), "this seat cannot keep a card [CUT-06]")
    if turn not in alive or (turn in kept) != (phase == cut.DECLARING):
        raise BadPosition(
            "turn", given.turn, "give a seat in the round, which has kept a card in phase declare only [CUT-03]"
        )
    waits = state.kept[turn] == QUESTION and state.options.qmark == cut.DECLARED_MARKS
    if phase == cut.DECLARING and not (waits and state.book.declared[0].length < len(DECLARABLE)):
        raise BadPosition("phase", given.phase, "the seat on turn has not kept a ? that it can declare [CUT-07]")
    if (state.shown != EMPTY) != (phase == cut.DECIDING) or state.shown == INFINITY:
        reason = "give a card in phase decide only, and not Infinity, which ends the round [CUT-05]"
        raise BadPosition("shown", given.shown, reason)
    cuts, recuts = state.cuts, state.options.recuts
    if (phase == cut.DECIDING and (not 1 <= cuts <= recuts or mode == cut.UNTIL_INFINITY)) or (
        phase != cut.DECIDING and cuts
    ):
        raise BadPosition("cuts", cuts, f"the maximum is {recuts} in phase decide and 0 in other phases [CUT-04]")


def fill_deck(state: Record, given: CutPosition) -> None:
    """Fill a deck that is not given with an unknown card for each remaining card, and check its size."""
    rest = CARDS - state.out.length - sum(kind != EMPTY for kind in (state.shown, *state.kept))
    for _ in range(rest if given.deck is None else 0):
        push(state.pack, UNKNOWN)
    in_range("deck", state.pack.length, 2 if state.phase == CUTTING else 0, rest)
