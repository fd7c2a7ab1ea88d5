"""WAR X-TREME: the greedy bot.

The bot sees only a concealed state, and recognises cards by their kinds and primitives, never by name. Its estimates
are in hundredths of a card. Equipment in hand has a value, because a later war may have eight or more cards at stake.
The value of each piece falls with the number of pieces in hand. The bot plays a piece if the expected gain exceeds that
value. In decisions that cannot be estimated, it chooses the moves that cost nothing: it trusts, plays must-play-now
cards and gives correct answers in races.
"""

from collections.abc import Sequence

from fairdeal.engine.kit.seats import is_in, size_of
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN, Record, rule
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue import tables as printed
from fairdeal.games.war_xtreme.catalogue.effects_told import kit_text
from fairdeal.games.war_xtreme.catalogue.names import a_rank
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.options import OUT
from fairdeal.games.war_xtreme.rules import fight
from fairdeal.games.war_xtreme.rules.aiming import could_lose_a_card, is_must
from fairdeal.games.war_xtreme.rules.effects import equipment_of_action, target_of_action
from fairdeal.games.war_xtreme.rules.finish import best_deck_after, hides_a_card
from fairdeal.games.war_xtreme.rules.kit.equipment import zone_size, zone_start
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size, find_tag
from fairdeal.games.war_xtreme.rules.kit.sets import sets_in_play
from fairdeal.games.war_xtreme.rules.phases import default_action, legal_actions
from fairdeal.games.war_xtreme.rules.war import STAKES
from fairdeal.games.war_xtreme.text.draft import kit_and_target, tricks_in_words

CARD = 100
KEEP, LESS_FOR_EACH = 260, 40
"""Value of a piece of equipment in hand, and the amount by which it is reduced for each other piece held with it."""
IN_PLAY_WORTH, CURSE_WORTH, SCRAP_WORTH, PEEK_WORTH, WAR_WORTH = 420, 400, 380, 600, 60
MUST_WORTH = 1000
"""Value of playing a must-play-now card, set high because hiding one is not worth the risk."""
EQUIPMENT_WON = 150
REACH = 6
"""WAR-94: number of cards by which a seat may be behind in the last round and still have a good chance to catch up."""
PIECE = 2.0
"""Value of a piece of equipment, in cards, at the point where search stops a game. A curse costs its victim the same
value."""
UNSEEN_RANK = 10
"""Assumed rank of a recruit from an unknown slot."""


@rule
def estimate(state: Record, out: Record) -> None:
    """Estimate each seat's cards, counting equipment as cards. After the game, each winner counts as owning all
    cards."""
    every = 0
    for seat in range(state.players):
        every += deck_size(state.decks[seat])
    for seat in range(state.players):
        out[seat] = float(every * is_in(state.winners, seat)) if state.over else prospects(state, seat)


@rule
def prospects(state: Record, seat: int) -> float:
    """WAR-85: return the value of a seat's deck and equipment, halved if the seat hides a card."""
    equipment, kinds, pieces = state.equipment, state.options.catalogue.equipment_kind, 0
    for place in range(zone_start(equipment, xtreme.IN_HAND + seat), equipment.ends[xtreme.IN_HAND + seat]):
        pieces += not is_must(state, int(equipment.cards[place]))
    for place in range(zone_start(equipment, xtreme.IN_PLAY + seat), equipment.ends[xtreme.IN_PLAY + seat]):
        pieces += -1 if kinds[int(equipment.cards[place]) - 1] == printed.CURSE else 1
    cards = float(deck_size(state.decks[seat])) + PIECE * pieces
    return cards / 2 if hides_a_card(state, seat) else cards


@rule
def alike(state: Record, player: int, action: int) -> int:
    """WAR-36: return the action for the first recruit that has not been peeked at and is equivalent to the recruit that
    `action` picks, or else `action`.

    Recruits that the player has not peeked at are equivalent if the same seats have peeked at them.
    """
    if (
        action < xtreme.RECRUIT
        or action >= xtreme.RECRUIT + xtreme.SLOTS
        or state.slots[action - xtreme.RECRUIT] != UNKNOWN
    ):
        return action
    first = 0
    while state.slots[first] != UNKNOWN or not known_to_the_same(state, first, action - xtreme.RECRUIT):
        first += 1
    return xtreme.RECRUIT + first


