"""Instruments in characters, and the keys that work them."""

import random
import time

import msgspec
import pytest

import fairdeal
from fairdeal.engine.scene.instruments import Attack, Fan, Fight, Race, Reels, Trick, Wheel
from fairdeal.games.chimax.state import CUT
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.instruments import lifts
from fairdeal.terminal.pictures.look import Look
from fairdeal.terminal.pictures.table_picture import TablePicture
from fairdeal.terminal.screens.dialogs import HandOver
from fairdeal.terminal.screens.table_screen import TableScreen
from fairdeal.testing.play import play_at_random
from tests.scenes import scene_of
from tests.terminal.driving import app_for, comes, until

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)


def drawn(game, scene, size):
    table = fairdeal.load(game)
    look = Look()
    picture = TablePicture(scene, Catalogue(table.game.faces(table.options), table.game.skin), *size, look)
    return picture.canvas.text().plain


@SIZES
def test_the_wheel_says_what_to_find_what_is_gone_and_what_it_is_worth(size):
    def wanted(stage):
        return isinstance(stage, Wheel) and stage.at >= 0 and stage.used and any(one.taken for one in stage.sectors)

    scene = scene_of("chimax-fate", wanted)
    line = next(line for line in drawn("chimax-fate", scene, size).splitlines() if "Wheel" in line)
    told = ["·" if one.taken and at != scene.stage.at else one.label for at, one in enumerate(scene.stage.sectors)]
    assert line.split() == ["Wheel", *told, "worth", *map(str, scene.stage.prize)]


@SIZES
def test_the_machine_says_how_far_par_is_and_why_a_line_pays(size):
    scene = scene_of("chimax-jackpot", lambda stage: isinstance(stage, Reels) and stage.lines)
    text, stage = drawn("chimax-jackpot", scene, size), scene.stage
    assert f"{stage.points} of par {stage.par}" in text
    assert all(f"{line.label}  {line.why} +{line.value}" in text for line in stage.lines)


@SIZES
def test_a_fight_stands_in_line_with_what_counts_over_the_cards_and_the_names_under_them(size):
    def wanted(stage):
        return isinstance(stage, Fight) and len(stage.columns) > 2 and any(one.parts for one in stage.columns)

    scene = scene_of("war-xtreme", wanted, players=4)
    lines = drawn("war-xtreme", scene, size).splitlines()
    title = next(number for number, line in enumerate(lines) if scene.stage.title in line)
    below = [line.split() for line in lines[title + 1 : title + 5]]
    columns, cards = scene.stage.columns, {zone.id: zone.cards for zone in scene.zones}
    names = {seat.seat: seat.name for seat in scene.seats}
    assert f"pot {scene.stage.pot}" in lines[title]
    assert below[0] == [one.value for one in columns if one.value]
    assert " ".join(below[1]) == " ".join(one.parts for one in columns if one.parts)
    assert len(below[2]) == sum(bool(cards[one.steps[-1]]) for one in columns if one.steps)
    assert " ".join(below[3]) == " ".join(names[one.seat] for one in columns)


@SIZES
@pytest.mark.parametrize("game", ["chi", "chaos-ninjas"])
def test_an_attack_lies_in_line_with_its_answers_and_what_it_is_aimed_at(game, size):
    scene = scene_of(game, lambda stage: isinstance(stage, Attack) and "block that" in stage.text)
    text, stage = drawn(game, scene, size), scene.stage
    title = next(number for number, line in enumerate(text.splitlines()) if stage.title in line)
    cards = next(zone.cards for zone in scene.zones if zone.id == "duel")
    line, told = text.splitlines()[title + 1 : title + 3]
    assert line.count("╳") == len(cards) - stage.attackers
    assert "──▸" in line
    assert told.strip() == stage.text
    row = next(number for number, line in enumerate(text.splitlines()) if "The row" in line)
    ended = Attack(0, 1, ("duel",), stage.title, "Bo loses it", word="BROKEN", faces=(cards[0].face,))
    empty = tuple(msgspec.structs.replace(one, cards=()) if one.id == "duel" else one for one in scene.zones)
    scene = msgspec.structs.replace(scene, stage=None, zones=empty)
    after = drawn(game, msgspec.structs.replace(scene, resolved=ended), size)
    assert "BROKEN  Bo loses it" in after
    calm = drawn(game, scene, size)
    assert "──▸" not in calm
    assert "The row" in after.splitlines()[row] == calm.splitlines()[row], "its place is kept while nobody attacks"


@SIZES
def test_each_card_of_a_book_lies_under_its_players_name(size):
    def told(stage):
        return isinstance(stage, Trick) and len({spot.card for spot in stage.spots}) > 2

    scene = scene_of("chimax-books", told)
    called = ("Ada", "Bo", "Cleo", "Dai")
    seats = tuple(msgspec.structs.replace(seat, name=called[seat.seat]) for seat in scene.seats)
    scene = msgspec.structs.replace(scene, seats=seats)
    names = {spot.card: called[spot.seat] for spot in scene.stage.spots}
    book = next(zone for zone in scene.zones if zone.id in scene.stage.zones)
    rows = drawn("chimax-books", scene, size).splitlines()
    assert [names[card.id] for card in book.cards] in [row.split() for row in rows]


async def test_a_deck_is_cut_where_the_arrows_leave_the_gap():
    async with app_for("chimax-cut", seed="1", options={"first_dealer": 2}).run_test(size=(80, 24)) as pilot:
        screen = await comes(pilot, TableScreen, lambda screen: lifts(screen.view.scene))
        count = screen.view.scene.stage.count
        await until(pilot, lambda: f"{count // 2} of {count}" in screen.view.picture.canvas.text().plain)
        await pilot.press("right", "right", "left")
        await until(pilot, lambda: f"{count // 2 + 1} of {count}" in screen.view.picture.canvas.text().plain)
        assert isinstance(screen.view.scene.stage, Fan)
        picked = []
        screen.pick = lambda choice: picked.append(choice.id)
        await pilot.press("enter")
        assert picked == [CUT + count // 2 + 1]


async def test_a_race_is_answered_by_its_key_on_the_number_pad():
    app = app_for("war-xtreme", seed="3", options={"equipment": False}, people=4, players=4)
    app.calm = True
    async with app.run_test(size=(120, 40)) as pilot:
        await comes(pilot, HandOver)
        await pilot.press("enter")
        screen, dice = await comes(pilot, TableScreen), random.Random(3)
        state = screen.sitting.state
        for _ in range(5000):
            if isinstance(state.scene(0).stage, Race) and 0 in state.to_act:
                break
            play_at_random(state, dice)
        screen.sitting.views.clear()
        screen.viewer = 0
        screen.show()
        await pilot.pause()
        screen.round_clock.deadline = None  # the screen may have looked at it meanwhile
        assert screen.round_clock.update(state, 100.0) == 120.0, "with calm races it lasts 20 seconds"
        assert screen.reflexes.calm
        for seconds, told in ((15.0, "· 0:15"), (6.5, "· 7 seconds left")):
            screen.round_clock.deadline = time.monotonic() + seconds
            screen.look_at_clock()
            assert told in screen.view.scene.prompt.text
        answer = screen.view.scene.stage.answers[3]
        picked = []
        screen.pick = lambda choice: picked.append(choice.id)
        await until(pilot, lambda: f"[{answer.key}] {answer.label}" in screen.view.picture.canvas.text().plain)
        await pilot.press(answer.key)
        await pilot.press("5")
        still = next(choice for choice in screen.view.scene.choices if choice.label == "Stand still")
        assert picked == [answer.choice, still.id]
