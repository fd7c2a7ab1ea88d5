"""Case files: worked examples in YAML, which the tests and `fairdeal check` run. docs/cases.md describes them."""

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml
from yaml.composer import Composer

from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import BadCase, BadPosition, FairdealError, IllegalMove, UnknownGame, in_a_line
from fairdeal.engine.files import read_text
from fairdeal.engine.kit import chance
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, Table, setup_blank, table_for

ORDERED = {"deck", "row", "finished", "totals", "bank", "army", "tax", "table", "slots"}
"""Lists in which order matters; other lists of cards are compared without order."""

COUNT = re.compile(r"count\(([^()]+)\)")
PATH = re.compile(r"[A-Za-z_]+(\[\d{1,4}\]|\.[A-Za-z_]+)*")
SHORT_PLAY = re.compile(r"(\d+): *(.+)")


class Play(msgspec.Struct, forbid_unknown_fields=True):
    """A move that must be legal."""

    seat: int
    move: str


class Legal(msgspec.Struct, forbid_unknown_fields=True):
    """Conditions on the legal moves of a seat: all of them, some of them, moves that are not legal, or their number."""

    seat: int
    exactly: list[str] | None = None
    includes: list[str] = []
    excludes: list[str] = []
    count: int | None = None

    def __post_init__(self) -> None:
        if self.exactly is None and not self.includes and not self.excludes and self.count is None:
            raise ValueError("a step `legal` must have `exactly`, `includes`, `excludes` or `count`")


class Illegal(msgspec.Struct, forbid_unknown_fields=True):
    """A move that must be rejected, and the clause that the error must name."""

    seat: int
    move: str
    clause: str = ""


class View(msgspec.Struct, forbid_unknown_fields=True):
    """Expected values in the view of the position that a seat, or `spectator`, has."""

    seat: int | Literal["spectator"]
    expect: dict[str, Any]
    recall: bool = False


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """One step of a case. Exactly one field must be set."""

    play: Play | str | None = None
    legal: Legal | None = None
    illegal: Illegal | None = None
    expect: dict[str, Any] | None = None
    view: View | None = None
    over: bool | None = None
    scores: list[int] | None = None
    ranks: list[int] | None = None
    to_act: list[int] | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        given = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(
                f"a step must be exactly one of {', '.join(self.__struct_fields__)}, not {given or 'nothing'}"
            )
        if self.expect == {} or (self.view and not self.view.expect):
            raise ValueError("a step `expect` must have a path and its value")
        if isinstance(self.play, str):
            short = SHORT_PLAY.fullmatch(self.play)
            if not short:
                raise ValueError(f"{self.play!r}: the short form of a move must be 'seat: move'")
            self.play = Play(int(short[1]), short[2])


class Case(msgspec.Struct, forbid_unknown_fields=True):
    """A worked example: a position or a deal, followed by steps with moves and checks."""

    id: str
    clauses: list[str]
    steps: list[Step]
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}
    deal: int | str | None = None
    seed: int | str = 0

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a case must have at least one step")
        if self.deal is not None and self.position:
            raise ValueError("a case must have either a position or a deal, not both")
        if self.deal is not None and self.seed != 0:
            raise ValueError("`seed` is allowed only with a position, because `deal` is itself a seed")
        if any(step.error is not None for step in self.steps) and (len(self.steps) > 1 or self.deal is not None):
            raise ValueError("`error` must be the only step, and the case must have a position")


class CaseFile(msgspec.Struct, forbid_unknown_fields=True):
    """A file of cases. The options and the position of a case override those of the file."""

    game: str
    cases: list[Case]
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}

    def __post_init__(self) -> None:
        twice = [name for name, times in Counter(case.id for case in self.cases).items() if times > 1]
        if twice:
            raise ValueError(f"two cases have the id {twice[0]!r}")


@dataclass(frozen=True)
class Outcome:
    """The result of a case. `problem` is empty if the case passed."""

    file: str
    case: str
    clauses: tuple[str, ...]
    problem: str


class _Failure(FairdealError):
    """Raised when a step fails."""


if yaml.__with_libyaml__:
    from yaml.cyaml import CSafeLoader

    class QuickLoader(Composer, CSafeLoader):
        """A loader that parses with libyaml and composes with PyYAML, because libyaml's composer crashes the process on
        deeply nested text."""

        def __init__(self, text: str) -> None:
            CSafeLoader.__init__(self, text)
            Composer.__init__(self)