@rule
def known_to_the_same(state: Record, slot: int, other: int) -> bool:
    """Return whether exactly the same seats have peeked at two recruits."""
    for seat in range(state.players):
        if (int(state.seats[seat].seen) >> slot ^ int(state.seats[seat].seen) >> other) & 1:
            return False
    return True


@rule
def greedy(state: Record, player: int, plan: Record) -> int:
    """Write the best move into `plan`, and return its length, which is always one action."""
    count = legal_actions(state, player, plan)
    best = int(plan[0])
    if count > 1:
        best = int(default_action(state, player))
        most = 0
        for number in range(count):
            worth = worth_of(state, player, int(plan[number]))
            if worth > most:
                best, most = int(plan[number]), worth
    plan[0] = best
    return 1


@rule
def worth_of(state: Record, player: int, action: int) -> int:
    """Return the advantage of an action over the default action."""
    if action >= xtreme.EQUIP:
        return worth_of_equipment(state, player, action)
    if action >= xtreme.CATCH and action < xtreme.DISPUTE:
        return worth_of_catching(state, player, action - xtreme.CATCH)
    if action >= xtreme.ACT and action < xtreme.CALL:
        return CARD if fight.printed_actions(state, fight.fighters(state)) >> (action - xtreme.ACT) & 1 else 0
    if action >= xtreme.TRUST and action < xtreme.ACT:
        return worth_of_handling(state, player, action - xtreme.DISTRUST)
    if action >= xtreme.RECRUIT and action < xtreme.TRUST:
        return worth_of_slot(state, player, action - xtreme.RECRUIT)
    if action >= xtreme.BUY_IN and action < xtreme.RECRUIT:
        return worth_of_joining(state, player, action - xtreme.BUY_IN)
    return CARD if action == xtreme.YES else 0


# --- trust, catching, choices ------------------------------------------------------------------------------------


@rule
def worth_of_handling(state: Record, player: int, handling: int) -> int:
    """WAR-62: return the value of handling a pile. The bot distrusts only a much richer owner, and only cuts, because a
    second shuffle of a shuffled pile changes nothing."""
    rich = deck_size(state.decks[state.regroup.owner]) > 2 * deck_size(state.decks[player])
    return CARD if rich and handling == xtreme.CUT else 0


@rule
def worth_of_catching(state: Record, player: int, accused: int) -> int:
    """WAR-85, 86: return the value of an accusation.

    A hidden card remains hidden, so the bot waits until a false accusation costs nothing.
    """
    if not has_nothing_to_lose(state, player) or not may_hide(state, accused):
        return 0
    wins = state.options.caught == OUT or best_deck_after(state, accused) == player
    return CARD if wins else 0


@rule
def has_nothing_to_lose(state: Record, player: int) -> bool:
    """WAR-86, 94: return whether a false accusation is free, or the last round is lost in any case."""
    if state.options.false_catch == 0 or not could_lose_a_card(state, player):
        return True
    if state.round_no != state.options.max_rounds:
        return False
    rival = best_deck_after(state, player)
    return deck_size(state.decks[rival]) - deck_size(state.decks[player]) > REACH


@rule
def may_hide(state: Record, accused: int) -> bool:
    """WAR-84: return whether a rival holds equipment while there is a must-play-now card that cannot be seen."""
    if zone_size(state.equipment, xtreme.IN_HAND + accused) == 0:
        return False
    unseen, copies = 0, size_of(sets_in_play(state))
    for number in range(1, 1 + int(state.options.catalogue.equipment_count)):
        unseen += copies * is_must(state, number)
    for place in range(state.equipment.ends[xtreme.JUNK]):
        number = int(state.equipment.cards[place])
        unseen -= number != UNKNOWN and is_must(state, number)
    return unseen > 0


