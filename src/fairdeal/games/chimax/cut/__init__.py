"""CHIMAX CUT: lift a pack, look at its bottom card, and hope for Infinity."""
