"""CHIMAX JACKPOT: one player, three reels, thirteen spins."""
