"""Rules in WebAssembly, and the arrays that rules make on the stack."""

import json
import re
import shutil
import subprocess
from importlib.resources import files

import msgspec
import numpy as np
import pytest
from numba import int16, int64

import fairdeal
from fairdeal.engine.compile import compiled, modules, wasm
from fairdeal.engine.compile.arrays import on_stack, sizes_of
from fairdeal.engine.compile.compiler import compile_linked, compile_rules, compile_together
from fairdeal.engine.compile.modules import built
from fairdeal.engine.observe.interface import Description
from fairdeal.engine.records import i1, i2, record, rule
from fairdeal.engine.registry import find_game
from tests.conftest import ROOT, refusal

LAYOUT = record(length=i1, cards=(i2, 4))
CARDS = np.array([3, 1, 4, 2], np.int16)
FOUR, MANY = 4, 2000
DOCS = ROOT / "docs"


@rule
def fixed(cards) -> int:
    squares, first = np.empty(FOUR, np.int64), np.empty(compiled.TRIES, np.int16)
    first[0] = cards[0]
    for place in range(len(squares)):
        squares[place] = first[0] * cards[place]
    return squares[1] + squares[3]


@rule
def in_a_loop(cards, times: int) -> int:
    total = 0
    for _ in range(times):
        total += fixed(cards)
    return total


@rule
def varying(cards) -> int:
    squares = np.empty(len(cards), np.int64)
    squares[:] = 7
    return squares.sum()


@rule
def large(cards) -> int:
    squares = np.empty(MANY, np.int64)
    squares[:] = 7
    return squares.sum()


@rule
def returned(cards):
    squares = np.empty(FOUR, np.int64)
    squares[:] = cards[0]
    return squares


@rule
def failing(cards) -> int:
    if cards[0] == 3:
        raise ValueError("three")
    return cards[0]


@pytest.fixture
def cache(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))


def test_arrays_of_a_constant_size_are_on_the_stack():
    assert [sizes_of(one) for one in (fixed, in_a_loop, varying, large)] == [[4, 3], [], [None], [2000]]
    rules = (fixed, in_a_loop, varying, large, returned)
    assert [on_stack(one) for one in rules] == [True, False, False, False, False]


def test_arrays_on_stack_and_heap_hold_the_same(cache):
    roots = {"fixed": fixed, "varying": varying, "large": large, "returned": returned}
    twins = compile_rules("no game", LAYOUT, roots, {})
    compile_together(twins, dict.fromkeys(roots, (int16[::1],)), lambda name: None)
    for name, plain in roots.items():
        assert np.array_equal(twins[name](CARDS), plain(CARDS)), name


def test_a_rule_in_a_long_loop_takes_no_more_of_the_stack(cache):
    twin = compile_rules("no game", LAYOUT, {"in_a_loop": in_a_loop}, {})["in_a_loop"]
    assert twin(CARDS, 10_000_000) == 10_000_000 * fixed(CARDS)


def portable(roots, *signature):
    twins = compile_rules("no game", LAYOUT, roots, {})
    return compile_linked(twins, dict.fromkeys(roots, signature), lambda name: None)[1]


def test_building_twice_gives_the_same_bytes(cache):
    rules = portable({"in_a_loop": in_a_loop}, int16[::1], int64)
    assert wasm.module_of(rules) == wasm.module_of(rules)


def test_what_needs_an_allocator_cannot_be_written(cache):
    for name, one in {"varying": varying, "large": large}.items():
        with pytest.raises(ValueError, match=r"give `np\.empty` a constant size of at most 1024 elements"):
            wasm.module_of(portable({name: one}, int16[::1]))
    with pytest.raises(ValueError, match=r"returned takes or returns array 8, which WebAssembly cannot pass"):
        wasm.module_of(portable({"returned": returned}, int16[::1]))


def test_a_rule_that_fails_traps(cache):
    wasmtime = pytest.importorskip("wasmtime")
    from tests.games.engines import Instance

    call = Instance(wasm.module_of(portable({"failing": failing}, int16[::1]))).rule("failing")
    assert call(CARDS[1:].copy()) == 1
    with pytest.raises(wasmtime.Trap, match="unreachable"):
        call(CARDS)


def test_a_game_without_linked_rules_cannot_be_written(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_LINKING", "0")
    with refusal("Chi cannot be written as WebAssembly, because its rules are not linked"):
        built(find_game("chi"))


def test_a_module_is_built_again_from_damaged_files(monkeypatch, tmp_path):
    game = find_game("chimax-cut")
    module = built(game)
    for place in ("folder_of", "place_of"):
        monkeypatch.setattr(modules, place, lambda _: tmp_path)
    for name in (wasm.BUILT, wasm.PORTABLE):
        (tmp_path / name).write_bytes(b"damaged")
    assert built(game) == module


@pytest.mark.skipif(shutil.which("node") is None, reason="without Node.js (apt-get install nodejs)")
def test_the_program_of_the_docs_plays_in_node(run, tmp_path):
    code, printed, _ = run("wasm chi --out", tmp_path / "chi.wasm")
    assert code == 0
    assert re.match(r".*chi\.wasm: [\d,]+ bytes, and chi\.wasm\.json\nSHA-256 [0-9a-f]{64}: .+\n", printed)
    described = msgspec.json.decode((tmp_path / "chi.wasm.json").read_bytes(), type=Description)
    table = fairdeal.load("chi")
    assert described.size == table.game.state.itemsize
    (tmp_path / "blank.state").write_bytes(table.blank().record.tobytes())
    (tmp_path / "rules.js").write_bytes((files("fairdeal") / "server/web/fair/rules.js").read_bytes())
    (program,) = re.findall(r"```js\n(.*?)```", (DOCS / "wasm.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "play.mjs").write_text(program, "utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    found = subprocess.run(["node", "play.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0, found.stderr
    scores = json.loads(re.sub(r"Float64Array\(2\) ", "", found.stdout))
    assert len(scores) == 2
