"""Scenes drawn in characters: cards, zones, seats and instruments."""
