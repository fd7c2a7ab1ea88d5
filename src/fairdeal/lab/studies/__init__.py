"""Studies of a game: recipe, measures, comparisons, charts and report."""
