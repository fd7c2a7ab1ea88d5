"""The contract between a game and the code that uses it.

A game is found by name as one frozen `Game` object, which groups its rules, its texts and its data. Functions that take
a `viewer` are given concealed records only; SPECTATOR is the viewer without a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib.resources import files
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np

from fairdeal.engine.events import Event
from fairdeal.engine.kit import single
from fairdeal.engine.kit.actions import Actions
from fairdeal.engine.kit.forms import Observed
from fairdeal.engine.kit.single import single_actions
from fairdeal.engine.kit.snapshots import Snapshot, reading
from fairdeal.engine.options import Options, Preset, option_fields
from fairdeal.engine.records import Record, rule
from fairdeal.engine.scene import Card, Face, Picked, Scene, Skin, Voice, Zone
from fairdeal.engine.scene.shown import InScene
from fairdeal.engine.written.positions import Condition

RuleFunction = Callable[..., Any]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The contract functions of a game. All are `@rule`s and can be compiled.

    deal(state)                            set up the game from the options and the random number generator
    legal_actions(state, player, actions)  write the legal ids in ascending order and return their number. For HOUSE, in
                                           a game with `events`, these are the ids of events that can happen now
    apply(state, player, action)           carry out a legal action, given as a plain integer like the player
    conceal(state, viewer, recall)         conceal everything that the viewer may not know; `recall` is the percentage
                                           of seen cards that the viewer remembers
    resample(state, player, source)        replace unknown cards with a possible arrangement, drawn from `source`
    returns(state, out)                    write the final scores; higher is better

    >>> isinstance(find_game("chi").rules, Rules)
    True
    """

    deal: RuleFunction
    legal_actions: RuleFunction
    apply: RuleFunction
    conceal: RuleFunction
    resample: RuleFunction
    returns: RuleFunction

    @classmethod
    def of(cls, *modules: ModuleType, **own: RuleFunction) -> Rules:
        """Return the contract functions that some modules define. `own` contains functions whose names differ."""
        return cls(**functions_of(cls, modules) | own)


def functions_of(kind: type[Any], modules: Iterable[ModuleType]) -> dict[str, Any]:
    """Return the functions that modules define for the function fields of a dataclass, by field name."""
    hints = get_type_hints(kind).items()
    names = [name for name, hint in hints if any(get_origin(part) is Callable for part in (hint, *get_args(hint)))]
    return defined(modules, names)


def defined(modules: Iterable[ModuleType], names: Collection[str]) -> dict[str, Any]:
    """Return the values that the modules themselves define for the given names, ignoring imports."""
    return {
        name: vars(module)[name]
        for module in modules
        for name in names
        if getattr(vars(module).get(name), "__module__", "") == module.__name__
    }


CONSTANTS = ("ACTIONS", "OBSERVED", "CONDITIONS", "PRESETS", "SKIN")
FILES = {
    "page": "page.toml",
    "clauses": "clauses.toml",
    "levels": "levels.toml",
    "learned": "learned.npz",
}
"""Files of a game's package that become fields of `Game`, by field name."""


def constants_of(modules: Iterable[ModuleType]) -> dict[str, Any]:
    """Return the constants that modules define for a game, by field name."""
    return {name.lower(): vars(module)[name] for module in modules for name in CONSTANTS if name in vars(module)}


def options_of(modules: Iterable[ModuleType]) -> dict[str, type[Options]]:
    """Return the options schema defined by one of the modules, as the value of the key `options`. The dictionary is
    empty if none defines one."""
    kinds = [kind for module in modules for kind in vars(module).values() if is_schema(kind, module)]
    return {"options": kinds[-1]} if kinds else {}


def players_of(options: type[Options] | None) -> dict[str, Any]:
    """Return the minimum and the maximum number of players that an options schema allows, as the value of the key
    `players`."""
    metas = getattr(option_fields(options)["players"].type, "__metadata__", ()) if options else ()
    limits = [(meta.ge, meta.le) for meta in metas if meta.ge is not None and meta.le is not None]
    return {"players": limits[0]} if limits else {}


def is_schema(kind: object, module: ModuleType) -> bool:
    """Return whether a value is an options schema defined in the module."""
    return isinstance(kind, type) and issubclass(kind, Options) and kind.__module__ == module.__name__


def files_of(home: str) -> dict[str, str]:
    """Return the package of a game as its `look`, and the game's files in that package, by field name."""
    if not home:
        return {}
    found = {field: f"{home}:{name}" for field, name in FILES.items() if (files(home) / name).is_file()}
    if (files(home) / "rules.md").is_file():
        found["specification"] = f"{home}:rules.md"
    return {"look": home} | found


Shown = Record | Snapshot
"""A state that is only read. Functions of a game are written for snapshots; a record passed to them is converted to a
snapshot."""


