"""WAR X-TREME: moves, positions, prompts and results as text."""
