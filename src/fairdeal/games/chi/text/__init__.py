"""CHI: moves, positions and what happened, in writing."""
