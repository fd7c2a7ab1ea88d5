"""Chaos Ninjas: moves, positions and what happened, in writing."""
