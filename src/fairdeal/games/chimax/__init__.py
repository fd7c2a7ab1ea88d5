"""CHIMAX: eight games with one deck of forty cards."""
