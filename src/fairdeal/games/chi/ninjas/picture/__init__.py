"""Chaos Ninjas: the scene of a table, for every kind of screen."""
