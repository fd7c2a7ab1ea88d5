"""CHI: moves, positions, prompts and results as text."""
