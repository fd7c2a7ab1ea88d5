"""The contract: what a game is to everything above the engine.

A game is found by name as one frozen `Game` object, which gathers its rules, its words and its facts. Functions
that take a `viewer` are given concealed records only; SPECTATOR is the viewer without a seat.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Event, from_narration
from fairdeal.engine.kit import single
from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import Observed
from fairdeal.engine.kit.single import single_actions
from fairdeal.engine.kit.snapshots import Snapshot, reading
from fairdeal.engine.options import Options, Preset
from fairdeal.engine.records import Record, rule
from fairdeal.engine.scene import Card, Face, Picked, Scene, Skin, Voice, Zone

RuleFunction = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The contract functions; all are `@rule`s and can be compiled.

    deal(state)                            set up from options and chance
    legal_actions(state, player, actions)  write the legal ids in ascending order, return how many; for HOUSE, where a
                                           game has events, those that the house may bring about
    apply(state, player, action)           carry out a legal action, given as a plain integer like the player
    conceal(state, viewer, recall)         blank in place all that the viewer may not know; `recall` is how much of what
                                           they have seen they remember, in percent: 0 shows what lies open now
    resample(state, player, source)        fill the blanks with an arrangement that fits, drawn from `source`
    returns(state, out)                    final scores, higher is better
    """

    deal: RuleFunction
    legal_actions: RuleFunction
    apply: RuleFunction
    conceal: RuleFunction
    resample: RuleFunction
    returns: RuleFunction

    @classmethod
    def of(cls, *modules: ModuleType, **own: RuleFunction) -> Rules:
        """The functions of these names that the modules define; and `own`, those that have other names there."""
        return cls(**functions_of(cls, modules) | own)


def functions_of(kind: type[Any], modules: Iterable[ModuleType]) -> dict[str, Any]:
    """What these modules define under the names of a dataclass's functions."""
    hints = get_type_hints(kind).items()
    names = [name for name, hint in hints if any(get_origin(part) is Callable for part in (hint, *get_args(hint)))]
    return defined(modules, names)


def defined(modules: Iterable[ModuleType], names: Collection[str]) -> dict[str, Any]:
    """What these modules define under some names; what they import does not count."""
    return {
        name: vars(module)[name]
        for module in modules
        for name in names
        if getattr(vars(module).get(name), "__module__", "") == module.__name__
    }


CONSTANTS = ("ACTIONS", "STATE", "OBSERVED", "PRESETS", "SKIN")
FILES = {
    "page": "page.toml",
    "clauses": "clauses.toml",
    "bites": "bites.toml",
    "levels": "levels.toml",
    "learned": "learned.npz",
}
"""What a game says in constants, and in files of its own: fields of `Game`."""

OLDER = "fairdeal 0.3 will not read bites.toml, nor [clauses] in page.toml: put both into clauses.toml, by clause"


def constants_of(modules: Iterable[ModuleType]) -> dict[str, Any]:
    """What modules say of a game in constants."""
    return {name.lower(): vars(module)[name] for module in modules for name in CONSTANTS if name in vars(module)}


def options_of(modules: Iterable[ModuleType]) -> dict[str, type[Options]]:
    """The schema of the options that one of these modules defines."""
    kinds = [kind for module in modules for kind in vars(module).values() if is_schema(kind, module)]
    return {"options": kinds[-1]} if kinds else {}


def is_schema(kind: object, module: ModuleType) -> bool:
    """Is this a schema of options that the module defines?"""
    return isinstance(kind, type) and issubclass(kind, Options) and kind.__module__ == module.__name__


def files_of(home: str) -> dict[str, str]:
    """The package that holds what a game looks like, and the files that it has of the game."""
    if not home:
        return {}
    found = {field: f"{home}:{name}" for field, name in FILES.items() if (files(home) / name).is_file()}
    return {"look": home} | found


Shown = Record | Snapshot
"""A state to read. These functions are written for snapshots; called with a record, they get one of it."""


@rule
def none_alike(state: Record, player: int, action: int) -> int:
    """A game in which search tries every move."""
    return action


