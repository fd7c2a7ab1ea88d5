"""CHIMAX MATCH-2 and MATCH-3: pairs and triplets from a layout of face-down cards, by one set of rules."""
