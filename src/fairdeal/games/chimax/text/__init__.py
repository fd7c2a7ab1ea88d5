"""CHIMAX: notation, positions, prompts and explanations."""
