"""Finds arithmetic on small numbers in rules, by reading their syntax trees.

In plain Python a field of a record is a NumPy number of 8, 16 or 32 bits, and arithmetic on it stays that small:
`1 << state.turn` is -128 for seat 7, where compiled code has 128. So rules widen what they read:
`1 << int(state.turn)`.
"""

from __future__ import annotations

import ast
import enum
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import fairdeal
from fairdeal.engine import compiled
from fairdeal.engine.twin import is_rule


class Kind(enum.Flag):
    """What an expression may be, beside a plain integer, a number of 64 bits or a record."""

    PLAIN = 0
    SMALL = enum.auto()  # a NumPy number of fewer than 64 bits
    TRUTH = enum.auto()  # a NumPy truth value; the sum of two is a truth value again


@dataclass(frozen=True)
class Source:
    """A rule and its syntax tree."""

    rule: object
    tree: ast.FunctionDef

    @property
    def parameters(self) -> list[str]:
        return [parameter.arg for parameter in self.tree.args.args]

    def called(self, name: ast.expr) -> object:
        return self.rule.__globals__.get(name.id) if isinstance(name, ast.Name) else None


def sources_of_all_rules() -> list[Source]:
    """Every rule of the engine and of the games."""
    for name in fairdeal.game_names():
        fairdeal.find_game(name)
    found = []
    for module in [module for name, module in sorted(sys.modules.items()) if name.startswith("fairdeal.")]:
        rules = {
            value.__name__: value
            for value in vars(module).values()
            if is_rule(value) and value.__module__ == module.__name__
        }
        if rules:
            trees = functions_in(Path(module.__file__).read_text())
            found += [Source(rule, trees[name]) for name, rule in rules.items()]
    return found


def functions_in(text: str) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


NARROWING = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.FloorDiv, ast.Mod)
"""Operations whose result is no wider than their operands."""


class Arithmetic:
    """The kinds of all names and results of some rules, and the places where they calculate with small numbers.

    A name has one kind in a whole rule, and a parameter is what any rule gives it. Allowed are:
    - a field shifted right: what is left is smaller, and a count of bits fits anywhere;
    - `& | ^ // %` of two fields, or of anything and a constant below 128, which every type holds;
    - `state.field += plain`: it is stored where it comes from, so it must fit there in any case.
    """

    def __init__(self, sources: list[Source]) -> None:
        self.sources = sources
        self.by_rule = {source.rule: source for source in sources}
        self.contract = [compiled.contract_of(fairdeal.find_game(name)) for name in fairdeal.game_names()]
        self.kinds: defaultdict[tuple[object, str], Kind] = defaultdict(lambda: Kind.PLAIN)
        self.changed = True
        while self.changed:
            self.changed = False
            for source in sources:
                for node in ast.walk(source.tree):
                    self.follow(source, node)

    def found(self) -> list[str]:
        """The places where a small number is calculated with."""
        return [
            f"{source.rule.__module__}:{node.lineno} {ast.unparse(node)}: widen {ast.unparse(operand)}"
            for source in self.sources
            for node in ast.walk(source.tree)
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
        if isinstance(node.op, ast.RShift) and (is_field(left) or not kinds[1][1] & Kind.SMALL):
            return []
        if isinstance(node.op, NARROWING) and (is_low(source, right) or (is_field(left) and is_field(right))):
            return []
        if isinstance(node.op, NARROWING) and not any(kind & Kind.SMALL for _, kind in kinds):
            return []
        both = all(kind for _, kind in kinds)
        return [operand for operand, kind in kinds if kind & Kind.SMALL or both]

    def follow(self, source: Source, node: ast.AST) -> None:
        """Note what kinds a node gives to names, results and parameters."""
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
        """The rules that a call reaches: for a name of the contract, every game's."""
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
            return Kind.SMALL
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


def is_field(node: ast.expr) -> bool:
    """Is this read from a record or an array, and so of its type for certain?"""
    return isinstance(node, (ast.Attribute, ast.Subscript))


def is_low(source: Source, node: ast.expr) -> bool:
    """Is this a constant that the smallest type holds?"""
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(node, ast.Name) and node.id not in source.parameters:
        value = source.rule.__globals__.get(node.id)
    return type(value) is int and 0 <= value < 128
