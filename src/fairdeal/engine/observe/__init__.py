"""Observations: what a seat knows, as an array of numbers for learning agents."""
