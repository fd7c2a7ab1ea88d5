"""A scene that is sent as changes to the one before is the whole scene, for programs and for pages."""

import itertools
import json
import random

import msgspec
import pytest

import fairdeal
from fairdeal.engine.scene import Card, Counter, Scene, Seat, Zone
from fairdeal.engine.scene.instruments import Fan, Trick
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import apply, changes
from fairdeal.server.tables.audience import Connection
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.testing.play import play_at_random, viewers
from tests.server.in_node import needs_node, run_in_node
from tests.server.in_process import Viewer, seated

SKIPPED = 0.1
"""The share of scenes that a viewer is not sent."""


def in_json(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def random_scenes(name, seed):
    """Return the scenes of a random game, a list for each viewer."""
    table, dice = fairdeal.load(name), random.Random(f"{name} {seed}")
    sitting = Sitting.open(table, [Player(f"Guest {seat}") for seat in range(table.players)], seed)
    found = {viewer: [sitting.scene(viewer)] for viewer in viewers(sitting.state)}
    while not sitting.over:
        sitting.play(*play_at_random(sitting.state.copy(), dice))
        for viewer, scenes in found.items():
            scene = sitting.scene(viewer)
            if scene.choices and dice.random() < 0.3:
                draft = sitting.seen(viewer).pick((), dice.choice(scene.choices).id).draft
                scenes += [sitting.scene(viewer, draft)] * bool(draft)
            if dice.random() > SKIPPED or sitting.over:
                scenes.append(scene)
    return list(found.values())


def pairs_of(name, seed):
    """Return consecutive scenes of a game, and the same in reverse, as after an undo."""
    pairs = [pair for scenes in random_scenes(name, seed) for pair in itertools.pairwise(scenes)]
    return pairs + [(new, old) for old, new in pairs[::7]]


def test_changes_make_exactly_the_next_scene(name):
    sent = whole = 0
    for seed in ("one", "two"):
        for old, new in pairs_of(name, seed):
            change = in_json(changes(old, new))
            found = apply(msgspec.to_builtins(old), change)
            assert in_json(found) == in_json(new)
            assert msgspec.convert(found, Scene) == new
            sent += len(msgspec.json.encode(change))
            whole += len(msgspec.json.encode(new))
    assert sent < 0.6 * whole


APPLY = """
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { apply } from './web/kit/socket.js';
const pairs = JSON.parse(readFileSync('pairs.json', 'utf8'));
const wrong = pairs.filter(([old, change, scene]) => {
  const before = JSON.stringify(old);
  return !isDeepStrictEqual(apply(old, change), scene) || JSON.stringify(old) !== before;
});
console.log(JSON.stringify({ looked: pairs.length, wrong: wrong.slice(0, 1) }));
"""


@needs_node
def test_a_page_makes_the_same_of_changes(name, tmp_path):
    pairs = [(old, changes(old, new), new) for old, new in pairs_of(name, "page")]
    assert run_in_node(tmp_path, APPLY, pairs=pairs) == {"looked": len(pairs), "wrong": []}
    assert pairs


A, B, C = (Zone(name, "centre", "row", cards=(Card(f"{name}.1"), Card(f"{name}.2"))) for name in "abc")

PARTS = {
    "a zone comes first": ({"zones": (A, B)}, {"zones": (C, A, B)}, {"zones": {"+": [[0, in_json(C)]]}}),
    "a zone goes": ({"zones": (A, B, C)}, {"zones": (A, C)}, {"zones": {"-": ["b"]}}),
    "zones change places": ({"zones": (A, B)}, {"zones": (B, A)}, {"zones": in_json([B, A])}),
    "a zone has other fields": (
        {"zones": (A, B.replaced(heed=True, count=3))},
        {"zones": (A, B.replaced(count=2))},
        {"zones": {"b": {"count": 2, "heed": None}}},
    ),
    "a card goes to the end": (
        {"zones": (A, B)},
        {"zones": (A.replaced(cards=A.cards[1:]), B.replaced(cards=(*B.cards, A.cards[0])))},
        {"zones": {"a": {"cards": {"-": ["a.1"]}}, "b": {"cards": {"+": [[2, {"id": "a.1"}]]}}}},
    ),
    "a counter counts": (
        {"seats": (Seat(0, "Ada", counters=(Counter("cards", 3), Counter("points", 1))), Seat(1, "Bo", acts=True))},
        {"seats": (Seat(0, "Ada", counters=(Counter("cards", 3), Counter("points", 2))), Seat(1, "Bo"))},
        {"seats": {"0": {"counters": {"1": {"value": 2}}}, "1": {"acts": None}}},
    ),
    "a counter more": (
        {"seats": (Seat(0, "Ada", counters=(Counter("cards", 3),)),)},
        {"seats": (Seat(0, "Ada", counters=(Counter("cards", 3), Counter("points", 2))),)},
        {"seats": {"0": {"counters": [{"label": "cards", "value": 3}, {"label": "points", "value": 2}]}}},
    ),
    "another instrument": (
        {"stage": Fan(2, 1, ("a",), shown="a.1")},
        {"stage": Trick((), ("a",), done=True)},
        {
            "stage": {"count": None, "seat": None, "choices": None, "shown": None, "odds": None}
            | {"kind": "trick", "spots": [], "zones": ["a"], "done": True}
        },
    ),
}


@pytest.mark.parametrize("what", PARTS)
def test_changes_name_zones_and_cards(what):
    old, new = (Scene("skin", "title", 0, **fields) for fields in PARTS[what][:2])
    found = in_json(changes(old, new))
    assert found == PARTS[what][2]
    assert msgspec.convert(apply(msgspec.to_builtins(old), found), Scene) == new


async def test_who_takes_patches_is_shown_what_all_are_shown(inside, name):
    """The viewer checks that each patch has only the changes between two scenes that were sent to it."""
    players, dice = fairdeal.load(name).players, random.Random(name)
    guests, plain = [*map(str, range(players)), "spectator"], {}
    live = await seated(inside, *guests[:-1], game=name)
    viewers = [Viewer(inside, live, guest) for guest in (*guests, "spectator")]
    for guest in guests:
        plain[guest] = []
        seat = live.seats.of(guest)
        live.audience.connections.append(Connection(guest, seat, plain[guest].append, welcomed=True))
    for viewer in viewers:
        await viewer.arrive()
        viewer.heard.clear()
    while not live.is_over:
        async with live.lock:
            await live.enter(*play_at_random(live.sitting.state.copy(), dice))
    for viewer in viewers:
        assert scenes_in(viewer.heard) == scenes_in(map(json.loads, plain[viewer.history.name]))
        assert viewer.scenes.number > len(live.sitting.log.moves) / 3


def scenes_in(messages):
    return [message for message in messages if message["type"] == "scene"]


def test_only_who_asks_for_patches_is_sent_them(guests):
    ada, kinds = guests(), {}
    table = ada.open("chi", options={"first_player": 0})["id"]
    for place in (f"tables/{table}", "lessons/chi/first"):
        for asked in ("?patches=1", "?step=1&patches=1", "?patches=0", ""):
            scene = ada.connect_to(f"/api/{place}/play{asked}")["scene"]
            answer = ada.ask("draft")
            kinds[asked] = answer["type"]
            shown = apply(scene, answer["changes"]) if kinds[asked] == "patch" else answer["scene"]
            assert shown["zones"] == scene["zones"]
        assert list(kinds.values()) == ["patch", "patch", "scene", "scene"]


RECONNECT = """
import { TableSocket } from './web/kit/socket.js';
const opened = [];
globalThis.location = { origin: 'http://room' };
globalThis.document = Object.assign(new EventTarget(), { hidden: false });
globalThis.addEventListener = document.addEventListener.bind(document);
globalThis.WebSocket = class {
  constructor(address) {
    opened.push(this);
  }
  say(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  close() {
    this.onclose?.({ code: 1000 });
  }
  send() {}
};
const heard = [];
const hear = (message) => heard.push(message);
const socket = new TableSocket(() => '/play?patches=1', hear, () => {}, () => heard.push('unknown'), () => {});
const facts = { id: 'x', game: '', title: '', name: '', status: '', options: {}, chairs: [], deal: { commitment: '' } };
const scene = { skin: '', title: '', viewer: 0, seats: [{ seat: 0, name: 'You' }] };
const later = { facts: ['later'], later: 1 };
opened[0].say({ type: 'welcome', facts, scene, later });
opened[0].say({ type: 'refused', id: 'b', reason: 'no', scene: { ...scene, later }, facts });
opened[0].say({ type: 'patch', base: 1, changes: { title: 'Chi' }, log: [] });
opened[0].say({ type: 'patch', base: 3, changes: { title: 'Lost' } });
await new Promise((go) => setTimeout(go, 1000));
opened[1].say({ type: 'welcome', facts, scene });
opened[1].say({ type: 'scene', scene: { ...scene, title: 'Again', later }, facts });
opened[1].say({ type: 'patch', base: 2, changes: { seats: { 0: { name: 'Ada' } }, later }, id: 'a' });
opened[1].say({ type: 'scene', scene: { ...scene, seq: 2.5 } });
opened[1].say({ type: 'news', text: 'from a newer room' });
opened[1].say({ type: 'patch', base: 3, changes: { seats: { 0: { seat: 2.5 } } } });
await new Promise((go) => setTimeout(go, 1000));
console.log(JSON.stringify({ opened: opened.length, heard }));
process.exit();
"""


@needs_node
def test_a_page_hears_whole_scenes_of_what_it_knows_and_reconnects_if_changes_do_not_fit(tmp_path):
    opened, heard = run_in_node(tmp_path, RECONNECT).values()
    you, ada = ((Seat(0, name),) for name in ("You", "Ada"))
    scene = Scene("", "", 0, seats=you)
    assert "later" not in json.dumps(heard)
    assert {part.keys() >= {"seats", "zones", "seq"} for part in parts_of(heard, "scene")} == {True}
    assert opened == 3
    assert heard[6:] == ["unknown"] * 3
    facts = msgspec.convert(heard[0]["facts"], m.Facts)
    assert [msgspec.convert(message, m.Messages) for message in heard[:6]] == [
        m.Welcome(facts, scene),
        m.Refused("b", "no", scene=scene),
        m.Shown(scene.replaced(title="Chi")),
        m.Welcome(facts, scene),
        m.Shown(scene.replaced(title="Again")),
        m.Shown(scene.replaced(title="Again", seats=ada), id="a"),
    ]


def parts_of(heard, name):
    return [message[name] for message in heard if name in message and message != "unknown"]
