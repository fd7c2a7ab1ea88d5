"""CHIMAX CUT: notation, positions, prompts and explanations."""
