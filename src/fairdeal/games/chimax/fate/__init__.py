"""CHIMAX FATE: a memory game in which a wheel names the card to find."""
