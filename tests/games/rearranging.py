"""Which cards of a position nobody but their owner may know, told once more from the zone tables of docs/rules.

A function takes (position, viewer, random, deep) and gives the position with another arrangement of what the viewer
cannot know.
"""


def rearrange_chip_it(position, viewer, random, deep):
    """Hands of the others, and the cards set aside."""
    codes = set_aside(position)
    others = [seat for seat in range(len(position["hands"])) if seat != viewer]
    pool = codes + [code for seat in others for code in position["hands"][seat]]
    random.shuffle(pool)
    for seat in others:
        position["hands"][seat] = [pool.pop() for _ in position["hands"][seat]]
    return position


def set_aside(position):
    """CHIP IT: the cards that lie in no zone of a position, as `aside` is only a count."""
    codes = [f"{n}g" for n in range(2, 22)] * 2 + [f"{n}p" for n in range(2, 12)] * 2
    for zone in (*position["hands"], *position["front"], position["discard"]):
        for code in zone:
            codes.remove(code.split("+")[0])
    return codes


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


def rearrange_ninjas(position, viewer, random, deep):
    """The other hands, but for the cards that the viewer has seen go there (`seen`), and the deck's order.

    Shallow: the top half of the deck stays as it is, so that the next draws are the same.
    """
    mine = str(viewer) if viewer >= 0 else "s"
    hands, deck = position["hands"], position["deck"]
    seen = position.pop("seen", [[""] * len(hand) for hand in hands])
    still, pool = ([], deck) if deep else (deck[: len(deck) // 2], deck[len(deck) // 2 :])
    known = {
        seat: [card for card, viewers in zip(hands[seat], seen[seat], strict=True) if mine in viewers]
        for seat in range(len(hands))
        if seat != viewer
    }
    pool = list(pool)
    for seat, cards in known.items():
        hidden = list(hands[seat])
        for card in cards:
            hidden.remove(card)
        pool += hidden
    random.shuffle(pool)
    for seat, cards in known.items():
        hands[seat] = cards + [pool.pop() for _ in range(len(hands[seat]) - len(cards))]
    position["seen"] = [
        [mine if place < len(known.get(seat, ())) else "" for place in range(len(hand))]
        for seat, hand in enumerate(hands)
    ]
    position["deck"] = still + pool
    return position


def rearrange_cut(position, viewer, random, deep):
    """The deck's order, and the cards of a playoff, which not even their owners see.

    Shallow: the top half of the deck, and the cards of a playoff, stay as they are.
    """
    rearrange_deck(position, random, deep)
    if deep and "tied" in position:
        deal_playoff_anew(position, random)
    return position


def playoff_deck(position):
    """GEN-01, TOUR-07: the forty cards of CHIMAX, but for those of the Book under way."""
    pool = ["inf", "0", "half", "100", "50", "25", "15", "10", "5", "3", "2", "1"] * 3 + ["?"] * 4
    for entry in position["book"]:
        pool.remove("?" if entry["card"].startswith("?") else entry["card"])
    return pool


def deal_playoff_anew(position, random):
    """Other cards for those who still hold one in a playoff."""
    pool = playoff_deck(position)
    random.shuffle(pool)
    position["hands"] = [[pool.pop() for _ in hand] for hand in position["hands"]]


def rearrange_deck(position, random, deep):
    """The order of a deck that waits; shallow, of its lower half."""
    if "deck" in position:
        still = 0 if deep else len(position["deck"]) // 2
        pool = position["deck"][still:]
        position["deck"][still:] = random.sample(pool, len(pool))


def rearrange_match(position, viewer, random, deep):
    """The faces that were never turned, the order of a deck, the cards of a playoff.

    Shallow: only the later half of the unseen places, and of a deck.
    """
    layout = position["layout"]
    unseen = [place for place, card in enumerate(layout) if card is not None and place + 1 not in position["seen"]]
    places = unseen if deep else unseen[len(unseen) // 2 :]
    faces = [layout[place] for place in places]
    random.shuffle(faces)
    for place, face in zip(places, faces, strict=True):
        layout[place] = face
    rearrange_deck(position, random, deep)
    if deep and position["phase"] == "playoff":
        deal_playoff_anew(position, random)
    return position


def rearrange_order(position, viewer, random, deep):
    """As in Match; on own boards, each layout for itself."""
    if not position["layout"] or not isinstance(position["layout"][0], list):
        return rearrange_match(position, viewer, random, deep)
    for layout, seen in zip(position["layout"], position["seen"], strict=True):
        rearrange_match({"layout": layout, "seen": seen, "phase": "flip"}, viewer, random, deep)
    rest = rearrange_match(position | {"layout": [], "seen": []}, viewer, random, deep)
    return rest | {"layout": position["layout"], "seen": position["seen"]}


def rearrange_jackpot(position, viewer, random, deep):
    """The order of the piles, but for the player of an open table, and that of a deck.

    Shallow: the top half of each stays as it is.
    """
    open_to_viewer = position["options"].get("open_stock") and viewer == 0
    kept = [pile if open_to_viewer else [] if deep else pile[: len(pile) // 2] for pile in position["stock"]]
    pool = [card for pile, still in zip(position["stock"], kept, strict=True) for card in pile[len(still) :]]
    random.shuffle(pool)
    for pile, still in zip(position["stock"], kept, strict=True):
        pile[len(still) :] = [pool.pop() for _ in pile[len(still) :]]
    rearrange_deck(position, random, deep)
    return position


def rearrange_books(position, viewer, random, deep):
    """Cards of hands that the viewer may not see, which slot others have committed, the deck, cards of a playoff.

    Won piles stay, as all saw what went into them. Shallow: only the later half of the slots.
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
    rearrange_deck(position, random, deep)
    return position


def told_by_missed(shown, path):
    """MEM-04: `missed` names the place of a card that was just turned back, for all to see."""
    missed = shown.get("missed") or []
    return path[0] == "layout" and any(
        path[-1] + 1 == one["place"] and (len(path) == 2 or path[1] == one["seat"])
        for one in ([missed] if isinstance(missed, dict) else missed)
    )


def other_slots(position, path):
    """BOOKS-11: which other slots somebody could have committed."""
    return sum(slot is not None for slot in position["hands"][path[-1]]) - 1


def another(position, path):
    """Some other value is always possible: yes or no, an action or none, any of forty cards."""
    return 1
