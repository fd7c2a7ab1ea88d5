"""Numba's cache of compiled functions, in a folder whose name says all that the code in it depends on.

By itself Numba looks for the code of a function under the path of its source, throws it away when a comment there has
changed, and keeps it beside the source where the folder cannot be written: under a key that says too little.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairdeal.engine import linking

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

UNSAVED = "compiled code cannot be saved"
"""How the warning begins; in a process that compiles for another one it is an error."""


def keep_in(folder: Path, dispatcher: Any) -> None:
    """Have a dispatcher load its compiled code from this folder, and save it there.

    What cannot be read is compiled again. What cannot be saved is used all the same, with a RuntimeWarning. Of several
    processes one compiles, and the others wait and load what it has saved.
    """
    from numba.core.compiler_lock import global_compiler_lock

    compile_now = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        with global_compiler_lock, alone(folder, dispatcher.py_func.__qualname__):
            return compile_now(signature)

    dispatcher._cache = cache_in(folder, dispatcher.py_func)
    dispatcher.compile = compile_alone


@contextlib.contextmanager
def alone(folder: Path, name: str) -> Iterator[None]:
    """Let no other process of this machine do the same thing in this folder meanwhile, where files can be locked."""
    with contextlib.ExitStack() as stack:
        if fcntl is not None:
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context((folder / f"{name}.lock").open("w"))
                fcntl.flock(file, fcntl.LOCK_EX)
                stack.callback(fcntl.flock, file, fcntl.LOCK_UN)  # or a fork of this process would hold it on
        yield


def cache_in(folder: Path, function: Any, of_many: bool = False) -> Any:
    """Numba's cache of compiled code by signatures, in this folder: of a function, or of many linked into one."""

    from numba.core import caching

    class Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
        """Finds the code of a function by its name alone."""

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return ""

        def get_disambiguator(self) -> str:
            return ""

        @classmethod
        def from_function(cls, function: Any, path: str) -> Locator:
            return cls(function, path)

    class OfOne(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class OfMany(caching.CacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

        def get_filename_base(self, fullname: str, abiflags: str) -> str:
            return f"linked-{super().get_filename_base(fullname, abiflags)}"

        def reduce(self, code: linking.Linked) -> Any:
            return linking.reduced(code)

        def rebuild(self, context: Any, saved: Any) -> linking.Linked:
            return linking.rebuilt(context, saved)

        def check_cachable(self, code: linking.Linked) -> bool:
            return not code.library.has_dynamic_globals

    class Cache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = OfMany if of_many else OfOne

        def load_overload(self, signature: Any, context: Any) -> Any:
            try:
                return super().load_overload(signature, context)
            except OSError:  # saving will tell of it
                return None
            except Exception as problem:  # a file that was cut short may raise anything
                warnings.warn(f"compiled code cannot be read: {problem!r}", RuntimeWarning, stacklevel=2)
                with contextlib.suppress(OSError):
                    self.flush()
                return None

        def save_overload(self, signature: Any, code: Any) -> None:
            try:
                super().save_overload(signature, code)
            except OSError as problem:
                warnings.warn(f"{UNSAVED}: {problem}", RuntimeWarning, stacklevel=2)

    return Cache(function)
