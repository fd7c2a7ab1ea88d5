"""The twelve colours of CHI and Chaos Ninjas: names, glyphs and inks (docs/rules/chi.md)."""

COLOURS = 12
ALL_COLOURS = (1 << COLOURS) - 1
"""All colours, as a bit set."""

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
"""The ink of each colour on light card stock. Cards that attack have a black face instead and use LIGHT_INKS."""

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
"""Colours of the table in both games, in light and dark mode."""


def colour_of(kind: int) -> int:
    """Return the colour of a Yin or Yang, or of an Attacker or Defender. Kinds of each sort are numbered by colour."""
    return kind % COLOURS
