"""Rearrangements of hidden cards, written from the zone tables of docs/rules and not from the rules.

A function takes (position, viewer, random, deep) and returns the position with another arrangement of what the viewer
cannot know.
"""

from collections import Counter


def shuffle_below(piles, random):
    """Shuffle cards among piles; each pile comes with the number of its first cards that stay."""
    pool = [card for pile, kept in piles for card in pile[kept:]]
    random.shuffle(pool)
    for pile, kept in piles:
        pile[kept:] = [pool.pop() for _ in pile[kept:]]


def deck_of(position, deep):
    """Return the deck, if there is one, as a pile for `shuffle_below`: if shallow, its top half stays."""
    return [(deck, 0 if deep else len(deck) // 2) for deck in [position.get("deck", [])]]


def rearrange_chip_it(position, viewer, random, deep):
    """Rearrange the other hands and the cards set aside."""
    others = [hand for seat, hand in enumerate(position["hands"]) if seat != viewer]
    shuffle_below([(cards, 0) for cards in (set_aside(position), *others)], random)
    return position


def set_aside(position):
    """Return the cards of CHIP IT in no zone of a position, where `aside` is only a number."""
    codes = [f"{n}g" for n in range(2, 22)] * 2 + [f"{n}p" for n in range(2, 12)] * 2
    for zone in (*position["hands"], *position["front"], position["discard"]):
        for code in zone:
            codes.remove(code.split("+")[0])
    return codes


def rearrange_chi(position, viewer, random, deep):
    """Rearrange the other hand, except the cards taken openly (`seen`), and the deck.

    If shallow, the top half of the deck stays, so that the next draws are the same.
    """
    return rearrange_hands(position, viewer, position.get("seen", [[], []]), random, deep)


def rearrange_hands(position, viewer, known, random, deep):
    piles = deck_of(position, deep)
    for seat, hand in enumerate(position["hands"]):
        if seat != viewer:
            hand[:] = [*known[seat], *(Counter(hand) - Counter(known[seat])).elements()]
            piles.append((hand, len(known[seat])))
    shuffle_below(piles, random)
    return position


def rearrange_ninjas(position, viewer, random, deep):
    """Rearrange the other hands, except the cards that the viewer has seen go there (`seen`), and the deck.

    If shallow, the top half of the deck stays, so that the next draws are the same.
    """
    mine = str(viewer) if viewer >= 0 else "s"
    hands = position["hands"]
    seen = position.pop("seen", [[""] * len(hand) for hand in hands])
    known = [
        [card for card, viewers in zip(hand, seen[seat], strict=True) if mine in viewers and seat != viewer]
        for seat, hand in enumerate(hands)
    ]
    rearrange_hands(position, viewer, known, random, deep)
    position["seen"] = [
        [mine if place < len(cards) else "" for place in range(len(hand))]
        for hand, cards in zip(hands, known, strict=True)
    ]
    return position


def rearrange_cut(position, viewer, random, deep):
    """Rearrange the deck, and the cards of a playoff, which not even their owners see.

    If shallow, the top half of the deck and the cards of a playoff stay.
    """
    shuffle_below(deck_of(position, deep), random)
    if deep and "tied" in position:
        deal_playoff_anew(position, random)
    return position


def playoff_deck(position):
    """Return the forty cards of CHIMAX, except those of the Book in play (GEN-01, TOUR-07)."""
    pool = ["inf", "0", "half", "100", "50", "25", "15", "10", "5", "3", "2", "1"] * 3 + ["?"] * 4
    for entry in position["book"]:
        pool.remove("?" if entry["card"].startswith("?") else entry["card"])
    return pool


def deal_playoff_anew(position, random):
    """Deal other cards to the seats that still hold one in a playoff."""
    pool = playoff_deck(position)
    random.shuffle(pool)
    position["hands"] = [[pool.pop() for _ in hand] for hand in position["hands"]]


def rearrange_match(position, viewer, random, deep):
    """Rearrange the faces that were never turned up, the deck, and the cards of a playoff.

    If shallow, only the later half of the unseen places, and of the deck.
    """
    layout = position["layout"]
    unseen = [place for place, card in enumerate(layout) if card is not None and place + 1 not in position["seen"]]
    places = unseen if deep else unseen[len(unseen) // 2 :]
    faces = [layout[place] for place in places]
    random.shuffle(faces)
    for place, face in zip(places, faces, strict=True):
        layout[place] = face
    shuffle_below(deck_of(position, deep), random)
    if deep and position["phase"] == "playoff":
        deal_playoff_anew(position, random)
    return position


def rearrange_order(position, viewer, random, deep):
    """Rearrange as in Match; separate boards each by itself."""
    if not position["layout"] or not isinstance(position["layout"][0], list):
        return rearrange_match(position, viewer, random, deep)
    for layout, seen in zip(position["layout"], position["seen"], strict=True):
        rearrange_match({"layout": layout, "seen": seen, "phase": "flip"}, viewer, random, deep)
    rest = rearrange_match(position | {"layout": [], "seen": []}, viewer, random, deep)
    return rest | {"layout": position["layout"], "seen": position["seen"]}


def rearrange_jackpot(position, viewer, random, deep):
    """Rearrange the piles, which the player of an open table sees, and the deck.

    If shallow, the top half of each stays.
    """
    open_to_viewer = position["options"].get("open_stock") and viewer == 0
    if not open_to_viewer:
        shuffle_below([(pile, 0 if deep else len(pile) // 2) for pile in position["stock"]], random)
    shuffle_below(deck_of(position, deep), random)
    return position


def rearrange_books(position, viewer, random, deep):
    """Rearrange the cards of hands that the viewer may not see, the slots that others have chosen, the deck, and the
    cards of a playoff.

    Won piles stay, because everybody saw their cards. If shallow, only the later half of the slots.
    """
    peek, hands = position["options"].get("peek"), position["hands"]
    hidden = []
    for seat, hand in enumerate(hands):
        exposed = position.get("exposed", [[]] * len(hands))[seat]
        for slot, card in enumerate(hand):
            seen = (peek and seat == viewer) or slot + 1 in exposed
            if card is not None and not seen and (deep or 2 * slot >= len(hand)):
                hidden.append((seat, slot))
    pool = [hands[seat][slot] for seat, slot in hidden]
    if position["phase"] == "playoff":
        pool = playoff_deck(position)
        if peek and viewer in position["tied"]:
            for card in hands[viewer]:
                pool.remove(card)
    random.shuffle(pool)
    for seat, slot in hidden:
        hands[seat][slot] = pool.pop()
    if deep and position["options"].get("pick") != "top":
        for seat, committed in enumerate(position.get("committed", [])):
            if committed is not None and seat != viewer and position["phase"] == "choose":
                filled = [slot for slot, card in enumerate(hands[seat], start=1) if card is not None]
                position["committed"][seat] = random.choice(filled)
    shuffle_below(deck_of(position, deep), random)
    return position


def told_by_missed(shown, path):
    """Return whether `missed` shows the card at a path, which was just turned back (MEM-04)."""
    missed = shown.get("missed") or []
    return path[0] == "layout" and any(
        path[-1] + 1 == one["place"] and (len(path) == 2 or path[1] == one["seat"])
        for one in ([missed] if isinstance(missed, dict) else missed)
    )


def other_slots(position, path):
    """Return the number of other slots that a seat could have chosen (BOOKS-11)."""
    return sum(slot is not None for slot in position["hands"][path[-1]]) - 1


def another(position, path):
    """Return 1, because another value is always possible: yes or no, an action or none, any of forty cards."""
    return 1
