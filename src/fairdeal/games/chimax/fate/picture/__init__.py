"""CHIMAX FATE: the scene of a table, for all screens."""
