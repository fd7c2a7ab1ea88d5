"""Tests that pass random and nearly valid input as moves and positions, which must either work or be rejected with a
message."""

import copy
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from fairdeal.engine.errors import BadOption, BadPosition, FairdealError, IllegalMove
from fairdeal.engine.game import Game
from fairdeal.engine.state import State, Table
from fairdeal.testing import roundtrips
from fairdeal.testing.play import Path, at, check_same, must_have, play_at_random, table_of, viewers

Draw = Callable[..., Any]

WORDS = st.text(st.characters(), max_size=12)
"""Any text, including lone surrogates, which JSON and command lines can contain."""

NUMBERS = st.integers(-3, 130) | st.sampled_from([255, 1000, 32768, 2**31, 2**63, 2**64, -(2**63) - 1, 10**30])
SCALARS = st.none() | st.booleans() | NUMBERS | st.floats() | WORDS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3))
"""Any value that JSON can contain."""

FLIPS = 5
"""Number of times that every flag, number and word in positions is changed."""

LONG = "7" * 5000
"""A number with more digits than Python parses."""

SEEDS = st.integers(0, 10**6)


def fuzz(examples: int) -> Callable[..., Any]:
    """Return a decorator for a property test with a fixed number of examples. They are the same in every run."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None, report_multiple_bugs=False)


def states_of(game: Game) -> list[State]:
    """Return states from the deal to the end for every preset of a game."""
    found = []
    for number, preset in enumerate(game.presets):
        table, dice = table_of(game, preset=preset), random.Random(number)
        for seed in range(3):
            state = table.deal(seed)
            for moves in (0, 1, 3, 6, 12, 25, 50):
                for _ in range(moves):
                    if not state.over:
                        play_at_random(state, dice)
                found.append(state.copy())
        while not state.over:
            play_at_random(state, dice)
        found.append(state)
    return found


def running(states: list[State]) -> list[State]:
    """Return the states that are not over."""
    return [state for state in states if not state.over]


def legal_move(state: State, dice: random.Random) -> tuple[int, str, tuple[int, ...]]:
    """Return a seat, the text of one of its legal moves, and the actions of that move."""
    seat, actions = play_at_random(state.copy(), dice)
    return seat, state.game.write_move(state.record, seat, actions), actions


# --- strategies -----------------------------------------------------------------------------------------------------


@st.composite
def mutated_text(draw: Draw, text: str) -> str:
    """Return `text` with a few characters or words changed."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(text) - 1)))
        near = st.sampled_from(text or "?") | st.characters() | st.sampled_from("0123456789 -+=\t\n٣²")
        kind = draw(st.sampled_from(["drop", "add", "replace", "number", "words", "case", "cut"]))
        if kind == "drop":
            text = text[:place] + text[place + 1 :]
        elif kind == "add":
            text = text[:place] + draw(near) + text[place:]
        elif kind == "replace":
            text = text[:place] + draw(near) + text[place + 1 :]
        elif kind == "number":
            numbers = list(re.finditer(r"\d+", text))
            if numbers:
                old = draw(st.sampled_from(numbers))
                number = draw(st.sampled_from([LONG, "00", "99", "-1", "1e3", ""]) | st.integers(0, 1300).map(str))
                text = text[: old.start()] + number + text[old.end() :]
        elif kind == "words":
            words = text.split(" ")
            words.insert(draw(st.integers(0, len(words))), draw(st.sampled_from(words)))
            if draw(st.booleans()):
                words.pop(draw(st.integers(0, len(words) - 1)))
            text = " ".join(words)
        elif kind == "case":
            text = text.swapcase()
        else:
            text = text[:place]
    return text


