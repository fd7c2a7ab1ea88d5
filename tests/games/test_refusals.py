"""Refusals: why a card cannot be chosen, and which options do not go together."""

from contextlib import suppress
from dataclasses import replace
from importlib.resources import files

import pytest

import fairdeal
from fairdeal.engine import rulebook
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.scene import TOP
from fairdeal.engine.state import UNSAID, Table
from fairdeal.engine.tips import read_refusals
from fairdeal.games.chimax.state import PLAYOFF_CARD
from tests.conftest import moments, opening

pytestmark = pytest.mark.quick

GENERIC = {"over", "waiting", "hidden", "other"}
"""The cases that every game has."""


def refusals(name, games=3, moves=40):
    """Yield the answers to a tap on every card without a choice, in random games, including unfinished moves."""
    for state, chance in moments(name, games, moves):
        for viewer in range(state.players):
            yield from of_viewer(state.seen_by(viewer), chance)


def of_viewer(seen, chance):
    """Yield the answers to a viewer for each card, before a move and after a pick."""
    choices = [choice for choice in seen.scene().choices if choice.kind == "card"]
    picked = seen.pick((), chance.choice(choices).id) if choices else None
    for draft in {(), picked.draft if picked and picked.move is None else ()}:
        scene = seen.scene(draft)
        offered = {choice.on for choice in scene.choices}
        for zone in scene.zones:
            for card in zone.cards:
                if card.back != "gap" and card.id not in offered:
                    yield seen.why(draft, card.id)


def test_each_answer_is_a_sentence_with_a_clause_of_the_game(name):
    game = fairdeal.find_game(name)
    known = {clause.id for clause in rulebook.clauses(game.specification, game.clause_prefix)}
    found = set(refusals(name))
    assert len(found) >= 2
    for text, clause in found:
        assert (text, clause) != UNSAID
        assert text[0].isupper(), text
        assert text.endswith("."), text
        assert not text.endswith(".."), text
        assert "`" not in text, text
        assert clause in known, text


def test_each_case_of_a_file_is_named_by_the_game_or_by_a_zone(name):
    game = fairdeal.find_game(name)
    home = files(game.clauses.partition(":")[0])
    folders = [home / "text", home / "picture", home.parent / "picture"]
    sources = [source for folder in folders if folder.is_dir() for source in folder.iterdir() if source.is_file()]
    states = [state for state in (home / "state.py", home.parent / "state.py") if state.is_file()]
    code = "".join(source.read_text("utf-8") for source in (*sources, *states))
    assert read_refusals(game.clauses)
    for case in read_refusals(game.clauses):
        zone = case.removeprefix("in ")
        assert case in GENERIC or f'"{zone}"' in code or f'"{zone}{{' in code, case


def refused_actions(name, games=2, moves=12):
    """Yield the errors for actions that are not legal, by state, seat and action. Each state tries every fourth."""
    for number, (state, _) in enumerate(moments(name, games, moves)):
        for seat in state.to_act[:2]:
            legal = state.legal_actions(seat)
            for action in [action for action in state.game.actions if action % 4 == number % 4 and action not in legal]:
                with pytest.raises(fairdeal.IllegalMove) as problem:
                    state.attempt(seat, [action])
                yield state, seat, action, problem.value


def test_an_action_is_refused_with_a_reason_and_a_clause_like_its_notation(name):
    game, tried = fairdeal.find_game(name), 0
    games = map(fairdeal.find_game, fairdeal.game_names())  # CHIMAX shares clauses
    known = {clause.id for one in games for clause in rulebook.clauses(one.specification, one.clause_prefix)}
    for state, seat, action, problem in refused_actions(name):
        label = game.actions.label(action)
        assert problem.clause in known, (label, problem.reason)
        with suppress(LookupError, ValueError):  # an action without a notation, such as an attack on a card elsewhere
            shown = snapshot(state.record)
            text = game.write_move(shown, seat, [action])
            if game.read_move(shown, seat, text) == [action]:
                with pytest.raises(fairdeal.IllegalMove) as written:
                    state.attempt(seat, text)
                assert (written.value.reason, written.value.clause) == (problem.reason, problem.clause), label
                tried += 1
    assert tried


