"""The chat at a room's table, with an input line and quick reactions."""

import time
from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Input, RichLog, TabPane

from fairdeal.protocol.messages import Said
from fairdeal.terminal.screens.side_panel import MOST_LINES

LONGEST_LINE = 300
WIDEST_CHOICE = 34

REACTIONS = (("👏", "well played"), ("😄", "ha ha"), ("😮", "oh!"), ("🤔", "hm"), ("😢", "oh no"), ("👋", "hello"))
"""The quick reactions, with words for terminals that cannot display them. They are sent as chat."""


class Spoken(Message):
    """Posted when the user has entered a line of chat."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def time_of_day(at: float) -> str:
    """Return the hour and minute of a Unix time, or an empty string if there is no such time."""
    try:
        return time.strftime("%H:%M", time.localtime(at))
    except (OSError, OverflowError, ValueError):
        return ""


def chat_line(line: Said) -> Text:
    """Return a line of chat with its author. The name is the last word of its line, because a terminal may write what
    follows an Arabic name before it."""
    at = time_of_day(line.at)
    text = Text(f"{at} " if line.seat >= 0 else f"{at}, watching: ", style="dim")
    return text.append(line.name, style="not dim bold").append(f"\n{line.text}", style="not bold not dim")


class ChatPane(TabPane):
    """A widget with the lines of chat and an input line. Posts `Spoken`."""

    DEFAULT_CSS = """
    ChatPane RichLog { background: $surface; height: 1fr; scrollbar-size-vertical: 1; }
    ChatPane Input { margin: 1 0 0 0; }
    """

    def __init__(self) -> None:
        super().__init__("Chat", id="chat")
        self.said = RichLog(wrap=True, markup=False, highlight=False, min_width=20, max_lines=MOST_LINES, id="said")

    def compose(self) -> ComposeResult:
        yield self.said
        yield Input(placeholder="Say something kind", max_length=LONGEST_LINE, compact=True, id="say")

    def tell(self, lines: Sequence[Said]) -> None:
        for line in lines:
            self.said.write(chat_line(line))

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()  # the panel would search the rules for it

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        event.input.value = ""
        if text:
            self.post_message(Spoken(text))
