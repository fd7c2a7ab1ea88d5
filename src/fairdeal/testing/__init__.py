"""Tests that every game has to pass, whether built-in or third-party.

    from fairdeal.testing import GameTests, Hidden, Zone

    class TestGoFish(GameTests):
        game = "go-fish"
        hidden = Hidden(zones=[Zone("hands.*[]"), Zone("stock.*")])

Needs pytest and hypothesis, which the extra `testing` contains: `uv sync --inexact --extra testing` in a clone.
"""

from fairdeal.testing.hiding import Hidden, Zone
from fairdeal.testing.kit import GameTests

__all__ = ["GameTests", "Hidden", "Zone"]
