"""WAR X-TREME: the cards of a table, which are read from a file."""
