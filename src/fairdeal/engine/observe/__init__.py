"""Observations: what a seat knows, as arrays of numbers for learning agents. `interface` describes records for
programs in other languages."""
