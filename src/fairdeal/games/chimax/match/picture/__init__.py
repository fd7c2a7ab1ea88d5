"""CHIMAX MATCH-2 and MATCH-3: the scene of a table, for all screens."""
