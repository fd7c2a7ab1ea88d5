"""Lessons: what a script may say, how it is taught, and that one which is broken is found out."""

import re
from pathlib import Path

import pytest

from fairdeal.engine.errors import BadLesson, IllegalMove
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene.instruments import Fan
from fairdeal.table.lessons import (
    BACK,
    LEARNER,
    NEXT,
    SKIP,
    Script,
    Taught,
    find_script,
    offer_after,
    offers_of,
    read_script,
)
from fairdeal.testing.lessons import check_course, check_lessons, check_steps
from tests.conftest import refusal

CHI = Path(str(find_game("chi").rules.apply.__globals__["__file__"])).parents[1] / "lessons" / "first.toml"


def script_with(tmp_path: Path, old: str, new: str) -> Script:
    """Chi's first lesson with one thing changed."""
    text = CHI.read_text("utf-8")
    assert old in text
    path = tmp_path / "broken.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return read_script(path, "chi")


@pytest.fixture
def taught() -> Taught:
    return Taught(find_script("chi"))


def test_only_what_the_step_asks_for_is_offered(taught: Taught) -> None:
    taught.pick((), NEXT)
    scene = taught.scene()
    assert [(choice.label, choice.on) for choice in scene.choices] == [
        ("Take a purple Yin", "row.3"),
        ("I know this", ""),
    ]
    assert scene.lesson
    assert (scene.lesson.step, scene.lesson.of, scene.lesson.kind, scene.lesson.on) == (2, 8, "card", "row.3")


def test_the_coach_points_at_the_next_pick(taught: Taught) -> None:
    taught.pick((), NEXT)
    draft = taught.pick((), 3)
    lesson = taught.scene(draft).lesson
    assert lesson
    assert (lesson.kind, lesson.on) == ("button", "3")
    assert taught.pick(draft, 3) == ()
    assert taught.sitting.log.moves[-1].text == "draw 3"


def test_another_move_is_refused_with_the_words_of_the_step(taught: Taught) -> None:
    taught.pick((), NEXT)
    with pytest.raises(IllegalMove, match="take the purple Yin"):
        taught.pick((), 0)
    assert taught.sitting.moves_made == 0


def test_nothing_can_be_done_while_the_others_move(taught: Taught) -> None:
    taught.go_to(1)
    taught.pick((), SKIP)
    assert taught.to_come
    assert not taught.scene().choices
    with pytest.raises(IllegalMove, match="Watch what happens"):
        taught.pick((), NEXT)


def test_the_step_before_can_be_seen_again(taught: Taught) -> None:
    taught.go_to(3)
    taught.pick((), BACK)
    assert taught.at == 2
    assert taught.sitting.state == Taught(find_script("chi"), 2).sitting.state


def test_after_the_script_the_deal_goes_on_freely(taught: Taught) -> None:
    taught.go_to(99)
    assert taught.is_last
    assert [choice.label for choice in taught.scene().choices] == ["Play on"]
    taught.pick((), NEXT)
    scene = taught.scene()
    assert scene.lesson is None
    assert len(scene.choices) > 1
    assert taught.due(0.5, 0) is None
    taught.sitting.play(LEARNER, "draw 0")
    assert taught.due(0.5, 0) == 0.5
    taught.go_on()
    assert taught.sitting.log.moves[-1].seat == 1


