"""Chaos Ninjas: moves, positions, prompts and results as text."""
