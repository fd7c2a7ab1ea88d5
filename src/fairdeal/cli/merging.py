"""Merging of Python modules in layers. The skeletons for `fairdeal new` use it to share common code.

The functions, classes and constants of the upper module replace those with the same name in the lower module. New ones
are added after the one that precedes them. `# without: NAME, NAME` removes names. Only the imports that are needed are
kept.
"""

import ast
import itertools
import re
import sys
from collections import defaultdict

WITHOUT = re.compile(r"^# without: (.*)\n", re.MULTILINE)
BASE = re.compile(r"fairdeal\.skeleton\.(?:my_game|tests)(?=\.)")
"""Pattern of the line with which a module of a skeleton imports from the module below it."""

WIDTH = 120

DEFINES = ("@", "class ", "def ")
"""The words with which functions and classes begin."""

Imports = dict[str, set[str]]


def merged(under: str, over: str, module: str) -> str:
    """Return the source of a module merged with another module on top. `module` is its name in the package."""
    left_out = {name.strip() for line in WITHOUT.findall(over) for name in line.split(",")}
    base, own = blocks_of(under), blocks_of(WITHOUT.sub("", over))
    order, place = [name for name in base if name not in left_out], 0
    for name in own:
        if name not in order:
            order.insert(place, name)
        place = order.index(name) + 1
    blocks = base | own
    body = ""
    for before, name in itertools.pairwise(["", *order]):
        apart = before and blocks[before].lstrip().startswith(DEFINES)
        body += "\n\n" + blocks[name].lstrip("\n") if apart else blocks[name]
    imports = imports_of(under, module)
    for source, names in imports_of(over, module).items():
        imports[source] = imports.get(source, set()) | names
    docstring = blocks[order[0]]
    rest = body[len(docstring) :].strip("\n")
    gap = "\n\n" if rest.startswith(DEFINES) else "\n"
    return f"{docstring.strip()}\n\n{imports_text(needed(imports, rest))}{gap}{rest}\n"


def blocks_of(text: str) -> dict[str, str]:
    """Return the statements of a module by the names that they define, each with the comments before it and the
    docstring after it. The module's own docstring has the key ""."""
    lines, found, end, name = text.splitlines(keepends=True), dict[str, str](), 0, ""
    for node in ast.parse(text).body:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        source, begun = "".join(lines[end : node.end_lineno]), end
        end = node.end_lineno or first
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.Expr) and begun:
            found[name] += source  # the docstring of a constant
            continue
        name = name_of(node)
        found[name] = source
    return found


def name_of(node: ast.stmt) -> str:
    """Return the name that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0])
    return ""


def imports_of(text: str, module: str) -> Imports:
    """Return the names that a module imports, by the modules they come from. Modules imported as a whole have the key
    ""."""
    found: Imports = defaultdict(set)
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import):
            found[""] |= {f"{name.name} as {name.asname}" if name.asname else name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            source = BASE.sub("", source)
            if source != f".{module}":
                found[source] |= {name.name for name in node.names}
    return dict(found)


def needed(imports: Imports, body: str) -> Imports:
    """Return the imports whose names are used in `body`."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    kept = {source: {name for name in names if name.split(" as ")[-1] in used} for source, names in imports.items()}
    return {source: names for source, names in kept.items() if names}


def imports_text(imports: Imports) -> str:
    """Return imports as text, sorted like this project's formatter sorts them."""
    groups: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for source, names in imports.items():
        if source:
            line = f"from {source} import {', '.join(sorted(names, key=in_order))}"
            if len(line) > WIDTH:
                inside = "".join(f"    {name},\n" for name in sorted(names, key=in_order))
                line = f"from {source} import (\n{inside})"
            groups[group_of(source)].append((source, line))
        else:
            for name in names:
                groups[group_of(name)].append((f" {name}", f"import {name}"))
    return "\n".join("".join(f"{line}\n" for _, line in sorted(lines)) for _, lines in sorted(groups.items()))


def in_order(name: str) -> tuple[bool, bool, str]:
    """Return a sort key that puts constants first, then classes, then functions."""
    return not name.isupper(), not name[0].isupper(), name


def group_of(source: str) -> int:
    """Return the index of a group of imports: Python's, third-party, fairdeal's, or the package's own."""
    top = source.split(" ")[0].partition(".")[0]
    return 3 if source.startswith(".") else 2 if top == "fairdeal" else 0 if top in sys.stdlib_module_names else 1
