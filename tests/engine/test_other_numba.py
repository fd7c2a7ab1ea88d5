"""A Numba whose private parts are missing or have changed compiles by its own methods: same results, one warning."""

import ast
import inspect
import pkgutil
import sys
import warnings

import numpy as np
import pytest
from numba import TypingError, int64, types
from numba.core.dispatcher import Dispatcher

from fairdeal.engine.compile import cache as code_cache
from fairdeal.engine.compile import compiled as engine_compiled
from fairdeal.engine.compile import compiler, linking
from fairdeal.engine.compile.compiler import compile_rules, compile_together
from fairdeal.engine.records import i1, record, rule
from fairdeal.engine.registry import find_game
from tests.engine.test_linking import left_to_numba  # noqa: F401

LAYOUT = record(length=i1)
NEEDED = [f"{path}.{name}" for path, names in linking.NEEDED.items() for name in names.split()]
OF_OBJECTS = [
    "core.codegen.CodeLibrary._codegen",
    "core.codegen.CodeLibrary._finalized",
    "core.codegen.CodeLibrary._linking_libraries",
    "core.codegen.CodeLibrary._reload_init",
    "core.codegen.CPUCodeLibrary._final_module",
    "core.codegen.CPUCodegen._data_layout",
    "core.compiler_machinery.PassManager._analysis",
    "core.dispatcher.Dispatcher._cache",
    "core.dispatcher.Dispatcher._compiler",
    "core.types.functions.BaseFunction._impl_keys",
]
"""Attributes that objects have, and their classes do not."""

AT_FIRST_CALL = [
    "core.codegen.CodeLibrary._linking_libraries",
    "core.codegen.CPUCodegen._data_layout",
    "core.dispatcher.Dispatcher._cache",
    "core.types.functions.BaseFunction._impl_keys",
]
"""One attribute for each step: caching, typing, lowering and linking."""

CALLED = [
    "core.cpu.CPUContext.get_executable",
    "core.caching.CacheImpl.get_filename_base",
    "core.caching.FunctionCache.save_overload",
    "core.caching.FunctionCache.load_overload",
    "core.codegen.JITCodeLibrary._finalize_final_module",
    "core.compiler.CompilerBase._compile_core",
    "core.dispatcher._FunctionCompiler.fold_argument_types",
    "core.typed_passes.NativeLowering.run_pass",
    "core.types.functions.BaseFunction.get_impl_key",
]
"""Methods that fairdeal calls whenever it compiles, for each step and for saving and loading code."""

pytestmark = pytest.mark.usefixtures("left_to_numba")


MORE = 1


@rule
def square(card):
    return card * card + MORE


@rule
def score(cards):
    return 3 * square(cards[0]) - square(cards[1]) - square(cards[1])


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    return tmp_path


class Hidden:
    """An attribute of a class of Numba, or of its objects, that Numba itself finds and fairdeal does not.

    If it is `called`, fairdeal finds it too, but it takes other arguments.
    """

    def __init__(self, home, name, called):
        self.name, self.called, self.met = name, called, 0
        self.held = inspect.getattr_static(home, name, None)

    def is_met(self, frame):
        is_ours = frame.f_globals["__name__"].startswith("fairdeal.")
        self.met += is_ours
        return is_ours

    def __get__(self, one, kind=None):
        is_ours = self.is_met(sys._getframe(1))
        if is_ours and not self.called:
            raise AttributeError(f"no {self.name}")
        if one is not None and self.name in vars_of(one):
            return vars_of(one)[self.name]
        if self.held is None:
            raise AttributeError(f"no {self.name} yet")
        if is_ours:
            return self.take_other_arguments
        return self.held.__get__(one, kind) if hasattr(self.held, "__get__") else self.held

    def __set__(self, one, value):
        if self.is_met(sys._getframe(1)) and not self.called:
            raise AttributeError(f"no {self.name}")
        vars_of(one)[self.name] = value

    def take_other_arguments(self, *_, **__):
        raise TypeError(f"{self.name} takes other arguments")


def vars_of(one):
    return getattr(one, "__dict__", {})


def hide(monkeypatch, path, called=False):
    """Hide an attribute of a class of Numba from fairdeal, and return the `Hidden` attribute."""
    home, _, name = path.rpartition(".")
    home = pkgutil.resolve_name(f"numba.{home}")
    hidden = Hidden(home, name, called)
    monkeypatch.setattr(home, name, hidden, raising=False)
    return hidden


