"""Make everything again that is frozen or generated, and say what changed and why it may.

    uv run --group test python -m tools.renew [STEP ...]

Without names, all steps run, in the order of `STEPS`. Each runs in a new process, which sees what the steps before it
wrote. Nothing here can know whether you wanted a change: read the differences before you commit them.
"""

from __future__ import annotations

import argparse
import doctest
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import fairdeal
from fairdeal.bots.learned import About, read_net
from fairdeal.engine.game import Game
from fairdeal.engine.observe.layout import layout_of
from fairdeal.engine.registry import find_game
from fairdeal.environments.versions import versions_of
from tests import perft, test_counts, test_tables
from tests.games import test_golden
from tests.server import test_page_types
from tests.table import test_proofs
from tests.test_readme import Checker
from tools import reference

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
VERSION = re.compile(r"\brules_version=\d+")


@dataclass(frozen=True)
class Step:
    """A step: the files that it makes, as patterns, the reasons for which they may change, and the function that writes
    them."""

    files: str
    may: str
    write: Callable[[], None]

    def contents(self) -> dict[Path, bytes]:
        """Return the content of each file."""
        return {path: path.read_bytes() for pattern in self.files.split() for path in ROOT.glob(pattern)}


def path_of(package: str) -> Path:
    """Return the folder of a package of this project."""
    return (ROOT / "src").joinpath(*package.split("."))


# --- the rules of a game ---------------------------------------------------------------------------------------------


def has_other_course(name: str) -> bool:
    """Return whether a recorded game of a title breaks its rules, or ends with other scores."""
    games = test_golden.read_games(name)
    return any(
        isinstance(found, str) or not found["over"] or found["scores"] != games[number]["scores"]
        for number, found in test_golden.differences(name)
    )


def raise_versions() -> None:
    """Raise the version of the rules of each game whose recorded games have another course, if it was not raised."""
    for game in map(find_game, fairdeal.game_names()):
        recorded = test_golden.read_games(game.name)[0]["rules"]
        if recorded == game.rules_version and has_other_course(game.name):
            raise_version(game)


def file_of_rules(game: Game) -> Path:
    """Return the file that states the version of a game's rules."""
    home = path_of(game.look)
    files = (folder / "game.py" for folder in (home, home.parent))
    return next(path for path in files if path.is_file() and VERSION.search(path.read_text("utf-8")))


def raise_version(game: Game) -> None:
    """Raise the version of a game's rules, and that of its environments in the docs."""
    file = file_of_rules(game)
    new = game.rules_version + len(versions_of(game))
    if f"rules_version={new}" in file.read_text("utf-8"):
        return  # raised for another game of the same file
    edit(file, VERSION, f"rules_version={new}")
    words = game.name.split("-")
    for page in PAGES:
        for name in ("".join(word.capitalize() for word in words), game.name):
            edit(page, re.compile(rf"\b{name}-v{game.rules_version}\b"), f"{name}-v{new}")


def edit(file: Path, pattern: re.Pattern[str], text: str) -> None:
    """Replace what a pattern finds in a file."""
    was = file.read_text("utf-8")
    now = pattern.sub(text, was)
    if now != was:
        file.write_text(now, "utf-8")


def record_games() -> None:
    """Record the games again of each title that no longer replays them to the same bytes."""
    for name in fairdeal.game_names():
        recorded = test_golden.read_games(name)[0]["rules"]
        if recorded != find_game(name).rules_version or any(test_golden.differences(name)):
            test_golden.record(name)


def sign_nets() -> None:
    """Write the version of the rules and the meaning of observations into each network that can still be played."""
    for game in (game for game in map(find_game, fairdeal.game_names()) if game.learned):
        table = fairdeal.load(game.name)
        net, about, layout = read_net(game.learned), About.of(table), layout_of(table)
        fits = (len(net.weights[0]), net.weights[-1].shape[1]) == (layout.size, len(game.actions))
        if net.about != about and fits:
            package, _, name = game.learned.rpartition(":")
            replace(net, about=about).write(path_of(package) / name)


# --- examples --------------------------------------------------------------------------------------------------------


class Corrector(doctest.DocTestRunner):
    """A runner of examples that keeps those whose output differs, with the output."""

    def __init__(self) -> None:
        super().__init__(Checker(), verbose=False, optionflags=doctest.ELLIPSIS)
        self.found: list[tuple[doctest.DocTest, doctest.Example, str]] = []

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.found.append((test, example, got))


