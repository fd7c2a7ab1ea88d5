"""CHIMAX JACKPOT: the rules."""
