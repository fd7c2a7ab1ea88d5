"""Additional services of the room: analyses of finished games, and notices of turns."""
