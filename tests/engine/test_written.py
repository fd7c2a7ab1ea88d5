"""States that are declared field by field: positions read back as written, and errors name the path."""

from dataclasses import replace
from typing import Annotated

import pytest

from fairdeal.engine import written
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.kit.forms import absent, counted, flags, number, one_of, one_seat, placed, some_seats
from fairdeal.engine.kit.positions import CardCounter
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.options import Options, about, option_number, option_words, options_record, read_options
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN, i1, i2, new, pile, record
from fairdeal.engine.scene.shown import cards_in, counter_of, size_in
from fairdeal.games.chip_it.options import ChipItOptions

CODES = ("ace", "two", "king")


class Seen(written.Hands):
    kind = list[list[str]] | None


POSITION = written.Position(
    written.Cards(CODES, (7, 2, 1), "ace, two, king", "TOY-01"),
    record(limit=i2),
    4,
    start=written.Seat(at="match.first"),
    round=written.Match(),
    totals=written.Numbers(at="match.totals", highest=9),
    turn=written.Seat("who asks"),
    phase=written.Phase(names=("in", "out", "over")),
    turn_no=written.TurnNumber(lowest=1, highest="limit"),
    last=written.Word("what was last", names=("gave", "fished")),
    books=written.Owners("who has laid it"),
    deck=written.Deck(room=9, zone="stock"),
    hands=written.Hands(room=4, most=3, clause="TOY-02", zone="hand", counter="card"),
    known=written.Known("what all know", clause="TOY-03"),
    seen=Seen(room=3, sparse=True),
    played=written.Places(unknown=True),
    won=written.Numbers("tricks", highest=5, counter="trick"),
    row=written.Row(room=2, clause="TOY-04", zone="row"),
    heap=written.Counts("cards by kind", zone="heap"),
    piles=written.Piles("cards in a pile", room=2, zone="pile{}"),
    out=written.Seats("who is out"),
    asked=written.SeatOrNobody(),
    gone=written.Seat(phases=("out", "over"), clause="TOY-07"),
    noisy=written.Flag(),
    top=written.Part(
        parts={
            "owner": written.Seat(required=True),
            "value": written.Number(highest=7),
            "draft": written.Unwritten("an unfinished move"),
        },
        there=lambda state: state.top.value > 0,
    ),
    sound=written.Part(
        flat=True,
        parts={"pitch": written.Number(highest=8), "long": written.Flag()},
        when=lambda state: state.noisy,
        only="if it is noisy",
        clause="TOY-08",
    ),
    debts=written.Numbers(lowest=-5, highest=5, default=0, store=(i2, 4), form=flags(5)),
    stack=written.Unwritten(store=pile(3), form=number("cards on it")),
    next=written.Seat(default=lambda given, state: 1 - state.turn),
    loud=written.Derived(of=bool, value=lambda state: state.sound.pitch > 4, when=lambda state: state.noisy),
    left=written.Derived(
        store=i1, value=lambda state: 5 - sum(state.won), reason="{} of {state.players} left", clause="TOY-05"
    ),
)
CONDITIONS = (
    written.Condition(
        "hands[{}]",
        lambda state, seat: f"at most two cards, as in hand {seat - 1} [TOY-06]",
        lambda state, seat: state.hands[seat].length > 2,
    ),
    written.Condition("top.owner", lambda state: f"it is seat {state.turn}", lambda s: s.top.owner != s.turn),
    written.Condition("won[0]", "nothing is won when all are out", lambda state: state.won[0], phases=(1,)),
)


def read(conditions=(), settle=None, **position):
    """Return a snapshot of the state of a position for two."""
    state = new(POSITION.state)
    state.players, state.options.limit = 2, 50
    POSITION.read({"hands": [["ace"], ["?"]], "row": [None, None]} | position, state, conditions, settle=settle)
    return snapshot(state)


WHOLE = {
    "start": 1,
    "round": 3,
    "totals": [4, 9],
    "turn": 1,
    "phase": "in",
    "turn_no": 7,
    "last": "fished",
    "books": [[], ["two"]],
    "deck": ["ace"],
    "deck_size": 1,
    "hands": [["ace"], ["?"]],
    "known": [["ace"], []],
    "played": [None, "?"],
    "won": [5, 0],
    "row": ["king", None],
    "heap": ["ace"],
    "piles": [[], ["ace"]],
    "out": [1],
    "asked": None,
    "gone": None,
    "noisy": True,
    "top": {"owner": 1, "value": 7},
    "pitch": 4,
    "long": True,
    "debts": [-5, 1],
    "next": 1,
    "loud": False,
    "left": 0,
    "seen": [["ace"], []],
}