def compiled(first_call=False):
    """Return the result of compiled rules, and the warnings that there were."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        twins = compile_rules("no game", LAYOUT, {"score": score}, {})
        if not first_call:
            compile_together(twins, {"score": (int64[::1],)}, lambda name: None)
        result = twins["score"](np.array([3, 2]))
    return result, [str(warning.message) for warning in given]


PLAIN = score([3, 2])
WARNING = "rules are compiled one by one, which takes two to four times as long: this Numba is not supported, "


def test_a_numba_as_it_is_needed_links():
    assert compiled() == (PLAIN, [])
    assert not linking.is_left_to_numba()


@pytest.mark.parametrize("needed", NEEDED)
def test_rules_are_left_to_a_numba_that_lacks_something_needed(monkeypatch, needed):
    home, _, name = needed.rpartition(".")
    with monkeypatch.context() as patch:
        if inspect.ismodule(pkgutil.resolve_name(f"numba.{home}")):
            patch.delattr(f"numba.{needed}")
        else:
            hide(patch, needed)
        with pytest.warns(RuntimeWarning, match=f"{WARNING}AttributeError: .*{name}"):
            assert linking.parts() is None
    assert linking.parts() is None


def test_rules_are_compiled_and_cached_by_a_numba_that_lacks_something_needed(monkeypatch, cache):
    hide(monkeypatch, "core.codegen.JITCodeLibrary._finalize_final_module")
    result, given = compiled()
    assert (result, len(given)) == (PLAIN, 1)
    assert len(list(cache.rglob("*.nbc"))) == 1
    for constant, loaded in ((1, 1), (2, 0), (1, 1)):
        monkeypatch.setattr(sys.modules[__name__], "MORE", constant)
        score_now = compile_rules("no game", LAYOUT, {"score": score}, {})["score"]
        assert score_now(np.array([3, 2])) == score([3, 2]) == PLAIN + (constant - 1)
        assert sum(score_now.stats.cache_hits.values()) == loaded


@pytest.mark.parametrize(
    ("path", "first_call"),
    [*((path, False) for path in OF_OBJECTS), *((path, True) for path in AT_FIRST_CALL)],
)
def test_rules_do_without_an_attribute_that_is_missing_when_they_are_compiled(monkeypatch, cache, path, first_call):
    hidden = hide(monkeypatch, path)
    assert compiled(first_call) == (PLAIN, [f"{WARNING}AttributeError: no {hidden.name}"])
    assert hidden.met
    assert linking.parts() is None
    assert list(cache.rglob("*.nbc"))
    assert compiled(first_call) == (PLAIN, [])


@pytest.mark.parametrize("path", CALLED)
def test_rules_do_without_a_method_that_takes_other_arguments(monkeypatch, path):
    hidden = hide(monkeypatch, path, called=True)
    assert compiled() == (PLAIN, [f"{WARNING}TypeError: {hidden.name} takes other arguments"])
    assert hidden.met


@pytest.mark.parametrize(
    "path", ["core.codegen.JITCPUCodegen.unserialize_library", "core.cpu.CPUContext.get_executable"]
)
def test_saved_code_that_cannot_be_made_ready_is_compiled_again(monkeypatch, path):
    assert compiled() == (PLAIN, [])
    hidden = hide(monkeypatch, path, called=True)
    result, given = compiled()
    assert result == PLAIN
    assert hidden.met
    assert given[0].startswith("compiled code cannot be read: ")
    assert len(given) <= 2


@pytest.mark.parametrize("saved", [1, 0])
def test_rules_that_cannot_be_cached_are_compiled_anyway(monkeypatch, cache, saved):
    def broken(*_, **__):
        raise RuntimeError("no cache")

    monkeypatch.setattr(code_cache, "cache_in", broken)
    expected = [f"{WARNING}RuntimeError: no cache"]
    if not saved:
        monkeypatch.setattr(Dispatcher, "enable_caching", broken)
        expected.insert(0, f"{code_cache.UNSAVED}: no cache")
    assert compiled() == (PLAIN, expected)
    assert len(list(cache.rglob("*.nbc"))) == saved


def test_an_error_of_a_rule_is_raised_and_leaves_linking_on():
    twins = compile_rules("no game", LAYOUT, {"score": score}, {})
    with pytest.raises(TypingError):
        compile_together(twins, {"score": (types.none,)}, lambda name: None)
    assert linking.parts()
    assert compiled() == (PLAIN, [])


def test_every_private_name_that_fairdeal_uses_is_hidden_by_a_test_here():
    used = {
        node.attr
        for module in (linking, code_cache, compiler)
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
    }
    assert len(used) > 15
    hidden = {path.rpartition(".")[2] for path in (*NEEDED, *OF_OBJECTS)}
    assert used - hidden == {"_replace"}, "which named tuples promise to keep"


def test_progress_stays_within_its_steps_if_rules_are_compiled_again(monkeypatch):
    steps = []
    monkeypatch.setattr(engine_compiled, "compile_rules", lambda name, layout, roots, *_: dict.fromkeys(roots))
    monkeypatch.setattr(
        engine_compiled, "compile_together", lambda _, __, progress: [progress("a rule") for _ in range(15)]
    )
    engine_compiled.compile_engine(find_game("chi"), lambda *step: steps.append(step))
    assert len(steps) == 16
    assert steps[-1] == (8, 8, "ready")
    assert [done for done, *_ in steps] == sorted(done for done, *_ in steps)
