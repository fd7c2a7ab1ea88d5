"""Declaration of a game's state, field by field.

    POSITION = written.Position(
        written.Cards(CODES, DECK, "ace, two to ten, jack, queen, king", "FISH-01"),
        FishOptions,
        turn=written.Seat("who asks"),
        hands=written.Hands(most=MOST_IN_HAND),
        deck=written.Deck(CARDS),
    )

From such a declaration, `Game.of` derives the record of a state, its JSON both ways, and the observations. What must
hold between fields is a table of conditions, such as that the seat on turn has a card.
"""

from fairdeal.engine.written.cards import (
    Cards,
    Counts,
    Deck,
    Hands,
    Known,
    OfCards,
    OfPiles,
    Owners,
    Piles,
    Places,
    Row,
)
from fairdeal.engine.written.fields import (
    Derived,
    Field,
    Flag,
    Match,
    Number,
    Numbers,
    Part,
    Phase,
    Seat,
    SeatOrNobody,
    Seats,
    TurnNumber,
    Unwritten,
    Word,
)
from fairdeal.engine.written.positions import Condition, Position, broken

__all__ = [
    "Cards",
    "Condition",
    "Counts",
    "Deck",
    "Derived",
    "Field",
    "Flag",
    "Hands",
    "Known",
    "Match",
    "Number",
    "Numbers",
    "OfCards",
    "OfPiles",
    "Owners",
    "Part",
    "Phase",
    "Piles",
    "Places",
    "Position",
    "Row",
    "Seat",
    "SeatOrNobody",
    "Seats",
    "TurnNumber",
    "Unwritten",
    "Word",
    "broken",
]
