"""Detection of arithmetic on small numbers in rules, by reading their syntax trees and by running them.

In plain Python a field of a record is a NumPy number of 8, 16 or 32 bits, and results of arithmetic have the same
width: `1 << state.turn` is -128 for seat 7, but 128 in compiled code. Rules must therefore widen the fields that they
read: `1 << int(state.turn)`.
"""

from __future__ import annotations

import ast
import contextlib
import enum
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from fairdeal.bots.bots import GreedyBot
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiled import Engine
from fairdeal.engine.compile.compiler import is_rule, reachable
from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import HOUSE, SPECTATOR, Record
from fairdeal.engine.state import State, Table
from fairdeal.testing.engines.agreement import driver_desk
from fairdeal.testing.play import check_equal, must_have


class Kind(enum.Flag):
    """The kinds of values of an expression, except for plain integers, 64-bit numbers and records."""

    PLAIN = 0
    SMALL = enum.auto()  # a NumPy number of fewer than 64 bits
    TRUTH = enum.auto()  # a NumPy boolean; the sum of two is a boolean again


@dataclass(frozen=True)
class Source:
    """A rule and its syntax tree."""

    rule: Any
    tree: ast.FunctionDef

    @property
    def parameters(self) -> list[str]:
        return [parameter.arg for parameter in self.tree.args.args]

    def called(self, node: ast.expr) -> Any:
        """Return the object that a name or an attribute of a module refers to, or None for local names and
        parameters."""
        if isinstance(node, ast.Name):
            return self.rule.__globals__.get(node.id)
        if isinstance(node, ast.Attribute):
            home = self.called(node.value)
            return getattr(home, node.attr) if isinstance(home, ModuleType) else None
        return None

    def is_field(self, node: ast.expr) -> bool:
        """Return whether an expression is read from a record or an array, and therefore has its element type."""
        return isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and self.called(node) is None)


def sources_of(game: Game) -> list[Source]:
    """Return every rule in a game's package and in all modules that these rules use."""
    inside = [name for name in sorted(sys.modules) if game.package and name.startswith(f"{game.package}.")]
    roots = [*compiled.roots_of(game).values(), *filter(None, (game.estimate, game.rollout, game.alike))]
    roots += [rule for name in inside for rule in rules_in(sys.modules[name])]
    reached = reachable(roots, compiled.contract_of(game))
    found = []
    for module in [sys.modules[name] for name in sorted({function.__module__ for function in reached})]:
        if module.__file__:
            trees = functions_in(read_text(Path(module.__file__)))
            found += [Source(rule, trees[rule.__name__]) for rule in rules_in(module)]
    return found


def rules_in(module: ModuleType) -> list[Any]:
    """Return the rules that a module defines."""
    return [value for value in vars(module).values() if is_rule(value) and value.__module__ == module.__name__]


def functions_in(text: str) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


NARROWING = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.FloorDiv, ast.Mod)
"""Operators whose result is no wider than their operands."""


