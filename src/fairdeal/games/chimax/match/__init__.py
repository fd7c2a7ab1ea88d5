"""CHIMAX MATCH-2 and MATCH-3: memory games for pairs and triplets, with common rules."""
