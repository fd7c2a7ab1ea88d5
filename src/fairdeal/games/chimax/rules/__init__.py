"""CHIMAX: the rules shared by all its games."""
