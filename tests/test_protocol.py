"""Rooms and terminals of different versions understand each other."""

from typing import get_args

import msgspec
import pytest
from msgspec.structs import fields

from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Scene
from fairdeal.protocol import bodies as b
from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from tests.scenes import cards_in
from tests.server.in_process import Viewer
from tests.server.inside import opened
from tests.server.test_analysis import played_by_bots

FIRST = {
    m.Welcome: "facts",
    m.Shown: "scene",
    m.Patch: "base changes",
    m.Done: "id",
    m.Refused: "id reason",
    m.Answer: "id text",
    m.Inspected: "id card told",
    m.Positioned: "id seq position",
    m.Recalled: "id scenes",
    m.Chat: "said",
    m.Table: "facts",
    m.Facts: "id game title name status options chairs deal",
    m.Chair: "seat",
    m.Deal: "commitment",
    m.Said: "seat name text at",
    m.Told: "number seat text",
    Scene: "skin title viewer",
    b.GameFacts: "name title designer publisher goal blurb players usual_players minutes weight presets options skin "
    "look levels usual",
    b.Preset: "name title text options",
    b.LevelFacts: "id name line colour animal pips pronoun rating",
    b.PageFacts: "title designer publisher page heads cards faces skin",
    b.Moment: "move moves scene log",
    b.Problem: "reason",
}
"""Structs that the terminal reads, with the fields that every room sends. A new field needs a default."""


def newer(value):
    """Return the fields of a struct as a newer room sends them."""
    return {field.name for field in fields(value)} | {"later"}


def older(value):
    """Return the fields of a struct that the oldest room sends."""
    return set(FIRST[type(value)].split()) if type(value) in FIRST else newer(value) - {"later"}


def sent(value, names):
    """Return the JSON form of a value; `names` chooses the fields of each struct, with `later` as an unknown one."""
    if isinstance(value, msgspec.Struct):
        kind, chosen = value.__struct_config__, names(value)
        tag = {kind.tag_field: kind.tag} if kind.tag else {}
        known = {
            field.encode_name: sent(getattr(value, field.name), names)
            for field in fields(value)
            if field.name in chosen
        }
        return tag | known | ({"later": {"new": [1]}} if "later" in chosen else {})
    if isinstance(value, dict):
        return {key: sent(one, names) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [sent(one, names) for one in value]
    return value


@pytest.fixture
async def heard(tmp_path):
    """One message of each kind that a room sends, and the bodies that the terminal reads."""
    async with opened(tmp_path) as guest:
        live = await open_table(guest.room, guest.guest, game="chi", chairs=("you", "greedy"))
        viewer = Viewer(guest.room, live, guest.guest)
        await viewer.arrive()
        await Viewer(guest.room, live, "spectator").arrive()
        card = cards_in(live.scene(0), "hand")[0].id
        for number, request in enumerate(
            [m.Why(card=card), m.Inspect(card=card), m.Position(), m.Recall(), m.Draft(), m.Undo(seq=0)]
        ):
            await viewer.ask(msgspec.structs.replace(request, id=f"r{number}"))
        await viewer.say("hello")
        await viewer.play()
        others = m.Undoable(id="r9", seq=1), m.Patch(base=1, changes={"seq": 1})
        texts = [msgspec.json.encode(message) for message in (*viewer.heard, *others)]
        table = (await played_by_bots(guest)).rpartition("/")[0]
        bodies = {
            b.GameFacts: (await guest.get("/api/games")).json()[0],
            b.PageFacts: (await guest.get("/api/games/chi/page")).json(),
            b.Moment: (await guest.get(f"{table}/moments/3?log=1")).json(),
            b.Problem: (await guest.get("/api/tables/nothing")).json(),
        }
    found = [m.decoder.decode(text) for text in texts]
    return {type(one): one for one in found} | {kind: msgspec.convert(one, kind) for kind, one in bodies.items()}


def read(value, kind):
    """Return the value that the terminal reads from a JSON form."""
    text = msgspec.json.encode(value)
    return m.decoder.decode(text) if issubclass(kind, m.Message) else msgspec.json.decode(text, type=kind)


async def test_the_terminal_reads_what_older_and_newer_rooms_send(heard):
    assert heard.keys() >= {*get_args(m.Messages), b.GameFacts, b.PageFacts, b.Moment, b.Problem}
    for kind, message in heard.items():
        assert read(sent(message, newer), kind) == message
        assert sent(read(sent(message, older), kind), older) == sent(message, older)


async def test_a_room_says_the_version_of_its_protocol(heard):
    assert heard[m.Welcome].protocol == m.PROTOCOL > 0


def test_messages_of_an_older_room_are_completed_by_defaults():
    facts = {"id": "k3v9", "game": "chi", "title": "Chi", "name": "Ada", "status": "open", "options": {}, "chairs": []}
    welcome = read({"type": "welcome", "facts": facts | {"deal": {"commitment": "ab"}}}, m.Welcome)
    assert (welcome.scene, welcome.log, welcome.facts.seat, welcome.facts.calm) == (None, (), SPECTATOR, None)
    assert (welcome.facts.deal.stage, welcome.facts.deal.attempt) == ("dealt", 1)


@pytest.mark.parametrize("kind", FIRST, ids=lambda kind: kind.__name__)
def test_fields_that_later_rooms_added_have_defaults(kind):
    assert [field.name for field in fields(kind) if field.required] == FIRST[kind].split()
