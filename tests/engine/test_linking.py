"""The functions of a game that Python calls are linked and optimized as one; other ways give equal results."""

import gc

import numpy as np
import pytest
from numba import TypingError, boolean, int8, int16, int64, njit, types
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

from fairdeal.engine.compile import compiler as engine_twin
from fairdeal.engine.compile import linking
from fairdeal.engine.compile.cache import UNSAVED
from fairdeal.engine.compile.compiler import compile_rules, compile_together
from fairdeal.engine.records import i1, i2, record, rule

LAYOUT = record(length=i1, cards=(i2, 4))


@rule
def weight(card):
    return card * card + 1


@rule
def heaviest(cards):
    order = np.empty(len(cards), np.int64)
    for place in range(len(cards)):
        order[place] = weight(cards[place])
    return order.max()


@rule
def lightest(cards):
    least = weight(cards[0])
    for place in range(len(cards)):
        least = min(least, weight(cards[place]))
    return least


@rule
def spread(cards):
    return heaviest(cards) - lightest(cards)


@rule
def positive(card):
    if card < 0:
        raise ValueError("not positive")
    return weight(card)


ROOTS = {"heaviest": heaviest, "lightest": lightest, "spread": spread}
CARDS = np.array([3, 1, 4, 2], np.int16)
STEPS = ["heaviest", "lightest", "spread", "linking"]


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    return tmp_path


def compile_one(name, function, *signature):
    """Return a rule compiled together with all that it calls."""
    twins = compile_rules("no game", LAYOUT, {name: function}, {})
    compile_together(twins, {name: signature}, print)
    return twins[name]


def together():
    """Return the compiled functions, and the steps of compiling them."""
    twins, steps = compile_rules("no game", LAYOUT, ROOTS, {}), []
    compile_together(twins, dict.fromkeys(ROOTS, (int16[::1],)), steps.append)
    assert [twins[name](CARDS) for name in ROOTS] == PLAIN
    return twins, steps


def compiled_together():
    _, steps = together()
    assert steps in (STEPS, [])
    return bool(steps)


def compiled_at_first_call():
    twin = compile_rules("no game", LAYOUT, {"spread": spread}, {})["spread"]
    assert twin(CARDS) == PLAIN[-1]
    return not twin.stats.cache_hits


@pytest.fixture(params=[compiled_together, compiled_at_first_call])
def is_compiled(request):
    """A function that compiles or loads rules, and returns whether it compiled them."""
    return request.param


PLAIN = [17, 2, 15]


def test_code_compiled_together_gives_the_results_of_plain_rules_and_is_one_file(cache):
    assert [plain(CARDS.tolist()) for plain in ROOTS.values()] == PLAIN
    twins, steps = together()
    assert steps == STEPS
    assert len({twin.overloads[twin.signatures[0]].library for twin in twins.values()}) == 1
    assert len(list(cache.rglob("*.nbc"))) == 1
    assert not compiled_together()


def test_code_is_loaded_from_its_folder_and_nowhere_else(is_compiled, monkeypatch, cache):
    for place in ("here", "there"):
        monkeypatch.setenv("FAIRDEAL_CACHE", str(cache / place))
        assert [is_compiled(), is_compiled()] == [True, False]


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_code_that_was_cut_short_is_compiled_again(is_compiled, cache, suffix):
    is_compiled()
    (path,) = cache.rglob(f"*.{suffix}")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.warns(RuntimeWarning, match="compiled code cannot be read"):
        assert is_compiled()
    assert not is_compiled()


def test_code_that_cannot_be_saved_is_used_anyway(is_compiled, cache, monkeypatch):
    """Nor is it saved beside the source, where Numba would not see that a constant has changed."""
    (cache / "file").touch()
    monkeypatch.setenv("FAIRDEAL_CACHE", str(cache / "file"))
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match=f"^{UNSAVED}: .*Not a directory"):
            assert is_compiled()


def test_a_function_is_compiled_by_itself_for_other_types():
    for _ in range(2):
        twin = compile_rules("no game", LAYOUT, ROOTS, {})["spread"]
        assert twin(CARDS) == twin(CARDS.astype(np.int8)) == PLAIN[-1]


def test_other_compiled_functions_can_call_linked_ones():
    for _ in range(2):  # compiled, then loaded
        twins, _ = together()
        first, last = twins["heaviest"], twins["spread"]

        @njit
        def product(cards):
            return first(cards) * last(cards)  # noqa: B023

        assert product(CARDS) == PLAIN[0] * PLAIN[-1]


@rule
def doubled(cards):
    return 2 * spread(cards)


def test_what_is_compiled_later_calls_the_code_that_is_there(cache, monkeypatch):
    """It contains no copy of that code, and is not loaded if that code was compiled again, under other names."""
    folders = set()
    for steps in (["doubled", "linking"], [], ["doubled", "linking"]):
        if folders and steps:  # names have a number that is another one for what is typed anew
            (path,) = cache.rglob("*heaviest*.nbc")
            path.unlink()
            monkeypatch.setattr(engine_twin, "_parts", {})
        twins, _ = together()
        there, done = {ROOTS[name]: twins[name] for name in ROOTS}, []
        twin = compile_rules("no game", LAYOUT, {"doubled": doubled}, {}, there)
        compile_together(twin, {"doubled": (int16[::1],)}, done.append)
        assert (done, twin["doubled"](CARDS)) == (steps, 2 * PLAIN[-1])
        library = twin["doubled"].overloads[twin["doubled"].signatures[0]].library
        if done:
            functions = library._final_module.functions
            bodies = " ".join(function.name for function in functions if not function.is_declaration)
            assert [rule for rule in ("doubled", "spread", "heaviest") if rule in bodies] == ["doubled"]
        folders |= {path.parent for path in cache.rglob("*doubled*.nbc")}
    assert len(folders) == 2


