"""The description of a study, read from a TOML recipe or built from command-line options."""

import difflib
import itertools
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from fairdeal.bots.registry import name_of, one_for_each
from fairdeal.engine.errors import BadOption, FairdealError
from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.options import as_dict, label_of, option_fields, read_file, said
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import Table, table_for
from fairdeal.lab.simulate.jobs import Order, order_of
from fairdeal.lab.studies.measures import STATISTICS

MOST_VARIANTS = 24
"""Maximum number of tables in a study. With more, charts would be too small to read."""

OWN_FIELDS = ("players", "preset", "bots", "catalogue")
"""Fields of a study that can be swept, in addition to the game's options."""


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One of the tables that a study compares: its name, and its differences from the study's base table."""

    name: str = ""
    players: int | None = None
    preset: str = ""
    catalogue: str = ""
    options: dict[str, Any] = {}
    bots: tuple[str, ...] = ()


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A study. Fields:

    game             name of the game
    players          number of players at the table
    preset           preset of the table
    options          options of the table
    catalogue        file of cards, next to the recipe
    title            title of the report
    question         question at the top of the report
    bots             one bot for all seats, or one for each
    games            number of games, for wins and lengths
    watched          number of games that are recorded move by move; all games if bots search
    followed         number of watched games whose chances are followed
    dealt            number of games for the wins of the players who were dealt each card; 0 for none
    playouts         number of games played out to estimate a chance
    levels           number of games for each other opponent against the study's first bot, and half the number of
                     games for luck and skill; 0 for none
    search_levels    number of these games for opponents that search
    sweep            values by option, or by players, preset, bots or catalogue; all combinations are played
    variants         tables that differ in several options; all others are compared with the first one
    main             the main measure, by its key (default: wins, or lengths if tables with other options are compared)
    targets          the least and the most value that measures should have; shares are between 0 and 1
    until_clear      whether to stop before `games` as soon as the answer to the main question is clear
    precision        maximum half-width of an interval that counts as clear
    seed             a word or number; the same seed deals the same cards
    """

    game: str
    title: str = ""
    question: str = ""
    players: int | None = None
    preset: str = ""
    options: dict[str, Any] = {}
    catalogue: str = ""
    bots: tuple[str, ...] = ("otto",)
    games: int = 10_000
    watched: int = 200
    followed: int = 50
    dealt: int = 2000
    playouts: int = 100
    levels: int = 2000
    search_levels: int = 0
    sweep: dict[str, list[Any]] = {}
    variants: list[Variant] = []
    main: str = ""
    targets: dict[str, tuple[float, float]] = {}
    until_clear: bool = False
    precision: float = 0.01
    seed: int | str = 0

    def __post_init__(self) -> None:
        least = {"games": 2, "watched": 2, "followed": 0, "dealt": 0, "playouts": 1, "levels": 0, "search_levels": 0}
        for name, low in least.items():
            if getattr(self, name) < low:
                raise ValueError(f"`{name}` must be at least {low}, not {getattr(self, name)}")
        if self.main not in ("", *STATISTICS):
            raise ValueError(f"`main` must be one of {', '.join(STATISTICS)}, not {self.main!r}")
        for name, (first, last) in self.targets.items():
            if name not in STATISTICS:
                raise ValueError(f"a target must be of {', '.join(STATISTICS)}, not {name!r}")
            if not -math.inf < first < last < math.inf:
                raise ValueError(f"the target of `{name}` must be two numbers, the smaller one first")
        if not self.bots:
            raise ValueError("`bots` must name at least one bot")
        if self.sweep and self.variants:
            raise ValueError("give `sweep` or `variants`, not both")


@dataclass(frozen=True)
class Setup:
    """A table of a study: its name in the report, the table, a bot for each seat, and the recipe, which says how many
    games are played with which seed."""

    name: str
    table: Table
    bots: tuple[str, ...]
    study: Study

    @cached_property
    def order(self) -> Order:
        """The order for the games at this table."""
        return order_of(self.table, self.bots, self.study.seed)


def read_study(path: Path) -> Study:
    """Read a recipe. Raises FairdealError, with the place of the error, if it cannot be read."""
    text = read_text(path)
    try:
        told = tomllib.loads(text)
        check_names(told, Study)
        for variant in told.get("variants", ()):
            check_names(variant, Variant)
        return msgspec.convert(told, Study)
    except ValueError as problem:
        raise FairdealError(f"{path}: {problem}") from None
    except RecursionError:
        raise FairdealError(f"{path}: TOML is nested too deeply") from None


def check_names(told: object, shape: type[msgspec.Struct]) -> None:
    """Raise ValueError for an unknown name. The message suggests the most similar known name."""
    known = shape.__struct_fields__
    for name in told if isinstance(told, Mapping) else ():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
            raise ValueError(f"unknown name `{name}`; {hint}")


def setups_of(study: Study, folder: Path = Path(), most: int = MOST_VARIANTS) -> list[Setup]:
    """Return the tables of a study, in order. Files are read from `folder`. Raises FairdealError if a table cannot be
    created, or if there are more than `most`."""
    variants = study.variants or [*itertools.islice(swept(study), most + 1)]
    if len(variants) > most:
        number = len(study.variants) or math.prod(map(len, study.sweep.values()))
        raise FairdealError(f"a study can compare at most {most} tables, not {number}")
    found = [setup_of(study, variant, folder) for variant in variants]
    names = [setup.name for setup in found]
    for name in names:
        if names.count(name) > 1:
            raise FairdealError(f"two variants are called {name!r}")
    check_distinct(found)
    return found


def check_distinct(found: Sequence[Setup]) -> None:
    """Raise FairdealError if two tables would play the same games."""
    names: dict[object, str] = {}
    for one in found:
        before = names.setdefault((repr(as_dict(one.table.options)), one.bots, str(one.study.seed)), one.name)
        if before != one.name:
            raise FairdealError(
                f"{before!r} and {one.name!r} have the same table, bots and seed, so they would play the same games; "
                "change one of them, such as its seed"
            )


def setup_of(study: Study, variant: Variant, folder: Path) -> Setup:
    """Return the table of a variant, whose settings override those of the study."""
    game = find_game(study.game)
    players = study.players if variant.players is None else variant.players
    given = study.options | variant.options
    given |= {} if players is None else {"players": players}
    catalogue = variant.catalogue or study.catalogue
    if catalogue:
        given["catalogue"] = read_file(game.options, "catalogue", folder / catalogue)
    table = table_for(study.game, given, variant.preset or study.preset)
    bots = one_for_each(variant.bots or study.bots, table.players, game)
    return Setup(variant.name or game.title, table, bots, study)


def swept(study: Study) -> Iterator[Variant]:
    """Yield all combinations of the swept values, or one variant if nothing is swept."""
    game = find_game(study.game)
    for name, values in study.sweep.items():
        if name not in option_fields(game.options) and name not in OWN_FIELDS:
            near = difflib.get_close_matches(name, [*option_fields(game.options), *OWN_FIELDS], n=1)
            raise BadOption(name, "", f"no option with this name{f'; did you mean {near[0]}?' if near else ''}")
        if not values:
            raise BadOption(name, "", "a sweep must have at least one value")
    for combined in itertools.product(*study.sweep.values()):
        chosen = dict(zip(study.sweep, combined, strict=True))
        own: dict[str, Any] = {name: chosen[name] for name in ("players", "preset", "catalogue") if name in chosen}
        if "bots" in chosen:
            own["bots"] = [chosen["bots"]] if isinstance(chosen["bots"], str) else chosen["bots"]
        options = {name: value for name, value in chosen.items() if name not in OWN_FIELDS}
        name = ", ".join(named(game, one, value) for one, value in chosen.items())
        yield Variant(name=name, options=options, **own)


def named(game: Game, name: str, value: object) -> str:
    """Return a swept value in words, such as `Yang: mixed` or `3 players`."""
    if name == "players":
        return f"{value} players"
    if name == "preset":
        return game.words_of_preset(str(value))[0]
    if name == "bots":
        return " and ".join(name_of(one) for one in ([value] if isinstance(value, str) else listed(value)))
    if name == "catalogue":
        return Path(str(value)).stem
    field = option_fields(game.options)[name]
    return f"{label_of(field)}: {said(field, value)}"


def listed(value: object) -> Sequence[str]:
    """Return the bots in a list of names. Raises BadOption for anything else."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise BadOption("bots", value, "must be the name of a bot, or a list with one for each seat")
    return value


