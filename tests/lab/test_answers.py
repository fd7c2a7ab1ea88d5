"""The sentences of a study, on made-up statistics, and the options that made no difference in real games."""

import dataclasses
import re

import numpy as np
import pytest
from msgspec.structs import replace

import fairdeal
from fairdeal.lab.estimates import FEWEST_GAMES, Estimate, mean, p_of_share, share
from fairdeal.lab.simulate.outcomes import play_from
from fairdeal.lab.studies.answers import LEADS, answer_of, idle_words
from fairdeal.lab.studies.comparing import Difference
from fairdeal.lab.studies.findings import Found, Stopped
from fairdeal.lab.studies.measures import STATISTICS, Chance, Measure, order_words
from fairdeal.lab.studies.recipe import Setup, Study
from fairdeal.lab.studies.run import Judged, at_any_end, headline, judge
from fairdeal.lab.studies.unused import Games, Unused, unused_of
from fairdeal.lab.studies.watching import watch_from

SIX, FOUR, FIVE = (f"Stacks to end the game: {number}" for number in (6, 4, 5))


def table(name="Chi", bots=("otto", "otto"), wins=0, games=400, others_win=(), **others):
    """A table whose first player won this many games, and the other seats equally often, or these shares. `others` are
    the means of other measures."""
    won = np.repeat([1.0, 0.0], [wins, games - wins])
    values = {"first": won} | {key: np.full(games, value) for key, value in others.items()}
    measures = [
        Measure(key, key, "share", games, share(one) if key == "first" else mean(one), 0, 0, 0)
        for key, one in values.items()
    ]
    by_bot = ()
    if len({*bots}) > 1:
        by_bot = tuple(chance(bot, wins / games, games, len(bots)) for bot in dict.fromkeys(bots))
    shares = [wins / games, *(others_win or [(1 - wins / games) / (len(bots) - 1)] * (len(bots) - 1))]
    order = tuple(chance(order_words(place), value, games, len(bots)) for place, value in enumerate(shares))
    blank = dict.fromkeys(("often", "course", "luck", "among"), ())
    blank |= {
        "seed": 0,
        "same_as": "",
        "games": games,
        "watched": 0,
        "followed": 0,
        "lengths": {},
        "stopped": None,
        "differs": {},
    }
    options = {"stacks_to_end": name}
    return Found(name=name, options=options, bots=bots, measures=(*measures,), order=order, by_bot=by_bot, **blank)


def chance(name, value, games, players):
    """A player who wins this share of first places."""
    won = np.repeat([1.0, 0.0], [round(value * games), games - round(value * games)])
    p = p_of_share(value, 1 / players, games) if games >= FEWEST_GAMES else None
    return Chance(name, games, share(won), 1 / players, mean(won), p=p)


def alike(*tables):
    """Tables that differ only in their bots."""
    return [replace(one, options={}) for one in tables]


def gap(setup, measure, value, low, high, p=0.0001):
    return Difference(setup, measure, measure, "share", 400, Estimate(value, low, high), p)


def answer(*tables, main="first", differences=(), unused=(), named="", until_clear=False):
    study = Study(game="chi", main=named, until_clear=until_clear)
    if until_clear:
        tables = [at_any_end(one, main if len(tables) == 1 else "") for one in tables]
    tested = judge(Judged((*tables,), (*differences,), ()), headline(study, main, tables))
    said = answer_of(study, main, tested.setups, tested.differences, tested.tests, unused)
    return said.replace("\u00a0", " ")


