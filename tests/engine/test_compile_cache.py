"""Compiled rules are kept under a key of all that they depend on: nothing stale is ever run."""

import ast
import inspect
import math
import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.cache import UNSAVED
from fairdeal.engine.compile.compiler import (
    cache_folder,
    called_rules,
    compile_rules,
    compiler_options,
    copy_calling,
    is_rule,
)
from fairdeal.engine.compile.fingerprint import described_rule, global_reads
from fairdeal.engine.kit import chance
from fairdeal.engine.records import i1, i2, pile, record, rule
from fairdeal.games.chi import state as chi


def rules_of(game):
    """The rules that are compiled for a game, each with its options."""
    return compiler_options(compiled.roots_of(game).values(), compiled.contract_of(game))


def folder_of(game):
    return cache_folder(rules_of(game), compiled.contract_of(game), game.state)


def rules_and_calls():
    """Every rule that some game compiles, with the numbers of the rules that it calls."""
    found = {}
    for game in map(fairdeal.find_game, fairdeal.game_names()):
        for function in rules_of(game):
            called = called_rules(function, compiled.contract_of(game))
            found[function] = {name: number for number, name in enumerate(called)}
    return found


def constants_read(function, trees):
    """What a rule reads in its source that is neither a rule nor a module, by names like `CHI` and `chi.CHI`: where it
    is kept, and under which name. Not what the key looks at, which is the bytecode."""
    path = function.__code__.co_filename
    if path not in trees:
        body = ast.parse(Path(path).read_text()).body
        trees[path] = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    found, local = {}, function.__code__.co_varnames
    for node in ast.walk(ast.Module(trees[path][function.__name__].body, [])):
        if isinstance(node, ast.Name) and node.id not in local:
            found[node.id] = function.__globals__, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in local:
            home = function.__globals__.get(node.value.id)
            if inspect.ismodule(home) and home is not np:
                found[f"{node.value.id}.{node.attr}"] = vars(home), node.attr
    return {path: (home, name) for path, (home, name) in found.items() if is_constant(home.get(name))}


def is_constant(value):
    return value is not None and not is_rule(value) and not inspect.ismodule(value)


def another(value):
    """A value of the same kind that differs a little."""
    if isinstance(value, np.ndarray):
        changed = value.copy()
        changed.flat[-1] += 1
        return changed
    assert isinstance(value, int)
    return value + 1


def test_every_constant_that_a_rule_reads_is_in_the_key(monkeypatch):
    trees, names = {}, set()
    for function, called in rules_and_calls().items():
        before = described_rule(function, called)
        for path, (home, name) in constants_read(function, trees).items():
            with monkeypatch.context() as patch:
                patch.setitem(home, name, another(home[name]))
                assert described_rule(function, called) != before, f"{function.__module__}.{function.__name__}: {path}"
            names.add((function.__module__, name))
        assert described_rule(function, called) == before
    assert len({name for _, name in names}) > 270
    assert len(names) > 900


def test_each_game_has_a_folder_that_a_changed_constant_changes(name, monkeypatch):
    game = fairdeal.find_game(name)
    before = folder_of(game)
    assert folder_of(game) == before
    home, constant = next(read for function in rules_of(game) for read in constants_read(function, {}).values())
    monkeypatch.setitem(home, constant, another(home[constant]))
    assert folder_of(game) != before


def test_a_changed_deck_is_dealt_by_both_twins(monkeypatch, tmp_path):
    """Two Chi fewer, in a table that `deal` reads from another module."""
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    fewer = chi.IN_DECK.copy()
    fewer[:, chi.CHI] -= 2
    assert cards_dealt() == (52, 52)
    monkeypatch.setattr(chi, "IN_DECK", fewer)
    assert cards_dealt() == (50, 50)


def cards_dealt():
    """The cards of CHI after its deal, plain and compiled."""
    game = fairdeal.find_game("chi")
    twins = compile_rules("chi", game.state, {"deal": game.rules.deal}, compiled.contract_of(game))
    counts = []
    for deal in (game.rules.deal, twins["deal"]):
        state = fairdeal.load("chi").blank().record
        chance.set_key(state.chance, chance.key_of(1))
        deal(state)
        hands = sum(int(hand.length) for hand in state.hands)
        counts.append(int(state.deck.length) + hands + sum(card >= 0 for card in state.row.tolist()))
    return tuple(counts)


