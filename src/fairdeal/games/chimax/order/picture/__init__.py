"""CHIMAX ORDER: the scene of a table, for all screens."""
