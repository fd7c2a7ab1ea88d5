"""The colours of the terminal program: paper and ink, in light and dark mode, and an accent for everything that can be
chosen."""

from textual.theme import Theme

DAY = Theme(
    name="day",
    primary="#1c5d99",
    secondary="#5a534a",
    accent="#ffc400",
    foreground="#1d1a16",
    background="#f3eee4",
    surface="#fffdf8",
    panel="#e4dccd",
    success="#146c3c",
    warning="#1c5d99",
    error="#b3261e",
    dark=False,
)
NIGHT = Theme(
    name="night",
    primary="#8cc4f5",
    secondary="#b8b0a4",
    accent="#ffcb2e",
    foreground="#f4efe6",
    background="#2a282e",
    surface="#211f24",
    panel="#3a3740",
    success="#7cd79a",
    warning="#8cc4f5",
    error="#ff9a8f",
    dark=True,
)
