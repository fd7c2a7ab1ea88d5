"""The invariants of our games: rules that return 0, or the number of the invariant that a state breaks."""

from __future__ import annotations

import numpy as np

from fairdeal.engine.kit.piles import find
from fairdeal.engine.records import EMPTY, rule
from fairdeal.games.chi import state as chi
from fairdeal.games.chi.ninjas import state as ninjas
from fairdeal.games.chi.ninjas.rules.legal import has_target
from fairdeal.games.chi.ninjas.rules.play import copies_in_deck, may_heal, may_rob
from fairdeal.games.chimax.books import state as books
from fairdeal.games.chimax.cut import state as cut
from fairdeal.games.chimax.deck import COPIES, FACES, INFINITY, QUESTION, face_of, stands_for
from fairdeal.games.chimax.fate import state as fate
from fairdeal.games.chimax.jackpot import state as jackpot
from fairdeal.games.chimax.match import state as match
from fairdeal.games.chimax.order import state as order
from fairdeal.games.chimax.order.rules import boards_in_play, how_far
from fairdeal.games.chimax.rules.layout import stall_limit
from fairdeal.games.chimax.rules.trick import free_values
from fairdeal.games.chimax.state import CUTTING, DEALING, PLAYOFF
from fairdeal.games.chip_it import state as chip_it


@rule
def count_card(counts, card):
    """Count a card; one of an unknown kind is left out, so that the count of another kind is too small."""
    if 0 <= card < len(counts):
        counts[int(card)] += 1


@rule
def count_pile(counts, pile):
    for i in range(pile.length):
        count_card(counts, pile.cards[i])


@rule
def clear(counts):
    for kind in range(len(counts)):
        counts[kind] = 0


@rule
def start_from(counts, discard):
    """Start with the counts of a discard pile."""
    for kind in range(len(counts)):
        counts[kind] = discard[kind]


@rule
def times(pile, card) -> int:
    """Return how often a pile has a card."""
    found = 0
    for i in range(pile.length):
        found += pile.cards[i] == card
    return found


@rule
def ends_wrongly(state) -> bool:
    """Return whether a game is over without a winner, or has one before its end."""
    return (state.winners != 0) != (state.over == 1)


@rule
def all_different(pile) -> bool:
    """Return whether a pile has no number twice, and only numbers from 0 to 62."""
    met = 0
    for i in range(pile.length):
        card = int(pile.cards[i])
        if not 0 <= card < 63 or (met >> card) & 1:
            return False
        met |= 1 << card
    return True


@rule
def chip_it_violation(state) -> int:
    """CHIP-01, 02, 60 and the bounds of section 8."""
    cards, points = 0, int(state.pool)
    copies = np.empty(chip_it.KINDS, np.int64)
    start_from(copies, state.discard)
    for player in range(state.players):
        count_pile(copies, state.hands[player])
        count_pile(copies, state.fronts[player])
    for kind in range(chip_it.KINDS):
        if copies[kind] > chip_it.COPIES:
            return 10
        cards += copies[kind]
    dealt = chip_it.HAND_SIZE[state.players] * state.players
    if cards != dealt or cards > chip_it.CARDS:
        return 11
    for player in range(state.players):
        hand, front = state.hands[player], state.fronts[player]
        points += int(state.bank[player]) + int(front.load)
        if state.bank[player] < 0 or front.load < 0:
            return 12
        price = 0
        for i in range(front.length):
            number = chip_it.NUMBER[front.cards[i]]
            if front.cards[i] < 20:
                price += front.value - number
            else:
                price += front.value // number - 1
                if front.value % number:
                    return 13
        if front.length and (price != front.load or front.value > 1199):
            return 14
        done = hand.length == 0 and state.bank[player] == 0 and front.load == 0
        if done != (find(state.finished, player) >= 0):
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
    copies = np.empty(chi.KINDS, np.int64)
    start_from(copies, state.discard)
    count_pile(copies, state.deck)
    for place in range(6):
        count_card(copies, state.row[place])
    for player in range(2):
        count_pile(copies, state.hands[player])
        for i in range(state.areas[player].length):
            stack = int(state.areas[player].cards[i])
            if stack >= chi.PAIR_OF_3:
                count_card(copies, chi.YANG_3 + stack - chi.PAIR_OF_3)
                count_card(copies, chi.YANG_3 + stack - chi.PAIR_OF_3)
            else:
                count_card(copies, chi.YANG_3 + stack)
    if state.phase == chi.DUEL:
        count_card(copies, state.duel.colour)
        copies[chi.KINDS - 1] += state.duel.counters
    for kind in range(chi.KINDS):
        if copies[kind] != chi.IN_DECK[state.options.yang_layout, kind]:
            return 20
        total += copies[kind]
    if total != chi.CARDS:
        return 21
    all_yin = True
    for place in range(6):
        if state.row[place] == EMPTY:
            return 22  # CHI-51 never happens with the whole deck
        all_yin &= state.row[place] < chi.YANG_3
    if all_yin:
        return 23
    for player in range(2):
        size = int(state.hands[player].length)
        if size < 1 and state.options.keep_one:
            return 24
        if size > state.options.hand_limit and not (state.phase == chi.DISCARDING and state.turn == player):
            return 25
        area = state.areas[player]
        if area.length > state.options.stacks_to_end:
            return 26
        for i in range(area.length):
            for j in range(i):
                if area.cards[i] == area.cards[j]:
                    return 27
                if (
                    area.cards[i] >= chi.SINGLE_6
                    and area.cards[i] % 12 == area.cards[j] % 12
                    and not state.options.yang_layout
                ):
                    return 28
        for i in range(state.seen[player].length):
            card = state.seen[player].cards[i]
            if times(state.seen[player], card) > times(state.hands[player], card):
                return 29
    if state.phase == chi.ACT and state.turn_no > state.options.turn_limit:
        return 30
    if state.duel.counters > 4:
        return 31
    return 0


