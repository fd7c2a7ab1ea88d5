"""CHIP IT: moves, positions and what happened, in writing."""
