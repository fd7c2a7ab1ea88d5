"""Notes on rules that surprise: each names what exists, and each comes up in some game that is really played."""

import itertools

import pytest

import fairdeal
from fairdeal.engine import rulebook
from fairdeal.engine.events import Act, described
from fairdeal.engine.options import read_options
from fairdeal.engine.page import cards_of, page_of
from fairdeal.engine.scene import Voice
from fairdeal.engine.tips import bitten, read_bites, refused
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from tests.games.test_golden import read_games

NAMES = ("Ada", "Bo", "Cleo", "Dai", "Eve", "Fay", "Gus", "Hal")

GAMES = [name for name in fairdeal.game_names() if read_bites(fairdeal.find_game(name).clauses)]


def notes(title):
    return read_bites(fairdeal.find_game(title).clauses)


def test_our_games_have_notes():
    assert len(GAMES) >= 11


@pytest.mark.parametrize("title", GAMES)
def test_every_clause_and_card_of_a_note_exists(title):
    game = fairdeal.find_game(title)
    known = {clause.id for clause in rulebook.clauses(game.specification, game.clause_prefix)}
    faces = game.faces(read_options(game.options, {}))
    drawn = cards_of(page_of(game), faces, game.skin.name)
    assert 4 <= len(notes(title)) <= 8
    assert len({bite.id for bite in notes(title)}) == len(notes(title))
    for bite in notes(title):
        assert bite.clause in known, bite.id
        assert len(bite.text) <= 130, bite.id
        assert len(bite.rows) <= 2, bite.id
        assert all(item in drawn for item in bite.cards), bite.id
        assert bool(bite.cards) == any("@" in row for row in bite.rows), bite.id


def moments(title):
    """What every seat is told of the recorded games, move by move: the scene, the events, and the moment."""
    for game in read_games(title):
        table = fairdeal.load(title, preset=game["preset"])
        state = table.deal(seed=game["seed"])
        for player, move in game["moves"]:
            actions, _, after = state.attempt(player, move)
            yield state, after, player, actions
            state = after


def raised(title, wanted):
    """The notes that recorded games raise, until all that are wanted have come."""
    found, names = set(), {}
    for state, after, player, actions in moments(title):
        missing = [bite for bite in wanted if bite.id not in found]
        if not missing:
            break
        names = NAMES[: state.players]
        for viewer in {max(player, 0), (max(player, 0) + 1) % state.players}:
            events = state.seen_by(viewer, names).happened(after.seen_by(viewer, names), player, actions)
            found |= {bite.id for bite in missing if any(bite.comes_of(event, viewer) for event in events)}
        asks = [bite for bite in missing if bite.when == "refused"]
        if asks and player >= 0:
            found |= {bite.id for bite in asks if bite.clause in set(reasons(state, player))}
    return found


def reasons(state, player):
    """The clauses that forbid cards of the hand of a seat."""
    seen = state.seen_by(player)
    scene = seen.scene()
    offered = {choice.on for choice in scene.choices}
    held = itertools.chain(*(zone.cards for zone in scene.zones if zone.place == "hand"))
    return [seen.why((), card.id)[1] for card in held if card.id not in offered]


@pytest.mark.parametrize("title", GAMES)
def test_every_note_comes_up(title):
    assert raised(title, notes(title)) == {bite.id for bite in notes(title)}


class Lost(Act, frozen=True):
    """An event of the tests, which names its seat whatever the seats are called."""

    cards: tuple[str, ...] = ()

    def sentence(self, voice):
        return f"{voice.does(self.seat, 'lose')} a Yang."


# --- of one's own cards ---------------------------------------------------------------------------------------------


ROW = ["yang3-red", "yang6-lime", "chi", "yin-lime", "yang3-grey", "yin-grey"]


def table_of_chi(hands, **more):
    return fairdeal.load("chi").setup({"hands": hands, "row": ROW, "turn": 0, **more}, seed=1)


def sat_at(state):
    return Sitting.open(state.table, [Player(name) for name in NAMES[: state.players]], "notes", state)


def test_the_example_is_made_of_the_cards_concerned():
    state = table_of_chi([["yin-teal", "chi"], ["yin-red", "yin-blue"]], areas=[[], [["yang6-teal"]]])
    sitting = sat_at(state)
    sitting.play(0, "yin yin-teal on 0")
    assert [bite.id for bite in sitting.scene(1).bites] == []
    sitting.play(1, "pass")
    (told,) = sitting.scene(1).bites
    assert told.id == "felled"
    assert {"yin-teal", "yang6-teal"} <= {card.face for card in told.cards}
    assert sitting.scene(0).bites == ()
    assert sitting.scene(-1).bites == ()


def test_a_raised_card_is_drawn_as_it_lies():
    table = fairdeal.load("chip-it", players=3)
    sitting = sat_at(table.setup({"hands": [["8g", "2g"], ["9g", "3g"], ["2p", "3p"]], "turn": 0}, seed=1))
    sitting.play(0, "play 8g as 10")
    (told,) = sitting.scene(0).bites
    assert (told.id, [(card.face, card.load, card.value) for card in told.cards]) == ("climb", [("8g", 2, 10)])
    assert sitting.scene(1).bites == ()


def test_a_refusal_names_the_card_that_was_tapped():
    state = table_of_chi([["yang6-teal"], ["yin-red", "yin-blue"]])
    seen = state.seen_by(0)
    card = next(card for zone in seen.scene().zones if zone.place == "hand" for card in zone.cards)
    _, clause = seen.why((), card.id)
    told = refused(notes("chi"), clause, card.id, seen.scene())
    assert (told.id, [card.face for card in told.cards]) == ("last-card", ["yang6-teal"])
    assert refused(notes("chi"), "CHI-10", card.id, seen.scene()) is None


def test_a_viewer_without_a_seat_is_told_no_notes():
    state = table_of_chi([["yang6-teal"], ["yin-red", "yin-blue"]])
    told = described([Lost(0, ("yang6-teal",), clauses=("CHI-43",))], Voice(("You", "Your Mum"), 1), 0)
    assert [one.id for one in bitten(notes("chi"), told, state.scene(0))] == ["felled"]
    assert bitten(notes("chi"), told, state.scene(1)) == ()
    assert bitten(notes("chi"), told, state.scene(-1)) == ()


def test_points_come_home_from_the_cards_that_left():
    table = fairdeal.load("chip-it", players=3)
    state = table.setup({"hands": [["8g", "2g"], ["9g", "3g"], ["12g", "3p"]], "turn": 0}, seed=1)
    sitting = sat_at(state)
    for player, move in enumerate(("play 8g as 10", "play 9g as 11", "play 12g as 12")):
        sitting.play(player, move)
    (told,) = sitting.scene(0).bites
    assert (told.id, [(card.face, card.load) for card in told.cards]) == ("home", [("8g", 2)])


def test_cards_that_go_back_are_shown_once_more():
    table = fairdeal.load("chimax-match-2", players=2)
    sitting = sat_at(table.deal(seed="notes"))
    while sitting.state.to_act and not sitting.scene(sitting.state.to_act[0]).bites:
        seat = sitting.state.to_act[0]
        sitting.play(seat, next(sitting.state.moves(seat)))
        mover = sitting.log.moves[-1].seat
        if any(bite.id == "miss" for bite in sitting.scene(mover).bites):
            (told,) = sitting.scene(mover).bites
            assert len({card.face for card in told.cards}) == 2
            assert not any(card.down for card in told.cards)
            return
    raise AssertionError("nobody missed")
