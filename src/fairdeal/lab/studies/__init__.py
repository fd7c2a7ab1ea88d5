"""Studies of a game: recipes, measures, comparisons, charts and reports."""
