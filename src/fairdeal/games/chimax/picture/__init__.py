"""CHIMAX: the table, for every screen."""
