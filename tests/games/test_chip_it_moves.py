"""CHIP IT: the factored steps give exactly the moves that the specification defines (CHIP-20..29)."""

from itertools import combinations

import numpy as np
import pytest

import fairdeal

NUMBERS = {f"{n}g": n for n in range(2, 22)} | {f"{n}p": n for n in range(2, 12)}


def cost(code: str, value: int) -> int | None:
    """Return the price of a card at a value (CHIP-23, 24), written from the specification and not from the rules."""
    number = NUMBERS[code]
    if value < number:
        return None
    if code.endswith("g"):
        return value - number
    return value // number - 1 if value % number == 0 else None


def plays(hand: list[str], top: tuple[int, int] | None, pool: int, cap: int, lowest: bool) -> set[str]:
    """Return every legal play, by trying every set of cards at every value."""
    found = set()
    order = sorted(hand, key=lambda code: (NUMBERS[code], code))
    sizes = [top[0]] if top else range(1, len(hand) + 1)
    for size in sizes:
        for cards in set(combinations(order, size)):
            for value in range((top[1] if top else 0) + 1, cap + 1):
                costs = [cost(code, value) for code in cards]
                if None in costs:
                    continue
                if sum(costs) <= pool:
                    found.add(f"play {' '.join(cards)} as {value}")
                if lowest or sum(costs) > pool:
                    break
    return found


@pytest.mark.parametrize("raising", ["any", "lowest"])
@pytest.mark.parametrize("seed", range(60))
def test_the_steps_build_every_play_in_exactly_one_way(seed, raising):
    random = np.random.default_rng(seed)
    deck = [code for code in NUMBERS for _ in range(2)]
    random.shuffle(deck)
    size = int(random.integers(1, 7))
    hand = deck[:size]
    contested = bool(random.integers(0, 4))
    top = (int(random.integers(1, min(size, 4) + 1)), int(random.integers(2, 40))) if contested else None
    cap = [1199, 30, 66][int(random.integers(0, 3))]
    pool = int(random.integers(0, 60))
    table = fairdeal.load("chip-it", players=3, value_cap="none" if cap == 1199 else cap, **{"raise": raising})
    position = {
        "hands": [hand, ["?"], ["?"]],
        "bank": [0, 108 - pool, 0],
        "turn": 0,
        "top": {"owner": 2, "count": top[0], "value": top[1]} if top else None,
    }
    moves = [move for move in table.setup(position).moves(0) if move.startswith("play")]
    assert moves or contested
    assert len(moves) == len(set(moves))
    assert set(moves) == plays(hand, top, pool, cap, raising == "lowest")


@pytest.mark.parametrize("hand", [["8g"], []], ids=["cards", "no cards"])
def test_every_button_that_passes_says_so(hand):
    """CHIP-43: a player without cards must pass, and gives back points by that."""
    state = fairdeal.load("chip-it", players=2).setup({"hands": [hand, ["9g"]], "bank": [3, 0], "turn": 0}, seed=1)
    labels = [choice.label for choice in state.scene(0).choices if choice.kind == "button"]
    assert "Pass and give back 1" in labels
    assert all(label.startswith("Pass") for label in labels), labels
    assert hand or state.scene(0).prompt.text.startswith("Pass")