def numbered(setups: Sequence[Setup], text: str) -> tuple[Setup, int]:
    """Return the table and the number of a game given as `GAME`, or as `TABLE:GAME` with the number of the table,
    counted from 1. Raises FairdealError if there is no such table."""
    table, colon, game = text.rpartition(":")
    if not game.isdecimal() or (colon and not table.isdecimal()):
        raise FairdealError(f"a game must have the form GAME or TABLE:GAME, such as 17 or 2:17, not {text!r}")
    number = int(table or 1)
    if not 1 <= number <= len(setups):
        raise FairdealError(f"there is no table {number}: this study has {len(setups)}")
    return setups[number - 1], int(game)


ALIKE = ("until_clear", "precision", "playouts", "targets")
"""Settings that all recipes of a comparison must share. Each uses its own seed, bots and numbers of games."""


def compared(studies: Sequence[tuple[Study, Path]]) -> tuple[Study, list[Setup]]:
    """Combine several recipes for one game into one study, which has the tables of each recipe, with its settings.
    Raises FairdealError if they cannot be combined."""
    first = studies[0][0]
    found = []
    mains = list(dict.fromkeys(study.main for study, _ in studies if study.main))
    if len(mains) > 1:
        raise FairdealError(f"the main measures of the recipes are {' and '.join(mains)}, but a report has only one")
    for study, path in studies:
        if study.game != first.game:
            raise FairdealError(f"{path}: this recipe is for {study.game}, the first one for {first.game}")
        for name in (*ALIKE, *(["games"] if first.until_clear else [])):
            own, others = getattr(study, name), getattr(first, name)
            if own != others:
                raise FairdealError(
                    f"{path}: `{name}` is {own!r} here and {others!r} in the first recipe, but a report has one for "
                    "all tables"
                )
        for setup in setups_of(study, path.parent):
            plain = not study.sweep and not study.variants
            name = (study.title or path.stem) if plain else f"{study.title or path.stem}, {setup.name}"
            found.append(replace(setup, name=name))
    if len({setup.name for setup in found}) < len(found):
        found = [replace(setup, name=f"{number}. {setup.name}") for number, setup in enumerate(found, start=1)]
    check_distinct(found)
    questions = dict.fromkeys(study.question for study, _ in studies if study.question)
    return msgspec.structs.replace(first, main="".join(mains), question=" ".join(questions)), found
