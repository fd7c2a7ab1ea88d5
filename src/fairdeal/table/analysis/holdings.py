"""Estimate the cards that rivals could have held at a decision, given the knowledge of the deciding seat, and list the
cards that they actually held."""

from collections import Counter

from fairdeal.bots.search import MEMORY
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit import chance
from fairdeal.engine.scene import Scene
from fairdeal.engine.state import State
from fairdeal.table.analysis import Held
from fairdeal.table.sitting import Sitting

DEALS = 200
"""Number of deals sampled to estimate the probability of each card in a rival's hand."""

KEY = b"what they could have held"


def held(sitting: Sitting, move: int, viewer: int) -> tuple[Held, ...]:
    """Return, for each rival with hidden cards, the cards that it could have held and those that it did hold when
    `viewer` made move `move` (counted from 0). Raises FairdealError while the game runs, or if the move or the seat
    does not exist."""
    if not sitting.over:
        raise FairdealError("this game is still running; the rivals’ hands can be seen when it is over")
    if not (0 <= move < sitting.moves_made and 0 <= viewer < sitting.table.players):
        raise FairdealError(f"there is no move {move} of seat {viewer} in this game")
    state = sitting.state_at(move)
    view, source = state.view(viewer, MEMORY), chance.seeded(KEY)
    shown = state.seen_by(viewer, sitting.names).scene()
    rivals = [seat for seat in range(state.players) if seat != viewer]
    really = {seat: hidden_cards(state, seat, shown) for seat in rivals}
    counts: dict[int, Counter[str]] = {seat: Counter() for seat in rivals}
    for _ in range(DEALS if any(really.values()) else 0):
        deal = view.resample(source)
        for seat in rivals:
            counts[seat].update(set(hidden_cards(deal, seat, shown)))
    return tuple(
        Held(
            seat,
            tuple((face, number / DEALS) for face, number in sorted(counts[seat].items(), key=likeliest_first)),
            tuple(sorted(really[seat].elements())),
        )
        for seat in rivals
        if really[seat]
    )


def likeliest_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


def hidden_cards(state: State, seat: int, shown: Scene) -> Counter[str]:
    """Return the faces that a seat sees among its own cards but that are hidden from the viewer of the scene
    `shown`."""
    own = faces_at(state.seen_by(seat).scene(), ("hand", "own"))
    return own - faces_at(shown, (f"seat:{seat}",))


def faces_at(scene: Scene, places: tuple[str, ...]) -> Counter[str]:
    """Return the faces that the viewer of a scene sees in the zones at these places."""
    return Counter(
        card.face for zone in scene.zones if zone.place in places for card in zone.cards if card.face is not None
    )
