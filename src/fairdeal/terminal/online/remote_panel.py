"""The panel beside a room's table: log, rules, score, proof and chat."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Input, TabbedContent

from fairdeal.engine.rulebook import Clause
from fairdeal.engine.scene import as_text
from fairdeal.protocol.messages import Said, Told
from fairdeal.terminal.online.chat import ChatPane
from fairdeal.terminal.screens.side_panel import MOST_LINES, SidePanel, log_line


class RemotePanel(SidePanel):
    """The panel of a room's table: the usual tabs, and a chat tab that counts unread lines."""

    def __init__(self, clauses: Sequence[Clause], page: Text) -> None:
        self.chat = ChatPane()
        super().__init__(clauses, page, self.chat)
        self.unread = 0
        self.lines: list[Told] = []
        self.said: list[Said] = []

    def on_mount(self) -> None:
        self.call_after_refresh(lambda: self.count(self.unread))

    def tell_moves(self, lines: Sequence[Told], names: Sequence[str]) -> None:
        """Add moves to the log. A move that is sent again replaces its old line."""
        kept = [line for line in self.lines if not lines or line.number < lines[0].number]
        fresh: Sequence[Told] = lines
        if len(kept) < len(self.lines):
            self.forget()
            fresh = [*kept, *lines]
        self.lines = [*kept, *lines][-MOST_LINES:]
        moves: dict[int, list[Told]] = {}
        for line in fresh:
            moves.setdefault(line.number, []).append(line)
        self.tell(
            log_line(
                number, [as_text(one.text) for one in said], [clause for one in said for clause in one.clauses], names
            )
            for number, said in moves.items()
        )

    @property
    def talking(self) -> bool:
        """Whether the chat is visible."""
        return self.chat.is_attached and self.region.width > 0 and self.query_one(TabbedContent).active == "chat"

    def hear(self, lines: Sequence[Said], *, fresh: bool) -> None:
        """Add new lines of chat or, unless `fresh`, replace all lines."""
        if not fresh:
            self.chat.said.clear()
        self.said = [*(self.said if fresh else ()), *lines][-MOST_LINES:]
        self.chat.tell(lines)
        if fresh and not self.talking:
            self.count(self.unread + len(lines))

    def count(self, unread: int) -> None:
        self.unread = unread
        if self.chat.is_attached:
            self.query_one(TabbedContent).get_tab("chat").label = f"Chat {unread}" if unread else "Chat"

    def open_at(self, tab: str, clause: str = "") -> None:
        super().open_at(tab, clause)
        if tab == "chat":
            self.query_one("#say", Input).focus()

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        if event.pane is self.chat:
            self.count(0)
