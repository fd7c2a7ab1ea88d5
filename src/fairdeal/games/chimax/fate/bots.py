"""CHIMAX FATE: the greedy bot, which reads a concealed state that shows only remembered cards.

The bot takes the wanted face if its place is known. Otherwise it compares the chance of the prize at each look with the
gain of the other seats, which can take a card they have seen for certain when the wheel calls for it.
"""

from collections.abc import Sequence

from fairdeal.engine.kit.seats import size_of
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN, Record, rule
from fairdeal.games.chimax.bots import alike_cut
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate.rules import legal_actions
from fairdeal.games.chimax.fate.state import ACTIONS, CHOOSING, FALLING, FLIP, FLIPPING, NAME, NAMING, STOP
from fairdeal.games.chimax.rules.layout import alike_place, count_unknown, is_unseen


@rule
def alike(state: Record, player: int, action: int) -> int:
    """Return the first action that is equivalent to `action`: all unseen cards are equivalent (MEM-03), and so are all
    faces whose places are unknown (FATE-10)."""
    if action >= NAME:
        return NAME + alike_face(state, action - NAME)
    if FLIP <= action < STOP:
        return FLIP + alike_place(state.layout, action - FLIP)
    return alike_cut(action)


@rule
def alike_face(state: Record, face: int) -> int:
    """Return the first face whose place is unknown if that of `face` is unknown too, or else `face`."""
    unknown = unknown_faces(state)
    return first_face(unknown) if unknown >> face & 1 else face


@rule
def unknown_faces(state: Record) -> int:
    """Return the set of faces that are left in the layout and whose places are unknown."""
    unknown = int(state.left)
    for place in range(state.layout.length):
        if state.layout.cards[place] >= 0:
            unknown &= ~(1 << int(state.layout.cards[place]))
    return unknown


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best action into `plan`, and return the number of its actions, which is always 1.

    Of the tournament layer's actions it takes the last one, because all cuts are equivalent and the highest value of a
    question mark comes last.
    """
    count = legal_actions(state, player, plan)
    action = int(plan[count - 1])
    if state.phase == NAMING:
        action = NAME + likely_face(state)
    elif state.phase in (FLIPPING, CHOOSING):
        action = best_flip(state, plan, count)
    plan[0] = action
    return 1


@rule
def likely_face(state: Record) -> int:
    """Return the face at the place that the wheel points at, if it is known, or else the first face that may lie there
    (FATE-10)."""
    card = int(state.layout.cards[state.wheel])
    if card != UNKNOWN:
        return card
    return first_face(unknown_faces(state))


@rule
def first_face(faces: int) -> int:
    """Return the first face of a set, or the last of all faces if the set is empty."""
    face = 0
    while face < FACES - 1 and not faces >> face & 1:
        face += 1
    return face


@rule
def best_flip(state: Record, plan: Record, count: int) -> int:
    """Return the best action of a search.

    The bot flips the wanted card if it is known, or an unknown card if a look is worth it. Otherwise it stops, or flips
    a card that all seats know.
    """
    new, old = -1, -1
    for i in range(count):
        action = int(plan[i])
        if action == STOP:
            break
        card = state.layout.cards[action - FLIP]
        if card == state.wheel:
            return action
        if card == UNKNOWN:
            if new < 0 or (is_unseen(state.layout, action - FLIP) and not is_unseen(state.layout, new - FLIP)):
                new = action
        elif old < 0:
            old = action
    way_out = STOP if state.phase == CHOOSING else old
    if new < 0 or (way_out >= 0 and worth_of_looking(state) <= 0.0):
        return way_out
    return new


@rule
def worth_of_looking(state: Record) -> float:
    """Return the value, in points, of the next look, given that the player may stop after it (FATE-06, 07)."""
    turned, unknown = int(state.layout.open.length), count_unknown(state.layout)
    looks = min(int(state.options.tries) - turned, unknown)
    worth = 0.0
    for look in range(looks, 0, -1):
        places = unknown - look + 1
        missed = max(worth, 0.0) - cost_of_showing(state, places)
        worth = (prize_of(state, turned + look) + (places - 1) * missed) / places
    return worth


@rule
def prize_of(state: Record, turned: int) -> int:
    """Return the points for finding the wanted card as card number `turned` of the turn (FATE-07)."""
    if turned > state.options.tries:
        return 0
    return int(state.options.tries) + 1 - turned if state.options.prize == FALLING else 1


@rule
def cost_of_showing(state: Record, places: int) -> float:
    """Return the points lost to the average opponent by showing one of `places` unknown cards.

    When the wheel calls for a known card, the player on turn gets the first prize for certain instead of the average
    prize of a search. The opponents spin first, and each card is called for once.
    """
    left, players = size_of(int(state.left)), int(state.players)
    gain = (prize_of(state, 1) - prize_of(state, places)) / left
    share, others = 1.0, 0.0
    for _ in range(players - 1):
        others += share
        share *= 1.0 - 1.0 / left
    again = 1.0 - share * (1.0 - 1.0 / left)
    if players > 1:
        others /= players - 1
    return gain * (others - share) / again


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    match ACTIONS.decode(actions[0]):
        case "spin", _:
            return "A turn begins with a spin."
        case "stop", _:
            return "The next look is likely to help the others more."
        case "name", _ if state.layout.cards[state.wheel] == UNKNOWN:
            return "Nobody knows what lies there, so one face is as good as another."
        case "name", _:
            return "It was seen there before."
        case "flip", place if state.layout.cards[place] == state.wheel:
            return "This card was seen before: a sure find."
        case "flip", place if state.layout.cards[place] != UNKNOWN:
            return "Everybody has seen this card, so it gives nothing away."
        case "flip", place:
            return "Nobody has seen this card." if is_unseen(state.layout, place) else "It may be this one."
    return "This is luck alone."