@rule
def sum_of(first, second):
    return first + second


def compiled_sum():
    """`sum_of` compiled, and how often it was loaded from the cache: once, or not at all."""
    twin = compile_rules("no game", record(length=i1), {"sum_of": sum_of}, {})["sum_of"]
    assert twin(2, 3) == 5
    return sum(twin.stats.cache_hits.values())


def test_code_is_loaded_from_its_folder_and_nowhere_else(monkeypatch, tmp_path):
    for place in ("here", "there"):
        monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path / place))
        assert [compiled_sum(), compiled_sum()] == [0, 1]


def test_code_that_cannot_be_saved_is_used_all_the_same(monkeypatch, tmp_path):
    """And is not kept beside the source, where Numba would not see that a constant has changed."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path / "file"))
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match=f"^{UNSAVED}: .*Not a directory"):
            assert compiled_sum() == 0


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_code_that_was_cut_short_is_compiled_again(monkeypatch, tmp_path, suffix):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    assert compiled_sum() == 0
    (path,) = tmp_path.rglob(f"*.{suffix}")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.warns(RuntimeWarning, match="compiled code cannot be read"):
        assert compiled_sum() == 0
    assert compiled_sum() == 1


PRINT_FOLDER = """
from fairdeal.engine.compile import compiled, compiler
from fairdeal.games.chi.game import GAME
bound = compiled.contract_of(GAME)
print(compiler.cache_folder(compiler.compiler_options(compiled.roots_of(GAME).values(), bound), bound, GAME.state))
"""
COMPILE = """
from fairdeal.engine.records import blank_array, chance
from fairdeal.engine.compile import compiler
from fairdeal.engine.kit import chance as rules
roots = {"restart": rules.restart}
twins = compiler.compile_rules("no game", chance, roots, {})
twins["restart"](blank_array(chance, 1)[0])
print(sum(twins["restart"].stats.cache_hits.values()))
"""


def said_by(installation, program):
    told = os.environ | {"PYTHONPATH": str(installation)}
    run = subprocess.run([sys.executable, "-c", program], env=told, capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.fixture
def elsewhere(tmp_path):
    """Another installation of the engine and of CHI."""
    source, copy = Path(fairdeal.__file__).parent, tmp_path / "elsewhere" / "fairdeal"
    for part in ("engine", "games/chi"):
        shutil.copytree(source / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for module in ("__init__.py", "moved.py", "games/__init__.py"):
        shutil.copy(source / module, copy / module)
    return copy.parent


def reword(path):
    """Change comments, docstrings and the numbers of the lines."""
    words = re.sub(r'(""")(?=[A-Z])', r"\1Reworded. ", path.read_text())
    assert words != path.read_text()
    path.write_text(f"# A comment.\n{words}")


def test_another_installation_has_the_same_folder_until_its_rules_differ(elsewhere):
    chi = elsewhere / "fairdeal/games/chi"
    reword(chi / "rules" / "play.py")
    folder = str(folder_of(fairdeal.find_game("chi")))
    assert said_by(elsewhere, PRINT_FOLDER) == folder
    state = (chi / "state.py").read_text()
    (chi / "state.py").write_text(f"{state}\nIN_DECK[:, CHI] -= 2\n")
    assert said_by(elsewhere, PRINT_FOLDER) != folder


def test_another_installation_loads_what_this_one_has_compiled(elsewhere, monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path / "cache"))
    reword(elsewhere / "fairdeal/engine/kit/chance.py")
    here = Path(fairdeal.__file__).parent.parent
    assert [said_by(place, COMPILE) for place in (here, elsewhere)] == ["0", "1"]


COMPILE_ALL = """
from fairdeal.engine.compile import compiled, linking
from fairdeal.games.chi.game import GAME
import fairdeal, fairdeal.games.chi.game as home
made = []
linked = linking.linked
linking.linked = lambda parts: made.append(len(parts)) or linked(parts)
rules = compiled.compiled(GAME).rules
state = fairdeal.load("chi").deal("a key")
print(made, state.legal_actions(state.to_act[0])[:1], home.__file__)
"""


