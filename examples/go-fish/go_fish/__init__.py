"""Go Fish: the old children's game, as an example of a game that comes in a package of its own."""
