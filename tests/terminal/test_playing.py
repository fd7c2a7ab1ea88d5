"""The terminal program, driven by keys and clicks as a person would."""

import subprocess
import sys
from dataclasses import replace

import pytest
from textual.app import App

import fairdeal
from fairdeal.engine.options import changed
from fairdeal.engine.page import differs, page_of
from fairdeal.table.log import Failed, Player
from fairdeal.table.sitting import Sitting
from fairdeal.table.undo import OFFERED
from fairdeal.table.verification import verify
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.pictures.widget import TableView
from fairdeal.terminal.screens.dialogs import GameOver, HandOver, HelpDialog, LeaveDialog
from fairdeal.terminal.screens.side_panel import SidePanel, SittingPanel, proof
from fairdeal.terminal.screens.start_screen import StartScreen
from fairdeal.terminal.screens.table_screen import BETTER, OUT, TableScreen
from tests.conftest import SHORT, WITH_DRAFTS, at_most_two
from tests.terminal.driving import (
    app_for,
    at_menu,
    at_table,
    comes,
    play_a_choice,  # noqa: F401
    play_to_the_end,
    until,
    walk_to,
)

SIZES = ((80, 24), (120, 40))


@pytest.mark.painted(*WITH_DRAFTS)
async def test_a_whole_game_is_played_with_keys_alone_and_its_log_verifies(name, logs):
    app = app_for(name, seed="whole", players=at_most_two(name), options=SHORT.get(name, {}))
    async with app.run_test(size=SIZES[0]) as pilot:
        await play_to_the_end(pilot, seed=1, sizes=SIZES)
        assert app.screen.sitting.over
        (path,) = logs.glob("*.log")
        log, _ = verify(path.read_text())
        for size in SIZES:
            await pilot.resize_terminal(*size)
            checked = app.screen.query_one("#checked")
            assert log.seed.hex() in str(checked.content)
            assert app.screen.region.contains_region(checked.region), f"at {size} the seed is not in sight"
        assert not list(logs.glob("*.seed"))


async def test_an_error_in_drawing_fails_a_test_without_the_mark_painted(monkeypatch):
    monkeypatch.setattr(TableView, "render", lambda view: view.no_such_thing)
    with pytest.raises(AttributeError, match="no_such_thing"):
        async with app_for("chi", seed="undrawn").run_test(size=(80, 24)) as pilot:
            await pilot.pause()


async def test_several_people_hand_the_screen_over_and_see_nothing_in_between(name_for_several):
    app = app_for(name_for_several, seed="hot seat", people=2, players=2)
    async with app.run_test(size=(100, 30)) as pilot:
        await comes(pilot, HandOver)
        under = app.screen_stack[-2]
        assert under.viewer == -1
        assert under.view.scene.zones
        assert not any(zone.place == "hand" for zone in under.view.scene.zones)
        await pilot.press("enter")
        assert under.viewer in under.sitting.state.to_act
        await play_to_the_end(pilot, seed=2, moves=6)
        assert under.sitting.moves_made == 6


PICKED_FIRST = ("chaos-ninjas", *WITH_DRAFTS)
"""Games in which the first pick of this test is not a whole move."""


async def test_a_click_picks_a_card_and_escape_takes_it_back(name):
    async with at_table(name, seed="3", size=(120, 40)) as (pilot, screen):
        before = screen.sitting.state.record.tobytes()
        choice = next((choice for choice in screen.view.scene.choices if choice.kind == "card"), None)
        picked_first = choice is not None and screen.sitting.state.pick(0, (), choice.id).move is None
        assert picked_first == (name in PICKED_FIRST)
        if not picked_first:  # a pick is a whole move here
            return
        card = choice.on
        hit = next(hit for hit in screen.view.picture.canvas.hits if hit.target == f"card:{card}")
        await pilot.click("#table", offset=(hit.left, hit.top + 1))
        assert screen.draft
        assert card in screen.view.scene.draft.chosen
        await pilot.press("escape")
        assert not screen.draft
        assert screen.sitting.state.record.tobytes() == before


async def test_a_card_that_cannot_be_played_tells_why():
    async with at_table("chi", seed="9") as (pilot, screen):
        dark = next(item for item in screen.view.items if item.choice is None)
        await walk_to(pilot, screen.view, dark.target)
        await pilot.press("space")
        assert "(CHI-" in screen.view.note
        assert not screen.draft