FIRST = "Otto’s first player wins 42.2 % (37.4 to 47.3) of 400 games"
SECOND = f"{FIRST}: the second player is favoured"
OTTO, VIX, NOX, PIP = (
    table(bot, (bot, bot), wins) for bot, wins in (("otto", 169), ("vix", 160), ("nox", 191), ("pip", 240))
)


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        ([OTTO], f"{SECOND}."),
        (
            [NOX],
            "Nox’s first player wins 47.8 % (42.8 to 52.8) of 400 games: "
            "neither is favoured, as far as 400 games can tell.",
        ),
        ([PIP], "Pip’s first player wins 60.0 % (55.0 to 64.8) of 400 games: the first player is favoured."),
        (alike(OTTO, NOX), f"{SECOND}; with Nox neither is, as far as 400 games can tell."),
        (
            alike(OTTO, VIX, NOX, PIP),
            f"{SECOND}; the same holds with Vix; with Nox neither is, as far as 400 games can tell; "
            "with Pip the first player is.",
        ),
        (
            alike(NOX, OTTO),
            "Nox’s first player wins 47.8 % (42.8 to 52.8) of 400 games: "
            "neither is favoured, as far as 400 games can tell; with Otto the second player is.",
        ),
    ],
)
def test_the_answer_says_whom_the_order_of_play_favours(tables, says):
    assert answer(*tables) == says


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        (33, "the first player is favoured"),
        (15, "no player is favoured, as far as 60 games can tell"),
        (5, "the others are favoured"),
    ],
)
def test_with_more_seats_the_first_player_is_compared_with_the_others(wins, verdict):
    said = answer(table("Chip It", ("vix",) * 4, wins, 60))
    assert said.endswith(f") of 60 games, where 25 % would be fair: {verdict}.")
    many = answer(table("2 players", wins=169), table("4 players", ("otto",) * 4, wins, 60), named="first")
    assert re.search(f"; with “4 players” {verdict.replace(' favoured', '')}.$", many)


@pytest.mark.parametrize(
    ("first", "others", "verdict"),
    [
        (
            100,
            (0.30, 0.22, 0.23),
            "no player is favoured, as far as 400 games can tell among 4 tests.",
        ),  # 0.30 alone: p = 0.02
        (100, (0.25, 0.18, 0.32), "the fourth player is favoured."),
        (130, (0.32, 0.15, 0.2), "the first and second players are favoured."),
        (70, (0.275, 0.275, 0.275), "the others are favoured."),
    ],
)
def test_every_seat_is_looked_at_with_more_than_two(first, others, verdict):
    four = table("Chip It", ("vix",) * 4, first, 400, others)
    assert answer(four).endswith(f"25 % would be fair: {verdict}")
    p = p_of_share(first / 400, 0.25, 400)
    early = replace(four, stopped=Stopped(four.measure("first").estimate, p, True, 400))
    alone = {100: "neither the first player nor the others are", 130: "the first player is", 70: "the others are"}
    assert f"fair: {alone[first]} favoured" in answer(early, until_clear=True)


def test_the_interval_that_touches_the_fair_share_contains_it():
    """The exact interval of 39 wins in 100 games ends at 49.3 %, that of 40 at 50.3 %."""
    assert "the second player is" in answer(table(wins=39, games=100))
    assert "neither is" in answer(table(wins=40, games=100))


def test_tables_with_other_options_are_named_with_their_clear_differences():
    tables = table(SIX, wins=169), table(FOUR, wins=131), table(FIVE, wins=165)
    found = gap(FOUR, "first", -0.095, -0.16, -0.03), gap(FIVE, "first", 0.02, -0.05, 0.09, 0.5)
    head = f"{FIRST} with “{SIX}”: the second player is favoured"
    assert answer(*tables, differences=found, named="first") == (
        f"{head}; the same holds with “{FOUR}” (the first player wins clearly less, by 9.5 points) and “{FIVE}”."
    )
    many = [table(f"table {number}", wins=169) for number in range(7)]
    assert answer(*many, named="first").endswith(
        "; the same holds with “table 1”, “table 2”, “table 3” and 3 other tables."
    )