class Arithmetic:
    """The kinds of all names and results in a set of rules, and the places with arithmetic on small numbers.

    A name has the same kind throughout a rule. A parameter has all the kinds that rules pass to it. The following is
    allowed:

    - a field shifted right, because the result is smaller, and a number of bits fits any type;
    - `& | ^ // %` of two fields, or of anything and a constant below 128, which every type can hold;
    - `state.field += plain`, because the sum has to fit into the field in any case.
    """

    def __init__(self, sources: list[Source], *games: Game) -> None:
        self.sources = sources
        self.by_rule = {source.rule: source for source in sources}
        self.contract = [compiled.contract_of(game) for game in games]
        self.kinds: defaultdict[tuple[object, str], Kind] = defaultdict(lambda: Kind.PLAIN)
        self.changed = True
        while self.changed:
            self.changed = False
            for source in sources:
                for node in ast.walk(source.tree):
                    self.follow(source, node)

    def found(self) -> list[str]:
        """Return the places with arithmetic on a small number."""
        return [
            f"{source.rule.__module__}:{node.lineno} {ast.unparse(node)}: widen {ast.unparse(operand)}"
            for source in self.sources
            for node in ast.walk(source.tree)
            if isinstance(node, ast.expr | ast.stmt)
            for operand in self.small_operands(source, node)
        ]

    def small_operands(self, source: Source, node: ast.AST) -> list[ast.expr]:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return [node.operand] if self.kind(source, node.operand) else []
        if isinstance(node, ast.AugAssign):
            if not isinstance(node.target, ast.Name):
                return []
            node = ast.BinOp(node.target, node.op, node.value)
        if not isinstance(node, ast.BinOp):
            return []
        left, right = node.left, node.right
        kinds = [(operand, self.kind(source, operand)) for operand in (left, right)]
        if isinstance(node.op, ast.RShift) and (source.is_field(left) or not kinds[1][1] & Kind.SMALL):
            return []
        fields = source.is_field(left) and source.is_field(right)
        if isinstance(node.op, NARROWING) and (is_low(source, right) or fields):
            return []
        if isinstance(node.op, NARROWING) and not any(kind & Kind.SMALL for _, kind in kinds):
            return []
        both = all(kind for _, kind in kinds)
        return [operand for operand, kind in kinds if kind & Kind.SMALL or both]

    def follow(self, source: Source, node: ast.AST) -> None:
        """Record the kinds that a node gives to names, results and parameters."""
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self.bind(source, target, node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.bind(source, node.target, ast.BinOp(node.target, node.op, node.value))
        elif isinstance(node, ast.For):
            over = node.iter
            counts = isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range"
            self.note(source.rule, ast.unparse(node.target), Kind.PLAIN if counts else Kind.SMALL)
        elif isinstance(node, ast.Return) and node.value is not None:
            self.note(source.rule, "return", self.kind(source, node.value))
        elif isinstance(node, ast.Call):
            for called in self.targets(source, node):
                for parameter, value in zip(called.parameters, node.args, strict=False):
                    self.note(called.rule, parameter, self.kind(source, value))

    def bind(self, source: Source, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.note(source.rule, target.id, self.kind(source, value))
        elif isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) else [value] * len(target.elts)
            for part, part_value in zip(target.elts, values, strict=True):
                self.bind(source, part, part_value)

    def note(self, rule: object, name: str, kind: Kind) -> None:
        if kind not in self.kinds[rule, name]:
            self.kinds[rule, name] |= kind
            self.changed = True

    def targets(self, source: Source, call: ast.Call) -> list[Source]:
        """Return the rules that a call can reach. For a name of the game interface, these are the rules of every
        game."""
        called = source.called(call.func)
        if not is_rule(called):
            return []
        if hasattr(called, "__fairdeal_contract__"):
            return [self.by_rule[rules[called.__name__]] for rules in self.contract]
        return [self.by_rule[called]]

    def kind(self, source: Source, node: ast.expr) -> Kind:
        if isinstance(node, ast.Name):
            return self.kinds[source.rule, node.id]
        if isinstance(node, ast.Subscript):
            table = source.called(node.value)
            is_wide = isinstance(table, (tuple, np.ndarray)) and np.asarray(table).dtype.itemsize == 8
            return Kind.PLAIN if is_wide else Kind.SMALL
        if isinstance(node, ast.Attribute):
            return Kind.SMALL if source.is_field(node) else Kind.PLAIN
        if isinstance(node, ast.Compare):
            small = any(self.kind(source, part) for part in (node.left, *node.comparators))
            return Kind.TRUTH if small else Kind.PLAIN
        if isinstance(node, ast.BinOp):
            kinds = [self.kind(source, node.left), self.kind(source, node.right)]
            return (kinds[0] | kinds[1]) & Kind.SMALL or kinds[0] & kinds[1]
        if isinstance(node, ast.UnaryOp):
            return Kind.PLAIN if isinstance(node.op, ast.Not) else self.kind(source, node.operand)
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            results = [self.kinds[called.rule, "return"] for called in self.targets(source, node)]
            return self.any_of(
                results + [self.kind(source, part) for part in node.args if name in ("max", "min", "abs")]
            )
        if isinstance(node, ast.IfExp):
            return self.any_of([self.kind(source, node.body), self.kind(source, node.orelse)])
        if isinstance(node, ast.BoolOp):
            return self.any_of([self.kind(source, part) for part in node.values])
        if isinstance(node, ast.Tuple):
            return self.any_of([self.kind(source, part) for part in node.elts])
        return Kind.PLAIN

    def any_of(self, kinds: list[Kind]) -> Kind:
        found = Kind.PLAIN
        for kind in kinds:
            found |= kind
        return found


def is_low(source: Source, node: ast.expr) -> bool:
    """Return whether an expression is a constant that fits the smallest type."""
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id not in source.parameters):
        value = source.called(node)
    return type(value) is int and 0 <= value < 128


