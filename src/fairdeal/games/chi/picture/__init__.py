"""CHI: the table, for every screen."""