def test_a_difference_names_its_own_player_next_to_a_verdict_about_another():
    third = (0.22, 0.34, 0.22)
    tables = table("1", ("otto",) * 4, 88, 400, third), table("2", ("otto",) * 4, 77, 400, third)
    said = answer(*tables, differences=[gap("2", "first", -0.028, -0.05, -0.01)], named="first")
    assert "fair: the third player is favoured; the same holds with “2” (the first player wins clearly less" in said


def test_tables_with_other_options_are_compared_by_lengths_and_by_the_players_favoured():
    tables = table(SIX, wins=169, minutes=8.6), table(FOUR, wins=200, minutes=3.7), table(FIVE, wins=160, minutes=8.5)
    found = [gap(FOUR, "minutes", -4.9, -6, -4)]
    assert answer(*tables, differences=found) == (
        "Stacks to end the game: a game takes 8.6 min (8.6 to 8.6) with 6, 3.7 min (3.7 to 3.7) with 4 and 8.5 min "
        "(8.5 to 8.5) with 5 (no clear difference between 6 and 5); with 6 and 5 the second player is favoured; with 4 "
        "neither is, as far as 400 games can tell."
    )
    alike = "; the second player is favoured at any of these tables."
    assert answer(tables[0], tables[2], differences=found).endswith(alike)
    few = [table(f"table {number}", wins=169, games=400, moves=10 * number + 30) for number in range(4)]
    assert answer(*few).startswith("A game takes 30 moves with “table 0”, 40 moves with “table 1”, 50 moves with ")
    many = [table(f"{number} players", wins=169, games=400, moves=10 * number + 30) for number in range(8)]
    assert answer(*many).startswith("A game takes from 30 moves with “0 players” to 100 moves with “7 players”; ")


def test_every_measure_can_be_the_main_one():
    assert tuple(STATISTICS) == tuple(LEADS)
    for key in STATISTICS:
        first, other = ({}, {}) if key == "first" else ({key: 5}, {key: 7})
        tables = table(SIX, wins=169, **first), table(FOUR, wins=169, **other)
        found = [gap(FOUR, key, 2, 1, 3)]
        said = answer(*tables, main=key, named=key, differences=found)
        assert f" with “{SIX}”" in said, key
        assert f" {LEADS[key][1]} (" in said or key == "first", key


@pytest.mark.parametrize(
    ("bots", "wins", "says"),
    [
        (("otto", "random"), 80, "Otto wins 80.0 % (70.8 to 87.3) of 100 games against Random: more than a fair 50 %."),
        (
            ("nox:100-0-16", "nox"),
            51,
            "Nox (100-0-16) wins 51.0 % (40.8 to 61.1) of 100 games against Nox (as usual): "
            "no more and no less than a fair 50 %, as far as 100 games can tell.",
        ),
        (
            ("pip", "otto", "vix", "pip"),
            9,
            "Each Pip wins 9.0 % (4.2 to 16.4) of 100 games against Otto and Vix: less than a fair 25 %.",
        ),
        (
            ("nox", "vix", "otto", "bram", "juno", "pip"),
            50,
            "Nox wins 50.0 % (39.8 to 60.2) of 100 games against Vix, Otto, Bram, Juno and Pip: "
            "more than a fair 16.7 %.",
        ),
    ],
)
def test_bots_that_play_each_other_are_compared(bots, wins, says):
    assert answer(table("Chi", bots, wins, 100)) == says


def test_of_many_tables_at_which_bots_play_each_other_the_others_are_counted():
    many = [table(f"table {number}", ("otto", "pip"), 80, 100) for number in range(6)]
    head = "Otto wins 80.0 % (70.8 to 87.3) of 100 games against Pip with"
    assert answer(*many).startswith(f"{head} “table 0”: more than a fair 50 %; {head} “table 1”: ")
    assert answer(*many).endswith(f"{head} “table 2”: more than a fair 50 %; 3 other tables.")


