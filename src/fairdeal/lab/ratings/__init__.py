"""Rate the opponents of a game against each other, and calibrate their levels."""
