"""Conversion of compiled rules to a WebAssembly module.

`engine.compile.linking` links Numba's code of rules into one LLVM module. Until that module is optimized, it does not
depend on the size of a pointer, so LLVM can compile it for wasm32 as well. An object file made from one module is a
valid WebAssembly module that exports nothing. `exporting` adds the missing section, so no linker is needed. The same
rules give the same bytes if Numba, llvmlite and Python have the same versions.

The exported functions take addresses of records, addresses and lengths of arrays, and 32-bit numbers. A rule that
raises an error traps.
"""

import contextlib
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from fairdeal.engine.compile.arrays import LARGEST
from fairdeal.engine.compile.cache import alone
from fairdeal.engine.compile.linking import ENVIRONMENT
from fairdeal.engine.files import write_whole
from fairdeal.engine.kit.frozen import Frozen

TRIPLE = "wasm32-unknown-unknown"

FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""Extensions of WebAssembly that the module may use. All browsers have had them since 2021."""

STACK = 65_536
"""Size of the stack in bytes. It lies above the constants."""

PORTABLE, BUILT = "portable", "module"
"""Names of files next to the compiled code: a Portable, compressed, and a Module, both as MessagePack."""

IMPORTS = {"__linear_memory", "__stack_pointer", "__indirect_function_table"}
"""Names that a module may import: its memory, the global that holds its stack pointer, and a table without entries."""

COUNTING = """
define internal void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @llvm.trap()
  unreachable
}

define internal i8 @decrement(ptr %count, i64 %by, i32 %condition) {
  %before = load i64, ptr %count
  %after = sub i64 %before, %by
  store i64 %after, ptr %count
  %is_zero = icmp eq i64 %after, 0
  %result = zext i1 %is_zero to i8
  ret i8 %result
}
"""
"""The parts of Numba's reference counting that are missing from its module. Arrays on the stack are not counted."""

PORTABLE_CALL = re.compile(r"llvm\.(?!x86\.|aarch64\.|arm\.|ppc\.)")
"""Calls of LLVM's intrinsics that every machine supports."""

RESULTS = {
    "none": ("void", ["ret void"]),
    "int": ("i32", ["%long = load i64, ptr %r", "%short = trunc i64 %long to i32", "ret i32 %short"]),
}
"""LLVM's type of each kind of result, and the instructions that return it."""

CUSTOM, IMPORT, EXPORT, START, SEGMENTS = 0, 2, 7, 8, 11
"""Ids of sections. The export section comes directly before START."""

SYMBOL_TABLE, FUNCTION, DATA, SECTION = 8, 0, 1, 3
"""Types of entries in the section `linking` of an object file: a subsection, and symbols."""

UNDEFINED, NAMED = 0x10, 0x40
"""Flags of a symbol: it is defined elsewhere, and it has its own name although it is imported."""


class Exported(Frozen):
    """A function to export.

    name    name in the WebAssembly module
    symbol  name in the LLVM module
    takes   type of each parameter: `record`, `int`, `states SIZE` for an array of one record of SIZE bytes, or
            `array SIZE` for an array of numbers of SIZE bytes
    gives   type of the result: `int` or `none`
    """

    name: str
    symbol: str
    takes: tuple[str, ...]
    gives: str


class Portable(Frozen):
    """Rules in a machine-independent form: an LLVM module that is not optimized, and its functions."""

    text: str
    functions: tuple[Exported, ...]


class Module(Frozen):
    """A WebAssembly module. Its constants and its stack, which begins at `free` and grows downwards, are below the
    address `free`. `numba` is the version of its compiler."""

    code: bytes
    free: int
    numba: str


def save(rules: Portable, folder: Path) -> None:
    """Save rules next to their compiled code, in the form that `module_in` reads. Nothing is saved if the folder is not
    writable; the cache of compiled code reports this."""
    with contextlib.suppress(OSError):
        write_whole(folder / PORTABLE, zlib.compress(msgspec.msgpack.encode(rules)), syncs=False)


def saved_in(folder: Path) -> Portable | None:
    """Return the rules saved in a folder."""
    with contextlib.suppress(OSError, zlib.error, msgspec.DecodeError):
        return msgspec.msgpack.decode(zlib.decompress((folder / PORTABLE).read_bytes()), type=Portable)
    return None


def module_in(folder: Path, rules: Callable[[], Sequence[Portable]]) -> Module:
    """Return the module saved in `folder`. It is built once and then read from a file."""
    with alone(folder, "wasm"):
        if kept := built_in(folder):
            return kept
        module = module_of(*rules())
        with contextlib.suppress(OSError):
            write_whole(folder / BUILT, msgspec.msgpack.encode(module), syncs=False)
        return module