@rule
def none_alike(state: Record, player: int, action: int) -> int:
    """Treat no two actions as equivalent, so that search tries every move."""
    return action


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game: its rules, texts, pictures, bots and data.

    Functions that are given a `Shown` state read it and never change it.

    >>> game = find_game("chi")
    >>> isinstance(game, Game), game.title, game.players, len(game.actions)
    (True, 'Chi', (2, 2), 94)
    >>> [*game.presets]
    ['standard', 'mixed', 'open-deck', 'short']
    """

    # --- description ---

    name: str
    title: str
    designer: str
    publisher: str
    goal: str = ""
    """The objective of the game, in one line of at most 64 characters. Screens always show it."""
    blurb: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    weight: str
    options: type[Options]
    presets: Mapping[str, Preset]
    """Options that are set together, by name. `fairdeal play` and the `Play` button use the first preset."""

    # --- rules ---

    rules_version: int
    specification: str
    """The page in docs/rules, without `.md`, or `package:FILE`."""
    clause_prefix: str
    """Prefix of the ids of the game's clauses in `specification`, or several prefixes separated by spaces if the page
    has shared clauses."""
    state: np.dtype[Any]
    """The record type of the game's states."""
    actions: Actions
    """The meanings of the action ids. `legal_actions` writes at most as many ids as there are actions."""
    rules: Rules
    events: bool = False
    """Whether the house plays events that no player causes, such as the end of a time limit."""

    # --- words ---

    write_move: Callable[[Shown, int, Sequence[int]], str]
    """(state, player, actions): Return the text of a complete move."""
    read_move: Callable[[Shown, int, str], list[int]]
    """(state, player, text): Return the actions of a move that `write_move` wrote. Raises IllegalMove."""
    explain: Callable[[Shown, int, Sequence[int]], tuple[str, str] | None]
    """(state, player, actions): Return the reason why actions are not a legal move, and the clause. The result is None
    if no rule forbids them, but the move is not complete, or has actions after its end."""
    write_position: Callable[[Shown], dict[str, Any]]
    """(state): Return the JSON form of a state."""
    read_position: Callable[[Mapping[str, Any], Record], None]
    """(position, state): Write the JSON form into a blank state. Raises BadPosition."""
    conditions: Sequence[Condition] = ()
    """The conditions of every state, in addition to the kinds of its fields (`engine.written`)."""
    happened: Callable[[Shown, Shown, int, Sequence[int], int], Sequence[Event]]
    """(before, after, player, actions, viewer): Return the effects of a move as events for a viewer
    (engine/events.py)."""
    say_move: Callable[[Shown, Voice, Sequence[int]], str] = lambda state, voice, actions: ""
    """(state, voice, actions): Return a move as advice to the viewer of `voice`, without a full stop: `Attack Bo’s blue
    6`. If the result is "", the labels of the move's choices are used."""
    reason: Callable[[Shown, int, Sequence[int]], str]
    """(state, player, actions): Return the reason for a move of the greedy bot, in a line."""
    tapped: Callable[[Shown, int, Sequence[int], Zone, Card], str | tuple[str, str] | None] = (
        lambda state, viewer, draft, zone, card: "other"
    )
    """(state, viewer, draft, zone, card): Return the reason why a card in the scene cannot be chosen now: a key of the
    refusals in `clauses`, or the text and clause of an illegal action."""
    page: str = ""
    """File of the rules page for players, `package:page.toml`. If it is "", screens show the blurb and the clauses."""
    clauses: str = ""
    """File of plain wordings, refusals and tips by clause, `package:clauses.toml`, or "" for none."""

    # --- picture ---

    scene: Callable[[Shown, Voice, Sequence[int]], Scene]
    """(state, voice, draft): Return the table for the viewer of `voice`, with the choices of an unfinished move."""
    pick: Callable[[Shown, int, Sequence[int], int], Picked] = lambda state, player, draft, choice: Picked(
        (), (choice,)
    )
    """(state, player, draft, choice): Return the result of making one of the scene's choices (default: the choice is a
    complete move)."""
    picks_of: Callable[[Shown, int, Sequence[int]], list[int]] = lambda state, player, actions: [*actions]
    """(state, player, actions): Return the choices that make up a move on the screen, in order. If the main button
    remains after the last one, it completes the move."""
    in_scene: Sequence[InScene] = ()
    """The fields of the record that scenes show, so that players' programs can compare scenes with the replayed game
    (`engine.scene.shown`)."""
    faces: Callable[[Options], Mapping[str, Face]]
    skin: Skin
    look: str
    """The package whose folder `look` has the files cover.svg, emblems.svg and skin.css for the browser, and cards.svg
    for pictures of finished games. Missing files are taken from the parent package."""

    # --- learning and analysis ---

    observed: Observed = field(default_factory=Observed)
    """Forms of the record's fields in observations (`engine.kit.forms`); other fields are shown as plain numbers."""
    standing: Callable[[Shown], Sequence[float]] = lambda state: ()
    """(state): Return a number for each seat that measures its progress (higher is better), so that the leader is known
    at any time. If the result is (), the scores are used."""

    # --- bots ---

    greedy: RuleFunction
    """A rule: greedy(state, player, plan) writes a complete move into `plan` and returns its number of actions."""
    recall: int = 0
    """Percentage of seen cards that the greedy bot remembers: 100 if the game is about memory."""
    estimate: RuleFunction | None = None
    """A rule: estimate(state, out) writes each seat's progress (higher is better), so that search can distinguish clear
    wins from narrow ones (default: the scores)."""
    rollout: RuleFunction | None = None
    """A rule, called like `greedy`, that plays a seat in the games that search plays out (default: `greedy`)."""
    alike: RuleFunction = none_alike
    """A rule: alike(state, player, action) returns the first of the legal actions that are equivalent to `action`,
    given the player's knowledge. For example, all cards that no player has seen are equivalent. Search tries only one
    of the equivalent actions as the start of a move (default: no two are equivalent)."""
    horizon: int = 0
    """Number of complete moves after which search estimates the result of a game; 0 to play to the end."""
    levels: str = ""
    """File that describes the opponents, `package:levels.toml`, or "" for the usual four."""
    learned: str = ""
    """File of a neural network that was trained to play the game, `package:learned.npz`, or "" for none
    (bots/learned.py)."""

    # --- live play ---

    limit: Callable[[Shown], int] = lambda state: 0
    """(state): Return the time limit of the rules for the current part of the game, in seconds, or 0 for no limit. When
    time is up, the house plays `clock`."""
    tempo: Callable[[Shown], tuple[float, float]] = lambda state: (0.0, 0.0)
    """(state): Return the range of a bot's delay while all seats may act at once, as a pair of seconds. If the result
    is (0, 0), the program's usual delay is used."""
    calm_race: int = 0
    """Minimum `limit`, in seconds, at a table with calm races, where the answers of bots are delayed in proportion; 0
    for a game without races."""
    in_window: Callable[[Shown], bool] = lambda state: False
    """(state): Return whether a seat is to act only because of the cards that it holds. Live tables hide this from
    other seats, and let seats pass in advance if `pass` is a move."""
    windows: Callable[[Record, int, Sequence[int]], list[Record]] = lambda state, player, actions: []
    """(state, player, actions): Return the states during a move at which seats may have been skipped because they hold
    no card to play. Live tables pause at each of these states, regardless of the hands."""
    could_be_asked: Callable[[Shown], Collection[int] | None] = lambda state: None
    """(state): Return the seats that could be asked in one of these states, judging by public information. Live tables
    do not pause if there are none. None stands for all seats."""

    def __deepcopy__(self, known: object) -> Game:
        """Return the game itself, which never changes. `engine.registry` pickles it as its name."""
        return self

    @property
    def package(self) -> str:
        """The package of the game, in which its rules are a module or a package."""
        return self.rules.apply.__module__.rpartition(".")[0].removesuffix(".rules")

    @property
    def has_windows(self) -> bool:
        """Whether live tables show windows, during which some seats do not see the current state."""
        return self.in_window is not Game.in_window or self.windows is not Game.windows

    def words_of_preset(self, preset: str) -> tuple[str, str]:
        """Return the title of a preset, and a sentence that describes its effect to players."""
        return self.presets[preset].title, self.presets[preset].text

    @classmethod
    def of(cls, *modules: ModuleType, home: str = "", **own: Any) -> Game:
        """Return a game made of the values that modules define under field names. These are functions such as
        `read_move` or `scene`, or those from which they are derived (`engine.kit.single`, `engine.written`); constants
        such as `ACTIONS`; the options schema; and the six rules, if all are defined. Files of the package `home`, such
        as `page.toml`, are added, and `own` gives the remaining fields. The numbers of players are the limits of the
        option `players`."""
        rules = functions_of(Rules, modules)
        found: dict[str, Any] = {"rules": Rules(**rules)} if len(rules) == len(fields(Rules)) else {}
        found |= functions_of(cls, modules) | constants_of(modules) | options_of(modules) | files_of(home) | own
        found = players_of(found.get("options")) | found
        texts = [vars(module)["TEXTS"] for module in modules if "TEXTS" in vars(module)]
        hooks = defined(modules, ["prepare_position", "settle_position"])
        for declared in [vars(module)["POSITION"] for module in modules if "POSITION" in vars(module)]:
            found = declared.functions(found | hooks) | found
        given = single_actions(found, texts[-1] if texts else None, defined(modules, single.NAMES))
        return cls(**{name: reading(value) if name in READERS else value for name, value in given.items()})


READERS = {field.name for field in fields(Game) if "Shown" in str(field.type)}
"""The names of a game's functions that read a state and never change it."""
