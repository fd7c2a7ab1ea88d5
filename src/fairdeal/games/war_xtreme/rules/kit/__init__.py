"""Shared parts of the rules: equipment, piles, seats and sets of players."""
