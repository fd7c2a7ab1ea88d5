"""Observations: what a seat knows, as arrays of numbers for learning agents."""
