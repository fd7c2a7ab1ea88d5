"""What must hold in every state of a game, as rules: 0, or the number of the invariant that is broken."""

from __future__ import annotations

from fairdeal.engine.chance import draw
from fairdeal.engine.drivers import acting_player, apply, contract, deal, legal_actions
from fairdeal.engine.records import EMPTY, rule
from fairdeal.games.chi.state import ACT, DISCARDING, DUEL, IN_DECK, PAIR_OF_3, SINGLE_6, YANG_3
from fairdeal.games.chi.state import CARDS as CHI_CARDS
from fairdeal.games.chip_it.state import CARDS as CHIP_IT_CARDS
from fairdeal.games.chip_it.state import COPIES, HAND_SIZE, KINDS, NUMBER

NO_ACTION, NOT_ASCENDING, TOO_LONG, NOBODY_TO_ACT = 1, 2, 3, 4


@contract
def violation(state) -> int:
    raise NotImplementedError


@rule
def contract_violation(state, actions, moves, longest) -> int:
    """What every game owes: someone to act, ascending legal ids, an end."""
    if moves > longest:
        return TOO_LONG
    if state.over:
        return 0 if state.to_act == 0 else NOBODY_TO_ACT
    if state.to_act == 0:
        return NOBODY_TO_ACT
    for player in range(state.players):
        count = legal_actions(state, player, actions)
        if (count > 0) != ((state.to_act >> player) & 1 == 1):
            return NO_ACTION
        for i in range(1, count):
            if actions[i] <= actions[i - 1]:
                return NOT_ASCENDING
    return 0


@rule
def checked_games(state, source, actions, games, longest, result) -> None:
    """Play random games and check every state; result: [broken invariant, game, move, most moves]."""
    for game in range(games):
        deal(state)
        moves = 0
        while True:
            broken = contract_violation(state, actions, moves, longest)
            if broken == 0 and not state.composing:
                broken = violation(state)
            if broken:
                result[0], result[1], result[2] = broken, game, moves
                return
            if state.over:
                break
            player = acting_player(state, source)
            count = legal_actions(state, player, actions)
            apply(state, player, actions[draw(source, count)])
            moves += 0 if state.composing else 1
        result[3] = max(result[3], moves)


@rule
def chip_it_violation(state) -> int:
    """CHIP-01, 02, 60 and the bounds of section 8."""
    cards, points = 0, int(state.pool)
    for kind in range(KINDS):
        copies = int(state.discard[kind])
        for player in range(state.players):
            for i in range(state.hands[player].length):
                copies += state.hands[player].cards[i] == kind
            for i in range(state.fronts[player].length):
                copies += state.fronts[player].cards[i] == kind
        if copies > COPIES:
            return 10
        cards += copies
    dealt = HAND_SIZE[state.players] * state.players
    if cards != dealt or cards > CHIP_IT_CARDS:
        return 11
    for player in range(state.players):
        hand, front = state.hands[player], state.fronts[player]
        points += int(state.bank[player]) + int(front.load)
        if state.bank[player] < 0 or front.load < 0:
            return 12
        price = 0
        for i in range(front.length):
            number = NUMBER[front.cards[i]]
            if front.cards[i] < 20:
                price += front.value - number
            else:
                price += front.value // number - 1
                if front.value % number:
                    return 13
        if front.length and (price != front.load or front.value > 1199):
            return 14
        done = hand.length == 0 and state.bank[player] == 0 and front.load == 0
        listed = False
        for i in range(state.finished.length):
            listed |= state.finished.cards[i] == player
        if done != listed:
            return 15
    if points != state.options.pool_total or state.pool < 0:
        return 16
    if state.top.count > 0:
        shown = state.fronts[state.top.owner].length
        if shown != 0 and shown != state.top.count:
            return 17
    return 0


@rule
def chi_violation(state) -> int:
    """CHI-01, 02, 11, 35, 52 and the bounds of section 8."""
    total = 0
    for kind in range(37):
        copies = int(state.discard[kind])
        for i in range(state.deck.length):
            copies += state.deck.cards[i] == kind
        for i in range(6):
            copies += state.row[i] == kind
        for player in range(2):
            for i in range(state.hands[player].length):
                copies += state.hands[player].cards[i] == kind
            for i in range(state.areas[player].length):
                stack = state.areas[player].cards[i]
                if stack >= PAIR_OF_3:
                    copies += 2 * (YANG_3 + stack - PAIR_OF_3 == kind)
                else:
                    copies += YANG_3 + stack == kind
        if state.phase == DUEL:
            copies += state.duel.colour == kind
            copies += state.duel.counters * (kind == 36)
        if copies != IN_DECK[state.options.yang_layout, kind]:
            return 20
        total += copies
    if total != CHI_CARDS:
        return 21
    all_yin = True
    for place in range(6):
        if state.row[place] == EMPTY:
            return 22  # CHI-51 never happens with the whole deck
        all_yin &= state.row[place] < YANG_3
    if all_yin:
        return 23
    for player in range(2):
        size = int(state.hands[player].length)
        if size < 1 and state.options.keep_one:
            return 24
        if size > state.options.hand_limit and not (state.phase == DISCARDING and state.turn == player):
            return 25
        area = state.areas[player]
        if area.length > state.options.stacks_to_end:
            return 26
        for i in range(area.length):
            for j in range(i):
                if area.cards[i] == area.cards[j]:
                    return 27
                if (
                    area.cards[i] >= SINGLE_6
                    and area.cards[i] % 12 == area.cards[j] % 12
                    and not state.options.yang_layout
                ):
                    return 28
        for i in range(state.seen[player].length):
            held, known = 0, 0
            for j in range(size):
                held += state.hands[player].cards[j] == state.seen[player].cards[i]
            for j in range(state.seen[player].length):
                known += state.seen[player].cards[j] == state.seen[player].cards[i]
            if known > held:
                return 29
    if state.phase == ACT and state.turn_no > state.options.turn_limit:
        return 30
    if state.duel.counters > 4:
        return 31
    return 0


INVARIANTS = {"chip-it": chip_it_violation, "chi": chi_violation}

LONGEST = {"chip-it": 20 * 6558, "chi": 9 * 400}
"""Moves that no game may exceed: section 8 of each specification, times the games of a match or actions of a turn."""
