"""Chaos Ninjas: attacks and their results. Clause ids refer to docs/rules/chi.md."""

from fairdeal.engine.kit.piles import find, take
from fairdeal.engine.records import EMPTY, Record, rule
from fairdeal.games.chi.ninjas import state as ninjas
from fairdeal.games.chi.ninjas.rules.hands import hold, leave_hand, others_than
from fairdeal.games.chi.ninjas.rules.legal import has_ability, kind_in_play, target_seat
from fairdeal.games.chi.ninjas.rules.turns import ask, draw_to_hand, end_action


@rule
def compose_attack(state: Record, player: int, action: int) -> None:
    """NINJA-10: carry out a step of an attack: a target, then one Attacker, or two in the order of their colours."""
    state.composing = 1
    if action < ninjas.WITH:
        state.draft.target = action - ninjas.TARGET
    elif ninjas.FIRST <= action < ninjas.ANSWER:
        state.draft.first = action - ninjas.FIRST
    elif action == ninjas.WITH_SPIRIT:
        attack(state, player, ninjas.SPIRIT, EMPTY)
    elif state.draft.first == EMPTY:
        attack(state, player, action - ninjas.WITH, EMPTY)
    else:
        attack(state, player, int(state.draft.first), action - ninjas.WITH)


@rule
def clear_draft(state: Record) -> None:
    state.draft.target = 0
    state.draft.first = EMPTY
    state.composing = 0


@rule
def attack(state: Record, player: int, first: int, second: int) -> None:
    """NINJA-10, 12, 42: play the attacking cards, and ask the defender unless a Shadow prevents a Counter."""
    target = int(state.draft.target)
    defender = target_seat(state, player, target)
    leave_hand(state.hands[player], first)
    if second != EMPTY:
        leave_hand(state.hands[player], second)
    state.duel.attacker = player
    state.duel.defender = defender
    state.duel.target = find(state.areas[defender], kind_in_play(target % ninjas.IN_PLAY))
    state.duel.cards[0] = first
    state.duel.cards[1] = second
    clear_draft(state)
    if second != EMPTY and has_ability(state, player, ninjas.SHADOW):
        win_attack(state)
    else:
        await_answer(state, defender)


@rule
def await_answer(state: Record, player: int) -> None:
    """CHI-41, 45, NINJA-12: ask a player for a response to the attack."""
    state.duel.answering = player
    ask(state, player, ninjas.DUEL)


@rule
def answer_with_counter(state: Record, player: int) -> None:
    """CHI-41, NINJA-12: block the last card with a Counter and ask the other player."""
    leave_hand(state.hands[player], ninjas.COUNTER)
    state.duel.counters += 1
    await_answer(state, int(state.duel.attacker) + int(state.duel.defender) - player)


@rule
def resolve_duel(state: Record, loser: int) -> None:
    """CHI-42, 44, NINJA-13: end an attack lost by the player who passed. The attacker draws only after winning it."""
    if loser == state.duel.attacker:
        discard_played(state)
        end_duel(state)
        end_action(state, loser)
    else:
        win_attack(state)


@rule
def discard_played(state: Record) -> None:
    """NINJA-14 (1): move the attacking cards and the Counters to the discard pile."""
    for i in range(2):
        if state.duel.cards[i] != EMPTY:
            state.discard[state.duel.cards[i]] += 1
            state.duel.cards[i] = EMPTY
    state.discard[ninjas.COUNTER] += state.duel.counters
    state.duel.counters = 0


@rule
def win_attack(state: Record) -> None:
    """NINJA-14 (1), (2): discard the played cards, and then offer the Decoy or remove the attacked card."""
    discard_played(state)
    if may_use_decoy(state):
        state.duel.answering = state.duel.defender
        ask(state, state.duel.defender, ninjas.DECOYING)
    else:
        lose_target(state)


@rule
def may_use_decoy(state: Record) -> bool:
    """NINJA-07, 41: return whether the defender has a Decoy that can be lost instead. A Decoy in a stack cannot."""
    defender = int(state.duel.defender)
    area = state.areas[defender]
    if not has_ability(state, defender, ninjas.DECOY) or area.cards[state.duel.target] == ninjas.DECOY:
        return False
    if state.options.same_colour != ninjas.STACK:
        return True
    decoys = 0
    for place in range(area.length):
        decoys += area.cards[place] == ninjas.DECOY
    return decoys == 1


@rule
def lose_decoy(state: Record) -> None:
    """NINJA-41: discard the Decoy that was played first. The attacked card stays, and the ability that it has when it
    is defeated does not take effect."""
    attacker, area = int(state.duel.attacker), state.areas[state.duel.defender]
    state.discard[take(area, find(area, ninjas.DECOY))] += 1
    end_duel(state)
    reward(state, attacker)


@rule
def lose_target(state: Record) -> None:
    """NINJA-14 (3), (4), 36, 38, 43: remove the attacked card from play. A Phantom returns to its owner's hand, and a
    Thorn costs the attacker a card."""
    attacker, defender = int(state.duel.attacker), int(state.duel.defender)
    card = take(state.areas[defender], state.duel.target)
    end_duel(state)
    if card == ninjas.PHANTOM and state.options.abilities == 1:
        hold(state.hands[defender], card, others_than(state, defender))
    else:
        state.discard[card] += 1
    if card == ninjas.THORN and state.options.abilities == 1 and state.hands[attacker].length > 0:
        ask(state, attacker, ninjas.SUFFERING)
    else:
        reward(state, attacker)


@rule
def reward(state: Record, attacker: int) -> None:
    """NINJA-13, 14 (5), (6): let a successful attacker draw the top card of the deck."""
    draw_to_hand(state, attacker)
    end_action(state, attacker)


@rule
def end_duel(state: Record) -> None:
    state.duel.attacker = 0
    state.duel.defender = 0
    state.duel.target = 0
    state.duel.cards[0] = EMPTY
    state.duel.cards[1] = EMPTY
    state.duel.counters = 0
    state.duel.answering = 0
