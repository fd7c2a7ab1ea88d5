"""Building blocks for the rules of a game: actions, cards, piles, seats, hidden information, matches."""
