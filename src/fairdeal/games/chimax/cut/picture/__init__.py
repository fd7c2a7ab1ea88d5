"""CHIMAX CUT: the table, for every screen."""