def places(tree: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all values in a tree of mappings and lists."""
    yield path
    if isinstance(tree, dict | list):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from places(value, (*path, key))


@st.composite
def mutated_tree(draw: Draw, tree: Any, most: int = 3) -> Any:
    """Return a tree in which a few values have been dropped, changed, duplicated, swapped, or replaced with other
    values of the tree."""
    tree = copy.deepcopy(tree)
    for _ in range(draw(st.integers(1, most))):
        paths = [path for path in places(tree) if path]
        if not paths:
            break
        # there are few shallow places, which would hardly ever be chosen among all the cards
        depth = draw(st.sampled_from(sorted({len(path) for path in paths})))
        path = draw(st.sampled_from([path for path in paths if len(path) == depth]))
        parent, key = at(tree, path[:-1]), path[-1]
        elsewhere = copy.deepcopy(at(tree, draw(st.sampled_from(paths))))
        kind = draw(st.sampled_from(["drop", "value", "elsewhere", "near", "double", "exchange", "new", "unknown"]))
        if kind == "drop":
            del parent[key]
        elif kind == "value":
            parent[key] = draw(VALUES)
        elif kind == "elsewhere":
            parent[key] = elsewhere
        elif kind == "near":
            parent[key] = near_value(draw, parent[key])
        elif kind == "double" and isinstance(parent, list):
            parent[key:key] = [copy.deepcopy(parent[key])] * draw(st.integers(1, 20))
        elif kind == "exchange":
            siblings = [other for other in paths if other[:-1] == path[:-1]]
            other = draw(st.sampled_from(siblings))[-1]
            parent[key], parent[other] = parent[other], parent[key]
        elif kind == "new" and isinstance(parent, dict):
            parent[draw(WORDS)] = draw(VALUES)
        elif kind == "new":
            parent.append(elsewhere)
        elif kind == "unknown":
            parent[key] = "?"
    return tree


def near_value(draw: Draw, value: Any) -> Any:
    """Return a value that differs slightly from a given one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + draw(st.sampled_from([-2, -1, 1, 2, 7]))
    if isinstance(value, str):
        return draw(mutated_text(value))
    if isinstance(value, list):
        return value[::-1] if draw(st.booleans()) else value[: len(value) // 2]
    return value


# --- moves ----------------------------------------------------------------------------------------------------------


def check_words(problem: FairdealError, text: str | None = None, first: int = 1, last: int | None = None) -> None:
    """Check that an error has a message, and that an error about a log refers to one of its lines from `first` to
    `last`."""
    assert str(problem), "an error without a message"
    assert getattr(problem, "reason", "?"), f"an error without a reason: {problem!r}"
    if text is not None:
        lines = max(1, len(text.splitlines()))
        line = problem.line  # type: ignore[attr-defined]
        assert min(first, lines) <= line <= min(last or lines, lines), f"{problem}: line {line} of {lines}"


def check_move(state: State, seat: int, text: str, tally: Counter[str]) -> None:
    """Check that a move is rejected with a message and changes nothing, or is legal and can be parsed from its
    notation."""
    before, where = state.copy(), f"{state.table}: seat {seat}, {text!r}"
    try:
        actions = state.read_move(seat, text)
    except IllegalMove as problem:
        check_words(problem)
        check_same(before.record, state.record, f"{where}: the refused move changed the state")
        tally["refused"] += 1
        return
    check_same(before.record, state.record, f"{where}: reading changed")
    assert state.is_legal_move(seat, actions), f"{where}: read as {actions}, which is not legal"
    written = state.game.write_move(state.record, seat, actions)
    assert state.read_move(seat, written) == actions, f"{where}: read as {actions}, written as {written!r}"
    before.play(seat, text)
    assert before.record.tobytes() != state.record.tobytes(), f"{where}: played, and nothing changed"
    tally["legal"] += 1


def check_nearly_legal_moves(states: list[State], examples: int = 150) -> Counter[str]:
    """Check that legal moves can be parsed, and that changed moves are either legal or rejected."""
    tally = Counter[str]()

    @fuzz(examples)
    @given(st.sampled_from(running(states)), SEEDS, st.data())
    def check(state: State, seed: int, data: st.DataObject) -> None:
        seat, text, actions = legal_move(state, random.Random(seed))
        assert state.read_move(seat, text) == actions, f"{state.table}: {text!r} is not read as {actions}"
        check_move(state, seat, data.draw(mutated_text(text)), tally)

    check()
    must_have(tally["refused"], examples / 5, "altered moves that were refused")
    return tally


def check_moves_of_elsewhere(states: list[State], examples: int = 100) -> Counter[str]:
    """Check that a move from another position is either legal or rejected."""
    tally = Counter[str]()

    @fuzz(examples)
    @given(st.sampled_from(running(states)), SEEDS, st.sampled_from(states))
    def check(elsewhere: State, seed: int, state: State) -> None:
        _, text, _ = legal_move(elsewhere, random.Random(seed))
        check_move(state, state.to_act[0] if state.to_act else 0, text, tally)

    check()
    must_have(tally["refused"], 1, "moves from other positions that were refused")
    must_have(tally["legal"], 1, "moves from other positions that were legal")
    return tally


def check_long_numbers(states: list[State]) -> Counter[str]:
    """Check that a move containing a number of any length causes no error other than a rejection."""
    tally = Counter[str]()
    for state in running(states):
        seat, text, _ = legal_move(state, random.Random(1))
        for number in re.finditer(r"\d+|$", text):
            check_move(state, seat, text[: number.start()] + LONG + text[number.end() :], tally)
            check_move(state, seat, text[: number.end()] + " on " + LONG, tally)
    must_have(tally.total(), len(states) / 2, "moves with long numbers")
    return tally


# --- positions ------------------------------------------------------------------------------------------------------


def check_position(table: Table, position: Any, dice: random.Random, *, drawn: bool = False) -> bool:
    """Check that a position is either rejected with a message or gives a state that writes the same position and can be
    played."""
    was = repr(position)
    try:
        state = table.setup(position)
    except (BadPosition, BadOption) as problem:
        check_words(problem)
        return False
    assert repr(position) == was, f"setting up a position changes its argument: {was}"
    roundtrips.check_position(state, was)
    assert state.over == (not state.to_act), f"{was}: over is {state.over}, to act are {state.to_act}"
    assert state.over == position.get("over", state.over), f"{was}: over is {state.over}"
    assert len(state.scores) == len(state.ranks) == state.players
    if drawn:
        check_pictures(state, was)
    for _ in range(3):
        if not state.over:
            idle = [seat for seat in state.to_act if not state.legal_actions(seat)]
            assert not idle, f"{was}: seats {idle} are to act but have no legal action"
            before = state.copy()
            seat, actions = play_at_random(state, dice)
            for viewer in viewers(state) if drawn else ():
                lines = before.narrate(state, seat, actions, viewer)
                assert all(line.text for line in lines), f"{was}: a line without text: {lines}"
    return True


def check_pictures(state: State, where: str) -> None:
    """Check that a state can be drawn for all viewers, and has a result if it is over."""
    for viewer in viewers(state):
        scene = state.scene(viewer)
        assert (scene.mode == "over") == state.over == (scene.result is not None), f"{where}: drawn for {viewer}"


def check_nearly_right_positions(states: list[State], examples: int = 100) -> Counter[str]:
    """Check that the position of any viewer can be set up, and that a changed position either can be set up or is
    rejected."""
    tally = Counter[str]()

    @fuzz(examples)
    @given(st.sampled_from(states), st.integers(-2, 7), SEEDS, st.data())
    def check(state: State, viewer: int, seed: int, data: st.DataObject) -> None:
        seen = state if viewer == -2 else state.view(viewer % (state.players + 1) - 1, recall=100)
        position, dice = seen.position(), random.Random(seed)
        assert check_position(state.table, position, dice), f"refused: {position}"
        tally[str(check_position(state.table, data.draw(mutated_tree(position)), dice))] += 1

    check()
    must_have(min(tally["True"], tally["False"]), 5, "altered positions that were set up, and that were refused")
    return tally


def scalars(position: Any) -> Iterator[Path]:
    """Yield the paths of a position's flags, numbers and words, outside of lists."""
    for path in places(position):
        own = path and path[0] not in ("game", "options") and all(isinstance(key, str) for key in path)
        if own and not isinstance(at(position, path), dict | list):
            yield path


def check_other_moments(states: list[State]) -> Counter[str]:
    """Check that a position with a flag, number or word from another position either can be set up and drawn or is
    rejected."""
    known: dict[Path, set[Any]] = {}
    for state in states:
        position = state.position()
        for path in scalars(position):
            known.setdefault(path, set()).add(at(position, path))
    dice = random.Random(states[0].game.name)
    tally = Counter[str]()
    for path, values in known.items():
        for _ in range(FLIPS):
            state = dice.choice(states)
            position = state.position()
            if path not in scalars(position):
                continue
            was = at(position, path)
            near = {not was} if isinstance(was, bool) else {was - 1, was + 1} if isinstance(was, int) else set()
            at(position, path[:-1])[path[-1]] = dice.choice(sorted(values | near - {was}, key=repr))
            tally[str(check_position(state.table, position, dice, drawn=True))] += 1
    must_have(min(tally["True"], tally["False"]), 1, "altered positions that were set up, and that were refused")
    return tally


def check_any_fields(states: list[State], examples: int = 100) -> Counter[str]:
    """Check that a position with any fields either can be set up or is rejected."""
    position, tally = states[0].position(), Counter[str]()
    keys = st.sampled_from(sorted(position)) | WORDS | NUMBERS

    @fuzz(examples)
    @given(st.dictionaries(keys, VALUES, max_size=6), st.booleans())
    def check(fields: dict[Any, Any], laid_over: bool) -> None:
        altered = position | fields if laid_over else fields
        tally[str(check_position(states[0].table, altered, random.Random(1)))] += 1

    check()
    must_have(tally["False"], 5, "random positions that were refused")
    return tally
