"""CHIMAX ORDER: a memory game in which thirteen cards are turned up in the printed sequence."""
