"""The kits that games are written with: matches, positions, zones, turns and winners."""

import pytest

from fairdeal.engine.errors import BadPosition
from fairdeal.engine.events import WonByMost, grown_totals
from fairdeal.engine.kit.matches import next_game_to, start_match
from fairdeal.engine.kit.positions import (
    CardCounter,
    sized,
)
from fairdeal.engine.kit.seats import give_turn, may_act
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.records import UNKNOWN, game_state, i1, new, pile, record
from fairdeal.engine.scene import Choice, Counter, Prompt, Voice, Zone, capital
from fairdeal.engine.scene.zones import (
    CardIds,
    area_zone,
    hand_zone,
    on_cards,
    plain_faces,
    seat_of,
    stack_zone,
    table_scene,
)

CODES = ("ace", "two", "king")


STATE = game_state(2, record(limit=i1), turn=i1, hands=(pile(3), 2))


# --- matches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "target", "played"), [(0, 7, 4), (0, 8, 4), (0, 1, 1), (3, 7, 3), (5, 7, 4), (0, 9999, 127)]
)
def test_a_match_ends_as_soon_as_a_total_has_reached_the_target(games, target, played):
    """Seat 1 wins two points in each game, and seat 0 one."""
    state = new(STATE)
    state.players, state.to_act = 2, 3
    start_match(state, games, 0)
    more = True
    while more:
        state.match.totals[0] += 1
        state.match.totals[1] += 2
        more = next_game_to(state, 1, target)
    assert (state.match.game, state.match.games) == (played, played)
    assert (state.over, state.to_act, state.match.first) == (1, 0, int(played > 1))


def test_the_end_of_a_game_of_a_match_is_an_event_with_the_new_totals():
    state = new(STATE)
    state.players = 2
    start_match(state, 0, 0)
    before = snapshot(state.copy())
    state.match.totals[1] = 5
    next_game_to(state, 0, 66)
    (ended,) = grown_totals(before, snapshot(state))
    assert (ended.number, ended.totals, ended.label) == (1, (0, 5), "Game")


# --- positions -----------------------------------------------------------------------------------------------------


def test_a_deck_counts_every_code():
    with pytest.raises(ValueError, match="3 card codes, but `in_deck` has 2 kinds"):
        CardCounter(CODES, (2, 1), "ace", "TOY-01")


def counter():
    return CardCounter(CODES, (2, 1, 1), "ace, two, king", "TOY-01")


def test_a_list_of_another_length_is_refused():
    with pytest.raises(BadPosition, match="there are two seats"):
        sized("hands", [1], 2, "there are two seats")


def test_an_unknown_card_is_refused_where_all_are_known():
    with pytest.raises(BadPosition, match=r"at row\[1\]: .*no such card: ace, two, king"):
        counter().kind("row[1]", "?")


# --- zones ---------------------------------------------------------------------------------------------------------


def test_a_card_keeps_its_name_when_zones_are_drawn_from_where_cards_end():
    ids = CardIds(CODES, back="toy")
    pile_cards, hand = ids.cards([0, 2]), ids.cards([0, UNKNOWN], "hand1")
    assert [card.id for card in (*pile_cards, *hand)] == ["ace.1", "king.1", "ace.2", "hand1?1"]
    assert [(card.face, card.down, card.back) for card in hand] == [("ace", False, ""), (None, True, "toy")]


def test_zones_lie_before_their_seats():
    cards = CardIds(CODES).cards([0, 1])
    both = {"count": 2, "cards": cards, "say": "hand"}
    assert hand_zone(1, 1, cards) == Zone("hand1", "hand", "fan", "Your hand", size="hand", **both)
    assert hand_zone(0, 1, cards) == Zone("hand0", "seat:0", "lap", size="mini", fold=True, **both)
    assert area_zone("area1", 1, 1, "row", slots=6) == Zone("area1", "own", "row", slots=6)
    assert stack_zone("deck", "Deck", 40) == Zone("deck", "centre", "stack", "Deck", 40)
    assert on_cards(3, "Play", ["a", "b"]) == [Choice(3, "card", "Play", on="a"), Choice(3, "card", "Play", on="b")]


def test_a_seat_shows_whether_it_is_to_play():
    state = new(STATE)
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


def test_the_highest_score_wins_and_equal_seats_share():
    voice = Voice(("Ada", "Bo", "Cleo"), 0)
    assert WonByMost((3, 1, 0), "trick").sentence(voice) == "You win with 3 tricks."
    assert WonByMost((1, 1, 0), "trick").text(voice) == "You and Bo share the win with 1 trick each."
    assert WonByMost((1, 1, 0), "trick").result(voice).places == (1, 1, 3)


def test_a_scene_in_turns_shows_the_prompt_of_its_moment():
    state = new(STATE)
    state.players = 2
    give_turn(state, 1)
    assert (int(state.turn), may_act(state, 1), may_act(state, 0)) == (1, True, False)
    asks = Prompt("yours", "Which card?")

    def drawn(viewer, ended=None):
        names = Voice(("Ada", "Bo"), viewer)
        more = {"counters": lambda seat: (Counter("cards", seat),), "zones": (), "choices": ()}
        return table_scene(snapshot(state), names, "toy", "Toy", ended=ended, asks=asks, waiting="Wait", **more)

    assert drawn(1).prompt == asks
    assert drawn(0).prompt == Prompt("waiting", "Wait")
    assert [seat.counters[0].value for seat in drawn(0).seats] == [0, 1]
    over = drawn(1, WonByMost((2, 1), "book", clauses=("TOY-30",)))
    assert (over.prompt.mode, over.prompt.text, over.prompt.clause) == ("over", "Ada wins with 2 books.", "TOY-30")
    assert over.result.scores == (2, 1)


def test_plain_faces_are_named_by_their_sign_or_their_code():
    faces = plain_faces("card", ["c7", "ace"], ["7", "A"], "TOY-01")
    assert [(code, face.name, face.big, face.clause) for code, face in faces.items()] == [
        ("c7", "7", "7", "TOY-01"),
        ("ace", "Ace", "A", "TOY-01"),
    ]
