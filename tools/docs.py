"""Build the documentation site from README.md, docs/ and the docstrings of public names.

    uv run --group docs python -m tools.docs [FOLDER]

The site is written to FOLDER (default: site). Its pages are copied to a temporary folder first, beside those that are
generated there: docs/README.md as the first page and the navigation, the rules of each game for people, and a page of
reference for each module in the table of docs/compatibility.md. Nothing is fetched from the network.
"""

from __future__ import annotations

import argparse
import gc
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from fairdeal import find_game, game_names
from fairdeal.engine.page import HEADS, Said, filled, page_of
from tools.reference import public_names, reference_index, reference_page

ROOT = Path(__file__).parents[1]
MAP = ROOT / "docs" / "README.md"
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "docs", "examples")
"""Files and folders of the repository that are copied to the site's source."""

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)#\s]+)(?=[)#])")
"""The path in a Markdown link to a file of the repository."""

TOPIC = re.compile(r"^## (.+)$((?:\n(?!## ).*)*)", re.MULTILINE)
"""A section of docs/README.md."""

ENTRY = re.compile(r"^- \[([^\]]+)\]\(([^)#]+)\.(?:md|rst)\)", re.MULTILINE)
"""A page in a list of pages: its title there, and its path."""

GENERATED = {
    "- [Specifications]": "- [Rules for people](rules/index.md): each game on a page",
    "- [Compatibility]": "- [Public names](reference/index.rst): every module, class and function, with examples",
}
"""Pages that the code makes, by the entry of docs/README.md that follows them."""

CLAUSE = re.compile(r"^(\s*[-*] )([A-Z]\w*-\d+\w?)(?= )", re.MULTILINE)
"""The id that begins a clause of a specification."""


# --- rules for people ------------------------------------------------------------------------------------------------


def rules_index() -> str:
    """Return the list of this package's games, as Markdown."""
    lines = [f"- [{game.title}]({game.name}.md): {game.goal or game.blurb}" for game in map(find_game, games())]
    return "\n".join(["# Rules for people", "", *lines, ""])


def rules_page(name: str) -> str:
    """Return the rules of a game for people, as Markdown."""
    game = find_game(name)
    faces = game.faces(game.options(players=game.players[0]))
    page = filled(page_of(game), faces)

    def clause(id: str) -> str:
        return f" ([{id}](../docs/rules/{game.specification}.md#{id.lower()}))" if id else ""

    def cards(row: Iterable[str]) -> str:
        words = " ".join(f"**{one[1:].strip()}**" if one.startswith(":") else f"*{card_name(one)}*" for one in row)
        return words.replace("* *", "* · *").replace("**", "")

    def card_name(text: str) -> str:
        face = faces.get(re.split(r"[+=]", text)[0])
        return face.name if face else "a hidden card" if text == "back" else text

    def paragraph(said: Said, mark: str = "") -> list[str]:
        drawn = ["", f"   {cards(said.cards)}" if mark else cards(said.cards)] if said.cards else []
        return [f"{mark}{said.text}{clause(said.clause)}", *drawn, ""]

    players = "-".join(map(str, sorted({*game.players})))
    lines = [f"# {game.title}", "", f"**{page.goal.text}**{clause(page.goal.clause)}", ""]
    minutes = "-".join(map(str, game.minutes))
    lines += [f"By {game.designer}, published by {game.publisher}. {players} players, {minutes} minutes.", ""]
    for part in ("set_up", "turn"):
        lines += [f"## {HEADS[part]}", ""]
        for number, said in enumerate(getattr(page, part), 1):
            lines += paragraph(said, f"{number}. " if part == "turn" else "")
    lines += [f"## {HEADS['cards']}", "", "| card | what it does | clause |", "|---|---|---|"] if page.cards else []
    lines += [f"| {one.name} | {one.text} |{clause(one.clause)} |".replace("\n", " ") for one in page.cards] + [""]
    lines += [f"## {HEADS['end']}", ""] + [line for said in page.end for line in paragraph(said)]
    lines += [f"## {HEADS['scoring']}", ""] + [line for said in page.scoring.said for line in paragraph(said)]
    for example in page.scoring.sums:
        lines += [f"| {example.title} | {example.unit} |", "|---|--:|"]
        lines += [f"| {row.text} | {row.value} |" for row in example.rows]
        lines += [f"| **Total** | **{example.total}** |", ""]
    lines += [f"## {HEADS['asked']}", ""] if page.asked else []
    for question in page.asked:
        lines += [f"**{question.ask}**", "", f"{question.answer}{clause(question.clause)}", ""]
    lines += [f"Every rule, by number, is in the [specification](../docs/rules/{game.specification}.md)."]
    return "\n".join(lines) + "\n"


