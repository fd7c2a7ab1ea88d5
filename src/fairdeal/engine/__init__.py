"""The toolkit for writing games: records, piles, the random number generator, the contract for rules, and compiled
drivers."""
