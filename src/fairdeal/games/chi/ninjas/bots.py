"""Chaos Ninjas: the greedy bot.

The bot sees only a concealed state and values every legal action. Values are relative to a card in play, which has the
value 100. Preventing an opponent's win outweighs everything else.
"""

from collections.abc import Sequence

import numpy as np

from fairdeal.engine.kit.seats import rival, seat_after
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.ninjas import state as ninjas
from fairdeal.games.chi.ninjas.rules import legal
from fairdeal.games.chi.ninjas.rules.play import may_heal
from fairdeal.games.chi.rules.row import attacks, copies

NOTHING = -(10**6)
SAVING = 1000


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return its length: two or three actions for an attack, or else one
    action."""
    found = np.empty(ninjas.ACTION_COUNT, np.int16)
    costs = np.empty(COLOURS, np.int64)
    cards = np.empty(2, np.int16)
    best, length, attackers = NOTHING, 1, -1
    for i in range(legal.legal_actions(state, player, found)):
        action = int(found[i])
        worth = worth_of(state, player, action)
        if ninjas.TARGET <= action < ninjas.WITH:
            if attackers < 0:
                attackers = legal.attackers_in(state.hands[player])
                count_costs(state, player, attackers, costs)
            worth -= cheapest(state, player, action - ninjas.TARGET, attackers, costs, cards)
        if worth > best:
            best, length = worth, 1
            plan[0] = action
            if ninjas.TARGET <= action < ninjas.WITH:
                length = 2 if cards[1] == EMPTY else 3
                plan[1] = cards[0]
                plan[2] = cards[1]
    return length


@rule
def count_costs(state: Record, player: int, attackers: int, costs: Record) -> None:
    """Write the cost of losing an Attacker from the hand, by colour, into `costs`."""
    for colour in range(COLOURS):
        if attackers >> colour & 1:
            costs[colour] = worth_in_hand(state, player, colour)


@rule
def cheapest(state: Record, player: int, target: int, attackers: int, costs: Record, cards: Record) -> int:
    """Write the actions of the cheapest cards for an attack on a target into `cards`, and return their cost."""
    least, card = -NOTHING, target % ninjas.IN_PLAY
    matches = not legal.walls(state) >> card & 1
    if matches and attackers >> card & 1:
        least = int(costs[card])
        cards[0] = ninjas.WITH + card
        cards[1] = EMPTY
    usable = legal.pairing(state, player, target, attackers)
    firsts = legal.firsts_of(state, usable)
    for first in range(COLOURS):
        if firsts >> first & 1:
            seconds = legal.seconds_of(state, usable, first)
            for second in range(first, COLOURS):
                if not seconds >> second & 1:
                    continue
                cost = int(costs[first]) + int(costs[second])
                if cost < least:
                    least = cost
                    cards[0] = ninjas.FIRST + first
                    cards[1] = ninjas.WITH + second
    if matches and state.options.spirit == ninjas.WILD and legal.holds_spirit(state.hands[player]):
        cost = worth_in_hand(state, player, ninjas.SPIRIT)
        if cost < least:
            least = cost
            cards[0] = ninjas.WITH_SPIRIT
            cards[1] = EMPTY
    return least


@rule
def worth_of(state: Record, player: int, action: int) -> int:
    """Return the value of an action for a player, without the cost of an attack's cards."""
    if action < ninjas.PLAY:
        return worth_in_hand(state, player, int(state.row[action])) + scholarship(state, player, int(state.row[action]))
    if action < ninjas.TARGET:
        return worth_of_playing(state, player, legal.kind_in_play(action - ninjas.PLAY))
    if action < ninjas.WITH:
        return worth_of_felling(state, player, action - ninjas.TARGET)
    if action == ninjas.ANSWER:
        return worth_of_counter(state, player)
    if action == ninjas.USE_DECOY:
        return worth_of_decoy(state)
    if action < ninjas.ROB or action == ninjas.NO_ACTION:
        return 0
    if action < ninjas.CARD:
        return int(state.hands[rival(state, player, action - ninjas.ROB)].length)
    if state.phase == ninjas.TAKING:
        return worth_in_hand(state, player, action - ninjas.CARD)
    return -worth_in_hand(state, player, action - ninjas.CARD) - (copies(state.hands[player], action - ninjas.CARD) > 1)


@rule
def scholarship(state: Record, player: int, card: int) -> int:
    """NINJA-37: return the extra value of drawing an Attacker while a Scholar, which then draws another card, is in
    play."""
    return 25 * (attacks(card) and legal.has_ability(state, player, ninjas.SCHOLAR))


@rule
def worth_of_playing(state: Record, player: int, card: int) -> int:
    """NINJA-06: return the value of playing a card. It grows with the card's ability, and as a win gets closer."""
    worth = 100 + strength(state, player, card)
    if state.areas[player].length == ninjas.TO_WIN - 1:
        worth += 60
    if others_about_to_win(state, player):
        worth -= 40
    return worth


@rule
def strength(state: Record, player: int, card: int) -> int:
    """Return the value of a Defender's ability, on arrival or while the Defender is in play."""
    if card == ninjas.SPIRIT:
        return 15
    if state.options.abilities == 0:
        return 0
    if card == ninjas.STRIKER:
        return 40 * legal.has_target(state, player)
    if card == ninjas.PICKPOCKET:
        return 50 * may_rob_after(state, player)
    if card == ninjas.MEDIC:
        return 35 * may_heal(state)
    if card in (ninjas.SCOUT, ninjas.SCHOLAR, ninjas.DECOY, ninjas.PHANTOM):
        return 15
    if card in (ninjas.SHIELD, ninjas.WALL, ninjas.THORN):
        return 18
    return 8 * (card in (ninjas.QUARTERMASTER, ninjas.SHADOW))


