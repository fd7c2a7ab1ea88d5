"""Rule tips: each names a clause and cards that exist, and each comes up in a recorded game."""

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


def notes(name):
    return read_bites(fairdeal.find_game(name).clauses)


def test_every_clause_and_card_of_a_note_exists(name):
    game = fairdeal.find_game(name)
    known = {clause.id for clause in rulebook.clauses(game.specification, game.clause_prefix)}
    faces = game.faces(read_options(game.options, {}))
    drawn = cards_of(page_of(game), faces, game.skin.name)
    assert 4 <= len(notes(name)) <= 8
    assert len({bite.id for bite in notes(name)}) == len(notes(name))
    for bite in notes(name):
        assert bite.clause in known, bite.id
        assert len(bite.text) <= 130, bite.id
        assert len(bite.rows) <= 2, bite.id
        assert [item for item in bite.cards if item not in drawn] == [], bite.id
        assert bool(bite.cards) == any("@" in row for row in bite.rows), bite.id


def moves_of_recorded_games(name):
    """Yield the moves of the recorded games: the states before and after, the seat, and the actions."""
    for game in read_games(name):
        state = fairdeal.load(name, preset=game["preset"]).deal(seed=game["seed"])
        for player, move in game["moves"]:
            actions, _, after = state.attempt(player, move)
            yield state, after, player, actions
            state = after


def raised(state, after, player, actions, wanted):
    """Yield the ids of the tips that a move raises for its player or the next seat."""
    names = NAMES[: state.players]
    for viewer in {max(player, 0), (max(player, 0) + 1) % state.players}:
        events = state.seen_by(viewer, names).happened(after.seen_by(viewer, names), player, actions)
        yield from (bite.id for bite in wanted if any(bite.comes_of(event, viewer) for event in events))
    asks = [bite for bite in wanted if bite.when == "refused"]
    if asks and player >= 0:
        refusals = clauses_of_refusals(state, player)
        yield from (bite.id for bite in asks if bite.clause in refusals)


def clauses_of_refusals(state, player):
    """Return the clauses that forbid cards in the hand of a seat."""
    seen = state.seen_by(player)
    scene = seen.scene()
    offered = {choice.on for choice in scene.choices}
    held = [card.id for zone in scene.zones if zone.place == "hand" for card in zone.cards]
    return {seen.why((), card)[1] for card in held if card not in offered}


def test_every_note_comes_up(name):
    missing = {bite.id: bite for bite in notes(name)}
    for move in moves_of_recorded_games(name):
        for found in set(raised(*move, missing.values())):
            del missing[found]
        if not missing:
            break
    assert list(missing) == []


class Lost(Act, frozen=True):
    """An event of these tests, whose sentence names its seat."""

    cards: tuple[str, ...] = ()

    def sentence(self, voice):
        return f"{voice.does(self.seat, 'lose')} a Yang."


# --- of one's own cards ---------------------------------------------------------------------------------------------


def chi(*hands, **more):
    row = ["yang3-red", "yang6-lime", "chi", "yin-lime", "yang3-grey", "yin-grey"]
    return fairdeal.load("chi").setup({"hands": hands, "row": row, "turn": 0, **more}, seed=1)


def chip_it(*hands):
    return sat_at(fairdeal.load("chip-it", players=3).setup({"hands": hands, "turn": 0}, seed=1))


def sat_at(state):
    return Sitting.open(state.table, [Player(name) for name in NAMES[: state.players]], "notes", state)


def test_the_example_is_made_of_the_cards_concerned():
    sitting = sat_at(chi(["yin-teal", "chi"], ["yin-red", "yin-blue"], areas=[[], [["yang6-teal"]]]))
    sitting.play(0, "yin yin-teal on 0")
    assert sitting.scene(1).bites == ()
    sitting.play(1, "pass")
    (told,) = sitting.scene(1).bites
    assert told.id == "felled"
    assert {"yin-teal", "yang6-teal"} <= {card.face for card in told.cards}
    assert sitting.scene(0).bites == ()
    assert sitting.scene(-1).bites == ()


def test_a_raised_card_is_drawn_as_it_lies():
    sitting = chip_it(["8g", "2g"], ["9g", "3g"], ["2p", "3p"])
    sitting.play(0, "play 8g as 10")
    (told,) = sitting.scene(0).bites
    assert (told.id, [(card.face, card.load, card.value) for card in told.cards]) == ("climb", [("8g", 2, 10)])
    assert sitting.scene(1).bites == ()


def test_a_refusal_names_the_card_that_was_tapped():
    state = chi(["yang6-teal"], ["yin-red", "yin-blue"])
    seen = state.seen_by(0)
    card = next(card for zone in seen.scene().zones if zone.place == "hand" for card in zone.cards)
    _, clause = seen.why((), card.id)
    told = refused(notes("chi"), clause, card.id, seen.scene())
    assert (told.id, [card.face for card in told.cards]) == ("last-card", ["yang6-teal"])
    assert refused(notes("chi"), "CHI-10", card.id, seen.scene()) is None


def test_a_viewer_without_a_seat_gets_no_notes():
    state = chi(["yang6-teal"], ["yin-red", "yin-blue"])
    told = described([Lost(0, ("yang6-teal",), clauses=("CHI-43",))], Voice(("You", "Your Mum"), 1), 0)
    assert [one.id for one in bitten(notes("chi"), told, state.scene(0))] == ["felled"]
    assert bitten(notes("chi"), told, state.scene(1)) == ()
    assert bitten(notes("chi"), told, state.scene(-1)) == ()


def test_points_come_home_from_the_cards_that_left():
    sitting = chip_it(["8g", "2g"], ["9g", "3g"], ["12g", "3p"])
    for player, move in enumerate(("play 8g as 10", "play 9g as 11", "play 12g as 12")):
        sitting.play(player, move)
    (told,) = sitting.scene(0).bites
    assert (told.id, [(card.face, card.load) for card in told.cards]) == ("home", [("8g", 2)])


def test_cards_that_go_back_are_shown_once_more():
    sitting = sat_at(fairdeal.load("chimax-match-2").setup({"layout": ["25", "10", "25", "10"], "turn": 0}, seed=1))
    sitting.play(0, "flip 1")
    sitting.play(0, "flip 2")
    (told,) = sitting.scene(0).bites
    assert told.id == "miss"
    assert [(card.face, card.down) for card in told.cards] == [("25", False), ("10", False)]