def built_in(folder: Path) -> Module | None:
    """Return the module in a folder, or None if it has not been built yet."""
    with contextlib.suppress(OSError, msgspec.DecodeError):
        return msgspec.msgpack.decode((folder / BUILT).read_bytes(), type=Module)
    return None


def module_of(*rules: Portable) -> Module:
    """Convert rules, which may call those before them, to a WebAssembly module. Raises ValueError if they call
    functions that it cannot contain."""
    names = [function.name for one in rules for function in one.functions]
    texts = [one.text + "".join(map(entrance, one.functions)) for one in rules]
    code = object_of(texts, {symbol_of(name) for name in names})
    sections = list(sections_of(code))
    check_calls(imports_of(sections) - IMPORTS)
    free = -(-end_of_constants(sections) // 16) * 16 + STACK
    return Module(exporting(code[:8], sections, names), free, version("numba"))


def symbol_of(name: str) -> str:
    """Return the name of an exported function in the LLVM module."""
    return f"fairdeal_{name}"


def entrance(function: Exported) -> str:
    """Return an LLVM function that calls a rule as Numba does, with plain parameters. Raises ValueError if the rule
    takes or returns something that cannot be passed."""
    parameters, lines, passed = [], [], []
    for number, kind in enumerate(function.takes):
        name = f"%p{number}"
        match kind.split():
            case ["int"]:
                parameters.append(f"i32 {name}")
                lines.append(f"{name}.wide = sext i32 {name} to i64")
                passed.append(f"i64 {name}.wide")
            case ["record"]:
                parameters.append(f"ptr {name}")
                passed.append(f"ptr {name}")
            case ["states", width]:
                parameters.append(f"ptr {name}")
                passed.append(array(name, "1", width))
            case ["array", width]:
                parameters.append(f"ptr {name}, i32 {name}.length")
                lines.append(f"{name}.wide = zext i32 {name}.length to i64")
                passed.append(array(name, f"{name}.wide", width))
            case _:
                raise ValueError(f"{function.name} takes or returns {kind}, which WebAssembly cannot pass")
    if function.gives not in RESULTS:
        raise ValueError(f"{function.name} takes or returns {function.gives}, which WebAssembly cannot pass")
    gives, end = RESULTS[function.gives]
    body = [
        "%r = alloca i64",
        "%problem = alloca ptr",
        *lines,
        f'%status = call i32 @"{function.symbol}"(ptr %r, ptr %problem, {", ".join(passed)})',
        "%ok = icmp eq i32 %status, 0",
        "br i1 %ok, label %good, label %bad",
        "bad:",
        "call void @llvm.trap()",
        "unreachable",
        "good:",
        *end,
    ]
    head = f"define {gives} @{symbol_of(function.name)}({', '.join(parameters)}) {{"
    return "\n".join(["", head, *body, "}", ""])


def array(pointer: str, length: str, width: str) -> str:
    """Return the arguments for an array as Numba passes it: owner, number and size of elements, shape and strides."""
    shape = f"i64 {length}, i64 {width}"
    return f"ptr null, ptr null, {shape}, ptr {pointer}, {shape}"


def object_of(texts: Sequence[str], kept: set[str]) -> bytes:
    """Return the object file for wasm32 of some LLVM modules, with the functions in `kept` and their callees."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu="mvp", features=FEATURES, opt=3, reloc="static")
    module, *others = (llvm.parse_assembly(adapted(text, str(machine.target_data))) for text in texts)
    for other in others:
        module.link_in(other)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in kept else "internal"
    for variable in module.global_variables:
        if variable.name.startswith(ENVIRONMENT):
            variable.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    # LLVM aborts the process at an intrinsic of another machine
    check_calls({one.name for one in module.functions if one.is_declaration and not PORTABLE_CALL.match(one.name)})
    return bytes(machine.emit_object(module))


def adapted(text: str, layout: str) -> str:
    """Return the text of an LLVM module for wasm32, with data in the given layout."""
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{layout}"', text)
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r"declare .*@(NRT_MemInfo_call_dtor|llvm\.x86\.atomic\.sub\.cc\.i64)\(.*\n", "", text)
    text = text.replace("@llvm.x86.atomic.sub.cc.i64", "@decrement") + COUNTING
    return f"{text}\ndeclare void @llvm.trap()\n"


def check_calls(missing: set[str]) -> None:
    """Raise ValueError if a module calls functions that it does not contain."""
    if any(name.startswith("NRT_MemInfo_alloc") for name in missing):
        raise ValueError(
            f"a rule makes an array that does not fit the stack: give `np.empty` a constant size of at most {LARGEST} "
            f"elements, in a rule that is declared to return a number, a bool or None"
        )
    if missing:
        raise ValueError(f"the rules call {', '.join(sorted(missing))}, which WebAssembly does not have")


class Reader:
    """A reader of a section's bytes, from `at`."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        """Read an unsigned number (LEB128)."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def bytes(self) -> bytes:
        """Read a string of bytes that is preceded by its length."""
        length = self.number()
        self.at += length
        return self.data[self.at - length : self.at]

    def name(self) -> str:
        return self.bytes().decode()


def number(value: int) -> bytes:
    """Return an unsigned number as LEB128."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))


def sized(data: bytes) -> bytes:
    """Return bytes preceded by their length."""
    return number(len(data)) + data


def sections_of(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the content of each section of a module."""
    reader = Reader(code, 8)
    while reader.at < len(code):
        yield reader.byte(), reader.bytes()


def imports_of(sections: list[tuple[int, bytes]]) -> set[str]:
    """Return the names that a module imports."""
    reader = Reader(next((content for kind, content in sections if kind == IMPORT), b"\0"))
    found = set()
    for _ in range(reader.number()):
        reader.name()
        found.add(reader.name())
        kind = reader.byte()
        if kind == 0:  # a function, with the number of its type
            reader.number()
        elif kind == 3:  # a global: type, and whether it changes
            reader.at += 2
        else:  # a table, after its type, or a memory: limits
            reader.at += kind == 1
            for _ in range(1 + (reader.byte() & 1)):
                reader.number()
    return found


def functions_in(symbols: Reader) -> dict[str, int]:
    """Return the functions that an object file defines, by name: their indices (WebAssembly tool conventions,
    Linking.md). `symbols` reads the section `linking`, after its name."""
    found = {}
    symbols.number()  # the version
    while symbols.at < len(symbols.data):
        kind = symbols.byte()
        reader = Reader(symbols.bytes())
        for _ in range(reader.number() if kind == SYMBOL_TABLE else 0):
            symbol, flags = reader.byte(), reader.number()
            if symbol == DATA:
                reader.name()
                for _ in range(0 if flags & UNDEFINED else 3):
                    reader.number()
                continue
            index = reader.number()
            if symbol != SECTION and (not flags & UNDEFINED or flags & NAMED):
                name = reader.name()
                if symbol == FUNCTION and not flags & UNDEFINED:
                    found[name] = index
    return found


def end_of_constants(sections: Sequence[tuple[int, bytes]]) -> int:
    """Return the first address after the constants of a module."""
    reader = Reader(next((content for kind, content in sections if kind == SEGMENTS), b"\0"))
    end = 0
    for _ in range(reader.number()):
        reader.at += 2  # in memory 0, at a constant address
        begin = reader.number()
        reader.at += 1
        end = max(end, begin + len(reader.bytes()))
    return end


def exporting(head: bytes, sections: Sequence[tuple[int, bytes]], names: Sequence[str]) -> bytes:
    """Return the module with an export section, and without the custom sections that only linkers read."""
    functions: dict[str, int] = {}
    for kind, content in sections:
        reader = Reader(content)
        if kind == CUSTOM and reader.name() == "linking":
            functions = functions_in(reader)
    rows = [sized(name.encode()) + b"\0" + number(functions[symbol_of(name)]) for name in names]
    exports = EXPORT, number(len(rows)) + b"".join(rows)
    before = [one for one in sections if CUSTOM < one[0] < START]
    after = [one for one in sections if one[0] >= START]
    return head + b"".join(bytes([kind]) + sized(content) for kind, content in (*before, exports, *after))


def exported(name: str, result: Any) -> Exported:
    """Return the description of a function to export, from the result of compiling it."""
    signature = result.signature
    takes, gives = tuple(map(type_of, signature.args)), type_of(signature.return_type)
    return Exported(name, result.fndesc.llvm_func_name, takes, gives)


def type_of(kind: Any) -> str:
    """Return the type of a parameter or of a result as used in Exported, or Numba's own name if there is none."""
    from numba import types

    match kind:
        case types.Record():
            return "record"
        case types.Array(dtype=types.Record() as record):
            return f"states {record.size}"
        case types.Array(dtype=types.Number() as element):
            return f"array {element.bitwidth // 8}"
        case types.Integer():
            return "int"
    return str(kind)
