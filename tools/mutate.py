"""Mutation testing: change one number or comparison in the rules of a game at a time, to find changes that no case
detects.

    python -m tools.mutate GAME [FILE ...] [--rule NAME] [--jobs N]

A case that names a clause may not actually test it. It does if it fails when a rule of that clause is changed. Changes
are made to the code of plain rules, in worker processes, so that a rule that never ends can be stopped.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import itertools
import multiprocessing
import os
import re
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import reachable
from fairdeal.engine.compile.fingerprint import global_reads
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.lab.cases import Case, CaseFile, outcome_of, read_cases
from fairdeal.lab.coverage import case_files

if TYPE_CHECKING:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

CHANGED = ("deal", "legal_actions", "apply", "conceal", "returns")
"""The contract functions whose rules are changed. `resample` is excluded, because cases do not check its random
results."""

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}

IDS = re.compile(r"\b([A-Z][A-Z0-9]*-)(\d+)((?:(?:, | and |\.\.)\d+)*)")
"""Clause ids in a docstring: `FISH-10`, `MINE-01, 02`, `FISH-10..13`."""

SLOWEST, PATIENCE = 3.0, 20.0
"""Time limits for a change, in seconds and as a multiple of the time that all cases take. The longer one applies."""

TOO_LONG = "the time limit"
"""Reported in place of a case if a change makes a rule run too long."""


@dataclass(frozen=True)
class Change:
    """A changed number or comparison in the rules.

    file     file of the change
    line     line of the change
    rule     the changed rule, or the changed constant that rules read
    clauses  the clauses that its docstring names
    before   the code before the change, with its surroundings
    after    the code after the change, with its surroundings
    """

    file: str
    line: int
    rule: str
    clauses: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True)
class Site:
    """A change, with the code of the changed rule or the changed value of a constant in the module `home`."""

    change: Change
    rules: tuple[types.FunctionType, ...]
    code: types.CodeType | None = None
    value: Any = None
    home: str = ""


@dataclass(frozen=True)
class Finding:
    """A change, and the cases that fail because of it: every case that names one of its clauses or, if none of these
    fails, the first other case that does."""

    change: Change
    noticed: tuple[str, ...]


@dataclass(frozen=True)
class Untested:
    """A clause whose rules were changed without any failure of the cases that name it."""

    clause: str
    cases: tuple[str, ...]
    changes: int


@dataclass(frozen=True)
class Report:
    """The result of a run: a finding for every change, the number of cases, and the untested clauses."""

    findings: tuple[Finding, ...]
    cases: int
    untested: tuple[Untested, ...]

    @property
    def unnoticed(self) -> list[Change]:
        """The changes that no case detected."""
        return [finding.change for finding in self.findings if not finding.noticed]


def clauses_in(text: str | None) -> tuple[str, ...]:
    """Return the clause ids that a docstring names."""
    found: dict[str, None] = {}
    for prefix, first, more in IDS.findall(text or ""):
        last = first
        found[prefix + first] = None
        for sign, number in re.findall(r"(, | and |\.\.)(\d+)", more):
            between = range(int(last) + 1, int(number)) if sign == ".." else ()
            found |= {f"{prefix}{one:0{len(first)}}": None for one in between} | {prefix + number: None}
            last = number
    return tuple(found)


# --- changes --------------------------------------------------------------------------------------------------------


def rules_changed(game: Game) -> list[types.FunctionType]:
    """Return the game's own rules that its contract functions call, directly or indirectly, in the order of their
    files."""
    contract = compiled.contract_of(game)
    found = reachable([contract[name] for name in CHANGED], contract)
    own = [rule for rule in found if not rule.__module__.startswith("fairdeal.engine.")]
    return sorted(own, key=lambda rule: (rule.__code__.co_filename, rule.__code__.co_firstlineno))


def sites_of(game: Game, only: Sequence[str] = ()) -> list[Site]:
    """Return every possible change to a game's rules and to the constants that they read. `only` restricts the changes
    to the rules or constants with these names."""
    rules = rules_changed(game)
    found = [site for rule in rules for site in sites_in_rule(rule)]
    found += sites_in_constants(game, rules)
    if unknown := {*only} - {site.change.rule for site in found}:
        raise FairdealError(f"{game.name} has no rule or constant called {min(unknown)} that can be changed")
    return [site for site in found if not only or site.change.rule in only]


@functools.cache
def parsed(file: str) -> ast.Module:
    return ast.parse(read_text(Path(file)))


def sites_in_rule(rule: types.FunctionType) -> Iterator[Site]:
    """Yield every possible change to a rule."""
    file = rule.__code__.co_filename
    tree = next(node for node in parsed(file).body if isinstance(node, ast.FunctionDef) and node.name == rule.__name__)
    clauses = clauses_in(rule.__doc__)
    for changed, line, before, after in changes_in(tree):
        assert isinstance(changed, ast.FunctionDef)
        changed.decorator_list = []
        whole = compile(ast.Module([changed], []), file, "exec")
        code = next(part for part in whole.co_consts if isinstance(part, types.CodeType))
        yield Site(Change(file, line, rule.__name__, clauses, before, after), (rule,), code=code)


def sites_in_constants(game: Game, rules: Sequence[types.FunctionType]) -> Iterator[Site]:
    """Yield every possible change to a number, tuple or array of a module that any of the rules reads by its name."""
    inside = [name for name in sorted(sys.modules) if name.startswith(f"{game.package}.")]
    for module in dict.fromkeys([*(rule.__module__ for rule in rules), *inside]):
        names, file = vars(sys.modules[module]), str(sys.modules[module].__file__)
        if not file.endswith(".py"):
            continue
        body = [*parsed(file).body, ast.Pass()]
        for node, following in itertools.pairwise(body):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
                continue
            name = node.targets[0].id
            reading = tuple(rule for rule in rules if places_of(rule, name, sys.modules[module]))
            if not reading or not isinstance(names[name], int | tuple | np.ndarray):
                continue
            text = text_of(following)
            for changed, line, before, after in changes_in(node):
                assert isinstance(changed, ast.Assign)
                with contextlib.suppress(Exception):  # such as an array that cannot be made
                    value = eval(compile(ast.Expression(changed.value), file, "eval"), dict(names))
                    change = Change(file, line, name, clauses_in(text), before, after)
                    yield Site(change, reading, value=value, home=module)


def text_of(node: ast.stmt) -> str:
    """Return a docstring from its statement, or "" if the statement is not a docstring."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return ast.literal_eval(node.value) if is_text and isinstance(node, ast.Expr) else ""


