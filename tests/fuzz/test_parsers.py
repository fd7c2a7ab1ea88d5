"""Parsers, given noise and nearly valid input: each raises its own error or returns something that works.

The tests of every game do this with moves and positions (`fairdeal.testing.fuzz`).
"""

import contextlib
import random
import re
from dataclasses import replace
from functools import cache

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import fairdeal
from fairdeal.engine.errors import BadCase
from fairdeal.engine.kit import chance
from fairdeal.engine.options import allowed, option_fields, parse_value, part_of, read_options
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.lab.cases import read_cases, run_file
from fairdeal.lab.coverage import case_files
from fairdeal.table.log import Log, Player, read_log
from fairdeal.table.verification import verify
from fairdeal.testing.fuzz import (
    LONG,
    NUMBERS,
    VALUES,
    WORDS,
    check_position,
    check_words,
    fuzz,
    mutated_text,
    mutated_tree,
)
from fairdeal.testing.kit import states_of
from fairdeal.testing.play import play_at_random
from tests.conftest import SHORT
from tests.table.sittings import finished
from tests.table.test_log_and_verification import marked_anew

# --- material -------------------------------------------------------------------------------------------------------


CASE_FILE = """
game: chi
cases:
- id: a
  clauses: []
  options: {}
  deal: 1
  steps:
  - {over: false}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "case.yaml"


@cache
def finished_text(name):
    """Return the log of a short finished game."""
    return finished(name, ("random", "greedy"), "0", **SHORT.get(name, {})).log.text()


# --- options --------------------------------------------------------------------------------------------------------


def allowed_values(field):
    """Return strategies for values that an option takes, and for values that are near its description."""
    words = re.findall(r"\w+", allowed(field.type))
    numbers = [int(word) + change for word in words if word.isdecimal() for change in (-2, -1, 0, 1, 2)]
    likely = [*words, *numbers, 2, 3, True, False, [0, 1], [3, 2], [200, 0]]
    right = []
    for value in likely:
        with contextlib.suppress(msgspec.ValidationError):
            msgspec.convert(value, field.type)
            right.append(value)
    return st.sampled_from(right), st.sampled_from(likely)


@st.composite
def some_options(draw, name):
    """Draw options of a game, of which usually each one alone is allowed, but not all combinations."""
    fields = option_fields(fairdeal.find_game(name).options)
    fields = {option: field for option, field in fields.items() if not part_of(field.type)}
    odd = draw(st.integers(0, 9))  # from 0 to 2, one of them has a wrong value or an unknown name
    given = {}
    for option in draw(st.lists(st.sampled_from(sorted(fields)), max_size=5, unique=True)):
        right, likely = allowed_values(fields[option])
        given[option] = draw(likely if odd == 0 else VALUES if odd == 1 and len(given) == 0 else right)
    if odd == 2:
        given[draw(WORDS | st.sampled_from(sorted(fields)).flatmap(mutated_text))] = draw(VALUES)
    return given


def check_table(table):
    """Check that a table deals, and that its position opens an equal table."""
    state = table.deal(1)
    assert state.to_act
    assert [seat for seat in state.to_act if not state.legal_actions(seat)] == [], "seats without a legal action"
    play_at_random(state, random.Random(1))
    position = state.position()
    again = fairdeal.load(position["game"], **position["options"])
    assert again.options == table.options
    assert again.deal(1) == table.deal(1)


@fuzz(100)
@given(st.data())
def test_any_options_open_a_table_or_are_refused(name, data):
    given = data.draw(some_options(name))
    given.pop("preset", None)  # an argument of `load` itself
    try:
        table = fairdeal.load(name, **given)
    except fairdeal.BadOption as problem:
        check_words(problem)
        return
    check_table(table)


@pytest.mark.parametrize("options", [{"name": "x"}, {"preset": ["x"]}], ids=["name", "preset"])
def test_an_option_called_like_an_argument_of_load_is_refused(path, options):
    path.write_text(CASE_FILE.replace("options: {}", f"options: {options}"))
    (outcome,) = run_file(path)
    assert "option" in outcome.problem
    with pytest.raises(fairdeal.BadLog):
        verify(replace(read_log(finished_text("chi")), options=options).text())


@fuzz(100)
@given(st.data())
def test_options_whose_names_are_no_words_are_refused(data):
    odd = data.draw(st.none() | st.booleans() | NUMBERS | st.floats() | st.tuples(NUMBERS) | st.binary(max_size=3))
    with pytest.raises(fairdeal.BadOption):
        read_options(fairdeal.find_game("chi").options, {odd: data.draw(VALUES)})


@fuzz(100)
@given(st.text(st.characters(), max_size=40))
def test_any_name_of_a_game_is_known_or_refused(text):
    try:
        assert fairdeal.load(text).game.name == text
    except fairdeal.UnknownGame as problem:
        check_words(problem)


@fuzz(150)
@given(st.text(st.characters(), max_size=40) | st.text('[]{}",:-+.0123456789eEnulltruefalse \\u', max_size=30))
def test_any_text_typed_for_a_value_is_json_or_a_word(text):
    value = parse_value(text)
    assert value is None or isinstance(value, bool | int | float | str | list | dict)
    if isinstance(value, str) and not text.lstrip().startswith('"'):
        assert value == text


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000, LONG, "\udcff", '"\ud800"']
)
def test_a_value_that_json_chokes_on_is_a_word(text):
    assert parse_value(text) == text


@fuzz(60)
@given(st.data())
def test_any_option_typed_on_a_command_line_opens_a_table_or_is_refused(name_of_a_kind, data):
    fields = option_fields(fairdeal.find_game(name_of_a_kind).options)
    option = data.draw(st.sampled_from(sorted(fields)))
    text = data.draw(st.text(st.characters(), max_size=20) | allowed_values(fields[option])[1].map(str))
    with contextlib.suppress(fairdeal.BadOption):
        check_table(fairdeal.load(name_of_a_kind, **{option: parse_value(text)}))


# --- positions ------------------------------------------------------------------------------------------------------


@fuzz(60)
@given(st.data())
def test_any_options_of_a_position_set_up_or_are_refused(name_of_a_kind, data):
    state = data.draw(st.sampled_from(states_of(name_of_a_kind)))
    options = data.draw(some_options(name_of_a_kind) | st.dictionaries(NUMBERS | WORDS, VALUES, max_size=2) | VALUES)
    check_position(state.table, state.position() | {"options": options}, random.Random(1))


# --- logs -----------------------------------------------------------------------------------------------------------


def check_log(text):
    """Check that a log is refused at one of its lines, or can be written and read again."""
    try:
        log, checked = verify(text)
    except fairdeal.BadLog as problem:
        check_words(problem, text)
        return
    assert checked
    assert read_log(log.text()).text() == log.text()


@st.composite
def altered_lines(draw, lines):
    """Draw lines of which one is altered, deleted, swapped, doubled or inserted, or the last one; and its number."""
    lines = list(lines)
    ends = st.integers(0, min(12, len(lines) - 1)) | st.integers(max(0, len(lines) - 4), len(lines) - 1)
    line = draw(ends | st.integers(0, len(lines) - 1))
    other = draw(ends | st.integers(0, len(lines) - 1))
    kind = draw(st.sampled_from(["alter", "alter", "delete", "swap", "double", "copy", "cut"]))
    if kind == "alter":
        lines[line] = draw(mutated_text(lines[line]))
    elif kind == "delete":
        del lines[line]
    elif kind == "swap":
        lines[line], lines[other] = lines[other], lines[line]
        line = min(line, other)
    elif kind == "double":
        lines.insert(line, lines[line])
        line += 1
    elif kind == "copy":
        lines.insert(line, draw(WORDS))
    else:
        del lines[line:]
    return lines, line


@fuzz(150)
@given(st.data())
def test_a_log_with_one_line_altered_is_refused_at_that_line_at_the_latest(name_of_a_kind, data):
    text = finished_text(name_of_a_kind)
    lines, line = data.draw(altered_lines(text.splitlines()))
    altered = "\n".join(lines)
    try:
        verify(altered)
    except fairdeal.BadLog as problem:
        # where a line was cut in two or more, its first part may still be right
        check_words(problem, altered, line + 1, line + 1 + len(altered.splitlines()) - len(lines))
    else:
        assert read_log(altered).text() == text, "only spaces may differ"


@fuzz(100)
@given(st.data())
def test_a_log_with_one_line_altered_and_fresh_marks_is_refused_or_as_good(name_of_a_kind, data):
    lines = [re.sub(r" +#[0-9a-f]{8}$", "", line) for line in finished_text(name_of_a_kind).splitlines()]
    altered, _ = data.draw(altered_lines(lines))
    if altered:
        check_log(marked_anew(altered))


@fuzz(60)
@given(st.data())
def test_a_log_whose_options_are_anything_is_refused_or_as_good(name_of_a_kind, data):
    options = data.draw(some_options(name_of_a_kind))
    log = replace(read_log(finished_text(name_of_a_kind)), options=options)
    try:
        text = log.text()
    except UnicodeEncodeError:  # a lone surrogate cannot be written
        return
    check_log(text)


BEGUN = st.sampled_from(["", "fairdeal log 3", "fairdeal log 2", "fairdeal log 1\n"])
LINES = st.lists(st.text(st.characters(), max_size=40), max_size=6)


@fuzz(160)
@given(
    st.tuples(BEGUN, st.text(st.characters(), max_size=100)).map("".join)
    | LINES.map(lambda lines: marked_anew(["fairdeal log 3", *lines]))
)
def test_arbitrary_text_is_not_a_log(text):
    with pytest.raises(fairdeal.BadLog) as problem:
        verify(text)
    assert 1 <= problem.value.line <= max(1, len(text.splitlines()))


@pytest.mark.parametrize("pattern", [r"^1 seat \d", r"^(1) ", r"^seat 0 ", r"^rules \d+", r"^result \[\d+"])
def test_a_number_of_any_length_in_a_log_is_refused(name_of_a_kind, pattern):
    lines = finished_text(name_of_a_kind).splitlines()
    line = next(number for number, text in enumerate(lines) if re.search(pattern, text))
    lines[line] = re.sub(r"\d+", LONG, lines[line], count=1)
    if pattern == r"^1 seat \d":
        lines[line] = re.sub(r"^\d+ seat \d", f"1 seat {LONG}", lines[line])
    with pytest.raises(fairdeal.BadLog) as problem:
        verify(marked_anew(lines))
    assert problem.value.line == line + 1


@fuzz(100)
@given(st.text(max_size=30), st.sampled_from([*'\x85\u2028\u2029\x0b\x0c\x1c\x1d\x1e\r\n#"\\ ', " #00000000"]))
def test_any_name_of_a_player_reads_back_from_the_log(text, special):
    player = Player(text + special + text, "person", "00" * 16)
    log = Log("some-game", 1, {"players": 1}, (player,), "00" * 32)
    assert read_log(log.text()).players == (player,)


# --- case files -----------------------------------------------------------------------------------------------------


@cache
def worked_cases(name):
    """Return every case of a game as a file of its own, in plain values."""
    found = []
    for path in case_files(fairdeal.find_game(name)):
        whole = yaml.safe_load(path.read_text("utf-8"))
        found += [whole | {"cases": [case]} for case in whole["cases"]]
    return found


def check_case_file(path):
    """Check that a case file is refused, or that each of its cases passes or fails with a message."""
    try:
        outcomes = list(run_file(path))
    except BadCase as problem:
        check_words(problem)
        return
    assert [outcome.case for outcome in outcomes] == [case.id for case in read_cases(path).cases]
    assert [outcome for outcome in outcomes if not isinstance(outcome.problem, str)] == []


@fuzz(80)
@given(st.data())
def test_a_nearly_right_case_comes_out_or_is_refused(name_of_a_kind, path, data):
    altered = data.draw(mutated_tree(data.draw(st.sampled_from(worked_cases(name_of_a_kind))), most=2))
    path.write_text(yaml.safe_dump(altered, sort_keys=False), "utf-8")
    check_case_file(path)


@fuzz(100)
@given(st.data())
def test_the_text_of_a_case_altered_anywhere_comes_out_or_is_refused(name_with_drafts, path, data):
    text = yaml.safe_dump(data.draw(st.sampled_from(worked_cases(name_with_drafts))), sort_keys=False)
    path.write_bytes(data.draw(mutated_text(text)).encode("utf-8", "surrogatepass"))
    check_case_file(path)


ODD_YAML = [
    "2001-99-99",
    "!!timestamp x",
    "!!int ''",
    "!!int x",
    "!!float x",
    "!!bool x",
    "!!binary x",
    "!!python/object:os.system x",
    "&a [*a]",
    "&a {x: *a}",
    "{[1]: 2}",
    "{{}: 2}",
    "? ",
    ".nan",
    ".inf",
    "0x",
    "190:20:30",
    "1_000",
    '"\\ud800"',
    "\\x00",
    "!!set {a, b}",
    "{1: 2}",
    "[" * 600,
    LONG,
    "{<<: 3}",
    "{<<: {players: 3}}",
    "2001-01-01",
]
"""Texts that are difficult for YAML libraries."""


@fuzz(160)
@given(
    st.text(st.characters(), max_size=60)
    | st.lists(st.sampled_from(ODD_YAML), max_size=3).map("\n".join)
    | st.binary(max_size=40)
)
def test_any_text_or_bytes_are_no_case_file(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    with pytest.raises(BadCase):
        list(run_file(path))


ODD_PLACES = [
    ("game: chi", "game: ODD"),
    ("id: a", "id: ODD"),
    ("options: {}", "options: ODD"),
    ("options: {}", "options: {players: ODD}"),
    ("deal: 1", "deal: ODD"),
    ("deal: 1", "position: ODD"),
    ("deal: 1", "position: {turn: ODD}"),
    ("{over: false}", "ODD"),
    ("{over: false}", "{play: ODD}"),
]
"""Parts of `CASE_FILE`, and odd ones in their place."""


@pytest.mark.parametrize(("part", "odd_part"), ODD_PLACES)
def test_odd_yaml_anywhere_in_a_case_file_comes_out_or_is_refused(path, part, odd_part):
    for odd in ODD_YAML:
        path.write_text(CASE_FILE.replace(part, odd_part.replace("ODD", odd)))
        check_case_file(path)


@pytest.mark.parametrize(
    "text", [f"hands[{LONG}]", "hands[0][0][0]", "turn[0]", "phase[0]", "count(" * 2000 + "hands" + ")" * 2000]
)
def test_a_path_of_any_length_fails_the_step(path, text):
    path.write_text(CASE_FILE.replace("{over: false}", f"{{expect: {{? '{text}' : 1}}}}"))
    (outcome,) = run_file(path)
    assert outcome.problem


# --- chance ---------------------------------------------------------------------------------------------------------


def test_a_position_deals_its_unknown_cards_from_the_seed(name):
    state = states_of(name)[0]
    seen = state.view(SPECTATOR).position()
    source, dealt = new(chance_record), state.table.setup(seen, seed=3).position()
    chance.set_key(source, chance.key_of(3))
    assert dealt == state.table.setup(seen, seed="3").position() == state.view(SPECTATOR).resample(source).position()
