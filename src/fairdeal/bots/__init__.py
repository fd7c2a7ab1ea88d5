"""Bots: players that choose a move from what their seat can see."""
