"""CHIMAX JACKPOT: the scenes that every screen draws."""
