"""CHIP IT: the scenes that every screen draws."""
