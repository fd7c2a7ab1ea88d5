"""An analysis as one page of HTML that needs nothing else: no network, no script, light and dark, to be printed too."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from fairdeal.engine.registry import find_game
from fairdeal.table.analysis import Analysis, Decision, Option, Share
from fairdeal.table.pages import folded, joined, quiet, rows, section, whole_page, wide

WIDTH, HEIGHT, RIGHT = 900, 240, 130
"""The drawing of the curve, and the room for names beside it."""

LONGEST_NAME = 13
"""Letters of a name that have room there."""

DASHES = ("", "9 4", "2 4", "12 3 2 3", "5 5", "1 6", "16 4", "7 3 1 3")
"""How the lines of the seats are told apart without colours."""

LIKE_DASHES = ("solid", "dashed", "dotted", "dash-dotted", "evenly dashed", "widely dotted", "long-dashed", "mixed")
APART = 17
"""Between the names of two lines."""


def page_of(found: Analysis) -> Markup:
    """The whole page."""
    title = find_game(found.game).title
    parts = (
        Markup("<header><p class='over'>{} · analysis</p><h1>{}</h1><p>{}</p></header>").format(
            title,
            found.result or title,
            f"{', '.join(found.seats)}. {len(found.chances) - 1} moves, {len(found.decisions)} decisions; every move "
            f"in question was played out {found.playouts:,} times, by what its player could know.",
        ),
        section("Score" if found.alone else "Chances", drawing(found) + quiet(found.meaning) + turns(found)),
        section("Luck and play", shares(found)),
        *(section(f"{name} decided", decisions(found, seat)) for seat, name in enumerate(found.seats)),
        section("Move by move", chances(found)),
    )
    return whole_page(f"{title}: {found.result}", ("fairdeal.table:analysis.css",), parts)


# --- the curve --------------------------------------------------------------------------------------------------


def drawing(found: Analysis) -> Markup:
    """The curve of all seats, with rounds and turning points."""
    low, high = found.span
    parts = [
        Markup(
            "<line class='grid' x1='0' x2='{}' y1='{y}' y2='{y}'/><text class='level' x='-8' y='{}'>{}</text>"
        ).format(WIDTH, y(level) + 4, found.points(low + level * (high - low)), y=y(level))
        for level in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts += [
        Markup("<line class='round' x1='{x}' x2='{x}' y1='0' y2='{}'/>").format(HEIGHT, x=x(number, found))
        for number in found.rounds
        if number < len(found.chances) - 1
    ]
    heights = found.heights()
    places = name_places(heights[-1])
    for seat, name in enumerate(found.seats):
        line = " ".join(f"{x(move, found)},{y(row[seat])}" for move, row in enumerate(heights))
        parts.append(
            Markup(
                "<polyline class='line seat{seat}' stroke-dasharray='{}' points='{}'/>"
                "<text class='name seat{seat}' x='{}' y='{}'>{}</text>"
            ).format(DASHES[seat % 8], line, WIDTH + 8, places[seat], shortened(name), seat=seat % 8)
        )
    for number, turn in enumerate(found.turns, start=1):
        parts.append(
            Markup("<g class='turn' transform='translate({} {})'><circle r='11'/><text y='4'>{}</text></g>").format(
                x(turn.move + 1, found), y(found.height(turn.after)), number
            )
        )
    box = f"-48 -14 {WIDTH + RIGHT + 48} {HEIGHT + 28}"
    picture = Markup("<svg role='img' aria-label='{}' viewBox='{}'>{}</svg>")
    return wide(picture.format(summary(found), box, joined(parts)))


def summary(found: Analysis) -> str:
    """The curve in words, for who cannot see it."""
    ways = (
        f"{name} ({LIKE_DASHES[seat % 8]}) from {found.points(found.chances[0][seat])} to "
        f"{found.points(found.chances[-1][seat])}{'' if found.alone else ' percent'}"
        for seat, name in enumerate(found.seats)
    )
    return (
        f"{'The expected score' if found.alone else 'Chances to win'} over {len(found.chances) - 1} moves: "
        f"{'; '.join(ways)}. All numbers stand in the last table."
    )


def x(move: int, found: Analysis) -> float:
    return round(move * WIDTH / max(1, len(found.chances) - 1), 1)


def y(height: float) -> float:
    return round((1 - height) * HEIGHT, 1)


def name_places(last: Sequence[float]) -> list[float]:
    """How high the names stand: where the lines end, but not on one another."""
    found, before = [0.0] * len(last), -float(APART)
    for seat in sorted(range(len(last)), key=lambda seat: (-last[seat], seat)):
        before = found[seat] = max(before + APART, y(last[seat]) + 5)
    over = max(0.0, before - HEIGHT - 5)
    return [place - over if place > HEIGHT - APART * len(last) else place for place in found]


def shortened(name: str) -> str:
    """A name that has room beside the curve."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…"


