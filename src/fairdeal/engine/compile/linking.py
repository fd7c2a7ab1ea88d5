"""Compilation of all functions of a game that Python calls into a single library.

By default Numba optimizes every function together with copies of all the functions that it calls, and does so again in
each of its callers. Here Numba types and lowers rules one by one. They are then linked into one module, which is
optimized once, callees before callers. Functions compiled later call the existing code by name instead of copying it.

This module uses private parts of Numba. If one of them is missing or has changed, rules are compiled and cached with
Numba's own methods (`linked_or_own`), with the same results. Setting the environment variable `FAIRDEAL_LINKING=0`
selects Numba's methods without a warning. `python -m tests.engine.compare_numba` compares the results.
"""

import contextlib
import functools
import gc
import os
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeVar

Dispatcher = Any
Result = Any
Library = Any
T = TypeVar("T")

SWITCH = "FAIRDEAL_LINKING"
"""Environment variable that disables linking: `0` leaves compiling and caching to Numba (default: `1`)."""

ENVIRONMENT = "_ZN08NumbaEnv"
"""Prefix of the names of variables that hold a function's Python globals."""

YOUNG = 10_000
"""Number of new objects after which Python collects garbage while rules are typed. Most objects that Numba allocates
survive, so collecting after every 700 objects, as Python does by default, frees little and takes a fifteenth of the
time. A higher number saves no more time."""

NEEDED: dict[str, str] = {
    "core.base.BaseContext": "insert_user_function refresh",
    "core.caching.CacheImpl": "_locator_classes check_cachable get_filename_base rebuild reduce",
    "core.caching.CompileResultCacheImpl": "_locator_classes",
    "core.caching.FunctionCache": "_impl_class cache_path flush load_overload save_overload",
    "core.caching.UserProvidedCacheLocator": "from_function get_cache_path get_disambiguator get_source_stamp",
    "core.codegen.CPUCodeLibrary": "enable_object_caching serialize_using_object_code",
    "core.codegen.JITCPUCodegen": "_module_pass_manager set_env unserialize_library",
    "core.codegen.JITCodeLibrary": "_finalize_final_module _get_module_for_linking _raise_if_finalized add_llvm_module "
    "finalize",
    "core.compiler": "compile_result",
    "core.compiler.CompileResult": "_find_referenced_environments",
    "core.compiler.CompilerBase": "_compile_core define_pipelines",
    "core.compiler.DefaultPassBuilder": "define_nopython_pipeline",
    "core.compiler_machinery.PassManager": "_runPass finalize",
    "core.cpu.CPUContext": "get_executable",
    "core.dispatcher.Dispatcher": "add_overload compile disable_compile",
    "core.dispatcher._FunctionCompiler": "_compile_core fold_argument_types",
    "core.typed_passes.NativeLowering": "run_pass",
    "core.typed_passes.NopythonRewrites": "run_pass",
    "core.types.functions.BaseFunction": "get_call_type get_impl_key",
    "core.typing.context.BaseContext": "load_additional_registries refresh",
    "core.untyped_passes.InlineClosureLikes": "run_pass",
    "_dynfunc": "make_function",
}
"""Attributes that Numba's classes and modules must have. Other incompatibilities are found only when rules are
compiled."""


@dataclass(frozen=True)
class Linked:
    """Compilation results that share one library. `unoptimized` is the text of its LLVM module before optimization, or
    "" if it was not kept."""

    results: Sequence[Result]
    unoptimized: str = ""

    @property
    def library(self) -> Library:
        return self.results[0].library

    @property
    def codegen(self) -> Any:
        return self.results[0].codegen


_problem: Exception | None = None
"""The error because of which rules are compiled and cached with Numba's own methods, or None if they are linked."""


def parts() -> type | None:
    """Return the class that compiles rules as parts, which are neither optimized nor ready to run. Return None if rules
    are compiled with Numba's own methods."""
    if not is_left_to_numba():
        try:
            return compiler_of_parts()
        except Exception as problem:
            leave_to_numba(problem)
    return None


