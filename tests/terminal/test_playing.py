"""The terminal program, driven by keys and clicks as a person would."""

import random

import pytest
from textual.app import App

from fairdeal.engine.options import changed
from fairdeal.engine.page import differs, page_of
from fairdeal.table.sitting import Sitting
from fairdeal.table.verification import verify
from fairdeal.terminal.app import FairdealApp
from fairdeal.terminal.pictures.widget import TableView
from fairdeal.terminal.screens import new_table
from fairdeal.terminal.screens.dialogs import GameOver, HandOver, HelpDialog, LeaveDialog
from fairdeal.terminal.screens.new_table import Plan
from fairdeal.terminal.screens.side_panel import SidePanel
from fairdeal.terminal.screens.start_screen import StartScreen
from fairdeal.terminal.screens.table_screen import TableScreen
from tests.conftest import SHORT, WITH_DRAFTS, at_most_two

MOST_KEYS = 4000
SIZES = ((80, 24), (120, 40))
MOVES_OF_A_SIZE = 3
"""After so many moves a whole game goes on in a terminal of another size."""


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    """Logs of tests are kept in a folder of their own."""
    monkeypatch.setattr(new_table, "logs_folder", lambda: tmp_path)
    return tmp_path


def app_for(name, **wishes):
    plan = Plan(name, **wishes)
    return FairdealApp((plan.open(), None, plan), pause=0)


async def until(pilot, ready):
    """Wait until something is true."""
    for _ in range(6000):
        if ready():
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came")


async def walk_to(pilot, view, target):
    """By the arrows, the shorter way round."""
    targets = [item.target for item in view.items]
    far = (targets.index(target) - targets.index(view.cursor)) % len(targets) if view.cursor in targets else 0
    for _ in range(60):
        if view.cursor == target:
            return
        await pilot.press("right" if 2 * far <= len(targets) else "left")
    raise AssertionError(f"the cursor does not reach {target}")


async def play_a_choice(pilot, screen, chance):
    """Do something that is offered, with keys alone."""
    view = screen.view
    main = next((choice for choice in view.scene.choices if choice.main), None)
    if main and (screen.draft or len(view.items) == 1) and chance.random() < 0.8:
        await pilot.press("enter")
        return
    item = chance.choice([item for item in view.items if item.choice])
    if item.choice.kind == "value" and item.choice.label.isdecimal():
        await pilot.press(*item.choice.label, "enter")
    else:
        await walk_to(pilot, view, item.target)
        await pilot.press("space")


