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
from fairdeal.engine.registry import find_game
from tests.games.hidden import rearranged
from tests.games.zones import (
    KNOWLEDGE,
    REMEMBERED,
    ZONES,
    can_move,
    cards_at,
    differing,
    hidden_cards,
    paths_of_zones,
    states_of_every_zone,
)

STATES = 25

COMPOSED = ("chaos-ninjas", "chip-it")
"""Games in which a move may take more than one action."""


def states_of(name, preset, number=STATES, steps=7):
    """States spread over random games of a preset; many are early, when little is known yet."""
    dice = random.Random(f"{name} {preset}")
    state = fairdeal.load(name, preset=preset).deal(seed=dice.random())
    for _ in range(number):
        for _ in range(dice.randint(1, steps)):
            if state.over or dice.random() < 0.05:
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
    compared, hints = 0, 0
    for state, dice in states_of(name, preset):
        for viewer in viewers(state):
            other = rearranged(state, viewer, dice)
            compared += other.position() != state.position()
            for recall in (0, 100):
                ours, theirs = state.view(viewer, recall), other.view(viewer, recall)
                assert ours.record.tobytes() == theirs.record.tobytes()
                assert msgspec.json.encode(ours.position()) == msgspec.json.encode(theirs.position())
            assert msgspec.json.encode(state.scene(viewer)) == msgspec.json.encode(other.scene(viewer))
            if viewer in state.to_act:
                assert state.legal_actions(viewer) == other.legal_actions(viewer)
                bot = find_bot("greedy", state.table, viewer, b"")
                assert ask(bot, state, viewer, 0) == ask(bot, other, viewer, 0)
                hints += 1
    assert compared > STATES / 2
    assert hints > STATES / 2


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
    half_made = 0
    for state, _ in states_of(name, preset, number=4 * STATES if name in COMPOSED else STATES):
        player = state.to_act[0]
        for action in state.legal_actions(player):
            composing = state.copy()
            composing.apply(player, action)
            if composing.composing:
                half_made += 1
                for viewer in viewers(state):
                    same = composing.view(viewer).record.tobytes() == state.view(viewer).record.tobytes()
                    assert same == (viewer != player)
    assert half_made > STATES / 2 if name in COMPOSED else half_made == 0


def test_in_every_zone_every_hidden_card_moves(name):
    """Rearranged by hand it shows nothing; resampled it fits what is shown. Cards that can be worked out are counted
    apart: they stay."""
    source = new(chance_record)
    chance.set_key(source, chance.key_of("resample"))
    tally = {zone: Counter() for zone in ZONES[name]}
    watched = Counter()
    for state, dice in states_of_every_zone(name, steps=80, of_each=1):
        position = state.position()
        for viewer in sorted(viewers(state), key=watched.__getitem__)[:3]:
            watched[viewer] += 1
            other = rearranged(state, viewer, dice)
            rearrangement = other.position()
            views = [state.view(viewer, recall) for recall in (0, 100)]
            for recall, view in enumerate(views[: 1 + (views[0] != views[1])]):
                assert other.view(viewer, 100 * recall).record.tobytes() == view.record.tobytes()
                shown = view.position()
                check_only_zones_hide(name, position, shown)
                hidden = hidden_cards(name, position, shown)
                movable = can_move(name, position, shown, hidden)
                check_all_move(view, 100 * recall, position, hidden, movable, source)
                for (zone, path), cards in hidden.items():
                    free = Counter({card: n for card, n in cards.items() if (zone, path, card) in movable})
                    rearranges = cards_at(rearrangement, path) != cards_at(position, path)
                    tally[zone] += Counter(moved=free.total(), stayed=(cards - free).total(), rearranged=rearranges)
                    assert free or not rearranges, (zone, path, cards)
    for zone, found in tally.items():
        print(f"{zone}: {found['moved']} cards moved, {found['stayed']} can be worked out")
    assert [zone for zone, found in tally.items() if found["moved"] < 2] == []
    assert [zone for zone, found in tally.items() if not found["rearranged"] and zone not in REMEMBERED] == []
    assert set(watched) == {SPECTATOR, *range(find_game(name).players[1])}


def check_only_zones_hide(name, position, shown):
    """Whatever a view lacks lies in a zone of the tables."""
    zones = {path for _, path in paths_of_zones(name, position)}
    for path in differing(position, shown):
        assert path[0] in KNOWLEDGE or any(path[:length] in zones for length in range(1, len(path) + 1)), path


def check_all_move(view, recall, position, hidden, movable, source):
    """Each card that can lie elsewhere does so in some guess, each that cannot in none; every guess fits the view."""
    left, guesses = set(movable), 0
    while guesses < 3 or (left and guesses < 1000):
        guess, guesses = view.resample(source), guesses + 1
        assert guess.view(view.viewer, recall).record.tobytes() == view.record.tobytes()
        found = guess.position()
        for (zone, path), cards in hidden.items():
            for card in cards:
                if cards_at(found, path)[card] < cards_at(position, path)[card]:
                    assert (zone, path, card) in movable
                    left.discard((zone, path, card))
    assert left == set()


def test_looking_through_another_ones_eyes_is_refused(name):
    view = fairdeal.load(name).deal(seed=1).view(0)
    with pytest.raises(fairdeal.FairdealError, match="viewer 0"):
        view.scene(1)