# --- the site's source -----------------------------------------------------------------------------------------------


def write_source(folder: Path) -> None:
    """Write all pages of the site, and the files that they link to, into an empty folder."""
    for name in PAGES:
        place = ROOT / name
        if place.is_dir():
            shutil.copytree(place, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(place, folder / name)
    for page in [*folder.rglob("*.md")]:
        copy_page(page, folder)
    for page in (folder / "docs").glob("*/README.md"):
        page.write_text(page.read_text("utf-8") + pages_below(page), "utf-8")
    index = index_page(folder)
    (folder / "index.md").write_text(index, "utf-8")
    (folder / "docs" / "README.md").unlink()
    for page in folder.rglob("*.md"):
        if page.parts[len(folder.parts)] != "docs" and str(page.relative_to(folder)).removesuffix(".md") not in index:
            page.write_text("---\norphan: true\n---\n" + page.read_text("utf-8"), "utf-8")
    (folder / "reference").mkdir()
    (folder / "reference" / "index.rst").write_text(reference_index(), "utf-8")
    for module in public_names():
        (folder / "reference" / f"{module}.rst").write_text(reference_page(module), "utf-8")
    (folder / "rules").mkdir()
    for game in games():
        (folder / "rules" / f"{game}.md").write_text(rules_page(game), "utf-8")
    (folder / "rules" / "index.md").write_text(rules_index() + pages_below(folder / "rules" / "index.md"), "utf-8")


def games() -> list[str]:
    """Return the names of this package's own games."""
    return [name for name in game_names() if find_game(name).look.startswith("fairdeal.")]


def copy_page(page: Path, folder: Path) -> None:
    """Rewrite the links of a copied page: to folders, and to files outside of what was copied."""
    original = ROOT / page.relative_to(folder)

    def target(link: re.Match[str]) -> str:
        place = (original.parent / link[1]).resolve()
        if place in (MAP, MAP.parent):
            return "../" * len(original.relative_to(ROOT).parts[1:]) + "index.md"
        if place.is_dir() and (place / "README.md").exists():
            return link[1].rstrip("/") + "/README.md"
        if place.is_file() and not (folder / place.relative_to(ROOT)).exists():
            copied = folder / place.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place, copied)
        return link[1]

    text = LINK.sub(target, original.read_text("utf-8"))
    if original.parent == ROOT / "docs" / "rules":
        text = CLAUSE.sub(lambda found: f"{found[1]}[{found[2]}]{{#{found[2].lower()}}}", text)
    page.write_text(text, "utf-8")


def index_page(folder: Path) -> str:
    """Return the first page of the site: docs/README.md, with the pages that are generated."""
    text = LINK.sub(lambda link: placed(link[1]), (folder / "docs" / "README.md").read_text("utf-8"))
    for first, entry in GENERATED.items():
        text = text.replace(first, f"{entry}\n{first}", 1)
    return with_trees(text)


def with_trees(text: str) -> str:
    """Return a page of links with a part of the navigation for each of its sections."""
    trees: list[str] = []
    for topic, lines in TOPIC.findall(text):
        pages = [f"{title} <{page}>" for title, page in ENTRY.findall(lines)]
        trees += ["", "```{toctree}", ":hidden:", ":titlesonly:", f":caption: {topic}", *pages, "```"]
    return text + "\n".join(trees) + "\n"


def pages_below(page: Path) -> str:
    """Return the navigation below the page of a folder: its other pages."""
    names = sorted(one.stem for one in page.parent.glob("*.md") if one != page)
    return "\n".join(["", "```{toctree}", ":hidden:", ":titlesonly:", *names, "```", ""])


def placed(link: str) -> str:
    """Return a link of docs/README.md as it is from the folder above."""
    return link.removeprefix("../") if link.startswith("../") else f"docs/{link}"


def build(folder: Path) -> int:
    """Build the site into a folder, with warnings as errors. Return Sphinx's exit status."""
    from sphinx.cmd.build import main as sphinx

    gc.disable()  # a quarter of the time, in a process that ends soon
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "source"
        source.mkdir()
        write_source(source)
        settings = str(Path(__file__).parent / "site")
        strictly = ["-q", "-W", "--keep-going", "-E", "-c", settings, "-d", f"{place}/doctrees"]
        return sphinx([*strictly, str(source), str(folder)])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "site", help="default: site")
    folder = parser.parse_args().folder
    status = build(folder)
    print(f"{folder}/index.html" if status == 0 else "the site has errors", file=sys.stderr if status else sys.stdout)
    sys.exit(status)


if __name__ == "__main__":
    main()
