"""Moves, constants, options, presets and files that follow from the declarations of a game."""

from types import ModuleType
from typing import Annotated, Literal

import pytest

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.game import Game, options_of
from fairdeal.engine.kit.actions import Actions, Texts
from fairdeal.engine.kit.single import single_actions
from fairdeal.engine.options import (
    Options,
    Preset,
    about,
    about_of,
    called,
    notes_of,
    option_fields,
    options_record,
    said,
    schema_of,
)
from fairdeal.engine.records import i1, i2, i4, record
from fairdeal.engine.registry import find_game

TEXTS = Texts(Actions(draw=3, pass_=1), draw="draw {}", pass_="pass")


def misread(state, text):
    return TEXTS.unknown(text, "`pass`")


def why_not(state, player, action):
    return ("one card a turn", "RULE-1") if action < 3 else None


MADE = single_actions({}, TEXTS, {"misread": misread, "why_not": why_not})


def test_moves_of_one_action_are_written_and_read_by_their_texts():
    assert MADE["write_move"](None, 0, [1]) == "draw 1"
    assert MADE["read_move"](None, 0, "draw 1") == [1]
    with pytest.raises(IllegalMove, match="write `pass`"):
        MADE["read_move"](None, 0, "dance")


def test_a_move_is_refused_for_the_reason_against_its_action():
    assert MADE["explain"](None, 0, [2]) == ("one card a turn", "RULE-1")
    assert MADE["explain"](None, 0, [3]) is None


def test_a_game_keeps_its_own_functions():
    own = {"write_move": "own write", "read_move": "own read", "explain": "own words"}
    assert single_actions(own, TEXTS, {"misread": misread, "why_not": why_not}) == own


def test_a_game_finds_the_names_in_its_modules_and_the_files_of_its_package():
    chi = find_game("chi")
    assert chi.look == "fairdeal.games.chi"
    assert (chi.page, chi.learned) == ("fairdeal.games.chi:page.toml", "fairdeal.games.chi:learned.npz")
    assert find_game("chaos-ninjas").learned == "", "its package has no such file"
    assert chi.options.__name__ == "ChiOptions"
    assert chi.actions.decode(0) == ("draw", 0)


def test_a_game_does_not_take_an_imported_schema_of_options():
    class Mine(Options, frozen=True, kw_only=True):
        pass

    module = ModuleType(Mine.__module__)
    module.Theirs, module.Mine, module.Imported = Options, Mine, find_game("chi").options
    with pytest.raises(TypeError, match="missing"):
        Game.of(module)
    assert options_of([module]) == {"options": Mine}
    assert options_of([ModuleType("empty")]) == {}


def test_a_preset_has_a_title_and_a_text():
    assert Preset("For two", "Two players.", players=2).text == "Two players."
    assert find_game("chi").words_of_preset("mixed")[0] == "Mixed Yang"


class Ways(Options, frozen=True, kw_only=True):
    """An option whose values are words, and a number."""

    way: Annotated[
        Literal["low", "at-once"] | Annotated[int, about("A seat.", "RULE-2", ge=1)],
        about("How.", "RULE-1", "Way", seat=True),
        called({"at-once": "at once"}, low="the lowest"),
    ] = "low"


def test_a_field_has_a_description_and_words_for_its_values():
    field = option_fields(Ways)["way"]
    facts = {"clauses": ["RULE-1"], "seat": True, "words": {"low": "the lowest", "at-once": "at once"}}
    assert notes_of(field) == facts
    assert schema_of(Ways)["$defs"]["Ways"]["properties"]["way"].items() >= facts.items()
    assert (about_of(field).title, about_of(field).description) == ("Way", "How.")
    assert [said(field, value) for value in ("low", "at-once", 1)] == ["the lowest", "at once", "seat 2"]


class Sizes(Options, frozen=True, kw_only=True):
    """An option of every size."""

    way: Literal["low", "high"] = "low"
    most: Literal["none"] | Annotated[int, about("A number.", "RULE-1", le=128)] = "none"
    few: Annotated[int, about("A number.", "RULE-1", le=127)] = 1
    many: Annotated[int, about("A number.", "RULE-1", le=32768)] = 1
    both: tuple[int, Annotated[int, about("A number.", "RULE-1", le=200)]] = (1, 2)
    on: bool = True


def test_the_record_of_options_has_room_for_the_highest_value_of_each():
    assert options_record(Sizes) == record(way=i1, most=i2, few=i1, many=i4, both=(i2, 2), on=i1)
