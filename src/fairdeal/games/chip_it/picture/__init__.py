"""CHIP IT: the table, for every screen."""
