"""Find the move that decided a finished game: the move after which the winner never lost the lead, or else the last
move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairdeal.engine.events import Described
from fairdeal.engine.scene import Decided, LogLine, Round, Scene, Seat, Sentence, Tally, as_text
from fairdeal.engine.scene.points import minus, signed
from fairdeal.engine.state import State

LOOKED_BACK = 200
"""Maximum number of moves examined, counted back from the end."""

BLOCK = 16
"""Number of moves that are examined together."""

LONGEST = 90
"""Maximum length of the description of the move, in characters."""

MOST_CARDS = 6
"""Maximum number of cards shown with the move."""


def deciding_move(states: Callable[[int], State], made: int) -> int:
    """Return the number of the move after which the winner was always in sole lead. Return the last move if several
    seats won, or if the game has no lead to measure. `states` returns the state after a given move."""
    end = states(made)
    winners = frozenset(seat for seat, place in enumerate(end.ranks) if place == 1)
    if len(winners) > 1 or end.leaders != winners:
        return made
    first = max(0, made - LOOKED_BACK)
    for begin in range(made - BLOCK, first - BLOCK, -BLOCK):  # computing states forwards is cheaper
        block = range(max(first, begin), begin + BLOCK)
        others = [number for number in block if states(number).leaders != winners]
        if others:
            return others[-1] + 1
    return made


def decided(move: int, made: int, winner: Seat, told: Sequence[Described], scenes: tuple[Scene, Scene]) -> Decided:
    """Return a description of the deciding move `move` of `made` moves, for a viewer with these log lines and these
    scenes before and after the move."""
    before, after = scenes
    tally = next((one for one in after.round.tallies if one.seat == winner.seat), None) if after.round else None
    if after.round and tally and tally.points:
        text = round_in_words(after.round, tally, winner, after.viewer)
        cards = tuple(card for gain in tally.gains for card in gain.cards)[:MOST_CARDS]
    else:
        text, cards = oldest([as_text(line.text) for _, line in told if line.text]), cards_of_move(told, before, after)
    if move == made:
        return Decided(Sentence(f"The last move: {text}"), move, cards)
    leads = "you led" if winner.seat == after.viewer else f"{winner.name} led"
    return Decided(Sentence(f"From move {move} on {leads}: {text}"), move, cards)


def round_in_words(ended: Round, tally: Tally, winner: Seat, viewer: int) -> str:
    """Return a sentence such as `Round 3 brought Bo 8: Books 5, three ∞ +3.`"""
    name = "you" if winner.seat == viewer else winner.name
    reasons = ", ".join(f"{gain.label} {signed(gain)}" for gain in tally.gains)
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
    """Return the faces of the cards that a move revealed: cards that were played from a hand or turned up. If there are
    none, return the faces of all cards that moved and are visible."""
    first = told[0].line if told else LogLine(Sentence(""))
    places = {zone.id: zone.place for zone in (*before.zones, *after.zones)}
    faces = {card.id: card.face for zone in after.zones for card in zone.cards if card.face is not None}
    moved = [move for move in first.moves if places.get(move.goal) != "hand"]
    played = [move.card for move in moved if is_hand(move.origin, places)]
    found = [*first.turned, *played] or [move.card for move in moved]
    return tuple([faces[card] for card in found if card in faces][:MOST_CARDS])


def is_hand(zone: str, places: dict[str, str]) -> bool:
    return places.get(zone) == "hand" or zone.rstrip("0123456789") == "hand"
