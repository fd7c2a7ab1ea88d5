"""Options: errors name a wrong one, and say what is possible."""

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
    part_of,
    read_options,
)
from fairdeal.engine.registry import find_game


@pytest.mark.parametrize(
    ("game", "options", "error", "words"),
    [
        ("chipit", {}, fairdeal.UnknownGame, "chip-it"),
        ("chip-it", {"player": 4}, fairdeal.BadOption, "did you mean players"),
        ("chip-it", {"preset": "championship"}, fairdeal.BadOption, "tournament"),
        ("chi", {"preset": ["standard"]}, fairdeal.BadOption, "standard"),
        ("chi", {"preset": {"standard": 1}}, fairdeal.BadOption, "standard"),
        ("chi", {"preset": 5}, fairdeal.BadOption, "standard"),
    ],
)
def test_an_error_about_an_unknown_name_lists_names_that_exist(game, options, error, words):
    with pytest.raises(error, match=words):
        fairdeal.load(game, **options)


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
def test_the_error_of_a_bad_value_says_what_the_option_takes(option, value, words):
    with pytest.raises(fairdeal.BadOption) as error:
        fairdeal.load("chip-it", **({"players": 4} | {option: value}))
    assert error.value.option == option
    assert words in error.value.coded


@pytest.mark.parametrize(
    ("game", "options", "sentences"),
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
def test_an_error_is_plain_english(game, options, sentences):
    with pytest.raises(fairdeal.BadOption) as error:
        fairdeal.load(game, **options)
    assert str(error.value) == sentences


def test_no_error_of_a_wrong_value_contains_code(name):
    fields = option_fields(find_game(name).options)
    for option, field in fields.items():
        if part_of(field.type) is None:
            with pytest.raises(fairdeal.BadOption) as error:
                fairdeal.load(name, **{option: -77})
            sentences = str(error.value)
            assert sentences.startswith(f"{label_of(field)}: ")
            codes = {code for code in [*fields, *notes_of(field).get("words", {})] if "_" in code}
            assert not {code for code in codes if code in sentences}, sentences


def test_every_option_and_preset_and_the_goal_have_words_for_people(name):
    game = find_game(name)
    for option, field in option_fields(game.options).items():
        meta = about_of(field)
        assert meta.title, f"{option} has no label"
        assert "_" not in meta.title
        assert meta.description.endswith("."), f"{option}: {meta.description} is not a sentence"
        words = notes_of(field).get("words", {})
        assert literals(field.type) == {*words}, f"{option}: its values are {literals(field.type)}"
    assert len({preset.title for preset in game.presets.values()}) == len(game.presets)
    for preset in game.presets.values():
        assert 0 < len(preset.title) <= 24
        assert preset.text.endswith(".")
        assert len(preset.text) <= 80, f"{len(preset.text)}: {preset.text}"
    assert game.goal.endswith(".")
    assert 0 < len(game.goal) <= 64


def literals(hint):
    """Return the words that a field takes."""
    if get_origin(hint) is Literal:
        return {*get_args(hint)}
    return {word for part in get_args(hint) if get_origin(part) for word in literals(part)}


def test_two_players_play_a_duel():
    assert as_dict(fairdeal.load("chip-it", players=2).options)["mode"] == "duel"
    assert fairdeal.load("chip-it", mode="duel").players == 2


def test_options_can_be_read_back_from_those_that_differ_from_the_defaults(name, preset):
    table = fairdeal.load(name, preset=preset)
    assert read_options(find_game(name).options, changed(table.options)) == table.options


def test_every_option_reaches_the_record(name):
    table = fairdeal.load(name)
    assert {*table.blank().record.options.dtype.names} - {"filler"} == {*table.options.__struct_fields__} - {"players"}
