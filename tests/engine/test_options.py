"""Options: bad ones are named, with what would be right."""

from typing import Literal, get_args, get_origin

import pytest

import fairdeal
from fairdeal.engine.options import (
    about_of,
    as_dict,
    changed,
    label_of,
    notes_of,
    option_fields,
    parse_value,
    part_of,
    read_options,
)
from fairdeal.engine.registry import find_game


def test_an_unknown_option_is_told_with_a_near_name():
    with pytest.raises(fairdeal.BadOption, match="did you mean players"):
        fairdeal.load("chip-it", player=4)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("players", 7, "from 2 to 6"),
        ("players", "four", "from 2 to 6"),
        ("placement", 1, "true or false"),
        ("raise", "some", "any or lowest"),
        ("value_cap", 20, "none or a number from 21 to 1199"),
        ("first_player", 4, "seats are 0 to 3"),
        ("duel_games", 3, "even number from 2 to 20"),
        ("pool_total", 11, "at least 12"),
        ("mode", "duel", "a duel needs two players"),
    ],
)
def test_a_bad_value_is_told_with_what_the_option_takes(option, value, words):
    with pytest.raises(fairdeal.BadOption) as problem:
        fairdeal.load("chip-it", **({"players": 4} | {option: value}))
    assert problem.value.option == option
    assert words in problem.value.coded


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        ("chip-it", {"players": 7}, "Players: “7” is not possible. It takes a number from 2 to 6."),
        ("chip-it", {"placement": 3}, "Play on for places: “3” is not possible. It takes on or off."),
        (
            "chip-it",
            {"mode": "duel", "players": 4},
            "Match: “the match for two” is not possible. Two players always play a duel, and a duel needs two players.",
        ),
        (
            "chimax-order",
            {"board": "own", "players": 4},
            "Layouts: “a layout each” is not possible. There are only three full sets of faces.",
        ),
        (
            "chimax-cut",
            {"first_dealer": 9},
            "First dealer: “seat 10” is not possible. "
            "It takes the player who draws the highest card or a seat from 1 to 4.",
        ),
    ],
)
def test_a_refusal_is_plain_english(game, options, told):
    with pytest.raises(fairdeal.BadOption) as problem:
        fairdeal.load(game, **options)
    assert str(problem.value) == told


def test_no_refusal_of_a_wrong_value_speaks_in_code(name):
    """Every option of every game, with a value that it cannot take."""
    fields = option_fields(find_game(name).options)
    codes = {option for option in fields if "_" in option}
    for option, field in fields.items():
        if part_of(field.type) is None:
            with pytest.raises(fairdeal.BadOption) as problem:
                fairdeal.load(name, **{option: -77})
            told = str(problem.value)
            assert told.startswith(f"{label_of(field)}: ")
            words = notes_of(field).get("words", {})
            assert not any(code in told for code in codes | {code for code in words if "_" in code}), told


def test_every_option_and_preset_has_words_for_people(name):
    game = find_game(name)
    for option, field in option_fields(game.options).items():
        meta = about_of(field)
        assert meta.title, f"{option} has no label"
        assert "_" not in meta.title
        assert meta.description.endswith("."), f"{option}: {meta.description} is no sentence"
        words = notes_of(field).get("words", {})
        assert literals(field.type) == {*words}, f"{option}: its values are {literals(field.type)}"
    assert len({preset.title for preset in game.presets.values()}) == len(game.presets)
    for preset in game.presets.values():
        assert 0 < len(preset.title) <= 24
        assert preset.text.endswith(".")
        assert len(preset.text) <= 80, f"{len(preset.text)}: {preset.text}"


def literals(hint):
    """The words that a field takes."""
    if get_origin(hint) is Literal:
        return {*get_args(hint)}
    return {word for part in get_args(hint) if get_origin(part) for word in literals(part)}


def test_every_game_has_a_goal_of_one_line(name):
    goal = find_game(name).goal
    assert goal.endswith(".")
    assert 0 < len(goal) <= 64


def test_an_unknown_game_is_told_with_near_names():
    with pytest.raises(fairdeal.UnknownGame, match="chip-it"):
        fairdeal.load("chipit")


@pytest.mark.parametrize("preset", [["standard"], {"standard": 1}, 5])
def test_a_preset_that_is_no_name_is_told_with_those_there_are(preset):
    with pytest.raises(fairdeal.BadOption, match="standard"):
        fairdeal.load("chi", preset=preset)


def test_an_unknown_preset_is_told_with_those_there_are():
    with pytest.raises(fairdeal.BadOption, match="tournament"):
        fairdeal.load("chip-it", preset="championship")


def test_two_players_play_a_duel():
    assert as_dict(fairdeal.load("chip-it", players=2).options)["mode"] == "duel"
    assert fairdeal.load("chip-it", mode="duel").players == 2


def test_options_that_differ_from_the_defaults_are_enough_to_read_them_back(name, preset):
    table = fairdeal.load(name, preset=preset)
    assert read_options(find_game(name).options, changed(table.options)) == table.options


def test_every_option_reaches_the_record(name):
    table = fairdeal.load(name)
    names = [name for name in table.blank().record.options.dtype.names if name != "filler"]
    fields = [field for field in table.options.__struct_fields__ if field != "players"]
    assert sorted(names) == sorted(fields)


def test_values_are_read_as_people_type_them():
    typed = ["true", "8", "[2,0]", "none", "random"]
    assert [parse_value(text) for text in typed] == [True, 8, [2, 0], "none", "random"]


def test_a_position_tells_the_options_of_its_table_and_cannot_change_them():
    table = fairdeal.load("war-xtreme", players=3, sets=[2, 4], ask_extreme=False)
    told = table.deal(1).position()["options"]
    assert told == {"players": 3, "sets": (2, 4), "ask_extreme": False}
    told.clear()
    assert table.deal(1).position()["options"]["sets"] == (2, 4)


def test_a_position_is_set_up_at_its_own_table_unless_it_says_other_options():
    table = fairdeal.load("chi", hand_limit=5)
    position = table.deal(1).position()
    assert table.setup(position).table is table
    other = table.setup(position | {"options": {"hand_limit": 6}}).table
    assert (other.options.hand_limit, table.options.hand_limit) == (6, 5)
