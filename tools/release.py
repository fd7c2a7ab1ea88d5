"""Make a release: check the project, set the version, build, check what was built, commit and tag.

    uv run --group test python -m tools.release 0.2.0 [--dry-run]

docs/compatibility.md says what comes before and after. Nothing is pushed. `--dry-run` builds and checks in a copy of
the last commit and changes nothing here.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

UV = os.environ.get("UV", "uv")

VERSION = re.compile(r'^version = "(\d+\.\d+\.\d+)"$', re.MULTILINE)

CITED = re.compile(r"^version: \d+\.\d+\.\d+$", re.MULTILINE)
VERSIONED = ("pyproject.toml", "CITATION.cff")
"""The files that name the version."""

NEEDED = (
    "fairdeal/py.typed",
    "fairdeal/rulebook/chi.md",
    "fairdeal/rulebook/war-xtreme.md",
    "fairdeal/server/web/index.html",
    "fairdeal/server/web/main.js",
    "fairdeal/server/storage/migrations/versions/0013_first.py",
    "fairdeal/games/chi/look/cover.svg",
    "fairdeal/games/chi/learned.npz",
    "fairdeal/games/chi/page.toml",
    "fairdeal/games/war_xtreme/look/skin.css",
    "fairdeal/skeleton/my_game/rules.py",
    "fairdeal/terminal/app.tcss",
)
"""Files that the wheel must have: one or more of each kind."""

TRIED = (
    ("--version",),
    ("games", "chi"),
    ("rules", "chi"),
    ("perft", "chi", "--seed", "7", "--depth", "1"),
    ("simulate", "chi", "--games", "20", "--bots", "greedy,random"),
)
"""Commands that are tried with the installed wheel."""

GAME = """
import fairdeal
state = fairdeal.load("chi", stacks_to_end=4).deal(seed=7)
while not state.over:
    state.play(state.to_act[0], next(state.moves(state.to_act[0])))
print(fairdeal.__file__, *state.scores)
"""
"""A quick game, by the plain rules."""


class Refused(Exception):
    """The project is not ready for this release."""


def run(*command: str, where: Path) -> str:
    """Run a command; what it prints. Raises Refused, with what it says, if it fails."""
    found = subprocess.run(command, cwd=where, capture_output=True, text=True)
    if found.returncode:
        raise Refused(f"{' '.join(command)} failed:\n{found.stdout}{found.stderr}".rstrip())
    return found.stdout


def number(version: str) -> tuple[int, ...]:
    """Return a version as numbers. Raises Refused."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        raise Refused(f"{version!r} is not a version; one looks like 0.2.0")
    return tuple(map(int, version.split(".")))


def version_in(root: Path) -> str:
    """Return the version in pyproject.toml. Raises Refused."""
    found = VERSION.search((root / "pyproject.toml").read_text("utf-8"))
    if not found:
        raise Refused('pyproject.toml has no line such as: version = "0.1.0"')
    return found[1]


