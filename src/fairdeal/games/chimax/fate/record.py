"""CHIMAX FATE: the record of a game, its JSON form and what observations show (docs/rules/chimax.md, section 6)."""

from typing import Any, ClassVar

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import flags, number, one_of, placed
from fairdeal.engine.kit.positions import CardCounter, in_range
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import EMPTY, UNKNOWN, i1, i2, record
from fairdeal.engine.scene import count_of
from fairdeal.engine.written import Condition, Field, Number, Numbers, OfCards, Part, Piles, Position
from fairdeal.games.chimax import record as chimax
from fairdeal.games.chimax.cards import FACE_CODES, code_of
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate.options import FateOptions
from fairdeal.games.chimax.fate.rules import downs, forget_miss, must_turn_unseen
from fairdeal.games.chimax.fate.state import AT_REST, BY_FACE, CHOOSING, FLIPPING, NAMING, OWN_PHASES, PLACES, SPINNING
from fairdeal.games.chimax.rules.layout import unseen_left
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, OWN_PHASE, PLAYOFF, SEATS

MOST_TURNS, MOST_SPINS = 20_000, 100_000
"""Maximum values of the counts in a position, which are far above those of real games."""


class Wheel(Field):
    """FATE-05: the face that the wheel calls for, or the place that it points at, or AT_REST before a spin."""

    kind: ClassVar[Any] = str | int | None

    def write(self, state: Snapshot) -> dict[str, Any]:
        if state.wheel == AT_REST:
            return {"wheel": None}
        return {"wheel": FACE_CODES[state.wheel] if state.options.wheel == BY_FACE else state.wheel + 1}

    def read(self, given: Any, state: Fields, counter: Any) -> None:
        state.wheel = AT_REST
        if given.wheel is not None and state.options.wheel == BY_FACE:
            state.wheel = counter.face("wheel", given.wheel)
        elif isinstance(given.wheel, int):
            state.wheel = in_range("wheel", given.wheel, 1, PLACES) - 1
        elif given.wheel:
            raise BadPosition("wheel", given.wheel, f"give a number from 1 to {PLACES}")


class Left(OfCards):
    """FATE-02: the faces left in the layout, as a set. A position lists those that are `out` of the game, as in a short
    layout; each other face is in the layout or taken."""

    kind: ClassVar[Any] = list[str] | None

    def in_json(self, state: Snapshot) -> Any:
        taken = [face for pile in state.taken for face in pile.held]
        out = [code for face, code in enumerate(FACE_CODES) if not state.left >> face & 1 and face not in taken]
        return out if state.layout.length else []

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        counter.read("out", given.out or [])
        lying = state.layout.cards[: state.layout.length]
        unknown = lying.count(UNKNOWN)
        if unknown and unknown != counter.left:
            reason = f"write x for each of the {counter.left} faces that are not named, or list them as `out`"
            raise BadPosition("layout", unknown, reason)
        state.left = sum(1 << face for face in range(FACES) if face in lying or (unknown and not counter.met[face]))


class Missed(Field):
    """MEM-04: the last card of a turn that ended in a miss, until the next spin; EMPTY for none."""

    kind: ClassVar[Any] = chimax.Miss | None

    def in_json(self, state: Snapshot) -> Any:
        place, card = state.missed.place, state.missed.card
        return None if card == EMPTY else {"place": place + 1, "card": code_of(card)}

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        if given.missed:
            if state.phase not in (SPINNING, OVER, PLAYOFF):
                reason = "give the last card turned back only before a spin or after the game [MEM-04]"
                raise BadPosition("missed.place", given.missed.place, reason)
            state.missed.place, state.missed.card = chimax.read_miss(state.layout, "missed", given.missed, counter)


def usual_phase(given: Any, state: Fields) -> str:
    """Return the phase of a position without one."""
    if given.wheel is None:
        return "spin"
    return "flip" if state.options.wheel == BY_FACE else "name"


POSITION = Position(
    chimax.deck_of(1, 1, "FATE-02"),
    options_record(FateOptions),
    SEATS,
    **chimax.table(OWN_PHASES, usual_phase),
    layout=Part(flat=True, parts=chimax.parts_of_layout(PLACES, PLACES, MOST_TURNS)),
    wheel=Wheel(form=one_of(PLACES + 1, AT_REST, "at rest, or the face or place called for")),
    taken=Piles(room=PLACES, zone="taken{}", counter="card", form=number("cards taken, in order")),
    left=Left(key="out", store=i2, sparse=True, form=flags(FACES, "faces still in the layout")),
    spins=Number(highest=MOST_SPINS),
    missed=Missed(
        sparse=True,
        store=record(place=i1, card=i1),
        shown={"card": placed(FACES, "last card of the previous turn, turned back")},
    ),
    points=Numbers(at="match.totals", highest=PLACES * PLACES, counter="point"),
)


def prepare_position(state: Fields) -> None:
    """Clear the table."""
    set_table(state, 1)
    forget_miss(state)


def is_played(state: Snapshot) -> bool:
    """Return whether a table has cards or points."""
    return bool(state.layout.length or state.spins or any(state.match.totals) or any(hand.held for hand in state.taken))


SEARCHES = (FLIPPING, CHOOSING, NAMING)
TURNS = (SPINNING, *SEARCHES)
BEFORE_DEAL = (CUTTING, DEALING)

CONDITIONS = (
    *chimax.TABLE_CONDITIONS,
    chimax.CUTTER,
    chimax.PACK,
    Condition(
        "layout",
        "the layout, spins, points and taken cards must be empty before the deal [FATE-02]",
        is_played,
        BEFORE_DEAL,
    ),
    Condition(
        "deck",
        f"a pack must have 2 to {FACES} cards for the cut [FATE-02]",
        lambda state: state.pack.length > FACES or (state.phase == CUTTING and state.pack.length < 2),
        BEFORE_DEAL,
    ),
    Condition(
        "open",
        "cards can be face up only during a turn [MEM-04]",
        lambda state: state.phase < OWN_PHASE and state.layout.open.length,
    ),
    Condition(
        "phase",
        "phases flip and choose need a wheel of faces, and phase name needs a wheel of places",
        lambda state: (state.options.wheel == BY_FACE) == (state.phase == NAMING),
        SEARCHES,
    ),
    Condition(
        "open",
        lambda state: (
            f"at most {count_of(state.options.tries - 1, 'card')} can be face up, "
            "and at least 1 in phase choose [FATE-06]"
        ),
        lambda state: not (state.phase == CHOOSING) <= state.layout.open.length < state.options.tries,
        TURNS,
    ),
    Condition(
        "open",
        "no card can be face up when a search starts [FATE-06]",
        lambda state: state.layout.open.length and not state.options.spin_again,
        (SPINNING, FLIPPING, NAMING),
    ),
    Condition("layout", "the wheel needs at least one face-down card [FATE-04]", lambda state: not downs(state), TURNS),
    Condition(
        "wheel",
        "allowed only in phases flip, choose and name",
        lambda state: state.wheel != AT_REST and state.phase not in SEARCHES,
    ),
    Condition(
        "wheel",
        lambda state: f"give the {'face' if state.options.wheel == BY_FACE else 'place'} of a face-down card [FATE-04]",
        lambda state: state.wheel < 0 or not downs(state) >> state.wheel & 1,
        SEARCHES,
    ),
    Condition(
        "dead",
        "the game is over at the limit if no unseen card is left [MEM-07]",
        lambda state: must_turn_unseen(state) and (state.options.wheel != BY_FACE or not unseen_left(state.layout)),
        TURNS,
    ),
)
"""The conditions of every state."""
