"""WAR X-TREME: the rules."""