@rule
def ninja_violation(state) -> int:
    """NINJA-01, 03, 06, 08, 20, 30, 34 and the bounds of section 8 of part 2."""
    copies = np.empty(ninjas.KINDS, np.int64)
    start_from(copies, state.discard)
    count_pile(copies, state.deck)
    for place in range(6):
        count_card(copies, state.row[place])
    for i in range(2):
        count_card(copies, state.duel.cards[i])
    for player in range(state.players):
        count_pile(copies, state.hands[player])
        count_pile(copies, state.areas[player])
    copies[ninjas.COUNTER] += state.duel.counters
    for kind in range(ninjas.KINDS):
        if copies[kind] != copies_in_deck(state, kind):
            return 160
    turn = int(state.turn)
    for player in range(state.players):
        hand, area = state.hands[player], state.areas[player]
        limit = int(state.options.hand_limit) + 2
        if hand.length > limit + 2 + 2 * (player == turn):
            return 161
        if player == turn and state.phase == ninjas.ACT and area.length >= ninjas.TO_WIN:
            return 162
        for i in range(area.length):
            if area.cards[i] < 12 or area.cards[i] == ninjas.COUNTER:
                return 163
        for i in range(hand.length):
            if i > 0 and hand.cards[i] < hand.cards[i - 1]:
                return 164
            if i > 0 and hand.cards[i] == hand.cards[i - 1] and hand.known[i] & ~hand.known[i - 1]:
                return 165
            if hand.known[i] & (1 << player) or hand.known[i] >= 1 << (ninjas.WATCHING + 1):
                return 166
    fights = state.phase == ninjas.DUEL or state.phase == ninjas.DECOYING
    if (state.duel.cards[0] != EMPTY) != (state.phase == ninjas.DUEL) or state.duel.counters > 8:
        return 167
    if fights and (state.duel.attacker != turn or state.duel.defender == turn):
        return 168
    if state.draft.target != 0 or state.draft.first != EMPTY:
        return 169
    if ends_wrongly(state) or state.turn_no > state.options.turn_limit:
        return 170
    if state.phase == ninjas.STRIKING and not has_target(state, turn):
        return 171
    if state.phase == ninjas.ROBBING and not may_rob(state, turn):
        return 172
    if state.phase == ninjas.TAKING and not may_heal(state):
        return 173
    if state.options.abilities == 0 and ninjas.DECOYING <= state.phase < ninjas.DISCARDING:
        return 174
    return 0


