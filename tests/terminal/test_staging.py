"""Films over a table of the terminal: the moves since your turn, the counting of a round, the end, the deciding move,
and cards that are looked at, at the chosen speed."""

from contextlib import asynccontextmanager
from inspect import getsource

import msgspec
import pytest

import fairdeal
from fairdeal.engine.events import RoundEnded
from fairdeal.engine.records import SPECTATOR
from fairdeal.protocol.staging import MANY, SPEEDS
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.lingering import holds, laid, looked_at
from fairdeal.terminal.pictures.look import Look
from fairdeal.terminal.pictures.speed import Tempo
from fairdeal.terminal.pictures.staging import counting, ending, film
from fairdeal.terminal.pictures.table_picture import TablePicture
from fairdeal.terminal.screens.dialogs import DECIDED, GameOver
from fairdeal.terminal.screens.new_table import Plan
from fairdeal.terminal.screens.table_screen import TableScreen
from tests import scenes
from tests.conftest import OF_A_KIND, SHORT, at_most_two
from tests.conftest import opening as begin_with
from tests.terminal.driving import comes, until

LONG = 7000.0
"""A pause in seconds, so long that nothing goes on by itself."""


@asynccontextmanager
async def shown(sitting, tmp_path, pause=LONG, **wishes):
    """Yield a terminal and its screen, at the table of a sitting."""
    app = FairdealApp((sitting, tmp_path / "game.log", None), pause=pause, **wishes)
    async with app.run_test(size=(80, 24)) as pilot:
        yield pilot, await comes(pilot, TableScreen)


def between(name, ready, players=2, deal="staged", **options):
    """Return a sitting of Ada against bots, played on until something is true of it."""
    seats = [Player("Ada"), Player("Bo", "greedy"), Player("Cleo", "greedy")][:players]
    sitting = Sitting.open(fairdeal.load(name, players=players, **options), seats, deal)
    for _ in range(2000):
        if ready(sitting):
            return sitting
        move_on(sitting)
    raise AssertionError(f"no moment of {name} was found: {getsource(ready)}")


def move_on(sitting):
    seat = sitting.state.to_act[0]
    sitting.play(seat, sitting.stand_in(seat).actions)


def my_turn_after_two(sitting):
    return 0 in sitting.state.to_act and len(sitting.moments_since(0)) > 2


def drawn(screen):
    return screen.view.picture.canvas.text().plain


async def sees(pilot, screen, words):
    await until(pilot, lambda: screen.view.picture and words in drawn(screen), words)


# --- since your turn ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["chi", "chimax-books", "chimax-match-2", "war-xtreme"])
async def test_b_shows_again_what_happened_since_your_turn_and_any_key_ends_it(title, tmp_path):
    sitting = between(title, my_turn_after_two, **begin_with(title))
    async with shown(sitting, tmp_path) as (pilot, screen):
        told = sitting.moments_since(0)
        await pilot.press("b")
        assert len(screen.staging.frames) == len(told)
        await sees(pilot, screen, "Your last turn")
        assert screen.view.scene.zones == laid(told[0], looked_at(told[0])).zones
        assert screen.view.scene.choices == ()
        for number, scene in enumerate(told[1:], start=1):
            screen.staging.go_on()
            words = " ".join(event.text for event in scene.events)
            assert screen.view.scene.prompt.text == (words or "Your last turn")
            if number < len(told) - 1:
                await sees(pilot, screen, f"{number} of {len(told) - 1} since your turn")
        made = sitting.moves_made
        await pilot.press("1")
        assert screen.staging.now is None
        assert screen.view.scene.seq == made == sitting.moves_made
        assert screen.view.scene.choices


async def test_a_film_has_the_saved_speed(tmp_path):
    sitting = between("chip-it", my_turn_after_two, players=3)
    kept = tmp_path / "speed"
    async with shown(sitting, tmp_path, pause=0.7, speed=kept) as (pilot, screen):
        for word in ("instant", "slow", "normal"):
            await pilot.press("v")
            await until(pilot, lambda: f"Speed: {word}." in screen.view.note)  # noqa: B023
            assert kept.read_text() == word
            scenes_told = sitting.moments_since(0)
            beats = [frame.seconds for frame in film(scenes_told, pilot.app.tempo)]
            assert beats[1:] == [pytest.approx(max(0.9 * SPEEDS[word], 0.25))] * (len(scenes_told) - 1)
        await pilot.press("v", "b")
        await until(pilot, lambda: kept.read_text() == "instant" and screen.staging.now is None)
    assert Tempo(path=kept).speed == "instant"


