"""What Python calls of a game is linked and optimized as one; other ways lead to the same results."""

import gc

import numpy as np
import pytest
from numba import TypingError

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


def together():
    """The compiled functions, what was done to compile them, and what they say."""
    from numba import int16

    twins, steps = compile_rules("no game", LAYOUT, ROOTS, {}), []
    compile_together(twins, dict.fromkeys(ROOTS, (int16[::1],)), steps.append)
    return twins, steps, [twins[name](CARDS) for name in ROOTS]


PLAIN = [17, 2, 15]


def test_code_compiled_together_says_what_plain_rules_say_and_is_one_file(cache):
    assert [plain(CARDS.tolist()) for plain in ROOTS.values()] == PLAIN
    twins, steps, said = together()
    assert (steps, said) == (STEPS, PLAIN)
    assert len({twin.overloads[twin.signatures[0]].library for twin in twins.values()}) == 1
    assert len(list(cache.rglob("*.nbc"))) == 1
    _, steps, said = together()
    assert (steps, said) == ([], PLAIN)


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_linked_code_that_was_cut_short_is_compiled_again(cache, suffix):
    together()
    (path,) = cache.rglob(f"*.{suffix}")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.warns(RuntimeWarning, match="compiled code cannot be read"):
        assert together()[1:] == (STEPS, PLAIN)
    assert together()[1:] == ([], PLAIN)


def test_linked_code_that_cannot_be_saved_is_used_all_the_same(cache, monkeypatch):
    (cache / "file").touch()
    monkeypatch.setenv("FAIRDEAL_CACHE", str(cache / "file"))
    with pytest.warns(RuntimeWarning, match=f"^{UNSAVED}: .*Not a directory"):
        assert together()[1:] == (STEPS, PLAIN)


def test_each_function_can_be_compiled_by_itself_at_its_first_call():
    for _ in range(2):
        twins = compile_rules("no game", LAYOUT, ROOTS, {})
        assert [twins[name](CARDS) for name in ROOTS] == PLAIN
        assert twins["spread"](CARDS.astype(np.int8)) == PLAIN[-1]


def test_other_compiled_functions_can_call_linked_ones():
    from numba import njit

    for _ in range(2):  # compiled, then loaded
        twins, *_ = together()
        first, last = twins["heaviest"], twins["spread"]

        @njit
        def product(cards):
            return first(cards) * last(cards)  # noqa: B023

        assert product(CARDS) == PLAIN[0] * PLAIN[-1]


@rule
def doubled(cards):
    return 2 * spread(cards)


def test_what_is_compiled_later_calls_the_code_that_is_there(cache, monkeypatch):
    """It has no copy of it, and is not loaded for code that another compiling has named otherwise."""
    from numba import int16

    folders = set()
    for steps in (["doubled", "linking"], [], ["doubled", "linking"]):
        if folders and steps:  # names have a number that is another one for what is typed anew
            (path,) = cache.rglob("*heaviest*.nbc")
            path.unlink()
            monkeypatch.setattr(engine_twin, "_parts", {})
        twins, _, said = together()
        assert said == PLAIN
        there, done = {ROOTS[name]: twins[name] for name in ROOTS}, []
        twin = compile_rules("no game", LAYOUT, {"doubled": doubled}, {}, there)
        compile_together(twin, {"doubled": (int16[::1],)}, done.append)
        assert (done, twin["doubled"](CARDS)) == (steps, 2 * PLAIN[-1])
        library = twin["doubled"].overloads[twin["doubled"].signatures[0]].library
        if done:
            bodies = [function.name for function in library._final_module.functions if not function.is_declaration]
            assert any("doubled" in name for name in bodies)
            assert not any("spread" in name or "heaviest" in name for name in bodies)
        folders |= {path.parent for path in cache.rglob("*doubled*.nbc")}
    assert len(folders) == 2


@rule
def doubly(card, twice):
    return weight(card) * 2 if twice else weight(card)


@rule
def several(cards):
    return doubly(cards[0], True) + doubly(3, False) + doubly(len(cards), cards[1] > 0)


def test_a_rule_is_typed_once_for_whole_numbers_of_any_width(monkeypatch):
    from numba import boolean, int8, int64

    monkeypatch.setattr(engine_twin, "_parts", {})
    twins = compile_rules("no game", LAYOUT, {"several": several}, {})
    compile_together(twins, {"several": (int8[::1],)}, print)
    assert twins["several"](np.array([127, 1, 1], np.int8)) == several([127, 1, 1]) == 2 * (127 * 127 + 1) + 10 + 20
    typed = {key[0].__name__: list(part.overloads) for key, part in engine_twin._parts.items()}
    assert typed == {"weight": [(int64,)], "doubly": [(int64, boolean)], "several": [(int8[::1],)]}


@pytest.mark.parametrize(("usual", "meanwhile"), [(700, 10_000), (50_000, 50_000), (0, 0)])
def test_garbage_is_looked_for_less_often_while_a_rule_is_typed_and_as_often_afterwards(monkeypatch, usual, meanwhile):
    from numba import int8, types

    often, seen = gc.get_threshold(), set()
    monkeypatch.setattr(engine_twin, "_parts", {})
    monkeypatch.setattr(linking, "wide", lambda kind: seen.add(gc.get_threshold()[0]) or kind)
    try:
        gc.set_threshold(usual, *often[1:])
        twins = compile_rules("no game", LAYOUT, {"several": several}, {})
        with pytest.raises(TypingError):
            compile_together(twins, {"several": (types.unicode_type,)}, print)
        assert gc.get_threshold() == (usual, *often[1:])
        compile_together(twins, {"several": (int8[::1],)}, print)
        assert (seen, gc.get_threshold()) == ({meanwhile}, (usual, *often[1:]))
    finally:
        gc.set_threshold(*often)