@rule
def cut_violation(state) -> int:
    """CUT-02, 04 to 08, TOUR-06 and the bounds of section 5."""
    running = state.phase in (CUTTING, cut.DECIDING, cut.DECLARING)
    copies = np.empty(FACES, np.int64)
    clear(copies)
    count_card(copies, state.shown)
    count_pile(copies, state.pack)
    count_pile(copies, state.out)
    for seat in range(state.players):
        if state.kept[seat] != EMPTY:
            count_card(copies, face_of(state.kept[seat]))
    for face in range(FACES):
        if copies[face] > COPIES[face] or (running and copies[face] != COPIES[face]):
            return 40
    if running and state.pack.length < 3:
        return 41
    if not running and state.pack.length > 0:
        return 42
    alive, points = 0, 0
    for seat in range(state.players):
        is_alive = (int(state.alive) >> seat) & 1
        alive += is_alive
        points += int(state.match.totals[seat])
        if state.kept[seat] != EMPTY and (not is_alive or state.kept[seat] == INFINITY):
            return 43
        if running and state.kept[seat] != EMPTY and state.options.mode == cut.UNTIL_INFINITY:
            return 44
        if abs(int(state.match.totals[seat])) > state.options.rounds:
            return 45
    if alive < 1 or (running and alive < 2):
        return 46
    if running and (state.shown != EMPTY) != (state.phase == cut.DECIDING):
        return 47
    if state.cuts > state.options.recuts + 1 or (state.phase == cut.DECIDING) > (state.cuts <= state.options.recuts):
        return 48
    if points > state.options.rounds:
        return 49
    if state.match.game > state.options.rounds + (state.tied != 0):
        return 50
    if running and not all_different(state.book.declared[0]):
        return 51
    if state.phase == PLAYOFF and state.tied & (state.tied - 1) == 0:
        return 52
    return 53 if ends_wrongly(state) else 0


@rule
def match_violation(state) -> int:
    """M2-02, 04, 07, 09, M3-01, 03, 05, MEM-01, 03, 06 and the bounds of sections 3 and 4."""
    layout, alike = state.layout, int(state.alike)
    copies = np.empty(FACES, np.int64)
    clear(copies)
    count_pile(copies, layout)
    for seat in range(state.players):
        count_pile(copies, state.taken[seat])
    for face in range(FACES):
        wanted = match.QUESTIONS[alike] if face == QUESTION else alike
        if copies[face] != (wanted if layout.length > 0 else 0):
            return 70
    points = 0
    for seat in range(state.players):
        cards = state.taken[seat].cards
        if state.taken[seat].length % alike:
            return 71
        for i in range(0, state.taken[seat].length, alike):
            mixed = cards[i] != cards[i + 1] or cards[i] != cards[i + alike - 1]
            if mixed and state.options.qmark_wild == 0:
                return 72
            points += 1 if mixed else int(match.POINTS[state.options.special + 2 * (alike - 2), cards[i]])
        points -= int(state.match.totals[seat])
    if points != 0 and state.options.target < 0:
        return 73
    if layout.open.length >= alike or (state.missed.length > 0 and layout.open.length > 0):
        return 74
    for i in range(layout.open.length):
        if layout.cards[layout.open.cards[i]] == EMPTY or find(layout.seen, layout.open.cards[i]) < 0:
            return 75
    if not all_different(layout.seen):
        return 76
    if layout.dead > 2 * layout.length + layout.length or (layout.live == 1 and state.phase != match.FLIPPING):
        return 77
    if (state.pack.length > 0) and state.phase not in (CUTTING, DEALING, PLAYOFF):
        return 78
    if state.match.game > 30 + (state.tied != 0) or state.turns > 30 * 4186:
        return 79
    return 80 if ends_wrongly(state) else 0


@rule
def order_violation(state) -> int:
    """ORDER-02, 03, 06, 09, 12, 13, MEM-01, 05, 07 and the bounds of section 2."""
    placed, longest = 0, 0
    for seat in range(state.players):
        placed += int(state.match.totals[seat])
        longest = max(longest, int(state.match.totals[seat]))
        if state.misses[seat] < 0 or state.match.totals[seat] < 0 or state.match.totals[seat] > FACES:
            return 110
    if state.options.board == order.SHARED_BOARD and placed != state.run.length:
        return 111
    if (state.run.length == FACES or longest == FACES) and state.phase == order.FLIPPING:
        return 112
    if state.options.on_miss == order.RESTART:
        if state.best.run < max(longest, int(state.run.length)) or (state.best.run > 0) != (state.best.seat >= 0):
            return 113
        if placed != longest:
            return 114
    broken = 0
    for number in range(boards_in_play(state)):
        broken = max(broken, order_board_violation(state, number))
    if broken:
        return broken
    dealt = state.phase not in (DEALING, CUTTING)
    if (state.boards[0].length == FACES) != dealt or state.boards[0].length not in (0, FACES):
        return 115
    if (state.pack.length > 0) == dealt and state.phase != PLAYOFF:
        return 116
    if ends_wrongly(state) or (state.tied != 0 and state.tied & (state.tied - 1) == 0):
        return 117
    return 0


