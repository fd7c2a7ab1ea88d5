"""CHIMAX BOOKS: moves, positions and what happened, in writing."""
