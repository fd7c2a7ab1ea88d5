"""Bots: computer players that choose moves based only on what their seats can see."""
