"""WAR X-TREME: how a game ended, in words and numbers."""

from fairdeal.engine.scene import Result, Score, Voice, capital, count_of, places_by
from fairdeal.engine.seats import members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.rules.finish import places_below
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.rules.sets import was_dealt_in
from fairdeal.games.war_xtreme.text.standing import title_of


def victory(state: Snapshot, voice: Voice) -> str:
    """`You win.`, `Bo and Cleo share the win.`"""
    best = members(state.winners)
    if not best:
        return "No game: too few felt extreme."
    if len(best) == 1:
        return f"{voice.does(best[0], 'win')}."
    return f"{capital(voice.several(best))} share the win."


def decided(state: Snapshot, voice: Voice) -> str:
    """One sentence on what decided it."""
    best, caught, alive = members(state.winners), members(state.caught), members(state.alive)
    rounds = count_of(state.round_no, "round")
    if not best:
        return "It takes two."
    if caught and len(alive) > 1:
        who = voice.several(caught)
        verb = "were" if len(caught) > 1 or who == "you" else "was"
        return f"{capital(who)} {verb} caught cheating in round {state.round_no}."
    if len(alive) > 1:
        cards = count_of(deck_size(state.decks[best[0]]), "card")
        return f"After {rounds} the biggest deck counts: {cards}, {title_of(state, best[0])}."
    return f"After {rounds} nobody {'' if len(best) > 1 else 'else '}had a card left."


def standing(state: Snapshot) -> list[int]:
    """How large the decks are."""
    return [deck_size(deck) for deck in state.decks[: state.players]]


def result(state: Snapshot, voice: Voice) -> Result | None:
    """The end, or None while the game runs; WAR-95: a seat scores one for each that it has left behind."""
    if not state.over:
        return None
    points = tuple(places_below(state, seat) for seat in range(state.players))
    sizes = [deck_size(deck) for deck in state.decks[: state.players]]
    shown = tuple(count_of(size, "card") for size in sizes) if state.winners else ()
    won = bool(state.winners)
    return Result(victory(state, voice), places_by(points), points, decided(state, voice), shown, won)


def score_pad(state: Snapshot, voice: Voice) -> Score:
    """What is public of everybody: decks, wars won, bragging rights, and trust (WAR-63, 90)."""
    rows: list[tuple[int | str, ...]] = []
    for seat, account in enumerate(state.seats[: state.players]):
        if was_dealt_in(state, seat) or not state.over:
            numbers = account.wars_won, account.brag, account.trusted, account.distrusted
            rows.append((voice.title(seat), deck_size(state.decks[seat]), *numbers))
    return Score(head=("", "deck", "wars won", "bragging", "trusted", "distrusted"), rows=tuple(rows))
