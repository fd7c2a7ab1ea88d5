"""Options: bad ones are named, with what would be right."""

import pytest

import fairdeal
from fairdeal.engine.options import as_dict, changed, parse_value, read_options
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
        ("pool_total", 11, "12 points"),
        ("mode", "duel", "a duel is for two"),
    ],
)
def test_a_bad_value_is_told_with_what_the_option_takes(option, value, words):
    with pytest.raises(fairdeal.BadOption, match=words) as problem:
        fairdeal.load("chip-it", **({"players": 4} | {option: value}))
    assert problem.value.option == option


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
