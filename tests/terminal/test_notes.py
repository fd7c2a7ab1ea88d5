"""Tips are shown once over the table, after the player has moved, and read by keys, while the bots wait."""

import msgspec
import pytest

import fairdeal
from fairdeal.engine.scene import Bitten, Prompt, Seat
from fairdeal.engine.scene.instruments import Race
from fairdeal.engine.tips import read_bites
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.screens.tips import CALM, NoteDialog, Noting
from tests.terminal.driving import comes, until

POSITION = {
    "hands": [["yang3-red", "chi"], ["yin-blue", "chi"]],
    "areas": [[["yang3-red"]], []],
    "row": ["yang3-blue", "yang6-lime", "chi", "yin-lime", "yang3-grey", "yin-grey"],
    "turn": 0,
}
CHI = fairdeal.load("chi")
NOTES = read_bites(CHI.game.clauses)


@pytest.mark.parametrize("key", ["enter", "n", "h"])
async def test_a_note_is_read_by_keys_while_the_bot_waits(tmp_path, key):
    sitting = Sitting.open(CHI, [Player("Ada"), Player("Bo", "greedy")], "notes", CHI.setup(POSITION, seed=1))
    file = tmp_path / "notes.json"
    app = FairdealApp((sitting, tmp_path / "chi.log", None), pause=0.01, notes=file)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        screen.noting.turns = CALM - 1
        screen.sitting.play(0, "yang yang3-red")
        screen.after_move()
        assert (await comes(pilot, NoteDialog)).note.id == "safe"
        assert sitting.moves_made == 1
        await pilot.press(key)
        await until(pilot, lambda: sitting.moves_made > 1)
        assert app.screen is screen
    kept = msgspec.json.decode(file.read_bytes())
    assert kept == {"off": ["chi"] if key == "n" else [], "read": {"chi": ["safe"]}}


async def test_a_note_is_a_line_as_soon_as_something_can_be_chosen(tmp_path):
    sitting = Sitting.open(CHI, [Player("Ada"), Player("Bo", "greedy")], "notes", CHI.setup(POSITION, seed=1))
    app = FairdealApp((sitting, tmp_path / "chi.log", None), pause=60, notes=tmp_path / "notes.json")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = app.screen
        screen.noting.turns = CALM - 1
        sitting.play(0, "yang yang3-red")
        screen.after_move()
        dialog = await comes(pilot, NoteDialog)
        while 0 not in sitting.state.to_act:
            sitting.play_bot(1)
        screen.after_move()
        await until(pilot, lambda: app.screen is screen)
        assert screen.view.note == dialog.line
        screen.noting.keep("safe")
        screen.tell(Bitten("felled"))
        assert app.screen is screen
        assert screen.view.note.startswith(screen.noting.notes["felled"].text)


def scenes(*modes, **more):
    """Return consecutive scenes, each with all tips."""
    bites = tuple(Bitten(note.id) for note in NOTES)
    first = CHI.setup(POSITION, seed=1).scene(0)
    return [
        msgspec.structs.replace(first, seq=seq, prompt=Prompt(mode, "?"), bites=bites, **more)
        for seq, mode in enumerate(modes)
    ]


def told(noting, shown):
    found = [noting.next_tip(scene) for scene in shown]
    return [bite and bite.id for bite in found]


TURNS = ("waiting", "yours", "waiting", "yours", "waiting")
"""Two turns of the viewer, after which a note may come."""


def test_notes_come_after_a_turn_and_never_in_the_first(tmp_path):
    noting = Noting("chi", NOTES, tmp_path / "notes.json")
    first = told(noting, scenes(*TURNS, "waiting", "yours", "yours", "waiting"))
    assert first == [None, None, None, None, NOTES[0].id, None, None, None, NOTES[0].id]


def test_a_note_waits_for_the_move_of_the_player_who_was_refused_a_card(tmp_path):
    noting = Noting("chi", NOTES, tmp_path / "notes.json")
    noting.turns = 1
    before, asked, after = [msgspec.structs.replace(scene, bites=()) for scene in scenes("waiting", "yours", "waiting")]
    assert told(noting, [before, asked]) == [None, None]
    noting.wait([Bitten("last-card")])
    noting.wait([Bitten("felled")])
    assert told(noting, [after]) == ["last-card"]
    noting = Noting("chi", NOTES, tmp_path / "notes.json")
    noting.turns = 1
    noting.next_tip(asked)
    noting.wait([Bitten("last-card")])
    assert told(noting, [msgspec.structs.replace(after, bites=(Bitten("felled"),))]) == ["felled"]


def test_each_note_comes_once_and_none_after_the_player_turns_them_off(tmp_path):
    file = tmp_path / "kept" / "notes.json"
    noting = Noting("chi", NOTES, file)
    noting.keep(NOTES[0].id)
    assert told(Noting("chi", NOTES, file), scenes(*TURNS))[-1] == NOTES[1].id
    noting.keep(NOTES[1].id, no_more=True)
    assert told(Noting("chi", NOTES, file), scenes(*TURNS))[-1] is None
    assert told(Noting("chip-it", NOTES, file), scenes(*TURNS))[-1] == NOTES[0].id


def test_a_note_may_come_with_every_move_of_a_player_who_is_alone(tmp_path):
    alone = scenes("yours", "yours", "yours", "yours", seats=(Seat(0, "You"),))
    noting = Noting("chi", NOTES, tmp_path / "notes.json")
    assert told(noting, alone[:3]) == [None, None, NOTES[0].id]
    noting.keep(NOTES[0].id)
    assert noting.next_tip(alone[3]).id == NOTES[1].id


@pytest.mark.parametrize("more", [{"stage": Race(zones=(), word="Bow!", answers=())}, {"mode": "over"}, {"viewer": -1}])
def test_no_note_comes_in_a_race_or_at_the_end_or_for_spectators(tmp_path, more):
    noting = Noting("chi", NOTES, tmp_path / "notes.json")
    assert told(noting, scenes(*TURNS, **more)) == [None] * len(TURNS)
