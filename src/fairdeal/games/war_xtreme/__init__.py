"""WAR X-TREME by Shane Gelven: flip, tie, go to war."""
