"""WAR X-TREME: the cards of a table, read from a file."""