async def play_to_the_end(pilot, app, seed, moves=10**6, sizes=()):
    """Play until the game is over, or so many moves are made; every few moves the terminal gets the next size."""
    chance = random.Random(seed)
    for _ in range(MOST_KEYS):
        screen = app.screen
        if sizes and isinstance(screen, TableScreen):
            size = sizes[screen.sitting.moves_made // MOVES_OF_A_SIZE % len(sizes)]
            if tuple(app.size) != size:
                await pilot.resize_terminal(*size)
        if isinstance(screen, GameOver) or (getattr(screen, "sitting", None) and screen.sitting.moves_made >= moves):
            return
        if isinstance(screen, HandOver):
            await pilot.press("enter")
        elif isinstance(screen, TableScreen) and screen.view.scene.choices:
            await play_a_choice(pilot, screen, chance)
        elif not isinstance(screen, TableScreen):
            await pilot.press("enter")
        else:
            await pilot.pause(0.01)
    raise AssertionError("the game does not end")


@pytest.mark.painted(*WITH_DRAFTS)
async def test_a_whole_game_is_played_with_keys_alone_and_its_log_verifies(name, logs):
    app = app_for(name, seed="whole", players=at_most_two(name), options=SHORT.get(name, {}))
    async with app.run_test(size=SIZES[0]) as pilot:
        await play_to_the_end(pilot, app, seed=1, sizes=SIZES)
        assert app.screen.sitting.over
        (path,) = logs.glob("*.log")
        log, _ = verify(path.read_text())
        for size in SIZES:
            await pilot.resize_terminal(*size)
            checked = app.screen.query_one("#checked")
            assert log.seed.hex() in str(checked.content)
            assert app.screen.region.contains_region(checked.region), f"at {size} the seed is not in sight"
        assert not list(logs.glob("*.seed"))


async def test_what_cannot_be_drawn_fails_a_test_that_nobody_looks_at(monkeypatch):
    monkeypatch.setattr(TableView, "render", lambda view: view.no_such_thing)
    with pytest.raises(AttributeError, match="no_such_thing"):
        async with app_for("chi", seed="undrawn").run_test(size=(80, 24)) as pilot:
            await pilot.pause()


async def test_several_people_hand_the_screen_over_and_see_nothing_in_between(name_for_several):
    app = app_for(name_for_several, seed="hot seat", people=2, players=2)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        under = app.screen_stack[-2]
        assert under.viewer == -1
        assert under.view.scene.zones
        assert not any(zone.place == "hand" for zone in under.view.scene.zones)
        await pilot.press("enter")
        assert under.viewer in under.sitting.state.to_act
        await play_to_the_end(pilot, app, seed=2, moves=6)
        assert under.sitting.moves_made == 6


PICKED_FIRST = ("chaos-ninjas", *WITH_DRAFTS)
"""Games in which the first pick of this test is not a whole move."""


async def test_a_click_picks_a_card_and_escape_takes_it_back(name):
    app = app_for(name, seed="3")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
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
    app = app_for("chi", seed="9")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
        dark = next(item for item in screen.view.items if item.choice is None)
        await walk_to(pilot, screen.view, dark.target)
        await pilot.press("space")
        assert "(CHI-" in screen.view.note
        assert not screen.draft


async def test_a_value_can_be_typed():
    app = app_for("chip-it", seed="lead", options={"first_player": 0})
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
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


async def test_the_hint_has_a_reason_and_is_played_by_a_key_of_its_own(name, monkeypatch):
    monkeypatch.setattr("fairdeal.terminal.screens.table_screen.next_look", lambda look, players: 0)
    app = app_for(name, seed="hint")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
        sitting, seat, made = screen.sitting, screen.viewer, screen.sitting.moves_made
        await pilot.press("x")
        await pilot.press("h")
        assert screen.view.note.startswith("Hint: ")
        assert sitting.moves_made == made
        advised = sitting.table.game.write_move(sitting.state.record, seat, sitting.hint(seat).actions)
        await pilot.press("x")
        await until(pilot, lambda: (seat, advised) in [(move.seat, move.text) for move in sitting.log.moves[made:]])


async def test_a_hint_that_is_read_gets_chances_and_they_get_better(monkeypatch):
    app = app_for("chi", seed="hint")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: len(screen.view.scene.choices) > 1)
        show, notes = screen.show_hint, []

        def noted(found):
            show(found)
            notes.append(screen.view.note)

        monkeypatch.setattr(screen, "show_hint", noted)
        await pilot.press("h")
        await until(pilot, lambda: len(notes) >= 3)
        assert screen.view.hinted
        assert screen.is_hinting
    assert "Your chance" not in notes[0]
    assert all("Your chance to win: " in note for note in notes[1:])
    assert notes[1] != notes[2]


async def test_the_rules_open_at_the_clause_in_play_and_can_be_searched(name):
    app = app_for(name, seed="rules")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
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


async def test_the_rules_in_short_say_what_is_different_here(name):
    app = app_for(name, seed="goal")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
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


async def test_a_card_is_read_in_full(name):
    app = app_for(name, seed="card")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
        made = screen.sitting.moves_made
        cards = [item.target for item in screen.view.items if item.target.startswith("card:")]
        if not cards:
            pytest.skip("there is no card to choose")
        screen.view.cursor = cards[0]
        await pilot.press("i")
        dialog = app.screen
        assert dialog is not screen
        assert dialog.told.name
        assert dialog.told.text or dialog.told.seen
        await pilot.press("escape")
        assert app.screen is screen
        assert screen.sitting.moves_made == made


