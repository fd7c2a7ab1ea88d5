"""Compiled rules are saved under a key of everything that they depend on, so stale code never runs."""

import ast
import importlib
import inspect
import math
import os
import pickle
import re
import shutil
import subprocess
import sys
import types
from enum import Enum, IntEnum
from pathlib import Path

import numpy as np
import pytest
from numba import int64

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.compiler import (
    called_rules,
    compile_rules,
    compile_together,
    compiler_options,
    copy_calling,
    is_rule,
)
from fairdeal.engine.compile.fingerprint import described_rule, global_reads
from fairdeal.engine.kit import piles
from fairdeal.engine.records import i1, i2, pile, record, rule
from fairdeal.games.chi import state as chi


def constants_read(function, trees):
    """Return the constants that a rule reads in its source, by names like `CHI` and `chi.CHI`: their namespace, and
    their name there. The key follows the bytecode instead."""
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
    return {
        path: (home, name)
        for path, (home, name) in found.items()
        if name in home and not is_rule(home[name]) and not inspect.ismodule(home[name])
    }


def another(value):
    """A value of the same kind that differs a little."""
    if isinstance(value, np.ndarray):
        changed = value.copy()
        changed.flat[-1] += 1
        return changed
    assert isinstance(value, int)
    return value + 1


def test_every_constant_that_a_rule_reads_is_in_the_key(monkeypatch):
    trees, names, contracts = {}, set(), {}
    for game in map(fairdeal.find_game, fairdeal.game_names()):
        contract = compiled.contract_of(game)
        contracts |= dict.fromkeys(
            compiler_options([*compiled.first_of(game).values(), *compiled.drivers_of().values()], contract), contract
        )
    for function, contract in contracts.items():
        called = {name: number for number, name in enumerate(called_rules(function, contract))}
        before = described_rule(function, called)
        for path, (home, name) in constants_read(function, trees).items():
            with monkeypatch.context() as patch:
                patch.setitem(home, name, another(home[name]))
                assert described_rule(function, called) != before, f"{function.__module__}.{function.__name__}: {path}"
            names.add((function.__module__, name))
        assert described_rule(function, called) == before
    assert len({name for _, name in names}) > 270
    assert len(names) > 900


@rule
def deck_of_chi(cards):
    return piles.spread(chi.IN_DECK[0], cards)


def test_plain_and_compiled_rules_read_a_changed_deck(monkeypatch, tmp_path):
    """The table of another module has two Chi fewer."""
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    fewer = chi.IN_DECK.copy()
    fewer[:, chi.CHI] -= 2
    cards = np.zeros(60, np.int8)
    for number, deck in ((52, chi.IN_DECK), (50, fewer)):
        monkeypatch.setattr(chi, "IN_DECK", deck)
        twin = compile_rules("no game", record(length=i1), {"deck": deck_of_chi}, {})["deck"]
        assert (deck_of_chi(cards), twin(cards)) == (number, number)


def reword(path):
    """Change comments, docstrings and the numbers of the lines."""
    words = re.sub(r'(""")(?=[A-Z])', r"\1Reworded. ", path.read_text())
    assert words != path.read_text()
    path.write_text(f"# A comment.\n{words}")


LOAD_CHI = """
from fairdeal.engine.compile import compiled, linking
from fairdeal.games.chi.game import GAME
import fairdeal, fairdeal.games.chi.game as home
made = []
linked = linking.linked
linking.linked = lambda parts, **how: made.append(len(parts)) or linked(parts, **how)
rules = compiled.compiled(GAME).rules
state = fairdeal.load("chi").deal("a key")
print(made, state.legal_actions(state.to_act[0])[:1], home.__file__)
"""


def test_an_installation_elsewhere_with_other_comments_loads_the_code_of_a_whole_game(tmp_path):
    source, copy = Path(fairdeal.__file__).parent, tmp_path / "elsewhere" / "fairdeal"
    for part in ("engine", "games/chi"):
        shutil.copytree(source / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for module in ("__init__.py", "games/__init__.py"):
        shutil.copy(source / module, copy / module)
    reword(copy / "games/chi/rules/play.py")
    compiled.compiled(fairdeal.find_game("chi"))  # in the cache that all tests share
    command, path = [sys.executable, "-W", "error", "-c", LOAD_CHI], {"PYTHONPATH": str(copy.parent)}
    run = subprocess.run(command, env=os.environ | path, capture_output=True, text=True, check=True)
    made, home = run.stdout.splitlines()[-1].split(" ", 1)
    assert made == "[]"
    assert home.endswith(str(copy / "games/chi/game.py"))


RULES = """
from fairdeal.engine.records import rule

@rule
def total(first, second):
    return first + second
"""


def test_code_of_a_module_that_was_moved_is_not_loaded(monkeypatch, tmp_path):
    """Saved code imports the modules of its rules by their names."""
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    for place in ("place_before", "place_after"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "rules.py").write_text(RULES)
        total = importlib.import_module(f"{place}.rules").total
        for steps in (["total", "linking"], []):
            twins, done = compile_rules("no game", record(length=i1), {"total": total}, {}), []
            compile_together(twins, {"total": (int64, int64)}, done.append)
            assert (twins["total"](2, 3), done) == (5, steps)


def rule_of(source, **names):
    """Return the function `score` of a source, marked as a rule, with these globals."""
    scope = {"np": np, "__name__": "some.rules", **names}
    exec(compile(source, "rules.py", "exec"), scope)
    return rule(scope["score"])


def str_of(value):
    """The name of a test: the same in every process."""
    return getattr(value, "__name__", None) or (type(value).__name__ if "at 0x" in repr(value) else str(value))


PLAIN = "def score(state):\n    return state.points + VALUE\n"


RANKS = [kind("Rank", {"ACE": ace}) for kind in (Enum, IntEnum) for ace in (1, 15)]


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
        RANKS[:2],
        RANKS[2:],
        (RANKS[0].ACE, RANKS[1].ACE),
        (RANKS[2].ACE, RANKS[3].ACE),
    ],
    ids=str_of,
)
def test_two_values_of_a_constant_have_two_keys(value, other):
    first, again, second = (described_rule(rule_of(PLAIN, VALUE=it), {}) for it in (value, value, other))
    assert first == again
    assert first != second
    assert repr(first) != repr(second)


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
    cards = types.ModuleType("cards")
    descriptions = []
    for number in (3, 6):
        cards.YANG = number
        descriptions.append(described_rule(rule_of(source, cards=cards), {}))
    assert descriptions[0] != descriptions[1]


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


