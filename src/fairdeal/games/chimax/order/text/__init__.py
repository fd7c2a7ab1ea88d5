"""CHIMAX ORDER: notation, positions, prompts and explanations."""