def test_a_position_reads_back_as_written():
    state = read(**WHOLE)
    assert list(POSITION.write(state).items()) == list(WHOLE.items())
    assert (state.match.first, state.match.game, state.match.games, state.acting) == (1, 3, 0, (1,))
    assert state.played == [EMPTY, UNKNOWN, EMPTY, EMPTY]
    assert (state.books, state.deck.held, state.known[0].counts) == ([0, 2, 0], [0], [1, 0, 0])
    assert (state.row, state.heap, state.out, state.asked) == ([2, EMPTY], [1, 0, 0], 2, NOBODY)
    assert [state.left, read(won=[1, 1]).left] == [0, 3]


def test_a_field_that_a_position_leaves_out_has_its_usual_value():
    lowest = {"turn_no": 1, "last": "gave", "played": [None, None], "won": [0, 0], "top": None, "out": [], "left": 5}
    unseen = {"deck": ["?"] * 8}  # of ten cards
    position = POSITION.write(read())
    assert position.items() >= (lowest | unseen | {"debts": [0, 0], "next": 1}).items()
    assert not {"seen", "pitch", "loud"} & position.keys()
    assert [read(start=start, turn=1).turn_no for start in (0, 1)] == [2, 1]


@pytest.mark.parametrize(
    ("wrong", "path", "words"),
    [
        ({"turn": 2}, "turn", "from 0 to 1"),
        ({"turn_no": 51}, "turn_no", "from 1 to 50"),
        ({"turn_no": 0}, "turn_no", "from 1 to 50"),
        ({"last": "lost"}, "last", "gave, fished"),
        ({"hands": [["ace"]]}, "hands", "one item for each of the 2 seats"),
        ({"won": []}, "won", "0: give one item for each of the 2 seats"),
        ({"hands": [["ace"] * 4, []]}, "hands[0]", "at most 3 cards [TOY-02]"),
        ({"books": [["ace"], []]}, "hands[0][0]", "the deck has 7 of this card [TOY-01]"),
        ({"known": [["two"], []]}, "known[0]", "not in that hand [TOY-03]"),
        ({"played": ["queen", None]}, "played[0]", "no such card"),
        ({"won": [0, 6]}, "won[1]", "from 0 to 5"),
        ({"totals": [0, 10]}, "totals[1]", "from 0 to 9"),
        ({"round": 0}, "round", "from 1 to 127"),
        ({"deck_size": 9}, "deck_size", "from 0 (those named) to 8"),
        ({"deck": ["king"], "deck_size": 0}, "deck_size", "from 1 (those named) to 8"),
        ({"hands": [["ace"], [3]]}, "hands[1][0]", "Expected `str`, got `int`"),
        ({"nothing": 1}, "", "unknown field `nothing`"),
        ({"row": ["king"]}, "row", "the row has 2 places; write null for an empty place [TOY-04]"),
        ({"piles": [[], ["ace"] * 3]}, "piles[1]", "at most 2 cards in a pile"),
        ({"out": [0, 2]}, "out[1]", "from 0 to 1"),
        ({"asked": 2}, "asked", "from 0 to 1"),
        ({"top": {"owner": 0, "value": 8}}, "top.value", "from 0 to 7"),
        ({"noisy": True, "pitch": 9}, "pitch", "from 0 to 8"),
        ({"pitch": 1}, "pitch", "1: allowed only if it is noisy [TOY-08]"),
        ({"next": 2}, "next", "from 0 to 1"),
        ({"loud": 3}, "loud", "Expected `bool | null`"),
        ({"noisy": True, "loud": True}, "loud", "True: it must be False"),
        ({"debts": [0, -6]}, "debts[1]", "from -5 to 5"),
        ({"top": {"value": 3}}, "top", "missing required field `owner`"),
        ({"left": 4}, "left", "4: 5 of 2 left [TOY-05]"),
        ({"phase": "out"}, "gone", "None: required in phases out and over, not allowed in others [TOY-07]"),
        ({"gone": 1}, "gone", "1: required in phases out and over, not allowed in others [TOY-07]"),
    ],
    ids=str,
)
def test_an_error_names_its_path(wrong, path, words):
    with pytest.raises(BadPosition) as error:
        read(**wrong)
    assert error.value.path == path
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"hands": [["two"], ["ace"] * 3]},
            "position, at hands[1]: ['ace', 'ace', 'ace']: at most two cards, as in hand 0 [TOY-06]",
        ),
        ({"turn": 1, "top": None}, "position, at top.owner: None: it is seat 1"),
        ({"top": {"owner": 1}}, "position, at top.owner: 1: it is seat 0"),
        ({"phase": "out", "gone": 0}, "position, at won[0]: 1: nothing is won when all are out"),
    ],
    ids=str,
)
def test_a_condition_names_its_place_and_the_value_there(wrong, message):
    with pytest.raises(BadPosition) as error:
        read(CONDITIONS, won=[1, 0], **wrong)
    assert str(error.value) == message


