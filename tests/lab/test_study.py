"""Studies: recipes are read or refused with a reason, and reports contain the findings."""

import json
import re
import subprocess
import sys
from html import unescape

import msgspec
import pyarrow.parquet as pq
import pytest
from markupsafe import Markup
from msgspec.structs import replace

from fairdeal.engine.errors import FairdealError
from fairdeal.lab.estimates import Estimate
from fairdeal.lab.simulate.replaying import sitting_of
from fairdeal.lab.simulate.simulation import nobody
from fairdeal.lab.studies import report as report_module
from fairdeal.lab.studies.comparing import together
from fairdeal.lab.studies.findings import Findings
from fairdeal.lab.studies.measures import STATISTICS, order_words, samples_of
from fairdeal.lab.studies.recipe import Study, Variant, compared, read_study, setups_of
from fairdeal.lab.studies.report import HIGHEST, PICKS, report_of
from fairdeal.lab.studies.run import findings_of, play_all
from fairdeal.lab.studies.watching import outcomes_of, watch_part
from fairdeal.lab.studies.wording import NARROW, between, cell, formatted
from tests.conftest import ROOT, refusal
from tests.server.visiting import CHROMIUM, FLAGS, NO_CHROMIUM

SMALL = {"games": 60, "watched": 4, "followed": 2, "playouts": 5, "levels": 30}


def carry_out(study, setups, command, jobs=None):
    return findings_of(study, play_all(study, setups, jobs, lambda words, games: nobody), command)


@pytest.fixture(scope="module")
def found():
    """A small study of one table."""
    study = Study(game="chi", question="Who <wins>?", **SMALL)
    return carry_out(study, setups_of(study), "fairdeal study chi --games 60", 2)


@pytest.fixture(scope="module")
def swept():
    """A small study of two tables."""
    study = Study(game="chi", sweep={"stacks_to_end": [6, 4]}, **SMALL)
    return carry_out(study, setups_of(study), "fairdeal study", 2)


@pytest.fixture(scope="module")
def pages(found, swept):
    """The reports of both."""
    return {"found": report_of(found), "swept": report_of(swept)}


@pytest.fixture(params=["found", "swept"])
def report(request, pages):
    """The findings of each, and the page about them."""
    return request.getfixturevalue(request.param), pages[request.param]


def recipe(folder, text, name="recipe.toml"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


# --- what is asked ----------------------------------------------------------------------------------------------


def test_every_recipe_of_ours_can_be_carried_out():
    recipes = sorted((ROOT / "studies").glob("*.toml"))
    assert len(recipes) >= 8
    for path in recipes:
        assert setups_of(read_study(path), path.parent), path
        assert read_study(path).question, path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game = 'chi'\ngmaes = 3", "recipe.toml: unknown name `gmaes`; did you mean `games`?"),
        ("game = 'chi'\ngames = 'many'", "recipe.toml: Expected `int`, got `str` - at `$.games`"),
        ("game = 'chi'\ngames = 1", "`games` must be at least 2, not 1"),
        ("game = 'chi'\nmain = 'luck'", "`main` must be one of first, shared, score, margin, moves, minutes, "),
        ("game = 'chi'\n[[variants]]\noption = {}", "unknown name `option`; did you mean `options`?"),
        ("game = 'chi'\nvariants = [{}]\nsweep = { hand_limit = [3] }", "give `sweep` or `variants`, not both"),
        (
            "game = 'chi'\ntargets = { luck = [0, 1] }",
            "a target must be of first, shared, score, margin, ",
        ),
        (
            "game = 'chi'\ntargets = { first = [0.5, 0.4] }",
            "the target of `first` must be two numbers, the ",
        ),
        ("game = 'chi'\ntargets = { moves = [5, inf] }", "the target of `moves` must be two numbers, the "),
        ("game = ", "recipe.toml: Invalid value"),
    ],
)
def test_a_recipe_that_cannot_be_understood_is_refused_with_the_place(tmp_path, text, says):
    with refusal(re.escape(says)):
        read_study(recipe(tmp_path, text))


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"sweep": {"hand_limits": [3]}}, "did you mean hand_limit?"),
        ({"sweep": {"hand_limit": []}}, "a sweep must have at least one value"),
        ({"sweep": {"hand_limit": [99]}}, "It takes a number from 3 to 10"),
        ({"sweep": {"bots": ["otto", 3]}}, "the name of a bot"),
        (
            {"sweep": {"hand_limit": list(range(3, 11)), "stacks_to_end": [4, 5, 6, 7]}},
            "a study can compare at most 24 tables",
        ),
        ({"bots": ("clever",)}, "there is no bot 'clever'"),
    ],
)
def test_what_cannot_be_played_is_refused(asked, says):
    with refusal(re.escape(says)):
        setups_of(Study(game="chi", **asked))


