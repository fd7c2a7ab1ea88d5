"""The scale of ratings, which is that of chess: a player rated 400 points higher finishes before another ten times as
often as behind.

OpenSkill's Plackett-Luce model lets one of two players finish before the other with odds of exp((mu1 - mu2) / c), where
c is the square root of the sum of sigma ** 2 + beta ** 2 over all players at the table (R. C. Weng and C.-J. Lin, "A
Bayesian Approximation Method for Online Ranking", JMLR 12, 2011, algorithm 4). For known strengths (sigma = 0) and n
players, c is beta times the square root of n.
"""

import math

MIDDLE = 1400.0
"""The rating of Otto in every game, and the one that a new player is expected to have."""

TENFOLD = 400.0
"""Difference in rating between two players at which the stronger one finishes first ten times as often."""


def points(beta: float, players: int = 2) -> float:
    """Return the number of points on the scale that a difference of 1 in mu is worth at a table with this `beta`.

    >>> round(points(25 / 6), 2)
    29.48
    """
    return TENFOLD / (math.log(10) * math.sqrt(players) * beta)
