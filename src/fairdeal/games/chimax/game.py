"""CHIMAX: the settings shared by all its games."""

from types import ModuleType
from typing import Any

from fairdeal.engine.game import Game
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax import bots, cards, record
from fairdeal.games.chimax.picture import parts
from fairdeal.games.chimax.rules.layer import clock_matters
from fairdeal.games.chimax.text import words


def limit(state: Snapshot) -> int:
    """Return the time limit of the current round in seconds (TOUR-04), or 0 if there is no limit, as between rounds."""
    return 60 * state.options.round_minutes if clock_matters(state) else 0


def chimax_game(*modules: ModuleType, **own: Any) -> Game:
    """Return a CHIMAX game. The shared settings are extended and overridden by those that `modules` and `own` define,
    as in `Game.of`."""
    return Game.of(
        *(bots, cards, record, parts, words, *modules),
        designer=cards.DESIGNER,
        publisher=cards.PUBLISHER,
        rules_version=1,
        specification="chimax",
        look="fairdeal.games.chimax",
        events=True,
        limit=limit,
        **{"weight": "light"} | own,
    )