def check_ready(root: Path, version: str) -> None:
    """Raise Refused unless the work tree is clean, the version is new, and the changelog has a section for it."""
    asked, present = number(version), version_in(root)
    if asked < number(present) or (asked == number(present) and is_tagged(root, present)):
        raise Refused(f"{version} is not above the present version, {present}")
    if changes := run("git", "status", "--porcelain", where=root):
        raise Refused(f"the work tree has changes; commit them or take them back:\n{changes.rstrip()}")
    if is_tagged(root, version):
        raise Refused(f"there is a tag v{version} already")
    section = rf"^## {re.escape(version)}, (\d{{4}}-\d\d-\d\d)\n+(?!## )\S"
    if not re.search(section, (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        raise Refused(f"CHANGELOG.md has no section for {version}; it begins with a line: ## {version}, YEAR-MONTH-DAY")


def is_tagged(root: Path, version: str) -> bool:
    """Return whether there is a tag for this version."""
    return bool(run("git", "tag", "--list", f"v{version}", where=root))


def set_version(root: Path, version: str) -> None:
    """Write the version into pyproject.toml and CITATION.cff."""
    path, citation = (root / name for name in VERSIONED)
    path.write_text(VERSION.sub(f'version = "{version}"', path.read_text("utf-8"), count=1), "utf-8")
    citation.write_text(CITED.sub(f"version: {version}", citation.read_text("utf-8"), count=1), "utf-8")


def build(root: Path, dist: Path) -> tuple[Path, Path]:
    """Build the source archive and the wheel into a folder."""
    run(sys.executable, "-m", "hatchling", "build", "-d", str(dist), where=root)
    (archive,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    return archive, wheel


def check_metadata(told: str, version: str) -> Message:
    """Check what a package index shows and asks for. Raises Refused."""
    found = Parser().parsestr(told)
    if (found["Name"], found["Version"]) != ("fairdeal", version):
        raise Refused(f"the package calls itself {found['Name']} {found['Version']}, not fairdeal {version}")
    for field in ("Summary", "Requires-Python", "License-Expression", "Description-Content-Type"):
        if not found[field]:
            raise Refused(f"the package’s metadata has no {field}")
    if not str(found.get_payload()).strip():
        raise Refused("the package’s metadata has no description")
    return found


def check_contents(archive: Path, wheel: Path, version: str) -> None:
    """Check what lies in the archive and the wheel. Raises Refused."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        check_metadata(packed.read(metadata).decode(), version)
    if missing := [name for name in NEEDED if name not in names]:
        raise Refused(f"the wheel lacks {', '.join(missing)}")
    own = ("fairdeal/", f"fairdeal-{version}.dist-info/")
    if others := [name for name in names if not name.startswith(own) or "/__pycache__/" in name]:
        raise Refused(f"the wheel has what does not belong there: {', '.join(others[:5])}")
    with tarfile.open(archive) as packed_sources:
        sources = packed_sources.getnames()
        told = packed_sources.extractfile(f"fairdeal-{version}/PKG-INFO")
        check_metadata(told.read().decode() if told else "", version)
    for name in ("pyproject.toml", "README.md", "LICENSE", "src/fairdeal/__init__.py", "docs/rules/chi.md"):
        if f"fairdeal-{version}/{name}" not in sources:
            raise Refused(f"the source archive lacks {name}")


def check_installed(wheel: Path, version: str, folder: Path) -> None:
    """Install the wheel in a fresh environment, and play there. Raises Refused. Its dependencies are fetched."""
    place = folder / "environment"
    run(UV, "venv", "--quiet", "--python", sys.executable, str(place), where=folder)
    programs = place / ("Scripts" if sys.platform == "win32" else "bin")
    python, command = str(programs / "python"), str(programs / "fairdeal")
    run(UV, "pip", "install", "--quiet", "--python", python, str(wheel), where=folder)
    for words in TRIED:
        told = run(command, *words, where=folder)
        if words == ("--version",) and told.strip() != f"fairdeal {version}":
            raise Refused(f"the installed program says {told.strip()!r}")
    if str(place) not in run(python, "-c", GAME, where=folder):
        raise Refused("the game was not played by the installed wheel")


def checked_build(root: Path, version: str, dist: Path) -> None:
    """Build into a folder and check what was built. Raises Refused."""
    archive, wheel = build(root, dist)
    check_contents(archive, wheel, version)
    with tempfile.TemporaryDirectory() as folder:
        check_installed(wheel, version, Path(folder))
    print(f"built and checked: {archive.name}, {wheel.name}")


def rehearse(root: Path, version: str) -> None:
    """Build and check in a copy of the last commit."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        run("git", "clone", "--quiet", "--no-hardlinks", str(root), str(copy), where=Path(folder))
        set_version(copy, version)
        checked_build(copy, version, Path(folder) / "dist")
    print(f"nothing was changed; without --dry-run, fairdeal {version} would be committed and tagged v{version}")


def release(root: Path, version: str) -> None:
    """Set the version, build and check into dist, commit and tag. If a check fails, the version is as it was."""
    before = {root / name: (root / name).read_bytes() for name in VERSIONED}
    dist = root / "dist" / version
    shutil.rmtree(dist, ignore_errors=True)  # of a try that failed
    try:
        set_version(root, version)
        checked_build(root, version, dist)
    except BaseException:
        for path, content in before.items():
            path.write_bytes(content)
        shutil.rmtree(dist, ignore_errors=True)
        raise
    if any(path.read_bytes() != content for path, content in before.items()):
        run("git", "commit", "--quiet", "--message", f"Release {version}", *VERSIONED, where=root)
    run("git", "tag", "--annotate", f"v{version}", "--message", f"fairdeal {version}", where=root)
    print(
        f"tagged v{version}; next:\n"
        f"  uv run --group test python -m tests.compatibility.freeze {version}  # and commit the folder\n"
        f"  uv run python -m tools.tokens --write {version}  # and commit tools/tokens.toml\n"
        f"  git push origin HEAD v{version}\n"
        f"  uv publish {dist.relative_to(root)}/*"
    )


def main(words: list[str] | None = None, root: Path = Path(__file__).parents[1]) -> int:
    """Release a version, or say why not. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Build, check and tag a release.")
    parser.add_argument("version", help="such as 0.2.0")
    parser.add_argument("--dry-run", action="store_true", help="build and check in a copy; change nothing")
    given = parser.parse_args(words)
    try:
        check_ready(root, given.version)
        (rehearse if given.dry_run else release)(root, given.version)
    except Refused as problem:
        print(f"not released: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
