"""Draw histories of a declared game that a seat cannot distinguish from its own.

A game is declared by its shuffles. A history fits what a seat has seen if its shuffle and its actions show the seat the
same, step by step; the other seats may have taken other actions that it does not see. The search for such a history
tries the shuffles in random order, and with each of them the actions of the other seats in random order, and goes back
where the seat would have seen something else. A move of several actions, of which there may be thousands, is first
tried as it was made. If the search takes too long, the history itself is the result.
"""

from copy import copy
from random import Random

from fairdeal.engine.records import NOBODY
from fairdeal.environments.sights import Sight, Step
from fairdeal.environments.turns import Turns

MOST_RETURNS, MOST_RETURNS_IN_ALL = 50, 1000
"""Number of times that the search goes back before it gives up a shuffle, and before it gives up. It tries the shuffle
of the history itself longest, for the second number."""


class Shuffles:
    """The shuffles of a game, by what they show to a seat first. They are dealt when this is asked first."""

    def __init__(self, undealt: Turns, number: int) -> None:
        self.undealt, self.number = undealt, number
        self.openings: dict[int, dict[Sight | None, list[int]]] = {}

    def dealt(self, shuffle: int) -> Turns:
        turns = copy(self.undealt)
        turns.deal(shuffle)
        return turns

    def showing(self, seat: int, sight: Sight | None) -> list[int]:
        """Return the shuffles that show this to a seat when they are dealt."""
        if seat not in self.openings:
            found: dict[Sight | None, list[int]] = {}
            for shuffle in range(self.number):
                found.setdefault(Step(None, NOBODY, shuffle, self.dealt(shuffle)).sight(seat), []).append(shuffle)
            self.openings[seat] = found
        return self.openings[seat][sight]


def resampled(shuffles: Shuffles, last: Step, seat: int, source: Random) -> list[int]:
    """Return a random history, a shuffle and the actions after it, that shows a seat the same as the steps up to
    `last`. It ends with the last of them that shows the seat anything, so without a rival's unfinished move."""
    steps = last.all()
    while steps[-1].sight(seat) is None:
        steps.pop()
    seen = [(sight, step.move()) for step in steps if (sight := step.sight(seat))]
    unfit = {shuffle for step in steps for shuffle in step.unfit.get(seat, ())}
    left = [shuffle for shuffle in shuffles.showing(seat, seen[0][0]) if shuffle not in unfit]
    own, returns = steps[0].action, 0
    while left and returns < MOST_RETURNS_IN_ALL:
        shuffle = left.pop(source.randrange(len(left)))
        search = Search(seat, seen, source)
        if search.run(shuffles.dealt(shuffle), MOST_RETURNS):
            return [shuffle, *search.actions]
        returns += search.returns
        if shuffle != own:
            steps[-1].unfit.setdefault(seat, set()).add(shuffle)
    search = Search(seat, seen, source)
    found = search.run(shuffles.dealt(own), MOST_RETURNS_IN_ALL)
    return [own, *search.actions] if found else [step.action for step in steps]


class Search:
    """A search for actions after a deal with which a seat sees what it has seen: sights, with the moves that showed
    them."""

    def __init__(self, seat: int, seen: list[tuple[Sight, list[int]]], source: Random) -> None:
        self.seat, self.seen, self.source = seat, seen, source
        self.path: list[tuple[Turns, int, list[int]]] = []
        self.actions: list[int] = []
        self.returns = 0

    def place(self, turns: Turns, shown: int) -> tuple[Turns, int, list[int]]:
        """Return a game in progress, the number of sights that it has shown, and the actions to try, the last first."""
        if shown == len(self.seen):
            return turns, shown, []
        legal, ((own, _, _), move) = turns.legal_actions(turns.player), self.seen[shown]
        if turns.player == self.seat or own is not None:
            return turns, shown, [own] if turns.player == self.seat and own in legal else []
        to_try, made = self.source.sample(legal, len(legal)), len(turns.draft)
        if len(move) > 1 and (*turns.draft,) == (*move[:made],) and move[made] in legal:
            to_try.append(move[made])
        return turns, shown, to_try

    def run(self, dealt: Turns, most_returns: int) -> bool:
        """Return whether there are such actions, which are left in `actions`."""
        self.path = [self.place(dealt, 1)]
        while self.path and self.returns < most_returns:
            turns, shown, to_try = self.path[-1]
            if shown == len(self.seen):
                return True
            if to_try:
                self.attempt(turns, shown, to_try.pop())
            else:
                self.path.pop()
                self.actions[-1:] = []
                self.returns += 1
        return False

    def attempt(self, turns: Turns, shown: int, action: int) -> None:
        """Take an action, if the seat sees then what it has seen, or nothing."""
        after = copy(turns)
        after.act(action)
        sight = Step(None, turns.player, action, after).sight(self.seat)
        if sight is None or sight == self.seen[shown][0]:
            self.actions.append(action)
            self.path.append(self.place(after, shown + (sight is not None)))