def linked_or_own(link: Callable[[], T], own: Callable[[], T]) -> T:
    """Return the result of `link`, or the result of `own`, which compiles with Numba's own methods, if linking is
    disabled.

    If `link` raises an error and `own` does not, linking is disabled from then on. If both raise an error, the rules
    are at fault, and the error of `own` is raised.
    """
    global _problem
    if not parts():
        return own()
    try:
        return link()
    except Exception as problem:
        found = problem
    if is_left_to_numba():
        return own()
    _problem = found
    try:
        result = own()
    except BaseException:
        _problem = None
        raise
    leave_to_numba(found)
    return result


def leave_to_numba(problem: Exception) -> None:
    """Compile and cache with Numba's own methods from now on, and issue a warning."""
    global _problem
    _problem = problem
    words = "rules are compiled one by one, which takes two to four times as long: this Numba is not supported"
    warnings.warn(f"{words}, {type(problem).__name__}: {problem}", RuntimeWarning, stacklevel=3)


def is_left_to_numba() -> bool:
    """Return whether rules are compiled and cached with Numba's own methods."""
    return _problem is not None or os.environ.get(SWITCH) == "0"


def check_numba() -> None:
    """Check that Numba has all attributes in NEEDED. Raises AttributeError or ImportError."""
    for path, needed in NEEDED.items():
        home = pkgutil.resolve_name(f"numba.{path}")
        for attribute in needed.split():
            getattr(home, attribute)


@functools.cache
def compiler_of_parts() -> type:
    """Return the class that compiles rules as parts. Raises AttributeError or ImportError if it needs something that
    this version of Numba lacks."""
    check_numba()
    from numba import _dynfunc
    from numba.core import codegen, compiler, compiler_machinery, typed_passes, types, untyped_passes

    class Part(codegen.JITCodeLibrary):  # type: ignore[misc]
        """Numba's lowered code of one rule."""

        is_part = True

        def add_llvm_module(self, module: Any) -> None:
            module.data_layout = self._codegen._data_layout
            self._final_module.link_in(module)

        def finalize(self) -> None:
            self._raise_if_finalized()
            self._finalized = True

    @compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(typed_passes.NativeLowering):  # type: ignore[misc]
        _name = "lowering_of_parts"

        def run_pass(self, state: Any) -> bool:
            state.library = library = Part(state.targetctx.codegen(), state.func_id.func_qualname)
            state.flags.no_compile = True
            super().run_pass(state)
            lowered = state["cr"]
            name = lowered.fndesc.qualname
            # never called: through it Numba finds the rules that other rules call
            handle = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (library,))
            state.targetctx.insert_user_function(handle, lowered.fndesc, [library])
            state.reload_init.extend(library._reload_init)
            state["cr"] = lowered._replace(cfunc=handle)
            return True

    @compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
    class Closures(untyped_passes.InlineClosureLikes):  # type: ignore[misc]
        """A compiler pass that inlines closures. It is skipped for rules that contain no function or comprehension."""

        _name = "closures_of_parts"

        def run_pass(self, state: Any) -> bool:
            nested = any(isinstance(constant, CodeType) for constant in state.func_id.code.co_consts)
            return bool(super().run_pass(state)) if nested else False

    @compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)
    class Rewrites(typed_passes.NopythonRewrites):  # type: ignore[misc]
        """A compiler pass that fuses whole-array expressions into one loop. It is skipped for rules that have no such
        expressions."""

        _name = "rewrites_of_parts"

        def run_pass(self, state: Any) -> bool:
            made = (getattr(call, "return_type", None) for call in state.calltypes.values())
            return bool(super().run_pass(state)) if any(isinstance(kind, types.Array) for kind in made) else False

    class Steps(compiler_machinery.PassManager):  # type: ignore[misc]
        """A pass manager that only runs the passes. Numba's own pass manager also records all types and measures each
        pass."""

        def _runPass(self, index: int, step: Any, state: Any) -> None:
            step.analysis = self._analysis
            step.run_initialization(state)
            step.run_pass(state)
            step.run_finalizer(state)

    instead = {
        typed_passes.NativeLowering: Lowering,
        typed_passes.NopythonRewrites: Rewrites,
        untyped_passes.InlineClosureLikes: Closures,
    }

    class Compiler(compiler.CompilerBase):  # type: ignore[misc]
        def __init__(self, typing: Any, target: Any, *others: Any) -> None:
            typing.refresh = target.refresh = lambda: None  # nothing is new since `part_of`
            try:
                super().__init__(typing, target, *others)
            finally:
                for home in (typing, target, self.state.targetctx):
                    vars(home).pop("refresh", None)

        def _compile_core(self) -> Result:
            # Numba caches its code for `int` and the like by the flags of the calling rule, so all rules get equal
            # flags
            flags = self.state.flags
            self.own = flags.forceinline, flags.no_cpython_wrapper
            flags.forceinline, flags.no_cpython_wrapper = False, True
            return super()._compile_core()

        def define_pipelines(self) -> list[Any]:
            flags = self.state.flags
            flags.forceinline, flags.no_cpython_wrapper = self.own
            usual = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            steps = Steps("parts")
            steps.passes = [(instead.get(step, step), words) for step, words in usual.passes]
            steps.finalize()
            return [steps]

    return Compiler


