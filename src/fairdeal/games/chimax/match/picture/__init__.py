"""CHIMAX MATCH-2 and MATCH-3: the table, for every screen."""