def places_of(rule: types.FunctionType, name: str, home: types.ModuleType) -> list[dict[str, Any]]:
    """Return the namespaces from which a rule reads a constant of the module `home`: the rule's own namespace, or that
    of the module."""
    found, value = [], vars(home)[name]
    for read in dict.fromkeys(global_reads(rule.__code__)):
        if read[0] == name and rule.__globals__.get(name) is value:
            found.append(rule.__globals__)
        elif read[1:2] == (name,) and rule.__globals__.get(read[0]) is home:
            found.append(vars(home))
    return found


def changes_in(tree: ast.AST) -> Iterator[tuple[ast.AST, int, str, str]]:
    """Yield copies of a syntax tree with one change each, as the changed tree, the line, and the code around it before
    and after the change."""
    nodes = [*ast.walk(tree)]
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for place, node in enumerate(nodes):
        shown = node if isinstance(node, ast.Compare) else parents.get(node, node)
        for number in range(len(variants(node))):
            changed = copy.deepcopy(tree)
            copies = [*ast.walk(changed)]
            variants(copies[place])[number]()
            after = copies[nodes.index(shown)]
            line: int = getattr(node, "lineno", getattr(shown, "lineno", 0))
            yield changed, line, first_line(shown), first_line(after)


def first_line(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]


