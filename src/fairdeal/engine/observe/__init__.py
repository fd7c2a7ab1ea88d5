"""Observations: the knowledge of a seat as arrays of numbers, for learning agents. `interface` describes records for
programs in other languages."""
