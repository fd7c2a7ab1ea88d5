"""CHIMAX FATE: the scenes that every screen draws."""
