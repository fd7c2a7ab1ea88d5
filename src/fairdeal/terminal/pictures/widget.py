"""The widget that shows a table and receives clicks on it."""

from collections.abc import Sequence

from textual import events
from textual.css.styles import RulesMap
from textual.message import Message
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.visual import RenderOptions, Visual
from textual.widget import Widget

from fairdeal.engine.scene import Scene
from fairdeal.terminal.pictures.canvas import Canvas
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.pictures.look import Look
from fairdeal.terminal.pictures.staging import Frame
from fairdeal.terminal.pictures.table_picture import TablePicture
from fairdeal.terminal.pictures.targets import Item, entry, items_of, onward


class Picture(Visual):
    """A canvas as a Textual visual. It is rendered directly, so that Textual need not parse styled text."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def render_strips(self, width: int, height: int | None, style: VisualStyle, options: RenderOptions) -> list[Strip]:
        return self.canvas.strips(style.rich_style)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return self.canvas.width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self.canvas.height


class TableView(Widget, can_focus=True):
    """A widget that draws a scene with a cursor, or a frame over it. Posts `Touched` for a click."""

    ALLOW_SELECT = False

    class Touched(Message):
        """Posted when a target in the picture is clicked: `card:x`, `zone:x`, `seat:n` or `button:n`. If a frame covers
        the table, this is posted for any click."""

        def __init__(self, target: str) -> None:
            super().__init__()
            self.target = target

    def __init__(self, scene: Scene, catalogue: Catalogue) -> None:
        super().__init__(id="table")
        self.scene = scene
        self.catalogue = catalogue
        self.cursor = ""
        self.typed = ""
        self.note = ""
        self.hinted: frozenset[str] = frozenset()
        self.staged: Frame | None = None
        self.picture: TablePicture | None = None

    def show(self, scene: Scene) -> None:
        """Draw another scene. The cursor stays on its item, if possible."""
        self.scene, self.staged = scene, None
        if self.current:
            self.refresh()
        else:
            self.enter(self.items)

    def enter(self, items: Sequence[Item]) -> None:
        """Put the cursor on the item that `entry` chooses."""
        first = entry(items)
        self.cursor = first.target if first else ""
        self.refresh()

    def stage(self, frame: Frame) -> None:
        """Draw a frame over the table."""
        self.show(frame.scene)
        self.staged, self.typed, self.note, self.hinted = frame, "", "", frame.marks

    @property
    def items(self) -> list[Item]:
        return items_of(self.scene)

    @property
    def current(self) -> Item | None:
        """The item under the cursor."""
        return next((item for item in self.items if item.target == self.cursor), None)

    def move(self, key: str) -> None:
        """Move the cursor in the direction of an arrow key: within a grid or columns, or else through all items or from
        group to group."""
        current = self.current
        found = onward(self.scene, self.picture.canvas.hits, current, key) if self.picture and current else ""
        if found:
            self.cursor = found
            self.refresh()
        elif key in ("left", "right"):
            self.step(-1 if key == "left" else 1)
        else:
            self.jump(-1 if key == "up" else 1)

    def step(self, across: int) -> None:
        """Move the cursor to the next or previous item, wrapping around at the ends."""
        items = self.items
        if items:
            here = next((number for number, item in enumerate(items) if item.target == self.cursor), -1)
            self.cursor = items[(here + across) % len(items)].target if here >= 0 else items[0].target
            self.refresh()

    def jump(self, onward: int) -> None:
        """Move the cursor to the next or previous group: the hand, cards on the table, or buttons."""
        items = self.items
        groups = list(dict.fromkeys(item.group for item in items))
        current = self.current
        if current and groups:
            group = groups[(groups.index(current.group) + onward) % len(groups)]
            self.enter([item for item in items if item.group == group])

    def render(self) -> Picture:
        look = Look(
            cursor=self.cursor if self.scene.choices else "",
            typed=self.typed,
            note=self.note,
            dark=self.app.current_theme.dark,
            hinted=self.hinted,
            tallied=self.staged.tallied if self.staged else -1,
            part=self.staged.part if self.staged else -1.0,
        )
        self.picture = TablePicture(self.scene, self.catalogue, self.size.width, self.size.height, look)
        return Picture(self.picture.canvas)

    def on_click(self, event: events.Click) -> None:
        target = self.picture.canvas.target_at(event.x, event.y) if self.picture else None
        if target or self.staged:
            self.post_message(self.Touched(target or ""))
