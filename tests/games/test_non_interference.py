"""Nobody is shown what he may not know: changing only that changes nothing he is given (architecture, section 3)."""

import random
from collections import Counter

import msgspec
import pytest

import fairdeal
from fairdeal.bots.bots import ask, find_bot
from fairdeal.engine import chance
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record
from tests.games.hidden import UNSEEN, rearranged

STATES = 25


def states_of(name, preset, number=STATES, steps=7):
    """States spread over random games of a preset."""
    dice = random.Random(f"{name} {preset}")
    state = fairdeal.load(name, preset=preset).deal(seed=dice.random())
    for _ in range(number):
        for _ in range(dice.randint(1, steps)):
            if state.over:
                state = fairdeal.load(name, preset=preset).deal(seed=dice.random())
            play_at_random(state, dice)
        if not state.over:
            yield state, dice


def play_at_random(state, dice):
    player = dice.choice(state.to_act)
    actions = []
    while not actions or state.composing:
        actions.append(dice.choice(state.legal_actions(player)))
        state.apply(player, actions[-1])
    return player, actions


def viewers(state):
    return [*range(state.players), SPECTATOR]


def test_views_scenes_positions_and_hints_do_not_depend_on_hidden_cards(name, preset):
    for state, dice in states_of(name, preset):
        for viewer in viewers(state):
            other = rearranged(state, viewer, dice)
            for recall in (0, 100):
                ours, theirs = state.view(viewer, recall), other.view(viewer, recall)
                assert ours.record.tobytes() == theirs.record.tobytes()
                assert msgspec.json.encode(ours.position()) == msgspec.json.encode(theirs.position())
            assert msgspec.json.encode(state.scene(viewer)) == msgspec.json.encode(other.scene(viewer))
            if viewer in state.to_act:
                assert state.legal_actions(viewer) == other.legal_actions(viewer)
                bot = find_bot("greedy", state.table, viewer, b"")
                assert ask(bot, state, viewer) == ask(bot, other, viewer)


def test_narration_does_not_depend_on_hidden_cards(name, preset):
    compared = 0
    for state, dice in states_of(name, preset):
        after = state.copy()
        player, actions = play_at_random(after, dice)
        for viewer in viewers(state):
            other = rearranged(state, viewer, dice, deep=False)
            if not other.is_legal_move(player, actions):
                continue
            later = other.copy()
            later.play_actions(player, actions)
            if later.view(viewer).record.tobytes() != after.view(viewer).record.tobytes():
                continue  # the move brought a card to light that differs, such as the next one of the row
            compared += 1
            names = [f"Player {seat}" for seat in range(state.players)]
            assert state.narrate(after, player, actions, viewer, names) == other.narrate(
                later, player, actions, viewer, names
            )
    assert compared > STATES


def test_a_half_made_move_is_seen_by_its_player_only(name, preset):
    for state, dice in states_of(name, preset):
        player = state.to_act[0]
        composing = state.copy()
        composing.apply(player, dice.choice(state.legal_actions(player)))
        if composing.composing:
            for viewer in viewers(state):
                same = composing.view(viewer).record.tobytes() == state.view(viewer).record.tobytes()
                assert same == (viewer != player)


def test_resampling_fits_what_the_viewer_sees_and_moves_every_hidden_card(name, preset):
    source = new(chance_record)
    chance.set_key(source, chance.key_of("resample"))
    for state, _ in states_of(name, preset, number=4):
        for viewer in viewers(state):
            for recall in (0, 100):
                view = state.view(viewer, recall)
                zones = hidden_zones(view)
                guesses = [view.resample(source) for _ in range(30)]
                for guess in guesses:
                    assert guess.view(viewer, recall).record.tobytes() == view.record.tobytes()
                if sum(zones.values()) > 3:
                    for zone in zones:
                        check_every_card_moves(zone, state, view, guesses)


def hidden_zones(view):
    """How many unseen cards each hand and the deck of a concealed position show."""
    position, unseen = view.position(), UNSEEN.get(view.game.specification, "?")
    zones = {("hands", seat): hand.count(unseen) for seat, hand in enumerate(position.get("hands", []))}
    zones |= {("stock", reel): pile.count(unseen) for reel, pile in enumerate(position.get("stock", []))}
    zones["deck",] = position.get("deck", []).count(unseen)
    return {zone: count for zone, count in zones.items() if count}


def cards_in(state, zone):
    cards = state.position()
    for step in zone:
        cards = cards[step]
    return cards


def check_every_card_moves(zone, state, view, guesses):
    """Each hidden card of a hand is missing from some guess; each place of the deck holds different cards."""
    found = [cards_in(guess, zone) for guess in guesses]
    if zone == ("deck",):
        assert all(len({cards[place] for cards in found}) > 1 for place in range(len(found[0])))
        return
    hidden = Counter(cards_in(state, zone)) - Counter(cards_in(view, zone))
    for card in hidden:
        true_count = cards_in(state, zone).count(card)
        assert any(cards.count(card) < true_count for cards in found), card


def test_looking_through_another_ones_eyes_is_refused(name):
    view = fairdeal.load(name).deal(seed=1).view(0)
    with pytest.raises(fairdeal.FairdealError, match="viewer 0"):
        view.scene(1)
