"""CHIMAX CUT: a game of luck in which players cut the deck and hope for Infinity."""