async def test_a_move_is_taken_back_with_the_answer_of_a_bot_or_the_reason_is_shown():
    async with at_table("chip-it", seed="back", options={"first_player": 0}, players=3) as (pilot, screen):
        sitting = screen.sitting
        before, bot = sitting.state.record.tobytes(), sitting.play_bot
        await pilot.press("u")
        await until(pilot, lambda: screen.view.note == "you have not made a move yet")
        sitting.play_bot = lambda seat: sitting.play(seat, "pass 1")
        sitting.play(0, "pass 1")
        screen.after_move()
        await until(pilot, lambda: sitting.moves_made == 3)
        await pilot.press("u")
        await until(pilot, lambda: sitting.log.entries[-1].text == "undo 3")
        assert sitting.state.record.tobytes() == before
        assert screen.view.scene.seq == screen.side.told == 0
        sitting.play_bot = bot
        sitting.play(0, next(move for move in sitting.state.moves(0) if move.startswith("play")))
        screen.after_move()
        await pilot.press("u")
        await until(pilot, lambda: "cannot be taken back: others have seen your card" in screen.view.note)


async def test_a_bot_waits_while_a_move_can_be_taken_back(monkeypatch):
    async with at_table("chip-it", seed="back", options={"first_player": 0}, players=2) as (pilot, screen):
        screen.tempo.usual = 0.2
        timers, set_timer = [], screen.set_timer
        monkeypatch.setattr(screen, "set_timer", lambda delay, *more: timers.append(delay) or set_timer(60, *more))
        screen.pick(next(choice for choice in screen.view.scene.choices if not choice.on))
        assert 0.1 < timers[-1] <= 0.2
        await until(pilot, lambda: screen.view.note == "Press u to take it back.")
        assert 2 < timers[-1] <= OFFERED
        assert screen.sitting.moves_made == 1


async def test_who_is_out_skips_to_the_end(monkeypatch):
    monkeypatch.setattr(SittingPanel, "prove", lambda panel: None)  # its log does not begin with a deal
    options = {"ask_extreme": False, "max_rounds": 6, "equipment": False}
    async with at_table("war-xtreme", seed="out", options=options, players=3) as (pilot, screen):
        await pilot.press("k")
        assert "only when you are out" in screen.view.note
        seats = [
            {"alive": False, "out_round": 2},
            {"army": ["ninja/K", "ninja/3"]},
            {"army": ["zombie/9:6", "zombie/3"]},
        ]
        rest = {"slots": ["zombie/3"] * 8, "tax": ["zombie/4"] * 6}
        seats = seats[-screen.viewer :] + seats[: -screen.viewer]
        screen.tempo.usual = 60
        screen.sitting.state = screen.sitting.table.setup({"round": 6, "seats": seats} | rest, seed=1)
        screen.sitting.views.clear()
        screen.show()
        assert screen.view.note == OUT
        await pilot.press("k")
        await until(pilot, lambda: screen.sitting.over)
        assert screen.sitting.moves_made > 3, "without the pauses of bots"


async def test_a_value_can_be_typed():
    async with at_table("chip-it", seed="lead", options={"first_player": 0}, size=(120, 40)) as (pilot, screen):
        await pilot.press("space")
        values = [choice.label for choice in screen.view.scene.choices if choice.kind == "value"]
        await pilot.press(*values[2])
        assert screen.view.typed == values[2]
        await pilot.press("enter")
        assert screen.view.scene.prompt.text.startswith("Play")
        main = next(choice for choice in screen.view.scene.choices if choice.main)
        assert main.label == f"Play as {values[2]}"
        await pilot.press("9", "9", "9", "enter")
        assert "not among the values" in screen.view.note


async def test_the_hint_has_a_reason_and_is_played_by_a_key_of_its_own(name_of_a_kind, monkeypatch):
    monkeypatch.setattr("fairdeal.terminal.screens.table_screen.next_look", lambda look, players: 0)
    async with at_table(name_of_a_kind, seed="hint") as (pilot, screen):
        sitting, seat, made = screen.sitting, screen.viewer, screen.sitting.moves_made
        await pilot.press("x")
        await pilot.press("h")
        assert screen.view.note.startswith("Hint: ")
        assert sitting.moves_made == made
        advised = sitting.table.game.write_move(sitting.state.record, seat, sitting.hint(seat).actions)
        await pilot.press("x")
        await until(pilot, lambda: (seat, advised) in [(move.seat, move.text) for move in sitting.log.moves[made:]])