def variants(node: ast.AST) -> list[Callable[[], None]]:
    """Return functions that each change a node in place in a different way."""
    if isinstance(node, ast.Compare):
        places = [place for place, sign in enumerate(node.ops) if type(sign) in OPPOSITE]
        return [functools.partial(turn, node, place) for place in places]
    if isinstance(node, ast.Constant) and type(node.value) is int:
        values = [node.value + 1, node.value - 1] if node.value else [1]
        return [functools.partial(setattr, node, "value", value) for value in values]
    return []


def turn(node: ast.Compare, place: int) -> None:
    """Make a comparison strict if it includes its limit, or make it include its limit if it is strict."""
    node.ops[place] = OPPOSITE[type(node.ops[place])]()


@contextlib.contextmanager
def changed(site: Site) -> Iterator[None]:
    """Apply a change while the context is active."""
    if site.code is not None:
        (rule,) = site.rules
        before = rule.__code__
        rule.__code__ = site.code
        try:
            yield
        finally:
            rule.__code__ = before
        return
    name = site.change.rule
    places = [place for rule in site.rules for place in places_of(rule, name, sys.modules[site.home])]
    places = [*{id(place): place for place in places}.values()]
    was = [names[name] for names in places]
    for names in places:
        names[name] = site.value
    try:
        yield
    finally:
        for names, value in zip(places, was, strict=True):
            names[name] = value


# --- trials ---------------------------------------------------------------------------------------------------------


class Trials:
    """A runner for the cases of a game with its plain rules and one change at a time.

    Raises FairdealError if a case fails without a change.
    """

    def __init__(self, game: Game, files: Sequence[Path], only: Sequence[str] = ()) -> None:
        self.sites = sites_of(game, only)
        self.cases: list[tuple[Path, CaseFile, Case]] = []
        for path in files:
            file = read_cases(path)
            self.cases += [(path, file, case) for case in file.cases]
        if not self.cases:
            raise FairdealError(f"{game.name} has no cases")
        begun = time.monotonic()
        self.called = [self.calls_of(number) for number in range(len(self.cases))]
        self.seconds = time.monotonic() - begun

    def fails(self, number: int) -> str:
        """Return the reason why a case fails now, or "" if it passes."""
        path, file, case = self.cases[number]
        return outcome_of(path, file, case, False).problem

    def calls_of(self, number: int) -> set[types.CodeType]:
        """Return the code objects of all functions that a case calls. Raises FairdealError if the case fails."""
        called: set[types.CodeType] = set()
        sys.setprofile(lambda frame, event, _: called.add(frame.f_code) if event == "call" else None)
        try:
            problem = self.fails(number)
        finally:
            sys.setprofile(None)
        if problem:
            raise FairdealError(f"{self.cases[number][2].id} fails without any change: {problem}")
        return called

    def noticed(self, number: int) -> tuple[str, ...]:
        """Return the cases that fail because of a change: all those that name one of its clauses, or else the first of
        the others."""
        site = self.sites[number]
        codes = {rule.__code__ for rule in site.rules}
        reached = [number for number, called in enumerate(self.called) if called & codes]
        naming = [number for number in reached if {*self.cases[number][2].clauses} & {*site.change.clauses}]
        with changed(site):
            found = [self.cases[number][2].id for number in naming if self.fails(number)]
            others = (self.cases[number][2].id for number in reached if number not in naming and self.fails(number))
            return tuple(found or itertools.islice(others, 1))


# --- workers --------------------------------------------------------------------------------------------------------


def work(pipe: Connection, name: str, files: Sequence[Path], only: Sequence[str]) -> None:
    """Receive numbers of changes, and send back the cases that detect each, until the pipe is closed."""
    trials = Trials(find_game(name), files, only)
    with contextlib.suppress(EOFError):
        pipe.send(trials.seconds)
        while True:
            pipe.send(trials.noticed(pipe.recv()))


