"""CHIMAX JACKPOT: a slot-machine game for one player, with three reels and thirteen spins."""
