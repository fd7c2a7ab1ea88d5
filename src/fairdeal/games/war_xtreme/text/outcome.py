"""WAR X-TREME: the result of a game, as text and numbers."""

from fairdeal.engine import events
from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.seats import members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Result, Score, Voice, capital, count_of
from fairdeal.games.war_xtreme.rules.finish import places_below
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.rules.kit.sets import was_dealt_in
from fairdeal.games.war_xtreme.text.standing import title_of


class Won(events.Won):
    """WAR-92 to 95: the end of a game. `alive` is the number of living seats, `deck` the size of a winner's deck, and
    `level` whether other living seats have as big a deck."""

    winners: tuple[int, ...]
    caught: tuple[int, ...]
    rounds: int
    alive: int
    deck: int
    level: bool

    @property
    def seats(self) -> tuple[int, ...]:
        return (*self.winners, *(self.caught if self.winners and self.alive > 1 else ()))

    def deciding(self) -> Deciding:
        """Return the winners with their piles, or those who were caught with them."""
        if self.caught and self.alive > 1:
            return Deciding(self.seats)
        return Deciding(self.winners, ("deck", "army", "camp"))

    def text(self, voice: Voice) -> str:
        """Return the headline of the result, such as `You win.` or `Bo and Cleo share the win.`"""
        if not self.winners:
            return "No game: too few felt extreme."
        if len(self.winners) == 1:
            return f"{voice.does(self.winners[0], 'win')}."
        return f"{capital(voice.several(self.winners))} share the win."

    def why(self, voice: Voice) -> str:
        rounds = count_of(self.rounds, "round")
        if not self.winners:
            return "It takes two."
        if self.caught and self.alive > 1:
            verb = "were" if len(self.caught) > 1 or self.caught == (voice.viewer,) else "was"
            return f"{capital(voice.several(self.caught))} {verb} caught cheating in round {self.rounds}."
        if self.alive > 1:
            told = f"After {rounds} the biggest deck counts: {count_of(self.deck, 'card')}, {title_of(self.deck)}."
            return f"{told} Of equal decks, the wars won decide." if self.level else told
        return f"After {rounds} nobody {'' if len(self.winners) > 1 else 'else '}had a card left."


def won(state: Snapshot) -> Won:
    """Return the end of a finished game. WAR-95: a seat scores one point for each seat placed below it."""
    winners, alive = tuple(members(state.winners)), members(state.alive)
    deck = deck_size(state.decks[winners[0]]) if winners else 0
    return Won(
        tuple(places_below(state, seat) for seat in range(state.players)),
        winners,
        tuple(members(state.caught)),
        state.round_no,
        len(alive),
        deck,
        sum(deck_size(state.decks[seat]) == deck for seat in alive) > len(winners),
        clauses=("WAR-92",),
    )


def standing(state: Snapshot) -> list[int]:
    """Return the sizes of the decks, by seat."""
    return [deck_size(deck) for deck in state.decks[: state.players]]


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result of the game, or None while it runs."""
    if not state.over:
        return None
    ended = won(state)
    shown = tuple(count_of(size, "card") for size in standing(state)) if ended.winners else ()
    return ended.result(voice, shown=shown, won=bool(ended.winners))


def score_pad(state: Snapshot, voice: Voice) -> Score:
    """Return the public statistics of every seat: deck, wars won, bragging rights and trust (WAR-63, 90)."""
    rows: list[tuple[int | str, ...]] = []
    for seat, account in enumerate(state.seats[: state.players]):
        if was_dealt_in(state, seat) or not state.over:
            numbers = account.wars_won, account.brag, account.trusted, account.distrusted
            rows.append((voice.title(seat), deck_size(state.decks[seat]), *numbers))
    return Score(head=("", "deck", "wars won", "bragging", "trusted", "distrusted"), rows=tuple(rows))