def test_a_study_that_names_its_measure_is_about_it_even_among_different_bots():
    one = table("Chi", ("otto", "pip"), 169)
    assert answer(one).startswith("Otto wins")
    head = "Between Otto and Pip, the first player wins 42.2 % (37.4 to 47.3) of 400 games: "
    assert answer(one, named="first") == f"{head}the second player is favoured."
    early = replace(one, stopped=Stopped(one.measure("first").estimate, 0.001, True, 400))
    assert answer(early, until_clear=True) == f"{head}the second player is favoured."


def test_what_is_clear_alone_may_be_luck_among_many_tests():
    """43.5 % of 400 games differ from half with p = 0.01, and are one of six tables."""
    first, *others = (table(f"table {number}", wins=174 if number == 0 else 200) for number in range(6))
    assert answer(first).endswith(": the second player is favoured.")
    doubt = ", as far as 400 games can tell among 6 tests"
    assert f"with “table 0”: neither is favoured{doubt}; the same" in answer(first, *others, named="first")
    assert answer(first, *others).endswith(f"; neither is favoured at any of these tables{doubt}.")


def test_few_games_give_no_verdict():
    few = table(wins=29, games=29)
    assert answer(few).endswith(" of 29 games, too few to say who is favoured.")
    assert answer(table(wins=30, games=30)).endswith(": the first player is favoured.")
    assert answer(table("Chi", ("otto", "pip"), 29, 29)).endswith(": too few games to compare with a fair 50 %.")
    many, less = table("many", wins=169), table("few", wins=29, games=29)
    assert answer(many, less, named="first").endswith("; with “few” there are too few games.")
    assert answer(less, many, named="first").endswith("; with “many” the second player is.")
    assert answer(many, less).endswith(
        "; with “many” the second player is favoured; too few games to say who is with “few”."
    )
    assert answer(less, table("less", wins=29, games=29)).endswith("; too few games to say who is favoured.")


def test_the_same_games_are_not_compared():
    assert answer(table("a", wins=169), replace(table("b", wins=169), same_as="a")).endswith(
        ": the second player is favoured; “b” played exactly the same games."
    )


def test_other_measures_are_compared_with_the_first_table():
    tables = table(SIX, moves=83.1), table(FOUR, moves=30), table(FIVE, moves=85)
    found = gap(FOUR, "moves", -53.1, -55, -51.2), gap(FIVE, "moves", 2, -1, 5, 0.2)
    head = f"A game takes 83.1 moves (83.1 to 83.1) in 400 games with “{SIX}”"
    assert answer(*tables, main="moves", named="moves", differences=found) == (
        f"{head}; with “{FOUR}” 53.1 moves fewer (51.2 to 55); no clear difference with “{FIVE}”."
    )
    alone = answer(table(moves=83.1), main="moves")
    assert alone == "A game takes 83.1 moves (83.1 to 83.1) in 400 games, played by Otto."
    assert answer(table(shared=0.25), main="shared").startswith("First place is shared in 25.0 % (24.5 to 25.5) of 400")


def test_games_that_ended_early_are_judged_by_the_interval_that_allows_it():
    early = replace(OTTO, stopped=Stopped(Estimate(0.4225, 0.34, 0.51), 0.1, True, 400))
    assert "(34.0 to 51.0) of 400 games: neither is favoured" in answer(early, until_clear=True)
    narrow = replace(table(FOUR), stopped=Stopped(Estimate(0.004, -0.006, 0.014), 0.4, True, 400))
    less = replace(table(FIVE), stopped=Stopped(Estimate(-0.1, -0.15, -0.05), 0.001, True, 400))
    found = [gap(name, "first", 0, 0, 0, p) for name, p in ((FOUR, 0.4), (FIVE, 0.001))]
    said = answer(table(SIX, wins=169), narrow, less, differences=found, until_clear=True)
    assert "favoured" not in said
    assert said.endswith(f"“{SIX}”; with “{FIVE}” 10.0 points less (5.0 to 15.0); no clear difference with “{FOUR}”.")


