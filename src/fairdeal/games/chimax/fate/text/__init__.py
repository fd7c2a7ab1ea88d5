"""CHIMAX FATE: moves, positions and what happened, in writing."""
