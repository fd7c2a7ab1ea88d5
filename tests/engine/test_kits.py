"""The kits that games are written with: hidden cards, positions, zones."""

import msgspec
import numpy as np
import pytest

from fairdeal.engine.compile.compiler import compile_rules
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.events import WonByMost, grown_totals
from fairdeal.engine.kit import chance, hidden, piles
from fairdeal.engine.kit.matches import next_game_to, start_match
from fairdeal.engine.kit.positions import (
    CardCounter,
    codes_of,
    converted,
    in_range,
    number_of,
    opened,
    read_deck,
    read_hand,
    sized,
)
from fairdeal.engine.kit.seats import give_turn, may_act
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.records import EMPTY, UNKNOWN, game_state, i1, new, pile, record, rule
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.scene import Choice, Counter, Prompt, Voice, capital
from fairdeal.engine.scene.zones import (
    CardIds,
    area_zone,
    before,
    hand_zone,
    on_cards,
    plain_faces,
    seat_of,
    stack_zone,
    table_scene,
)

CODES = ("ace", "two", "king")


def hand_of(*cards):
    hand = new(pile(8))
    for card in cards:
        piles.insert(hand, card)
    return hand


# --- hidden cards --------------------------------------------------------------------------------------------------


def test_cards_that_can_be_seen_are_counted_off():
    unseen = np.array([2, 2, 2], np.int8)
    hidden.count_off(unseen, np.array([2, UNKNOWN, EMPTY, 0, 1], np.int8), 4)
    assert unseen.tolist() == [1, 2, 1]


def test_unseen_cards_are_dealt_where_cards_are_unknown():
    source = new(chance_record)
    chance.set_key(source, chance.key_of(1))
    cards = np.zeros(8, np.int8)
    size = hidden.shuffle_unseen(np.array([1, 0, 2], np.int8), cards, source)
    assert size == 3
    assert sorted(cards[:3].tolist()) == [0, 2, 2]
    places = np.array([UNKNOWN, 1, UNKNOWN, UNKNOWN, UNKNOWN], np.int8)
    assert hidden.fill(places, 4, cards, size) == 0
    assert sorted(places[[0, 2, 3]].tolist()) == [0, 2, 2]
    assert places[[1, 4]].tolist() == [1, UNKNOWN]


def test_unknown_cards_of_a_hand_are_named_and_put_in_order():
    hand = hand_of(UNKNOWN, 4, UNKNOWN)
    left = hidden.fill_hand(hand, np.array([8, 2, 6], np.int8), 3)
    assert left == 1
    assert hand.cards.tolist()[:3] == [2, 4, 6]


# --- matches -------------------------------------------------------------------------------------------------------


@rule
def played_to(state, games, target):
    """Play games of which seat 1 wins two points each and seat 0 one; return their number."""
    start_match(state, games, 0)
    more = True
    while more:
        state.match.totals[0] += 1
        state.match.totals[1] += 2
        more = next_game_to(state, 1, target)
    return state.match.game


@pytest.mark.parametrize(
    ("games", "target", "played"), [(0, 7, 4), (0, 8, 4), (0, 1, 1), (3, 7, 3), (5, 7, 4), (0, 9999, 127)]
)
def test_a_match_ends_as_soon_as_a_total_has_reached_the_target(games, target, played):
    kind = game_state(2, record(limit=i1))
    plain, compiled = new(kind), new(kind)
    plain.players = compiled.players = 2
    plain.to_act = compiled.to_act = 3
    twin = compile_rules("matches", kind, {"played": played_to}, {})["played"]
    assert played_to(plain, games, target) == twin(compiled, games, target) == played
    assert plain.tobytes() == compiled.tobytes()
    assert (int(plain.over), int(plain.to_act), int(plain.match.games)) == (1, 0, played)
    assert int(plain.match.first) == (1 if played > 1 else 0)


def test_a_match_to_a_target_tells_how_totals_have_grown():
    state = new(game_state(2, record(limit=i1)))
    state.players = 2
    start_match(state, 0, 0)
    before = snapshot(state.copy())
    state.match.totals[1] = 5
    next_game_to(state, 0, 66)
    (ended,) = grown_totals(before, snapshot(state))
    assert (ended.number, ended.totals, ended.label) == (1, (0, 5), "Game")


# --- positions -----------------------------------------------------------------------------------------------------


def test_a_deck_counts_every_code():
    with pytest.raises(ValueError, match="3 codes of cards, but the deck counts 2 kinds"):
        CardCounter(CODES, (2, 1), "ace", "TOY-01")


