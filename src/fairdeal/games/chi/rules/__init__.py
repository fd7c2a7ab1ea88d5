"""CHI: the rules."""
