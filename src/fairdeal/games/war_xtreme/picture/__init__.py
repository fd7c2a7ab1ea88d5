"""WAR X-TREME: the table, for every screen."""
