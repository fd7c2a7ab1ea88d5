"""CHIMAX FATE: the table, for every screen."""
