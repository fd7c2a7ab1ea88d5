"""Positions that are declared field by field: they read back as written, and errors name the path."""

from typing import Annotated

import pytest

from fairdeal.engine import written
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.forms import absent, counted, number, one_of, one_seat, placed
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.options import Options, about, read_options
from fairdeal.engine.records import EMPTY, UNKNOWN, game_state, i1, i2, new, pile, record

CODES = ("ace", "two", "king")
DECK = (4, 2, 1)
COUNTS = record(counts=(i1, 3))

POSITION = written.Position(
    written.Cards(CODES, DECK, "ace, two, king", "TOY-01"),
    round=written.Match("which round", highest=9),
    turn=written.Seat("who asks"),
    turn_no=written.Number(lowest=1, highest="limit"),
    last=written.Word("what was last", ("gave", "fished")),
    books=written.Owners("who has laid it"),
    deck=written.Deck(),
    hands=written.Hands(most=3, clause="TOY-02"),
    known=written.Known("what all know", clause="TOY-03"),
    played=written.Places(unknown=True),
    won=written.Numbers("tricks", highest=5),
)
STATE = game_state(
    4,
    record(limit=i2),
    turn=i1,
    turn_no=i2,
    last=i1,
    books=(i1, 3),
    deck=pile(9),
    hands=(pile(3), 4),
    known=(COUNTS, 4),
    played=(i1, 4),
    won=(i1, 4),
)


def read(check=lambda state: None, **position):
    """Return a snapshot of the state of a position for two."""
    state = new(STATE)
    state.players, state.options.limit = 2, 50
    POSITION.read({"hands": [["ace"], ["?"]]} | position, state, check)
    return snapshot(state)


WHOLE = {
    "start": 1,
    "over": False,
    "round": 3,
    "totals": [4, 9],
    "turn": 1,
    "turn_no": 7,
    "last": "fished",
    "books": [[], ["two"]],
    "deck": ["king", "ace"],
    "deck_size": 2,
    "hands": [["ace"], ["?"]],
    "known": [["ace"], []],
    "played": [None, "?"],
    "won": [5, 0],
}


def test_a_position_reads_back_as_written():
    state = read(**WHOLE)
    assert POSITION.write(state) == WHOLE
    assert (state.match.first, state.match.game, state.match.games, state.acting) == (1, 3, 0, (1,))
    assert state.played == [EMPTY, UNKNOWN, EMPTY, EMPTY]
    assert (state.books, state.deck.held, state.known[0].counts) == ([0, 2, 0], [0, 2], [1, 0, 0])


def test_a_field_that_a_position_leaves_out_has_its_lowest_value():
    lowest = {"turn_no": 1, "last": "gave", "played": [None, None], "won": [0, 0]}
    unseen = {"deck": ["?"] * 5}  # of seven cards
    assert POSITION.write(read()).items() >= (lowest | unseen).items()
    assert read(over=True).acting == ()


@pytest.mark.parametrize(
    ("wrong", "path", "words"),
    [
        ({"turn": 2}, "turn", "from 0 to 1"),
        ({"turn_no": 51}, "turn_no", "from 1 to 50"),
        ({"turn_no": 0}, "turn_no", "from 1 to 50"),
        ({"last": "lost"}, "last", "gave, fished"),
        ({"hands": [["ace"]]}, "hands", "a list of 2"),
        ({"hands": [["ace"] * 4, []]}, "hands[0]", "at most 3 cards [TOY-02]"),
        ({"books": [["ace"], []]}, "hands[0][0]", "the deck has 4 of this card [TOY-01]"),
        ({"known": [["two"], []]}, "known[0]", "not in that hand [TOY-03]"),
        ({"played": ["queen", None]}, "played[0]", "no such card"),
        ({"won": [0, 6]}, "won[1]", "from 0 to 5"),
        ({"totals": [0, 10]}, "totals[1]", "from 0 to 9"),
        ({"round": 0}, "round", "from 1 to 127"),
        ({"deck_size": 9}, "deck_size", "from 0 (those named) to 5"),
        ({"deck": ["king"], "deck_size": 0}, "deck_size", "from 1 (those named) to 5"),
        ({"hands": [["ace"], [3]]}, "hands[1][0]", "Expected `str`, got `int`"),
        ({"nothing": 1}, "", "unknown field `nothing`"),
    ],
    ids=str,
)
def test_an_error_names_its_path(wrong, path, words):
    with pytest.raises(BadPosition) as error:
        read(**wrong)
    assert error.value.path == path
    assert words in str(error.value)


def test_a_game_checks_positions_further_and_lets_other_seats_act():
    def check(state):
        if state.hands[0].length > 1:
            raise BadPosition("hands", "", "one card each")
        state.to_act = 3

    assert read(check).acting == (0, 1)
    with pytest.raises(BadPosition, match="one card each"):
        read(check, hands=[["ace", "two"], []])


def test_observations_follow_from_the_declaration():
    assert POSITION.observed().forms == {
        "turn": one_seat("who asks"),
        "last": one_of(2, words="what was last"),
        "books": one_seat("who has laid it", first=1),
        "deck.cards": absent(),
        "hands.cards": counted(3),
        "known.counts": number("what all know"),
        "played": placed(3),
        "won": number("tricks"),
    }


class ToyOptions(Options, frozen=True, kw_only=True):
    players: Annotated[int, about("How many.", "TOY-01", ge=2, le=4)] = 2
    first: Annotated[int, about("A seat.", "TOY-01", "First", seat=True, ge=0, le=3)] = 0


def test_an_option_that_is_a_seat_is_one_at_the_table():
    assert read_options(ToyOptions, {"players": 4, "first": 3}).first == 3
    with pytest.raises(ValueError, match=r"[Tt]here are the seats 0 to 1"):
        read_options(ToyOptions, {"players": 2, "first": 2})
