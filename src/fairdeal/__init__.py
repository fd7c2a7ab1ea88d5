"""fairdeal: published card games as exact rules, to play, simulate and study.

The public names are loaded on first use, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairdeal.engine.errors import (
        BadLog,
        BadOption,
        BadPosition,
        FairdealError,
        IllegalMove,
        UnknownGame,
    )
    from fairdeal.engine.records import SPECTATOR
    from fairdeal.engine.registry import find_game, game_names
    from fairdeal.engine.state import State, Table, load

_HOMES = {
    "BadLog": "errors",
    "BadOption": "errors",
    "BadPosition": "errors",
    "FairdealError": "errors",
    "IllegalMove": "errors",
    "UnknownGame": "errors",
    "SPECTATOR": "records",
    "find_game": "registry",
    "game_names": "registry",
    "State": "state",
    "Table": "state",
    "load": "state",
}

__all__ = [
    "SPECTATOR",
    "BadLog",
    "BadOption",
    "BadPosition",
    "FairdealError",
    "IllegalMove",
    "State",
    "Table",
    "UnknownGame",
    "find_game",
    "game_names",
    "load",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'fairdeal' has no attribute {name!r}")
    return getattr(import_module(f"fairdeal.engine.{_HOMES[name]}"), name)
