"""CHIMAX CUT: moves, positions and what happened, in writing."""
