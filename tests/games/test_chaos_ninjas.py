"""Chaos Ninjas: attacks picked card by card, the memory of hands, and the greedy rule."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.fields import fields_of
from fairdeal.engine.records import EMPTY, SPECTATOR
from fairdeal.games.chi.colours import COLOURS
from fairdeal.games.chi.ninjas import bots
from fairdeal.games.chi.ninjas.cards import CODES
from fairdeal.games.chi.ninjas.rules.legal import attackers_in, first_cards, second_cards
from fairdeal.games.chi.ninjas.state import FIRST, SPIRIT, TARGET, WITH, WITH_SPIRIT
from fairdeal.games.chi.ninjas.text.draft import ATTACK, attacks, pick_of
from fairdeal.games.chi.ninjas.text.notation import attackers_of
from fairdeal.testing.play import must_have, play_at_random, random_states

pytestmark = pytest.mark.skipif("chaos-ninjas" not in fairdeal.game_names(), reason="the game is not installed")

TABLES = [{"players": 3}, {"players": 4, "spirit": "wild"}, {"pair_attack": "same_colour", "same_colour": "stack"}]


def states(options, games=4):
    """Yield every state of some random games with the move that follows: seat, actions and text."""
    table, dice = fairdeal.load("chaos-ninjas", **options), random.Random(str(options))
    for seed in range(games):
        state = table.deal(seed)
        while not state.over:
            before = state.copy()
            seat, actions = play_at_random(state, dice)
            yield before, seat, actions, state.game.write_move(before.record, seat, actions)


def picks_of(attack):
    """Return the picks for an attack: its target and its cards."""
    picks = [attack[0]]
    for kind in attackers_of(attack):
        picks.append(pick_of(kind, picks))
    return picks


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_every_attack_can_be_tapped_together_in_any_order(options):
    tapped = 0
    for state, seat, _, _ in itertools.islice(states(options), 0, 600, 15):
        if state.position()["phase"] not in ("act", "strike"):
            continue
        seen = state.seen_by(seat)
        for attack in attacks(state.record, seat):
            for order in itertools.permutations(picks_of(attack)):
                if any(
                    order.index(pick) > order.index(pick + 12) for pick in order if pick + 12 in order and pick >= 58
                ):
                    continue  # the second of two equal cards is not picked before the first
                draft = ()
                for pick in order:
                    scene = seen.scene(draft)
                    offered = {choice.id for choice in scene.choices}
                    if pick in offered:
                        draft = seen.pick(draft, pick, scene).draft
                    else:
                        assert ATTACK in offered, "the only attack left is shown whole already"
                assert seen.pick(draft, ATTACK).move == attack
                tapped += 1
    assert tapped > 20


def test_the_first_player_has_a_seat_at_the_table():
    with pytest.raises(fairdeal.BadOption, match="First player: “seat 4”"):
        fairdeal.load("chaos-ninjas", players=3, first_player=3)


class Memory:
    """The cards in hands that one viewer is sure of, written from the clauses and not from the rules."""

    def __init__(self, players, viewer):
        self.viewer = viewer
        self.known = [Counter() for _ in range(players)]

    def follow(self, position, later, seat, move):
        """Follow a move, given the positions before and after it."""
        (verb, *rest), robber = move.split(), position["turn"]
        if verb == "draw":
            self.known[seat][position["row"][int(rest[0])]] += 1
        elif verb == "take":
            self.known[seat][rest[0]] += 1
        elif verb in ("play", "discard", "counter"):
            self.lose(seat, rest[0] if rest else "counter")
        elif verb == "attack":
            for card in rest[1:]:
                self.lose(seat, card)
        elif verb == "give":
            if self.viewer in (seat, robber):
                self.lose(seat, rest[0])
                self.known[robber][rest[0]] += 1
            else:
                for card in list(self.known[seat]):
                    self.lose(seat, card)
        for owner, area in enumerate(position["areas"]):
            fallen = Counter(area) - Counter(later["areas"][owner])
            if fallen["def-teal"]:
                self.known[owner]["def-teal"] += 1

    def lose(self, seat, card):
        if self.known[seat][card]:
            self.known[seat][card] -= 1


@pytest.mark.parametrize("options", [*TABLES, {"players": 4, "spirits": 0, "counters": 8}], ids=str)
def test_a_perfect_memory_knows_cards_that_were_seen_to_go_to_a_hand(options):
    memories, remembered = {}, Counter()
    for state, seat, actions, move in states(options, games=1):
        position = state.position()
        if position["turn_no"] == 1 and position["phase"] == "act":
            memories = {viewer: Memory(state.players, viewer) for viewer in (*range(state.players), SPECTATOR)}
        after = state.copy()
        after.play_actions(seat, actions)
        later = after.position()
        for viewer, memory in memories.items():
            memory.follow(position, later, seat, move)
            shown = after.view(viewer, 100).position()["hands"]
            for owner in range(state.players):
                if owner != viewer:
                    known = Counter(card for card in shown[owner] if card != "?")
                    assert known == +memory.known[owner], (viewer, owner, move)
                    assert set(known) <= set(CODES)
                    remembered[viewer] += known.total()
    assert min(remembered[viewer] for viewer in range(state.players)) > 10, remembered


@pytest.mark.parametrize("preset", ["standard", "wild-spirits", "stacks", "melee"])
def test_the_greedy_rule_attacks_with_the_cards_whose_loss_costs_least(preset):
    actions, seconds = np.empty(200, np.int16), np.empty(200, np.int16)
    costs, cards = np.empty(COLOURS, np.int64), np.empty(2, np.int16)
    pairs = singles = 0
    for state, _, where in random_states(fairdeal.load("chaos-ninjas", preset=preset), "attacks", 300):
        view, player = fields_of(state.record), state.to_act[0]
        attackers = attackers_in(view.hands[player])
        bots.count_costs(view, player, attackers, costs)
        for target in [action - TARGET for action in state.legal_actions(player) if TARGET <= action < WITH]:
            ways = []
            for first in actions[: first_cards(view, player, target, actions)].tolist():
                if not FIRST <= first < FIRST + COLOURS:
                    kind = SPIRIT if first == WITH_SPIRIT else first - WITH
                    ways.append((bots.worth_in_hand(view, player, kind), [first, EMPTY]))
                    continue
                cost = bots.worth_in_hand(view, player, first - FIRST)
                for second in seconds[: second_cards(view, player, target, first - FIRST, seconds)].tolist():
                    ways.append((cost + bots.worth_in_hand(view, player, second - WITH), [first, second]))
            least = bots.cheapest(view, player, target, attackers, costs, cards)
            assert (least, cards.tolist()) == min(ways, key=lambda way: way[0]), where
            pairs, singles = pairs + (cards[1] != EMPTY), singles + (cards[1] == EMPTY)
    must_have(singles, 20, "attacks with one card")
    must_have(pairs, 5, "attacks with two")
