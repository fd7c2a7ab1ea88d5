"""Public names: the table of docs/compatibility.md, the examples in their docstrings, and their pages of reference."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

TABLE = Path(__file__).parents[1] / "docs" / "compatibility.md"

ROW = re.compile(r"(\w+(?:, \w+)*|\w+\(.*?\)) {2,}(\S.*)")
"""A line of a docstring that describes fields: their names, two spaces, and the description."""


@cache
def public_names() -> dict[str, list[str]]:
    """Return the names of each public module, as the table of docs/compatibility.md lists them."""
    section = TABLE.read_text("utf-8").partition("## Names to import")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(fairdeal[\w.]*)` \|(.*)\|$", section, re.MULTILINE)
    return {module: re.findall(r"`(\w+)`", names) for module, names in rows}


def homes_of(name: str) -> list[str]:
    """Return the public modules that have a name, in the order of the table."""
    return [module for module, names in public_names().items() if name in names]


def same_in(module: str, name: str) -> Iterator[str]:
    """Yield the public modules in which `name` is the object that it is in `module`."""
    own = getattr(importlib.import_module(module), name)
    yield from (home for home in homes_of(name) if getattr(importlib.import_module(home), name) is own)


def described_in(module: str, name: str) -> str:
    """Return the module whose page describes a name: the first of those that have it, or, for a constant, the last."""
    homes = [*same_in(module, name)]
    return homes[0 if callable(getattr(importlib.import_module(module), name)) else -1]


def own_names(module: str) -> list[str]:
    """Return the names that the page of a module describes."""
    return [name for name in public_names()[module] if described_in(module, name) == module]


# --- examples --------------------------------------------------------------------------------------------------------


def examples_of(module: str) -> list[doctest.DocTest]:
    """Return the examples in the docstrings of the names that the page of a module describes, and of the module."""
    found, finder = importlib.import_module(module), doctest.DocTestFinder(exclude_empty=True)
    parser = doctest.DocTestParser()
    tests = [parser.get_doctest(found.__doc__ or "", {}, module, found.__file__, 0)]
    for name in own_names(module):
        thing = getattr(found, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            tests += finder.find(thing, f"{module}.{name}", module=False, globs={})
    return [test for test in tests if test.examples]


def names_in(tests: Iterable[doctest.DocTest]) -> set[str]:
    """Return the variables that examples read."""
    trees = (ast.parse(example.source) for test in tests for example in test.examples)
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


def sources_for(module: str) -> dict[str, str]:
    """Return the module that each public name comes from which the examples of a module use."""
    used, own = names_in(examples_of(module)), public_names()[module]
    return {name: module if name in own else homes_of(name)[0] for name in sorted(used) if homes_of(name)}


def namespace_for(module: str) -> dict[str, Any]:
    """Return the variables that the examples of a module start with: what its page imports."""
    named = {name: getattr(importlib.import_module(home), name) for name, home in sources_for(module).items()}
    return {"np": np} | named


def imports_for(module: str) -> list[str]:
    """Return the import statements that the examples of a module need."""
    grouped: dict[str, list[str]] = defaultdict(list)
    for name, home in sources_for(module).items():
        grouped[home].append(name)
    lines = ["import numpy as np"] if "np" in names_in(examples_of(module)) else []
    for home in (home for home in public_names() if home in grouped):
        names = ", ".join(grouped[home])
        short = len(home) + len(names) < 66
        lines += [f"from {home} import {names}"] if short else [f"from {home} import (", *indented(names), ")"]
    return lines


def indented(names: str) -> list[str]:
    """Return names over several lines, indented."""
    return textwrap.wrap(names + ",", 80, initial_indent="    ", subsequent_indent="    ")


# --- pages of reference ----------------------------------------------------------------------------------------------


def reference_page(module: str) -> str:
    """Return the page of a public module as reStructuredText."""
    title = f"``{module}``"
    lines = [title, "=" * len(title), "", f".. automodule:: {module}", "   :no-members:", ""]
    if imports := imports_for(module):
        lines += ["The examples on this page begin with:", "", ".. code-block:: python", ""]
        lines += [*(f"   {line}" for line in imports), ""]
    own = own_names(module)
    if elsewhere := [reference_to(module, name) for name in public_names()[module] if name not in own]:
        lines += [f"Described elsewhere: {', '.join(elsewhere)}.", ""]
    for name in own:
        lines += [f".. auto{kind_of(getattr(importlib.import_module(module), name))}:: {module}.{name}", ""]
    return "\n".join(lines)


def reference_to(module: str, name: str) -> str:
    """Return a link to the description of a name."""
    return f":py:obj:`~{described_in(module, name)}.{name}`"


def kind_of(thing: object) -> str:
    """Return the kind of a public name, as Sphinx's directives call it."""
    if inspect.isclass(thing):
        return "exception" if issubclass(thing, Exception) else "class"
    return "function" if inspect.isroutine(thing) else "data"


def reference_index() -> str:
    """Return the page that lists the public modules by package, each with its first line."""
    lines = ["Public names", "============", ""]
    lines += ["Names to import, module by module; :doc:`/docs/compatibility` says how long they stay.", ""]
    packages: dict[str, list[str]] = defaultdict(list)
    for module in public_names():
        packages[module.rpartition(".")[0] or module].append(module)
    for package, modules in packages.items():
        lines += [f"``{package}``", "-" * (len(package) + 4), ""]
        for module in modules:
            names = ", ".join(reference_to(module, name) for name in public_names()[module])
            lines += [f":doc:`{module}`", f"   {first_line(importlib.import_module(module))} {names}", ""]
    lines += [".. toctree::", "   :hidden:", "   :titlesonly:", ""]
    lines += [f"   {module.removeprefix('fairdeal.')} <{module}>" for module in public_names()]
    return "\n".join(lines) + "\n"


def first_line(module: ModuleType) -> str:
    """Return the first sentence of a module's docstring."""
    return as_rst([" ".join(inspect.cleandoc(module.__doc__ or "").partition("\n\n")[0].split())])[0]


def as_rst(lines: list[str]) -> list[str]:
    """Return the lines of a docstring as reStructuredText: fields as definitions, indented lines as code."""
    found: list[str] = []
    fields = False
    for line in lines:
        row = ROW.fullmatch(line)
        if row:
            names = ", ".join(f"``{name}``" for name in row[1].split(", ")) if "(" not in row[1] else f"``{row[1]}``"
            found += ["", names, f"   {row[2]}"]
            fields = True
        elif fields and line.startswith(" "):
            found.append(f"   {line.strip()}")
        else:
            begins_code = line.startswith("    ") and found and not found[-1].strip()
            if begins_code and not any(one.startswith("    ") for one in found[-2:-1]):
                found += ["::", ""]
            found += [""] if fields and line.strip() else []
            found.append(line)
            fields = False
    text = re.sub(r"(?<![`:])`([^`]+)`(?!`)", r"``\1``\\ ", "\n".join(found))
    return re.sub(r"\bdocs/([\w/-]+)\.md", r":doc:`/docs/\1`", text).split("\n")