def test_nobody_sees_more_in_a_lesson_than_at_a_table(taught: Taught) -> None:
    hand = next(zone for zone in taught.scene().zones if zone.id == "hand1")
    assert [card.face for card in hand.cards] == [None] * 4


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('text = "Now play', f'text = "{"x" * 61}" #', "step 3: text: Expected `str` of length <= 60"),
        ('at = "zone area0"', 'at = "the area"', "step 1: at='the area': write `card FACE`"),
        ('then = ["1: draw 1"]', 'then = ["draw 1"]', "step 2: then='draw 1': write a move as `seat: move`"),
        ("[[steps]]", "[[step]]", "unknown field `step`"),
        ("title =", "titel =", "unknown field|missing required field"),
        ("title =", "title", "not TOML"),
    ],
)
def test_what_cannot_be_read_says_where(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(BadLesson, match=words) as refused:
        script_with(tmp_path, old, new)
    assert refused.value.file == "broken.toml"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('play = "draw 3"', 'play = "yang chi"', "step 2: play: 'yang chi' is not legal"),
        ('then = ["1: draw 1"]', 'then = ["1: draw 9"]', "step 2: then: 'draw 9' is not legal"),
        ('"yang6-teal", ', '"yang9-teal", ', "broken.toml: position, at hands"),
        ("first_player = 0", "first_player = 7", "broken.toml: "),
        ('at = "zone area0"', 'at = "zone attic"', "points at zone attic"),
        ('at = "zone area0"', 'at = "card chi in hand1"', "points at card chi in hand1"),
        ('then = ["1: yin yin-teal on 4"]', "", "step 4"),
    ],
)
def test_a_lesson_that_would_fail_at_the_table_fails_the_kit(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises((AssertionError, BadLesson), match=re.escape(words)):
        check_steps(script_with(tmp_path, old, new))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('play = "draw 3"', "", "that only have to be read"),
        ("That is the whole game. The rest is in your hands.", "That is it.", "does not end with"),
    ],
)
def test_a_lesson_is_short_and_the_learner_acts(tmp_path: Path, old: str, new: str, words: str) -> None:
    script = script_with(tmp_path, old, new)
    if "play" in old:
        script.steps.insert(1, script.steps[0])
    with pytest.raises(AssertionError, match=words):
        check_course(script, whole_game=True)


def test_a_game_without_lessons_fails_where_it_owes_one() -> None:
    with pytest.raises(AssertionError, match="has 2 lessons, not 3"):
        check_lessons(find_game("chi"), 3)


def test_games_that_share_a_folder_have_their_own_lessons() -> None:
    pairs, triplets = (find_script(f"chimax-match-{number}") for number in (2, 3))
    assert pairs.file != triplets.file
    assert [offer.name for offer in offers_of(find_game("chimax-match-2"))] == ["first"]


def test_lessons_follow_one_another_by_number() -> None:
    game = find_game("chip-it")
    offers = offers_of(game)
    assert [offer.name for offer in offers] == ["first", "values", "points"]
    assert [offer_after(game, offer.name) for offer in offers] == [*offers[1:], None]
    assert all(offer.about for offer in offers)


def test_lessons_of_one_number_fail_the_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(path: Path, game: str) -> Script:
        script = read_script(path, game)
        script.number = 1
        return script

    monkeypatch.setattr("fairdeal.testing.lessons.read_script", read)
    with pytest.raises(AssertionError, match="chi numbers its lessons"):
        check_lessons(find_game("chi"), 2)


def test_a_move_is_found_among_many_values_at_once() -> None:
    """A leader of Chip It may play any cards at any of a hundred values: only those of the move are tried."""
    taught = Taught(find_script("chip-it", "points"), 4)
    tried = 0

    def found_ways(wanted: tuple[int, ...], among: set[int] | None = None) -> list[tuple[int, ...]]:
        nonlocal tried
        tried += 1
        assert among, "every value was tried"
        return Taught.found_ways(taught, wanted, among)

    taught.found_ways = found_ways  # type: ignore[method-assign]
    assert [choice.on for choice in taught.scene().choices] == ["hand/5p.1", "hand/10g.1", ""]
    assert tried == 1


def test_a_fan_is_lifted_only_where_the_step_asks_for_it() -> None:
    """The screen cuts by the fan's own choices, which are not the coach's."""
    taught = Taught(find_script("chimax-cut"))
    lifts = []
    for at in range(3):
        taught.go_to(at)
        stage = taught.scene().stage
        assert isinstance(stage, Fan)
        lifts.append(len(stage.choices) > 0)
    assert lifts == [False, True, True]


def test_an_unknown_lesson_says_which_there_are() -> None:
    with refusal("Chi has no lesson 'second'; it has first, answers"):
        find_script("chi", "second")