class Form(msgspec.Struct, forbid_unknown_fields=True):
    hands: list[list[str]]
    turn: int = 0


def counter():
    return CardCounter(CODES, (2, 1, 1), "ace, two, king", "TOY-01")


@pytest.mark.parametrize(
    ("wrong", "path", "words"),
    [
        (lambda: converted({"hands": [["ace"], [3]]}, Form), "hands[1][0]", "Expected `str`, got `int`"),
        (lambda: converted({"hands": [], "cards": 1}, Form), "", "unknown field `cards`"),
        (lambda: in_range("turn", 4, 0, 3), "turn", "give a number from 0 to 3"),
        (lambda: sized("hands", [1], 2, "there are two seats"), "hands", "there are two seats"),
        (lambda: number_of("phase", "plai", ("play", "over")), "phase", "give play, over"),
        (lambda: counter().kind("row[1]", "queen"), "row[1]", "no such card: ace, two, king"),
        (lambda: counter().kind("row[1]", "?"), "row[1]", "no such card: ace, two, king"),
        (lambda: counter().read("hand", ["two", "two"]), "hand[1]", "the deck has 1 of this card [TOY-01]"),
        (lambda: read_hand(hand_of(), "hands[0]", ["ace", "ace"], 1, counter()), "hands[0]", "at most 1 cards"),
        (lambda: read_deck(hand_of(), ["ace"], 0, counter()), "deck_size", "from 1 (those named) to 4 (those left)"),
        (lambda: read_deck(hand_of(), None, 5, counter()), "deck_size", "from 0 (those named) to 4 (those left)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_position_is_told_with_its_path(wrong, path, words):
    with pytest.raises(BadPosition) as told:
        wrong()
    assert told.value.path == path
    assert words in str(told.value)


def test_a_position_is_opened_with_the_fields_of_the_record_that_it_is_read_into():
    state = new(game_state(2, record(limit=i1), hands=(pile(3), 2)))
    state.options.limit = 3
    given, fields = opened({"hands": [["two"], []], "turn": 1}, Form, state)
    read_hand(fields.hands[given.turn], "hands[1]", given.hands[0], fields.options.limit, counter())
    assert type(fields.options.limit) is int
    assert [hand.held for hand in snapshot(state).hands] == [[], [1]]
    with pytest.raises(BadPosition, match="unknown field `turns`"):
        opened({"hands": [], "turns": 1}, Form, state)


def test_a_deck_is_read_from_its_top_and_unnamed_cards_lie_below():
    deck, counted = new(pile(8)), counter()
    read_hand(hand := new(pile(8)), "hand", ["?", "two"], 3, counted)
    assert hand.cards.tolist()[:2] == [UNKNOWN, 1]
    read_deck(deck, ["king", "ace"], None, counted)
    assert deck.cards.tolist()[:2] == [0, 2]
    piles.clear(deck)
    read_deck(deck, None, None, counter())
    assert codes_of(CODES, deck.cards.tolist()[: deck.length]) == ["?"] * 4


# --- zones ---------------------------------------------------------------------------------------------------------


def test_a_card_keeps_its_name_when_zones_are_drawn_from_where_cards_end():
    ids = CardIds(CODES, back="toy")
    pile_cards, hand = ids.cards([0, 2]), ids.cards([0, UNKNOWN], "hand1")
    assert [card.id for card in (*pile_cards, *hand)] == ["ace.1", "king.1", "ace.2", "hand1?1"]
    assert [(card.face, card.down, card.back) for card in hand] == [("ace", False, ""), (None, True, "toy")]


def test_zones_lie_before_their_seats():
    cards = CardIds(CODES).cards([0, 1])
    assert (before(1, 1), before(0, 1)) == ("own", "seat:0")
    mine, other = hand_zone(1, 1, cards), hand_zone(0, 1, cards)
    assert (mine.id, mine.place, mine.layout, mine.label, mine.count, mine.fold) == (
        *("hand1", "hand", "fan", "Your hand", 2, False),
    )
    assert (other.id, other.place, other.layout, other.label, other.fold) == ("hand0", "seat:0", "lap", "", True)
    assert area_zone("area0", 0, 1, "row", cards, slots=6).slots == 6
    deck = stack_zone("deck", "Deck", 40)
    assert (deck.place, deck.layout, deck.count, deck.cards) == ("centre", "stack", 40, ())
    assert on_cards(3, "Play", ["a", "b"]) == [Choice(3, "card", "Play", on="a"), Choice(3, "card", "Play", on="b")]


def test_a_seat_says_who_is_to_play():
    state = new(game_state(2, record(limit=i1)))
    state.to_act = 0b10
    voice = Voice(("Ada", "Bo"), 0)
    seats = [seat_of(snapshot(state), seat, voice, Counter("cards", 3)) for seat in range(2)]
    assert [(seat.name, seat.acts, seat.note) for seat in seats] == [("You", False, ""), ("Bo", True, "to play")]


def test_several_seats_are_named_in_a_sentence_and_at_its_beginning():
    voice = Voice(("Ada", "bo", "Cleo"), viewer=0)
    assert voice.several([1, 0, 2]) == "bo, you and Cleo"
    assert voice.several_titled([0, 1]) == "You and bo"
    assert voice.several_titled([1, 0]) == "bo and you"
    assert capital(voice.several([1, 0])) == "Bo and you"
    assert capital("") == voice.several([]) == ""


# --- hands, turns and the end ----------------------------------------------------------------------------------------


def test_cards_of_a_kind_are_counted_removed_and_given():
    one, other = hand_of(1, 1, 4), hand_of(1, 2)
    assert (piles.count_card(one, 1), piles.count_in(np.array([3, 1, 3, 3]), 3, 3)) == (2, 2)
    assert piles.give_all(one, other, 1) == 2
    assert (one.cards.tolist()[:1], other.cards.tolist()[:4]) == ([4], [1, 1, 1, 2])
    assert (piles.remove_all(other, 1), piles.remove_all(other, 9), int(other.length)) == (3, 0, 1)
    piles.deal_hand(one, other, 1)
    assert (int(one.length), other.cards.tolist()[:2]) == (0, [2, 4])


def test_hands_are_hidden_counted_off_and_filled_together():
    state = new(game_state(2, record(limit=i1), turn=i1, hands=(pile(3), 2)))
    for seat, cards in enumerate(((0, 2), (1, 1))):
        for card in cards:
            piles.insert(state.hands[seat], card)
    hidden.hide_hands(state.hands, 1)
    assert [hand.held for hand in snapshot(state).hands] == [[UNKNOWN, UNKNOWN], [1, 1]]
    unseen = np.array([1, 3, 1], np.int8)
    hidden.count_off_hands(unseen, state.hands)
    assert unseen.tolist() == [1, 1, 1]
    assert hidden.fill_hands(state.hands, np.array([2, 0, 1], np.int8), 3) == 1
    assert [hand.held for hand in snapshot(state).hands] == [[0, 1], [1, 1]]
    give_turn(state, 1)
    assert (int(state.turn), may_act(state, 1), may_act(state, 0)) == (1, True, False)


def test_the_highest_score_wins_and_equal_seats_share():
    voice = Voice(("Ada", "Bo", "Cleo"), 0)
    assert WonByMost((3, 1, 0), "trick").sentence(voice) == "You win with 3 tricks."
    assert WonByMost((1, 1, 0), "trick").text(voice) == "You and Bo share the win with 1 trick each."
    assert WonByMost((1, 1, 0), "trick").result(voice).places == (1, 1, 3)


def test_a_scene_in_turns_shows_the_prompt_of_its_moment():
    state = new(game_state(2, record(limit=i1), turn=i1))
    state.players = 2
    give_turn(state, 0)
    asks = Prompt("yours", "Which card?")

    def drawn(viewer, ended=None):
        names = Voice(("Ada", "Bo"), viewer)
        more = {"counters": lambda seat: (Counter("cards", seat),), "zones": (), "choices": ()}
        return table_scene(snapshot(state), names, "toy", "Toy", ended=ended, asks=asks, waiting="Wait", **more)

    assert drawn(0).prompt == asks
    assert drawn(1).prompt == Prompt("waiting", "Wait")
    assert [seat.counters[0].value for seat in drawn(0).seats] == [0, 1]
    over = drawn(1, WonByMost((2, 1), "book", clauses=("TOY-30",)))
    assert (over.prompt.mode, over.prompt.text, over.prompt.clause) == ("over", "Ada wins with 2 books.", "TOY-30")
    assert over.result.scores == (2, 1)


def test_plain_faces_are_called_by_their_sign_or_their_code():
    faces = plain_faces("card", ["c7", "ace"], ["7", "A"], "TOY-01")
    assert [(code, face.name, face.big, face.clause) for code, face in faces.items()] == [
        ("c7", "7", "7", "TOY-01"),
        ("ace", "Ace", "A", "TOY-01"),
    ]
