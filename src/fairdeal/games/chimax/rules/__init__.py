"""CHIMAX: the rules."""
