"""CHIMAX MATCH-2 and MATCH-3: the scenes that every screen draws."""
