"""WAR X-TREME: moves, positions and what happened, in writing."""
