"""CHIP IT: the legal actions. An action is legal only if it can be completed to a legal move."""

from fairdeal.engine.records import Record, rule
from fairdeal.games.chip_it import state as chip_it
from fairdeal.games.chip_it.rules import combinations


@rule
def is_open(state: Record) -> bool:
    """Return whether the round is open, with no combination to beat."""
    return state.top.count == 0


@rule
def highest_value(state: Record) -> int:
    """Return the highest value that may be played (CHIP-29)."""
    if state.options.value_cap == chip_it.NO_CAP:
        return chip_it.HIGHEST_VALUE
    return int(state.options.value_cap)


@rule
def legal_actions(state: Record, player: int, actions: Record) -> int:
    """Write the legal actions of a player in ascending order, and return their number."""
    if state.over or not (state.to_act >> player) & 1:
        return 0
    if not state.composing:
        return legal_first_cards(state, player, actions, legal_passes(state, player, actions))
    if state.draft.value == 0:
        return legal_points(state, player, actions)
    return legal_further_cards(state, player, actions)


@rule
def legal_passes(state: Record, player: int, actions: Record) -> int:
    """Write the legal passes, and return their number (CHIP-13, 40, 44, 45). The action for a pass is the number of
    points that it returns."""
    least = 0
    if is_open(state):
        if state.options.leader_pass == chip_it.NEVER and state.hands[player].length > 0:
            return 0
        if state.options.leader_pass == chip_it.MUST_RETURN or state.options.leader_pass == chip_it.NEVER:
            least = 1
    count = 0
    for points in range(least, min(chip_it.MOST_RETURNED, int(state.bank[player])) + 1):
        actions[count] = points
        count += 1
    return count


@rule
def legal_first_cards(state: Record, player: int, actions: Record, count: int) -> int:
    """Append every card that can be the first of a combination, and return the new number of actions (CHIP-20..27)."""
    hand = state.hands[player]
    for place in range(hand.length):
        kind = int(hand.cards[place])
        if place > 0 and kind == hand.cards[place - 1]:
            continue
        enough = int(hand.length) - place >= state.top.count
        least = least_points(state, kind)
        if is_open(state) or (enough and next_points(state, hand, place + 1, kind, least) >= 0):
            actions[count] = chip_it.FIRST_CARD + kind
            count += 1
    return count


@rule
def next_points(state: Record, hand: Record, start: int, kind: int, points: int) -> int:
    """Return the smallest number of points, at least `points`, that may be laid on the first card so that cards from
    place `start` onwards can complete the combination. Return -1 if there is no such number (CHIP-22..29)."""
    highest, need = highest_value(state), max(0, int(state.top.count) - 1)
    unrestricted = is_open(state) and state.options.raise_ != chip_it.LOWEST_RAISE
    while points <= state.pool:
        value = combinations.value_of(kind, points)
        if value > highest:
            return -1
        if unrestricted or can_complete(state, hand, start, kind, value, points, need):
            return points
        if need > 0 and points + combinations.least_possible(hand, start, value, need) > state.pool:
            return -1
        points += 1
    return -1


@rule
def least_points(state: Record, kind: int) -> int:
    """Return the smallest number of points with which a card beats the top (CHIP-22)."""
    number = chip_it.NUMBER[kind]
    if state.top.value < number:
        return 0
    if kind < chip_it.GREENS:
        return int(state.top.value) + 1 - number
    return int(state.top.value) // number


@rule
def can_complete(state: Record, hand: Record, start: int, kind: int, value: int, cost: int, need: int) -> bool:
    """Return whether `need` more cards can complete a draft of one card at this value (CHIP-25, 27, 28)."""
    if state.options.raise_ == chip_it.LOWEST_RAISE:
        step = chip_it.NUMBER[kind] if kind >= chip_it.GREENS else 1
        floor = max(chip_it.NUMBER[kind], int(state.top.value) + 1)
        return combinations.can_complete_lowest(
            hand, start, value, floor, step, int(state.pool) - cost, need, is_open(state)
        )
    return need == 0 or cost + combinations.cheapest(hand, start, value, need, 0) <= state.pool


@rule
def legal_points(state: Record, player: int, actions: Record) -> int:
    """Write the legal numbers of points on the first card, and return the number of actions (CHIP-23..29)."""
    hand, kind, start = state.hands[player], int(state.draft.cards[0]), int(state.draft_place)
    count, points = 0, next_points(state, hand, start, kind, least_points(state, kind))
    while points >= 0:
        actions[count] = chip_it.FIRST_POINTS + points
        count += 1
        points = next_points(state, hand, start, kind, points + 1)
    return count


@rule
def legal_further_cards(state: Record, player: int, actions: Record) -> int:
    """Write the cards that can join the draft at its value, and `complete` in an open round. Return the number of
    actions (CHIP-20..28)."""
    hand, draft = state.hands[player], state.draft
    need = int(state.top.count) - int(draft.length) - 1
    count = 0
    for place in range(state.draft_place, hand.length):
        kind = int(hand.cards[place])
        if place > state.draft_place and kind == hand.cards[place - 1]:
            continue
        cost = int(draft.load) + combinations.cost_at(kind, int(draft.value))
        if cost <= state.pool and can_add(state, hand, place, need, cost):
            actions[count] = chip_it.FIRST_CARD + kind
            count += 1
    if is_open(state) and (state.options.raise_ != chip_it.LOWEST_RAISE or is_lowest(state)):
        actions[count] = chip_it.COMPLETE
        count += 1
    return count


@rule
def can_add(state: Record, hand: Record, place: int, need: int, cost: int) -> bool:
    """Return whether the draft can be completed after the card at `place` has joined it, if the total cost is then
    `cost`."""
    value = int(state.draft.value)
    if state.options.raise_ == chip_it.LOWEST_RAISE:
        kind = hand.cards[place]
        floor = max(draft_floor(state), chip_it.NUMBER[kind])
        step = draft_step(state)
        if kind >= chip_it.GREENS:
            step = combinations.least_common_multiple(step, chip_it.NUMBER[kind])
        budget = int(state.pool) - cost
        return combinations.can_complete_lowest(hand, place + 1, value, floor, step, budget, need, is_open(state))
    return is_open(state) or cost + combinations.cheapest(hand, place + 1, value, need, 0) <= state.pool


@rule
def draft_floor(state: Record) -> int:
    """Return the lowest value allowed by the numbers of the draft and by the top."""
    floor = int(state.top.value) + 1
    for i in range(state.draft.length):
        floor = max(floor, chip_it.NUMBER[state.draft.cards[i]])
    return floor


@rule
def draft_step(state: Record) -> int:
    """Return the least common multiple of the purple numbers in the draft."""
    step = 1
    for i in range(state.draft.length):
        if state.draft.cards[i] >= chip_it.GREENS:
            step = combinations.least_common_multiple(step, chip_it.NUMBER[state.draft.cards[i]])
    return step


@rule
def is_lowest(state: Record) -> bool:
    """Return whether the draft is at its lowest legal value (CHIP-28)."""
    return draft_floor(state) > int(state.draft.value) - draft_step(state)
