"""Find the move that decided a finished game: the move after which the winner never lost the lead. In the last scene,
find the cards or the standings that decided it."""

from collections.abc import Callable, Sequence

from fairdeal.engine.events import Deciding, Described, Event, Won
from fairdeal.engine.scene import (
    Card,
    Decided,
    Light,
    LogLine,
    Result,
    Round,
    Scene,
    Seat,
    Sentence,
    Tally,
    Zone,
    as_text,
)
from fairdeal.engine.scene.points import minus, signed
from fairdeal.engine.state import State

LOOKED_BACK = 200
"""Maximum number of moves examined, counted back from the end."""

BLOCK = 16
"""Number of moves that are examined together."""

LONGEST = 90
"""Maximum length of the description of the move, in characters."""

CLOSE = 3
"""Maximum distance from the best score, or from par, at which a game counts as close (see also SMALL_PART)."""

SMALL_PART = 5
"""Inverse of the maximum share of the best score that this distance may be."""

MOST_CARDS = 6
"""Maximum number of cards shown with the move."""


def deciding_move(states: Callable[[int], State], made: int) -> int:
    """Return the number of the move after which the winner was in sole lead until the game ended. Return the last move
    if the game has no lead to measure. `states` returns the state after the given move."""
    winners = frozenset(seat for seat, place in enumerate(states(made).ranks) if place == 1)
    first = max(0, made - LOOKED_BACK)
    for begin in range(made - BLOCK, first - BLOCK, -BLOCK):  # computing states forwards is cheaper
        block = range(max(first, begin), begin + BLOCK)
        others = [number for number in block if states(number).leaders != winners]
        if others:
            return others[-1] + 1
    return made


def decided(
    move: int, made: int, winner: Seat, told: Sequence[Described], scenes: tuple[Scene, Scene]
) -> Decided | None:
    """Describe the deciding move `move` of `made` moves, for a viewer with these log lines and these scenes before and
    after the move. The last move decides a game only with the points of the round that it ended; otherwise return
    None."""
    before, after = scenes
    tally = next((one for one in after.round.tallies if one.seat == winner.seat), None) if after.round else None
    if after.round and tally and tally.points:
        text = round_in_words(after.round, tally, winner, after.viewer)
        cards = tuple(card for gain in tally.gains for card in gain.cards)[:MOST_CARDS]
        if move == made:
            return Decided(Sentence(text), move, cards)
    elif move == made:
        return None
    else:
        text, cards = oldest([as_text(line.text) for _, line in told if line.text]), cards_of_move(told, before, after)
    leads = "you led" if winner.seat == after.viewer else f"{winner.name} led"
    return Decided(Sentence(f"From move {move} on {leads}: {text}"), move, cards)


def round_in_words(ended: Round, tally: Tally, winner: Seat, viewer: int) -> str:
    """Return a sentence such as `Round 3 brought Bo 8: Books 5, three ∞ +3.` or `Round 3 brought Bo 1: last one in.`"""
    name = "you" if winner.seat == viewer else winner.name
    several = len(tally.gains) > 1
    reasons = ", ".join(f"{gain.label} {signed(gain)}" if several else gain.label for gain in tally.gains)
    return f"{ended.label} {ended.number} brought {name} {minus(tally.points)}: {reasons}."


def oldest(sentences: Sequence[str]) -> str:
    """Join the first sentences that fit into LONGEST characters. The first sentence is always included."""
    text = next(iter(sentences), "")
    for sentence in sentences[1:]:
        if len(text) + len(sentence) >= LONGEST:
            break
        text = f"{text} {sentence}"
    return text


def cards_of_move(told: Sequence[Described], before: Scene, after: Scene) -> tuple[str, ...]:
    """Return the faces of the cards that a move revealed: those played from a hand or turned up. If there are none,
    return the faces of all cards that moved and are visible."""
    first = told[0].line if told else LogLine(Sentence(""))
    places = {zone.id: zone.place for zone in (*before.zones, *after.zones)}
    faces = {card.id: card.face for zone in after.zones for card in zone.cards if card.face is not None}
    moved = [move.card for move in first.moves if places.get(move.goal) != "hand"]
    found = cards_made(first, places) or moved
    return tuple([faces[card] for card in found if card in faces][:MOST_CARDS])


def light(end: Scene, events: Sequence[Event], told: Sequence[Described]) -> Light | None:
    """Return the cards or standings that decided a game, in its last scene, given the last move's `events` and their
    log lines `told`. Return None if no seat has won or lost."""
    ended = next((event for event in events if isinstance(event, Won)), None)
    if ended:
        found = ended.deciding()
    else:
        places = end.result.places if end.result else ()
        found = Deciding(tuple([seat for seat, place in enumerate(places) if place == 1]), by_move=True)
    if not found.seats:
        return None
    up = {card.id: zone.id for zone in end.zones for card in face_up(zone)}
    line = told[0].line if told else None
    made = line is not None and found.by_move and line.seat in found.seats
    moved = cards_made(line, {zone.id: zone.place for zone in end.zones}) if line and made else []
    cards = [card for card, zone in up.items() if card in moved or card in found.on or zone in found.on]
    labels = {counter.label for seat in end.seats if seat.seat in found.seats for counter in seat.counters}
    counters = [label for label in labels if label in found.counters or label.removesuffix("s") in found.counters]
    return Light(tuple(cards), found.seats, tuple(sorted(counters)))


def face_up(zone: Zone) -> list[Card]:
    """Return the cards of a zone whose faces a screen shows. Only the top card of a pile is shown."""
    cards = zone.cards[-1:] if zone.layout == "stack" else zone.cards
    return [card for card in cards if card.face is not None and not card.down]


def comfort(result: Result, viewer: int) -> str:
    """Return a kind word for a viewer who has not won, or "".

    >>> comfort(Result("Ada wins.", places=(1, 2), scores=(7, 6)), 1)
    'One short: it could hardly be closer.'
    """
    places, alone = result.places, len(result.places) == 1
    if viewer < 0 or (result.won if alone else not result.won or places[viewer] == 1):
        return ""
    goal = result.par if alone else max(result.scores)
    short = 0 if goal is None or result.shown else goal - result.scores[viewer]
    if short == 1:
        return "One short: it could hardly be closer."
    if 1 < short <= CLOSE and short * SMALL_PART <= (goal or 0):
        return f"Only {short} short. Well played."
    if len(places) > 2 and places[viewer] == 2 and places.count(2) == 1:
        return f"Second of {len(places)}. Well played."
    return "The next deal may be kinder." if alone else "Well played."


def cards_made(line: LogLine, places: dict[str, str]) -> list[str]:
    """Return the ids of the cards that a move turned up or played from a hand."""
    moved = [move for move in line.moves if places.get(move.goal) != "hand"]
    return [*line.turned, *[move.card for move in moved if is_hand(move.origin, places)]]


def is_hand(zone: str, places: dict[str, str]) -> bool:
    return places.get(zone) == "hand" or zone.rstrip("0123456789") == "hand"
