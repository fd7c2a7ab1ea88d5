"""CHIMAX: what is known of all its games alike."""

from __future__ import annotations

from dataclasses import fields
from types import ModuleType
from typing import Any

from fairdeal.engine.game import Game
from fairdeal.games.chimax.cards import DESIGNER, PUBLISHER, SKIN, faces
from fairdeal.games.chimax.layer import seconds_a_round
from fairdeal.games.chimax.parts import pick


def chimax_game(*modules: ModuleType, **own: Any) -> Game:
    """A game of the system: what all have; then what its `modules` define under the names of fields of `Game`, such as
    `read_move` or `scene`; then `own`, the rest of the fields."""
    return Game(**COMMON | functions_of(modules) | own)


def functions_of(modules: tuple[ModuleType, ...]) -> dict[str, Any]:
    """The fields of `Game` that are functions defined in these modules, not those that they import."""
    return {
        field.name: vars(module)[field.name]
        for module in modules
        for field in fields(Game)
        if getattr(vars(module).get(field.name), "__module__", "") == module.__name__
    }


COMMON: dict[str, Any] = {
    "designer": DESIGNER,
    "publisher": PUBLISHER,
    "weight": "light",
    "rules_version": 1,
    "specification": "chimax",
    "faces": faces,
    "skin": SKIN,
    "look": "fairdeal.games.chimax",
    "pick": pick,
    "events": True,
    "limit": seconds_a_round,
    "unseen": "x",
}