@rule
def doubly(card, twice):
    return weight(card) * 2 if twice else weight(card)


@rule
def several(cards):
    return doubly(cards[0], True) + doubly(3, False) + doubly(len(cards), cards[1] > 0)


BYTES = int8[::1]


@pytest.fixture
def parts(monkeypatch):
    """The rules that are compiled as parts: none at first."""
    found = {}
    monkeypatch.setattr(engine_twin, "_parts", found)
    return found


def test_a_rule_is_typed_once_for_integers_of_any_width(parts):
    twin = compile_one("several", several, BYTES)
    assert twin(np.array([127, 1, 1], np.int8)) == several([127, 1, 1]) == 2 * (127 * 127 + 1) + 10 + 20
    typed = {key[0].__name__: list(part.overloads) for key, part in parts.items()}
    assert typed == {"weight": [(int64,)], "doubly": [(int64, boolean)], "several": [(BYTES,)]}


@pytest.mark.parametrize(("usual", "meanwhile"), [(700, 10_000), (50_000, 50_000), (0, 0)])
@pytest.mark.usefixtures("parts")
def test_garbage_is_collected_less_often_while_a_rule_is_typed_and_as_often_afterwards(monkeypatch, usual, meanwhile):
    before, seen = gc.get_threshold(), set()
    monkeypatch.setattr(linking, "wide", lambda kind: seen.add(gc.get_threshold()[0]) or kind)
    try:
        gc.set_threshold(usual, *before[1:])
        with pytest.raises(TypingError):
            compile_one("several", several, types.none)
        assert gc.get_threshold() == (usual, *before[1:])
        compile_one("several", several, BYTES)
        assert (seen, gc.get_threshold()) == ({meanwhile}, (usual, *before[1:]))
    finally:
        gc.set_threshold(*before)


def test_rules_have_equal_flags_and_short_ones_are_always_inlined(parts, monkeypatch):
    """Numba compiles its own functions again for every other set of flags."""
    flags = set()

    def look(kind):
        top = ConfigStack.top_or_none()
        flags.add((top.forceinline, top.no_cpython_wrapper))
        return kind

    monkeypatch.setattr(linking, "wide", look)
    compile_one("several", several, BYTES)
    assert flags == {(False, True)}
    made = {key[0]: [str(it.library._final_module) for it in part.overloads.values()] for key, part in parts.items()}
    for short in (weight, doubly):
        assert made[short]
        assert [code for code in made[short] if "alwaysinline" not in code] == []


def test_games_share_the_typed_code_of_equal_rules(parts):
    for game, layout in (("no game", LAYOUT), ("no other game", record(length=i1, cards=(i2, 5)))):
        twins = compile_rules(game, layout, {"several": several}, {})
        compile_together(twins, {"several": (BYTES,)}, print)
        assert twins["several"](np.array([127, 1, 1], np.int8)) == several([127, 1, 1])
        assert [len(part.overloads) for part in parts.values()] == [1, 1, 1]


def test_numba_resolves_an_operator_once_and_only_while_rules_are_typed(monkeypatch):
    home, asked = types.functions.BaseFunction, []
    usual = home.get_call_type

    def ask(function, typing, args, named):
        asked.append((function, args))
        return usual(function, typing, args, named)

    monkeypatch.setattr(home, "get_call_type", ask)
    monkeypatch.setattr(linking, "_meanings", {})
    for _ in range(2):
        monkeypatch.setattr(engine_twin, "_parts", {})
        twins = compile_rules("no game", LAYOUT, {"several": several}, {})
        linking.part_of(twins["several"].part, (BYTES,))
        assert home.get_call_type is ask
        assert not {"refresh"} & (vars(cpu_target.target_context).keys() | vars(cpu_target.typing_context).keys())
    known = {(function, args) for function, _, args, _ in linking._meanings}
    assert len(known) > 5
    assert sum(one in known for one in asked) == len(linking._meanings)


@rule
def calculated(cards):
    heavier = np.empty(len(cards), np.int64)
    heavier[:] = cards * 2 + 1
    doubled = [card * 2 for card in cards]
    return heavier[2] + doubled[3]


def test_rules_may_calculate_with_whole_arrays_and_in_comprehensions():
    assert compile_one("calculated", calculated, int16[::1])(CARDS) == calculated(CARDS) == 9 + 4


def test_an_error_raised_by_a_rule_reaches_its_caller():
    for _ in range(2):  # compiled, then loaded
        first = compile_one("first", positive, int16)
        assert first(3) == 10
        with pytest.raises(ValueError, match="not positive"):
            first(-3)


@pytest.fixture
def left_to_numba(monkeypatch):
    """Undo it afterwards if rules are left to Numba; make the compiler of parts, and all parts, anew."""
    monkeypatch.setattr(linking, "_problem", None)
    monkeypatch.setattr(engine_twin, "_parts", {})
    monkeypatch.setattr(linking, "_meanings", {})
    linking.compiler_of_parts.cache_clear()
    yield
    linking.compiler_of_parts.cache_clear()


@pytest.mark.usefixtures("left_to_numba")
def test_a_switch_leaves_compiling_to_numba_without_a_warning(monkeypatch):
    for switch, expected in (("0", STEPS[:-1]), ("1", STEPS)):
        monkeypatch.setenv(linking.SWITCH, switch)
        twins, steps = together()
        assert steps == expected
        there = {ROOTS[name]: twins[name] for name in ROOTS}
        assert compile_rules("no game", LAYOUT, {"doubled": doubled}, {}, there)["doubled"](CARDS) == 2 * PLAIN[-1]
