"""Numba's cache of compiled functions, in a folder whose name says all that the code in it depends on.

By itself Numba looks for the code of a function under the path of its source, throws it away when a comment there has
changed, and keeps it beside the source where the folder cannot be written: under a key that says too little.

This leans on parts of Numba that it does not promise to keep. Where one is missing or works otherwise, Numba's own
cache is told to use the folder (`keep_in_own_way`).
"""

from __future__ import annotations

import contextlib
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairdeal.engine.compile import linking

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

    if linking.is_left_to_numba():
        keep_in_own_way(folder, dispatcher)
        return
    compile_now = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        with global_compiler_lock, alone(folder, dispatcher.py_func.__qualname__):
            return compile_now(signature)

    _ = dispatcher._cache  # raises AttributeError if it has another name
    dispatcher._cache = cache_in(folder, dispatcher.py_func)
    dispatcher.compile = compile_alone


def keep_in_own_way(folder: Path, dispatcher: Any) -> None:
    """Have Numba's own cache use this folder. If it cannot be written, nothing is saved: Numba would save its code
    beside the source, under a key that says too little."""
    from numba import config
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            dispatcher.enable_caching()
        except Exception as problem:  # an OSError, or what Numba says of a function that it cannot cache
            warnings.warn(f"{UNSAVED}: {problem}", RuntimeWarning, stacklevel=2)
        finally:
            config.CACHE_DIR = before


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
            if linking.is_left_to_numba():
                return None
            try:
                return super().load_overload(signature, context)
            except OSError:  # saving will tell of it
                return None
            except Exception as problem:  # a file that was cut short may raise anything
                return self.forget(signature, context, problem)

        def forget(self, signature: Any, context: Any, problem: Exception) -> None:
            """Remove what cannot be read. If even the empty cache cannot be read, the files are not to blame."""
            try:
                with contextlib.suppress(FileNotFoundError):
                    self.flush()
                super().load_overload(signature, context)
            except OSError:
                pass
            except Exception as other:
                linking.leave_to_numba(other)
                return
            warnings.warn(f"compiled code cannot be read: {problem!r}", RuntimeWarning, stacklevel=3)

        def save_overload(self, signature: Any, code: Any) -> None:
            if linking.is_left_to_numba():
                return
            try:
                super().save_overload(signature, code)
            except OSError as problem:
                warnings.warn(f"{UNSAVED}: {problem}", RuntimeWarning, stacklevel=2)
            except Exception as problem:
                linking.leave_to_numba(problem)

    cache = Cache(function)
    if Path(cache.cache_path) != folder:
        raise AttributeError(f"compiled code would be kept in {cache.cache_path}")
    return cache
