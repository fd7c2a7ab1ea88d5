"""Chaos Ninjas: the table, for every screen."""