async def test_a_game_is_left_and_gone_on_with_from_the_menu(name, logs):
    app = app_for(name, seed="leave")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        await until(pilot, lambda: screen.view.scene.choices)
        await pilot.press("q")
        assert isinstance(app.screen, LeaveDialog)
        await pilot.press("y")
    (path,) = logs.glob("*.log")
    left = screen.sitting.state.record.tobytes()
    assert Sitting.resume(path).state.record.tobytes() == left
    menu = FairdealApp(pause=0)
    async with menu.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(menu.screen, StartScreen))
        menu.screen.query_one("#saved").focus()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(menu.screen, TableScreen))
        assert menu.screen.sitting.state.record.tobytes() == left
        assert menu.screen.path == path


@pytest.mark.parametrize("unfinished", [StartScreen, TableScreen, SidePanel])
async def test_the_program_ends_while_a_screen_or_a_panel_is_put_together(unfinished, monkeypatch):
    """Textual gives it no children then, and tells it all the same that it is there."""
    left = []

    async def no_children(self, widgets):
        left.append(len(widgets))
        monkeypatch.setattr(App, "is_running", False)

    monkeypatch.setattr(unfinished, "mount_composed_widgets", no_children)
    app = FairdealApp(pause=0) if unfinished is StartScreen else app_for("chi")
    async with app.run_test() as pilot:
        await until(pilot, lambda: left)
    assert min(left) > 0


async def test_the_menu_deals_what_the_form_says(name):
    app = FairdealApp(pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        games = app.screen.query_one("#games")
        games.highlighted = [game.name for game in app.screen.games].index(name)
        await until(pilot, lambda: app.screen.game.name == name)
        app.screen.query_one("#names").value = "Zoe"
        app.screen.query_one("#seed").value = "menu"
        await pilot.pause()
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert app.screen.sitting.table.game.name == name
        assert app.screen.sitting.names[0] == "Zoe"


async def test_a_wrong_option_in_the_menu_is_told_and_nothing_is_lost():
    app = FairdealApp(pause=0)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        app.screen.query_one("#games").highlighted = [game.name for game in app.screen.games].index("chi")
        await until(pilot, lambda: app.screen.query("#option-stacks_to_end"))
        app.screen.query_one("#option-hand_limit").value = "99"
        await pilot.press("f5")
        await until(pilot, lambda: "from 3 to 10" in str(app.screen.query_one("#problem").content))
        assert app.screen.query_one("#option-hand_limit").value == "99"


async def test_the_menu_names_rules_and_options_in_words():
    app = FairdealApp(pause=0)
    async with app.run_test(size=(120, 60)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        app.screen.query_one("#games").highlighted = [game.name for game in app.screen.games].index("chi")
        await until(pilot, lambda: app.screen.query("#option-stacks_to_end"))
        app.screen.query_one("#preset").value = "short"
        notice = app.screen.query_one("#notice")
        await until(pilot, lambda: str(notice.content) == "The fourth stack ends the game.")
        drawing = app.screen.query_one("#option-draw_source")
        assert ("from the row or the deck", "row_or_deck") in drawing._options
        drawing.value = "row_or_deck"
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        options = app.screen.sitting.table.options
        assert (options.draw_source, options.stacks_to_end, options.keep_one) == ("row_or_deck", 4, True)


async def test_a_rematch_seats_the_same_players_at_a_new_deal():
    app = app_for("chi", seed="again", people=0, bots=["random", "greedy"])
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, GameOver))
        first = app.screen.sitting
        await pilot.press("enter")
        await until(pilot, lambda: getattr(app.screen, "sitting", first) is not first)
        assert app.screen.sitting.names == first.names
        assert app.screen.sitting.seed != first.seed


async def test_help_lists_the_keys(name):
    app = app_for(name, seed="help")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        assert isinstance(app.screen, HelpDialog)
        await pilot.press("escape")
        assert isinstance(app.screen, TableScreen)


def test_the_first_prompt_needs_no_compiler():
    import subprocess
    import sys

    program = (
        "import sys; from fairdeal.terminal.app import FairdealApp;"
        "from fairdeal.terminal.screens.new_table import Plan;"
        "sitting = Plan('chip-it').open(); sitting.scene(0); sitting.hint(sitting.state.to_act[0]);"
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "False"
