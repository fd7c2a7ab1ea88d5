"""CHIMAX FATE: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Choice, Counter, Scene, Voice, Zone, count_of, legal_for
from fairdeal.games.chimax.fate.rules import legal_actions
from fairdeal.games.chimax.fate.state import ACTIONS, FLIP, NAME, NAMING, SPIN, STOP
from fairdeal.games.chimax.fate.text.prompts import button_label, headline, points_of, prompt, result
from fairdeal.games.chimax.picture.layout import flip_choices, layout_zone, place_id
from fairdeal.games.chimax.picture.parts import cards_of, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.state import CUTTING, DEALING
from fairdeal.games.chimax.text.words import shared_choices

COLUMNS = 5
NARROW = (4, 4)
"""Columns and rows of the layout, on a wide and on a narrow screen."""


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him. Every move is a single pick."""
    return Scene(
        skin="chimax",
        title="Chimax Fate",
        sub=kind_of_table(state),
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=seats_of(state, voice, [counters(state, seat) for seat in range(int(state.players))]),
        zones=(*layout_zones(state), *pack_zone(state), *playoff_zones(state, voice.viewer), *taken(state, voice)),
        headline=headline(state),
        prompt=prompt(state, voice),
        choices=tuple(choices(state, voice.viewer)),
        result=result(state, voice),
    )


def kind_of_table(state: Record) -> str:
    players = count_of(int(state.players), "player")
    return f"{players} · {count_of(int(state.options.tries), 'look')} a spin"


def facts(state: Record) -> tuple[str, ...]:
    if int(state.phase) in (DEALING, CUTTING):
        return ()
    if int(state.players) == 1:
        return (f"spin {int(state.spins)} of {int(state.options.solo_spins)}",)
    return (count_of(int(state.spins), "spin"), f"{count_of(int(state.left).bit_count(), 'card')} left")


def counters(state: Record, seat: int) -> tuple[Counter, ...]:
    return (Counter("points", points_of(state)[seat]), Counter("cards", int(state.taken[seat].length)))


def layout_zones(state: Record) -> list[Zone]:
    """MEM-01, FATE-10: the thirteen places; a card that the wheel points at is marked."""
    if not int(state.layout.length):
        return []
    missed = {int(state.missed.place): int(state.missed.card)} if int(state.missed.card) != EMPTY else {}
    zone = layout_zone(state.layout, COLUMNS, NARROW, missed=missed)
    if int(state.phase) != NAMING:
        return [zone]
    wanted = place_id(zone.id, int(state.wheel))
    cards = tuple(msgspec.structs.replace(card, mark="this one") if card.id == wanted else card for card in zone.cards)
    return [msgspec.structs.replace(zone, cards=cards)]


def taken(state: Record, voice: Voice) -> list[Zone]:
    """FATE-07: the cards before each seat."""
    zones = []
    for seat in range(int(state.players)):
        kinds = state.taken[seat].cards.tolist()[: int(state.taken[seat].length)]
        zones.append(
            Zone(
                id=f"taken{seat}",
                place="own" if seat == voice.viewer else f"seat:{seat}",
                layout="row",
                say="cards taken",
                count=len(kinds),
                cards=cards_of(f"taken{seat}", kinds),
                size="small",
            )
        )
    return zones


def choices(state: Record, viewer: int) -> list[Choice]:
    """Cards to turn up, faces to say, and buttons."""
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    found = shared_choices(legal) + flip_choices([action for action in legal if FLIP <= action < STOP], FLIP)
    for action in legal:
        if action >= NAME:
            found.append(Choice(action, "value", button_label(action)))
        elif action in (SPIN, STOP):
            found.append(Choice(action, "button", button_label(action), key="Enter", main=action == SPIN))
    return found
