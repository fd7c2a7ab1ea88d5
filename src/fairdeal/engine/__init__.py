"""The toolkit for writing games: records, piles, the random number generator, the rules contract, compiled drivers."""
