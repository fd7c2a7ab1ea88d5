"""Rooms and terminals of different versions understand each other."""

import json

import pytest
from msgspec.structs import fields

from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Scene
from fairdeal.protocol import bodies as b
from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from tests.server.in_process import Viewer

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


async def test_a_room_says_the_version_of_its_protocol(inside):
    live = await open_table(inside, "ada", game="chi")
    ada = Viewer(inside, live, "ada")
    await ada.arrive()
    assert ada.heard[0]["protocol"] == m.PROTOCOL > 0


def test_messages_of_an_older_room_are_completed_by_defaults():
    """Unknown fields of a newer one are ignored (tests/server/test_decoding.py)."""
    facts = {"id": "k3v9", "game": "chi", "title": "Chi", "name": "Ada", "status": "open", "options": {}, "chairs": []}
    told = {"type": "welcome", "facts": facts | {"deal": {"commitment": "ab"}}}
    welcome = m.decoded(json.dumps(told))
    assert (welcome.scene, welcome.log, welcome.facts.seat, welcome.facts.calm) == (None, (), SPECTATOR, None)
    assert (welcome.facts.deal.stage, welcome.facts.deal.attempt) == ("dealt", 1)


@pytest.mark.parametrize("kind", FIRST, ids=lambda kind: kind.__name__)
def test_fields_that_later_rooms_added_have_defaults(kind):
    assert [field.name for field in fields(kind) if field.required] == FIRST[kind].split()
