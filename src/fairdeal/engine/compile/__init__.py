"""Compile the rules of a game with Numba, and cache the compiled code."""