def test_swept_values_are_combined_and_named_in_words():
    study = Study(game="chi", sweep={"draw_source": ["row", "row_or_deck"], "bots": ["otto", ["otto", "pip"]]})
    found = setups_of(study)
    assert [setup.name for setup in found][:2] == ["Drawing: from the row, Otto", "Drawing: from the row, Otto and Pip"]
    assert [setup.bots for setup in found][:2] == [("otto", "otto"), ("otto", "pip")]
    assert found[2].table.options.draw_source == "row_or_deck"


def test_recipes_that_are_compared_bring_their_tables(tmp_path):
    paths = [
        recipe(tmp_path, f"game = 'chi'\ntitle = 'Ends at {end}'\noptions = {{ stacks_to_end = {end} }}", f"{end}.toml")
        for end in (6, 4)
    ]
    studies = [(read_study(path), path) for path in paths]
    _, setups = compared(studies)
    assert [(setup.name, setup.table.options.stacks_to_end) for setup in setups] == [("Ends at 6", 6), ("Ends at 4", 4)]
    with refusal("this recipe is for chip-it, the first one for chi"):
        compared([studies[0], (Study(game="chip-it"), tmp_path / "other.toml")])


def test_recipes_that_are_compared_use_their_own_settings(tmp_path):
    """Each table has the seed and the numbers of games of its recipe; games with other seeds are other games."""
    numbers = {"games": 30, "watched": 2, "followed": 0, "levels": 0}
    own = [numbers | {"seed": 1}, {"games": 40, "watched": 3, "followed": 2, "levels": 0, "seed": 2}]
    both = [
        (Study(game="chi", title=f"seed {one['seed']}", question=f"{one['seed']}?", **one), tmp_path) for one in own
    ]
    study, setups = compared(both)
    assert study.question == "1? 2?"
    first, second = carry_out(study, setups, "", 2).setups
    for found, asked in ((first, own[0]), (second, own[1])):
        for name in ("seed", "games", "watched", "followed"):
            assert getattr(found, name) == asked[name], name
    alone = carry_out(both[1][0], setups_of(both[1][0]), "", 2).setups[0]
    assert second.measures == alone.measures
    assert second.same_as == ""


IN_BOTH = {
    "until_clear": (True, "`until_clear` is True here and False in the first recipe"),
    "precision": (0.1, "`precision` is 0.1 here and 0.01 in the first recipe"),
    "playouts": (7, "`playouts` is 7 here and 100 in the first recipe"),
    "main": ("moves", "the main measures of the recipes are margin and moves"),
    "targets": ({"moves": (1, 2)}, "`targets` is {'moves': (1, 2)} here and {} in the first recipe"),
    "game": ("chip-it", "this recipe is for chip-it, the first one for chi"),
}
"""Settings that cannot differ between compared recipes, with another value and the reason."""

OWN = {
    **{"players": 2, "preset": "mixed", "options": {"hand_limit": 4}, "catalogue": "", "bots": ("pip",), "seed": 1},
    **{"games": 4, "watched": 3, "followed": 2, "dealt": 5, "levels": 1, "search_levels": 1},
    **{"title": "other", "question": "?", "sweep": {"hand_limit": [4]}, "variants": [Variant(name="x")]},
}
"""Settings that each table has from its own recipe."""