async def test_an_open_hint_shows_chances_that_are_refined(monkeypatch):
    async with at_table("chi", seed="hint") as (pilot, screen):
        show, notes = screen.show_hint, []

        def noted(found, further=False):
            show(found, further)
            notes.append(screen.view.note)

        monkeypatch.setattr(screen, "show_hint", noted)
        await pilot.press("h")
        await until(pilot, lambda: len(notes) >= 3)
        assert screen.view.hinted
        assert screen.is_hinting
    assert "Your chance" not in notes[0]
    assert all("Your chance to win: " in note or note.endswith(BETTER) for note in notes[1:])
    assert notes[0] != notes[1]
    assert notes[1] != notes[2] or notes[2].endswith(BETTER)


async def test_a_hint_stays_and_a_better_one_is_offered_beside_it(monkeypatch):
    monkeypatch.setattr("fairdeal.terminal.screens.table_screen.next_look", lambda look, players: 0)
    async with at_table("chi", seed="hint") as (pilot, screen):
        await pilot.press("h")
        first, hint = screen.view.note, screen.sitting.hint(screen.viewer)
        other = next(choice.id for choice in screen.scene.choices if choice.id not in hint.picks)
        screen.show_hint(replace(hint, text="Rather that.", picks=(other,)), further=True)
        assert screen.view.note == f"{first} {BETTER}"
        assert screen.advised == hint.picks
        await pilot.press("h")
        assert screen.view.note.startswith("Hint: Rather that.")
        assert screen.advised == (other,)
        screen.show_hint(replace(hint, text="Rather that.", picks=(other,)), further=True)
        assert BETTER not in screen.view.note


async def test_the_rules_open_at_the_clause_in_play_and_in_short_with_what_is_different_here(name_of_a_kind):
    async with at_table(name_of_a_kind, seed="rules", options=SHORT.get(name_of_a_kind, {})) as (pilot, screen):
        assert not screen.side.display
        await pilot.press("r")
        clauses = screen.side.query_one("#clauses")
        assert screen.side.display
        assert clauses.get_option_at_index(clauses.highlighted).id == screen.view.scene.prompt.clause
        every = clauses.option_count
        await pilot.click("#find")
        await pilot.press(*"shuffle")
        assert 0 < clauses.option_count < every
        await pilot.press("escape")
        assert not screen.side.display
        assert screen.focused is screen.view
        await pilot.press("g")
        assert screen.side.display
        told = screen.side.query_one("#page").content
        assert "GOAL" in told.plain
        assert "OFTEN ASKED" in told.plain
        differ = changed(screen.sitting.table.options)
        page = page_of(screen.sitting.table.game)
        here = [words for otherwise in page.differences() for words in differs(otherwise, differ)]
        assert told.plain.count("✱ ") == len(here)
        await pilot.press("escape")
        assert screen.focused is screen.view


async def test_a_card_is_read_in_full(name_of_a_kind):
    async with at_table(name_of_a_kind, seed="card") as (pilot, screen):
        made = screen.sitting.moves_made
        cards = [item.target for item in screen.view.items if item.target.startswith("card:")]
        if not cards:
            pytest.skip("there is no card to choose")
        screen.view.cursor = cards[0]
        await pilot.press("i")
        dialog = pilot.app.screen
        assert dialog is not screen
        assert dialog.told.name
        assert dialog.told.text or dialog.told.seen
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert screen.sitting.moves_made == made


async def test_a_game_is_left_and_gone_on_with_from_the_menu(name_of_a_kind, logs):
    async with at_table(name_of_a_kind, seed="leave") as (pilot, screen):
        await pilot.press("q")
        assert isinstance(pilot.app.screen, LeaveDialog)
        await pilot.press("y")
    (path,) = logs.glob("*.log")
    left = screen.sitting.state.record.tobytes()
    assert Sitting.resume(path).state.record.tobytes() == left
    async with at_menu(size=(120, 40)) as (pilot, menu):
        menu.query_one("#saved").focus()
        await pilot.press("enter")
        resumed = await comes(pilot, TableScreen)
        assert resumed.sitting.state.record.tobytes() == left
        assert resumed.path == path


