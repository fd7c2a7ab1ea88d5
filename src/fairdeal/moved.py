"""Names that modules had before version 0.2, for third parties that import them.

Importing one of them returns the module under its current name, with a `DeprecationWarning`. docs/compatibility.md
lists them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

KIT = "actions chance forms hidden matches piles positions seats sets snapshots"

MOVED = {
    **{f"fairdeal.engine.{name}": f"fairdeal.engine.kit.{name}" for name in KIT.split()},
    "fairdeal.engine.observations": "fairdeal.engine.observe.layout",
    "fairdeal.engine.observing": "fairdeal.engine.observe.encoding",
    "fairdeal.engine.stage": "fairdeal.engine.scene.instruments",
    "fairdeal.engine.zones": "fairdeal.engine.scene.zones",
}
"""Current name of each module that has moved, by its old name."""


class MovedModules:
    """An import finder and loader (`importlib.abc`) for the old names in `MOVED`."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """Return a spec for an old name, or None for any other name."""
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return None, so that Python creates an empty module, which `exec_module` replaces."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Replace `module` with the module under its current name, and issue a warning."""
        old = module.__name__
        new = MOVED[old]
        warnings.warn(f"{old} is now {new}; fairdeal 0.3 removes the old name", DeprecationWarning, stacklevel=2)
        sys.modules[old] = import_module(new)
