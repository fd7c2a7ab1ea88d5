"""Play at a table of a room from the terminal."""