@pytest.mark.parametrize("unfinished", [StartScreen, TableScreen, SidePanel])
async def test_the_program_ends_while_a_screen_or_a_panel_is_put_together(unfinished, monkeypatch):
    """Textual then mounts the screen without its children."""
    left = []

    async def no_children(self, widgets):
        left.append(len(widgets))
        monkeypatch.setattr(App, "is_running", False)

    monkeypatch.setattr(unfinished, "mount_composed_widgets", no_children)
    app = FairdealApp(pause=0) if unfinished is StartScreen else app_for("chi")
    async with app.run_test() as pilot:
        await until(pilot, lambda: left)
    assert min(left) > 0


async def test_the_menu_deals_what_the_form_says(name_of_a_kind):
    async with at_menu(name_of_a_kind, size=(120, 40)) as (pilot, menu):
        menu.query_one("#names").value = "Zoe"
        menu.query_one("#seed").value = "menu"
        await pilot.pause()
        await pilot.press("f5")
        sitting = (await comes(pilot, TableScreen)).sitting
        assert sitting.table.game.name == name_of_a_kind
        assert sitting.names[0] == "Zoe"


async def test_the_menu_names_rules_and_options_in_words_and_a_wrong_option_stays_in_the_form():
    async with at_menu("chi", size=(120, 60)) as (pilot, menu):
        await until(pilot, lambda: menu.query("#option-stacks_to_end"))
        limit = menu.query_one("#option-hand_limit")
        limit.value = "99"
        await pilot.press("f5")
        await until(pilot, lambda: "from 3 to 10" in str(menu.query_one("#problem").content))
        assert limit.value == "99"
        limit.value = "5"
        menu.query_one("#preset").value = "short"
        notice = menu.query_one("#notice")
        await until(pilot, lambda: str(notice.content) == "The fourth stack ends the game.")
        drawing = menu.query_one("#option-draw_source")
        assert ("from the row or the deck", "row_or_deck") in drawing._options
        drawing.value = "row_or_deck"
        await pilot.press("f5")
        options = (await comes(pilot, TableScreen)).sitting.table.options
        assert (options.draw_source, options.stacks_to_end, options.keep_one) == ("row_or_deck", 4, True)


async def test_a_rematch_seats_the_same_players_at_a_new_deal():
    app = app_for("chi", seed="again", people=0, bots=["random", "greedy"])
    async with app.run_test(size=(120, 40)) as pilot:
        first = (await comes(pilot, GameOver)).sitting
        await pilot.press("enter")
        await until(pilot, lambda: getattr(app.screen, "sitting", first) is not first)
        assert app.screen.sitting.names == first.names
        assert app.screen.sitting.seed != first.seed


async def test_a_question_mark_opens_the_list_of_keys():
    async with at_table("chi", seed="help") as (pilot, screen):
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, HelpDialog)
        await pilot.press("escape")
        assert pilot.app.screen is screen


def test_the_first_prompt_needs_no_compiler():
    program = (
        "import sys; from fairdeal.terminal.app import FairdealApp;"
        "from fairdeal.terminal.screens.new_table import Plan;"
        "sitting = Plan('chip-it').open(); sitting.scene(0); sitting.hint(sitting.state.to_act[0]);"
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "False"


def test_only_a_player_who_gave_a_number_reads_that_nobody_chose_the_cards():
    """That is not so if another number was withheld, or if a deal failed before this one."""
    log = Sitting.open(fairdeal.load("chi"), [Player("Ada", "person"), Player("Bo", "greedy")], "numbers").log
    own, other = log.players

    def told(*players, checked=None, mixed=True):
        log.players = players or (own, other)
        return str(proof("promise", log, "", checked, mixed))

    assert told().startswith("Nobody picked these cards, and nobody can change them.")
    assert "so that nobody chose the cards" in told()
    late = replace(other, hash="cd" * 32, withheld=True)
    for less in (told(mixed=False), told(own, late)):
        assert less.startswith("Nobody can change these cards.")
        assert "nobody chose" not in less
    assert told(checked=["moves"]).startswith("Nobody picked")
    assert told(checked=[]).startswith("✓ Sealed"), "something is wrong or not proven"
    log.failed = [Failed(1, (), (0,))]
    assert told().startswith("Nobody can change these cards.")
    assert "… Mixed" in str(proof("promise", None, "", None)), "the cards are not dealt"