def dispatcher_of_parts(function: Callable[..., Any], options: Mapping[str, Any]) -> Dispatcher:
    """Return the dispatcher that compiles a rule as a part, once for all integer widths, because Python has only one
    integer type."""
    import numba

    part = numba.njit(pipeline_class=parts(), **options)(function)
    fold = part._compiler.fold_argument_types

    def fold_wide(args: Sequence[Any], names: Mapping[str, Any]) -> tuple[Any, tuple[Any, ...]]:
        signature, folded = fold(args, names)
        return signature, tuple(wide(kind) for kind in folded)

    part._compiler.fold_argument_types = fold_wide
    return part


def wide(kind: Any) -> Any:
    """Return the type in which a rule receives an argument whose type in the caller is `kind`. Constants are treated as
    numbers."""
    from numba import types

    plain = kind.literal_type if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)) else kind
    return types.int64 if isinstance(plain, types.Integer) and plain.bitwidth < 64 else plain


def enter(dispatcher: Dispatcher, part: Dispatcher, own: Callable[[], Dispatcher]) -> None:
    """Make `dispatcher` compile its function by linking `part`, which is the same function compiled as a part. If that
    fails, use the result of `own()`, which compiles with Numba's own methods."""

    def compile_linked(args: Sequence[Any], return_type: Any) -> Result:
        (result,) = linked([part_of(part, args, return_type)]).results
        part.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result

    def compile_own(args: Sequence[Any], return_type: Any) -> Result:
        compile_now(own(), args, return_type)
        return own().overloads[tuple(args)]._replace(metadata=None)  # otherwise both record their compile time

    def compile_core(args: Sequence[Any], return_type: Any) -> Result:
        return linked_or_own(lambda: compile_linked(args, return_type), lambda: compile_own(args, return_type))

    dispatcher._compiler._compile_core = compile_core
    dispatcher.part = part


def compile_now(dispatcher: Dispatcher, args: Sequence[Any], return_type: Any) -> None:
    dispatcher.compile(tuple(args) if return_type is None else return_type(*args))


