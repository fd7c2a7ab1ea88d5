"""Pages of rules: each is complete, names what exists, and its examples agree with the rules."""

import re
from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest

import fairdeal
from fairdeal.engine import rulebook
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.options import option_fields, read_options
from fairdeal.engine.page import Page, cards_of, differs, filled, notation, page_of, told_clauses
from fairdeal.engine.tips import read_clauses, read_plain, read_refusals

SHARED = ("fairdeal.games.chi:clauses.toml", "fairdeal.games.chimax:clauses.toml")
"""Plain words of clauses that several games share."""

FIXED = {"chimax-cut": {"cut"}}
"""Options that have one value only."""

pytestmark = pytest.mark.quick


def read(name):
    """Return a game, its faces, and its page."""
    game = fairdeal.find_game(name)
    faces = game.faces(read_options(game.options, {}))
    return game, faces, filled(page_of(game), faces)


def sums(name):
    return page_of(fairdeal.find_game(name)).scoring.sums


def faces_in(row):
    """Return the faces of a row of an example."""
    return [re.sub(r"[+=].*", "", text) for text in row.cards]


def test_a_page_is_whole(name):
    game, _, page = read(name)
    assert page.goal.text == game.goal
    assert len(page.goal.text) <= 64
    assert page.set_up
    assert 3 <= len(page.turn) <= 5
    assert sum(bool(step.cards) for step in page.turn) >= 3
    assert page.cards
    assert page.end
    assert page.scoring.said
    assert page.scoring.sums
    assert len(page.asked) == 5


def test_every_face_and_clause_of_a_page_exists(name):
    game, faces, page = read(name)
    assert len(cards_of(page, faces, game.skin.name)) > 10
    known = {clause.id for clause in rulebook.clauses(game.specification, game.clause_prefix)}
    parts = (*page.paragraphs(), *page.cards, *page.asked)
    assert [part for part in parts if part.clause not in known] == []


def test_every_kind_of_card_is_drawn_with_its_words(name):
    _, faces, page = read(name)
    drawn = [key for kind in page.cards for key in kind.faces]
    assert [kind for kind in page.cards if not kind.name or not kind.text] == []

    def kind_of(face):
        return face.kind, face.art if face.kind in ("special", "kit") else face.title

    assert {kind_of(faces[key]) for key in drawn} == {kind_of(face) for face in faces.values()}
    assert len(drawn) == len(set(drawn))


def test_every_option_that_differs_is_mentioned_where_it_acts(name):
    game, _, page = read(name)
    fields = option_fields(game.options)
    said = [*page.differences()]
    assert {option for words in said for option in words} == set(fields) - {"players"} - FIXED.get(name, set())
    for words in said:
        for option, values in words.items():
            for value in {} if isinstance(values, str) else values:
                typed = {"true": True, "false": False}.get(value, int(value) if value.isdecimal() else value)
                read_options(game.options, {option: typed, **({"players": 2} if value == "duel" else {})})


def test_a_table_with_other_options_says_so(name):
    game, _, page = read(name)
    every = {option: field.default for option, field in option_fields(game.options).items()}
    assert [words for otherwise in page.differences() for words in differs(otherwise, {})] == []
    assert [words for otherwise in page.differences() for words in differs(otherwise, every)] != []


def test_the_rows_of_an_example_make_its_total(name):
    for table in sums(name):
        assert sum(row.value for row in table.rows) == table.total, table.title


def test_clauses_speak_without_marks_notation_and_names_of_options(name):
    game = fairdeal.find_game(name)
    clauses = told_clauses(game)
    assert [one.id for one in clauses] == [one.id for one in rulebook.clauses(game.specification, game.clause_prefix)]
    codes = {name for name in option_fields(game.options) if "_" in name}
    for one in clauses:
        assert one.text, one.id
        assert not re.search(r"`|\*|\[[RAX]\]|https?:|[a-z]_[a-z]|\bJSON\b|\bengine\b", one.text), one
        assert not re.search(r"\boption [a-z]+\b[.:]|\bnull\b|\bNotation:", one.text, re.IGNORECASE), one
        assert [code for code in codes if code in one.text] == [], one


def test_plain_words_replace_what_the_specification_says():
    """Each entry of a `clauses.toml` belongs to a clause of its game, and changes its words."""
    looked = 0
    for title in fairdeal.game_names():
        game = fairdeal.find_game(title)
        given = {one.id: one.text for one in told_clauses(replace(game, clauses=""))}
        above = f"{game.clauses.partition(':')[0].rpartition('.')[0]}:clauses.toml"
        shared = read_plain(above) if above in SHARED else {}
        for clause, told in read_clauses(game.clauses).items():
            assert clause in given, (title, clause)
            assert told.plain != shared.get(clause, given[clause]), (title, clause)
            looked += bool(told.plain)
    assert looked > 90


