"""Layouts in two dimensions, drawn from made-up scenes: everything is there, and the arrows reach it."""

import re
from contextlib import asynccontextmanager

import msgspec
import pytest
from textual.app import App

import fairdeal
from fairdeal.engine.scene import LogLine, Recap
from fairdeal.games.chimax.cards import SKIN
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.pictures.canvas import shortened
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.look import Look
from fairdeal.terminal.pictures.table_picture import TablePicture
from fairdeal.terminal.pictures.targets import items_of
from fairdeal.terminal.pictures.widget import TableView
from tests import scenes

CATALOGUE = Catalogue(scenes.FACES, SKIN)
SIZES = [(80, 24), (82, 40)]
MADE_UP = {
    "28 places": scenes.grid_scene(),
    "39 places": scenes.grid_scene(39, 13, (6, 7), 4),
    "long reels": scenes.reel_scene(13),
    "reels": scenes.reel_scene(6),
}


def picture(scene, size, cursor=""):
    return TablePicture(scene, CATALOGUE, *size, Look(cursor=cursor))


def lines(drawn):
    return drawn.canvas.text().plain.split("\n")


def hit_of(drawn, target):
    return next(hit for hit in drawn.canvas.hits if hit.target == target)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("made_up", MADE_UP)
def test_every_card_of_the_centre_has_a_place_of_its_own_above_the_prompt(made_up, size):
    scene = MADE_UP[made_up]
    drawn = picture(scene, size)
    prompt = next(number for number, line in enumerate(lines(drawn)) if scene.prompt.text in line)
    cards = [card for card in scenes.cards_in(scene, "centre") if card.back != "gap"]
    corners = set()
    for card in cards:
        hit = hit_of(drawn, f"card:{card.id}")
        assert 0 <= hit.left < hit.right <= size[0]
        assert 0 < hit.top < hit.bottom <= prompt
        assert drawn.canvas.target_at(hit.left, hit.top) == f"card:{card.id}"
        corners.add((hit.left, hit.top))
    assert len(corners) == len(cards) > 0


@pytest.mark.parametrize("size", SIZES)
def test_an_empty_place_is_a_dot_where_its_card_lay(size):
    drawn = picture(MADE_UP["28 places"], size)
    before, gone, after = (7, 10, 11)
    first, next_one = hit_of(drawn, f"card:layout.{before + 1}"), hit_of(drawn, f"card:layout.{after + 1}")
    step = hit_of(drawn, "card:layout.9").left - first.left
    x, y = first.left + (gone - before) * step + (first.right - first.left) // 2, (first.top + first.bottom) // 2
    assert lines(drawn)[y][x] == "·"
    assert drawn.canvas.target_at(x, y) is None
    assert next_one.top == first.top


@pytest.mark.parametrize("size", SIZES)
def test_all_faces_of_a_column_can_be_read(size):
    drawn = picture(MADE_UP["long reels"], size)
    column = next(zone for zone in drawn.scene.zones if zone.id == "reel0")
    assert len(column.cards) > 3
    for card in column.cards:
        hit = hit_of(drawn, f"card:{card.id}")
        own = [line[hit.left : hit.right] for line in lines(drawn)[hit.top : hit.top + 2]]
        assert re.search(rf"(^|\W){re.escape(scenes.FACES[card.face].big)}($|\W)", " ".join(own)), card


@pytest.mark.parametrize("size", SIZES)
def test_columns_end_on_one_line_and_tell_their_piles(size):
    drawn = picture(MADE_UP["reels"], size)
    ends = {hit_of(drawn, f"card:{zone.cards[-1].id}").bottom for zone in drawn.scene.zones if zone.cards}
    assert len(ends) == 1
    head = next(line for line in lines(drawn) if "Left" in line)
    assert re.findall(r"▒(\d+)", head) == ["7", "11", "12"]
    assert "▸Middle" in head


def test_a_declared_question_mark_shows_its_value():
    scene = scenes.declared_scene()
    assert "?→25" in " ".join(lines(picture(in_seat(scene), (80, 24))))
    assert "→25" in " ".join(lines(picture(scene, (82, 40))))
    compact = lines(picture(scene, (80, 24)))
    row = next(number for number, line in enumerate(compact) if "│50 │" in line)
    assert "╭─?─╮ ╭─?─╮" in compact[row - 1]
    assert "│25 │ │100│" in compact[row]


def in_seat(scene):
    """Return a scene with its row at a rival's seat, where cards are chips of text."""
    row = msgspec.structs.replace(scene.zones[0], place="seat:1", cards=scene.zones[0].cards[:2], slots=0)
    return msgspec.structs.replace(scene, zones=(row, *scene.zones[1:]))


def test_a_card_that_was_turned_back_is_faint():
    zone = scenes.turned_back_scene().zones[0]
    card = next(card for card in zone.cards if card.down and card.face)
    drawn = picture(scenes.turned_back_scene(), (80, 24))
    hit = hit_of(drawn, f"card:{card.id}")
    assert drawn.canvas.cells[hit.top + 1][hit.left + 2][1].dim


class Showing(App):
    """An app with one table."""

    def __init__(self, scene):
        super().__init__()
        self.scene = scene

    def compose(self):
        yield TableView(self.scene, CATALOGUE)


