"""What a viewer of WAR X-TREME cannot know, told once more from the zone table of docs/rules (section 5)."""


def rearrange_war(position, viewer, random, deep):
    """Armies, tax pile, slots that the viewer has not peeked at, stakes, unturned recruits; the store and the hands
    of others, with what they hide; answers that are still secret.

    Shallow: the tops of armies and store, and all other places, stay as they are, so that the next move shows the same.
    """
    places = list(hidden_places(position, viewer, deep))
    cards = [zone[key] for zone, key in places]
    random.shuffle(cards)
    for (zone, key), card in zip(places, cards, strict=True):
        zone[key] = card
    rearrange_equipment(position, viewer, random, deep)
    if deep:
        for seat in position["choices"]:
            if int(seat) != viewer:
                given = position["choices"][seat]
                others = [answer for answer in answers(position, seat) if answer != given]
                position["choices"][seat] = random.choice(others or [given])
    return position


def answers(position, seat):
    """What a seat may have answered in secret: WAR-03, 20, 54. Who loses to a war or cannot pay had no choice."""
    if position["phase"] == "EXTREME":
        return ["yes", "no"]
    if position["phase"] == "RACE":
        return ["pass", "act roar", "act vanish", "act curtsy"]
    given, deck = position["choices"][seat], position["seats"][int(seat)]
    if given == "spoils" or len(deck["army"] + deck["camp"]) < 2:
        return [given]
    return [given, "flee", f"buy-in {len(position['wars']) - 1}"]


def hidden_places(position, viewer, deep):
    """Where the unknown cards lie, as pairs of a list or mapping and a place in it."""
    for seat in position["seats"]:
        yield from lower(seat["army"], 0 if deep else 6)
    yield from lower(position["tax"], 0 if deep else len(position["tax"]))
    seen = position["seats"][viewer]["seen"] if viewer >= 0 else []
    for slot, card in enumerate(position["slots"]):
        if deep and card is not None and slot + 1 not in seen:
            yield position["slots"], slot
    for war in position["wars"]:
        for stakes in war["pot_down"].values():
            if deep:
                yield from lower(stakes, 0)
        if deep and position["phase"] == "RECRUIT":
            yield from ((war["recruits"], seat) for seat, card in war["recruits"].items() if card is not None)


def lower(pile, kept):
    """The places below the first `kept` ones."""
    return ((pile, place) for place in range(kept, len(pile)))


def rearrange_equipment(position, viewer, random, deep):
    """Hands of others keep their number of cards, hidden ones counted in."""
    if not deep:
        position["store"][3:] = random.sample(position["store"][3:], len(position["store"][3:]))
        return
    others = [seat for number, seat in enumerate(position["seats"]) if number != viewer]
    pool = position["store"] + [number for seat in others for number in seat["hand"] + seat["hidden"]]
    random.shuffle(pool)
    for seat in others:
        size = len(seat["hand"]) + len(seat["hidden"])
        seat["hand"], seat["hidden"] = [pool.pop() for _ in range(size)], []
        due = position["round"] > 1 and position["options"].get("must_play", "catch") == "catch"
        if due and position["phase"] != "PREP":
            seat["hidden"] = [number for number in seat["hand"] if number in (14, 15)]
            seat["hand"] = [number for number in seat["hand"] if number not in (14, 15)]
    position["store"] = pool
