"""Write a ladder's results into a game's `levels.toml` and into docs/ladder.md."""

from importlib.resources import files
from pathlib import Path

import fairdeal
from fairdeal.bots.levels import FACES, Level
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text, write_whole
from fairdeal.engine.game import Game
from fairdeal.lab.ratings.ladder import Ladder

HEAD = (
    "# How each opponent plays, the weakest first; by `fairdeal ladder {name} --calibrate --write`: docs/ladder.md.\n"
)

COLUMNS = "| | level | rating | wins against the previous one | games |\n|---|---|---|---|---|\n"


def levels_path(game: Game) -> Path:
    """Return the path of a game's levels. Raises FairdealError if the game has no such file."""
    package, _, name = game.levels.partition(":")
    if not name:
        raise FairdealError(f"{game.title} has no file for its levels; set levels='your_package:levels.toml'")
    return Path(str(files(package) / name))


def page_path() -> Path:
    """Return the path of docs/ladder.md in a checkout of fairdeal. Raises FairdealError outside of a checkout."""
    path = Path(fairdeal.__file__).parents[2] / "docs" / "ladder.md"
    if not path.exists():
        raise FairdealError(f"{path} does not exist: --write needs a checkout of fairdeal")
    return path


def write_levels(game: Game, levels: dict[str, Level], found: Ladder) -> None:
    """Write the levels and their ratings into the game's file."""
    ratings = {rung.name: rung for rung in found.rungs}
    rated = {
        name: level.replaced(rating=ratings[name].rating, deviation=ratings[name].deviation)
        for name, level in levels.items()
    }
    write_whole(levels_path(game), HEAD.format(name=game.name) + "".join(section(*one) for one in rated.items()))


def section(name: str, level: Level) -> str:
    """Return a level as TOML, with only the fields that differ from the defaults."""
    usual = Level()
    facts = [
        f"{field} = {getattr(level, field)}\n"
        for field in level.__struct_fields__
        if getattr(level, field) != getattr(usual, field)
    ]
    return f"\n[{name}]\n{''.join(facts)}"


def write_page(game: Game, levels: dict[str, Level], found: Ladder) -> None:
    """Write the table of a game into docs/ladder.md, replacing the old one."""
    path = page_path()
    head, *sections = read_text(path).split("\n## ")
    kept = {part.partition("\n")[0]: part for part in sections}
    kept[game.title] = f"{game.title}\n\n{table_of(game, levels, found)}"
    write_whole(path, "\n## ".join([head, *(kept[title].rstrip() + "\n" for title in sorted(kept))]))


def table_of(game: Game, levels: dict[str, Level], found: Ladder) -> str:
    rows = []
    for rung in found.rungs:
        wins = rung.wins
        share = f"{wins.value:.0%} ({wins.low:.0%} to {wins.high:.0%})" if wins else ""
        name, plays = FACES[rung.name].name, levels[rung.name].habits(game)
        rows.append(
            f"| {name} | {plays} | {rung.rating:.0f} ± {1.96 * rung.deviation:.0f} | {share} | {rung.games:,} |\n"
        )
    return COLUMNS + "".join(rows)
