"""CHIMAX CUT: the scene of a table, for all screens."""