def read_yaml(text: str) -> Any:
    """Parse `text` as YAML. libyaml takes a quarter of the time, but its error messages are less precise."""
    if yaml.__with_libyaml__:
        with contextlib.suppress(yaml.YAMLError, UnicodeEncodeError):
            return yaml.load(text, QuickLoader)
    return yaml.safe_load(text)


def read_cases(path: Path) -> CaseFile:
    """Read a case file. Raises BadCase, with the place of the error, if the file cannot be read."""
    try:
        text = read_text(path)
    except FairdealError as problem:
        raise BadCase(str(problem)) from None
    try:
        return msgspec.convert(read_yaml(text), CaseFile)
    except yaml.MarkedYAMLError as problem:
        parts = (problem.context, problem.context_mark), (problem.problem, problem.problem_mark)
        told = [f"{words} (line {mark.line + 1}, column {mark.column + 1})" for words, mark in parts if words and mark]
        raise BadCase(f"{path}: {'; '.join(told)}") from None
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError) as problem:
        # PyYAML does not wrap errors within a value, such as the date 2001-99-99
        raise BadCase(f"{path}: {' '.join(str(problem).split())}") from None


def run_file(path: Path, *, with_twin: bool = False) -> Iterator[Outcome]:
    """Run every case of a file. With `with_twin`, the plain and the compiled rules must produce the same bytes."""
    file = read_cases(path)
    with contextlib.suppress(UnknownGame):  # which every case reports; a BrokenGame is raised once
        game = find_game(file.game)
        if with_twin:
            compiled.compiled(game)
    for case in file.cases:
        yield outcome_of(path, file, case, with_twin)


def outcome_of(path: Path, file: CaseFile, case: Case, with_twin: bool) -> Outcome:
    """Run a case of a file."""
    problem, number = "", 0
    try:
        for done in run_case(file, case, with_twin):
            number = done
    except (FairdealError, UnicodeEncodeError) as error:
        problem = f"step {number + 1}: {error}"
    except Exception as error:  # raised by the rules or words of a game
        problem = f"step {number + 1}: {in_a_line(error)}"
    return Outcome(path.name, case.id, tuple(case.clauses), problem)


def run_case(file: CaseFile, case: Case, with_twin: bool) -> Iterator[int]:
    """Run the steps of a case, and yield the number of each step when it is completed."""
    table = table_for(file.game, file.options | case.options)
    position = file.position | case.position
    if case.steps[0].error is not None:
        try:
            table.setup(position)
        except BadPosition as problem:
            if problem.path != case.steps[0].error:
                raise _Failure(f"refused at {problem.path}, not at {case.steps[0].error}") from None
            return
        raise _Failure(f"the position is accepted, but should be refused at {case.steps[0].error}")
    state = table.setup(position, case.seed) if case.deal is None else table.deal(case.deal)
    if with_twin and state.record.tobytes() != plain_start(table, position, case).record.tobytes():
        raise _Failure("plain and compiled rules differ before the first move")
    for number, step in enumerate(case.steps, start=1):
        run_step(state, step, with_twin)
        yield number


def plain_start(table: Table, position: Mapping[str, Any], case: Case) -> State:
    """Return the state at the beginning of a case, computed by the interpreted rules."""
    if case.deal is not None:
        state = table.blank()
        chance.set_key(state.record.chance, chance.key_of(case.deal))
        compiled.plain(table.game).rules.deal(state.record)
        return state
    state = setup_blank(table, position)
    compiled.plain(table.game).rules.resample(state.record, SPECTATOR, chance.seeded(case.seed))
    return state


def run_step(state: State, step: Step, with_twin: bool) -> None:
    if isinstance(step.play, Play):
        play(state, step.play, with_twin)
    if step.legal:
        check_legal(state, step.legal)
    if step.illegal:
        check_illegal(state, step.illegal)
    if step.expect is not None:
        check_position(state.position(), step.expect)
    if step.view:
        viewer = SPECTATOR if step.view.seat == "spectator" else seat_of(state, step.view.seat)
        check_position(state.view(viewer, 100 * step.view.recall).position(), step.view.expect)
    for name in ("over", "scores", "ranks", "to_act"):
        wanted = getattr(step, name)
        found = getattr(state, name)
        if wanted is not None and wanted != (list(found) if isinstance(found, tuple) else found):
            raise _Failure(f"{name} is {found}, not {wanted}")


def seat_of(state: State, seat: int) -> int:
    """Return the seat of a step. Raises BadCase if the seat is not at the table."""
    if not (0 <= seat < state.players or (seat == HOUSE and state.game.events)):
        raise BadCase(f"the seat must be from 0 to {state.players - 1}, not {seat}")
    return seat