@rule
def order_board_violation(state, number) -> int:
    """Check a layout: one card of each face, and the open cards in order."""
    board, faces = state.boards[number], 0
    for place in range(board.length):
        faces |= 1 << int(board.cards[place])
    if board.length > 0 and faces != (1 << FACES) - 1:
        return 120
    if not all_different(board.seen):
        return 121
    for i in range(board.open.length):
        if find(board.seen, board.open.cards[i]) < 0:
            return 122
        if i > 0:
            step = int(board.cards[board.open.cards[i]]) - int(board.cards[board.open.cards[i - 1]])
            if step != (1 if state.direction == 0 else -1):
                return 123
    if state.options.board == order.RACE:
        if board.open.length > FACES or (state.phase == PLAYOFF and board.open.length > 0):
            return 124
    elif board.open.length != how_far(state, number):
        return 125
    if board.dead != state.boards[0].dead or board.dead > stall_limit(board, state.options.stall_limit):
        return 126
    if board.live and (state.phase != order.FLIPPING or board.seen.length == 0):
        return 127
    return 0


@rule
def jackpot_violation(state) -> int:
    """JACK-01, 02, 04, 06, 07, 10, 11 and the bounds of section 7."""
    waits = state.phase in (CUTTING, DEALING)
    if state.pack.length != 0 and (not waits or state.pack.length != 39):
        return 90
    on_table = int(state.books.length)
    for reel in range(3):
        size = int(state.stock[reel].length) + int(state.columns[reel].length)
        if size > 13:
            return 91
        on_table += size
    if on_table != 39 and not (on_table == 0 and waits and state.match.game == 1):
        return 92
    copies, in_pack = np.empty(FACES, np.int64), np.empty(FACES, np.int64)
    clear(copies)
    clear(in_pack)
    for i in range(state.books.length):
        count_card(copies, face_of(state.books.cards[i]))
    for reel in range(3):
        count_pile(copies, state.stock[reel])
        for i in range(state.columns[reel].length):
            count_card(copies, face_of(state.columns[reel].cards[i]))
    count_pile(in_pack, state.pack)
    for face in range(FACES):
        wanted = jackpot.QUESTIONS if face == QUESTION else 3
        if (on_table > 0 and copies[face] != wanted) or (state.pack.length > 0 and in_pack[face] != wanted):
            return 93
    for first in range(0, state.books.length, 3):
        one, two = stands_for(state.books.cards[first]), stands_for(state.books.cards[first + 1])
        three = stands_for(state.books.cards[first + 2])
        if not (int(jackpot.COMPLETING[state.options.run_order, 2, one, two]) >> int(three)) & 1:
            return 94
    if state.spin < 1 or state.spin > state.options.spins or state.streak > 2 * state.options.streak:
        return 95
    if state.points > state.books.length // 3 + 2 * state.options.jackpot_bonus + 4 * state.options.streak:
        return 96
    reel = int(state.reel)
    if state.phase == jackpot.REEL and (state.stock[reel].length == 0 or state.flipped > reel):
        return 97
    column = state.columns[reel]
    is_late = state.options.qmark_when == jackpot.AT_CLAIM
    if state.phase == jackpot.DECLARING and (is_late or column.cards[column.length - 1] != QUESTION):
        return 98
    if state.match.game > state.options.deals or state.match.totals[0] < 0 or state.tied != 0:
        return 99
    return 100 if (state.winners == 1) != (state.over == 1) else 0


