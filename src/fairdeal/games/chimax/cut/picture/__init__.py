"""CHIMAX CUT: the scenes that every screen draws."""