def play(state: State, step: Play, with_twin: bool) -> None:
    """Play a move. If `with_twin`, also play it on a copy with the interpreted rules."""
    actions = state.read_move(step.seat, step.move)
    plain = state.copy()
    state.play_actions(step.seat, actions)
    if with_twin:
        for action in actions:
            if plain_actions(plain, step.seat) != plain.legal_actions(step.seat):
                raise _Failure(f"plain and compiled rules differ in the legal actions during {step.move!r}")
            compiled.plain(state.game).rules.apply(plain.record, step.seat, action)
        if plain.record.tobytes() != state.record.tobytes():
            raise _Failure(f"plain and compiled rules differ after {step.move!r}")
    for path, reason in state.broken():
        raise _Failure(f"after {step.move!r}, {path} is wrong: {reason}")


def plain_actions(state: State, seat: int) -> list[int]:
    """Return the legal actions of a seat, computed by the interpreted rules."""
    actions = compiled.scratch(state.game)
    count = compiled.plain(state.game).rules.legal_actions(state.record, seat, actions)
    return [int(action) for action in actions[:count]]


def check_legal(state: State, step: Legal) -> None:
    seat_of(state, step.seat)
    found = list(state.moves(step.seat)) if step.seat in state.to_act else []
    short = f"legal for seat {step.seat}: {', '.join(found[:12])}{', …' if len(found) > 12 else ''}"
    moves = {state.read_move(step.seat, move) for move in found}
    if step.exactly is not None:
        wanted = {state.read_move(step.seat, move) for move in step.exactly}
        if moves != wanted:
            raise _Failure(f"{short}; expected exactly {', '.join(step.exactly)}")
    for move in step.includes:
        if state.read_move(step.seat, move) not in moves:
            raise _Failure(f"{move!r} is not {short}")
    for move in step.excludes:
        if is_legal(state, step.seat, move):
            raise _Failure(f"{move!r} should not be legal; {short}")
    if step.count is not None and len(found) != step.count:
        raise _Failure(f"seat {step.seat} has {len(found)} legal moves, not {step.count}")


def is_legal(state: State, seat: int, move: str) -> bool:
    try:
        state.read_move(seat, move)
    except IllegalMove:
        return False
    return True


def check_illegal(state: State, step: Illegal) -> None:
    seat_of(state, step.seat)
    before = state.record.tobytes()
    try:
        state.play(step.seat, step.move)
    except IllegalMove as problem:
        if step.clause and problem.clause != step.clause:
            raise _Failure(f"{step.move!r} is refused by {problem.clause or 'no clause'}, not {step.clause}") from None
        if state.record.tobytes() != before:
            raise _Failure(f"refusing {step.move!r} changed the state") from None
        return
    raise _Failure(f"{step.move!r} is legal, but should not be")


def check_position(position: dict[str, Any], expect: Mapping[str, Any]) -> None:
    for path, wanted in expect.items():
        found = value_at(position, path)
        if not same(found, wanted, path):
            raise _Failure(f"{path} is {found}, not {wanted}")


def value_at(position: dict[str, Any], path: str) -> Any:
    """Return the value at a path such as `hands[0]`, `top.value` or `count(discard)`. Raises BadCase if there is no
    such value."""
    counted = COUNT.fullmatch(path)
    if counted:
        listed = value_at(position, counted[1])
        if not isinstance(listed, list):
            raise BadCase(f"{counted[1]} is {listed}, which cannot be counted")
        return len(listed)
    if not PATH.fullmatch(path):
        raise BadCase(f"{path!r} is not a path; write hands[0], top.value or count(discard)")
    value: Any = position
    for name, index in re.findall(r"([A-Za-z_]+)|\[(\d+)\]", path):
        try:
            value = value[name] if name else value[int(index)]
        except (KeyError, IndexError, TypeError):
            raise BadCase(f"a position has no {path!r}") from None
    return value


def same(found: Any, wanted: Any, path: str) -> bool:
    """Return whether two values of a position are equal, ignoring the order of cards in a hand or a discard pile."""
    name = ["", *re.findall(r"[A-Za-z_]+", path)][-1]
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(same(found[key], wanted[key], key) for key in found)
    if isinstance(found, list) and isinstance(wanted, list) and name not in ORDERED:
        if all(isinstance(item, str) for item in [*found, *wanted]):
            return Counter(found) == Counter(wanted)
        return len(found) == len(wanted) and all(
            same(one, other, path) for one, other in zip(found, wanted, strict=True)
        )
    return bool(found == wanted)
