"""A game's rules in WebAssembly, as an engine that tests compare with the compiled one. This requires `wasmtime`."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fairdeal.engine.compile import compiled, wasm
from fairdeal.engine.compile.compiled import Engine
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.compile.searches import Search, roots
from fairdeal.engine.game import Game, Rules
from fairdeal.engine.registry import find_game

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
