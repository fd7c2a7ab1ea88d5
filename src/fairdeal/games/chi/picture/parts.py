"""Parts of the scene that CHI and Chaos Ninjas share: the row, the deck, the discard pile and the attack."""

import functools
from typing import Any

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Card, Voice, Zone
from fairdeal.engine.scene.instruments import Attack
from fairdeal.engine.scene.zones import CACHED, CardIds, heap_zone, stack_zone, zone
from fairdeal.games.chi.state import ROW

DUEL_ZONE = "duel"
"""Id of the zone that holds the cards of an attack until it is decided."""


@functools.lru_cache(CACHED)
def row_zone(row: tuple[int, ...], ids: CardIds, fold: bool = False) -> Zone:
    """Return the zone of the row, in which every place has an id. With `fold`, small screens may hide the row while no
    card can be taken from it."""
    cards = [ids.card(card, f"row.{place}") for place, card in enumerate(row) if card != EMPTY]
    return zone("row", "centre", "row", cards, label="The row", slots=ROW, size="table", fold=fold)


@functools.lru_cache(CACHED)
def attack_zone(cards: tuple[Card, ...], label: str) -> Zone:
    """Return the zone of the current attack, between the players. Without an attack, the zone is empty but takes up
    space."""
    return zone(
        DUEL_ZONE,
        "centre",
        "lap",
        cards,
        label=label if cards else "",
        say="attack",
        heed=bool(cards),
        size="small",
        cell="band",
    )


def attack_on(voice: Voice, attacker: int, defender: int, what: str, **more: Any) -> Attack:
    """Return the attack of a seat on another seat's card. `more` holds other fields of `Attack`."""
    title = f"{voice.does(attacker, 'attack')} {voice.of(defender)} {what}"
    return Attack(attacker, defender, (DUEL_ZONE,), title, **more)


def may_block(voice: Voice, duel: Snapshot, card: str) -> str:
    """Return the sentence that names the seat that may block, such as `You may block with a Chi` or `Bo may block that
    Chi`."""
    return f"{voice.does(duel.answering, 'may', 'may')} block {f'that {card}' if duel.counters else f'with a {card}'}"


@functools.lru_cache(CACHED)
def discard_zone(counts: tuple[int, ...], ids: CardIds) -> Zone:
    """Return the zone of the discard pile, whose cards are all visible and in no particular order."""
    return heap_zone("discard", "Discard", ids.pile(counts, "discard"), cell="right", fold=True)


@functools.cache
def deck_zone(size: int) -> Zone:
    return stack_zone("deck", "Deck", size, size="table", cell="left", fold=True)
