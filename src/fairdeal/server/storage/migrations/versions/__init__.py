"""The versions of the database's schema, numbered in order."""
