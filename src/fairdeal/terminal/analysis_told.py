"""An analysis told in a terminal: its curve, turning points, costly decisions, and luck told apart from play."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Zone, count_of
from fairdeal.table.analysis import Analysis, Decision, Held, points
from fairdeal.terminal.cards import Catalogue
from fairdeal.terminal.curves import STYLES, bar, curve, marks_under

COSTLIEST = 3
"""Decisions of each seat that are told in short."""

BAR = 14
LOUD = {"blunder": "bold red", "slip": "bold"}
"""The words that stand out; all are words first."""

LIKELIEST = 6
"""Cards that a rival could have held that are told."""


def told_analysis(found: Analysis, width: int) -> Group:
    """All of it on a page."""
    head = Text(f"{find_game(found.game).title.upper()}: {found.result}", style="bold")
    parts: list[RenderableType] = [head, Text(told_numbers(found), style="dim"), Text()]
    parts += told_curve(found, width, 9)
    parts += [Text("\nTURNING POINTS", style="bold"), told_turns(found)]
    parts += [Text("\nCOSTLIEST DECISIONS", style="bold"), told_decisions(found)]
    parts += [Text("\nLUCK AND PLAY", style="bold"), told_shares(found)]
    return Group(*parts)


def told_numbers(found: Analysis) -> str:
    """What it was made of."""
    return (
        f"{count_of(len(found.chances) - 1, 'move')}, {count_of(len(found.decisions), 'decision')}, each move in "
        f"question played out {found.playouts:,} times, by what its player could know"
    )


def told_curve(found: Analysis, width: int, height: int, at: int | None = None) -> list[Text]:
    """Everybody's chances, with the numbers of the turning points under them."""
    moments = [turn.move + 1 for turn in found.turns]
    lines = curve(found.heights(), found.seats, width, height, at, found.ticks())
    return [*lines, marks_under(moments, len(found.chances), found.seats, width)]


def told_turns(found: Analysis) -> RenderableType:
    """The turning points, numbered."""
    if not found.turns:
        return Text(f"None: no move changed {'the score' if found.alone else 'a chance'} that much.")
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for number, turn in enumerate(found.turns, start=1):
        name = Text(found.seats[turn.seat], style=STYLES[turn.seat % 8])
        change = f"{found.points(turn.before)} → {found.points(turn.after)}{found.sign}"
        grid.add_row(Text(str(number), style="bold"), f"move {turn.move + 1}", name, change, Text(turn.text))
    return grid


def told_decisions(found: Analysis) -> RenderableType:
    """What cost each seat most, with what was better."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for seat, name in enumerate(found.seats):
        own = [one for one in found.costliest if one.seat == seat][:COSTLIEST]
        if not own:
            grid.add_row(Text(name, style=STYLES[seat % 8]), "", "", Text("no decision clearly cost anything"))
        for one in own:
            played, best = one.options[one.played], one.options[0]
            words = Text(f"{played.text}, {found.points(played.chance)}{found.sign}; better: ")
            words.append(f"{best.text}, {found.points(best.chance)}{found.sign}", "bold")
            grid.add_row(Text(name, style=STYLES[seat % 8]), f"move {one.move + 1}", told_cost(found, one), words)
    return grid


def told_cost(found: Analysis, one: Decision) -> Text:
    """`−18 ±4 blunder`, or `best`."""
    if not one.cost:
        return Text(one.label)
    return Text(f"−{found.points(one.cost)} ±{found.points(one.error)} {one.label}", style=LOUD.get(one.label, ""))


def told_shares(found: Analysis) -> RenderableType:
    """Where everybody's result came from, in points of a hundred, or of the score."""
    rivals = [] if found.alone else ["rivals’ decisions"]
    grid = Grid("", "at the deal", "luck", "own decisions", *rivals, "result", box=None)
    for column in grid.columns[1:]:
        column.justify = "right"
    for share in found.shares:
        parts = [share.luck, share.play, *([share.gifts] if rivals else [])]
        name = Text(found.seats[share.seat], style=STYLES[share.seat % 8])
        grid.add_row(name, found.points(share.start), *map(found.signed, parts), found.points(share.result))
    return grid


def told_decision(found: Analysis, one: Decision) -> Text:
    """One decision whole: the moves with their chances as bars, the one that was played marked, and why."""
    words = Text().append(f"Move {one.move + 1}, {found.seats[one.seat]}: ", "bold").append_text(told_cost(found, one))
    for number, option in enumerate(one.options):
        mark = "▸" if number == one.played else " "
        length = f"{bar(found.height(option.chance), BAR):<{BAR}}"
        words.append(f"\n{mark}{found.points(option.chance):>3}{found.sign} {length} ")
        words.append(option.text, "bold" if number == one.played else "")
    return words.append("\n▸ was played.", "dim").append(f" {one.why}" if one.why else "")


def told_hands(found: Analysis, hands: tuple[tuple[Zone, ...], ...], catalogue: Catalogue) -> Text:
    """What everybody held."""
    words = Text()
    for seat, zones in enumerate(hands):
        names = [catalogue.faces[card.face].name for zone in zones for card in zone.cards if card.face]
        words.append(f"\n{found.seats[seat]} held: ", "bold").append(" · ".join(names) or "no cards")
    return words


def told_held(found: Analysis, rivals: tuple[Held, ...], catalogue: Catalogue) -> Text:
    """What the rivals could have held: the likeliest cards, and those that were really there, marked."""
    words = Text()
    for rival in rivals:
        words.append(f"\n{found.seats[rival.seat]} could have held: ", "bold")
        shown = [one for one in rival.faces if one[0] in rival.true or one in rival.faces[:LIKELIEST]]
        for number, (face, likely) in enumerate(shown):
            true = face in rival.true
            words.append(" · " if number else "")
            words.append(
                f"{'✓ ' if true else ''}{catalogue.faces[face].name} {points(likely)} %", "bold" if true else ""
            )
    return words.append("\n✓ was really there.", "dim") if rivals else words
