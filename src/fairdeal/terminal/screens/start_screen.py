"""The first screen, on which the user chooses a game and opponents, or resumes a saved game."""

from pathlib import Path
from typing import ClassVar

from msgspec.structs import FieldInfo
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Collapsible, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.options import (
    Options,
    about_of,
    allowed,
    choices_of,
    label_of,
    option_fields,
    parse_value,
    part_of,
    read_file,
    said,
)
from fairdeal.engine.registry import find_game, installed_games
from fairdeal.table.lessons import FIRST, Script, find_script, offers_of
from fairdeal.table.sitting import Sitting
from fairdeal.terminal.screens.new_table import Plan, title_of, unfinished_logs
from fairdeal.terminal.screens.opponents import Opponents, chairs_of, line_of, offered

Opened = tuple[Sitting, Path | None, Plan | None]
"""A sitting, the path of its saved log if there is one, and the plan for opening another table like it."""

WORDMARK = "f a i r d e a l"


def typed(kind: type[Options], name: str, text: str) -> object:
    """Parse the value of an option. If the option takes a file, read the named file."""
    return read_file(kind, name, Path(text)) if part_of(option_fields(kind)[name].type) else parse_value(text)


class StartScreen(Screen[Opened | Script]):
    """A form for the game, the seats, the bots and the preset, with lists of saved games and lessons."""

    AUTO_FOCUS = "#games"

    BINDINGS: ClassVar[list[BindingType]] = [
        ("f5,ctrl+s", "start", "Deal"),
        ("f2", "learn", "Learn it"),
        ("escape,ctrl+q", "app.quit", "Leave"),
    ]

    def __init__(self, opponents: Opponents) -> None:
        super().__init__()
        self.opponents = opponents
        self.games = list(installed_games())
        self.game = self.games[0]
        self.saved = unfinished_logs()[:5]

    def compose(self) -> ComposeResult:
        with Horizontal(id="start"):
            with Vertical(id="shelf"):
                yield Label(WORDMARK, id="wordmark")
                games = OptionList(*(Option(box(game), id=game.name) for game in self.games), id="games")
                games.highlighted = 0
                yield games
                if self.saved:
                    yield Label("Continue", classes="head")
                    yield OptionList(*(Option(title_of(path)) for path in self.saved), id="saved", markup=False)
            with VerticalScroll(id="form"):
                yield Static(id="blurb")
                yield Vertical(id="lessons")
                yield from row("Rules", Select([("", "")], id="preset", allow_blank=False, compact=True))
                yield Static(id="notice")
                yield from row("Players", Select([("", 0)], id="players", allow_blank=False, compact=True))
                yield from row("People here", Select([("", 0)], id="people", allow_blank=False, compact=True))
                yield from row("Against", Select([("", "")], id="bots", allow_blank=False, compact=True))
                yield Static(id="line")
                yield from row("Names", Input(placeholder="Ada, Ben", id="names", compact=True))
                yield from row("Seed", Input(placeholder="same word, same cards", id="seed", compact=True))
                with Collapsible(title="All options", id="more"):
                    yield Vertical(id="options")
                yield Static(id="problem")
                yield Button("Deal", id="deal", variant="primary")

    # --- filling in the form --------------------------------------------------------------------------------

    async def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list.id == "games" and event.option.id:
            self.game = find_game(event.option.id)
            await self.fill_form()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list.id == "saved":
            self.resume(self.saved[event.option_index])
        else:
            self.query_one("#preset").focus()

    async def fill_form(self) -> None:
        """Fill in the form for the highlighted game."""
        game = self.game
        self.query_one("#blurb", Static).update(blurb(game))
        await self.offer_lessons()
        self.query_one("#preset", Select).set_options((game.words_of_preset(name)[0], name) for name in game.presets)
        bots = self.query_one("#bots", Select)
        bots.set_options(offered(game))
        bots.value = self.opponents.last(game)
        usual = game.options().players  # type: ignore[call-arg]
        low, high = game.players
        players = self.query_one("#players", Select)
        players.set_options((str(number), number) for number in range(low, high + 1))
        players.value = usual
        people = self.query_one("#people", Select)
        people.set_options((str(number), number) for number in range(1, high + 1))
        people.value = 1
        options = self.query_one("#options", Vertical)
        await options.remove_children()
        fields = {name: field for name, field in option_fields(game.options).items() if name != "players"}
        for name, field in fields.items():
            box = option_box(name, field)
            box.tooltip = about_of(field).description
            await options.mount(Horizontal(Label(label_of(field)), box, classes="row"))

    async def offer_lessons(self) -> None:
        """Add a button for every lesson of the game."""
        box = self.query_one("#lessons", Vertical)
        await box.remove_children()
        for number, offer in enumerate(offers_of(self.game)):
            label = f"Then: {offer.title}" if number else "Learn it: 90 seconds (F2)"
            await box.mount(Button(Text(label), id=f"lesson-{offer.name}", compact=True))

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show the description of a chosen opponent, or the description of a chosen preset and its number of
        players."""
        if event.select.id == "bots" and event.value in chairs_of(self.game):
            self.query_one("#line", Static).update(Text(line_of(str(event.value))))
        if event.select.id == "preset" and event.value in self.game.presets:
            self.query_one("#notice", Static).update(Text(self.game.words_of_preset(str(event.value))[1]))
            wanted = self.game.presets[str(event.value)].get("players")
            if isinstance(wanted, int):
                self.query_one("#players", Select).value = wanted

    # --- opening --------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """Return the plan that the form describes."""
        value = {name: self.query_one(f"#{name}", Select).value for name in ("preset", "players", "people", "bots")}
        names = self.query_one("#names", Input).value
        options = {}
        for name in option_fields(self.game.options):
            box = self.query_one(f"#option-{name}") if name != "players" else None
            if isinstance(box, Select) and not box.is_blank():
                options[name] = box.value
            elif isinstance(box, Input) and box.value.strip():
                options[name] = typed(self.game.options, name, box.value.strip())
        return Plan(
            game=self.game.name,
            preset=str(value["preset"]),
            options=options,
            players=int(str(value["players"])),
            people=int(str(value["people"])),
            names=[name.strip() for name in names.split(",") if name.strip()],
            bots=[str(value["bots"])],
            seed=self.query_one("#seed", Input).value.strip() or None,
        )

    def action_start(self) -> None:
        try:
            plan = self.plan()
            self.dismiss((plan.open(), None, plan))
        except FairdealError as problem:
            self.complain(str(problem))

    def resume(self, path: Path) -> None:
        try:
            self.dismiss((Sitting.resume(path), path, None))
        except (FairdealError, OSError) as problem:
            self.complain(str(problem))

    def complain(self, problem: str) -> None:
        self.query_one("#problem", Static).update(Text(problem))

    def action_learn(self, lesson: str = FIRST) -> None:
        try:
            self.dismiss(find_script(self.game.name, lesson))
        except FairdealError as problem:
            self.complain(str(problem))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        pressed = event.button.id or ""
        if pressed.startswith("lesson-"):
            self.action_learn(pressed.removeprefix("lesson-"))
        else:
            self.action_start()

    def on_input_submitted(self) -> None:
        self.action_start()


def row(label: str, box: Select[object] | Input) -> ComposeResult:
    """Yield a line of the form."""
    yield Horizontal(Label(label), box, classes="row")


def option_box(name: str, field: FieldInfo) -> Select[object] | Input:
    """Return the input for an option: a list if it has few values, or else a text field."""
    identity, default = f"option-{name}", "" if part_of(field.type) else said(field, field.default)
    values = choices_of(field)
    if values:
        named = [(said(field, value), value) for value in values]
        return Select(named, prompt=default, id=identity, compact=True)
    return Input(placeholder=f"{default}  ({allowed(field.type, field)})".strip(), id=identity, compact=True)


def box(game: Game) -> Text:
    """Return a game's entry on the shelf."""
    players = "1 player" if game.players == (1, 1) else f"{span(game.players)} players"
    return Text.assemble((f"{game.title}\n", "bold"), (f"{players}, {span(game.minutes)} min", "not bold"))


def span(ends: tuple[int, int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"


def blurb(game: Game) -> Text:
    goal = f"Goal: {game.goal}\n" if game.goal else ""
    return Text.assemble(
        (game.title.upper(), "bold"),
        f"\n{game.blurb}\n{goal}",
        (f"by {game.designer}, published by {game.publisher}; unofficial edition\n", "italic"),
    )