@asynccontextmanager
async def shown(scene, size=(80, 24)):
    """Yield the view of a scene."""
    app = Showing(scene)
    async with app.run_test(size=size) as pilot:
        view = app.query_one(TableView)
        view.show(scene)
        await pilot.pause()
        yield view


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("made_up", MADE_UP)
async def test_arrows_reach_everything_that_can_be_chosen(made_up, size):
    async with shown(MADE_UP[made_up], size) as view:
        wanted = {item.target for item in items_of(view.scene)}
        reached, waiting = {view.cursor}, [view.cursor]
        while waiting:
            here = waiting.pop()
            for key in ("left", "right", "up", "down"):
                view.cursor = here
                view.move(key)
                if view.cursor not in reached:
                    reached.add(view.cursor)
                    waiting.append(view.cursor)
        assert reached == wanted


LEADS = """
28 places layout.3 down layout.10
28 places layout.10 up layout.3
28 places layout.8 right layout.10
28 places layout.13 right layout.15
28 places layout.1 down layout.8
39 places layout.16 up layout.3
reels reel0.0 down reel0.5
reels reel0.5 right reel1.declared
reels reel2.0 left reel1.declared
"""
"""Moves of the cursor: a layout, a card, an arrow, and the card that it leads to."""


@pytest.mark.parametrize(
    ("made_up", "here", "key", "there"), [row.rsplit(" ", 3) for row in LEADS.strip().splitlines()]
)
async def test_arrows_lead_where_the_eye_expects(made_up, here, key, there):
    async with shown(MADE_UP[made_up]) as view:
        view.cursor = f"card:{here}"
        view.move(key)
        assert view.cursor == f"card:{there}"


def test_a_long_recap_takes_a_second_line_where_there_is_one():
    recap = (Recap(1, "Bo turns up 25: a triplet for 1 point."), Recap(2, "Cleo turns up 50: no triplet."))
    drawn = picture(msgspec.structs.replace(scenes.grid_scene(), recap=recap), (82, 40))
    drawn.draw_event(10, 82, rows=2)
    assert " triplet. " in lines(drawn)[10]
    drawn.draw_event(12, 82, rows=1)
    assert "…" in lines(drawn)[12]


def test_help_that_does_not_fit_beside_a_question_stands_below_it():
    scene = scenes.grid_scene()
    help_line = "You turned a question mark. Another question mark makes a pair for 2 points."
    prompt = msgspec.structs.replace(scene.prompt, sub=help_line)
    drawn = lines(picture(msgspec.structs.replace(scene, prompt=prompt), (80, 24)))
    asked = next(number for number, line in enumerate(drawn) if scene.prompt.text in line)
    assert drawn[asked + 1].strip() == help_line


def test_when_more_than_one_thing_happened_since_your_turn_the_line_above_the_prompt_tells_it():
    def told(*recap):
        events = (LogLine("Cleo passes.", 2),)
        return "\n".join(
            lines(picture(msgspec.structs.replace(scenes.grid_scene(), events=events, recap=recap), (82, 40)))
        )

    assert "Since your turn (b): Bo plays 8. · Cleo passes." in told(Recap(1, "Bo plays 8."), Recap(2, "Cleo passes."))
    alone = told(Recap(2, "Cleo passes."))
    assert "Cleo passes." in alone
    assert "Since your turn" not in alone


@pytest.mark.parametrize("title", ["chi", "chaos-ninjas"])
def test_the_viewers_own_cards_are_seen_whole_in_a_small_terminal(title):
    table = fairdeal.load(title, players=2)
    sitting = Sitting.open(table, [Player("Ada", "greedy"), Player("Bo", "greedy")], "small")
    seen = 0
    for _ in range(24):
        sitting.play_bot(sitting.bot_to_act())
        scene = sitting.scene(0)
        drawn = TablePicture(scene, Catalogue(table.game.faces(table.options), table.game.skin), 80, 24, Look())
        prompt = max(number for number, line in enumerate(lines(drawn)) if scene.prompt.text[:20] in line)
        own = [card for card in scenes.cards_in(scene, "own") if card.face]
        assert [card.id for card in own if hit_of(drawn, f"card:{card.id}").bottom > prompt] == []
        seen += len(own)
    assert seen > 10


@pytest.mark.parametrize("width", [60, 80, 120])
def test_facts_stand_apart_from_the_kind_of_table_in_the_bar(width):
    scene = msgspec.structs.replace(
        scenes.grid_scene(),
        title="Chimax Cut",
        sub="3 players · Do not be left with the low card",
        facts=["round 3 of 5"],
    )
    bar = lines(picture(scene, (width, 24)))[0].rstrip()
    assert re.search(r"^ CHIMAX CUT  3 players · .*\S {2,}round 3 of 5$", bar), bar


@pytest.mark.parametrize(
    ("called", "width", "told"),
    [("Juno 2", 6, "Juno 2"), ("Juno 2", 5, "Ju… 2"), ("Juno 2", 3, "Ju…"), ("Juno", 3, "Ju…")],
)
def test_a_name_like_another_one_keeps_its_number_where_it_is_cut(called, width, told):
    assert shortened(called, width) == told
