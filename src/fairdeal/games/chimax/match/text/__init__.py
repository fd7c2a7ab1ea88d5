"""CHIMAX MATCH-2 and MATCH-3: moves, positions and what happened, in writing."""
