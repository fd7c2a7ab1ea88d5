"""CHIMAX ORDER: the table, for every screen."""