@pytest.mark.parametrize("setting", Study.__struct_fields__)
def test_settings_of_compared_recipes_are_used_or_refused_with_a_reason(tmp_path, setting):
    first = Study(game="chi", main="margin")
    if setting in IN_BOTH:
        value, says = IN_BOTH[setting]
        with refusal(re.escape(says)):
            compared([(first, tmp_path), (replace(first, **{setting: value}), tmp_path)])
    else:
        other = replace(first, **{"seed": 2, setting: OWN[setting]})
        _, (_, setup) = compared([(first, tmp_path), (other, tmp_path)])
        assert setup.study == other


def test_nothing_is_compared_with_itself(tmp_path):
    one = Study(game="chi", title="one")
    for other in (one, replace(one, title="other", games=5), replace(one, seed="0"), replace(one, preset="standard")):
        with pytest.raises(
            FairdealError, match="have the same table, bots and seed, so they would play the same games"
        ):
            compared([(one, tmp_path), (other, tmp_path)])
    with refusal("'a' and 'b' have the same table"):
        setups_of(replace(one, variants=[Variant(name="a"), Variant(name="b", options={"hand_limit": 5})]))


def test_columns_that_share_their_games_are_named_and_not_compared():
    """Otto plays by the greedy rule."""
    study = Study(game="chi", sweep={"bots": ["otto", "pip", "greedy"]}, **SMALL | {"levels": 0, "games": 200})
    found = carry_out(study, setups_of(study), "", 2)
    assert [one.same_as for one in found.setups] == ["", "", "Otto"]
    assert {one.setup for one in found.differences} == {"Pip"}
    assert found.answer.endswith("; Greedy played exactly the same games.")
    page = plain(report_of(found))
    assert "The games of “Greedy” are exactly those of “Otto”, so these tables are not compared." in page


def test_all_tests_of_a_report_are_corrected_together():
    """Of the third table, whose games are those of the first one, none counts."""
    targets = {"moves": (50, 70)}
    study = Study(
        game="chi", sweep={"bots": ["otto", "pip", "greedy"]}, targets=targets, **SMALL | {"levels": 0, "games": 200}
    )
    found = carry_out(study, setups_of(study), "", 2)
    main = [one.order[0] for one in found.setups[:2]] + [one for one in found.verdicts if one.setup != "Greedy"]
    main += [one for one in found.differences if one.measure == "first"]
    others = [one for one in found.differences if one.measure != "first" and one.p is not None]
    others += [card for one in found.setups[:2] for card in one.dealt]
    corrected = together([one.p for one in main], [one.p for one in others])
    assert [one.corrected for one in main] + [one.corrected for one in others] == [*corrected[0], *corrected[1]]
    assert found.tests == len(main) + len(others)
    assert len(others) > 4
    assert f"All {found.tests} tests of the report are corrected together" in plain(report_of(found))


def test_reports_say_which_tables_share_random_numbers(swept):
    page = plain(report_of(swept))
    assert "Games with the same number share their random numbers." in page
    first, second = swept.setups
    other = replace(swept, setups=(first, replace(second, seed=7)))
    page = plain(report_of(other))
    assert "“4” has another seed and shares no games with “6”." in page
    assert "Seeds 0 and 7;" in page


def test_a_catalogue_is_looked_for_beside_the_recipe(tmp_path):
    (tmp_path / "cards.toml").write_text("suit = 3", "utf-8")
    path = recipe(tmp_path, "game = 'war-xtreme'\ncatalogue = 'cards.toml'")
    with refusal(r"cards\.toml"):
        setups_of(read_study(path), path.parent)


# --- what is found ----------------------------------------------------------------------------------------------


def test_any_number_of_jobs_finds_the_same(found):
    again = carry_out(found.study, setups_of(found.study), found.command, 1)
    assert msgspec.json.encode(again) == msgspec.json.encode(found)
    other = replace(found.study, seed=1)
    assert carry_out(other, setups_of(other), found.command, 1).setups != found.setups


def test_findings_are_kept_as_json(swept):
    assert msgspec.json.decode(msgspec.json.encode(swept), type=Findings) == swept


