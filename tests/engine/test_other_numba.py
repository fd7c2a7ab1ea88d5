"""A Numba whose private parts are missing or work otherwise compiles in its own way: same results, one warning."""

import ast
import inspect
import pkgutil
import sys
import warnings

import numpy as np
import pytest

from fairdeal.engine.compile import cache as code_cache
from fairdeal.engine.compile import compiled as engine_compiled
from fairdeal.engine.compile import compiler, linking
from fairdeal.engine.compile.compiler import compile_rules, compile_together
from fairdeal.engine.records import i1, record, rule
from fairdeal.engine.registry import find_game
from tests.engine.test_linking import left_to_numba  # noqa: F401

LAYOUT = record(length=i1)
NEEDED = [(path, name) for path, names in linking.NEEDED.items() for name in names.split()]
OF_OBJECTS = [
    ("core.codegen.CodeLibrary", "_codegen"),
    ("core.codegen.CodeLibrary", "_finalized"),
    ("core.codegen.CodeLibrary", "_linking_libraries"),
    ("core.codegen.CodeLibrary", "_reload_init"),
    ("core.codegen.CPUCodeLibrary", "_final_module"),
    ("core.codegen.CPUCodegen", "_data_layout"),
    ("core.compiler_machinery.PassManager", "_analysis"),
    ("core.dispatcher.Dispatcher", "_cache"),
    ("core.dispatcher.Dispatcher", "_compiler"),
    ("core.types.functions.BaseFunction", "_impl_keys"),
]
"""What objects have, and classes do not."""

CALLED = [
    ("core.cpu.CPUContext", "get_executable"),
    ("core.base.BaseContext", "insert_user_function"),
    ("core.caching.CacheImpl", "get_filename_base"),
    ("core.caching.FunctionCache", "save_overload"),
    ("core.caching.FunctionCache", "load_overload"),
    ("core.codegen.CPUCodeLibrary", "enable_object_caching"),
    ("core.codegen.CPUCodeLibrary", "serialize_using_object_code"),
    ("core.codegen.JITCPUCodegen", "_module_pass_manager"),
    ("core.codegen.JITCPUCodegen", "set_env"),
    ("core.codegen.JITCodeLibrary", "_finalize_final_module"),
    ("core.codegen.JITCodeLibrary", "_raise_if_finalized"),
    ("core.compiler.CompileResult", "_find_referenced_environments"),
    ("core.compiler.CompilerBase", "_compile_core"),
    ("core.compiler.DefaultPassBuilder", "define_nopython_pipeline"),
    ("core.compiler_machinery.PassManager", "finalize"),
    ("core.dispatcher._FunctionCompiler", "fold_argument_types"),
    ("core.typed_passes.NativeLowering", "run_pass"),
    ("core.types.functions.BaseFunction", "get_impl_key"),
]
"""What fairdeal calls whenever it compiles."""

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
        found = self.held.__get__(one, kind) if hasattr(self.held, "__get__") else self.held
        if not is_ours:
            return found

        def other(*_, **__):
            raise TypeError(f"{self.name} takes other arguments")

        return other

    def __set__(self, one, value):
        if self.is_met(sys._getframe(1)) and not self.called:
            raise AttributeError(f"no {self.name}")
        vars_of(one)[self.name] = value


def vars_of(one):
    return getattr(one, "__dict__", {})


def hide(monkeypatch, path, name, called=False):
    home = pkgutil.resolve_name(f"numba.{path}")
    hidden = Hidden(home, name, called)
    monkeypatch.setattr(home, name, hidden, raising=False)
    return hidden


def compiled(first_call=False):
    """What compiled rules say, and the warnings that there were."""
    from numba import int64

    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        twins = compile_rules("no game", LAYOUT, {"score": score}, {})
        if not first_call:
            compile_together(twins, {"score": (int64[::1],)}, lambda name: None)
        said = twins["score"](np.array([3, 2]))
    return said, [str(warning.message) for warning in given]


PLAIN = score([3, 2])
TOLD = "rules are compiled one by one, which takes two to four times as long: this Numba is not supported, "


def test_a_numba_as_it_is_needed_links():
    assert compiled() == (PLAIN, [])
    assert not linking.is_left_to_numba()


@pytest.mark.parametrize(("path", "needed"), NEEDED)
def test_numba_is_not_used_in_our_way_without_what_that_needs(monkeypatch, path, needed):
    home = pkgutil.resolve_name(f"numba.{path}")
    with monkeypatch.context() as patch:
        if inspect.ismodule(home):
            patch.delattr(home, needed)
        else:
            hide(patch, path, needed)
        with pytest.warns(RuntimeWarning, match=f"{TOLD}AttributeError: .*{needed}"):
            assert linking.parts() is None
    assert linking.parts() is None


