"""CHIMAX: what is known of all its games alike."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from fairdeal.engine.game import Game
from fairdeal.games.chimax import cards, layer, parts


def chimax_game(*modules: ModuleType, **own: Any) -> Game:
    """A game of the system: what all have, then what its modules define and `own`, as in `Game.of`."""
    return Game.of(
        *(cards, layer, parts, *modules),
        designer=cards.DESIGNER,
        publisher=cards.PUBLISHER,
        weight="light",
        rules_version=1,
        specification="chimax",
        skin=cards.SKIN,
        look="fairdeal.games.chimax",
        events=True,
        **own,
    )
