"""Bots: anything that answers "what would you play, seeing this?"."""
