"""CHIMAX BOOKS: the table, for every screen."""
