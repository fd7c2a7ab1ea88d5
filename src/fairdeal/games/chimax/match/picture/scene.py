"""CHIMAX MATCH: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Counter, Headline, Scene, Score, Voice, Zone, count_of, counted, legal_for
from fairdeal.engine.scene.points import minus
from fairdeal.engine.scene.zones import area_zone
from fairdeal.games.chimax.cards import card_on_table
from fairdeal.games.chimax.match.rules import legal_actions, worth
from fairdeal.games.chimax.match.state import ACTIONS, FLIP, FLIPPING, MIXED, PAIR, TRIPLET
from fairdeal.games.chimax.match.text.prompts import prompt, result, scores, set_name
from fairdeal.games.chimax.picture.layout import flip_choices, layout_zone
from fairdeal.games.chimax.picture.parts import fan, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.text.words import shared_choices

COLUMNS = {PAIR: (7, (4, 7)), TRIPLET: (13, (5, 8))}
"""M2-03, M3-01: number of columns of a layout, and number of columns and rows on a narrow screen."""

NEWS_FADES = 6
"""Minimum number of consecutive dead turns that is shown on the table."""


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. Every move is a single pick."""
    seats, target, missed = range(state.players), state.options.target, state.missed
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    columns, narrow = COLUMNS[state.alike]
    faces = dict(list(zip(missed.places, missed.faces, strict=True))[: missed.length])
    return Scene(
        skin="chimax",
        title="Match-2" if state.alike == PAIR else "Match-3",
        sub=f"Chimax · {count_of(state.players, 'player')}"
        + (f" · to {count_of(target, 'point')}" if target > 0 else ""),
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        tray="none",
        facts=facts(state),
        seats=seats_of(state, voice, [counters(state, seat) for seat in seats]),
        zones=(
            layout_zone(state.layout, columns, narrow, missed=faces),
            *(taken_zone(state, seat, voice.viewer) for seat in seats),
            *pack_zone(state),
            *playoff_zones(state, voice.viewer),
        ),
        headline=Headline("target", str(target), "points end it, once a layout is done") if target > 0 else None,
        stage=fan(state, legal),
        prompt=prompt(state, voice),
        choices=tuple(flip_choices(legal, FLIP) if state.phase == FLIPPING else shared_choices(legal)),
        score=score_pad(state, voice) if target > 0 else None,
        result=result(state, voice),
    )


def facts(state: Snapshot) -> tuple[str, ...]:
    """Return the facts of the scene: the number of the turn, the number of the layout if there are several, and the
    number of dead turns."""
    told = [f"turn {state.turns + (not state.over)}"]
    if state.options.target > 0:
        told.append(f"layout {state.match.game}")
    if state.layout.dead >= NEWS_FADES and not state.over:
        told.append(f"{count_of(state.layout.dead, 'turn')} without a new card")
    return tuple(told)


def counters(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    """Return the counters of a seat: its sets and points, or the number of turns of a single player."""
    sets = counted(state.taken[seat].length // state.alike, set_name(state))
    alone = state.players == 1
    return sets, counted(state.turns, "turn") if alone else counted(state.match.totals[seat], "point", icon="trophy")


def sets_of(state: Snapshot, seat: int) -> list[tuple[list[int], int]]:
    """Return the sets taken by a seat, each with its points."""
    kinds, alike = state.taken[seat].held, state.alike
    sets = [kinds[start : start + alike] for start in range(0, len(kinds), alike)]
    return [(one, worth(state, one[0]) if len(set(one)) == 1 else MIXED) for one in sets]


def taken_zone(state: Snapshot, seat: int, viewer: int) -> Zone:
    """Return the zone of the sets taken by a seat, face up, each with its points (M2-06)."""
    id, cards = f"taken{seat}", list[Card]()
    for group, (kinds, points) in enumerate(sets_of(state, seat)):
        mark = f"+{points}" if points > 0 else minus(points)
        for number, kind in enumerate(kinds, 1):
            last = number == state.alike
            cards.append(card_on_table(f"{id}.{len(cards)}", kind, group=group, mark=mark if last else ""))
    count = len(cards) // state.alike
    return area_zone(id, seat, viewer, "groups", cards, say=f"{set_name(state)}s", count=count, size="small")


def score_pad(state: Snapshot, voice: Voice) -> Score:
    """Return the score pad: the points of this layout and the totals (M2-11)."""
    rows = tuple(
        (voice.title(seat), sum(points for kinds, points in sets_of(state, seat) if len(kinds) == state.alike), total)
        for seat, total in enumerate(scores(state))
    )
    return Score(head=("", f"layout {state.match.game}", "in all"), rows=rows)
