"""CHIMAX: what is known of all its games alike."""

from types import ModuleType
from typing import Any

from fairdeal.engine.game import Game
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax import bots, cards
from fairdeal.games.chimax.picture import parts
from fairdeal.games.chimax.rules.layer import clock_matters
from fairdeal.games.chimax.text import words


def limit(state: Snapshot) -> int:
    """TOUR-04: the time that what is under way may take, 0 for ever; nothing runs while the game rests."""
    return 60 * state.options.round_minutes if clock_matters(state) else 0


def chimax_game(*modules: ModuleType, **own: Any) -> Game:
    """A game of the system: what all have, then what its modules define and `own`, as in `Game.of`."""
    return Game.of(
        *(bots, cards, parts, words, *modules),
        designer=cards.DESIGNER,
        publisher=cards.PUBLISHER,
        rules_version=1,
        specification="chimax",
        look="fairdeal.games.chimax",
        events=True,
        limit=limit,
        **{"weight": "light"} | own,
    )
