"""Screens and panels of the terminal program."""
