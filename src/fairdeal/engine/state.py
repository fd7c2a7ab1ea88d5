"""The public interface: a game with its options, and its states.

game = fairdeal.load("chip-it", players=4)
state = game.deal(seed=7)
state.play(state.to_act[0], "play 5g")
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from string import digits
from typing import Any, NamedTuple

import numpy as np

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.enumeration import deals
from fairdeal.engine.errors import BadOption, BadPosition, FairdealError, IllegalMove
from fairdeal.engine.events import Event, described
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.snapshots import Snapshot, seats_in, snapshot
from fairdeal.engine.options import Options, changed, option_fields, part_of, read_options, write_options
from fairdeal.engine.records import HOUSE, SPECTATOR, Record, attribute, copied, merged, new, restored
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Card, Line, Picked, Scene, Voice, Zone, as_text, count_of, lies, places_by, sentence
from fairdeal.engine.scene.picks import Way, way_to
from fairdeal.engine.scene.shown import InScene, digest, facts_in
from fairdeal.engine.tips import read_refusals
from fairdeal.engine.written.positions import broken

field = np.void.__getitem__
"""Return a field of a record by name, in half the time of `record[name]`, which also checks whether the field is itself
a record."""


def load(name: str, /, *, preset: str = "", **options: object) -> Table:
    """Return a table of the game `name`. Its options are those of the preset, if one is named, and the given options.

    Raises UnknownGame or BadOption, with a message that lists the correct values.

    >>> load("chi", preset="mixed", stacks_to_end=4)
    <Chi: players=2, yang_layout='mixed', stacks_to_end=4>
    """
    return table_for(name, options, preset)


def table_for(name: str, options: Mapping[str, object], preset: str = "") -> Table:
    """Return a table of the game `name`, as `load` does, with options from a mapping.

    >>> table_for("chi", {"stacks_to_end": 4})
    <Chi: players=2, stacks_to_end=4>
    """
    game = find_game(name)
    if preset:
        if not isinstance(preset, str) or preset not in game.presets:
            raise BadOption("preset", preset, f"{game.title} has {', '.join(game.presets)}")
        options = dict(game.presets[preset]) | dict(options)
    return table_with(game, options)


def table_with(game: Game, options: Mapping[str, object]) -> Table:
    """Return a table of a game, with options from a mapping."""
    return Table(game, read_options(game.options, options))


class Table:
    """A game with its options: deals games and sets up positions. It is pickled as the name of the game and the changed
    options, and its states as bytes.

    >>> table = load("chip-it", players=3)
    >>> table.players, table.options.mode
    (3, 'single')
    """

    def __init__(self, game: Game, options: Options) -> None:
        self.game = game
        self.options = options
        self.start = new(game.state)  # options set, nothing dealt
        self.start.rules_version = game.rules_version
        write_options(options, self.start)
        chance.restart(self.start.chance)

    def __reduce__(self) -> tuple[Any, ...]:
        return table_with, (self.game, self.changed)

    def __repr__(self) -> str:
        chosen = ", ".join(f"{name}={value!r}" for name, value in self.changed.items())
        return f"<{self.game.title}: {chosen}>"

    @property
    def players(self) -> int:
        return self.options.players

    @cached_property
    def changed(self) -> dict[str, object]:
        """The options that a log or a position must contain: `players`, and all options that differ from their
        defaults."""
        return changed(self.options)

    @cached_property
    def in_scene(self) -> tuple[InScene, ...]:
        """The fields that scenes show. If the cards are read from a file, their faces are omitted."""
        hints = {name: field.type for name, field in option_fields(self.game.options).items()}
        own = any(part_of(hints[name]) for name in self.changed)
        return tuple(part for part in self.game.in_scene if not (own and part.faces))

    def blank(self) -> State:
        """Return a state with its options set and no cards dealt."""
        return State(self, copied(self.start))

    def deal(self, seed: int | str | bytes) -> State:
        """Return a new game. The same seed and options deal the same cards on every platform and in every later
        version.

        >>> table = load("chi")
        >>> table.deal(seed=7) == table.deal(seed=7)
        True
        """
        return self.deal_from(chance.key_of(seed))

    def deal_from(self, key: bytes) -> State:
        """Return a new game, dealt by a random number generator with this key of 32 bytes."""
        state = self.blank()
        chance.set_key(state.record.chance, key)
        compiled.rules_of(self.game).deal(state.record)
        return state

    def setup(self, position: Mapping[str, Any], seed: int | str | bytes = 0) -> State:
        """Return a state from a position in JSON form. docs/rules describes the fields for each game.

        Options in the position are added to those of this table. Cards that the position does not specify are dealt
        from `seed`. Raises BadPosition, with the place in the JSON, if the position is wrong.

        >>> position = load("chi").deal(seed=7).position()
        >>> load("chi").setup(position).position() == position
        True
        """
        state = setup_blank(self, position)
        compiled.rules_of(self.game).resample(state.record, SPECTATOR, chance.seeded(seed))
        return state


def setup_blank(table: Table, position: Mapping[str, Any]) -> State:
    """Return a state from a position, with unspecified cards as unknown cards."""
    name = position.get("game", table.game.name)
    if name != table.game.name:
        raise BadPosition("game", name, f"this table plays {table.game.name}")
    given = position.get("options", {})
    if not isinstance(given, Mapping):
        raise BadPosition("options", given, "give an object of options")
    options = read_options(table.game.options, table.changed | dict(given))
    state = (table if options == table.options else Table(table.game, options)).blank()
    table.game.read_position(position, state.record)
    return state


class Attempt(NamedTuple):
    """The result of a legal move: its actions, its text in notation, and the state after it."""

    actions: tuple[int, ...]
    text: str
    after: State


class State:
    """A state of a game. Moves change it in place; `copy` returns an independent one.

    `viewer` is None, or the seat (or SPECTATOR) for which `view` has concealed everything that it may not know.
    `record` is the state as one NumPy record.

    >>> state = load("chi").deal(seed=7)
    >>> state.to_act
    (1,)
    >>> next(state.moves(1))
    'draw 0'
    >>> state.play(1, "draw 0")
    >>> state.to_act, state.over
    ((0,), False)
    """

    __slots__ = ("record", "table", "viewer")

    def __init__(self, table: Table, record: Record, viewer: int | None = None) -> None:
        self.table = table
        self.record = record
        self.viewer = viewer

    def __reduce__(self) -> tuple[Any, ...]:
        return unpickled, (self.table, self.record.tobytes(), self.viewer)

    def __repr__(self) -> str:
        where = "over" if self.over else f"to act: {', '.join(map(str, self.to_act))}"
        return f"<{self.game.title}, {where}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game is other.game and self.record.tobytes() == other.record.tobytes()

    __hash__ = None  # type: ignore[assignment]

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def players(self) -> int:
        return self.table.players

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return seats_in(int(field(self.record, "to_act")))

    def may_act(self, player: int) -> bool:
        """Return whether a seat may act now. HOUSE may act at any time in games that have events.

        >>> load("chi").deal(seed=7).may_act(HOUSE)
        False
        """
        return player in self.to_act or (player == HOUSE and self.game.events)

    @property
    def over(self) -> bool:
        return bool(field(self.record, "over"))

    @property
    def composing(self) -> bool:
        """Whether a move of several choices has been started but not completed."""
        return bool(field(self.record, "composing"))

    @property
    def scores(self) -> tuple[int, ...]:
        """The final scores by seat (higher is better). While the game runs, the scores that seats would have if it
        ended now."""
        return tuple(math.floor(score) for score in self.returns())

    def returns(self) -> list[float]:
        """Return the scores by seat. The fraction of a point decides between equal scores, for example after a
        playoff."""
        out = np.zeros(self.players, np.float64)
        compiled.rules_of(self.game).returns(self.record, out)
        found: list[float] = out.tolist()
        return found

    @property
    def leaders(self) -> frozenset[int]:
        """The seats that are in first place now."""
        standing = self.game.standing(self.record) or self.returns()
        return frozenset(seat for seat, own in enumerate(standing) if own == max(standing))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The places by seat; 1 is best, and equal scores share a place."""
        return places_by(self.returns())

    def legal_actions(self, player: int) -> list[int]:
        """Return the ids of a seat's legal actions, ascending. An action is one step of a move.

        >>> load("chi").deal(seed=7).legal_actions(1)
        [0, 1, 2, 3, 4, 5, 25]
        """
        if self.viewer not in (None, player):
            raise FairdealError(f"viewer {self.viewer} cannot know what seat {player} may play")
        if player == HOUSE and not self.game.events:
            return []
        actions = compiled.scratch(self.game)
        count = compiled.rules_of(self.game).legal_actions(self.record, player, actions)
        found: list[int] = actions[:count].tolist()
        return found

    def apply(self, player: int, action: int) -> None:
        """Carry out one action. Raises IllegalMove and changes nothing if the action is not legal."""
        if action not in self.legal_actions(player):
            raise IllegalMove(f"action {action}", f"seat {player} has no such action now")
        compiled.rules_of(self.game).apply(self.record, player, int(action))

    def moves(self, player: int) -> Iterator[str]:
        """Yield a seat's legal moves, in notation."""
        shown = snapshot(self.record)
        return (self.game.write_move(shown, player, actions) for actions in self.action_moves(player))

    def action_moves(self, player: int) -> Iterator[tuple[int, ...]]:
        """Yield a seat's legal moves, as sequences of actions. In a state with a viewer, the unknown cards are first
        filled in at random, because rules cannot move unknown cards."""
        unfinished: list[tuple[State, tuple[int, ...]]] = [(self if self.viewer is None else self.guess(), ())]
        while unfinished:
            state, actions = unfinished.pop()
            steps = []
            for action in state.legal_actions(player):
                after = state.copy()
                compiled.rules_of(self.game).apply(after.record, player, action)
                if after.composing:
                    steps.append((after, (*actions, action)))
                else:
                    yield (*actions, action)
            unfinished.extend(reversed(steps))

    def read_move(self, player: int, text: str) -> tuple[int, ...]:
        """Return the actions of a complete move given in notation. Raises IllegalMove, with the reason and the clause,
        if it is not legal.

        >>> load("chi").deal(seed=7).read_move(1, "draw 0")
        (0,)
        """
        return self.attempt(player, text).actions

    def attempt(self, player: int, move: str | Sequence[int]) -> Attempt:
        """Check a complete move, given in notation or as actions, without changing this state. Raises IllegalMove, with
        the reason and the clause, if the move is not legal."""
        text = " ".join(move.split()) if isinstance(move, str) else " ".join(map(str, move))
        if self.over:
            raise IllegalMove(text, "the game is over")
        if not self.may_act(player):
            turn = ", ".join(map(str, self.to_act))
            raise IllegalMove(text, f"it is not seat {player}'s turn (waiting for seat {turn})")
        shown = snapshot(self.record)
        actions = self.game.read_move(shown, player, text) if isinstance(move, str) else move
        after = self.after(player, actions)
        if after is None:
            raise IllegalMove(text, *self.why_illegal(shown, player, actions))
        return Attempt(tuple(map(int, actions)), self.game.write_move(shown, player, actions), after)

    def is_legal_move(self, player: int, actions: Sequence[int]) -> bool:
        """Return whether these actions are a complete legal move."""
        return self.after(player, actions) is not None

    def why_illegal(self, shown: Snapshot, player: int, actions: Sequence[int]) -> tuple[str, str]:
        """Return the reason why actions are not a complete legal move, and the clause, or "" if no rule forbids it."""
        try:
            reason = self.game.explain(shown, player, actions) if [*map(self.game.actions.decode, actions)] else None
        except IndexError as problem:
            return str(problem), ""
        after, legal = self.after_legal(player, actions)
        if reason is None and legal == len(actions):
            return "the move is not complete", ""
        if reason is None and legal and not after.composing:
            return f"the move is complete after {count_of(legal, 'action')}", ""
        return reason or ("the rules do not allow it now", "")

    def after(self, player: int, actions: Sequence[int]) -> State | None:
        """Return the state after a complete move, or None if the move is not legal."""
        after, legal = self.after_legal(player, actions)
        return after if 0 < legal == len(actions) and not after.composing else None

    def after_legal(self, player: int, actions: Sequence[int]) -> tuple[State, int]:
        """Return the state after the actions at the beginning of a move that are legal, and their number."""
        after = self.copy()
        for number, action in enumerate(actions):
            if action not in after.legal_actions(player) or (number > 0 and not after.composing):
                return after, number
            compiled.rules_of(self.game).apply(after.record, player, int(action))
        return after, len(actions)

    def play(self, player: int, move: str) -> None:
        """Play a complete move given in notation. Raises IllegalMove, with the reason and the clause, and changes
        nothing if the move is not legal."""
        self.play_actions(player, self.read_move(player, move))

    def play_actions(self, player: int, actions: Sequence[int]) -> None:
        """Carry out the actions of a complete move, which must be legal."""
        for action in actions:
            compiled.rules_of(self.game).apply(self.record, player, int(action))

    def position(self) -> dict[str, Any]:
        """Return the state in JSON form. docs/rules describes the fields for each game.

        >>> load("chi").deal(seed=7).view(0).position()["hands"]
        [['yang3-red', 'yang6-teal', 'yang6-black'], ['?', '?', '?']]
        """
        options = deepcopy(self.table.changed)
        return {"game": self.game.name, "options": options} | self.game.write_position(self.record)

    def broken(self) -> list[tuple[str, str]]:
        """Return the place and the reason of each condition of the game that this state breaks (`engine.written`).

        >>> load("chi").deal(seed=7).broken()
        []
        """
        return [*broken(self.game.conditions, snapshot(self.record))]

    def facts(self, viewer: int) -> dict[str, str]:
        """Return the facts of this state that a scene for a seat or SPECTATOR shows (`engine.scene.shown`), and the
        digest of the concealed state as `state`."""
        seen = self.view(viewer)
        facts = {"state": digest(seen.record)} | facts_in(self.table.in_scene, seen.record, viewer)
        return facts | ({"places": " ".join(map(str, self.ranks))} if self.over else {})

    def view(self, player: int, recall: int = 0) -> State:
        """Return the state as a seat, or SPECTATOR, may see it, with everything concealed that it may not know.

        `recall` is the percentage of seen cards that the seat remembers; with 0, it knows only the cards that are open
        now.

        >>> load("chi").deal(seed=7).view(0).viewer
        0
        """
        seen = self.copy()
        compiled.rules_of(self.game).conceal(seen.record, player, recall)
        seen.viewer = player
        return seen

    def scene(self, player: int, draft: Sequence[int] = (), names: Sequence[str] = ()) -> Scene:
        """Return the scene for a seat or SPECTATOR. `draft` contains the choices of an unfinished move, and `names` the
        names of the players by seat.

        >>> load("chi").deal(seed=7).scene(0, names=("Ada", "Bo")).prompt.text
        'Bo is choosing'
        """
        return self.seen_by(player, names).scene(draft)

    def pick(self, player: int, draft: Sequence[int], choice: int) -> Picked:
        """Return the result of making a choice of the scene. Raises IllegalMove if the choice is not offered."""
        return self.seen_by(player).pick(draft, choice)

    def narrate(
        self, after: State, player: int, actions: Sequence[int], viewer: int, names: Sequence[str] = ()
    ) -> list[Line]:
        """Return a description, for a viewer, of the move from this state to `after`.

        >>> before = load("chi").deal(seed=7)
        >>> after = before.after(1, before.read_move(1, "draw 0"))
        >>> before.narrate(after, 1, before.read_move(1, "draw 0"), SPECTATOR, ("Ada", "Bo"))
        [Line(text='Bo takes a lime Yang from the row.', clauses=())]
        """
        return self.seen_by(viewer, names).narrate(after.seen_by(viewer, names), player, actions)

    def seen_by(self, viewer: int, names: Sequence[str] = ()) -> Seen:
        """Return this state as a viewer sees it. `names` are the names of the players by seat."""
        if self.viewer not in (None, viewer):
            raise FairdealError(f"this state is what viewer {self.viewer} sees, not viewer {viewer}")
        view = self.view(viewer) if self.viewer is None else self
        return Seen(view, Voice(tuple(names) or tuple(f"Seat {seat}" for seat in range(self.players)), viewer))

    def resample(self, source: Record) -> State:
        """Return a complete state that is consistent with the viewer's knowledge, drawn at random from the generator
        `source`."""
        guess = self.copy()
        viewer = SPECTATOR if self.viewer is None else self.viewer
        compiled.rules_of(self.game).resample(guess.record, viewer, source)
        guess.viewer = None
        return guess

    def redraw(self, source: Record) -> State:
        """Return this state with the cards that no seat has seen drawn again from the generator `source`.

        While a seat cannot tell in which order another seat's cards lie, these and the pile from which they come stay.

        >>> from fairdeal.engine.kit import chance
        >>> state = load("chi").deal(seed=7)
        >>> other = state.redraw(chance.seeded("later"))
        >>> [other.view(seat) == state.view(seat) for seat in range(2)], other == state
        ([True, True], False)
        """
        seen = merged(self.record, [self.view(seat, PERFECT_MEMORY).record for seat in range(self.players)])
        compiled.rules_of(self.game).resample(seen, SPECTATOR, source)
        return State(self.table, seen)

    def every_deal(self, most: int, rest: Callable[[], None] = lambda: None) -> list[State] | None:
        """Return every complete state that is consistent with the viewer's knowledge, possibly several times. Return
        None if `resample` can draw in more than `most` ways. `rest` is called before each state, and may raise an
        exception."""
        viewer = SPECTATOR if self.viewer is None else self.viewer
        found = deals(self.game.name, self.record, viewer, most, rest)
        return None if found is None else [State(self.table, record) for record in found]

    def guess(self) -> State:
        """Return a complete state that is consistent with the viewer's knowledge. The result is the same on every call.

        >>> view = load("chi").deal(seed=7).view(0)
        >>> view.guess().view(0) == view
        True
        """
        return self.resample(chance.seeded("guess"))

    def copy(self) -> State:
        """Return an independent copy."""
        return State(self.table, copied(self.record), self.viewer)