def test_plain_words_of_clauses_in_common_are_used():
    games = [fairdeal.find_game(title) for title in fairdeal.game_names() if title.startswith("chimax-")]
    used = {(one.id, one.text) for game in games for one in told_clauses(game)}
    shared = read_plain("fairdeal.games.chimax:clauses.toml")
    assert len(shared) > 10
    assert {*shared.items()} <= used


CITED = re.compile(r'"((?:[A-Z]+\d?)-\d\d)"')
"""The clause of a refusal or a prompt, in code."""


def test_every_clause_that_a_game_names_can_be_read(name):
    """Clauses of notes, refusals and prompts have at least four words."""
    game = fairdeal.find_game(name)
    said = {one.id: one.text for one in told_clauses(game)}
    sources = [source for source in (files(game.clauses.partition(":")[0]) / "text").iterdir() if source.is_file()]
    refused = {clause for source in sources for clause in CITED.findall(source.read_text("utf-8"))}
    refused |= {clause for _, clause in read_refusals(game.clauses).values()}
    assert len(refused) >= 3
    for clause in {bite.clause for bite in page_of(game).bites} | refused:
        assert len(said[clause].split()) >= 4, clause


# --- notation -------------------------------------------------------------------------------------------------------


def test_cards_of_a_page_are_read():
    faces = read("chip-it")[1]
    raised = notation("6g+2=8", faces)
    assert (raised.face, raised.load, raised.value) == ("6g", 2, 8)
    assert notation("back", faces, "chip-it").down
    assert notation(":beaten by", faces) is None
    assert notation("?=25", read("chimax-books")[1]).as_ == "25"
    with pytest.raises(FairdealError, match="'6x' is not a card of this game"):
        notation("6x", faces)


def test_a_game_without_a_page_has_its_goal_and_its_clauses():
    game = replace(fairdeal.find_game("chi"), page="", clauses="")
    page = page_of(game)
    assert page == Page(goal=page.goal)
    assert page.goal.text == game.goal
    assert told_clauses(game)


# --- the examples, by the rules -------------------------------------------------------------------------------------


def test_what_a_play_of_chip_it_costs():
    example = sums("chip-it")[0]
    cards = [face for row in example.rows for face in faces_in(row)]
    state = fairdeal.load("chip-it", players=4).setup({"hands": [cards, ["2g"], ["2p"], ["3g"]], "turn": 0})
    state.play(0, f"play {' '.join(cards)} as 18")
    front = state.position()["front"][0]
    loads = {face: int(load or 0) for face, load in re.findall(r"(\w+)(?:\+(\d+))?=?\d*", " ".join(front))}
    assert [loads[face] for face in cards] == [row.value for row in example.rows]