def test_rules_are_compiled_and_cached_by_a_numba_without_something_that_is_needed(monkeypatch, cache):
    hide(monkeypatch, "core.codegen.JITCodeLibrary", "_finalize_final_module")
    said, told = compiled()
    assert (said, len(told)) == (PLAIN, 1)
    assert len(list(cache.rglob("*.nbc"))) == 1
    for constant, loaded in ((1, 1), (2, 0), (1, 1)):
        monkeypatch.setattr(sys.modules[__name__], "MORE", constant)
        score_now = compile_rules("no game", LAYOUT, {"score": score}, {})["score"]
        assert score_now(np.array([3, 2])) == score([3, 2]) == PLAIN + (constant - 1)
        assert sum(score_now.stats.cache_hits.values()) == loaded


@pytest.mark.parametrize("first_call", [False, True], ids=["together", "first call"])
@pytest.mark.parametrize(("path", "attribute"), OF_OBJECTS)
def test_an_attribute_that_is_missing_when_rules_are_compiled_is_done_without(
    monkeypatch, cache, path, attribute, first_call
):
    hidden = hide(monkeypatch, path, attribute)
    said, told = compiled(first_call)
    assert (said, told) == (PLAIN, [f"{TOLD}AttributeError: no {attribute}"])
    assert hidden.met
    assert linking.parts() is None
    assert list(cache.rglob("*.nbc"))
    assert compiled(first_call) == (PLAIN, [])


@pytest.mark.parametrize(("path", "method"), CALLED)
def test_a_method_that_takes_other_arguments_is_done_without(monkeypatch, path, method):
    hidden = hide(monkeypatch, path, method, called=True)
    said, told = compiled()
    assert (said, told) == (PLAIN, [f"{TOLD}TypeError: {method} takes other arguments"])
    assert hidden.met
    assert compiled() == (PLAIN, [])


@pytest.mark.parametrize(
    ("path", "method"),
    [("core.codegen.JITCPUCodegen", "unserialize_library"), ("core.cpu.CPUContext", "get_executable")],
)
def test_saved_code_that_cannot_be_made_ready_is_compiled_again(monkeypatch, path, method):
    assert compiled() == (PLAIN, [])
    hidden = hide(monkeypatch, path, method, called=True)
    said, told = compiled()
    assert said == PLAIN
    assert hidden.met
    assert told[0].startswith("compiled code cannot be read: ")
    assert len(told) <= 2


@pytest.mark.parametrize("neither", [False, True])
def test_what_cannot_be_cached_is_compiled_all_the_same(monkeypatch, cache, neither):
    def broken(*_, **__):
        raise RuntimeError("no cache")

    monkeypatch.setattr(code_cache, "cache_in", broken)
    if neither:
        from numba.core.dispatcher import Dispatcher

        monkeypatch.setattr(Dispatcher, "enable_caching", broken)
    said, told = compiled()
    assert said == PLAIN
    unsaved = [f"{code_cache.UNSAVED}: no cache"] if neither else []
    assert told == [*unsaved, f"{TOLD}RuntimeError: no cache"]
    assert len(list(cache.rglob("*.nbc"))) == 1 - len(unsaved)


def test_an_error_of_a_rule_is_told_and_leaves_linking_on():
    from numba import TypingError, types

    twins = compile_rules("no game", LAYOUT, {"score": score}, {})
    with pytest.raises(TypingError):
        compile_together(twins, {"score": (types.unicode_type,)}, lambda name: None)
    assert linking.parts()
    assert compiled() == (PLAIN, [])


def test_every_private_name_that_is_used_is_broken_here():
    covered = {name for _, name in (*NEEDED, *OF_OBJECTS)}
    used = set()
    for module in (linking, code_cache, compiler):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
                used.add(node.attr)
    assert len(used) > 15
    assert used - covered == {"_replace"}, "which named tuples promise to keep"


def test_progress_stays_within_its_steps_if_rules_are_compiled_once_more(monkeypatch):
    told = []
    monkeypatch.setattr(engine_compiled, "compile_rules", lambda name, layout, roots, *_: dict.fromkeys(roots))
    monkeypatch.setattr(
        engine_compiled, "compile_together", lambda _, __, progress: [progress("a rule") for _ in range(15)]
    )
    engine_compiled.compile_engine(find_game("chi"), lambda *step: told.append(step))
    assert len(told) == 16
    assert told[-1] == (8, 8, "ready")
    assert [done for done, *_ in told] == sorted(done for done, *_ in told)