@contextlib.contextmanager
def collecting_seldom() -> Iterator[None]:
    """Make Python collect garbage less often inside the block."""
    usual = gc.get_threshold()
    if 0 < usual[0] < YOUNG:
        gc.set_threshold(YOUNG, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


_meanings: dict[Any, Any] = {}
"""Results of Numba's overload resolution, by function, argument types and flags of the caller."""


@contextlib.contextmanager
def asking_once(context: Any) -> Iterator[None]:
    """Make Numba resolve its own functions on numbers, arrays and records only once inside the block. By default it
    tries every overload of `+` for every `+`. Also make it look for new functions in its libraries only once, instead
    of for every rule."""
    from numba import types
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.targetconfig import ConfigStack

    plain = (types.Number, types.Boolean, types.Literal, types.Array, types.Record)
    home = types.functions.BaseFunction
    with global_compiler_lock:
        find = home.get_call_type

        def find_once(function: Any, typing: Any, args: Any, named: Any) -> Any:
            if named or not all(isinstance(kind, plain) for kind in args):
                return find(function, typing, args, named)
            key = function, typing, tuple(args), ConfigStack.top_or_none()
            if key not in _meanings:
                found = find(function, typing, args, named)
                _meanings[key] = found, function.get_impl_key(found)
            found, made = _meanings[key]
            function._impl_keys[found.args] = made  # other flags may have left another value there
            return found

        context.refresh()
        home.get_call_type = find_once
        try:
            yield
        finally:
            home.get_call_type = find


@collecting_seldom()
def part_of(part: Dispatcher, args: Sequence[Any], return_type: Any = None) -> Result:
    """Return the part to which a rule compiles for these argument types."""
    with asking_once(part.targetctx):
        compile_now(part, args, return_type)
    return part.overloads[tuple(args)]


def adopt(dispatchers: Iterable[Dispatcher], code: Linked) -> None:
    """Make each dispatcher call its result in linked code."""
    for dispatcher, result in zip(dispatchers, code.results, strict=True):
        dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        dispatcher.add_overload(result)


def linked(results: Sequence[Result], is_kept: bool = False) -> Linked:
    """Link parts, and everything that they call, into executable code that is optimized once. If `is_kept`, keep the
    text of the module before optimization."""
    context = results[0].target_context
    generator = context.codegen()
    library = finished(generator.create_library("linked"))
    library.enable_object_caching()
    module = library._final_module
    ours: set[str] = set()
    for called in reversed(libraries_of(results)):  # a function that nothing uses yet would not be linked in
        library._reload_init.update(called._reload_init)
        if is_part(called):
            ours.update(function.name for function in called._final_module.functions if not function.is_declaration)
            module.link_in(called._final_module, preserve=True)
        elif not is_finished(called):
            module.link_in(called._get_module_for_linking(), preserve=True)
    descriptions = [result.fndesc for result in results]
    kept = {it.llvm_func_name for it in descriptions} | {it.llvm_cpython_wrapper_name for it in descriptions}
    for function in module.functions:
        if function.name in ours and not function.is_declaration and function.name not in kept:
            function.linkage = "internal"
    for variable in environments_in(module):
        variable.linkage = "linkonce_odr"  # drops variables that nothing reads
    unoptimized = str(module) if is_kept else ""
    manager, builder = generator._module_pass_manager()
    manager.run(module, builder)
    for variable in environments_in(module):
        variable.linkage = "common"
    module.verify()
    library._finalize_final_module()
    made = []
    for result in results:
        call = context.get_executable(library, result.fndesc, result.environment)
        inits = list(library._reload_init)
        made.append(result._replace(entry_point=call, library=library, reload_init=inits, metadata=None))
    for environment in made[0]._find_referenced_environments():
        generator.set_env(environment.env_name, environment)
    return Linked(made, unoptimized)


def is_part(library: Library) -> bool:
    return getattr(library, "is_part", False)


def finished(library: Library) -> Library:
    """Mark a library as linked, so that other libraries find the functions that they call in it by name."""
    library.is_finished = True
    return library


def is_finished(library: Library) -> bool:
    return getattr(library, "is_finished", False)


def libraries_of(results: Iterable[Result]) -> list[Library]:
    """Return the libraries of the given parts and of everything that they call, callees first. Libraries that Numba
    compiled itself already contain their callees."""
    order: dict[Library, None] = {}

    def visit(library: Library) -> None:
        if library not in order:
            for called in library._linking_libraries if is_part(library) else ():
                visit(called)
            order[library] = None

    for result in results:
        visit(result.library)
    return list(order)


def environments_in(module: Any) -> list[Any]:
    return [variable for variable in module.global_variables if variable.name.startswith(ENVIRONMENT)]


def reduced(code: Linked) -> Any:
    """Return linked code in a form that can be saved to disk."""
    for result in code.results:
        result.fndesc.typemap = result.fndesc.calltypes = None
    entries = [(result.fndesc, result.environment, result.signature) for result in code.results]
    environments = code.results[0]._find_referenced_environments()
    return code.library.serialize_using_object_code(), entries, tuple(code.library._reload_init), environments


def rebuilt(context: Any, saved: Any) -> Linked:
    """Return linked code, restored from its saved form."""
    from numba.core.compiler import compile_result

    machine_code, entries, inits, environments = saved
    for init in inits:
        init()
    library = finished(context.codegen().unserialize_library(machine_code))
    made = [
        compile_result(
            target_context=context,
            typing_context=context.typing_context,
            library=library,
            environment=environment,
            entry_point=context.get_executable(library, fndesc, environment),
            fndesc=fndesc,
            type_annotation="",
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=list(inits),
        )
        for fndesc, environment, signature in entries
    ]
    for environment in environments:
        library.codegen.set_env(environment.env_name, environment)
    return Linked(made)