def test_a_clear_answer_ends_a_study_early():
    small = {"games": 2000, "watched": 2, "followed": 0, "levels": 0}
    study = Study(game="chi", sweep={"stacks_to_end": [6, 4]}, until_clear=True, main="moves", **small)
    found = carry_out(study, setups_of(study), "", 2)
    assert [(one.measure, one.clear) for one in found.differences if one.p is not None] == [("moves", True)]
    assert found.tests == 1
    first, four = found.setups
    assert four.stopped.clear
    assert four.stopped.games == four.games == first.games == 100
    assert four.stopped.estimate.high < 0


def test_a_main_measure_that_a_game_does_not_have_is_refused():
    study = Study(game="chi", main="score", until_clear=True, games=100)
    with refusal("has no measure `score`; it has first, shared, margin, moves"):
        carry_out(study, setups_of(study), "")


def test_first_players_of_tables_of_other_sizes_are_compared_by_what_is_fair():
    study = Study(game="chaos-ninjas", sweep={"players": [2, 4]}, **SMALL | {"levels": 0, "followed": 0, "watched": 2})
    found = carry_out(study, setups_of(study), "")
    two, four = (one.measure("first").estimate.value for one in found.setups)
    (gap,) = [one.estimate.value for one in found.differences if one.measure == "first"]
    assert gap == pytest.approx((four - 1 / 4) - (two - 1 / 2))


def test_from_every_number_one_gets_to_a_game_that_shows_it(swept):
    """The game that a measure, a seat or an event names is played again, and shows what is said of it."""
    study = swept.study
    for setup, one in zip(setups_of(study), swept.setups, strict=True):
        order = setup.order
        for measure in one.measures:
            assert len(measure.examples) == 3, measure.key
            shown = sitting_of(order, measure.examples[HIGHEST])
            again = watch_part(0, order, measure.examples[HIGHEST], measure.examples[HIGHEST] + 1)
            outcomes = outcomes_of(order, again)
            values = samples_of(outcomes, again, [measure.key])
            assert measure.key in ("turns", "decided") or values[measure.key][0] == measure.high, measure.key
            assert shown.moves_made == again[0].moves
            assert tuple(shown.state.returns()) == again[0].scores
        for chance in one.order:
            (again,) = watch_part(0, order, chance.example, chance.example + 1)
            place = (again.scores.index(max(again.scores)) - again.first) % 2
            assert order_words(place) == chance.name
        for often in one.often[:4]:
            (again,) = watch_part(0, order, often.example, often.example + 1)
            assert again.happened[often.kind][often.name] >= often.times.value
    for words, key, _ in PICKS:
        assert words
        assert key in STATISTICS


def test_a_game_of_a_study_is_printed_or_analysed(study, swept, tmp_path):
    path = recipe(tmp_path, "game = 'chi'\ngames = 60")
    longest = swept.setups[1].measure("moves")
    asked = path, "--sweep", "stacks_to_end=6,4", "--replay", f"2:{longest.examples[HIGHEST]}"
    printed = study(*asked).splitlines()
    assert printed[-3].split()[0] == f"{longest.high:.0f}"
    assert [line.split(":")[0].strip() for line in printed[-2:]] == ["Otto 1", "Otto 2"]
    page = tmp_path / "game.html"
    study(path, "--sweep", "stacks_to_end=4", "--replay", 5, "--out", page)
    assert "Otto 1 decided" in page.read_text("utf-8")
    assert "there is no table 3: this study has 2" in study(*asked[:-1], "3:5", refused=True)
    assert "must have the form GAME or TABLE:GAME" in study(*asked[:-1], "last", refused=True)
    assert "--json has no effect with --replay" in study(*asked, "--json", tmp_path / "x", refused=True)


def test_a_game_of_a_compared_recipe_has_the_seed_of_that_recipe(study, tmp_path):
    paths = [recipe(tmp_path, f"game = 'chi'\ntitle = '{seed}'\nseed = {seed}", f"{seed}.toml") for seed in (1, 2)]
    own = [study(path, "--replay", 3) for path in paths]
    assert own[0] != own[1]
    assert [study("--compare", *paths, "--replay", f"{table}:3") for table in (1, 2)] == own


