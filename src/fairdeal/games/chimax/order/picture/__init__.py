"""CHIMAX ORDER: the scenes that every screen draws."""
