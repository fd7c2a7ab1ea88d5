"""CHIMAX ORDER: moves, positions and what happened, in writing."""