@rule
def worth_of_joining(state: Record, player: int, number: int) -> int:
    """WAR-51: return the value of a share of the pot, minus the price, the player's card and the stakes."""
    rivals = size_of(int(state.wars[number].warriors))
    stakes = max(min(deck_size(state.decks[player]) - 2, STAKES), 0)
    pot = rivals * (2 + STAKES) + spoils_of(state, number)
    gain = (pot * CARD + EQUIPMENT_WON) // (rivals + 1)
    return gain - 2 * CARD - (1 + stakes) * CARD * rivals // (rivals + 1)


@rule
def spoils_of(state: Record, number: int) -> int:
    """WAR-52: return the number of spoils in a war's pot. All spoils go to the highest war, at index 0."""
    spoils = 0
    if number == 0:
        for seat in range(state.players):
            spoils += state.choices[seat] == xtreme.IS_SPOILS
    return spoils


@rule
def worth_of_slot(state: Record, player: int, slot: int) -> int:
    """WAR-36: return the value of picking a slot, assuming an average card unless the player has peeked at it."""
    card = state.slots[slot]
    if card == UNKNOWN:
        return CARD * UNSEEN_RANK
    kind = fight.card_kind(state, card)
    if kind == printed.TAX:
        return 1
    if kind == printed.WAR:
        return CARD * (UNSEEN_RANK + 1)
    return CARD * fight.card_rank(state, card)


# --- what is at stake --------------------------------------------------------------------------------------------


@rule
def cards_at_stake(state: Record, player: int) -> int:
    """Return the number of cards at stake in this fight: those of rivals and the player's own."""
    if fight.in_clash(state):
        return find_tag(state.centre, xtreme.POT) + size_of(fight.fighters(state))
    return int(state.centre.length) + size_of(fight.fighters(state))


@rule
def own_stake(state: Record, player: int) -> int:
    """Return the number of the player's own cards at stake in this fight."""
    if fight.in_clash(state):
        return find_tag(state.centre, player + 1) - find_tag(state.centre, player) + 1
    return find_tag(state.centre, xtreme.ON_TABLE + player + 1) - find_tag(state.centre, xtreme.ON_TABLE + player) + 1


@rule
def outlook(state: Record, player: int) -> int:
    """Return the expected result of this fight in its current state: the cards won, or minus the cards lost."""
    seats = fight.fighters(state)
    if not is_in(seats, player):
        return 0
    own, pot = own_stake(state, player), cards_at_stake(state, player)
    kinds = fight.kinds_present(state, seats)
    acting = fight.acting_kind(kinds)
    if acting == printed.TAX:
        return -own * CARD
    if acting == printed.WIN:
        return outlook_among(state, player, fight.seats_of_kind(state, seats, printed.WIN), own, pot)
    if acting == printed.SPEED:
        return outlook_among(state, player, seats, own, pot)
    if acting == printed.WAR:
        return WAR_WORTH
    powers = fight.all_powers(state, seats)
    best = fight.highest_power(state, seats, powers)
    alike = fight.seats_with(state, seats, powers, fight.power_of(powers, player))
    if fight.power_of(powers, player) < best and alike != 1 << player and not fight.in_clash(state):
        return WAR_WORTH
    return outlook_among(state, player, fight.seats_with(state, seats, powers, best), own, pot)


@rule
def outlook_among(state: Record, player: int, winners: int, own: int, pot: int) -> int:
    """Return the expected result for `player` if one of `winners` takes the pot."""
    if not is_in(winners, player):
        return -own * CARD
    return pot * CARD // size_of(winners) - own * CARD


# --- equipment ---------------------------------------------------------------------------------------------------


@rule
def keep_worth(state: Record, player: int) -> int:
    """Return the value of a piece of equipment that stays in hand."""
    return max(KEEP - LESS_FOR_EACH * (zone_size(state.equipment, xtreme.IN_HAND + player) - 1), LESS_FOR_EACH)


