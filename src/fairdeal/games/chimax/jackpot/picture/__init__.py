"""CHIMAX JACKPOT: the table, for every screen."""
