"""CHIMAX BOOKS: the rules."""
