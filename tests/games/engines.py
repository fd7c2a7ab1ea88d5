"""What the engine makes of a game, compared with other ways: moves counted by playing each, and rules and searches in
WebAssembly, which requires `wasmtime`."""

from __future__ import annotations

import atexit
import functools
import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from fairdeal.bots.bots import RandomBot
from fairdeal.bots.search import desk_with, sources_of
from fairdeal.engine.compile import compiled, wasm
from fairdeal.engine.compile.compiled import Engine
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.compile.searches import Search, roots
from fairdeal.engine.game import Game, Rules
from fairdeal.engine.kit import chance
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, Table
from fairdeal.lab.perft import perft
from fairdeal.testing.play import check_same, must_have, random_states, table_of

ALIGNED, PAGE = 16, 65_536

LARGEST = 1 << 20
"""Maximum size of the records and arrays of a call, in bytes."""


class Instance:
    """A module in memory. Records and arrays are copied into its memory for a call, and back after the call."""

    def __init__(self, module: wasm.Module) -> None:
        import wasmtime

        self.store = store = wasmtime.Store()
        pages = wasmtime.Limits((module.free + LARGEST) // PAGE + 1, None)
        memory = wasmtime.Memory(store, wasmtime.MemoryType(pages))
        self.bytes = np.ctypeslib.as_array(memory.data_ptr(store), (memory.data_len(store),))
        pointer = wasmtime.GlobalType(wasmtime.ValType.i32(), mutable=True)
        table = wasmtime.TableType(wasmtime.ValType.funcref(), wasmtime.Limits(1, None))
        given: dict[str, Any] = {
            "__linear_memory": memory,
            "__stack_pointer": wasmtime.Global(store, pointer, wasmtime.Val.i32(module.free)),
            "__indirect_function_table": wasmtime.Table(store, table, None),
        }
        code = wasmtime.Module(store.engine, module.code)
        instance = wasmtime.Instance(store, code, [given[one.name or ""] for one in code.imports])
        self.calls: Any = instance.exports(store)
        self.free = module.free

    def rule(self, name: str) -> Callable[..., Any]:
        """Return an exported function, which takes the same records, arrays and numbers as the rule."""

        def call(*arguments: Any) -> Any:
            at, passed, used = self.free, [], []
            for argument in arguments:
                if isinstance(argument, (int, np.integer)):
                    passed.append(int(argument))
                    continue
                array = argument if isinstance(argument, np.ndarray) else compiled.array_of(argument)
                passed += [at] if array is not argument else [at, len(array)]
                outside, inside = array.view(np.uint8), self.bytes[at : at + array.nbytes]
                inside[:] = outside
                used.append((outside, inside))
                at += -(-array.nbytes // ALIGNED) * ALIGNED
            found = self.calls[name](self.store, *passed)
            for outside, inside in used:
                outside[:] = inside
            return found

        return call


@cache
def instance_of(name: str) -> Instance:
    """Return the module of a game, in memory."""
    made = Instance(wasm_of(find_game(name)))
    for one in (made.store.engine, made.store):
        atexit.register(one.close)  # wasmtime itself would close them too late
    return made


def engine_of(game: Game) -> Engine:
    """Return the rules of a game in WebAssembly."""
    rules = {name: instance_of(game.name).rule(name) for name in compiled.CONTRACT}
    return Engine(greedy=rules.pop("greedy"), rules=Rules(**rules))


def search_of(game: Game) -> Search:
    """Return the search drivers of a game in WebAssembly."""
    instance = instance_of(game.name)

    def driver(name: str) -> Callable[..., Any]:
        return lambda desks, *numbers: instance.rule(name)(desks[0], *numbers)

    return Search(**{name: driver(name) for name in roots()})


def check_search(table: Table, ours: Search, theirs: Search, decisions: int, most: int) -> Counter[str]:
    """Check that two engines write the same bytes into desks when they search in random states, examining at most
    `most` moves. Return the number of comparisons of each kind."""
    tally: Counter[str] = Counter()
    for state, _, where in random_states(table, "searches", 10 * decisions):
        player, source = state.to_act[0], sources_of(chance.key_of("searches"), tally["searches"])
        desks = [desk_with(state.view(player, 100), source) for _ in range(2)]
        step = functools.partial(searched, (ours, theirs), desks, f"{table}, {where}: ")
        tally["lists"] += 1
        if step("list_moves", player, table.game.recall, table.game.horizon) == 1:
            continue
        for desk in desks:
            desk["left"], desk["rounds"] = min(most, desk["left"][0]), min(2, desk["rounds"][0])
        while deals := step("next_round", 0):
            step("try_moves", deals)
            tally["rounds"] += 1
        step("drop_half")
        step("try_batch", 1, 1)
        step("rank_moves")
        tally["searches"] += 1
        tally["games"] += int(desks[0]["sums"]["played"].sum())
        if tally["searches"] == decisions:
            break
    must_have(tally["lists"], decisions, f"{table}: lists of moves that were compared")
    must_have(tally["games"], 4 * tally["searches"], f"{table}: games of searches that were compared")
    return tally


def searched(engines: Sequence[Search], desks: Sequence[Any], where: str, name: str, *numbers: int) -> int:
    """Call a search driver of two engines, each with its own desk. Return the result, which must be the same for
    both."""
    results = [getattr(engine, name)(desk, *numbers) for engine, desk in zip(engines, desks, strict=True)]
    if results[0] != results[1]:
        raise AssertionError(f"{where}{name} returns {results[0]}, but {results[1]} with the other engine")
    check_same(desks[0][0], desks[1][0], f"{where}{name}")
    return int(results[0] or 0)


MOST_BY_HAND = 20_000
"""Maximum number of sequences of moves that are counted by playing every move."""


def by_hand(state: State, depth: int) -> int:
    """Count the sequences of moves by playing every move."""
    if depth == 0:
        return 1
    total = 0
    for seat in state.to_act:
        for actions in state.action_moves(seat):
            if depth == 1:
                total += 1
                continue
            after = state.copy()
            after.play_actions(seat, actions)
            total += 0 if after.over else by_hand(after, depth - 1)
    return total


def near_the_end(game: Game) -> State:
    """Return a state of a random game with few moves left, and, if possible, with a choice of moves."""
    state = table_of(game, {"players": max(game.players[0], min(2, game.players[1]))}).deal(11)
    bot = RandomBot(b"near the end")
    last = [state.copy()]
    for turn in range(1, 10**9):
        if state.over:
            break
        seat = state.to_act[0]
        state.play_actions(seat, bot.choose(state.view(seat), seat, turn).actions)
        last = [*last[-30:], state.copy()]
    choices = (state for state in last[-4::-1] if len(list(itertools.islice(state.moves(state.to_act[0]), 2))) > 1)
    return next(choices, last[-4:][0])


def check_perft(state: State, depths: int = 3) -> list[int]:
    """Check that, for all depths up to `depths`, the compiled count and the count by playing every move are equal."""
    game, before = state.game, state.copy()
    counts = []
    for depth in range(depths + 1):
        found = perft(state, depth)
        if found > MOST_BY_HAND:
            break
        hand = by_hand(state, depth)
        if found != hand:
            ways = f"{found} compiled, {hand} by playing every move"
            raise AssertionError(f"{state.table}, {depth} moves from {state.position()}: {ways}")
        counts.append(found)
    check_same(before.record, state.record, f"{game.name}: counting changed the state")
    must_have(len(counts), 3, f"{state.table}: depths that were counted by playing every move")
    must_have(counts[-1], 2, f"{state.table}: sequences of moves that were counted")
    return counts