def test_what_is_written_down_after_a_game_of_a_chip_it_duel():
    points, load, cards = (row.value for row in sums("chip-it")[1].rows)
    position = {
        "hands": [["9g"], ["2g", "3g", "4g", "5g"][: cards // 3]],
        "turn": 0,
        "bank": [0, points],
        "front": [[], [f"7g+{load}={7 + load}"]],
        "top": {"owner": 1, "count": 1, "value": 7 + load},
        "match": {"game": 1, "first": 0, "totals": [0, 0]},
    }
    state = fairdeal.load("chip-it", mode="duel", players=2).setup(position)
    state.play(0, "play 9g as 9")
    assert state.position()["match"]["totals"][1] == sums("chip-it")[1].total == 15


def test_the_end_of_a_game_of_chi():
    areas, hands = [], []
    for table in sums("chi"):
        area = [face for row in table.rows for face in faces_in(row) if face != "back"]
        twice = [face for face, number in Counter(area).items() if number == 2]
        areas.append([[face] * 2 if face in twice else [face] for face in dict.fromkeys(area)])
        hands.append(sum(row.cards.count("back") for row in table.rows))
    last = areas[0].pop()
    position = {
        "start": 0,
        "turn": 0,
        "areas": areas,
        "hands": [[*last, *["chi"] * hands[0]], ["yin-red", "yin-yellow", "yin-green", "yin-grey"]],
        "row": ["yin-blue", "yang6-lime", "chi", "yin-lime", "yang3-grey", "yin-grey"],
    }
    state = fairdeal.load("chi").setup(position)
    state.play(0, f"yang {last[0]}")
    state.play(1, "draw 3")
    assert state.over
    assert len(state.position()["hands"][1]) == hands[1]
    assert state.scores == tuple(table.total for table in sums("chi")) == (31, 32)


def test_six_cards_at_the_start_of_a_turn_win_chaos_ninjas():
    example = sums("chaos-ninjas")[0]
    area = [face for row in example.rows for face in faces_in(row)]
    assert [len(row.cards) for row in example.rows] == [row.value for row in example.rows]

    def after_a_draw(cards):
        row = ["atk-red", "def-lime", "spirit", "atk-grey", "counter", "def-pink"]
        position = {"turn": 1, "areas": [cards, []], "hands": [[], []], "row": row}
        state = fairdeal.load("chaos-ninjas").setup(position)
        state.play(1, "draw 0")
        return state

    assert after_a_draw(area).over
    assert after_a_draw(area).ranks == (1, 2)
    assert not after_a_draw(area[:-1]).over


def test_what_the_winner_of_a_war_takes():
    example = sums("war-xtreme")[0]
    tied, stakes, recruits = example.rows
    armies = [[face, *["ninja/4"] * 4] for face in tied.cards]
    table = fairdeal.load("war-xtreme", ask_extreme=False, trust=False, equipment=False)
    seats = [{"army": army} for army in armies]
    state = table.setup({"round": 5, "seats": seats, "slots": [*recruits.cards, *["zombie/3"] * 6]})
    for move in ("flip", "recruit"):
        for seat in (0, 1):
            state.play(seat, move if move == "flip" else f"recruit {seat + 1}")
    camp = state.position()["seats"][0]["camp"]
    assert len(camp) == example.total
    assert set(tied.cards) | set(recruits.cards) <= set(camp)
    assert len(camp) - len(tied.cards) - len(recruits.cards) == stakes.value


def test_a_round_of_books():
    mine, bos = sums("chimax-books")
    plain = ["1", "2", "3", "5", "10", "15", "25", "50"] * 3

    def pile(table):
        """Return the cards of as many Books as the first row counts, including those of the example."""
        cards = [face for row in table.rows for face in faces_in(row)]
        return [*cards, *plain[: 4 * table.rows[0].value - len(cards)]]

    won = pile(mine)
    position = {
        "hands": [["100"], ["1"], ["2"], ["3"]],
        "won": [[card for card in won if card not in ("1", "2", "3")], pile(bos), [], []],
        "books": [mine.rows[0].value - 1, bos.rows[0].value, 5, 0],
        "leader": 0,
        "turn": 0,
    }
    state = fairdeal.load("chimax-books", players=4, first_dealer=3).setup(position)
    for seat in range(4):
        state.play(seat, "slot 1")
    assert state.position()["round_scores"][:2] == [mine.total, bos.total] == [9, 0]


@pytest.mark.parametrize("title", ["chimax-match-2", "chimax-match-3"])
def test_what_pairs_and_triplets_are_worth(title):
    """Each row of the examples is played as a layout of its cards alone."""
    for row in [row for table in sums(title) for row in table.rows]:
        faces = faces_in(row)
        state = fairdeal.load(title, players=2).setup({"layout": faces, "turn": 0})
        for place in range(len(faces)):
            state.play(state.to_act[0], f"flip {place + 1}")
        assert sum(state.position()["points"]) == row.value, row.text


def test_a_turn_of_order():
    (example,) = sums("chimax-order")
    layout = ["half", "1", "25", "2", "inf", "50", "3", "0", "10", "15", "5", "100", "?"]
    state = fairdeal.load("chimax-order", players=2).setup({"layout": layout, "turn": 0})
    for row in example.rows:
        assert state.to_act == (0,)
        before = len(state.position()["placed"][0])
        state.play(0, f"flip {layout.index(row.cards[0]) + 1}")
        assert len(state.position()["placed"][0]) - before == row.value, row.text
    assert state.to_act == (1,)
    assert len(state.position()["placed"][0]) == example.total


def test_finds_of_fate():
    (example,) = sums("chimax-fate")
    layout = ["5", "half", "100", "1", "?", "25", "2", "inf", "50", "3", "0", "10", "15"]
    for row, wanted in zip(example.rows, ("25", "2", "inf"), strict=True):
        state = fairdeal.load("chimax-fate", players=2).setup({"layout": layout, "wheel": wanted, "phase": "flip"})
        for face in row.cards:
            assert state.to_act == (0,)
            state.play(0, f"flip {layout.index(face) + 1}")
        assert state.position()["points"][0] == row.value, row.text


def test_a_round_of_cut():
    (example,) = sums("chimax-cut")
    (out,), (stays, falls), (first, last) = map(faces_in, example.rows)
    deck = [first, stays, out, last, falls, "100", "10"]
    state = fairdeal.load("chimax-cut", players=3, first_dealer=2).setup({"deck": deck, "turn": 0})

    for seat, face in ((0, first), (1, stays), (2, out), (0, last), (1, falls)):
        assert state.to_act == (seat,)
        state.play(seat, f"cut {state.position()['deck'].index(face) + 1}")
        state.play(seat, "keep")
    assert state.position()["wins"] == [row.value for row in reversed(example.rows)]


def test_books_of_jackpot():
    (example,) = sums("chimax-jackpot")
    for row in example.rows:
        cards = [text.replace("=∞", "inf").replace("=", "") for text in row.cards]
        in_column = row.text.endswith("column")
        columns = [cards, ["1"], []] if in_column else [[card] for card in cards]
        position = {"stock": [["5"], ["5"], ["100"]], "columns": columns, "spin": 4, "reel": 3, "phase": "claim"}
        state = fairdeal.load("chimax-jackpot").setup(position)
        state.play(0, "claim left" if in_column else "claim across")
        assert state.position()["points"] == row.value, row.text
