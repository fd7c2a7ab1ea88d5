"""WAR X-TREME: how a game ended, in words and numbers."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Result, Score, Voice, count_of, listed, places_by
from fairdeal.engine.seats import members
from fairdeal.games.war_xtreme.rules.finish import places_below
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.rules.sets import was_dealt_in
from fairdeal.games.war_xtreme.text.standing import title_of


def scores(state: Record) -> tuple[int, ...]:
    """WAR-95: how many seats each seat has left behind."""
    return tuple(int(places_below(state, seat)) for seat in range(int(state.players)))


def winners(state: Record) -> list[int]:
    return members(int(state.winners))


def victory(state: Record, voice: Voice) -> str:
    """`You win.`, `Bo and Cleo share the win.`"""
    best = winners(state)
    if not best:
        return "No game: too few felt extreme."
    if len(best) == 1:
        return f"{voice.does(best[0], 'win')}."
    names = listed([voice.name(seat) for seat in best])
    return f"{names[0].upper()}{names[1:]} share the win."


def decided(state: Record, voice: Voice) -> str:
    """One sentence on what decided it."""
    best, rounds = winners(state), count_of(int(state.round_no), "round")
    caught, alive = members(int(state.caught)), members(int(state.alive))
    if not best:
        return "It takes two."
    if caught and len(alive) > 1:
        who = listed([voice.name(seat) for seat in caught])
        verb = "were" if len(caught) > 1 or who == "you" else "was"
        return f"{who[0].upper()}{who[1:]} {verb} caught cheating in round {int(state.round_no)}."
    if len(alive) > 1:
        cards = count_of(int(deck_size(state.decks[best[0]])), "card")
        return f"After {rounds} the biggest deck counts: {cards}, {title_of(state, best[0])}."
    if len(best) > 1:
        return f"After {rounds} nobody had a card left."
    return f"After {rounds} nobody else had a card left."


def result(state: Record, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    if not state.over:
        return None
    points = scores(state)
    return Result(text=victory(state, voice), places=places_by(points), scores=points, why=decided(state, voice))


def score_pad(state: Record, voice: Voice) -> Score:
    """What is public of everybody: decks, wars won, bragging rights, and trust (WAR-63, 90)."""
    head = ("", "deck", "wars won", "bragging", "trusted", "distrusted")
    rows: list[tuple[int | str, ...]] = []
    for seat in range(int(state.players)):
        account = state.seats[seat]
        if was_dealt_in(state, seat) or not state.over:
            numbers = account.wars_won, account.brag, account.trusted, account.distrusted
            rows.append((voice.title(seat), int(deck_size(state.decks[seat])), *(int(number) for number in numbers)))
    return Score(head=head, rows=tuple(rows))
