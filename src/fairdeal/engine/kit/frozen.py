"""The base class of structs that cannot be changed."""

from typing import Any, Self, dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Frozen(msgspec.Struct, frozen=True):
    """A struct that cannot be changed. Its subclasses are frozen too, both at run time and for type checkers.

    >>> class Point(Frozen):
    ...     x: int
    >>> Point(1).replaced(x=2)
    Point(x=2)
    """

    def replaced(self, **changes: Any) -> Self:
        """Return a copy with other values for some fields."""
        return msgspec.structs.replace(self, **changes)
