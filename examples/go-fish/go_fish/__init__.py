"""Go Fish: the children's game, as an example of a game in its own package."""