def test_rules_share_what_numba_makes_of_its_own_functions_and_short_ones_are_inlined_by_force(monkeypatch):
    """It makes it anew for every other set of flags."""
    from numba import int8
    from numba.core.targetconfig import ConfigStack

    flags = set()

    def look(kind):
        top = ConfigStack.top_or_none()
        flags.add((top.forceinline, top.no_cpython_wrapper))
        return kind

    monkeypatch.setattr(engine_twin, "_parts", {})
    monkeypatch.setattr(linking, "wide", look)
    twins = compile_rules("no game", LAYOUT, {"several": several}, {})
    compile_together(twins, {"several": (int8[::1],)}, print)
    assert flags == {(False, True)}
    parts = {key[0]: part for key, part in engine_twin._parts.items()}
    for short in (weight, doubly):
        made = [str(result.library._final_module) for result in parts[short].overloads.values()]
        assert made
        assert all("alwaysinline" in code for code in made)


def test_games_share_what_is_typed_of_rules_that_are_the_same(monkeypatch):
    from numba import int8

    monkeypatch.setattr(engine_twin, "_parts", {})
    other = record(length=i1, cards=(i2, 5))
    for game, layout in (("no game", LAYOUT), ("no other game", other)):
        twins = compile_rules(game, layout, {"several": several}, {})
        compile_together(twins, {"several": (int8[::1],)}, print)
        assert twins["several"](np.array([127, 1, 1], np.int8)) == several([127, 1, 1])
        assert [len(part.overloads) for part in engine_twin._parts.values()] == [1, 1, 1]


def test_numba_finds_out_once_what_an_operator_makes_of_numbers_and_only_while_rules_are_typed(monkeypatch):
    from numba import int8, types
    from numba.core.registry import cpu_target

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
        linking.part_of(twins["several"].part, (int8[::1],))
        assert home.get_call_type is ask
        assert not {"refresh"} & (vars(cpu_target.target_context).keys() | vars(cpu_target.typing_context).keys())
    known = {(function, args) for function, _, args, _ in linking._meanings}
    assert len(known) > 5
    assert sum(one in known for one in asked) == len(linking._meanings)


@rule
def calculated(cards):
    heavier = np.empty(len(cards), np.int64)
    heavier[:] = cards * 2 + 1
    return heavier.sum()


@rule
def listed(cards):
    counted = np.empty(1, np.int64)
    counted[0] = sum([card * 2 for card in cards])
    return counted[0]


@pytest.mark.parametrize("whole", [calculated, listed])
def test_rules_may_calculate_with_whole_arrays_and_in_comprehensions(whole):
    from numba import int16

    twins = compile_rules("no game", LAYOUT, {"whole": whole}, {})
    compile_together(twins, {"whole": (int16[::1],)}, print)
    assert twins["whole"](CARDS) == whole(CARDS) > 0


def test_errors_of_rules_come_out():
    from numba import int16

    for _ in range(2):  # compiled, then loaded
        twins = compile_rules("no game", LAYOUT, {"first": positive}, {})
        compile_together(twins, {"first": (int16,)}, print)
        assert twins["first"](3) == 10
        with pytest.raises(ValueError, match="not positive"):
            twins["first"](-3)


@pytest.fixture
def left_to_numba(monkeypatch):
    """Undo afterwards that rules are left to Numba; and have its compiler of parts, and all parts, made anew."""
    monkeypatch.setattr(linking, "_problem", None)
    monkeypatch.setattr(engine_twin, "_parts", {})
    monkeypatch.setattr(linking, "_meanings", {})
    linking.compiler_of_parts.cache_clear()
    yield
    linking.compiler_of_parts.cache_clear()


@pytest.mark.usefixtures("left_to_numba")
def test_a_switch_leaves_compiling_to_numba_without_a_warning(monkeypatch):
    monkeypatch.setenv(linking.SWITCH, "0")
    assert together()[1:] == (STEPS[:-1], PLAIN)
    monkeypatch.setenv(linking.SWITCH, "1")
    assert together()[1:] == (STEPS, PLAIN)


@pytest.mark.usefixtures("left_to_numba")
def test_a_numba_that_is_made_otherwise_compiles_in_its_own_way(monkeypatch):
    monkeypatch.setitem(linking.NEEDED, "core.codegen.JITCodeLibrary", "a_method_of_other_times")
    with pytest.warns(RuntimeWarning, match="compiled one by one.*a_method_of_other_times"):
        assert together()[1:] == (STEPS[:-1], PLAIN)
    twins, *said = together()
    assert said == [STEPS[:-1], PLAIN]
    there = {ROOTS[name]: twins[name] for name in ROOTS}
    assert compile_rules("no game", LAYOUT, {"doubled": doubled}, {}, there)["doubled"](CARDS) == 2 * PLAIN[-1]
