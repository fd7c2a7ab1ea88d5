"""CHIMAX JACKPOT: notation, positions, prompts and explanations."""
