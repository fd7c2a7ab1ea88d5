"""An analysis as text for a terminal: its curve, turning points, costly decisions, and the sources of each result."""

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Zone, count_of
from fairdeal.table.analysis import Held, by_cost, points
from fairdeal.table.analysis.view import AnalysisView, DecisionView
from fairdeal.terminal.pictures.cards import Catalogue
from fairdeal.terminal.screens.curves import STYLES, bar, curve, marks_under

COSTLIEST = 3
"""Maximum number of costly decisions listed for each seat."""

BAR = 14
LOUD = {"blunder": "bold red", "slip": "bold"}
"""Styles of the labels that stand out."""

LIKELIEST = 6
"""Maximum number of possible cards listed for each rival."""


def told_analysis(view: AnalysisView, width: int) -> Group:
    """Return the complete analysis as one page of text."""
    head = Text(f"{find_game(view.game).title.upper()}: {view.result}", style="bold")
    parts: list[RenderableType] = [head, Text(told_numbers(view), style="dim"), Text()]
    parts += told_curve(view, width, 9)
    parts += [Text("\nTURNING POINTS", style="bold"), told_turns(view)]
    parts += [Text("\nCOSTLIEST DECISIONS", style="bold"), told_decisions(view)]
    parts += [Text("\nCARDS AND PLAY", style="bold"), told_shares(view)]
    return Group(*parts)


def told_numbers(view: AnalysisView) -> str:
    """Return the number of moves, decisions and games of an analysis in a sentence."""
    return (
        f"{count_of(len(view.chances) - 1, 'move')}, {count_of(len(view.decisions), 'decision')}, each move in "
        f"question played out {view.playouts:,} times, using only what its player could know"
    )


def told_curve(view: AnalysisView, width: int, height: int, at: int | None = None) -> list[Text]:
    """Return the chart of each seat's chance over the game, with the numbers of the turning points below it."""
    moments = [turn.move + 1 for turn in view.turns]
    lines = curve(view.curves, view.names, width, height, at, view.ticks())
    return [*lines, marks_under(moments, len(view.chances), view.names, width)]


def told_turns(view: AnalysisView) -> RenderableType:
    """Return the numbered list of turning points."""
    if not view.turns:
        return Text(f"None: no move changed {'the score' if view.alone else 'a chance'} that much.")
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for number, (turn, swing) in enumerate(zip(view.turns, view.swings, strict=True), start=1):
        name = Text(view.names[turn.seat], style=STYLES[turn.seat % 8])
        grid.add_row(
            Text(str(number), style="bold"), f"move {turn.move + 1}", name, f"{swing}{view.sign}", Text(turn.text)
        )
    return grid


def told_decisions(view: AnalysisView) -> RenderableType:
    """Return the list of each seat's costliest decisions, with the better moves."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for seat, name in enumerate(view.names):
        own = [one for one in by_cost(view.decisions) if one.seat == seat and one.lost][:COSTLIEST]
        if not own:
            grid.add_row(Text(name, style=STYLES[seat % 8]), "", "", Text("no decision clearly cost anything"))
        for one in own:
            played, best = one.options[one.played], one.options[0]
            words = Text(f"{played.text}, {played.shown}{view.sign}; better: ")
            words.append(f"{best.text}, {best.shown}{view.sign}", "bold")
            grid.add_row(Text(name, style=STYLES[seat % 8]), f"move {one.move + 1}", told_cost(one), words)
    return grid


def told_cost(one: DecisionView) -> Text:
    """Return the cost of a decision, such as `−18 ±4 blunder`, or `best`."""
    if not one.lost:
        return Text(one.label)
    return Text(f"{one.lost} ±{one.margin} {one.label}", style=LOUD.get(one.label, ""))


def told_shares(view: AnalysisView) -> RenderableType:
    """Return the table of the sources of each result, in percentage points or in points of the score."""
    rivals = [] if view.alone else ["rivals’ decisions"]
    grid = Grid("", "at the deal", "cards", "own decisions", *rivals, "result", box=None)
    for column in grid.columns[1:]:
        column.justify = "right"
    for share in view.shares:
        grid.add_row(Text(view.names[share.seat], style=STYLES[share.seat % 8]), *share.cells)
    return grid


def told_decision(view: AnalysisView, one: DecisionView) -> Text:
    """Return the full description of a decision: its moves, with their chances as bars and a mark at the played move,
    and the reason for the best move."""
    words = Text().append(f"Move {one.move + 1}, {view.names[one.seat]}: ", "bold").append_text(told_cost(one))
    for number, option in enumerate(one.options):
        mark = "▸" if number == one.played else " "
        length = f"{bar(option.height, BAR):<{BAR}}"
        words.append(f"\n{mark}{option.shown:>3}{view.sign} {length} ")
        words.append(option.text, "bold" if number == one.played else "")
    return words.append("\n▸ was played.", "dim").append(f" {one.why}" if one.why else "")


def told_hands(view: AnalysisView, hands: tuple[tuple[Zone, ...], ...], catalogue: Catalogue) -> Text:
    """Return the list of all hands."""
    words = Text()
    for seat, zones in enumerate(hands):
        names = [catalogue.faces[card.face].name for zone in zones for card in zone.cards if card.face]
        words.append(f"\n{view.names[seat]} held: ", "bold").append(" · ".join(names) or "no cards")
    return words


def told_held(view: AnalysisView, rivals: tuple[Held, ...], catalogue: Catalogue) -> Text:
    """Return the list of the likeliest cards that each rival could have held, with marks at those that it did hold."""
    words = Text()
    for rival in rivals:
        words.append(f"\n{view.names[rival.seat]} could have held: ", "bold")
        shown = [one for one in rival.faces if one[0] in rival.true or one in rival.faces[:LIKELIEST]]
        for number, (face, likely) in enumerate(shown):
            true = face in rival.true
            words.append(" · " if number else "")
            words.append(
                f"{'✓ ' if true else ''}{catalogue.faces[face].name} {points(likely)} %", "bold" if true else ""
            )
    return words.append("\n✓ really held.", "dim") if rivals else words
