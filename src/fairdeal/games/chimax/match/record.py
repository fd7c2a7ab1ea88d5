"""CHIMAX MATCH: the records of both games, their JSON form and what observations show (docs/rules/chimax.md, sections 3
and 4)."""

from typing import Any, ClassVar

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import number, placed
from fairdeal.engine.kit.positions import CardCounter
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import EMPTY, i1, record
from fairdeal.engine.scene import count_of
from fairdeal.engine.written import Condition, Field, Number, Numbers, Part, Piles, Position, Unwritten
from fairdeal.games.chimax import record as chimax
from fairdeal.games.chimax.cards import FACE_CODES
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.match import state as match
from fairdeal.games.chimax.match.options import Match2Options, Match3Options, MatchOptions
from fairdeal.games.chimax.match.rules import goes_together, layouts_at_most, must_turn_unseen
from fairdeal.games.chimax.rules.layout import unseen_left
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.state import CUTTING, DEALING, SEATS

MOST_DEAD, MOST_POINTS, MOST_TURNS = 30_000, 1_000, 1_000_000
"""Maximum values of the counts in a position, which are far above those of real games."""


class Misses(Field):
    """MEM-04: the cards of the last miss, until the next flip."""

    kind: ClassVar[Any] = list[chimax.Miss] | None

    def in_json(self, state: Snapshot) -> Any:
        shown = list(zip(state.missed.places, state.missed.faces, strict=True))[: state.missed.length]
        return [{"place": place + 1, "card": FACE_CODES[face]} for place, face in shown]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        missed = state.missed
        for order, miss in enumerate(given.missed or []):
            if order == state.alike:
                raise BadPosition("missed", len(given.missed), f"a turn shows {state.alike} cards [MEM-04]")
            place, face = chimax.read_miss(state.layout, f"missed[{order}]", miss, counter)
            if place in missed.places[:order]:
                raise BadPosition(f"missed[{order}].place", miss.place, "give each place only once [MEM-05]")
            missed.places[order], missed.faces[order] = place, face
            missed.length += 1


def match_position(options: type[MatchOptions], alike: int, places: int) -> Position:
    """Return the declaration of a game with sets of `alike` cards in a layout of `places` places."""
    return Position(
        chimax.deck_of(alike, int(match.QUESTIONS[alike]), "M2-02, M2-06, M3-01"),
        options_record(options, (*chimax.TABLE_OPTIONS, "special")),
        SEATS,
        **chimax.table(("flip",), "flip"),
        alike=Unwritten(),
        full_turns=Unwritten(),  # M3-03: 1 if every turn shows `alike` cards, 0 if it stops at the first misfit
        layout=Part(flat=True, parts=chimax.parts_of_layout(places, alike, MOST_DEAD)),
        taken=Piles(room=places, form=number("cards taken, in order")),  # set after set
        missed=Misses(
            sparse=True,
            store=record(length=i1, places=(i1, alike), faces=(i1, alike)),
            shown={
                "places": number("places of the cards of the last miss"),
                "faces": placed(FACES, "cards of the last miss"),
            },
        ),
        turns=Number(highest=MOST_TURNS),
        points=Numbers(at="match.totals", lowest=-MOST_POINTS, highest=MOST_POINTS, default=0, counter="point"),
    )


PAIRS = match_position(Match2Options, match.PAIR, match.PAIR_PLACES)
TRIPLETS = match_position(Match3Options, match.TRIPLET, match.TRIPLET_PLACES)


def prepare_pairs(state: Fields) -> None:
    """Clear the table of MATCH-2."""
    set_table(state, layouts_at_most(state))
    state.alike = match.PAIR


def prepare_triplets(state: Fields) -> None:
    """Clear the table of MATCH-3."""
    set_table(state, layouts_at_most(state))
    state.alike = match.TRIPLET
    state.full_turns = state.options.flips


FLIPS = (match.FLIPPING,)

CONDITIONS = (
    *chimax.TABLE_CONDITIONS,
    chimax.CUTTER,
    chimax.PACK,
    Condition(
        "deck",
        lambda state: f"a pack has {state.alike} to {len(state.layout.cards)} cards [M2-02, M3-01]",
        lambda state: (
            (state.phase == CUTTING or state.pack.length)
            and not state.alike <= state.pack.length <= len(state.layout.cards)
        ),
        (CUTTING, DEALING),
    ),
    Condition(
        "missed",
        "give only the cards turned back last, until another card is turned [MEM-04]",
        lambda state: state.missed.length and state.layout.open.length,
    ),
    Condition(
        "open",
        "allowed only in phase flip",
        lambda state: state.phase != match.FLIPPING and state.layout.open.length,
    ),
    Condition("live", "allowed only in phase flip", lambda state: state.phase != match.FLIPPING and state.layout.live),
    Condition(
        "layout",
        lambda state: f"the layout must have at least {state.alike} cards until the game ends",
        lambda state: sum(kind != EMPTY for kind in state.layout.held) < state.alike,
        FLIPS,
    ),
    Condition(
        "open",
        lambda state: f"at most {count_of(state.alike - 1, 'card')} can be face up during a turn",
        lambda state: state.layout.open.length >= state.alike,
        FLIPS,
    ),
    Condition(
        "open",
        "a turn ends at the first card that does not match [M3-03]",
        lambda state: not goes_together(state, EMPTY) and not state.full_turns,
        FLIPS,
    ),
    Condition(
        "dead",
        "the layout has ended, because every card has been seen [MEM-07]",
        lambda state: must_turn_unseen(state) and not unseen_left(state.layout),
        FLIPS,
    ),
)
"""The conditions of every state of both games."""