class Worker:
    """A process that tries changes. It is replaced if one of them does not end."""

    def __init__(self, *given: Any) -> None:
        self.given = given
        self.process: SpawnProcess | None = None
        self.pipe: Connection | None = None
        self.limit = SLOWEST

    def begin(self) -> Connection:
        spawned = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawned.Pipe()
        self.process = spawned.Process(target=work, args=(theirs, *self.given), daemon=True)
        self.process.start()
        theirs.close()
        self.limit = max(SLOWEST, PATIENCE * self.pipe.recv())
        return self.pipe

    def noticed(self, number: int) -> tuple[str, ...]:
        """Return the cases that detect a change."""
        pipe = self.pipe or self.begin()
        with contextlib.suppress(EOFError, OSError):  # a rule may even end the process
            pipe.send(number)
            if pipe.poll(self.limit):
                found: tuple[str, ...] = pipe.recv()
                return found
        self.end()
        return (TOO_LONG,)

    def end(self) -> None:
        if self.process is not None and self.pipe is not None:
            self.pipe.close()
            self.process.kill()
            self.process.join()
        self.process = self.pipe = None


def mutate(game: Game, files: Sequence[Path] = (), only: Sequence[str] = (), jobs: int = 1) -> Report:
    """Change a game's rules in one place at a time, and run its cases after each change. Raises FairdealError if
    a case fails without a change."""
    files = [*files] or case_files(game)
    trials = Trials(game, files, only)
    numbers = iter(range(len(trials.sites)))
    found: dict[int, tuple[str, ...]] = {}

    def run() -> None:
        worker = Worker(game.name, files, only)
        try:
            for number in numbers:
                found[number] = worker.noticed(number)
        finally:
            worker.end()

    with ThreadPoolExecutor(jobs) as pool:
        for running in [pool.submit(run) for _ in range(jobs)]:
            running.result()
    findings = tuple(Finding(trials.sites[number].change, found[number]) for number in sorted(found))
    return Report(findings, len(trials.cases), tuple(untested(findings, trials)))


def untested(findings: Sequence[Finding], trials: Trials) -> Iterator[Untested]:
    """Yield the clauses that are named by cases, but whose changes were not detected by these cases."""
    by_clause: dict[str, list[Finding]] = {}
    for finding in findings:
        for clause in finding.change.clauses:
            by_clause.setdefault(clause, []).append(finding)
    for clause, changes in sorted(by_clause.items()):
        naming = {case.id for _, _, case in trials.cases if clause in case.clauses}
        if naming and not any(naming & {*finding.noticed} for finding in changes):
            yield Untested(clause, tuple(sorted(naming)), len(changes))


def main() -> None:
    """Print the changes that no case detects, and the clauses that are not tested. Exits with 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description="Find rules that no case tests.")
    parser.add_argument("game")
    parser.add_argument("files", nargs="*", type=Path, help="case files (default: those of the game)")
    parser.add_argument("--rule", action="append", default=[], help="change only this rule or constant; repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    try:
        report = mutate(find_game(given.game), given.files, given.rule, given.jobs)
    except FairdealError as problem:
        sys.exit(f"mutate: {problem}")
    for change in report.unnoticed:
        clauses = f" [{', '.join(change.clauses)}]" if change.clauses else ""
        print(f"{Path(change.file).name}:{change.line} {change.rule}{clauses}: {change.before}  →  {change.after}")
    for one in report.untested:
        print(f"✗ {one.clause}: named by {', '.join(one.cases)}; none fails after any of {one.changes} changes")
    tried, missed = len(report.findings), len(report.unnoticed)
    print(f"{tried} changes, {tried - missed} detected by {report.cases} cases, {missed} not")
    sys.exit(bool(report.unnoticed or report.untested))


if __name__ == "__main__":
    main()