@rule
def worth_of_equipment(state: Record, player: int, action: int) -> int:
    """Return the gain from playing a card, minus the value of keeping it."""
    number, target = equipment_of_action(action), target_of_action(action)
    tables = state.options.catalogue
    kind, operation = tables.equipment_kind[number - 1], tables.equipment_op[number - 1]
    if kind == printed.MUST:
        return MUST_WORTH
    keep = keep_worth(state, player)
    if kind == printed.CONTINUOUS:
        return IN_PLAY_WORTH - keep
    if kind == printed.CURSE:
        return CURSE_WORTH - keep + deck_size(state.decks[target - 1])
    if operation == printed.MOD:
        return worth_of_mod(state, player, number, target) - keep
    if operation == printed.REDRAW:
        return worth_of_redraw(state, player) - keep
    if operation == printed.WITHDRAW:
        return -outlook(state, player) - keep
    if operation == printed.DECLARE:
        return WAR_WORTH - outlook(state, player) - keep
    if operation == printed.PEEK:
        return worth_of_peek(state, player, target - 1) - keep
    if operation == printed.MOVE:
        return worth_of_move(state, player, number, target) - keep
    if operation == printed.SCRAP:
        return SCRAP_WORTH - keep
    return IN_PLAY_WORTH - keep


@rule
def worth_of_mod(state: Record, player: int, number: int, target: int) -> int:
    """WAR-80: return the gain from playing a `mod`: the change in the expected result of the fight."""
    tables = state.options.catalogue
    seat = target - 1 if tables.equipment_to[number - 1] == printed.TARGET else player
    before = outlook(state, player)
    state.mods[seat] += tables.equipment_amount[number - 1]
    after = outlook(state, player)
    state.mods[seat] -= tables.equipment_amount[number - 1]
    return after - before


@rule
def worth_of_redraw(state: Record, player: int) -> int:
    """WAR-80: return the gain from playing a `redraw`, which may improve a losing card but puts one more card at
    stake."""
    looks = outlook(state, player)
    if looks >= 0:
        return 0
    seats = fight.fighters(state)
    best = fight.highest_power(state, seats, fight.all_powers(state, seats))
    return max(printed.ACE - best, 0) * cards_at_stake(state, player) * CARD // printed.ACE - CARD


@rule
def worth_of_peek(state: Record, player: int, slot: int) -> int:
    """WAR-36, 80: return the gain from a peek, which helps only a warrior who has not picked a recruit yet."""
    if state.phase != xtreme.BRACE or not is_in(state.wars[0].warriors, player) or state.slots[slot] != UNKNOWN:
        return 0
    return PEEK_WORTH


@rule
def worth_of_move(state: Record, player: int, number: int, target: int) -> int:
    """WAR-80: return the gain from a `move`. Cards taken from rivals count double, and rich rivals are preferred."""
    tables = state.options.catalogue
    source, goal = tables.equipment_from[number - 1], tables.equipment_to[number - 1]
    amount = int(tables.equipment_amount[number - 1])
    if source == printed.SELF:
        return -amount * CARD
    if source == printed.TARGET:
        return 2 * amount * CARD + deck_size(state.decks[target - 1])
    return amount * CARD if goal == printed.SELF else 0


SHORT = {
    "flip": "There is nothing to wait for.",
    "sweep": "With a flourish.",
    "yes": "Why not?",
    "no": "There is nothing to gain in it.",
    "flee": "Buying in costs more than this war is likely to bring.",
    "buy_in": "Your card beats that war, and two cards are a fair price for a share.",
    "recruit": "They all look alike from behind.",
    "trust": "One shuffle is as good as another.",
    "act": "That is what the Speed card asks for.",
    "catch": "You have nothing to lose by it, and a card that had to be played may be hidden there.",
}


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot, as a sentence."""
    match xtreme.ACTIONS.decode(actions[0]):
        case "pass", _ if xtreme.phase_of(state) == "RACE":
            return "No other action is right."
        case "pass", _:
            return "Equipment is worth more at a better moment."
        case "distrust", handling:
            return f"To be on the safe side: {tricks_in_words(handling)}."
        case "call", rank:
            alone = rank == printed.WILD_RANK
            return "It stands best alone." if alone else f"As {a_rank(rank)} it makes a war that suits you."
        case "equip", which:
            return f"{kit_text(words_of(state).equipment[kit_and_target(which)[0] - 1])}: it is worth it now."
        case verb, _:
            return SHORT.get(verb, "Somebody has to be asked.")
