"""CHIMAX ORDER: thirteen cards face down, to be turned up in the printed sequence."""
