"""What every game is written with: records, piles, chance, the rules contract, compiled drivers."""
