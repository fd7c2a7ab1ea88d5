"""CHIP IT: the rules."""
