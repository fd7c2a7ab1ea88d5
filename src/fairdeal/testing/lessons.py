"""Checks that every lesson can be completed, and that each step offers only the moves that it teaches."""

import re
from collections import Counter

import pytest

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.game import Game
from fairdeal.engine.scene import Scene
from fairdeal.table.lessons import FIRST, LEARNER, NEXT, SKIP, Script, Taught, lesson_files, read_script

LAST_WORDS = "That is the whole game. The rest is in your hands."
"""Text of the last step in a game's first lesson."""

FEWEST_STEPS, MOST_STEPS = 5, 10
MOST_READING = 2
"""Maximum number of consecutive steps without a move."""

FREE_MOVES = 60
"""Number of moves that are played after the script."""


def check_lessons(game: Game, least: int) -> Counter[str]:
    """Check all lessons of a game. Return the numbers of steps, choices, and moves by other seats."""
    found = lesson_files(game)
    assert len(found) >= least, f"{game.name} has {len(found)} lessons, not {least}"
    scripts = {name: read_script(path, game.name) for name, path in found.items()}
    numbers = sorted((script.number, name) for name, script in scripts.items())
    assert [number for number, _ in numbers] == [*range(1, len(found) + 1)], (
        f"{game.name} numbers its lessons {numbers}"
    )
    assert not numbers or numbers[0][1] == FIRST, f"{game.name} begins with the lesson {numbers[0][1]}"
    met = Counter[str]()
    for name, script in scripts.items():
        assert script.about or len(found) == 1, f"{script.file} has no `about`"
        check_course(script, whole_game=name == FIRST)
        met += check_steps(script)
    return met


def check_course(script: Script, whole_game: bool) -> None:
    """Check that a lesson is short and that the learner acts."""
    steps = script.steps
    assert FEWEST_STEPS <= len(steps) <= MOST_STEPS, f"{script.file} has {len(steps)} steps"
    read = "".join("-" if step.play else "r" for step in steps)
    assert "r" * (MOST_READING + 1) not in read, (
        f"{script.file}: more than {MOST_READING} consecutive steps that only have to be read"
    )
    assert "-" in read, f"{script.file}: the learner does nothing"
    assert not steps[-1].play, f"{script.file}: the last step requires a move"
    if whole_game:
        assert steps[-1].text == LAST_WORDS, f"{script.file} does not end with {LAST_WORDS!r}"


def check_steps(script: Script) -> Counter[str]:
    """Take a lesson choice by choice. Return the numbers of steps, choices, and moves by other seats."""
    taught = Taught(script)
    met = Counter[str]()
    while not taught.free:
        where = f"{script.file}, step {taught.at + 1}"
        asked, number = taught.step, taught.at
        check_scene(taught.scene(), taught, where)
        if asked.play:
            met["picks"] += check_ways(taught, where)
            follow(taught)
        else:
            taught.pick((), NEXT)
        while taught.to_come:
            scene = taught.scene()
            assert not scene.choices, f"{where}: the learner may choose while others move"
            taught.go_on()
            met["moves of others"] += 1
        assert taught.at == number + 1, f"{where} does not end when it is done"
        assert_same_by_skipping(script, taught)
        met["steps"] += 1
    play_on(taught)
    return met


def check_scene(scene: Scene, taught: Taught, where: str) -> None:
    """Check that a scene has the step's text, and that the learner can see everything that the scene points at."""
    assert scene.lesson, f"{where} has no lesson in its scene"
    assert scene.prompt, f"{where} says nothing"
    assert scene.prompt.text == taught.step.text
    assert scene.lesson.step == taught.at + 1
    assert scene.mode == "live"
    assert scene.choices, f"{where}: there are no choices"
    kind, on = scene.lesson.kind, scene.lesson.on
    if not taught.step.at and not taught.step.play:
        return
    there = {
        "card": [card.id for zone in scene.zones for card in zone.cards],
        "zone": [zone.id for zone in scene.zones],
        "seat": [str(seat.seat) for seat in scene.seats],
        "button": [str(choice.id) for choice in scene.choices],
    }.get(kind, [])
    assert on in there, f"{where} points at {taught.step.at or 'nothing'}, which does not exist"


def check_ways(taught: Taught, where: str) -> int:
    """Check that every choice leads to the move of the step, and that other choices are rejected. Return the number of
    choices."""
    wanted = taught.sitting.state.read_move(LEARNER, taught.step.play)
    seen = taught.sitting.seen(LEARNER)
    drafts: list[tuple[int, ...]] = [()]
    tried = 0
    while drafts:
        draft = drafts.pop()
        offered = {choice.id for choice in taught.scene(draft).choices} - {SKIP}
        assert offered, f"{where}: no choices after the picks {draft}"
        for choice in offered:
            picked = seen.pick(draft, choice)
            assert picked.move in (None, wanted), f"{where} offers a move other than {taught.step.play!r}"
            drafts += [picked.draft] if picked.move is None else []
            tried += 1
        others = {choice.id for choice in seen.scene(draft).choices} - offered
        for choice in sorted(others)[:1]:
            before = taught.number
            with pytest.raises(IllegalMove, match=re.escape(taught.step.text)):
                taught.pick(draft, choice)
            assert taught.number == before, f"{where} allows other moves"
    return tried


def follow(taught: Taught) -> None:
    """Make the move of the step, always taking the first offered choice."""
    draft: tuple[int, ...] = ()
    number = taught.sitting.moves_made
    while taught.sitting.moves_made == number:
        draft = taught.pick(draft, taught.scene(draft).choices[0].id)


def assert_same_by_skipping(script: Script, taught: Taught) -> None:
    """Check that skipping a step leads to the same table as completing it."""
    if not taught.free:
        other = Taught(script, taught.at)
        assert other.sitting.state == taught.sitting.state, f"{script.file}: a different table after {other.at} steps"


def play_on(taught: Taught) -> None:
    """Continue the game after the last step."""
    for _ in range(FREE_MOVES):
        if taught.sitting.over:
            return
        if taught.due(0, 0) is not None:
            taught.go_on()
        else:
            taught.sitting.play(LEARNER, taught.sitting.hint(LEARNER).actions)