IDLE = Unused(FOUR, ("stacks_to_end",), 40, True, True, 20, False)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({}, "changed no game: no bot used it in 40 watched games, nor did random moves in 20."),
        ({"at_random": True}, "changed no game: no bot used it in 40 watched games, but random moves did."),
        ({"random_games": 0}, "changed no game: no bot used it in 40 watched games."),
        ({"offered": False}, "changed no game: it did not matter in 40 watched games, nor in 20 of random moves."),
        (
            {"same": False},
            "had no direct effect: no bot used it in 40 watched games, nor did random moves in 20. "
            "Differences from “as printed” are luck, or come from looking ahead.",
        ),
    ],
)
def test_an_option_that_no_bot_used_is_named(changed, says):
    assert idle_words(replace(IDLE, **changed), "as printed") == f"The option `stacks_to_end` of “{FOUR}” {says}"
    several = idle_words(replace(IDLE, options=("hand_limit", "stacks_to_end")), "as printed")
    assert f"The options `hand_limit` and `stacks_to_end` of “{FOUR}” changed no game: no bot used them" in several


def test_the_answer_says_that_an_option_changed_nothing():
    tables = table(SIX, wins=169), table(FOUR, wins=169)
    head = f"{FIRST} with “{SIX}”: the second player is favoured; "
    for asked in ({}, {"named": "first"}):
        assert answer(*tables, unused=[IDLE], **asked) == f"{head}“{FOUR}” changed no game, because no bot used it."
    assert answer(*tables, unused=[replace(IDLE, offered=False)]) == f"{head}“{FOUR}” changed no game."
    assert answer(*tables, unused=[replace(IDLE, same=False)], named="first") == f"{head}the same holds with “{FOUR}”."


# --- real games -------------------------------------------------------------------------------------------------


def games(bots=("otto", "otto"), **options):
    """Games of Chi: 12 at a table, 4 of them watched."""
    study = Study(game="chi", seed="seed")
    setup = Setup("other" if options else "first", fairdeal.load("chi", **options), bots, study)
    return Games(setup, play_from(setup.order, 0, 12, 1), watch_from(setup.order, 0, 4, 0, 1))


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"draw_source": "row_or_deck"}, Unused("other", ("draw_source",), 8, True, True, 2, True)),
        ({"turn_limit": 1000}, Unused("other", ("turn_limit",), 8, False, True, 8, False)),
        ({"stacks_to_end": 4}, None),
        ({"hand_limit": 4}, None),
        ({"yang_layout": "mixed"}, None),
    ],
)
def test_options_that_mattered_in_no_game_are_found(options, found):
    """Otto never draws from the deck, which is allowed at one of the tables; a move at random soon does."""
    first, other = games(), games(**options)
    assert unused_of(first, other) == found
    turned = unused_of(other, first)
    assert (turned and replace(turned, setup="other", random_games=found.random_games)) == found


def test_an_option_that_changes_how_bots_think_did_not_change_the_games_alone():
    first, other = games(), games(draw_source="row_or_deck")
    scores = other.outcomes.scores.copy()
    scores[11] += 1
    changed = dataclasses.replace(other, outcomes=dataclasses.replace(other.outcomes, scores=scores))
    found = unused_of(first, changed)
    assert (found.same, found.offered) == (False, True)


def test_only_tables_with_the_same_players_and_other_options_are_compared():
    first = games()
    assert unused_of(first, first) is None
    assert unused_of(first, games(("otto", "greedy"), turn_limit=1000)) is None
    random = ("random", "random")
    assert unused_of(games(random), games(random, turn_limit=1000)).random_games == 0


def test_a_use_of_an_option_is_found_in_the_games_of_either_table():
    from_row, from_both = games(("random", "random")), games(("random", "random"), draw_source="row_or_deck")
    assert unused_of(from_row, from_both) is unused_of(from_both, from_row) is None
