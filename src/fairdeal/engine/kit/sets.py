"""Sets of small numbers, such as kinds of cards, places or colours, stored as integers with one bit for each member."""

from fairdeal.engine.records import Record, checked, rule


def check_actions(found: int, first: int, actions: Record, count: int) -> None:
    """Raise IndexError if the members of a set do not fit into `actions`, whose last element stays free."""
    wanted = int(count) + int(found).bit_count()
    if wanted > len(actions):
        raise IndexError(f"too many actions: {wanted} are legal, but there is room for {len(actions)}")


@rule
def set_of(pile: Record) -> int:
    """Return the cards of a pile or hand as a set, with bit `n` set for card `n`. Unknown cards and empty places are
    ignored.

    >>> hand = load("chi").deal(seed=7).record.hands[0]
    >>> set_of(hand) == 1 << 12 | 1 << 29 | 1 << 35
    True
    """
    found = 0
    for place in range(pile.length):
        if pile.cards[place] >= 0:
            found |= 1 << int(pile.cards[place])
    return found


@checked(check_actions)
@rule
def write_set(found: int, first: int, actions: Record, count: int) -> int:
    """Write the action `first + n` for each member `n` of a set, in ascending order, after the first `count` actions.
    Return the new number of actions.

    >>> actions = np.zeros(8, np.int16)
    >>> write_set(0b101, 10, actions, 0), actions[:2].tolist()
    (2, [10, 12])
    """
    number = 0
    while found >> number != 0:
        actions[count] = first + number  # kept only if it is a member: this has no branch to mispredict
        count += found >> number & 1
        number += 1
    return count
