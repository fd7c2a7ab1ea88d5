"""CHIMAX FATE: notation, positions, prompts and explanations."""