# --- the report -------------------------------------------------------------------------------------------------


def plain(html):
    """Return the text of HTML."""
    return unescape(re.sub("<[^>]*>", "", html))


def figures(page):
    """Return the figures of a page with the labels of their pictures."""
    found = re.findall("<figure.*?</figure>", page, re.DOTALL)
    return [(figure, re.findall("""<svg(?:[^>]*?aria-label=["']([^"']*))?""", figure)) for figure in found]


def test_every_picture_is_described_in_words_and_numbers(report):
    with_caption = 0
    for figure, labels in figures(report[1]):
        assert [label for label in labels if len(label) <= 20] == []
        assert labels or "<table" in figure
        if labels and "<figcaption" in figure:
            assert figure.count("<table") == 1
            with_caption += 1
    assert with_caption >= 6


def test_a_report_begins_with_the_answer_and_who_wins(report):
    findings, page = report
    beginning = "Stacks to end the game: a game takes " if findings.several else "Otto’s first player wins "
    assert findings.answer.startswith(beginning)
    header, first, *_ = page.partition("<body>")[2].split("<section>")
    assert unescape(findings.answer) in unescape(header)
    assert first.startswith("<h2>Who wins</h2>")
    assert "econd player" in first.partition("</table>")[0]
    assert msgspec.json.encode(findings).startswith(b'{"answer":')


def test_a_header_has_a_column_for_the_cover_only_if_the_game_has_one(monkeypatch, swept, pages):
    assert "class='cover'" in pages["swept"]
    monkeypatch.setattr(report_module, "cover", lambda game: Markup())
    without = report_of(swept)
    assert "class='cover'" not in without
    heads = re.findall(r"^ *header[^{]*\{[^}]*\}", without.partition("<body>")[0], re.MULTILINE)
    assert [head for head in heads if "grid" in head and ":has(.cover)" not in head and ".cover {" not in head] == []
    assert any("grid-template-columns" in head for head in heads)


@pytest.mark.skipif(CHROMIUM is None, reason=NO_CHROMIUM)
def test_a_printed_report_has_at_most_four_pages(report, tmp_path):
    page, printed = tmp_path / "report.html", tmp_path / "report.pdf"
    page.write_text(report[1], "utf-8")
    how = "--headless", "--no-pdf-header-footer", f"--user-data-dir={tmp_path}", f"--print-to-pdf={printed}"
    subprocess.run([CHROMIUM, *FLAGS, *how, page.as_uri()], check=True, capture_output=True, timeout=120)
    assert 2 <= len(re.findall(rb"/Type /Page\b", printed.read_bytes())) <= 4


def test_a_report_says_which_tables_meet_its_targets(study, tmp_path):
    path = recipe(
        tmp_path, "game = 'chi'\ngames = 200\nwatched = 2\nfollowed = 0\nlevels = 0\ntargets = { moves = [25, 40] }"
    )
    page = tmp_path / "report.html"
    printed = study(path, "--sweep", "stacks_to_end=6,4", "--out", page, "--jobs", 1)
    assert re.match(
        r"“Stacks to end the game: 4” meets all targets; .*: 6” \(moves 7\d.*, 3\d.* too high\) misses ", printed
    )
    text = plain(page.read_text("utf-8").partition("<h2>Targets</h2>")[2].partition("</section>")[0])
    assert "Moves: 25 to 40" in text
    assert text.index("misses, 3") < text.index("meets")
    assert "<h2>Targets</h2>" not in report_of(carry_out(Study(game="chi", **SMALL), setups_of(Study(game="chi")), ""))


def test_small_pictures_say_the_value_of_every_table(swept, pages):
    labels = [unescape(label) for _, labels in figures(pages["swept"]) for label in labels]
    (words,) = [label for label in labels if label.startswith("First player wins")]
    for one in swept.setups:
        short = one.name.removeprefix("Stacks to end the game: ")
        assert f" {short} {formatted(one.measure('first').estimate.value, 'share')}" in words


