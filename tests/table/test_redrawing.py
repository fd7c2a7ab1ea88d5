"""Scenes drawn again from a log: true ones of all games agree, and each part of a false one is found."""

import functools
import random
from dataclasses import replace

import msgspec
import pytest

import fairdeal
from fairdeal.engine.errors import NotReplayable
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Scene
from fairdeal.table.log import Player, read_log
from fairdeal.table.redrawing import redraw
from fairdeal.table.sitting import Sitting

NAMES = ("Ada", "Bo", "Cleo", "Dai")
MOST = 150
"""Maximum number of moves of a game."""


def as_received(scene):
    """Return a scene as a client of the room has it."""
    return msgspec.json.decode(msgspec.json.encode(scene), type=Scene)


@functools.cache
def played(name, seed="redraw"):
    """Return the log of a game in which moves are undone and bots stand in, its seed, and the scenes of each viewer,
    with drafts."""
    table, chance = fairdeal.load(name), random.Random(name)
    sitting = Sitting.open(table, [Player(NAMES[seat], "person") for seat in range(table.players)], seed)
    scenes = {viewer: [] for viewer in range(SPECTATOR, table.players)}
    while not sitting.over and sitting.moves_made < MOST:
        for viewer, shown in scenes.items():
            shown.append(as_received(sitting.scene(viewer)))
            choices = sitting.scene(viewer).choices
            picked = choices and sitting.seen(viewer).pick((), chance.choice(choices).id)
            if picked and picked.draft:
                shown.append(as_received(sitting.scene(viewer, picked.draft)))
        if sitting.moves_made and chance.random() < 0.1 and sitting.may_take_back():
            sitting.take_back()
            continue
        seat = chance.choice(sitting.state.to_act)
        sitting.play(seat, sitting.stand_in(seat).actions, chance.choice(["", "", "greedy"]))
    for viewer, shown in scenes.items():
        shown.append(as_received(sitting.scene(viewer)))
    return sitting.log, sitting.seed, scenes


def test_true_scenes_of_every_game_are_drawn_again(name):
    log, seed, scenes = played(name)
    again = read_log(log.text()) if log.result else log
    for viewer, shown in scenes.items():
        found = redraw(again, seed, viewer, shown)
        assert found.difference is None, shown[found.difference.scene]
        assert (found.compared, found.unknown) == (len(shown), 0)
        assert found.compared > 5


def exchanged(scene):
    """Return a scene in which the cards of two zones are exchanged."""
    for one in scene.zones:
        for other in scene.zones:
            if one.cards != other.cards:
                cards = {one.id: other.cards, other.id: one.cards}
                zones = [zone.replaced(cards=cards.get(zone.id, zone.cards)) for zone in scene.zones]
                return scene.replaced(zones=tuple(zones))
    return scene


def renamed(scene):
    """Return a scene in which the names of two seats are exchanged."""
    first, second, *rest = scene.seats
    return scene.replaced(seats=(first.replaced(name=second.name), second.replaced(name=first.name), *rest))


def lie_about(scene, part):
    """Return a scene with another value of a part, of the same type, or the scene itself if it has none."""
    value = getattr(scene, part)
    if isinstance(value, str):
        return scene.replaced(**{part: f"{value}!"}) if part not in ("mode", "tray") else scene
    if isinstance(value, tuple):
        return scene.replaced(**{part: value[1:]}) if value else scene
    return scene.replaced(**{part: value + 1}) if isinstance(value, int) else scene.replaced(**{part: None})


LIES = {
    "zones exchanged": (exchanged, "zones."),
    "names exchanged": (renamed, "seats.0.name"),
    "another id of a zone": (
        lambda scene: scene.replaced(zones=(scene.zones[0].replaced(id="hand9"), *scene.zones[1:])),
        "zones.",
    ),
    "another label of a zone": (
        lambda scene: scene.replaced(zones=(scene.zones[0].replaced(label="Bo’s hand"), *scene.zones[1:])),
        "zones.",
    ),
    "a zone twice": (lambda scene: scene.replaced(zones=(*scene.zones, scene.zones[0])), "zones"),
    "another text": (lambda scene: scene.replaced(prompt=scene.prompt.replaced(clause="CHI-1")), "prompt.clause"),
    "the scene of another move": (lambda scene: scene.replaced(seq=scene.seq + 1), ""),
    "after the end": (lambda scene: scene.replaced(seq=10_000), "seq"),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("game", ["chi", "chip-it"])
def test_a_false_scene_is_found(game, lie):
    log, seed, scenes = played(game)
    change, part = LIES[lie]
    shown = [*scenes[0]]
    shown[7] = change(shown[7])
    assert shown[7] != scenes[0][7]
    found = redraw(log, seed, 0, shown).difference
    assert (found.scene, found.seq) == (7, shown[7].seq)
    assert found.part.startswith(part)


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


def test_a_false_result_is_found():
    log, seed, scenes = played("chi")
    end = scenes[1][-1]
    assert end.result
    for false in (end.result.replaced(text="You win."), end.result.replaced(scores=(0, 99))):
        assert redraw(log, seed, 1, [end.replaced(result=false)]).difference.part.startswith("result.")
    assert redraw(log, seed, 0, [end]).difference.part == "viewer"


def test_scenes_without_a_state_are_unknown_where_there_are_windows_and_false_elsewhere():
    for game, wanted in (("war-xtreme", (0, 1)), ("chi", (1, 0))):
        log, seed, scenes = played(game)
        found = redraw(log, seed, 0, [scenes[0][3].replaced(state="")])
        assert (found.compared, found.unknown) == wanted
        assert (found.difference is None) == (game == "war-xtreme")


def test_other_rules_are_named():
    log, seed, scenes = played("chi")
    with pytest.raises(NotReplayable, match="played under rules version 99 of Chi, but this is version 1"):
        redraw(replace(log, rules_version=99), seed, 0, scenes[0])
