"""CHIMAX MATCH: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Choice, Counter, Headline, Scene, Score, Voice, Zone, count_of, legal_for
from fairdeal.games.chimax.cards import card_on_table
from fairdeal.games.chimax.match.rules import legal_actions, worth
from fairdeal.games.chimax.match.state import ACTIONS, FLIP, FLIPPING, MIXED, PAIR
from fairdeal.games.chimax.match.text.prompts import prompt, result, scores, set_name
from fairdeal.games.chimax.picture.layout import flip_choices, layout_zone
from fairdeal.games.chimax.picture.parts import pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.text.words import shared_choices

COLUMNS = {2: (7, (4, 7)), 3: (13, (5, 8))}
"""M2-03, M3-01: columns of a layout, and columns and rows on a narrow screen."""

NEWS_FADES = 6
"""From so many turns without news on, a table is told how many there were."""


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table for a viewer; every move is one pick."""
    players = int(state.players)
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    target = int(state.options.target)
    return Scene(
        skin="chimax",
        title="Match-2" if int(state.alike) == PAIR else "Match-3",
        sub=f"Chimax · {count_of(players, 'player')}" + (f" · to {target} points" if target > 0 else ""),
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=seats_of(state, voice, [counters(state, seat) for seat in range(players)]),
        zones=(
            shown_layout(state),
            *(taken_zone(state, seat, voice.viewer) for seat in range(players)),
            *pack_zone(state),
            *playoff_zones(state, voice.viewer),
        ),
        headline=headline(state),
        prompt=prompt(state, voice),
        choices=tuple(choices_of(state, legal)),
        score=score_pad(state, voice),
        result=result(state, voice),
    )


def facts(state: Record) -> tuple[str, ...]:
    """The turn, the layout of several, and how long nothing new was seen."""
    told = [f"turn {int(state.turns) + (not state.over)}"]
    if int(state.options.target) > 0:
        told.append(f"layout {int(state.match.game)}")
    if int(state.layout.dead) >= NEWS_FADES and not state.over:
        told.append(f"{int(state.layout.dead)} turns without news")
    return tuple(told)


def counters(state: Record, seat: int) -> tuple[Counter, ...]:
    """Sets and points of a seat; alone, turns are what counts."""
    sets = Counter(f"{set_name(state)}s", int(state.taken[seat].length) // int(state.alike))
    if int(state.players) == 1:
        return sets, Counter("turns", int(state.turns))
    return sets, Counter("points", int(state.match.totals[seat]))


def shown_layout(state: Record) -> Zone:
    """M2-03, M3-01: the layout, and the cards of the last miss in it."""
    columns, narrow = COLUMNS[int(state.alike)]
    count = int(state.missed.length)
    missed = zip(state.missed.places.tolist()[:count], state.missed.faces.tolist()[:count], strict=True)
    return layout_zone(state.layout, columns, narrow, missed=dict(missed))


def taken_zone(state: Record, seat: int, viewer: int) -> Zone:
    """M2-06: what a seat has taken, face up, set by set with its points."""
    alike, name = int(state.alike), f"taken{seat}"
    kinds = state.taken[seat].cards.tolist()[: int(state.taken[seat].length)]
    cards = []
    for number, kind in enumerate(kinds):
        group, last = number // alike, number % alike == alike - 1
        mark = points_of(state, kinds[number - alike + 1 : number + 1]) if last else ""
        cards.append(card_on_table(f"{name}.{number}", kind, group=group, mark=mark))
    return Zone(
        id=name,
        place="own" if seat == viewer else f"seat:{seat}",
        layout="groups",
        label="",
        say=f"{set_name(state)}s",
        count=len(kinds) // alike,
        cards=tuple(cards),
        size="small",
    )


def points_of(state: Record, kinds: list[int]) -> str:
    """`+3`, `−1`, `0`: the points of a set."""
    points = int(worth(state, kinds[0])) if len(set(kinds)) == 1 else MIXED
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def headline(state: Record) -> Headline | None:
    """M2-11: the points that end it."""
    target = int(state.options.target)
    return Headline("target", str(target), "points end it, once a layout is done") if target > 0 else None


def score_pad(state: Record, voice: Voice) -> Score | None:
    """M2-11: the points of this layout and of all."""
    if int(state.options.target) < 0:
        return None
    alike = int(state.alike)
    rows: list[tuple[int | str, ...]] = []
    for seat, points in enumerate(scores(state)):
        kinds = state.taken[seat].cards.tolist()[: int(state.taken[seat].length)]
        sets = [kinds[start : start + alike] for start in range(0, len(kinds) - alike + 1, alike)]
        here = sum(int(worth(state, one[0])) if len(set(one)) == 1 else MIXED for one in sets)
        rows.append((voice.title(seat), here, points))
    return Score(head=("", f"layout {int(state.match.game)}", "in all"), rows=tuple(rows))


def choices_of(state: Record, legal: list[int]) -> list[Choice]:
    """Cards to turn, or what the tournament layer asks for."""
    return flip_choices(legal, FLIP) if int(state.phase) == FLIPPING else shared_choices(legal)
