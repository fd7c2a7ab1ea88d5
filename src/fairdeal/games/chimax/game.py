"""CHIMAX: what is known of all its games alike."""

from __future__ import annotations

from typing import Any

from fairdeal.engine.game import Game
from fairdeal.games.chimax.cards import DESIGNER, PUBLISHER, SKIN, faces
from fairdeal.games.chimax.tournament import seconds_a_round


def chimax_game(**own: Any) -> Game:
    """A game of the system; `own` are the fields of `Game` that are its own."""
    return Game(
        designer=DESIGNER,
        publisher=PUBLISHER,
        weight="light",
        rules_version=1,
        specification="chimax",
        faces=faces,
        skin=SKIN,
        look="fairdeal.games.chimax",
        events=True,
        limit=seconds_a_round,
        unseen="x",
        **own,
    )