def test_the_tables_have_the_numbers_that_were_found(report):
    findings, page = report
    cells = {plain(text) for text in re.findall("<t[dh].*?</t[dh]>", page, re.DOTALL)}
    expected = [cell(one.estimate, one.kind, signs=True) for one in findings.differences]
    for one in findings.setups:
        measures = [measure for measure in one.measures if measure.key != "shared" or len(findings.setups) > 1]
        expected += [cell(measure.estimate, measure.kind) for measure in measures]
        expected += [cell(chance.wins, "share") for chance in one.order]
        expected += [cell(luck.skill, "share") for luck in one.luck]
        expected += [cell(often.times, "number") for often in one.often]
    assert [text for text in map(plain, expected) if text not in cells] == []
    assert len(expected) > 10


def test_a_report_needs_nothing_else_and_says_how_it_was_made(found, pages):
    text = pages["found"]
    assert not re.search("<(script|link|img|iframe|object)", text)
    assert [address for address in re.findall("""(?:src|href)=["']([^"']+)""", text) if address[0] != "#"] == []
    assert not re.search(r"url\((?!#)|@import", text)
    assert "<code>fairdeal study chi --games 60</code>" in text
    assert "Who &lt;wins&gt;?" in text
    for name, number in found.versions.items():
        assert f"{name} {number}" in text
    assert {"fairdeal", "rules of Chi", "NumPy", "Numba"} <= set(found.versions)
    assert "light-dark(" in text
    assert "@media print" in text
    assert not re.search(r"#0[0-4]0[0-4]0[0-9]", text)  # every placeholder became a colour of the page


def test_words_of_a_study_are_escaped(found, swept):
    odd = "<i>&'\"\\1 $\\x$"
    study = replace(found.study, title=odd, question=odd)
    named = {one.name: f"{number} {odd}" for number, one in enumerate(swept.setups)}
    setups = [replace(one, name=named[one.name]) for one in swept.setups]
    differences = [replace(one, setup=named[one.setup]) for one in swept.differences]
    for page in (
        report_of(replace(found, study=study, command=odd, versions={odd: odd})),
        report_of(replace(swept, setups=setups, differences=differences)),
    ):
        assert "<i>" not in page
        assert unescape(page).count(odd) >= 6
        assert not re.search(r"<(?![a-z!/])|&(?![a-z]+;|#\d+;)", page.partition("<body>")[2])


def test_numbers_are_written_with_as_many_digits_as_they_deserve():
    assert [formatted(value, "number") for value in (0.053, 1, 6.78, 72.61, 118.7, 1234.5, -4.2)] == [
        *("0.05", "1", "6.8", "72.6", "119", "1,234", "−4.2")
    ]
    assert formatted(0.4305, "share") == f"43.0{NARROW}%"
    assert formatted(8.35, "minutes") == f"8.3{NARROW}min"
    assert between(Estimate(0, -0.02, 0.05), "share", signs=True) == "−2.0 to +5.0"
    assert between(Estimate(0.965, 0.909, 1.021), "share") == "90.9 to 100.0"
    assert between(Estimate(0.01, -0.02, 0.04), "share") == "0.0 to 4.0"
    assert between(Estimate(0.03, -0.02, 0.07), "number") == "0 to 0.07"
    assert between(Estimate(0.03, -0.02, 0.07), "points") == "−0.02 to 0.07"


# --- the command ------------------------------------------------------------------------------------------------


@pytest.fixture
def study(run):
    """Run `fairdeal study` and return its output, or the line with which it is refused."""

    def running(*arguments, refused=False):
        code, out, err = run("study", *arguments)
        assert (code, err.count("\n")) == ((1, 1) if refused else (0, 0)), err
        assert not (refused and out)
        return err if refused else out

    return running