def test_docstrings_comments_and_line_numbers_are_not_part_of_the_key():
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


@pytest.mark.parametrize("missing", ["VALUE", "np.YANG"])
def test_a_missing_name_is_named(missing):
    with pytest.raises(TypeError, match=rf"some\.rules\.score reads {missing}, which does not exist"):
        described_rule(rule_of(PLAIN.replace("VALUE", missing)), {})


def test_a_rule_may_not_read_the_variables_of_an_enclosing_function():
    def make(value):
        return rule(lambda state: state.points + value)

    with pytest.raises(TypeError, match="enclosing function"):
        described_rule(make(3), {})


# --- whose code it is -------------------------------------------------------------------------------------------


class Payload:
    """Something that leaves a file behind if it is unpickled."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return Path.touch, (self.file,)


def score_of(tmp_path, monkeypatch, place="cache"):
    """Compile a rule, or load it from a cache, and return its answer."""
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path / place))
    caller = rule_of("def score(card):\n    return card + 1\n")
    (twin,) = compile_rules("some", np.dtype(np.int64), {"score": caller}, {}).values()
    return twin(1)


def check_is_not_read(tmp_path, monkeypatch, executed):
    """Check that rules work, but warn of a cache that others can write, and carry out nothing that is in it."""
    with pytest.warns(RuntimeWarning, match="is not yours alone, so it is not read"):
        assert score_of(tmp_path, monkeypatch) == 2
    assert not executed.exists()


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Returns a function that fills the caches of `score_of` with code of somebody else; it returns the cache, and the
    file that the code makes."""

    def plant():
        assert score_of(tmp_path, monkeypatch) == 2
        payload = pickle.dumps(Payload(tmp_path / "executed"))
        found = [*(tmp_path / "cache").rglob("*.nb?")]
        assert found
        for file in found:
            file.write_bytes(payload)
        return tmp_path / "cache" / "compiled", tmp_path / "executed"

    return plant


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@posix_only
def test_a_cache_is_made_for_its_user_only_and_an_older_one_is_closed(tmp_path, monkeypatch):
    assert score_of(tmp_path, monkeypatch) == 2
    root = tmp_path / "cache" / "compiled"
    (folder,) = root.iterdir()
    assert {place.stat().st_mode & 0o777 for place in (root, folder)} == {0o700}
    saved = {file: file.stat().st_mtime_ns for file in folder.iterdir() if file.suffix != ".lock"}
    assert saved
    for place in (root, folder):
        place.chmod(0o755)
    assert score_of(tmp_path, monkeypatch) == 2
    assert {place.stat().st_mode & 0o777 for place in (root, folder)} == {0o700}
    assert {file: file.stat().st_mtime_ns for file in saved} == saved


@posix_only
@pytest.mark.parametrize("mode", [0o720, 0o702, 0o1777])
@pytest.mark.parametrize("inner", [False, True], ids=["the cache", "a folder of it"])
def test_code_in_a_folder_that_others_could_change_is_deleted(tmp_path, monkeypatch, planted, mode, inner):
    root, executed = planted()
    place = next(root.iterdir()) if inner else root
    (place / "link").symlink_to(tmp_path)
    place.chmod(mode)
    assert score_of(tmp_path, monkeypatch) == 2
    assert not executed.exists()
    assert place.stat().st_mode & 0o7777 == 0o700
    assert not (place / "link").is_symlink()
    assert tmp_path.is_dir()
    assert score_of(tmp_path, monkeypatch) == 2, "it is a cache again"


@posix_only
@pytest.mark.parametrize("inner", [False, True], ids=["the cache", "a folder of it"])
def test_a_cache_behind_a_link_is_neither_read_nor_changed(tmp_path, monkeypatch, planted, inner):
    root, executed = planted()
    place = next(root.iterdir()) if inner else root
    elsewhere = place.rename(tmp_path / "elsewhere")
    elsewhere.chmod(0o775)
    place.symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    check_is_not_read(tmp_path, monkeypatch, executed)
    assert sorted(elsewhere.rglob("*")) == before
    assert elsewhere.stat().st_mode & 0o777 == 0o775


@posix_only
def test_a_cache_that_cannot_be_emptied_is_not_read(tmp_path, monkeypatch, planted):
    root, executed = planted()
    root.chmod(0o777)

    def refuse(*_):
        raise PermissionError("a folder of somebody else")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", refuse)
        check_is_not_read(tmp_path, monkeypatch, executed)
    assert score_of(tmp_path, monkeypatch) == 2
    assert not executed.exists(), "nor is it by the next process"


@posix_only
def test_code_in_a_folder_of_somebody_else_is_not_read(tmp_path, monkeypatch, planted):
    _, executed = planted()
    user = os.geteuid() + 1
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: user)
        check_is_not_read(tmp_path, monkeypatch, executed)
    assert score_of(tmp_path, monkeypatch) == 2
    assert executed.exists(), "code that this user may have saved is trusted"
