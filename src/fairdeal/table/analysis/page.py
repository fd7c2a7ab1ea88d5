"""An analysis as a self-contained HTML page: it needs no network or script, adapts to light and dark mode, and can be
printed."""

from collections.abc import Sequence

from markupsafe import Markup

from fairdeal.engine.registry import find_game
from fairdeal.table.analysis import Analysis
from fairdeal.table.analysis.html import folded, joined, quiet, rows, section, whole_page, wide
from fairdeal.table.analysis.view import DASHES, REST, AnalysisView, DecisionView, OptionView, ShareView, apart, view_of

WIDTH, HEIGHT, RIGHT = 900, 240, 130
"""Size of the drawing of the curve, and width of the names beside it, in SVG units."""

LONGEST_NAME = 13
"""Maximum length of a name beside the curve, in characters."""

APART = 17
"""Minimum distance between the names of two lines, in SVG units."""


def page_of(found: Analysis) -> Markup:
    """Return the complete page."""
    title, view = find_game(found.game).title, view_of(found)
    parts = (
        Markup("<header><p class='over'>{} · analysis</p><h1>{}</h1><p>{}</p></header>").format(
            title,
            found.result or title,
            f"{', '.join(found.seats)}. {len(found.chances) - 1} moves, {len(found.decisions)} decisions; every move "
            f"in question was played out {found.playouts:,} times, using only what its player could know.",
        ),
        section("Score" if found.alone else "Chances", drawing(view) + quiet(found.meaning) + turns(view)),
        section("Cards and play", shares(view)),
        *(section(f"{name} decided", decisions(view, seat)) for seat, name in enumerate(found.seats)),
        section("Move by move", chances(view)),
    )
    return whole_page(f"{title}: {found.result}", ("fairdeal.table:analysis.css",), parts)


# --- the curve --------------------------------------------------------------------------------------------------


def drawing(view: AnalysisView) -> Markup:
    """Draw the curves of all seats, with rounds and turning points."""
    parts = [
        Markup(
            "<line class='grid' x1='0' x2='{}' y1='{y}' y2='{y}'/><text class='level' x='-8' y='{}'>{}</text>"
        ).format(WIDTH, y(quarter / 4) + 4, level, y=y(quarter / 4))
        for quarter, level in enumerate(view.levels)
    ]
    parts += [
        Markup("<line class='round' x1='{x}' x2='{x}' y1='0' y2='{}'/>").format(HEIGHT, x=x(number, view))
        for number in view.rounds
        if number < len(view.rows) - 1
    ]
    places = name_places(view.curves[-1])
    for seat, name in enumerate(view.names):
        line = " ".join(f"{x(move, view)},{y(row[seat])}" for move, row in enumerate(view.curves))
        parts.append(
            Markup(
                "<polyline class='line seat{seat}' stroke-dasharray='{}' points='{}'/>"
                "<text class='name seat{seat}' x='{}' y='{}'>{}</text>"
            ).format(view.dashes[seat], line, WIDTH + 8, places[seat], shortened(name), seat=seat % 8)
        )
    for number, turn in enumerate(view.turns, start=1):
        parts.append(
            Markup("<g class='turn' transform='translate({} {})'><circle r='11'/><text y='4'>{}</text></g>").format(
                x(turn.move + 1, view), y(view.curves[turn.move + 1][turn.seat]), number
            )
        )
    box = f"-48 -14 {WIDTH + RIGHT + 48} {HEIGHT + 28}"
    picture = Markup("<svg role='img' aria-label='{}' viewBox='{}'>{}</svg>")
    return wide(picture.format(summary(view), box, joined(parts)))


def summary(view: AnalysisView) -> str:
    """Return a description of the curves in words, for readers who cannot see them."""
    percent = "" if view.alone else " percent"
    ways = (
        f"{name} ({[*DASHES][seat % 8]}) from {view.rows[0][seat]} to {view.rows[-1][seat]}{percent}"
        for seat, name in enumerate(view.names)
    )
    return (
        f"{'The expected score' if view.alone else 'Chances of winning'} over {len(view.rows) - 1} moves: "
        f"{'; '.join(ways)}. All numbers are in the last table."
    )