PERFECT_MEMORY = 100
"""The percentage of seen cards that perfect memory keeps."""


def unpickled(table: Table, content: bytes, viewer: int | None) -> State:
    """Restore a pickled state. Raises FairdealError if it was pickled by other rules."""
    kind, now = attribute(table.start, "dtype"), table.game.rules_version
    state = State(table, restored(content, kind), viewer) if len(content) == kind.itemsize else None
    if state is None or state.record.rules_version != now:
        raise FairdealError(f"this state of {table.game.name} was pickled by other rules than those of version {now}")
    return state


UNSAID = "This card cannot be chosen now.", ""
"""Default reason why a card cannot be chosen."""


class Seen:
    """A state as one viewer sees it, unpacked once. Its methods return scenes, sentences and results of choices.
    `digest` is the digest of the concealed state."""

    __slots__ = ("digest", "drawn", "game", "shown", "voice")

    def __init__(self, view: State, voice: Voice) -> None:
        self.game = view.game
        self.digest = digest(view.record)
        self.shown = snapshot(view.record)
        self.voice = voice
        self.drawn: Scene | None = None

    def scene(self, draft: Sequence[int] = ()) -> Scene:
        """Return the scene, with the choices of an unfinished move."""
        if draft:
            return self.game.scene(self.shown, self.voice, draft)
        if self.drawn is None:
            self.drawn = self.game.scene(self.shown, self.voice, ())
        return self.drawn

    def pick(self, draft: Sequence[int], choice: int, scene: Scene | None = None) -> Picked:
        """Return the result of making a choice. `scene` is the scene with this draft, if it has already been drawn.
        Raises IllegalMove if the choice is not offered."""
        if not any(offered.id == choice for offered in (scene or self.scene(draft)).choices):
            raise IllegalMove(f"choice {choice}", "it is not offered now")
        return self.game.pick(self.shown, self.voice.viewer, draft, choice)

    def why(self, draft: Sequence[int], card: str) -> tuple[str, str]:
        """Return the reason why a card of the scene cannot be chosen now, and the clause. A card that is not in the
        scene is treated as a hidden card."""
        viewer, refusals = self.voice.viewer, read_refusals(self.game.clauses)
        zone, lying = lies(self.scene(draft), card) or (Zone("", "centre", "stack"), Card(""))
        holding = {
            "over": self.shown.over,
            f"in {zone.id.rstrip(digits)}": True,
            "waiting": viewer not in self.shown.acting,
            "hidden": lying.face is None,
        }
        found = next((case for case, holds in holding.items() if holds and case in refusals), None)
        case = found or self.game.tapped(self.shown, viewer, draft, zone, lying)
        return sentence(*case) if isinstance(case, tuple) else refusals.get(case or "other", UNSAID)

    def way_to(self, actions: Sequence[int]) -> Way:
        """Return the choices that lead the viewer to a complete move. Raises FairdealError if no choices lead to it."""
        picks = self.game.picks_of(self.shown, self.voice.viewer, actions)
        return way_to(actions, picks, self.scene, self.pick)

    def say_move(self, actions: Sequence[int]) -> str:
        """Return a complete move of the viewer as advice, such as `Attack Bo’s blue 6`."""
        return self.game.say_move(self.shown, self.voice, actions) or ", ".join(self.way_to(actions).labels)

    def happened(self, after: Seen, player: int, actions: Sequence[int]) -> Sequence[Event]:
        """Return the events of a move from this state to `after`."""
        return self.game.happened(self.shown, after.shown, player, actions, self.voice.viewer)

    def narrate(self, after: Seen, player: int, actions: Sequence[int]) -> list[Line]:
        """Return the log lines of a move from this state to `after`, with the clauses of rules that took effect."""
        told = described(self.happened(after, player, actions), self.voice, player)
        return [Line(as_text(line.text), line.clauses) for _, line in told]
