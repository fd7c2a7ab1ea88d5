"""Studies of the games, each reproducible with one command."""
