"""A module laid over another one replaces what has the same name, and brings its own imports."""

from fairdeal.cli.merging import merged

UNDER = '''"""Under."""

import re
from collections.abc import Sequence

from fairdeal.engine.records import Record, rule

from .rules import ACTIONS

MOST = 3
"""Cards."""

# a comment


@rule
def deal(state: Record) -> None:
    """Deal."""


def names(found: Sequence[str]) -> str:
    return re.sub(" ", "", found[0]) + str(ACTIONS)


def gone() -> None:
    pass
'''

OVER = '''"""Over."""

import numpy as np

from fairdeal.engine.records import EMPTY
from fairdeal.skeleton.my_game.rules import ACTIONS, CARDS
from fairdeal.skeleton.my_game.words import deal

# without: gone

MOST = np.array([CARDS])
"""More cards."""


def names(found: object) -> object:
    return deal(EMPTY)


def added() -> int:
    return len(ACTIONS)
'''

WANTED = '''"""Over."""

import numpy as np

from fairdeal.engine.records import EMPTY, Record, rule

from .rules import ACTIONS, CARDS

MOST = np.array([CARDS])
"""More cards."""

# a comment


@rule
def deal(state: Record) -> None:
    """Deal."""


def names(found: object) -> object:
    return deal(EMPTY)


def added() -> int:
    return len(ACTIONS)
'''


def test_a_module_is_laid_over_another_one():
    assert merged(UNDER, OVER, "words") == WANTED
