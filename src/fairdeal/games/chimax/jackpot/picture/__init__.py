"""CHIMAX JACKPOT: the scene of a table, for all screens."""