@dataclass(frozen=True, kw_only=True)
class Game:
    """A published game with everything fairdeal knows of it.

    Functions that are given a `Shown` state read it and never change it.
    """

    # --- what it is ---

    name: str
    title: str
    designer: str
    publisher: str
    goal: str = ""
    """What everybody plays for, in a line of at most 64 letters; screens always show it."""
    blurb: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    weight: str
    tags: tuple[str, ...] = ()
    options: type[Options]
    presets: Mapping[str, Preset]

    # --- its rules ---

    rules_version: int
    specification: str
    """The page in docs/rules, without `.md`, or `package:FILE`."""
    clause_prefix: str
    """Prefix of its clauses on the page `specification`; several words if the page has common ones."""
    state: np.dtype[Any]
    """The record type."""
    actions: Actions
    """The meaning of the action ids; legal_actions writes at most as many as there are."""
    rules: Rules
    events: bool = False
    """Whether the house may act: its clock, or its host, brings about what no seat does."""

    # --- its words ---

    write_move: Callable[[Shown, int, Sequence[int]], str]
    """(state, player, actions): the text of a whole move."""
    read_move: Callable[[Shown, int, str], list[int]]
    """(state, player, text): the actions of a move that `write_move` wrote. Raises IllegalMove."""
    explain: Callable[[Shown, int, str], IllegalMove | None]
    """(state, player, text): why a move that can be read is not legal, with the clause."""
    write_position: Callable[[Shown], dict[str, Any]]
    """(state): its JSON form."""
    read_position: Callable[[Mapping[str, Any], Record], None]
    """(position, state): write the JSON form into a blank state. Raises BadPosition."""
    happened: Callable[[Shown, Shown, int, Sequence[int], int], Sequence[Event]]
    """(before, after, player, actions, viewer): what a move did, as events for a viewer (engine/events.py). A game may
    have `narrate` instead, which describes it in lines."""
    say_move: Callable[[Shown, Voice, Sequence[int]], str] = lambda state, voice, actions: ""
    """(state, voice, actions): a move as advice to the viewer of `voice`, such as `Attack Bo’s blue 6`, without a full
    stop; "" for the labels of the choices that make it."""
    reason: Callable[[Shown, int, Sequence[int]], str]
    """(state, player, actions): why the greedy bot chose a move, in a line."""
    tapped: Callable[[Shown, int, Sequence[int], Zone, Card], str | tuple[str, str] | None] = (
        lambda state, viewer, draft, zone, card: "other"
    )
    """(state, viewer, draft, zone, card): why this card of the scene cannot be chosen now: a case of the refusals in
    `clauses`, or the words and clause of a refused action."""
    why: Callable[[Shown, int, Sequence[int], str], tuple[str, str]] = lambda state, viewer, draft, card: ("", "")
    """(state, viewer, draft, card id): why this card cannot be chosen now, in a sentence, and the clause; ("", "") for
    the answer that `clauses` and `tapped` give."""
    page: str = ""
    """The file with the rules for people, `package:page.toml`; "" shows the blurb and the clauses."""
    clauses: str = ""
    """The file with plain words, refusals and notes by clause, `package:clauses.toml`; "" for none."""
    bites: str = ""
    """The same file by its older name, `package:bites.toml`. fairdeal 0.3 will not read it."""

    # --- its picture ---

    scene: Callable[[Shown, Voice, Sequence[int]], Scene]
    """(state, voice, draft): the table for the viewer of `voice`, with the picks of a half-made move."""
    pick: Callable[[Shown, int, Sequence[int], int], Picked]
    """(state, player, draft, choice): what picking one of the scene's choices leads to."""
    picks_of: Callable[[Shown, int, Sequence[int]], list[int]] = lambda state, player, actions: [*actions]
    """(state, player, actions): the choices that put a move together on the screen, in order. If a filled button is
    asked for after them, it does the rest."""
    faces: Callable[[Options], Mapping[str, Face]]
    skin: Skin
    look: str
    """The package whose folder `look` holds cover.svg, emblems.svg and skin.css for the browser; files that are not
    there are taken from the package above it."""

    # --- what learners and analyses know of it ---

    information: str = "imperfect"
    observed: Observed = field(default_factory=Observed)
    """How observations show the fields of the record (`engine.kit.forms`); the others are shown as numbers."""
    standing: Callable[[Shown], Sequence[float]] = lambda state: ()
    """(state): a number for each seat that says how far it is, higher is better, to find out who led when; () if the
    scores say it."""

    # --- its bots ---

    greedy: RuleFunction
    """A rule: greedy(state, player, plan) writes a whole move into `plan`, returns its number of actions."""
    recall: int = 0
    """How much the greedy bot remembers, in percent: 100 where memory is the game."""
    estimate: RuleFunction | None = None
    """A rule: estimate(state, out) writes how far each seat is, higher is better, so that search can compare games that
    somebody has won by how they were won (default: the scores)."""
    rollout: RuleFunction | None = None
    """A rule, as `greedy`: how everybody plays in the games that search plays out (default: by greedy)."""
    alike: RuleFunction = none_alike
    """A rule: alike(state, player, action) is the first of the legal actions that are as good as this one by what the
    player knows, such as to turn up a card that nobody has seen, wherever it lies; search begins its moves with one of
    them (default: no two are alike)."""
    horizon: int = 0
    """Number of whole moves after which search estimates a game that it plays out; 0 for its end alone."""
    levels: str = ""
    """The file with how each opponent plays it, `package:levels.toml`; "" for the usual four."""
    learned: str = ""
    """The file of a net that has learned the game, `package:learned.npz`; "" for none (bots/learned.py)."""

    # --- live play ---

    limit: Callable[[Shown], int] = lambda state: 0
    """(state): seconds that the part of the game under way may take by its rules, 0 for ever; after them the house
    plays `clock`."""
    tempo: Callable[[Shown], tuple[float, float]] = lambda state: (0.0, 0.0)
    """(state): range of seconds within which a bot answers, drawn for each, where all may act at once; (0, 0) for the
    time that the program gives it."""
    calm_race: int = 0
    """Minimum number of seconds of a `limit` at a table with calm races, where bots answer later in proportion; 0 for a
    game without races."""
    in_window: Callable[[Shown], bool] = lambda state: False
    """(state): whether a seat is asked only because of what it holds. Live tables show nobody else that it is."""
    windows: Callable[[Record, int, Sequence[int]], list[Record]] = lambda state, player, actions: []
    """(state, player, actions): the moments of a move at which seats may have been passed over because they hold
    nothing to play, nobody being asked yet; live tables show each for a while, whoever holds what."""

    def __post_init__(self) -> None:
        if self.bites:
            warnings.warn(OLDER, DeprecationWarning, stacklevel=2)
            object.__setattr__(self, "clauses", self.clauses or self.bites)

    def words_of_preset(self, preset: str) -> tuple[str, str]:
        """What people call a preset, and what a player notices."""
        return self.presets[preset].title, self.presets[preset].text

    @classmethod
    def of(cls, *modules: ModuleType, home: str = "", **own: Any) -> Game:
        """A game with what the modules define under the names of fields: functions, such as `read_move` or `scene`, or
        those that they follow from (`engine.kit.single`), constants, such as `ACTIONS`, and the schema of the options;
        with the files of the package `home`, such as `page.toml`; and `own`, the rest of the fields."""
        found = functions_of(cls, modules) | constants_of(modules) | options_of(modules) | files_of(home) | own
        texts = [vars(module)["TEXTS"] for module in modules if "TEXTS" in vars(module)]
        older = defined(modules, ["narrate"])
        if older and "happened" not in found:
            found["happened"] = from_narration(older["narrate"])
        given = single_actions(found, texts[-1] if texts else None, defined(modules, single.NAMES))
        return cls(**{name: reading(value) if name in READERS else value for name, value in given.items()})


READERS = {field.name for field in fields(Game) if "Shown" in str(field.type)}
"""The functions of a game that read a state and never change it."""
