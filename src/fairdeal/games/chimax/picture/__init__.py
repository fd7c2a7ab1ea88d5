"""CHIMAX: the scenes that every screen draws."""