def x(move: int, view: AnalysisView) -> float:
    return round(move * WIDTH / max(1, len(view.rows) - 1), 1)


def y(height: float) -> float:
    return round((1 - height) * HEIGHT, 1)


def name_places(last: Sequence[float]) -> list[float]:
    """Return the vertical positions of the names: at the ends of the lines, moved apart where they would overlap."""
    return apart([y(height) + 5 for height in last], APART, HEIGHT + 5)


def shortened(name: str) -> str:
    """Return a name, shortened to fit beside the curve."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def turns(view: AnalysisView) -> Markup:
    """Return the list of turning points, numbered as in the curve."""
    if not view.turns:
        return Markup("<p>There was no turning point.</p>")
    told = (
        Markup("<li><span>Move {}: {}</span> <b>{} {}</b></li>").format(
            turn.move + 1, turn.text, view.names[turn.seat], swing
        )
        for turn, swing in zip(view.turns, view.swings, strict=True)
    )
    return Markup("<ol class='turns'>{}</ol>").format(joined(told))


# --- tables -----------------------------------------------------------------------------------------------------


def shares(view: AnalysisView) -> Markup:
    """Return the table of the sources of each player's result."""
    rivals = [] if view.alone else ["Rivals’ decisions"]
    head = "Player", "At the deal", "Cards", "Own decisions", *rivals, "Result"
    note = (
        "A row adds up to its result. Cards are the rest, such as the deal and the draws. Own decisions "
        f"cost what the best move would have kept"
        f"{'' if view.alone else ', and rivals’ decisions gave what theirs cost them'}."
    )
    return rows(head, [[view.names[one.seat], *share_cells(one)] for one in view.shares]) + quiet(note)


def share_cells(one: ShareView) -> list[str]:
    start, *parts, result = one.cells
    bar = Markup("{}<i class='bar {}' style='--w:{:.3f}'></i>")
    bars = (
        bar.format(part, "minus" if width < 0 else "plus", abs(width))
        for part, width in zip(parts, one.bars, strict=True)
    )
    return [start, *bars, result]


def decisions(view: AnalysisView, seat: int) -> Markup:
    """Return the table of all decisions of a seat, in order of play."""
    own = [decision_row(view, one) for one in view.decisions if one.seat == seat]
    if not own:
        return Markup("<p>Nothing: there was never more than one move.</p>")
    return rows(("Move", "Cost", "Played", "Best"), own, "decisions")


def decision_row(view: AnalysisView, one: DecisionView) -> list[str]:
    lost = Markup("{} <small>±{}</small> {}").format(one.lost, one.margin, one.label)
    better = Markup() if one.played == 0 else told_option(view, one.options[0])
    if one.why and (one.lost or one.played == 0):
        better += Markup("<p class='why'>{}</p>").format(one.why)
    return [
        str(one.move + 1),
        Markup("<span class='{}'>{}</span>").format(one.label, lost if one.lost else one.label),
        told_option(view, one.options[one.played]),
        better,
    ]


def told_option(view: AnalysisView, option: OptionView) -> Markup:
    """Return a move with its chance."""
    return Markup("{} <small>{} ±{}{}</small>").format(option.text, option.shown, option.margin, view.sign)


def chances(view: AnalysisView) -> Markup:
    """Return the table of the numbers of the curve."""
    rests = [[rest] if any(view.rests) else [] for rest in view.rests]
    body = [[str(move), *row, *rests[move]] for move, row in enumerate(view.rows)]
    more = [REST] if any(view.rests) else []
    head = "After move", *view.names, *("rest" for _ in more)
    return folded(f"{len(body)} rows", rows(head, body) + joined(map(quiet, more)))
