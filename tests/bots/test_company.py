"""Bots at one table: those that are chosen together are different ones of about the same strength."""

import msgspec
import pytest

import fairdeal
from fairdeal.bots.company import ALIKE, NAMES, called, company
from fairdeal.bots.levels import FACES, levels_of
from fairdeal.engine.records import MOST_SEATS

SEATS = range(1, MOST_SEATS)


def names_of(bots, *people):
    names = [*people]
    for bot in bots:
        names.append(called(bot, lambda name: name not in names))
    return names[len(people) :]


def test_different_opponents_of_about_the_chosen_strength_sit_down(name):
    game, met = fairdeal.find_game(name), set()
    levels = levels_of(game)
    for chosen, level in levels.items():
        near = {one for one in levels if abs(levels[one].rating - level.rating) <= ALIKE}
        for seats in SEATS:
            bots = company(chosen, seats, game)
            assert len(bots) == seats
            assert bots[0] == chosen
            assert set(bots) == near if seats >= len(near) else set(bots) < near
            for one in near - {chosen}:
                assert bots.count(one) <= 1
            met |= set(bots) - {chosen}
    assert met, "no opponent has another one of about its strength"


def test_no_two_at_a_table_share_a_name_and_no_name_has_a_number(name):
    game = fairdeal.find_game(name)
    for chosen in (*levels_of(game), "greedy", "random", "learned", "mine:Careful", "vix:100-0-8"):
        for people in ((), ("Juno", "Bo")):
            names = names_of(company(chosen, MOST_SEATS, game), *people)
            assert len({*names, *people}) == MOST_SEATS + len(people)
            assert not any(letter.isdigit() for one in names for letter in one), names


def test_opponents_who_are_there_already_do_not_sit_down_twice():
    game = fairdeal.find_game("war-xtreme")
    assert company("juno", 5, game) == ("juno", "bram", "pip", "juno", "juno")
    assert company("juno", 3, game, ("person", "bram:100-12-0")) == ("juno", "pip", "juno")
    assert company("juno", 2, game, ("juno:100-27-0", "pip:100-99-0")) == ("bram", "juno")
    assert names_of(company("juno", 5, game)) == ["Juno", "Bram", "Pip", "Bo", "Cleo"]


def test_a_bot_without_a_rating_has_the_company_of_its_like(monkeypatch):
    game = fairdeal.find_game("chip-it")
    for word in ("greedy", "forgetful", "juno:100-5-0", "mine:Careful"):
        assert company(word, 3, game) == (word,) * 3
    levels = {name: msgspec.structs.replace(level, rating=0.0) for name, level in levels_of(game).items()}
    monkeypatch.setattr("fairdeal.bots.company.levels_of", lambda game: levels)
    assert company("juno", 3, game) == ("juno",) * 3


@pytest.mark.parametrize(("bot", "own"), [("vix", "Vix"), ("vix:100-0-8", "Vix"), ("learned", "Learned")])
def test_a_second_of_a_kind_has_a_name_of_its_own(bot, own):
    assert names_of([bot, bot, "greedy"]) == [own, "Bo", "Cleo"]
    assert names_of([bot], own) == ["Bo"]


def test_names_of_others_are_not_those_of_the_six():
    assert not {*NAMES} & {face.name for face in FACES.values()}
    assert len({*NAMES}) == len(NAMES)