async def test_a_film_ends_when_somebody_moves(tmp_path):
    sitting = between("chip-it", my_turn_after_two, players=3)
    async with shown(sitting, tmp_path) as (pilot, screen):
        await pilot.press("b")
        assert screen.staging.now
        move_on(sitting)
        screen.after_move()
        assert screen.staging.now is None
        assert screen.view.scene.seq == sitting.moves_made


# --- rounds ---------------------------------------------------------------------------------------------------------


def ends_a_round(sitting):
    """Return whether the next move is Ada's and ends a round."""
    if sitting.state.to_act != (0,):
        return False
    after = sitting.state.attempt(0, sitting.stand_in(0).actions).after
    events = sitting.seen(0).happened(after.seen_by(0, sitting.names), 0, sitting.stand_in(0).actions)
    return any(isinstance(event, RoundEnded) for event in events) and not after.over


@asynccontextmanager
async def at_the_end_of_a_round(tmp_path):
    """Yield a sitting, its terminal and screen, after the last card of a round."""
    sitting = between("chimax-books", ends_a_round)
    async with shown(sitting, tmp_path) as (pilot, screen):
        move_on(sitting)
        screen.after_move()
        yield sitting, pilot, screen


async def test_a_round_is_counted_seat_by_seat_and_the_next_one_waits_for_it(tmp_path):
    async with at_the_end_of_a_round(tmp_path) as (sitting, pilot, screen):
        made, ended = sitting.moves_made, sitting.round(sitting.moves_made, 0)
        assert screen.view.staged.tallied == -1, "the last card is looked at first"
        for counted in range(1, len(ended.tallies) + 1):
            screen.staging.go_on()
            assert screen.view.staged.tallied == counted
        screen.staging.go_on()
        assert not screen.view.staged.waits, "the last points are looked at"
        screen.staging.go_on()
        await sees(pilot, screen, ended.text)
        for tally in ended.tallies:
            name = ("You", "Bo")[tally.seat]
            row = next(
                line
                for line in drawn(screen).splitlines()
                if line.startswith(f"  {name} ") and line.strip()[-1].isdecimal() and "total" not in line
            )
            assert str(tally.total) in row.replace("−", "-")
        await sees(pilot, screen, "[Enter] Next round")
        assert sitting.moves_made == made, "no bot moves while it is counted"
        await pilot.press("s")
        assert screen.staging.now, "the score can be read meanwhile"
        await pilot.press("escape", "enter")
        await until(pilot, lambda: screen.staging.now is None)


async def test_a_key_counts_at_once_and_the_next_goes_on(tmp_path):
    async with at_the_end_of_a_round(tmp_path) as (sitting, pilot, screen):
        await pilot.press("space")
        assert screen.view.staged.tallied == len(sitting.round(sitting.moves_made, 0).tallies)
        assert screen.view.staged.waits
        await pilot.press("space")
        await until(pilot, lambda: screen.staging.now is None)


def test_at_instant_speed_all_points_are_there_at_once_for_a_short_while():
    sitting = between("chimax-books", lambda one: one.moves_made and one.round(one.moves_made, 0), players=3)
    scene, tempo = sitting.scene(0), Tempo()
    usual = counting(scene, tempo)
    assert [frame.tallied for frame in usual] == [-1, 1, 2, 3, 3, 3]
    assert usual[-1].seconds == 8
    tempo.speed = "instant"
    (only,) = counting(scene, tempo)
    assert (only.tallied, only.seconds) == (3, 0.6)
    many = msgspec.structs.replace(scene.round, tallies=scene.round.tallies * MANY)
    assert len(counting(msgspec.structs.replace(scene, round=many), Tempo())) == 4, "many seats are counted together"


# --- the end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", OF_A_KIND)
async def test_the_end_shows_the_last_card_a_sentence_and_the_result_with_the_deciding_move(title, tmp_path):
    wishes = {"players": at_most_two(title), "options": SHORT.get(title, {}), "seed": "end", "bots": ["greedy"]}
    sitting, short = (Plan(title, people=0, **wishes).open() for _ in range(2))
    while not sitting.over:
        last = sitting.moves_made
        sitting.play_bot(sitting.bot_to_act())
    while short.moves_made < last:
        short.play_bot(short.bot_to_act())
    async with shown(short, tmp_path) as (pilot, screen):
        app = pilot.app
        screen.let_bot_move(short.bot_to_act())
        result = screen.scene.result
        assert screen.staging.now
        assert not isinstance(app.screen, GameOver)
        while screen.staging.now:
            words = screen.view.scene.prompt.text
            screen.staging.go_on()
        assert words == result.text
        over = await comes(pilot, GameOver, lambda over: over.query("Button"))
        seen = [button.id for button in over.query("Button")]
        assert (DECIDED in seen) == (result.decided is not None)
        if not result.decided:
            return
        over.query_one(f"#{DECIDED}").press()
        await until(pilot, lambda: app.screen is screen and screen.staging.now)
        assert screen.view.scene.seq == result.decided.move - 1
        screen.staging.go_on()
        assert screen.view.scene.seq == result.decided.move
        moved = sitting.moment(result.decided.move, SPECTATOR)
        assert screen.view.scene.prompt.text == " ".join(event.text for event in moved.events)
        await pilot.press("x")
        await comes(pilot, GameOver)


