"""Attacks of CHI and Chaos Ninjas on the screen: under way, answered, and over."""

import pytest

import fairdeal
from fairdeal.engine.events import attack_in
from fairdeal.engine.records import SPECTATOR
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting

NAMES = ("Ada", "Bo", "Cleo")
CHI = {
    "row": ["yang3-blue", "yang6-lime", "yin-grey", "yin-purple", "yang3-yellow", "yang6-teal"],
    "start": 0,
    "turn": 0,
    "hands": [["yin-red", "chi", "yang6-lime"], ["chi", "chi", "yang6-orange"]],
    "areas": [[], [["yang3-grey"], ["yang3-red"]]],
}
NINJAS = {
    "row": ["atk-red", "def-lime", "spirit", "atk-grey", "counter", "def-pink"],
    "start": 0,
    "turn": 0,
    "hands": [["atk-blue", "atk-pink", "counter"], ["counter", "counter"], []],
    "areas": [[], ["def-grey", "def-yellow", "def-teal"], []],
}


def told(game, position, *moves, viewer=1, **options):
    """Play moves, written `seat: move`. Return the last scene, the stage after each move, and the attack that the last
    one ended."""
    state = fairdeal.load(game, **options).setup(position, "attacks")
    stages, ended = [], None
    for seat, move in (text.split(": ") for text in moves):
        before = state.copy()
        actions = state.read_move(int(seat), move)
        state.play_actions(int(seat), actions)
        after = state.seen_by(viewer, NAMES[: state.players])
        seen = before.seen_by(viewer, NAMES[: state.players])
        ended = attack_in(seen.happened(after, int(seat), actions), seen.voice)
        stages.append(after.scene().stage)
    return state.scene(viewer), stages, ended


def laid(scene):
    """Return the faces of the cards of the attack."""
    return [card.face for zone in scene.zones if zone.id == "duel" for card in zone.cards]


def test_an_open_attack_says_who_attacks_what_and_who_may_block():
    scene, [stage], ended = told("chi", CHI, "0: yin yin-red on 1")
    assert (stage.title, stage.text) == ("Ada attacks your red 3", "You may block with a Chi")
    assert (stage.attacker, stage.defender, stage.awaits) == (0, 1, 1)
    assert (stage.zones, stage.attackers, laid(scene)) == (("duel",), 1, ["yin-red"])
    own = next(card for zone in scene.zones if zone.id == "area1" for card in zone.cards if card.id == stage.target)
    assert (own.face, own.mark) == ("yang3-red", "attacked")
    assert ended is None


@pytest.mark.parametrize(
    ("hand", "asked"),
    [
        (["chi", "chi"], ("Ada attacks your red Yang. Answer with a Chi?", "The last card played wins.")),
        (["yin-lime"], ("Ada attacks your red Yang.", "You have no Chi to answer with.")),
    ],
)
def test_a_defender_without_a_chi_is_not_asked_for_one(hand, asked):
    state = fairdeal.load("chi").setup(CHI | {"hands": [CHI["hands"][0], hand]}, "attacks")
    state.play(0, "yin yin-red on 1")
    prompt = state.scene(1, names=NAMES[:2]).prompt
    assert (prompt.text, prompt.sub) == asked
    assert list(state.moves(1)) == (["chi", "pass"] if "chi" in hand else ["pass"])


def test_an_attack_that_is_answered_twice_lies_there_with_both_answers():
    scene, stages, ended = told("chi", CHI, "0: yin yin-red on 1", "1: chi", "0: chi", viewer=0)
    assert [stage.awaits for stage in stages] == [1, 0, 1]
    assert [stage.text for stage in stages[1:]] == ["You may block that Chi", "Bo may block that Chi"]
    assert laid(scene) == ["yin-red", "chi", "chi"]
    assert ended is None


CHI_ENDS = {
    "BROKEN": (("1: pass",), "You lose the red 3", ("yin-red",)),
    "BLOCKED": (("1: chi", "0: pass"), "You keep the red 3", ("yin-red", "chi")),
}


@pytest.mark.parametrize("word", CHI_ENDS)
def test_a_word_says_what_came_of_an_attack(word):
    answers, text, faces = CHI_ENDS[word]
    scene, stages, ended = told("chi", CHI, "0: yin yin-red on 1", *answers)
    assert (ended.word, ended.text, ended.faces) == (word, text, faces)
    assert ended.title == "Ada attacks your red 3"
    assert stages[-1] is None
    assert laid(scene) == []


NINJA_ENDS = {
    "COUNTERED": (("1: counter", "0: pass"), "You keep the yellow Quartermaster", 3),
    "HIT": (("1: pass",), "You may lose a Decoy instead", 2),
    "DEFEATED": (("1: counter", "0: counter", "1: pass", "1: skip"), "You lose the yellow Quartermaster", 0),
    "DECOY": (("1: pass", "1: decoy"), "You lose the Decoy instead", 0),
}


@pytest.mark.parametrize("word", NINJA_ENDS)
def test_a_word_says_what_came_of_two_attackers(word):
    answers, text, cards = NINJA_ENDS[word]
    _, stages, ended = told("chaos-ninjas", NINJAS, "0: attack 1:1 atk-blue atk-pink", *answers, players=3)
    assert (stages[0].title, stages[0].attackers) == ("Ada attacks your yellow Quartermaster", 2)
    assert stages[0].text == "You may block with a Counter"
    assert (ended.word, ended.text, len(ended.faces)) == (word, text, cards)
    if word == "HIT":
        assert (stages[-1].text, stages[-1].attackers) == ("You may lose the Decoy instead", 0)
    else:
        assert stages[-1] is None


def test_a_phantom_that_falls_vanishes():
    position = NINJAS | {"areas": [[], ["def-teal"], []]}
    _, _, ended = told("chaos-ninjas", position, "0: attack 1:0 atk-blue atk-pink", "1: pass", players=3)
    assert (ended.word, ended.text) == ("VANISHED", "It returns to your hand")


def test_an_attack_under_a_shadow_is_described_although_nobody_was_asked():
    position = NINJAS | {"areas": [["def-black"], ["def-yellow"], []]}
    _, [stage], ended = told("chaos-ninjas", position, "0: attack 1:0 atk-blue atk-pink", players=3, viewer=SPECTATOR)
    assert stage is None
    assert (ended.word, ended.attackers, ended.faces) == ("DEFEATED", 2, ("atk-blue", "atk-pink"))
    assert ended.text == "Bo loses the yellow Quartermaster"


def test_a_sitting_shows_what_the_last_move_has_ended_and_only_that():
    state = fairdeal.load("chi").setup(CHI, "attacks")
    sitting = Sitting.open(state.table, [Player(name, "person") for name in NAMES[:2]], "attacks", state)
    for seat, move in ((0, "yin yin-red on 1"), (1, "chi"), (0, "pass")):
        assert sitting.scene(1).resolved is None
        sitting.play(seat, move)
    assert sitting.scene(1).resolved.word == sitting.moment(3, 1).resolved.word == "BLOCKED"
    assert sitting.moment(2, 1).resolved is None
    moves = [(move.origin, move.goal) for move in sitting.scene(1).events[0].moves]
    assert moves.count(("duel", "discard")) == 2, "its cards travel from where they lay"
