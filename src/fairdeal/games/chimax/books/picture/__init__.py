"""CHIMAX BOOKS: the scenes that every screen draws."""