def test_the_end_marks_what_decided_the_game_for_a_short_while_even_at_instant_speed():
    sitting = between("chi", lambda one: one.over, stacks_to_end=4)
    scene, tempo = sitting.scene(0), Tempo()
    tempo.speed = "instant"
    frames = ending(scene, tempo)
    assert [frame.seconds for frame in frames] == [0.6, 0.6]
    marks = frames[-1].marks
    (winner,) = [seat for seat, place in enumerate(scene.result.places) if place == 1]
    area = {card.id for zone in scene.zones if zone.id == f"area{winner}" for card in zone.cards}
    assert area
    assert marks == area | {f"seat:{winner}"}
    catalogue = Catalogue(sitting.table.game.faces(sitting.table.options), sitting.table.game.skin)
    for seat in (0, 1):
        pictures = [
            TablePicture(scene, catalogue, 80, 24, Look(hinted=frozenset(marked))).canvas.text().spans
            for marked in ((), (f"seat:{seat}",))
        ]
        assert pictures[0] != pictures[1], "the numbers of a marked seat are drawn like all others"


# --- cards that are looked at ---------------------------------------------------------------------------------------


def a_pair_is_taken(sitting):
    return bool(sitting.moves_made and looked_at(sitting.scene(0)) and "" in looked_at(sitting.scene(0)).values())


def faces_in(scene):
    return {card.id: card.face for card in scenes.cards_in(scene)}


def test_both_cards_of_a_pair_are_seen_at_their_places_before_they_lie_with_who_took_them():
    sitting = between("chimax-match-2", a_pair_is_taken)
    scene = sitting.scene(0)
    looked = looked_at(scene)
    places = [name for name, face in looked.items() if face]
    assert len(places) == 2
    assert len({looked[place] for place in places}) <= 2
    faces = faces_in(laid(scene, looked))
    assert {name: faces[name] for name in looked if name in faces} == {place: looked[place] for place in places}
    assert holds(looked, scene)


async def test_a_miss_stays_in_view_after_the_next_move(tmp_path):
    def missed(sitting):
        return sitting.moves_made and looked_at(sitting.scene(0)) and not a_pair_is_taken(sitting)

    sitting = between("chimax-match-2", missed)
    faces = looked_at(sitting.scene(0))
    assert faces
    sitting_before = between("chimax-match-2", lambda one: one.moves_made == sitting.moves_made - 1)
    async with shown(sitting_before, tmp_path) as (pilot, screen):
        for _ in range(2):
            move_on(sitting_before)
            screen.after_move()
        assert faces_in(screen.view.scene).items() >= faces.items()
        for look in list(screen.looks):
            screen.look_away(look)
        await until(pilot, lambda: not faces_in(screen.view.scene).items() >= faces.items())


def test_a_film_shows_the_cards_of_a_pair_where_they_were_taken():
    taken = scenes.taken_scene()
    frames = film([scenes.grid_scene(), taken], Tempo())
    faces, moves = faces_in(frames[-1].scene), taken.events[0].moves
    assert len(moves) == 2
    assert [move.was for move in moves if not faces[move.was]] == []
    assert [move.card for move in moves if move.card in faces] == []


async def test_a_game_that_nobody_has_won_ends_without_a_podium(tmp_path):
    """WAR-03: two who do not feel extreme are no two winners."""
    sitting = Plan("war-xtreme", "standard", people=2, names=("Ada", "Ben")).open()
    for seat in (0, 1):
        sitting.play(seat, "no")
    scene = sitting.scene(0)
    assert (scene.result.places, scene.result.won) == ((1, 1), False)
    assert not scene.result.is_ranked
    async with shown(Plan("chi", seed="other").open(), tmp_path) as (pilot, _):
        pilot.app.push_screen(GameOver(sitting, scene, tmp_path / "game.log"))
        over = await comes(pilot, GameOver, lambda over: over.query("Button"))
        assert str(over.query_one(".title").render()) == "No game: too few felt extreme."
        assert not over.query("#podium, #points")
