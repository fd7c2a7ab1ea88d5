"""WAR X-TREME: the scene of a table, for all screens."""
