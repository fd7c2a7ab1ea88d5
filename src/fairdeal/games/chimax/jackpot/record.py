"""CHIMAX JACKPOT: the record of a game, its JSON form and what observations show (docs/rules/chimax.md, section 7)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import number, one_of, one_seat, placed
from fairdeal.engine.kit.piles import push
from fairdeal.engine.kit.positions import CardCounter, sized
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import NOBODY, pile
from fairdeal.engine.scene.shown import InScene, size_in
from fairdeal.engine.written import Condition, Flag, Number, OfCards, Piles, Position, Unwritten
from fairdeal.games.chimax import record
from fairdeal.games.chimax.cards import read_code
from fairdeal.games.chimax.deck import DECLARED, EACH, FACES, KINDS, QUESTION, face_of, stands_for
from fairdeal.games.chimax.jackpot import state as jackpot
from fairdeal.games.chimax.jackpot.options import JackpotOptions
from fairdeal.games.chimax.rules.tournament import set_table
from fairdeal.games.chimax.state import CUTTING, DEALING, OVER, PLAYOFF

MOST_POINTS = 250
"""Maximum number of points in a deal, which exceeds any possible score: thirteen Books, two Jackpots with 100 extra
points, and four streaks."""


class Reels(Piles):
    """JACK-02: a pile of cards for each reel, from the top in the record of a face-down one."""

    def type(self, seats: int, options: np.dtype[Any]) -> Any:
        return pile(jackpot.PILE), jackpot.REELS

    def lists(self, given: Any) -> Sequence[list[Any]]:
        """Return the codes that a position gives for each reel."""
        lists = getattr(given, self.key)
        return [[]] * jackpot.REELS if lists is None else sized(self.path, lists, jackpot.REELS)


class Stock(Reels):
    """The face-down piles. The top card is the last one in the record, and the first one in JSON."""

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.written(pile.held[::-1]) for pile in state.stock]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for reel, codes in enumerate(self.lists(given)):
            kinds = counter.read(f"stock[{reel}]", codes, unknown=True)
            if len(kinds) > jackpot.PILE:
                raise BadPosition(f"stock[{reel}]", len(kinds), f"a pile has at most {jackpot.PILE} cards [JACK-02]")
            for kind in reversed(kinds):
                push(state.stock[reel], kind)

    def in_scene(self) -> list[InScene]:
        return [size_in("stock{}", "stock.length")]


class Columns(Reels):
    """The face-up cards of each reel, from the bottom."""

    def in_json(self, state: Snapshot) -> Any:
        return [self.cards.written(column.held) for column in state.columns]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        for reel, codes in enumerate(self.lists(given)):
            size = len(codes) + state.stock[reel].length
            if size > jackpot.PILE:
                reason = f"a pile and its column have at most {jackpot.PILE} cards together [JACK-02]"
                raise BadPosition(f"columns[{reel}]", size, reason)
            for place, code in enumerate(codes):
                path = f"columns[{reel}][{place}]"
                kind = read_open(counter, state, path, code)
                if kind >= DECLARED and state.options.qmark_when == jackpot.AT_CLAIM:
                    raise BadPosition(path, code, "at this table, a ? has no face until it is claimed [JACK-06]")
                push(state.columns[reel], kind)


class Books(OfCards):
    """JACK-07: the cards of the Books, three for each, in the order of their line."""

    kind: ClassVar[Any] = list[list[str]] | None

    def in_json(self, state: Snapshot) -> Any:
        codes = self.cards.written(state.books.held)
        return [codes[first : first + 3] for first in range(0, len(codes), 3)]

    def read(self, given: Any, state: Fields, counter: CardCounter) -> None:
        books = given.books or []
        if len(books) > jackpot.MOST_BOOKS:
            raise BadPosition("books", len(books), f"there are only enough cards for {jackpot.MOST_BOOKS} Books")
        for order, codes in enumerate(books):
            path = f"books[{order}]"
            places = enumerate(sized(path, codes, 3))
            kinds = [read_open(counter, state, f"{path}[{place}]", code) for place, code in places]
            first, second, third = map(stands_for, kinds)
            if not jackpot.COMPLETING[state.options.run_order, 2, first, second] >> third & 1:
                raise BadPosition(path, codes, "this is not a Book: give three of a kind or three neighbours [JACK-07]")
            for kind in kinds:
                push(state.books, kind)


def read_open(counter: CardCounter, state: Fields, path: str, code: object) -> int:
    """Count and return the kind of a face-up card, which may be a declared question mark (JACK-02, 06). Raises
    BadPosition if the code is invalid."""
    kind = read_code(path, code)
    if kind < 0:
        raise BadPosition(path, code, "cards in columns and Books must be face up [JACK-02]")
    allowed = jackpot.ALLOWED[state.options.qmark_values] & ~(1 << QUESTION)
    if kind >= DECLARED and not allowed >> kind - DECLARED & 1:
        raise BadPosition(path, code, "a ? cannot stand for this face at this table [JACK-06]")
    counter.count(path, face_of(kind))
    return kind


POSITION = Position(
    record.deck_of(EACH, jackpot.QUESTIONS),
    options_record(JackpotOptions),
    1,
    **record.table(
        ("reel", "declare", "claim"),
        "reel",
        players=None,
        round=Number(key="deal", at="match.game", lowest=1, highest="deals"),
        turn=Unwritten(form=one_seat("seat on turn")),
        dealer=Unwritten(form=one_seat()),
        books=None,
    ),
    stock=Stock(form=placed(FACES, "piles of the reels, top card last")),
    columns=Columns(zone="column{}", form=placed(KINDS, "face-up columns of the reels, top card last")),
    books=Books(store=pile(jackpot.CARDS), form=number("cards of the Books, three per Book")),
    spin=Number(lowest=1, highest="spins"),
    reel=Number(highest=jackpot.REELS, form=one_of(jackpot.REELS)),
    flipped=Number(highest=jackpot.REELS),
    points=Number(highest=MOST_POINTS),
    streak=Number(highest=lambda state: 2 * state.options.streak),
    ran=Flag(),
    total=Number(at="match.totals.0", highest=lambda state: MOST_POINTS * state.match.game),
)


def prepare_position(state: Fields) -> None:
    """Clear the table."""
    set_table(state, state.options.deals)


def settle_position(state: Fields) -> None:
    """Let nobody be on turn between deals and at the end."""
    if state.phase in (DEALING, OVER):
        state.turn = NOBODY


ALONE = "a game for one player has no playoff [JACK-01]"
TURNING = (jackpot.REEL, jackpot.DECLARING)

CONDITIONS = (
    Condition("tied", ALONE, lambda state: state.tied),
    Condition("phase", ALONE, lambda state: state.phase == PLAYOFF),
    Condition(
        "stock",
        f"there are only {jackpot.CARDS} cards [JACK-01]",
        lambda state: sum(pile.length for pile in (*state.stock, *state.columns, state.books)) > jackpot.CARDS,
    ),
    Condition(
        "deck",
        "cards are allowed only in phases cut and deal",
        lambda state: state.pack.length and state.phase not in (DEALING, CUTTING),
    ),
    Condition(
        "deck",
        "a deck must have at least two cards for the cut [GEN-11]",
        lambda state: state.pack.length < 2,
        (CUTTING,),
    ),
    Condition(
        "reel",
        "it must be 3 in phase claim, after all three reels [JACK-08]",
        lambda state: state.reel != jackpot.REELS,
        (jackpot.CLAIMING,),
    ),
    Condition(
        "reel",
        "it must be a reel from 0 to 2 in this phase [JACK-03]",
        lambda state: state.reel == jackpot.REELS,
        TURNING,
    ),
    Condition(
        "reel",
        "the pile of this reel is empty, so the reel is held automatically [JACK-04]",
        lambda state: not state.stock[state.reel].length,
        (jackpot.REEL,),
    ),
    Condition(
        "phase",
        "phase declare needs a ? just flipped on this reel [JACK-06]",
        lambda state: state.options.qmark_when != jackpot.AT_FLIP or state.columns[state.reel].held[-1:] != [QUESTION],
        (jackpot.DECLARING,),
    ),
)
"""The conditions of every state."""
