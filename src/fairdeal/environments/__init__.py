"""The games as environments for learning agents."""
