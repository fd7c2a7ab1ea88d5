"""CHIMAX MATCH-2 and MATCH-3: notation, positions, prompts and explanations."""
