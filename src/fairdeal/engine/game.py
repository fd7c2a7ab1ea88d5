"""The contract: what a game is to everything above the engine.

A game is found by name as one frozen `Game` object, which gathers its rules, its words and its facts. Functions
that take a `viewer` are given concealed records only; SPECTATOR is the viewer without a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from types import ModuleType
from typing import Any, get_origin, get_type_hints

import numpy as np

from fairdeal.engine import single
from fairdeal.engine.actions import Actions
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Event, from_narration
from fairdeal.engine.forms import Observed
from fairdeal.engine.options import Options, Preset
from fairdeal.engine.records import Record, rule
from fairdeal.engine.scene import Face, Picked, Scene, Skin, Voice
from fairdeal.engine.single import single_actions
from fairdeal.engine.snapshots import Snapshot, reading

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
    return defined(modules, [name for name, hint in get_type_hints(kind).items() if get_origin(hint) is Callable])


def defined(modules: Iterable[ModuleType], names: Collection[str]) -> dict[str, Any]:
    """What these modules define under some names; what they import does not count."""
    return {
        name: vars(module)[name]
        for module in modules
        for name in names
        if getattr(vars(module).get(name), "__module__", "") == module.__name__
    }


CONSTANTS = ("ACTIONS", "STATE", "OBSERVED", "PRESETS", "SKIN")
FILES = {"page": "page.toml", "bites": "bites.toml", "levels": "levels.toml", "learned": "learned.npz"}
"""What a game says in constants, and in files of its own: fields of `Game`."""


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

WriteMove = Callable[[Shown, int, Sequence[int]], str]
ReadMove = Callable[[Shown, int, str], list[int]]
Explain = Callable[[Shown, int, str], IllegalMove | None]
WritePosition = Callable[[Shown], dict[str, Any]]
ReadPosition = Callable[[Mapping[str, Any], Record], None]
Happened = Callable[[Shown, Shown, int, Sequence[int], int], Sequence[Event]]
DrawScene = Callable[[Shown, Voice, Sequence[int]], Scene]
Pick = Callable[[Shown, int, Sequence[int], int], Picked]
Why = Callable[[Shown, int, Sequence[int], str], tuple[str, str]]
Limit = Callable[[Shown], int]
Tempo = Callable[[Shown], tuple[float, float]]
InWindow = Callable[[Shown], bool]
Windows = Callable[[Record, int, Sequence[int]], list[Record]]
Reason = Callable[[Shown, int, Sequence[int]], str]
Standing = Callable[[Shown], Sequence[float]]
SayMove = Callable[[Shown, Voice, Sequence[int]], str]
PicksOf = Callable[[Shown, int, Sequence[int]], list[int]]

READERS = {
    *("write_move", "read_move", "explain", "write_position", "happened", "scene", "pick", "why", "reason"),
    *("limit", "tempo", "in_window", "say_move", "picks_of", "standing"),
}
"""The functions of a game that read a state and never change it."""


def no_limit(state: Record) -> int:
    """A game that may take its time."""
    return 0


def no_tempo(state: Record) -> tuple[float, float]:
    """A game in which bots take the time that the program gives them."""
    return 0.0, 0.0


def said_by_labels(state: Record, voice: Voice, actions: Sequence[int]) -> str:
    """A game whose choices have labels that say the move."""
    return ""


def one_by_one(state: Record, player: int, actions: Sequence[int]) -> list[int]:
    """A game in which picks are actions, in their order."""
    return [*actions]


def no_standing(state: Record) -> Sequence[float]:
    """A game whose scores say at any time who leads."""
    return ()


@rule
def no_estimate(state: Record, out: Record) -> None:
    """A game whose scores say at any time how far everybody is."""


@rule
def no_rollout(state: Record, player: int, plan: Record) -> int:
    """A game that search plays out by its greedy rule."""
    return 0


@rule
def none_alike(state: Record, player: int, action: int) -> int:
    """A game in which search tries every move."""
    return action


def no_window(state: Record) -> bool:
    """A game in which everybody may know who is asked."""
    return False


def no_windows(state: Record, player: int, actions: Sequence[int]) -> list[Record]:
    """A game in which nobody is passed over because of what they hold."""
    return []


@dataclass(frozen=True, kw_only=True)
class Game:
    """A published game with everything fairdeal knows of it. Fields:

    goal         what everybody plays for, in a line of at most 64 letters; screens always show it
    actions      what the action ids mean; legal_actions writes at most so many as there are
    state        the record type
    greedy       a rule: greedy(state, player, plan) writes a whole move into `plan`, returns its number of actions
    write_move   (state, player, actions): the text of a whole move; read_move gives its actions back,
                 or raises IllegalMove
    explain      (state, player, text): why a move that can be read is not legal, with the clause
    write_position, read_position   the JSON form of a state, both ways; the latter raises BadPosition
    happened     (before, after, player, actions, viewer): what a move did, as events for a viewer (engine/events.py);
                 a game may have `narrate` instead, which describes it in lines
    scene        (state, voice, draft): the table for the viewer of `voice`, with the picks of a half-made move
    pick         (state, player, draft, choice): what picking one of the scene's choices leads to
    why          (state, viewer, draft, card id): why this card cannot be chosen now, in words, and the clause
    reason       (state, player, actions): why the greedy bot chose a move, in a line
    say_move     (state, voice, actions): a move as advice to the viewer of `voice`, such as `Attack Bo’s blue 6`,
                 without a full stop; "" for the labels of the choices that make it
    picks_of     (state, player, actions): the choices that put a move together on the screen, in order; what then asks
                 for the filled button is done by it
    estimate     a rule: estimate(state, out) writes how far each seat is, higher is better, so that search can compare
                 games that somebody has won by how they were won; without it the scores say
    rollout      a rule, as `greedy`: how everybody plays in the games that search plays out; without it by greedy
    alike        a rule: alike(state, player, action) is the first of the legal actions that are as good as this one by
                 what the player knows, such as to turn up a card that nobody has seen, wherever it lies; search begins
                 its moves with one of them. Without it no two are alike
    horizon      the whole moves after which search estimates a game that it plays out; 0 for its end alone
    standing     (state): a number a seat for how far it is, higher is better, so that it can be told who led when;
                 without it the scores say
    clause_prefix   of its clauses on the page `specification`; several words where a page has common ones
    observed     how observations show the fields of the record (`engine.forms`); the others are shown as numbers
    recall       how much the greedy bot remembers, in percent: 100 where memory is the game
    events       may the house act: does its clock, or its host, bring about what no seat does?
    limit        (state): the seconds that the part of the game under way may take by its rules, 0 for ever; after
                 them the house plays `clock`
    tempo        (state): between how many seconds a bot answers in live play, drawn for each, where all may act at
                 once; (0, 0) as long as the program lets it
    calm_race    the seconds that a `limit` lasts at least at a table with calm races, where bots answer as much later;
                 0 for a game without races
    in_window    (state): is a seat asked only because of what it holds? Live tables show nobody else that it is
    windows      (state, player, actions): the moments of a move at which seats may have been passed over because they
                 hold nothing to play, nobody being asked yet; live tables show each for a while, whoever holds what
    look         the package whose folder `look` holds cover.svg, emblems.svg and skin.css for the browser; what is
                 not there is taken from the package above it
    page         the file with the rules for people, `package:page.toml`; none shows the blurb and the clauses
    levels       the file with how each opponent plays it, `package:levels.toml`; none has the usual four
    learned      the file of a net that has learned the game, `package:learned.npz`; none has none (bots/learned.py)
    bites        the file with notes on rules that surprise, `package:bites.toml`; none tells none
    """

    name: str
    title: str
    designer: str
    publisher: str
    blurb: str
    players: tuple[int, int]
    minutes: tuple[int, int]
    weight: str
    rules_version: int
    specification: str
    clause_prefix: str
    actions: Actions
    state: np.dtype[Any]
    rules: Rules
    greedy: RuleFunction
    options: type[Options]
    presets: Mapping[str, Preset]
    goal: str = ""
    write_move: WriteMove
    read_move: ReadMove
    explain: Explain
    write_position: WritePosition
    read_position: ReadPosition
    happened: Happened
    scene: DrawScene
    pick: Pick
    why: Why
    reason: Reason
    faces: Callable[[Options], Mapping[str, Face]]
    skin: Skin
    look: str
    say_move: SayMove = said_by_labels
    picks_of: PicksOf = one_by_one
    standing: Standing = no_standing
    estimate: RuleFunction = no_estimate
    rollout: RuleFunction = no_rollout
    alike: RuleFunction = none_alike
    horizon: int = 0
    page: str = ""
    bites: str = ""
    levels: str = ""
    learned: str = ""
    observed: Observed = field(default_factory=Observed)
    information: str = "imperfect"
    recall: int = 0
    events: bool = False
    limit: Limit = no_limit
    tempo: Tempo = no_tempo
    calm_race: int = 0
    in_window: InWindow = no_window
    windows: Windows = no_windows
    tags: tuple[str, ...] = field(default=())

    def words_of_preset(self, preset: str) -> tuple[str, str]:
        """What people call a preset, and what a player notices."""
        return self.presets[preset].title, self.presets[preset].text

    @classmethod
    def of(cls, *modules: ModuleType, home: str = "", **own: Any) -> Game:
        """A game with what the modules define under the names of fields: functions, such as `read_move` or `scene`, or
        those that they follow from (`engine.single`), constants, such as `ACTIONS`, and the schema of the options; with
        the files of the package `home`, such as `page.toml`; and `own`, the rest of the fields."""
        found = functions_of(cls, modules) | constants_of(modules) | options_of(modules) | files_of(home) | own
        texts = [vars(module)["TEXTS"] for module in modules if "TEXTS" in vars(module)]
        older = defined(modules, ["narrate"])
        if older and "happened" not in found:
            found["happened"] = from_narration(older["narrate"])
        given = single_actions(found, texts[-1] if texts else None, defined(modules, single.NAMES))
        return cls(**{name: reading(value) if name in READERS else value for name, value in given.items()})
