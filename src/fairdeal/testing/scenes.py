"""Checks that scenes are consistent: ids are unique, faces exist, and choices refer to existing cards and zones."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.engine.game import Game
from fairdeal.engine.scene import Scene
from fairdeal.engine.scene.instruments import NO_CHOICE
from fairdeal.engine.scene.picks import parts_of
from fairdeal.engine.scene.shown import facts_in, facts_of
from fairdeal.engine.state import Seen, State, Table
from fairdeal.testing.play import must_have, play_at_random, random_states, table_of, viewers


def check_scenes(table: Table, name: str, looks: int = 25) -> Counter[str]:
    """Check the scenes of random games, including the last ones, for every viewer. Return counts of their elements."""
    tally = Counter[str]()
    dice = random.Random(name)
    faces = table.game.faces(table.options)
    state = table.deal(str(dice.random()))
    while tally["looks"] < looks or not tally["over"]:
        if state.over or (tally["looks"] < looks and dice.random() < 0.2):
            tally["looks"] += 1
            for viewer in viewers(state):
                scene = state.scene(viewer)
                where = f"{table}, dice {name!r}, look {tally['looks']}, for {viewer}"
                check_scene(scene, faces.keys(), where)
                check_prompt(state, scene, viewer, where, tally)
                check_shown(state, scene, viewer, where, tally)
        if state.over:
            state = table.deal(str(dice.random()))
        play_at_random(state, dice)
    if table.in_scene:
        must_have(tally["shown"], looks, f"{table}: facts of scenes that are in the state")
    must_have(min(tally["yours"], tally["not yours"]), looks / 4, f"{table}: scenes with and without choices")
    return tally


LONGEST_HINT = 110
"""Maximum number of characters in a hint, including names of players."""

NAMES = ("Ada", "Bo", "Cleo", "Dai", "Eve", "Finn", "Gil", "Hana")


def check_advice(table: Table, name: str, number: int = 40) -> Counter[str]:
    """Check hints, and random moves formatted as hints. Each must have a sentence, and choices that lead to the move
    and highlight its cards. Return the number of moves by their number of actions."""
    tally = Counter[str]()
    for state, dice, where in random_states(table, name, number):
        player = dice.choice(state.to_act)
        hint = ask(GreedyBot(table.game.recall), state, player, 0)
        seen = state.seen_by(player, NAMES[: state.players])
        told = f"{table}, {where}, seat {player}"
        check_sentence(f"{seen.say_move(hint.actions)}. {hint.reason}", state, player, hint.actions, told)
        _, random_move = play_at_random(state.copy(), dice, player)
        for actions in (hint.actions, random_move):
            assert seen.say_move(actions), f"{told}: no description of {actions}"
            check_way(seen, actions, told)
            tally[f"{len(actions)} actions"] += 1
    must_have(tally.total(), number / 2, f"{table}: moves that were described and picked")
    return tally


def check_sentence(text: str, state: State, player: int, actions: Sequence[int], where: str) -> None:
    """Check that a hint is a short plain sentence, without notation."""
    codes = re.findall(r"\S*[-/:]\S*|\d+[a-z]", state.game.write_move(state.record, player, actions))
    assert len(text) <= LONGEST_HINT, f"{where}: {len(text)} characters are too many: {text}"
    assert text[0].isupper(), f"{where}: no sentence: {text}"
    assert text[-1] in ".!?", f"{where}: no sentence: {text}"
    assert not any(code in text for code in codes), f"{where}: {text} has the codes {codes}"
    assert "Seat " not in text, f"{where}: {text} does not name the players"


def check_way(seen: Seen, actions: Sequence[int], where: str) -> None:
    """Check that choices lead to their move, one after another, and that their targets are highlighted."""
    way, move = seen.way_to(actions), None
    draft: tuple[int, ...] = ()
    for pick in way.picks:
        assert move is None, f"{where}: {way.picks} continues after the move {move}"
        scene = seen.scene(draft)
        lies_on = parts_of(scene, pick)
        marked = not lies_on or not set(way.marks).isdisjoint(lies_on)
        assert marked, f"{where}: pick {pick} lies on {lies_on}, and {way.marks} are marked"
        assert set(scene.draft.aim if scene.draft else ()) <= {*way.marks}, f"{where}: {scene.draft} is not marked"
        picked = seen.pick(draft, pick, scene)
        draft, move = picked.draft, picked.move
    assert move == tuple(actions), f"{where}: {way.picks} leads to {move}, not to {actions}"


def check_scene(scene: Scene, faces: object, where: str) -> None:
    """Check that a scene has the declared types, and that all its references exist."""
    msgspec.json.decode(msgspec.json.encode(scene), type=Scene)
    cards = [card for zone in scene.zones for card in zone.cards]
    assert scene.zones, f"{where}: a scene without zones"
    for kind, names in (
        ("cards", [card.id for card in cards]),
        ("zones", [zone.id for zone in scene.zones]),
    ):
        twice = [name for name, number in Counter(names).items() if number > 1]
        assert not twice, f"{where}: {kind} of the same name: {twice}"
    there = {
        "card": {card.id for card in cards},
        "zone": {zone.id for zone in scene.zones},
        "seat": {str(seat.seat) for seat in scene.seats},
    }
    for choice in scene.choices:
        if choice.on:
            named = there.get(choice.kind, set.union(*there.values()))
            assert choice.on in named, (
                f"{where}: choice {choice.id} refers to {choice.kind} {choice.on}, which does not exist"
            )
    for zone in scene.zones:
        own = zone.place == "hand" and zone.layout == "fan" and all(card.face for card in zone.cards)
        assert own or not zone.any_order, f"{where}: {zone.id} is in any order, but no hand that the viewer sees"
    check_stage(scene, there | {"choice": {choice.id for choice in scene.choices}}, where)
    for card in cards:
        known = card.face is None or card.face in faces  # type: ignore[operator]
        assert known, f"{where}: card {card.id} has the face {card.face}, which Game.faces does not list"


POINTS_AT = {
    "card": "card",
    "cards": "card",
    "shown": "card",
    "zones": "zone",
    "steps": "zone",
    "pile": "zone",
    "column": "zone",
    "won": "zone",
    "target": "card",
    "attacker": "seat",
    "defender": "seat",
    "seat": "seat",
    "out": "seat",
    "choice": "choice",
    "choices": "choice",
    "flip": "choice",
    "hold": "choice",
    "spin": "choice",
}
"""Fields of instruments that refer to parts of their scene, and the kind of part."""


def check_stage(scene: Scene, there: dict[str, set[Any]], where: str) -> None:
    """Check that an instrument represents zones of its scene, and that all its references exist."""
    if scene.stage is None:
        return
    assert scene.stage.zones, f"{where}: the {type(scene.stage).__name__} does not replace any zone"
    waiting = [msgspec.structs.asdict(scene.stage)]
    while waiting:
        for field, named in waiting.pop().items():
            many = named if isinstance(named, tuple) else (named,)
            waiting += [msgspec.structs.asdict(one) for one in many if isinstance(one, msgspec.Struct)]
            sort = POINTS_AT.get(field, "")
            for one in many if sort else ():
                name = str(one) if sort == "seat" else one
                found = one in ("", NO_CHOICE) or name in there[sort]
                assert found, f"{where}: the stage names the {sort} {one}, which does not exist"


def check_shown(state: State, scene: Scene, viewer: int, where: str, tally: Counter[str]) -> None:
    """Check that a scene, with and without unfinished moves, agrees with the game's `in_scene`."""
    expected = state.facts(viewer)
    for drawn in (scene, *unfinished(state, scene, viewer)):
        shown = facts_of(drawn.replaced(state=expected["state"]))
        for name in shown.keys() & expected.keys():
            assert shown[name] == expected[name], (
                f"{where}: {name} is {shown[name]!r}, but {expected[name]!r} in the state"
            )
            tally["shown"] += 1