def test_another_installation_loads_a_whole_game(elsewhere):
    """From the cache that all tests share."""
    reword(elsewhere / "fairdeal/games/chi/rules/play.py")
    compiled.compiled(fairdeal.find_game("chi"))
    made, home = said_by(elsewhere, COMPILE_ALL).split("\n")[-1].split(" ", 1)
    assert made == "[]"
    assert home.endswith(str(elsewhere / "fairdeal/games/chi/game.py"))


MOVED = """
from fairdeal.engine.compile import compiler
from fairdeal.engine.records import i1, record
from numba import int64
import importlib, sys
rules = importlib.import_module(sys.argv[1])
twins = compiler.compile_rules("no game", record(length=i1), {"total": rules.total}, {})
steps = []
compiler.compile_together(twins, {"total": (int64, int64)}, steps.append)
print(twins["total"](2, 3), steps)
"""
RULES = """
from fairdeal.engine.records import rule

@rule
def total(first, second):
    return first + second
"""


def test_code_of_a_module_that_was_moved_is_not_loaded(monkeypatch, tmp_path):
    """Saved code imports the modules of its rules by their names."""
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path / "cache"))
    place = tmp_path / "rules"
    place.mkdir()

    def said(module):
        command = [sys.executable, "-W", "error", "-c", MOVED, module]
        told = os.environ | {"PYTHONPATH": str(place)}
        return subprocess.run(command, env=told, capture_output=True, text=True, check=True).stdout.strip()

    (place / "before.py").write_text(RULES)
    assert [said("before"), said("before")] == ["5 ['total', 'linking']", "5 []"]
    (place / "after").mkdir()
    (place / "before.py").rename(place / "after/rules.py")
    shutil.rmtree(place / "__pycache__", ignore_errors=True)
    assert [said("after.rules"), said("after.rules")] == ["5 ['total', 'linking']", "5 []"]


def rule_of(source, **names):
    """The function `score` of some source, marked as a rule, among these globals."""
    scope = {"np": np, "__name__": "some.rules", **names}
    exec(compile(source, "rules.py", "exec"), scope)
    return rule(scope["score"])


def str_of(value):
    """The name of a test: the same in every process."""
    return getattr(value, "__name__", None) or (type(value).__name__ if "at 0x" in repr(value) else str(value))


PLAIN = "def score(state):\n    return state.points + VALUE\n"


def cards(number):
    module = types.ModuleType("cards")
    module.YANG = number
    return module


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1, 2),
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ("red", "blue"),
        ((1, (2, 3)), (1, (2, 4))),
        (np.int8(1), np.int16(1)),
        (np.arange(3), np.arange(3) + 1),
        (np.arange(3, dtype=np.int8), np.arange(3, dtype=np.int16)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.ones((2, 2)), np.asfortranarray(np.ones((2, 2)))),
        (record(length=i1), record(length=i2)),
        (pile(4), pile(5)),
        (len, max),
        (np.int8, np.int16),
        (np.minimum, np.maximum),
        (math.floor, math.ceil),
        (int, bool),
    ],
    ids=str_of,
)
def test_two_values_of_a_constant_have_two_keys(value, other):
    first, again, second = (described_rule(rule_of(PLAIN, VALUE=it), {}) for it in (value, value, other))
    assert first == again
    assert first != second
    assert repr(first) != repr(second)


def test_enumerations_count_by_their_values():
    from enum import Enum, IntEnum

    for kind in (Enum, IntEnum):
        ranks = [kind("Rank", {"ACE": value}) for value in (1, 15)]
        whole = [described_rule(rule_of(PLAIN.replace("VALUE", "VALUE.ACE.value"), VALUE=rank), {}) for rank in ranks]
        member = [described_rule(rule_of(PLAIN, VALUE=rank.ACE), {}) for rank in ranks]
        assert whole[0] != whole[1]
        assert member[0] != member[1]