@pytest.mark.parametrize(
    ("game", "actions", "reason", "clause"),
    [
        ("chi", [55], "you cannot pass your turn: draw, or play a Yang or a Yin", "CHI-13"),
        ("chi", [0, 0], "the move is complete after 1 action", ""),
        ("chi", [], "the move is not complete", ""),
        ("chi", [94], "94 is not an action: actions have numbers from 0 to 93", ""),
        ("chi", [-1], "-1 is not an action: actions have numbers from 0 to 93", ""),
        ("chip-it", [32], "the move is not complete", ""),
        ("chip-it", [32, 32], "the points on the first card follow it", "CHIP-27"),
        ("chip-it", [33], "a play begins with a card", "CHIP-20"),
        ("chip-it", [32, 140], "it takes 107 points, and the pool holds 106", "CHIP-27"),
        ("chip-it", [1, 32], "the move is complete after 1 action", ""),
        ("chimax-books", [PLAYOFF_CARD], "there is no playoff now", "TOUR-06"),
        ("chaos-ninjas", [0, 0], "the move is complete after 1 action", ""),
        ("chaos-ninjas", [58], "an attack names its target first", "NINJA-10"),
    ],
    ids=str,
)
def test_actions_that_are_no_complete_move_are_refused_with_a_reason(game, actions, reason, clause):
    state = fairdeal.load(game, players=2).deal(7)
    with pytest.raises(fairdeal.IllegalMove) as problem:
        state.attempt(state.to_act[0], actions)
    assert (problem.value.reason, problem.value.clause) == (reason, clause)


def seen_in_chi(hand, discard, **changed):
    """Return what the seat to act sees of a game of CHI."""
    row = ["yin-black", "yin-black", "chi", "chi", "yin-blue", "yin-blue"]
    position = {"hands": [hand, ["chi", "chi"]], "discard": discard, "row": row, "turn": 0, "start": 0}
    table = fairdeal.load("chi")
    return Table(replace(table.game, **changed), table.options).setup(position).seen_by(0)


def test_a_card_on_the_table_is_not_taken_for_one_in_hand():
    seen = seen_in_chi(["yin-red", "yang3-red"], ["yin-red"])
    (pile,) = [zone for zone in seen.scene().zones if zone.id == "discard"]
    (hand,) = [zone for zone in seen.scene().zones if zone.place == "hand"]
    (held,) = [card.id for card in hand.cards if card.face == "yin-red"]
    assert seen.why((), pile.cards[0].id)[0].startswith("Cards on the table")
    assert seen.why((), held) == ("The other player has no red stack that you can attack.", "CHI-40")


def test_a_refused_action_becomes_a_sentence():
    why = seen_in_chi(["yang6-teal"], []).why((), "hand0/yang6-teal.1")
    assert why == ("You may not play your last card.", "CHI-12")


def test_a_card_that_is_gone_is_like_one_that_nobody_may_see(name):
    state = fairdeal.load(name, **opening(name)).deal(1)
    face = next(iter(state.game.faces(state.table.options)))
    odd = [face + end for end in ("", ".", ".x", ".²", "." + "7" * 5000)]
    for card in ("", "nothing.1", "discard" + TOP, "deck" + TOP, *odd):
        assert state.seen_by(0).why((), card)[0].endswith("."), card
    seen = seen_in_chi(["yang6-teal"], [])
    assert seen.why((), "nothing.1") == seen.why((), "deck" + TOP) == ("Nobody may look at this card.", "CHI-05")


def test_a_game_without_clauses_says_nothing():
    seen = seen_in_chi(["yang6-teal"], [], clauses="", tapped=lambda *_: "other")
    assert seen.why((), "hand0/yang6-teal.1") == UNSAID


@pytest.mark.parametrize(
    ("game", "options", "wrong", "clause"),
    [
        ("chimax-order", {"board": "own", "players": 4}, "board", "ORDER-03"),
        ("chimax-order", {"board": "race", "direction": "either"}, "direction", "ORDER-13"),
        ("chimax-order", {"board": "own", "direction": "either"}, "direction", "ORDER-13"),
        ("chimax-order", {"board": "race", "winner": "most_placed"}, "winner", "ORDER-13"),
        ("war-xtreme", {"players": 5, "sets": [1]}, "sets", "WAR-04"),
        ("war-xtreme", {"players": 5, "sets": [1, 1]}, "sets", "WAR-04"),
    ],
    ids=str,
)
def test_options_that_do_not_go_together_are_refused_with_a_clause(game, options, wrong, clause):
    with pytest.raises(fairdeal.BadOption) as problem:
        fairdeal.load(game, **options)
    assert problem.value.option == wrong
    assert clause in problem.value.reason
