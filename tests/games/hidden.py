"""Which cards of a position nobody but their owner may know, told once more from the zone tables of docs/rules.

`rearranged(state, viewer, random)` gives a full state that differs only in what the viewer cannot know.
"""

from __future__ import annotations

from fairdeal.engine import chance


def rearrange_chip_it(position, viewer, random, deep):
    """Hands of the others, and the cards set aside; `aside` is only a count, so its cards are those left over."""
    codes = [f"{n}g" for n in range(2, 22)] * 2 + [f"{n}p" for n in range(2, 12)] * 2
    for zone in (*position["hands"], *position["front"], position["discard"]):
        for code in zone:
            codes.remove(code.split("+")[0])
    others = [seat for seat in range(len(position["hands"])) if seat != viewer]
    pool = codes + [code for seat in others for code in position["hands"][seat]]
    random.shuffle(pool)
    for seat in others:
        position["hands"][seat] = [pool.pop() for _ in position["hands"][seat]]
    return position


def rearrange_chi(position, viewer, random, deep):
    """The other hand, but for the cards taken openly (`seen`), and the deck's order.

    Shallow: the top half of the deck stays as it is, so that the next draws are the same.
    """
    others = [seat for seat in range(2) if seat != viewer]
    deck = position["deck"]
    kept = deck if deep else deck[len(deck) // 2 :]
    still = [] if deep else deck[: len(deck) // 2]
    seen = position.get("seen", [[], []])
    known = {seat: list(seen[seat]) for seat in others}
    pool = list(kept)
    for seat in others:
        hidden = list(position["hands"][seat])
        for card in known[seat]:
            hidden.remove(card)
        pool += hidden
    random.shuffle(pool)
    for seat in others:
        missing = len(position["hands"][seat]) - len(known[seat])
        position["hands"][seat] = known[seat] + [pool.pop() for _ in range(missing)]
    position["deck"] = still + pool
    return position


REARRANGE = {"chip-it": rearrange_chip_it, "chi": rearrange_chi}


def rearranged(state, viewer, random, deep=True):
    """A state that differs from this one only in what the viewer cannot know."""
    position = REARRANGE[state.game.name](state.position(), viewer, random, deep)
    other = state.table.setup(position)
    chance.set_key(other.record.chance, random.randbytes(32))
    return other