@rule
def fate_violation(state) -> int:
    """FATE-02, 03, 06, 07, 09 to 11, MEM-01, 05 to 07, TOUR-06 and the bounds of section 6."""
    layout, phase = state.layout, int(state.phase)
    by_face = state.options.wheel == fate.BY_FACE
    searching = phase in (fate.FLIPPING, fate.CHOOSING, fate.NAMING)
    down, gone = 0, 0
    for place in range(layout.length):
        if layout.cards[place] != EMPTY:
            if (down >> int(layout.cards[place])) & 1:
                return 140
            down |= 1 << int(layout.cards[place])
    dearest = int(state.options.tries) if state.options.prize == 0 and by_face else 1
    for seat in range(state.players):
        cards = int(state.taken[seat].length)
        for i in range(cards):
            if ((down | gone) >> int(state.taken[seat].cards[i])) & 1:
                return 141
            gone |= 1 << int(state.taken[seat].cards[i])
        if state.match.totals[seat] < cards or state.match.totals[seat] > cards * dearest:
            return 142
    if down != state.left or (layout.length > 0 and (down | gone) != (1 << FACES) - 1):
        return 143
    if (layout.length == 0) != (phase in (DEALING, CUTTING)):
        return 144
    if (state.wheel != fate.AT_REST) != searching or (phase == fate.NAMING and by_face):
        return 145
    if searching and by_face and not (down >> int(state.wheel)) & 1:
        return 146
    for i in range(layout.open.length):
        place = layout.open.cards[i]
        if layout.cards[place] == EMPTY or find(layout.seen, place) < 0:
            return 147
        if (searching or not state.options.spin_again) and by_face and layout.cards[place] == state.wheel:
            return 148
    if layout.open.length >= state.options.tries or (phase == fate.CHOOSING and layout.open.length == 0):
        return 149
    again = state.options.spin_again and phase in (fate.SPINNING, fate.FLIPPING)
    if layout.open.length > 0 and phase != fate.CHOOSING and not again:
        return 155
    if not all_different(layout.seen):
        return 150
    if layout.dead > stall_limit(layout, state.options.stall_limit) or (phase == fate.SPINNING and down == 0):
        return 151
    if state.players == 1 and state.spins > state.options.solo_spins:
        return 152
    if (state.pack.length > 0) and phase not in (CUTTING, DEALING, PLAYOFF):
        return 153
    return 154 if ends_wrongly(state) else 0


@rule
def books_violation(state) -> int:
    """BOOKS-01, 05, 11, 13, 15, 16, GEN-01, 15 and the bounds of section 1.7."""
    questions = 3 if state.players == 3 else 4
    running = state.phase in (books.PLAY, books.CHOOSE, books.DECLARING)
    won, complete = 0, 0
    for seat in range(state.players):
        won += int(state.won.length[seat])
        complete += int(state.books[seat])
        if state.won.length[seat] != state.books[seat] * state.players:
            return 140
    copies, in_pack = np.empty(FACES, np.int64), np.empty(FACES, np.int64)
    clear(copies)
    clear(in_pack)
    for i in range(won):
        count_card(copies, state.won.cards[i])
    for entry in range(state.book.length if running else 0):
        count_card(copies, face_of(state.book.cards[entry]))
    for seat in range(state.players):
        count_pile(copies, state.hands[seat])
    count_pile(in_pack, state.pack)
    for face in range(FACES):
        wanted = questions if face == QUESTION else 3
        if state.tied != 0:
            wanted = 0
        elif state.pack.length > 0:
            if in_pack[face] != wanted:
                return 141
            wanted = 0
        if copies[face] != wanted:
            return 142
    for seat in range(state.players):
        hand, left = state.hands[seat], 0
        for slot in range(hand.length):
            left += hand.cards[slot] != EMPTY
        for slot in range(hand.length, books.SLOTS):
            if hand.cards[slot] != 0:
                return 143
        played = 0
        for entry in range(state.book.length):
            played += state.book.seats[entry] == seat
        if left != hand.left or (running and left + played + complete != hand.length):
            return 144
        if (state.book.committed[seat] != EMPTY) and state.phase not in (books.CHOOSE, PLAYOFF):
            return 145
        points = int(state.round_scores[seat])
        if points > 23 or points < -4:
            return 146
    for i in range(won, len(state.won.cards)):
        if state.won.cards[i] != 0:
            return 147
    declared, values = 0, np.empty(FACES, np.int64)
    clear(values)
    for seat in range(state.players):
        declared += int(state.book.declared[seat].length)
        count_pile(values, state.book.declared[seat])
    for face in range(FACES):
        if values[face] > 1 and state.options.declare_scope == 0:
            return 148
    if declared > 4 or (state.phase == books.DECLARING) != (running and start_of_declaring(state) >= 0):
        return 149
    if (state.taken.length > 0) and running and (state.book.length > 0 or complete == 0):
        return 150
    if state.match.game > state.options.max_rounds + 1 or ends_wrongly(state):
        return 151
    return 0


@rule
def start_of_declaring(state) -> int:
    """Return the first bare question mark of the Book for which a value is still free, or -1."""
    for entry in range(state.book.length):
        if state.book.cards[entry] == QUESTION and free_values(state.book, state.book.seats[entry]) != 0:
            return entry
    return -1