def test_a_designer_compares_two_recipes(study, tmp_path):
    small = "game = 'chi'\ngames = 60\nwatched = 2\nfollowed = 0\nlevels = 0\n"
    one = recipe(tmp_path, f"{small}title = 'as printed'", "a.toml")
    other = recipe(tmp_path, f"{small}title = 'shorter'\noptions = {{ stacks_to_end = 4 }}", "b.toml")
    page, numbers = tmp_path / "report.html", tmp_path / "numbers.json"
    printed = study("--compare", one, other, "--out", page, "--json", numbers, "--jobs", 1)
    assert printed.startswith("A game takes ")
    assert "as printed" in printed
    assert "shorter" in printed
    assert printed.index("First player wins") < printed.index("Second player wins") < printed.index("Moves")
    found = msgspec.json.decode(numbers.read_bytes(), type=Findings)
    assert printed.splitlines()[0] == found.answer
    assert page.read_text("utf-8") == report_of(found)
    assert found.command == f"fairdeal study --compare {one} {other}"  # what changes no number is left out
    (moves,) = [one for one in found.differences if one.measure == "moves"]
    assert moves.clear
    assert moves.estimate.high < 0


def test_every_game_is_written_as_a_row(study, tmp_path):
    path = recipe(tmp_path, "game = 'chi'\ngames = 30\nwatched = 4\nfollowed = 2\nplayouts = 2\nlevels = 0\n")
    table, numbers = tmp_path / "games.parquet", tmp_path / "numbers.json"
    asked = "--bots", "otto,pip", "--sweep", "players=2", "--sweep", "hand_limit=5,4"
    study(path, *asked, "--parquet", table, "--json", numbers, "--jobs", 1)
    found = msgspec.json.decode(numbers.read_bytes(), type=Findings)
    assert "--parquet" not in found.command
    kept = pq.read_table(table)
    assert json.loads(kept.schema.metadata[b"fairdeal"])["study"]["sweep"] == {"players": [2], "hand_limit": [5, 4]}
    rows = kept.to_pylist()
    assert [(row["table"], row["game"]) for row in rows] == [
        (one.name, game) for one in found.setups for game in range(30)
    ]
    for one in found.setups:
        mine = [row for row in rows if row["table"] == one.name]
        for key in ("moves", "margin", "minutes", "decisions", "turns"):
            known = [row[key] for row in mine if row[key] is not None]
            assert len(known) == {"moves": 30, "margin": 30, "turns": 2}.get(key, 4)
            assert sum(known) / len(known) == pytest.approx(one.measure(key).estimate.value)
        wins = [row["wins"][row["bots"].index("otto")] for row in mine]
        assert sum(wins) / 30 == pytest.approx(one.by_bot[0].wins.value)
        assert {row["places"][row["wins"].index(max(row["wins"]))] for row in mine} == {1}
        assert [row["happened"] is None for row in mine] == [game >= 4 for game in range(30)]
        often = next(thing for thing in one.often if thing.kind == "verb")
        times = [dict(row["happened"]).get(f"verb {often.name}", 0) for row in mine[:4]]
        assert sum(times) / 4 == pytest.approx(often.times.value) != 0


def test_the_command_line_overrides_a_recipe(study, tmp_path):
    path = recipe(tmp_path, "game = 'chi'\ngames = 5000\nwatched = 2\nfollowed = 0\nlevels = 0\n")
    numbers = tmp_path / "numbers.json"
    study(path, "--games", 20, "--sweep", "hand_limit=5,4", "--seed", "word", "--json", numbers)
    found = msgspec.json.decode(numbers.read_bytes(), type=Findings)
    assert [one.options["hand_limit"] for one in found.setups] == [5, 4]
    assert [one.games for one in found.setups] == [20, 20]
    assert found.study.seed == "word"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name a game or a recipe, or two recipes with --compare"),
        (("chess",), "chess"),
        (("nowhere.toml",), "nowhere.toml: No such file"),
        (("chi", "--sweep", "hand_limit"), "a sweep must have the form NAME=A,B,C"),
        (("chi", "--bots", "otto,pip,otto"), "one for each of the 2 seats, not 3"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(study, arguments, says):
    assert says in study(*arguments, refused=True)


def test_without_matplotlib_a_report_says_how_to_install_it_before_anything_is_played(study, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = study("chi", "--out", tmp_path / "report.html", refused=True)
    assert 'python -m pip install ".[study]"' in said
