"""Perft: the compiled count is the plain one, and is what playing every move by hand gives."""

import pytest

import fairdeal
from fairdeal.bots.bots import RandomBot
from fairdeal.lab.perft import divide, perft
from tests.conftest import at_most_two


def by_hand(state, depth):
    if depth == 0:
        return 1
    total = 0
    for seat in state.to_act:
        for actions in state.action_moves(seat):
            after = state.copy()
            after.play_actions(seat, actions)
            total += by_hand(after, depth - 1) if not after.over or depth == 1 else 0
    return total


def near_the_end(name):
    """A state with few moves left: a random game of two, or of one, taken back some moves from its end."""
    state = fairdeal.load(name, players=at_most_two(name)).deal(11)
    bot = RandomBot(b"near the end")
    states = [state.copy()]
    while not state.over:
        seat = state.to_act[0]
        state.play_actions(seat, bot.choose(state.view(seat), seat, len(states)).actions)
        states.append(state.copy())
    return states[max(0, len(states) - 4)]


MOST_BY_HAND = 20_000
"""Where a player has forty moves, one step less is counted by hand."""


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_compiled_plain_and_counting_by_hand_agree(name, depth):
    state = near_the_end(name)
    if perft(state, depth) > MOST_BY_HAND:
        depth -= 1
    before = state.record.tobytes()
    assert perft(state, depth) == perft(state, depth, plain=True) == by_hand(state, depth)
    assert state.record.tobytes() == before


def test_dividing_gives_a_count_for_each_first_move(name):
    state = near_the_end(name)
    counts = divide(state, 3)
    assert sum(counts.values()) == perft(state, 3)
    assert set(counts) == {f"{seat}: {move}" for seat in state.to_act for move in state.moves(seat)}


def test_a_depth_below_zero_is_refused(name):
    with pytest.raises(fairdeal.FairdealError, match="0 or more"):
        perft(near_the_end(name), -1)


RACE = [1, 12, 12, 156, 2016, 26040, 336336]
STRICT = [1, 4, 8, 18, 48, 132, 432, 1392, 3160]

KEPT_COUNTS = [
    ("chi", {}, [1, 7, 63, 468, 4188, 32678]),
    ("chi", {"yang_layout": "mixed", "draw_source": "row_or_deck"}, [1, 8, 80, 679, 6801, 61007]),
    ("chaos-ninjas", {}, [1, 7, 56, 390, 3115, 23976]),
    ("chaos-ninjas", {"players": 3, "spirit": "wild"}, [1, 8, 64, 438, 3441, 27628]),
    ("chaos-ninjas", {"abilities": False, "pair_attack": "same_colour"}, [1, 7, 56, 417, 3359, 26084]),
    ("chimax-jackpot", {}, [1, 1, 1, 1, 13, 26, 52, 91, 182, 364]),
    ("chimax-jackpot", {"qmark_when": "claim", "cut": "player"}, [1, 38, 38, 38, 38, 38, 76, 151, 264, 526]),
    ("chip-it", {"players": 4, "first_player": 0}, [1, 30852]),
    ("chip-it", {"players": 2, "mode": "duel", "first_player": 0, "raise": "lowest"}, [1, 1724, 208957]),
    ("chip-it", {"players": 3, "first_player": 0, "value_cap": 24}, [1, 16998, 2896195]),
    ("chimax-books", {"players": 2, "first_dealer": 0}, [1, 20, 368, 6460, 112764]),
    ("chimax-books", {"peek": True, "reveal": "simultaneous", "first_dealer": 0}, [1, 32, 764, 12096, 95256]),
    ("chimax-cut", {"players": 2, "first_dealer": 0}, [1, 39, 1407, 43698]),
    ("chimax-order", {"first_dealer": 0}, [1, 13, 168, 2159, 27601, 351134]),
    ("chimax-order", {"board": "race", "cut": "player", "direction": "descending", "first_dealer": 0}, RACE),
    ("war-xtreme", {}, [1, 4, 8, 8, 16, 88, 416, 1960]),
    ("war-xtreme", {"players": 4, "ask_extreme": False}, [1, 16, 72, 480, 2256]),
    ("war-xtreme", {"must_play": "enforced", "race": "seeded", "auto_sweep": False, "ask_extreme": False}, STRICT),
]


@pytest.mark.parametrize(
    ("title", "options", "counts"), [kept for kept in KEPT_COUNTS if kept[0] in fairdeal.game_names()]
)
def test_the_counts_of_some_deals_stay_what_they_were(title, options, counts):
    state = fairdeal.load(title, **options).deal(7)
    assert [perft(state, depth) for depth in range(len(counts))] == counts
