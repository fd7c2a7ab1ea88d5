"""Scenes drawn again from a log: true ones of all games agree, and each part of a false one is found. What a room may
say beside them has few values. tests/server/test_liar.py alters each field of a scene."""

import functools
import random

import msgspec
import pytest

import fairdeal
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Clock, Scene
from fairdeal.table.log import Player, read_log
from fairdeal.table.redrawing import CANNOT_SAVE, PAUSED, ROOM_KNOWS, STANDS_IN, Redrawing
from fairdeal.table.sitting import Sitting, replay

NAMES = ("Ada", "Bo", "Cleo", "Dai")
MOST = 150
"""Maximum number of moves of a game."""


def as_received(scene):
    """Return a scene as a client of the room has it."""
    return msgspec.json.decode(msgspec.json.encode(scene), type=Scene)


def redraw(log, seed, viewer, scenes):
    """Return what a comparison of the scenes of a viewer with the replay of a log finds."""
    redrawing = Redrawing(viewer, scenes, find_game(log.game).has_windows)
    redrawing.compare(replay(log, seed, watch=lambda sitting, _: redrawing.compare(sitting)))
    return redrawing.found()


@functools.cache
def played(name, seed="redraw"):
    """Return the log of a game in which moves are undone and bots stand in, its seed, and the scenes of each viewer,
    with drafts."""
    table, chance = fairdeal.load(name), random.Random(name)
    sitting = Sitting.open(table, [Player(NAMES[seat], "person") for seat in range(table.players)], seed)
    scenes = {viewer: [] for viewer in range(SPECTATOR, table.players)}
    while not sitting.over and sitting.moves_made < MOST:
        for viewer, shown in scenes.items():
            shown.append(as_received(sitting.sent(viewer)))
            choices = sitting.sent(viewer).choices
            picked = choices and sitting.seen(viewer).pick((), chance.choice(choices).id)
            if picked and picked.draft:
                shown.append(as_received(sitting.sent(viewer, picked.draft)))
        if sitting.moves_made and chance.random() < 0.1 and sitting.may_take_back():
            sitting.take_back()
            continue
        seat = chance.choice(sitting.state.to_act)
        sitting.play(seat, sitting.stand_in(seat).actions, chance.choice(["", "", "greedy"]))
    for viewer, shown in scenes.items():
        shown.append(as_received(sitting.sent(viewer)))
    return sitting.log, sitting.seed, scenes


def test_true_scenes_of_every_game_are_drawn_again(name):
    log, seed, scenes = played(name)
    again = read_log(log.text()) if log.result else log
    for viewer, shown in scenes.items():
        found = redraw(again, seed, viewer, shown)
        assert found.difference is None, shown[found.difference.scene]
        assert (found.compared, found.unknown) == (len(shown), 0)
        assert found.compared > 5


def lie_about(scene, part):
    """Return a scene with another value of a part, of the same type, or the scene itself if it has none."""
    value = getattr(scene, part)
    if isinstance(value, str):
        return scene.replaced(**{part: f"{value}!"}) if part not in ("mode", "tray") else scene
    if isinstance(value, tuple):
        return scene.replaced(**{part: value[1:]}) if value else scene
    return scene.replaced(**{part: value + 1}) if isinstance(value, int) else scene.replaced(**{part: None})


@pytest.mark.parametrize("game", ["chi", "war-xtreme"])
def test_a_lie_about_each_part_is_found(game):
    """In a game with windows, the parts that tell of the last move are not compared."""
    log, seed, scenes = played(game)
    missed, tried = set(), set()
    for part in Scene.__struct_fields__:
        for number, scene in enumerate(scenes[0]):
            false = lie_about(scene, part)
            if false != scene:
                tried.add(part)
                shown = [*scenes[0][:number], false]
                if not (redraw(log, seed, 0, shown).difference or redraw(log, seed, 0, shown).unknown):
                    missed.add(part)
                break
    assert missed == ({"events", "bites"} & tried if game == "war-xtreme" else set())
    assert len(tried) > 12


ADDED = {
    "away": lambda scene: seated(scene, 1, state="away"),
    "a bot plays on": lambda scene: seated(scene, 1, state="away", note=STANDS_IN),
    "a clock": lambda scene: seated(timed(scene), 1, clock=Clock(12.5, 60, runs=True)),
    "trouble": lambda scene: asked(scene, sub=CANNOT_SAVE),
    "a pause": lambda scene: asked(seated(scene, 0, note=PAUSED), sub="The game is paused until Ada is back."),
    "who is waited for": lambda scene: asked(seated(scene, 1, state="away"), text="Bo is away"),
    "a bot for who is waited for": lambda scene: asked(seated(scene, 1, state="away"), text="A bot plays for Bo"),
}
"""What a room adds to a scene in which Ada waits for Bo."""

FORGED = {
    "out": (lambda scene: seated(scene, 1, state="out"), "seats.1.state"),
    "a note with a card": (lambda scene: seated(scene, 1, state="away", note="away, has a 7"), "seats.1.note"),
    "a sentence with a score": (lambda scene: asked(scene, sub="Bo has 7 points."), "prompt.sub"),
    "a pause for a stranger": (lambda scene: asked(scene, sub="The game is paused until Zoe is back."), "prompt.sub"),
    "who is here is away": (lambda scene: asked(scene, text="Bo is away"), "prompt.text"),
    "somebody else is away": (lambda scene: asked(seated(scene, 1, state="away"), text="Ada is away"), "prompt.text"),
    "a name in a clock": (lambda scene: seated(timed(scene), 1, name="Ada"), "seats.1.name"),
}
"""What a room cannot say in these fields, and the part that differs."""


def seated(scene, seat, **facts):
    """Return a scene with other facts of a seat."""
    seats = [one.replaced(**facts) if one.seat == seat else one for one in scene.seats]
    return scene.replaced(seats=tuple(seats))


def asked(scene, **facts):
    """Return a scene with another prompt."""
    return scene.replaced(prompt=scene.prompt.replaced(**facts))


def timed(scene):
    """Return a scene with a time limit."""
    return asked(scene, until=1e9, lasts=60.0)


def test_what_only_the_room_knows_has_few_values():
    log, seed, scenes = played("chi")
    waiting = next(scene for scene in scenes[0] if scene.prompt.mode == "waiting")
    assert [seat.name for seat in waiting.seats if seat.acts] == ["Bo"]
    for add in ADDED.values():
        assert add(waiting) != waiting
        assert redraw(log, seed, 0, [add(waiting)]) == (1, 0, None)
    for forge, part in FORGED.values():
        assert redraw(log, seed, 0, [forge(waiting)]).difference.part == part
    lies = {part for forge, part in FORGED.values() if part != "seats.1.name"}
    times = {"seats.clock", "prompt.until", "prompt.lasts"}
    assert {part.replace(".1", "") for part in lies} | times == {*ROOM_KNOWS}


def test_scenes_without_a_state_are_unknown_where_there_are_windows_and_false_elsewhere():
    for game, wanted in (("war-xtreme", (0, 1)), ("chi", (1, 0))):
        log, seed, scenes = played(game)
        found = redraw(log, seed, 0, [scenes[0][3].replaced(state="")])
        assert (found.compared, found.unknown) == wanted
        assert (found.difference is None) == (game == "war-xtreme")
