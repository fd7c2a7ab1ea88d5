"""CHIMAX JACKPOT: moves, positions and what happened, in writing."""