def check_rules(game: Game, least: int = 10) -> None:
    """Check that no rule of a game, or of a module that it uses, does arithmetic on small numbers."""
    sources = sources_of(game)
    must_have(len(sources), least, f"{game.name}: rules that were read")
    found = Arithmetic(sources, game).found()
    assert not found, f"{game.name}: {'; '.join(found)}"


@contextlib.contextmanager
def on_numpy(game: Game) -> Iterator[None]:
    """Run a game as plain Python on NumPy records, in which overflows of small numbers raise an error."""
    kept = compiled._compiled.pop(game.name, None), compiled._plain.pop(game.name, None)
    bound: dict[str, Any] = {**compiled.plain_drivers(game)}
    engine = Engine(rules=game.rules, greedy=game.greedy, is_compiled=False, **bound)
    compiled._plain[game.name] = engine
    try:
        with np.errstate(all="raise"):
            yield
    finally:
        for engines, engine_before in zip((compiled._compiled, compiled._plain), kept, strict=True):
            engines.pop(game.name, None)
            if engine_before:
                engines[game.name] = engine_before


LOOKS, MOVES = 6, 4


def check_interpreted(table: Table, seed: str) -> int:
    """Play a game in plain Python with random moves, greedy moves and house events, and check the view of each viewer
    in turn. Return the number of views checked."""
    with on_numpy(table.game):
        looks = look_on_a_game(table, seed)
    must_have(looks, 1, f"{table}: views of a game in plain Python")
    return looks


def look_on_a_game(table: Table, seed: str) -> int:
    state, bot, source = table.deal(f"interpreted {seed}"), GreedyBot(table.game.recall), chance.seeded(seed)
    for number in range(LOOKS):
        played = compiled.plain(table.game).random_moves(state.record, source, compiled.scratch(table.game), MOVES)
        if state.over:
            return number
        assert played == MOVES
        player = state.to_act[number % len(state.to_act)]
        actions = bot.choose(state.view(player, bot.recall), player).actions
        if number % 3 == 2 and state.legal_actions(HOUSE):
            player, actions = HOUSE, tuple(state.legal_actions(HOUSE)[-1:])
        before = state.copy()
        state.play_actions(player, actions)
        look_on(before, state, player, actions, number % (table.players + 1) + SPECTATOR, source)
    return LOOKS


def look_on(before: State, after: State, player: int, actions: tuple[int, ...], viewer: int, source: Record) -> None:
    """Call all functions of a game that are called by screens, logs and search bots."""
    assert before.narrate(after, player, actions, viewer)
    view = after.view(viewer, 100)
    assert view.scene(viewer).zones
    view.resample(source)
    assert len(after.scores) == after.players
    position = after.position()
    check_equal(position, after.table.setup(position).position(), "a position set up again")


def check_interpreted_drivers(table: Table) -> None:
    """Check that drivers pass on action ids from an array of small numbers unchanged."""
    game = table.game
    desk, scores, lengths = driver_desk(table), np.zeros((1, table.players)), np.zeros((1, 2), np.int64)
    with on_numpy(game):
        compiled.plain(game).simulate(desk, 0, scores, lengths)
    must_have(int(lengths[0, 0]), 4, f"{table}: moves of a game in plain Python")