def test_conditions_that_a_state_breaks_are_listed():
    state = read(won=[1, 0], hands=[["two"], ["ace"] * 3])
    assert [*written.broken(CONDITIONS, state)] == [("hands[1]", "at most two cards, as in hand 0 [TOY-06]")]


def test_a_game_lets_other_seats_act():
    def settle(state):
        state.to_act = 3

    assert read(settle=settle).acting == (0, 1)


def test_a_seat_on_turn_acts_and_nobody_if_there_is_none():
    position = written.Position(POSITION.cards, record(limit=i2), 4, turn=written.SeatOrNobody())
    for turn, acting in ((1, (1,)), (None, ())):
        state = new(position.state)
        state.players = 2
        position.read({"turn": turn}, state)
        assert snapshot(state).acting == acting


def test_codes_have_the_type_that_the_cards_say():
    class Reader(CardCounter):
        def kind(self, path, text, unknown=False):
            return super().kind(path, min(text, 3), unknown)

    class Numbered(written.Cards):
        text = int
        reader = Reader

    position = written.Position(
        Numbered((2, 3), (1, 1), "2, 3", "TOY-01"), record(limit=i2), 2, row=written.Row(room=1)
    )
    state = new(position.state)
    with pytest.raises(BadPosition, match="got `str`"):
        position.read({"row": ["2"]}, state)
    position.read({"row": [9]}, state)
    assert state.row.tolist() == [1]


def test_a_game_is_over_in_the_last_phase():
    over = read(phase="over", gone=1)
    assert (over.over, over.acting, POSITION.write(over)["gone"]) == (1, (), 1)


def test_records_and_observations_follow_from_the_declaration():
    state = POSITION.state
    assert (state["turn_no"], state["deck"], state["hands"].shape, state["hands"].base) == (
        "i2",
        pile(9),
        (4,),
        pile(4),
    )
    assert state["top"].names == ("owner", "value", "draft", *state["top"].names[3:])
    assert not {"start", "round", "totals"} & {*state.names}
    observed = POSITION.observed()
    assert observed.forms == {
        "turn": one_seat("who asks"),
        "phase": one_of(3),
        "last": one_of(2, words="what was last"),
        "books": one_seat("who has laid it", first=1),
        "deck.cards": absent(),
        "hands.cards": counted(3),
        "known.counts": number("what all know"),
        "seen.cards": counted(3),
        "played": placed(3),
        "won": number("tricks"),
        "row": placed(3),
        "heap": number("cards by kind"),
        "piles.cards": placed(3, "cards in a pile"),
        "out": some_seats("who is out"),
        "asked": one_seat(),
        "gone": one_seat(),
        "top.owner": one_seat(),
        "top.draft": number("an unfinished move"),
        "debts": flags(5),
        "stack.cards": number("cards on it"),
        "next": one_seat(),
    }
    assert state["debts"].base == "i2"
    assert observed.bounds["sound.pitch"] == (0, 8)
    assert (observed.bounds["turn_no"], observed.bounds["known.counts"]) == ((0, "limit"), (0, 7))


def test_what_scenes_show_follows_from_the_declaration():
    assert POSITION.functions({})["in_scene"] == (
        size_in("stock", "deck.length"),
        cards_in("hand", "hands.cards", CODES, own=True),
        counter_of("card", "hands.length"),
        counter_of("trick", "won"),
        cards_in("row", "row", CODES),
        replace(cards_in("heap", "heap", CODES), counts=True),
        cards_in("pile{}", "piles.cards", CODES),
    )


def test_a_word_of_an_option_has_a_number_in_records():
    assert [option_number(ChipItOptions, mode=mode) for mode in ("single", "tournament", "duel")] == [0, 1, 2]
    assert option_number(ChipItOptions, value_cap="none") == -1
    assert option_words(ChipItOptions, "mode") == ("single", "tournament", "duel")
    with pytest.raises(KeyError, match="triple"):
        option_number(ChipItOptions, mode="triple")


class ToyOptions(Options, frozen=True, kw_only=True):
    players: Annotated[int, about("How many.", "TOY-01", ge=2, le=4)] = 2
    first: Annotated[int, about("A seat.", "TOY-01", "First", seat=True, ge=0, le=3)] = 0


def test_an_option_that_is_a_seat_is_one_at_the_table():
    assert read_options(ToyOptions, {"players": 4, "first": 3}).first == 3
    with pytest.raises(ValueError, match=r"[Tt]here are the seats 0 to 1"):
        read_options(ToyOptions, {"players": 2, "first": 2})


def test_options_can_stand_first_in_records():
    usual, moved = (options_record(ChipItOptions, first) for first in ((), ("nothing", "collect", "mode")))
    assert moved.names[1:4] == ("collect", "mode", "placement")  # value_cap is wider
    assert {name: usual[name] for name in usual.names} == {name: moved[name] for name in moved.names}
