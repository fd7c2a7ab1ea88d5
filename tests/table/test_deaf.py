"""Nobody reads sentences: a game told with any names differs in nothing but the names."""

import random
from functools import partial

import msgspec

import fairdeal
from fairdeal.engine.inspection import inspect
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.tips import read_bites
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.testing.play import play_at_random
from tests.conftest import SHORT

MISLEADING = ("You", "Your Mum", "done", "Round 3", "wins", "7", "you", "Game over")
"""Names that code would trip over if it read what is told."""

NEUTRAL = ("Zqv", "Zqvk Xqw", "zqkv", "Zqvkx q", "zqxw", "ŋ", "zqw", "Zqkw vqkx")
"""Names of the same lengths that appear in no sentence by chance."""

MOVES = 80

RECALLED = 16
"""The moments since a turn are compared after so many moves. Their scenes were compared when they were new."""


def renamed(text):
    for name, other in sorted(zip(NEUTRAL, MISLEADING, strict=True), key=lambda pair: -len(pair[0])):
        text = text.replace(name, other)
        text = text.replace(name.capitalize(), other.capitalize()) if name.islower() else text
    return text


def all_told(sitting, draw):
    """What a screen is sent of the last move, for every viewer: the scenes, the moments since their turn, and the words
    on a card."""
    game = sitting.table.game
    for viewer in (*range(sitting.table.players), SPECTATOR):
        scene, why = sitting.scene(viewer), partial(sitting.seen(viewer).why, ())
        yield scene
        if sitting.moves_made % RECALLED == 0:
            yield sitting.moments_since(viewer)
        cards = [card.id for zone in scene.zones for card in zone.cards if card.back != "gap"]
        if cards:
            yield inspect(game, game.faces(sitting.table.options), scene, draw.choice(cards), why)


def test_names_change_only_the_names(name):
    table = fairdeal.load(name, **SHORT.get(name, {}))
    names = NEUTRAL[: table.players]
    one, other = (Sitting.open(table, [Player(who) for who in names], "deaf") for _ in range(2))
    other.names = MISLEADING[: table.players]
    dice, draws, compared, notes = random.Random(name), [random.Random(1), random.Random(1)], 0, 0
    while not one.over and one.moves_made < MOVES:
        seat, actions = play_at_random(one.state.copy(), dice)
        pairs = []
        for sitting, draw in zip((one, other), draws, strict=True):
            sitting.play(seat, actions)
            pairs.append([*all_told(sitting, draw)])
        for told, again in zip(*pairs, strict=True):
            assert renamed(msgspec.json.encode(told).decode()) == msgspec.json.encode(again).decode()
            compared += 1
            notes += len(getattr(told, "bites", ()))
    assert compared > 50
    assert notes or table.players < 2 or not read_bites(table.game.clauses)