@rule
def may_rob_after(state: Record, player: int) -> bool:
    """NINJA-34: return whether an opponent holds more cards than the player after the Pickpocket is played."""
    for seat in range(state.players):
        if seat != player and state.hands[seat].length > int(state.hands[player].length) - 1:
            return True
    return False


@rule
def others_about_to_win(state: Record, player: int) -> bool:
    for seat in range(state.players):
        if seat != player and state.areas[seat].length >= ninjas.TO_WIN:
            return True
    return False


@rule
def worth_of_felling(state: Record, player: int, target: int) -> int:
    """NINJA-06, 13: return the value of removing an opponent's card and drawing one from the deck.

    The value grows with the opponent's cards in play. It falls with the number of players, because the other opponents
    benefit too.
    """
    seat, kind = legal.target_seat(state, player, target), legal.kind_in_play(target % ninjas.IN_PLAY)
    length = int(state.areas[seat].length)
    worth = 45 + (60 + 12 * length) // (int(state.players) - 1)
    if state.options.abilities == 1:
        worth -= 35 * (kind == ninjas.PHANTOM) + 20 * (kind == ninjas.THORN)
        worth -= 10 * legal.has_ability(state, seat, ninjas.DECOY)
        worth += 12 * (kind in (ninjas.SHIELD, ninjas.SCHOLAR, ninjas.QUARTERMASTER, ninjas.SHADOW))
    if length >= ninjas.TO_WIN and seat == seat_after(state, player):
        worth += SAVING
    elif length >= ninjas.TO_WIN - 1:
        worth += 50 // (int(state.players) - 1)
    return worth


@rule
def worth_of_counter(state: Record, player: int) -> int:
    """NINJA-12: return the value of responding with a Counter.

    A defender always responds. An attacker responds only in an attack with two cards, against a strong Defender, or
    with another Counter in hand.
    """
    if player == state.duel.defender:
        return 10
    if state.areas[state.duel.defender].length >= ninjas.TO_WIN - 1 or copies(state.hands[player], ninjas.COUNTER) > 1:
        return 10
    return 5 if state.duel.cards[1] != EMPTY else -5


@rule
def worth_of_decoy(state: Record) -> int:
    """NINJA-41: return the value of losing the Decoy, which is negative if the attacked card is a Phantom."""
    return -5 if state.areas[state.duel.defender].cards[state.duel.target] == ninjas.PHANTOM else 5


@rule
def worth_in_hand(state: Record, player: int, card: int) -> int:
    """Return the value of having a card of this kind in hand."""
    if card == EMPTY:
        return NOTHING // 2
    if card == ninjas.COUNTER:
        return 44 - 8 * copies(state.hands[player], ninjas.COUNTER)
    if card == ninjas.SPIRIT:
        return 45 if state.options.spirit == ninjas.WILD else 52
    if card >= ninjas.DEFENDER:
        return 46 + strength(state, player, card) // 3
    return 22 + aim(state, player, card)


@rule
def aim(state: Record, player: int, colour: int) -> int:
    """NINJA-10: return the extra value of an Attacker that matches an opponent's card."""
    worth = 0
    for number in range(int(state.players) - 1):
        seat = rival(state, player, number)
        if legal.cards_in_play(state, seat) >> colour & 1:
            worth = max(worth, 16 + 3 * int(state.areas[seat].length))
    return worth


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    match ninjas.ACTIONS.decode(actions[0]):
        case "draw", place:
            return reason_to_take(state.row[place])
        case "play", _ if state.areas[player].length == ninjas.TO_WIN - 1:
            return "The sixth card: if nobody breaks it, the game is won."
        case "play", _:
            return f"That makes {state.areas[player].length + 1} of the six that you need in play."
        case "target", target if state.areas[legal.target_seat(state, player, target)].length >= ninjas.TO_WIN:
            return "One of the six must fall now, or the game is lost."
        case "target", _:
            cards = "One card" if len(actions) == 2 else "Two cards"
            return f"{cards} for one, and you draw one."
        case "answer", _ if state.duel.defender == player:
            return "What is in play is worth a Counter."
        case "answer", _:
            return "This attack is worth a Counter."
        case "pass", _:
            return "A Counter is worth more later, or there is none."
        case "use_decoy", _:
            return "The other card is worth more than the Decoy."
        case "skip", _ if state.phase == ninjas.DECOYING:
            return "The Phantom comes back by itself."
        case "skip", _:
            return "It would cost more than it brings."
        case "rob", _:
            return "Who holds most can spare most."
        case "card", _ if state.phase == ninjas.TAKING:
            return "Of the discarded Defenders it promises most."
        case "card", _:
            verb = "give away" if state.phase == ninjas.GIVING else "lose"
            return f"It is the card that hurts least to {verb}."
    return "Nothing else can be done."


def reason_to_take(kind: int) -> str:
    if kind == ninjas.COUNTER:
        return "A Counter guards what lies in play."
    if kind < ninjas.DEFENDER:
        return "With it you have something to attack."
    return "You can play it next turn."
