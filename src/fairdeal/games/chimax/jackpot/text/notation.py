"""CHIMAX JACKPOT: the notation of moves."""

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.jackpot.state import ACTIONS
from fairdeal.games.chimax.text.words import unreadable

LINE_NAMES = ("across", "left", "middle", "right")

TEXTS = Texts(
    ACTIONS,
    deal="deal",
    cut="cut {}",
    declare=None,  # values of Books and playoffs, which a game for one does not have
    playoff_card="slot 1",
    clock="clock",
    flip="flip",
    hold="hold",
    claim=("claim {}", LINE_NAMES),
    done="done",
    stand_for=("declare {}", FACE_CODES),
)
KNOWN = "`flip`, `hold`, `declare inf`, `claim across`, `claim left`, `done`, `deal` or `cut 20`"


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for text that is not an action."""
    return unreadable(TEXTS, text, KNOWN)