@pytest.mark.parametrize(
    ("source", "other"),
    [
        ("def score(state):\n    return 3\n", "def score(state):\n    return 4\n"),
        ("def score(state, each=3):\n    return each\n", "def score(state, each=4):\n    return each\n"),
        ("def score(a, b):\n    return a - b\n", "def score(b, a):\n    return a - b\n"),
        (
            "def score(state):\n    return [lambda: VALUE for _ in (1, 2)]\n",
            "def score(state):\n    return [lambda: OTHER for _ in (1, 2)]\n",
        ),
        ("def score(state):\n    return np.int8(1)\n", "def score(state):\n    return np.int16(1)\n"),
        ("def score(state):\n    return state in {1, 2}\n", "def score(state):\n    return state in {1, 3}\n"),
    ],
)
def test_two_codes_have_two_keys(source, other):
    first, second = (described_rule(rule_of(text, VALUE=1, OTHER=2), {}) for text in (source, other))
    assert first != second


def test_a_name_is_followed_through_modules_and_nested_code():
    source = "def score(state):\n    return [[cards.YANG for _ in (1, 2)] for _ in (1, 2)]\n"
    assert ("cards", "YANG") in global_reads(rule_of(source).__code__)
    few, many = (described_rule(rule_of(source, cards=cards(number)), {}) for number in (3, 6))
    assert few != many


def test_a_rule_calls_another_by_the_name_of_its_module(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    home = types.ModuleType("home")
    home.worth = rule_of("def score(card):\n    return card + 1\n")
    caller = rule_of("def score(card):\n    return home.worth(card)\n", home=home)
    assert called_rules(caller, {}) == {"home.worth": home.worth}
    other = copy_calling(caller, {"home.worth": lambda card: card + 5})
    assert (caller(1), other(1), home.worth(1)) == (2, 6, 2)
    (twin,) = compile_rules("some", np.dtype(np.int64), {"score": caller}, {}).values()
    assert twin(1) == 2
    house = types.ModuleType("house")
    house.home = home
    guest = rule_of("def score(card):\n    return house.home.worth(card)\n", house=house)
    with pytest.raises(TypeError, match=r"reads house\.home\.worth, a function without @rule"):
        described_rule(guest, called_rules(guest, {}))
    home.worth = plain_function
    with pytest.raises(TypeError, match=r"reads home\.worth, a function without @rule"):
        described_rule(caller, called_rules(caller, {}))


def test_docstrings_comments_and_lines_are_no_part_of_the_key():
    plain = rule_of(PLAIN, VALUE=1)
    told = rule_of("\n\n# a comment\n" + PLAIN.replace("    return", "    # another\n    return"), VALUE=1)
    assert described_rule(plain, {}) == described_rule(told, {})
    documented = [rule_of(PLAIN.replace("\n    ", f"\n    '''{words}'''\n    "), VALUE=1) for words in ("One.", "Two.")]
    assert documented[0].__doc__ == "One."
    assert described_rule(documented[0], {}) == described_rule(documented[1], {})


def plain_function():
    return 1


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([1, 2], "VALUE, a list"),
        ({1: 2}, "VALUE, a dict"),
        (object(), "VALUE, a object"),
        (plain_function, "VALUE, a function without @rule"),
        (np.array([None]), "VALUE, a ndarray"),
        (np, "VALUE, a module"),
        ((1, [2]), "VALUE, a list"),
    ],
    ids=str_of,
)
def test_a_global_of_an_unknown_kind_is_named(value, what):
    with pytest.raises(TypeError, match=rf"rule some\.rules\.score reads {what}\. A rule may read numbers"):
        described_rule(rule_of(PLAIN, VALUE=value), {})


def test_a_name_that_is_not_there_is_named():
    with pytest.raises(TypeError, match=r"some\.rules\.score reads VALUE, which does not exist"):
        described_rule(rule_of(PLAIN), {})
    with pytest.raises(TypeError, match=r"some\.rules\.score reads np\.YANG, which does not exist"):
        described_rule(rule_of(PLAIN.replace("VALUE", "np.YANG")), {})


def test_a_rule_may_not_read_the_variables_of_an_enclosing_function():
    def make(value):
        return rule(lambda state: state.points + value)

    with pytest.raises(TypeError, match="enclosing function"):
        described_rule(make(3), {})
