"""Chaos Ninjas: the rules."""