def turns(found: Analysis) -> Markup:
    """The turning points, numbered as in the curve."""
    if not found.turns:
        return Markup("<p>There was no turning point.</p>")
    told = (
        Markup("<li><span>Move {}: {}</span> <b>{} {} → {}</b></li>").format(
            turn.move + 1, turn.text, found.seats[turn.seat], found.points(turn.before), found.points(turn.after)
        )
        for turn in found.turns
    )
    return Markup("<ol class='turns'>{}</ol>").format(joined(told))


# --- tables -----------------------------------------------------------------------------------------------------


def shares(found: Analysis) -> Markup:
    """Where everybody's result came from."""
    rivals = [] if found.alone else ["Rivals’ decisions"]
    head = "Player", "At the deal", "Luck", "Own decisions", *rivals, "Result"
    widest = max((abs(part) for one in found.shares for part in (one.luck, one.play, one.gifts)), default=0) or 1
    body = [share_row(found, one, widest) for one in found.shares]
    note = (
        "A row adds up to its result. Luck is the deal and the draws; own decisions cost what the best move would have "
        f"kept{'' if found.alone else ', and rivals’ decisions gave what theirs cost them'}."
    )
    return rows(head, body) + quiet(note)


def share_row(found: Analysis, one: Share, widest: float) -> list[str]:
    def cell(part: float) -> Markup:
        side = "minus" if part < 0 else "plus"
        bar = Markup("{}<i class='bar {}' style='--w:{:.3f}'></i>")
        return bar.format(found.signed(part), side, abs(part) / widest)

    parts = [one.luck, one.play, *([] if found.alone else [one.gifts])]
    return [found.seats[one.seat], found.points(one.start), *map(cell, parts), found.points(one.result)]


def decisions(found: Analysis, seat: int) -> Markup:
    """All decisions of a seat, in order of play."""
    own = [one for one in found.decisions if one.seat == seat]
    if not own:
        return Markup("<p>Nothing: there was never more than one move.</p>")
    return rows(("Move", "Cost", "Played", "Best"), [decision_row(found, one) for one in own], "decisions")


def decision_row(found: Analysis, one: Decision) -> list[str]:
    played, best = one.options[one.played], one.options[0]
    lost = Markup("−{} <small>±{}</small> {}").format(found.points(one.cost), found.points(one.error), one.label)
    better = Markup() if one.played == 0 else told_option(found, best)
    if one.why and (one.cost or one.played == 0):
        better += Markup("<p class='why'>{}</p>").format(one.why)
    return [
        str(one.move + 1),
        Markup("<span class='{}'>{}</span>").format(one.label, lost if one.cost else one.label),
        told_option(found, played),
        better,
    ]


def told_option(found: Analysis, option: Option) -> Markup:
    """A move with its chance."""
    chance = f"{found.points(option.chance)} ±{found.points(option.error)}{found.sign}"
    return Markup("{} <small>{}</small>").format(option.text, chance)


def chances(found: Analysis) -> Markup:
    """The numbers of the curve."""
    body = [[str(move), *map(found.points, row)] for move, row in enumerate(found.chances)]
    return folded(f"{len(body)} rows", rows(("After move", *found.seats), body))
