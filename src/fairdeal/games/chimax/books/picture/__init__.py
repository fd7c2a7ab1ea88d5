"""CHIMAX BOOKS: the scene of a table, for all screens."""
