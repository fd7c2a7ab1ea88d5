"""The picture of a finished game, which the preview of its link shows: all of it can be read, and there is none of a
game that is not finished."""

import functools
import io
import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from markupsafe import Markup
from PIL import Image, ImageChops, ImageFont

from fairdeal.engine.registry import find_game, game_names
from fairdeal.engine.scene import Card
from fairdeal.server.share import pictures
from fairdeal.server.share.cards import WIDTH, Drawing, Undrawn, cards_of
from fairdeal.server.share.lettering import FONTS, MORE, words
from fairdeal.server.share.pictures import MOST_KEPT, pictured
from fairdeal.server.share.postcard import SIZE
from fairdeal.server.share.renderer import rendered
from tests.conftest import SHORT
from tests.server.inside import HOST
from tests.server.test_analysis import played_by_bots
from tests.table.sittings import finished

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "W" * 24, "Jürgen & Zoë", "Юля", "Ωμέγα", "<b>Bo</b>", "小明", "Eve")
FILES = {"Fairdeal": "sign.ttf", "Fairdeal Text": "text.ttf"}
LINE = re.compile(r'<text x="[^>]*font-family="Fairdeal(?: Text)?"[^>]*>[^<]+</text>')
"""A line of text beside the cards."""


def ended(game, players, names=NAMES):
    return finished(game, names=names[:players], **{"players": players} | SHORT.get(game, {}))


def pixels(svg):
    found = Image.open(io.BytesIO(rendered(svg)))
    assert found.format == "PNG"
    return found.convert("RGB")


@functools.cache
def opened(family):
    return ImageFont.truetype(FONTS / FILES[family], 1000)


def width_of(family, line):
    return opened(family).getlength(line.text) * float(line.get("font-size")) / 1000


def box_of(line):
    """The text of a line, and where it is: left, top, right, bottom."""
    text, size, width = line.text, float(line.get("font-size")), width_of(line.get("font-family"), line)
    left = float(line.get("x")) - {"start": 0, "middle": width / 2, "end": width}[line.get("text-anchor")]
    bottom = float(line.get("y"))
    return text, (left, bottom - 0.7 * size, left + width, bottom + 0.2 * size)


@pytest.mark.parametrize("game", game_names())
def test_every_line_of_a_picture_can_be_read(game):
    """Each lies within the picture and beside the others, also with long names, and with all seats."""
    fewest, most = find_game(game).players
    for players in sorted({fewest, (fewest + most) // 2, most}):
        sitting = ended(game, players)
        svg = pictured(sitting)
        boxes = [box_of(ET.fromstring(line)) for line in LINE.findall(svg)]
        assert len(boxes) > players, boxes
        for text, (left, top, right, bottom) in boxes:
            assert 0 < left < right < SIZE[0], text
            assert 0 < top < bottom < SIZE[1], text
        for (one, (left, top, right, bottom)), (other, box) in itertools.combinations(boxes, 2):
            assert right < box[0] or box[2] < left or bottom < box[1] or box[3] < top, f"{one} lies on {other}"
        told = {text for text, _ in boxes}
        for seat, name in enumerate(sitting.names):
            name = name if words().has(name) else f"Player {seat + 1}"
            assert any(name == text or (text[-1] == MORE and name.startswith(text[:-1])) for text in told), name
        cards = [part for part in ET.fromstring(svg).iter(f"{SVG}g") if part.get("font-family") == "Fairdeal"]
        assert cards, "no card is drawn"


@pytest.mark.parametrize("game", game_names())
def test_every_card_of_a_game_has_a_drawing_of_its_kind(game):
    game = find_game(game)
    cards = cards_of(game, game.options())
    for key, face in cards.faces.items():
        assert {face.kind, "face"} & set(cards.drawings), face.kind
        for look in (cards, cards._replace(drawings={})):  # as the game draws it, and plainly
            drawn = ET.fromstring(look.drawn(Card(key, key), 100))
            assert not re.search("[{}]", ET.tostring(drawn, "unicode")), key
            printed = [line for line in drawn.iter("text") if line.text]
            assert printed or face.art, key
            for line in printed:
                assert width_of("Fairdeal", line) < WIDTH, line.text


@pytest.mark.parametrize("text", [Markup("{colour}"), Markup("{}"), Markup("{")])
def test_a_drawing_with_a_value_that_faces_do_not_have_is_refused(text):
    game = find_game("chi")
    cards = cards_of(game, game.options())._replace(drawings={"yin": Drawing(text)})
    with pytest.raises(Undrawn, match=r"^yin in cards\.svg: only these words in braces have a value: big, art, "):
        cards.drawn(Card("a", "yin-red"), 100)


def test_every_line_of_a_picture_is_drawn():
    """A font that is missing would leave out its lines without a word."""
    svg = pictured(ended("chi", 2))
    whole, lines = pixels(svg), [ET.fromstring(line) for line in LINE.findall(svg)]
    assert whole.size == SIZE
    assert {"Fairdeal", "Fairdeal Text"} == {line.get("font-family") for line in lines}
    letters = ImageChops.difference(whole, pixels(LINE.sub("", svg)))
    for text, box in map(box_of, lines):
        place = [*map(round, box)]
        found = letters.crop(place).getbbox()
        assert found, f"{text!r} is not drawn"
        assert box[2] - box[0] - (found[2] - found[0]) < 12, f"letters of {text!r} are missing"
        letters.paste(0, [place[0] - 6, place[1] - 6, place[2] + 6, place[3] + 6])
    assert letters.getbbox() is None, "there are letters outside of the lines"


def test_names_are_text():
    names = ('"><script>', "<b>&amp;</b>")
    svg = pictured(ended("chi", 2, names))
    told = {text for text, _ in map(box_of, map(ET.fromstring, LINE.findall(svg)))}
    assert {*names} <= told
    assert "script" not in {part.tag.rpartition("}")[2] for part in ET.fromstring(svg).iter()}


async def test_the_picture_of_a_finished_game_is_drawn_once_and_few_are_kept(guest, monkeypatch):
    """One that cannot be drawn is refused, and tried again."""
    table = (await played_by_bots(guest)).split("/")[3]
    address, kept = f"/api/tables/{table}/picture.png", guest.room.pictures.kept
    with monkeypatch.context() as patch:
        patch.setattr(pictures, "pictured", lambda sitting: "not SVG")
        answer = await guest.get(address)
        assert (answer.status, answer.json()["reason"][:31]) == (503, "the picture of this game could ")
        patch.setattr(pictures, "LONGEST", 0.0)
        answer = await guest.get(address)
        assert (answer.status, answer.json()["reason"][:31]) == (503, "drawing the picture took too lo")
    kept.update((str(number), b"") for number in range(MOST_KEPT))
    answer = await guest.another().get(address)
    assert answer.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(answer.body)).size == SIZE
    assert [*kept] == [*map(str, range(1, MOST_KEPT)), table]
    guest.room.pictures.work = None  # nothing is drawn again
    assert (await guest.get(address)).body == answer.body
    again = await guest.get(address, headers=(HOST, ("if-none-match", answer.headers["etag"])))
    assert (again.status, again.body) == (304, b"")


async def test_there_is_no_picture_of_an_unfinished_game(guest):
    live = await guest.open()
    picture = await guest.get(f"/api/tables/{live.id}/picture.png")
    replay = await guest.get(f"/api/tables/{live.id}/moments/0")
    assert (picture.status, picture.json()) == (replay.status, replay.json())
    assert picture.status == 409
    assert guest.room.pictures.kept == {}
    assert (await guest.get("/api/tables/nowhere/picture.png")).status == 404
