"""Rearrangements of hidden cards of WAR X-TREME, written from the zone table of docs/rules (section 5)."""

from tests.games.rearranging import shuffle_below


def rearrange_war(position, viewer, random, deep):
    """Rearrange armies, the tax pile, slots that the viewer has not peeked at, stakes and unturned recruits; the store,
    and the hands and hidden cards of others; and secret answers.

    If shallow, only the lower parts of armies and store, so that the next move shows the same.
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
    """Return the possible secret answers of a seat (WAR-03, 20, 54). A seat that loses to a war or cannot pay has no
    choice."""
    if position["phase"] == "EXTREME":
        return ["yes", "no"]
    if position["phase"] == "RACE":
        return ["pass", "act roar", "act vanish", "act curtsy"]
    given, deck = position["choices"][seat], position["seats"][int(seat)]
    if given == "spoils" or len(deck["army"] + deck["camp"]) < 2:
        return [given]
    return [given, "flee", f"buy-in {len(position['wars']) - 1}"]


def hidden_places(position, viewer, deep):
    """Yield the places of unknown cards, as pairs of a list or mapping and a key."""
    for seat in position["seats"]:
        yield from places_of(seat["army"], 0 if deep else 6)
    if not deep:
        return
    yield from places_of(position["tax"])
    seen = position["seats"][viewer]["seen"] if viewer >= 0 else []
    for slot, card in enumerate(position["slots"]):
        if card is not None and slot + 1 not in seen:
            yield position["slots"], slot
    for war in position["wars"]:
        for stakes in war["pot_down"].values():
            yield from places_of(stakes)
        if position["phase"] == "RECRUIT":
            yield from ((war["recruits"], seat) for seat, card in war["recruits"].items() if card is not None)


def places_of(pile, kept=0):
    """Return the places after the first `kept` ones."""
    return ((pile, place) for place in range(kept, len(pile)))


def rearrange_equipment(position, viewer, random, deep):
    """Shuffle the store and the hands of others, which keep their number of cards including hidden ones."""
    if not deep:
        shuffle_below([(position["store"], 3)], random)
        return
    others = [seat for number, seat in enumerate(position["seats"]) if number != viewer]
    for seat in others:
        seat["hand"] += seat["hidden"]
        seat["hidden"] = []
    shuffle_below([(cards, 0) for cards in (position["store"], *(seat["hand"] for seat in others))], random)
    due = position["round"] > 1 and position["options"].get("must_play", "catch") == "catch"
    for seat in others if due and position["phase"] != "PREP" else ():
        seat["hidden"] = [number for number in seat["hand"] if number in (14, 15)]
        seat["hand"] = [number for number in seat["hand"] if number not in (14, 15)]
