"""Compiling all that Python calls of a game as one piece of code.

By itself Numba optimizes every function together with copies of all that it calls, and again in each of its callers.
Here it types and lowers rules one by one; then all of them are linked into one module, which is optimized once, called
ones before their callers. What is compiled later calls the code that is there by its name, and has no copy of it.

This leans on parts of Numba that it does not promise to keep: `parts` is None where they are missing, and rules are
then compiled in Numba's own way.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Dispatcher = Any
Result = Any
Library = Any

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of variables begin that hold a function's Python globals."""

YOUNG = 10_000
"""After how many new objects Python looks for garbage while rules are typed. What Numba makes mostly stays, so looking
after every 700 finds little and takes a fifteenth of the time; more than this saves nothing."""

NEEDED = {
    "CompilerBase": ("_compile_core",),
    "JITCodeLibrary": ("_finalize_final_module", "_get_module_for_linking", "_raise_if_finalized", "add_llvm_module"),
    "JITCPUCodegen": ("_module_pass_manager", "set_env"),
}
"""What Numba's classes have to have."""


@dataclass(frozen=True)
class Linked:
    """Results of compiling that have their code in common."""

    results: Sequence[Result]

    @property
    def library(self) -> Library:
        return self.results[0].library

    @property
    def codegen(self) -> Any:
        return self.results[0].codegen


@functools.cache
def parts() -> type | None:
    """The compiler whose results are parts: code that is neither optimized nor ready to run."""
    try:
        return compiler_of_parts()
    except (AttributeError, ImportError) as problem:
        words = "rules are compiled one by one, which takes two to four times as long: this Numba is made otherwise"
        warnings.warn(f"{words}, {problem}", RuntimeWarning, stacklevel=2)
        return None


def compiler_of_parts() -> type:
    from numba import _dynfunc
    from numba.core import codegen, compiler, compiler_machinery, typed_passes

    for name, needed in NEEDED.items():
        home = codegen if hasattr(codegen, name) else compiler
        for attribute in needed:
            getattr(getattr(home, name), attribute)

    class Part(codegen.JITCodeLibrary):  # type: ignore[misc]
        """What Numba makes of one rule."""

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
            # not to be called: Numba finds by it what other rules call
            handle = _dynfunc.make_function(lowered.fndesc.lookup_module(), name, name, 0, lowered.env, (library,))
            state.targetctx.insert_user_function(handle, lowered.fndesc, [library])
            state.reload_init.extend(library._reload_init)
            state["cr"] = lowered._replace(cfunc=handle)
            return True

    class Compiler(compiler.CompilerBase):  # type: ignore[misc]
        def _compile_core(self) -> Result:
            # Numba keeps what it makes of `int` and the like by the flags of the rule that calls it: all have the same
            flags = self.state.flags
            self.own = flags.forceinline, flags.no_cpython_wrapper
            flags.forceinline, flags.no_cpython_wrapper = False, True
            return super()._compile_core()

        def define_pipelines(self) -> list[Any]:
            flags = self.state.flags
            flags.forceinline, flags.no_cpython_wrapper = self.own
            steps = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state, "parts")
            steps.passes = [
                (Lowering if step is typed_passes.NativeLowering else step, words) for step, words in steps.passes
            ]
            steps.finalize()
            return [steps]

    return Compiler


def dispatcher_of_parts(function: Callable[..., Any], options: Mapping[str, Any]) -> Dispatcher:
    """What compiles a rule as a part: once for whole numbers of any width, as Python has only one kind of them."""
    import numba

    part = numba.njit(pipeline_class=parts(), **options)(function)
    fold = part._compiler.fold_argument_types

    def fold_wide(args: Sequence[Any], names: Mapping[str, Any]) -> tuple[Any, tuple[Any, ...]]:
        signature, folded = fold(args, names)
        return signature, tuple(wide(kind) for kind in folded)

    part._compiler.fold_argument_types = fold_wide
    return part


def wide(kind: Any) -> Any:
    """The type as which a rule is given what its caller has as this one. Constants are numbers like others."""
    from numba import types

    plain = kind.literal_type if isinstance(kind, (types.IntegerLiteral, types.BooleanLiteral)) else kind
    return types.int64 if isinstance(plain, types.Integer) and plain.bitwidth < 64 else plain


def enter(dispatcher: Dispatcher, part: Dispatcher) -> None:
    """Have a dispatcher compile what another one makes of the same function as a part."""

    def compile_linked(args: Sequence[Any], return_type: Any) -> Result:
        (result,) = linked([part_of(part, args, return_type)]).results
        part.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result

    dispatcher._compiler._compile_core = compile_linked
    dispatcher.part = part


@contextlib.contextmanager
def collecting_seldom() -> Iterator[None]:
    """Have Python look for garbage less often than it does."""
    usual = gc.get_threshold()
    if 0 < usual[0] < YOUNG:
        gc.set_threshold(YOUNG, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@collecting_seldom()
def part_of(part: Dispatcher, args: Sequence[Any], return_type: Any = None) -> Result:
    """What a compiler of parts makes of a rule for these types of arguments."""
    part.compile(tuple(args) if return_type is None else return_type(*args))
    return part.overloads[tuple(args)]


def adopt(dispatchers: Iterable[Dispatcher], code: Linked) -> None:
    """Have dispatchers call this code: each the result in its place."""
    for dispatcher, result in zip(dispatchers, code.results, strict=True):
        dispatcher.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        dispatcher.add_overload(result)


def linked(results: Sequence[Result]) -> Linked:
    """These parts and all that they call as code that can run, optimized once."""
    context = results[0].target_context
    generator = context.codegen()
    library = finished(generator.create_library("linked"))
    library.enable_object_caching()
    module = library._final_module
    ours: set[str] = set()
    for called in reversed(libraries_of(results)):  # a function that nobody has asked for yet would not be taken over
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
        variable.linkage = "linkonce_odr"  # what nobody reads is left out
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
    return Linked(made)


def is_part(library: Library) -> bool:
    return getattr(library, "is_part", False)


def finished(library: Library) -> Library:
    """The library of linked code, marked: others find what they call of it by its name."""
    library.is_finished = True
    return library


def is_finished(library: Library) -> bool:
    return getattr(library, "is_finished", False)


def libraries_of(results: Iterable[Result]) -> list[Library]:
    """All that these parts call and are, called ones first; what Numba has compiled in its own way is whole."""
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
    """Linked code in a form that can be saved."""
    for result in code.results:
        result.fndesc.typemap = result.fndesc.calltypes = None
    entries = [(result.fndesc, result.environment, result.signature) for result in code.results]
    environments = code.results[0]._find_referenced_environments()
    return code.library.serialize_using_object_code(), entries, tuple(code.library._reload_init), environments


def rebuilt(context: Any, saved: Any) -> Linked:
    """Linked code that was saved."""
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
