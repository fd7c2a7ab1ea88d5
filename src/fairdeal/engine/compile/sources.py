"""A hash of the source of a game's rules, by which a program knows whether a module was built from them.

`fingerprint` describes bytecode, which differs between versions of Python. The hash here is the same for all of them.
It covers the same rules, the values of all constants that they read, and the layout of states. Decorators, docstrings,
comments and the form of the text are not part of it.
"""

import ast
import functools
import hashlib
import types
from collections.abc import Iterator
from pathlib import Path

from fairdeal.engine.compile import compiled, searches
from fairdeal.engine.compile.compiler import called_rules, reachable, unchecked
from fairdeal.engine.compile.fingerprint import Description, described, described_rule
from fairdeal.engine.game import Game


def hash_of_rules(game: Game) -> str:
    """Return the hash of the rules and search drivers of a game, in hexadecimal digits, or "" if their source cannot be
    read or has changed since it was imported."""
    roots, bound = compiled.first_of(game) | searches.roots(), searches.contract_of(game)
    entrances = {name: unchecked(bound.get(name, root)) for name, root in roots.items()}
    found = []
    try:
        for rule in reachable(entrances.values(), bound):
            called = {path: name_of(other) for path, other in called_rules(rule, bound).items()}
            found.append((name_of(rule), described_rule(rule, called, described_source)))
    except (OSError, LookupError, SyntaxError, UnicodeError):
        return ""
    names = sorted((name, name_of(rule)) for name, rule in entrances.items())
    return hashlib.sha256(repr((names, sorted(found), described(game.state))).encode()).hexdigest()


def name_of(rule: types.FunctionType) -> str:
    """Return the full name of a rule."""
    return f"{rule.__module__}.{rule.__qualname__}"


def described_source(function: types.FunctionType) -> Description:
    """Return the description of a function's source. Raises LookupError if the file contains another source than was
    imported."""
    code = function.__code__
    made, definition = definitions_in(code.co_filename)[code.co_name, code.co_firstlineno]
    if described(made) != described(code):
        raise LookupError(f"{function.__qualname__} is not what {code.co_filename} defines")
    return plain(definition)


@functools.cache
def definitions_in(path: str) -> dict[tuple[str, int], tuple[types.CodeType, ast.FunctionDef]]:
    """Return the code and the syntax tree of each function in a file, by its name and its first line."""
    tree = ast.parse(Path(path).read_bytes())
    whole = compile(tree, path, "exec", dont_inherit=True)
    codes = {(code.co_name, code.co_firstlineno): code for code in codes_in(whole)}
    places = {
        (node.name, min([node.lineno, *(one.lineno for one in node.decorator_list)])): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    return {place: (codes[place], node) for place, node in places.items()}


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and all code objects inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_in(constant)


def plain(part: object) -> Description:
    """Return a syntax tree as tuples. Empty fields are left out, because versions of Python have different ones."""
    if isinstance(part, list):
        return tuple(map(plain, part))
    if not isinstance(part, ast.AST):
        return (repr(part),)
    fields = dict(ast.iter_fields(part))
    if isinstance(part, ast.FunctionDef):
        fields |= {"decorator_list": [], "body": part.body[ast.get_docstring(part) is not None :]}
    return type(part).__name__, *((name, plain(value)) for name, value in fields.items() if value not in (None, []))