MOST_PICKS = 4


def unfinished(state: State, scene: Scene, viewer: int) -> Iterator[Scene]:
    """Yield scenes with unfinished moves, one for each possible first choice."""
    for choice in scene.choices:
        draft: tuple[int, ...] = ()
        picked = choice.id
        for _ in range(MOST_PICKS):
            found = state.pick(viewer, draft, picked)
            if found.move is not None or not found.draft:
                break
            draft = found.draft
            drawn = state.scene(viewer, draft)
            yield drawn
            picked = drawn.choices[-1].id


def check_in_scene(game: Game, name: str, looks: int = 200) -> None:
    """Check that scenes of random games show each field that the game's `in_scene` lists."""
    missed = {*game.in_scene}
    for preset in game.presets:
        for state, _, _ in random_states(table_of(game, preset=preset), f"{name} {preset}", looks):
            for viewer in viewers(state) if missed else ():
                shown, view = facts_of(state.scene(viewer)), state.view(viewer).record
                missed = {part for part in missed if not shown.keys() & facts_in([part], view, viewer).keys()}
    never = ", ".join(sorted(part.field for part in missed))
    assert not missed, f"{game.name}: in_scene lists {never}, but no scene has such a zone or counter"


def check_prompt(state: State, scene: Scene, viewer: int, where: str, tally: Counter[str]) -> None:
    """Check that seats that may act have a prompt and choices and can pick a choice, and that other viewers cannot."""
    acts = viewer in state.to_act and not state.over
    assert scene.prompt is not None, f"{where}: a scene without a prompt"
    assert (scene.prompt.mode == "yours") == acts, f"{where}: the prompt is {scene.prompt}"
    assert (scene.prompt.mode == "over") == state.over, f"{where}: the prompt is {scene.prompt}"
    assert (scene.mode == "over") == state.over == (scene.result is not None), f"{where}: the result is {scene.result}"
    assert bool(scene.choices) == acts, f"{where}: unexpected choices: {scene.choices}"
    tally["yours" if acts else "not yours"] += 1
    tally["over"] += state.over
    if acts:
        picked = state.pick(viewer, (), scene.choices[0].id)
        goes_on = picked.move or state.scene(viewer, picked.draft).prompt.mode == "yours"  # type: ignore[union-attr]
        assert goes_on, f"{where}: after picking {scene.choices[0]} it is no longer their turn"
