"""CHIMAX CUT: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Card, Choice, Counter, Scene, Score, Seat, Voice, Zone, count_of, legal_for
from fairdeal.games.chimax.cards import card_on_table, name_of
from fairdeal.games.chimax.cut.rules import is_in, legal_actions
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, KEEP, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.open_cards import OpenCard, cards_on_table, lowest_kept
from fairdeal.games.chimax.cut.text.prompts import AIMS, headline, prompt, result
from fairdeal.games.chimax.picture.parts import pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.state import CUT, CUTTING, DEALING, DECLARE
from fairdeal.games.chimax.text.words import shared_choices

SHOWN = 6
"""Cards that are out and drawn: the last ones; the others lie under them."""


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him. No move has several picks."""
    ended = result(state, voice)
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    table = cards_on_table(state)
    return Scene(
        skin="chimax",
        title="Chimax Cut",
        sub=f"{count_of(int(state.players), 'player')} · {AIMS[int(state.options.mode)].split('.')[0]}",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=tuple(seats(state, voice)),
        zones=tuple(zones(state, voice.viewer, table)),
        headline=headline(state, voice),
        prompt=prompt(state, voice, ended),
        choices=tuple(choices(state, legal, table)),
        score=score_pad(state, voice),
        result=ended,
    )


def facts(state: Record) -> tuple[str, ...]:
    number, rounds = int(state.match.game), int(state.match.games)
    return (f"round {number} of {rounds}" if number <= rounds else "playoff",)


def seats(state: Record, voice: Voice) -> list[Seat]:
    totals = state.match.totals.tolist()
    counters = [(Counter("points", totals[seat]),) for seat in range(int(state.players))]
    found = []
    for seat in seats_of(state, voice, counters):
        out = not is_in(state, seat.seat) and int(state.phase) in (CUTTING, DECIDING, DECIDING + 1)
        found.append(msgspec.structs.replace(seat, note="out of this round") if out else seat)
    return found


def zones(state: Record, viewer: int, table: list[OpenCard]) -> list[Zone]:
    """Kept cards before their owners; the deck, the card shown and what is out in the middle."""
    found = [kept_zone(state, seat, viewer, table) for seat in range(int(state.players)) if keeps(state)]
    found += playoff_zones(state, viewer)
    for zone in pack_zone(state):
        found.append(msgspec.structs.replace(zone, label="Deck", heed=int(state.phase) in (CUTTING, DECIDING)))
    shown = cards_in(table, "shown")
    if int(state.pack.length) or shown:
        found.append(
            Zone(
                id="shown",
                place="centre",
                layout="row",
                label="Shown",
                say="the card shown",
                count=len(shown),
                cards=shown,
                slots=1,
                size="table",
            )
        )
    out = cards_in(table, "out")
    found.append(
        Zone(
            id="out",
            place="centre",
            layout="stack",
            label="Out",
            say="out of the round",
            count=len(out),
            cards=out[-SHOWN:],
            fold=True,
        )
    )
    return found


def keeps(state: Record) -> bool:
    """CUT-06: is anything kept at this table?"""
    return int(state.options.mode) != UNTIL_INFINITY


def kept_zone(state: Record, seat: int, viewer: int, table: list[OpenCard]) -> Zone:
    """The card that a seat has kept; the lowest are marked while cards are compared."""
    lowest = int(state.phase) != DEALING and not state.over and seat in lowest_kept(state)
    cards = cards_in(table, f"kept{seat}", "lowest" if lowest else "")
    return Zone(
        id=f"kept{seat}",
        place="own" if seat == viewer else f"seat:{seat}",
        layout="row",
        say="kept card",
        count=len(cards),
        cards=cards,
        slots=1,
        size="table" if seat == viewer else "small",
    )


def cards_in(table: list[OpenCard], zone: str, mark: str = "") -> tuple[Card, ...]:
    return tuple(card_on_table(one.id, one.kind, mark=mark) for one in table if one.zone == zone)


def choices(state: Record, legal: list[int], table: list[OpenCard]) -> list[Choice]:
    """The deck is cut halfway by choosing it, anywhere by a number; the card shown is kept by choosing it."""
    found: list[Choice] = []
    if any(CUT < action < DECLARE for action in legal):
        again, half = int(state.phase) == DECIDING, int(state.pack.length) // 2
        label = "Cut again, halfway" if again else "Cut halfway"
        found.append(Choice(CUT + half, "zone", label, on="pack"))
        found.append(Choice(CUT + half, "button", label, key="" if again else "Enter", main=not again))
    if KEEP in legal:
        label = f"Keep {name_of(int(state.shown))}"
        found += [Choice(KEEP, "card", label, on=one.id) for one in table if one.zone == "shown"]
        found.append(Choice(KEEP, "button", label, key="Enter", main=True))
    return found + shared_choices([action for action in legal if action < KEEP])


def score_pad(state: Record, voice: Voice) -> Score | None:
    """CUT-08: the points, and those of the round just scored; None where there is one round."""
    if int(state.match.games) == 1:
        return None
    scored = int(state.phase) == DEALING or bool(state.over)
    totals, last = state.match.totals.tolist(), state.round_scores.tolist()
    rows = tuple(
        (voice.title(seat), *((last[seat],) if scored else ()), totals[seat]) for seat in range(int(state.players))
    )
    return Score(head=("", *(("this round",) if scored else ()), "points"), rows=rows)
