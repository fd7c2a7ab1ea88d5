"""The twelve colours that CHI and Chaos Ninjas have alike: their names, glyphs and inks (docs/rules/chi.md)."""

COLOURS = 12
ALL_COLOURS = (1 << COLOURS) - 1
"""All colours as a bit set."""

COLOUR_NAMES = (
    "red",
    "orange",
    "yellow",
    "lime",
    "green",
    "teal",
    "blue",
    "purple",
    "pink",
    "brown",
    "grey",
    "black",
)
GLYPHS = "▲◆★♣■●▼✚♥⬢◐♠"
INKS = (
    "#c4261d",
    "#a34a00",
    "#7d6000",
    "#527000",
    "#187034",
    "#0a716c",
    "#1f5fc4",
    "#7a35c2",
    "#bd2677",
    "#7a4a22",
    "#5c636b",
    "#17181b",
)
"""The inks of the colours by day, on stock; cards that attack show them on black."""

LIGHT_INKS = (
    "#ff6b5e",
    "#ff9f40",
    "#ffd84a",
    "#b5e34a",
    "#4fcb6b",
    "#3fd0c4",
    "#6fa8ff",
    "#c08bff",
    "#ff8fc4",
    "#d6a27a",
    "#b8bdc4",
    "#f4f1e8",
)

CLOTH, CLOTH_2 = ("#e8e3d7", "#15181a"), ("#d6cebd", "#262b2e")
"""The table of both games, by day and by night."""


def colour_of(kind: int) -> int:
    """The colour of a card that attacks or is attacked: kinds of one sort are numbered by their colours."""
    return kind % COLOURS