def examples() -> Iterator[doctest.DocTest]:
    """Yield the examples of README.md and docs/, and of the docstrings of public names."""
    parser = doctest.DocTestParser()
    for page in PAGES:
        yield parser.get_doctest(page.read_text("utf-8"), {"__name__": "__main__"}, page.name, str(page), 0)
    for module in reference.public_names():
        for test in reference.examples_of(module):
            test.globs = reference.namespace_for(module)
            if test.filename is None:
                name = test.name.removeprefix(f"{module}.").partition(".")[0]
                thing = inspect.unwrap(getattr(importlib.import_module(module), name))
                test.filename = inspect.getsourcefile(thing)
            yield test


def lines_of(example: doctest.Example, output: str) -> str:
    """Return an example with an output, as its page shows it."""
    first, *rest = example.source.splitlines()
    lines = [f">>> {first}", *(f"... {line}" for line in rest), *output.splitlines()]
    return "".join(f"{' ' * example.indent}{line}".rstrip() + "\n" for line in lines)


def correct_examples() -> None:
    """Write the output of each example that differs. An example that fails in another way stays, and so does its
    test's failure."""
    corrector = Corrector()
    for test in examples():
        corrector.run(test, out=lambda text: None, clear_globs=False)
    for test, example, output in corrector.found:
        path = Path(str(test.filename))
        text = path.read_text("utf-8")
        path.write_text(text.replace(lines_of(example, example.want), lines_of(example, output), 1), "utf-8")


# --- all steps -------------------------------------------------------------------------------------------------------


def build_modules() -> None:
    """Build the WebAssembly modules in a process of their own, which has an empty cache."""
    subprocess.run([sys.executable, "-m", "tools.modules"], cwd=ROOT, check=True)


def write_tables() -> None:
    """Write the tables of docs/."""
    for page in test_tables.PAGES.values():
        page.write_text(test_tables.made_anew(page.read_text("utf-8")), "utf-8")


def writing(path: Path, written: Callable[[], str]) -> Callable[[], None]:
    """Return a function that writes what `written` returns into a file."""

    def write() -> None:
        path.write_text(written(), "utf-8")

    return write


STEPS = {
    "versions": Step(
        "src/fairdeal/games/**/game.py README.md docs/**/*.md",
        "recorded games of a title have another course by its rules",
        raise_versions,
    ),
    "games": Step("tests/golden/*", "a game has other rules, or a state another layout", record_games),
    "nets": Step(
        "src/fairdeal/games/**/learned.npz",
        "a game has other rules or observations; train the network again (examples/learner), or it plays worse",
        sign_nets,
    ),
    "perft": Step("tests/perft.toml", "a game has other rules", writing(perft.FILE, perft.written)),
    "modules": Step(
        "src/fairdeal/engine/compile/built/*",
        "a rule, a building block, a search driver, an option or a field of a state is different",
        build_modules,
    ),
    "counts": Step(
        "tests/counts.toml",
        "a game takes other work; give the reason in CHANGELOG.md",
        writing(test_counts.FILE, test_counts.written),
    ),
    "types": Step(
        "src/fairdeal/server/web/protocol.d.ts",
        "a struct of the protocol is different",
        writing(test_page_types.FILE, test_page_types.written),
    ),
    "tables": Step(
        "docs/*.md", "a struct, an event, an address or a public name is different, or its docstring", write_tables
    ),
    "log": Step(
        "docs/log-format.md",
        "CHI has other rules, or a log other lines",
        writing(test_proofs.PAGE, test_proofs.page_with_log),
    ),
    "examples": Step(
        "README.md docs/**/*.md src/fairdeal/**/*.py", "an example prints something else", correct_examples
    ),
}


def run(step: Step) -> None:
    """Run a step, and print the files that changed."""
    before = step.contents()
    step.write()
    after = step.contents()
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            print(f"  {path.relative_to(ROOT)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.renew", description="Make frozen and generated files again.")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"one of {', '.join(STEPS)}")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := [name for name in given.steps if name not in STEPS]:
        parser.error(f"there is no step {unknown[0]}; give {', '.join(STEPS)}")
    for name in given.steps or STEPS:
        if given.here:
            run(STEPS[name])
            continue
        command = [sys.executable, "-m", "tools.renew", "--here", name]
        changed = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(
            f"{name}: {f'changed, because {STEPS[name].may}:' if changed else 'as before'}\n{changed}",
            end="",
            flush=True,
        )


if __name__ == "__main__":
    main()
