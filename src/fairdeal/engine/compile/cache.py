"""Numba's cache of compiled functions, in a folder whose name is derived from everything that the code depends on.

By default Numba looks up the code of a function by the path of its source file, and discards it whenever the file
changes, even by a comment. If the cache folder is not writable, Numba saves code next to the source, under a key that
does not cover every dependency.

This module uses private parts of Numba. If one of them is missing or has changed, Numba's own cache saves the code in
the folder instead (`keep_in_own_way`).
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fairdeal.engine.compile import linking
from fairdeal.engine.files import unlock, wait_for_lock

UNSAVED = "compiled code cannot be saved"
"""The first words of the warning about code that cannot be saved. In a process that compiles for another process, the
warning is an error."""


OTHERS_MAY_READ, OTHERS_MAY_WRITE = 0o077, 0o022


def private(folder: Path) -> Path:
    """Return the cache folder `folder`, made readable by this user only. Code written into it runs as this user.

    If other users could write to it or to its parent folder, its content is deleted first. If either belongs to another
    user, issue a RuntimeWarning and return a folder that only this process uses. Windows protects the user's folders by
    other means.
    """
    if sys.platform == "win32":
        return folder
    for place in (folder.parent, folder):
        try:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:  # saving will warn about it
            return folder
        try:
            close(place)
        except OSError:
            distrust(place)
            return Path(own_folder().name) / folder.name
    return folder


def close(folder: Path) -> None:
    """Make a folder readable by this user only, after deleting its content if other users could change it. Raises
    OSError if that is impossible."""
    found = folder.lstat()
    if (sys.platform != "win32" and found.st_uid != os.geteuid()) or not stat.S_ISDIR(found.st_mode):
        raise PermissionError(f"{folder} is not a folder of this user")
    if found.st_mode & OTHERS_MAY_READ:
        folder.chmod(0o700)
    if found.st_mode & OTHERS_MAY_WRITE:
        try:
            empty(folder)
        except OSError:
            folder.chmod(stat.S_IMODE(found.st_mode))  # or the next process would trust it
            raise


def empty(folder: Path) -> None:
    """Delete the content of a folder."""
    for place in folder.iterdir():
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()


@functools.cache
def distrust(place: Path) -> None:
    """Warn, once, about a folder that cannot be made private."""
    problem = f"{UNSAVED}: {place} is not yours alone, so it is not read; set FAIRDEAL_CACHE to a folder of yours"
    warnings.warn(problem, RuntimeWarning, stacklevel=2)


@functools.cache
def own_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for this process only, which is deleted when the process ends."""
    return tempfile.TemporaryDirectory(prefix="fairdeal-", ignore_cleanup_errors=True)


def keep_in(folder: Path, dispatcher: Any) -> None:
    """Make a dispatcher load its compiled code from `folder` and save it there.

    Code that cannot be read is compiled again. Code that cannot be saved is still used, with a RuntimeWarning. If
    several processes need the code, one compiles it, and the others wait and load the result.
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
    """Make Numba's own cache use `folder`. If the folder is not writable, nothing is saved. Numba would otherwise save
    the code next to the source, under a key that does not cover every dependency."""
    from numba import config
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock:
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            dispatcher.enable_caching()
        except Exception as problem:  # an OSError, or Numba's error for a function that it cannot cache
            warnings.warn(f"{UNSAVED}: {problem}", RuntimeWarning, stacklevel=2)
        finally:
            config.CACHE_DIR = before


@contextlib.contextmanager
def alone(folder: Path, name: str) -> Iterator[None]:
    """Prevent other processes on this machine from running the block with the same folder and name, if files can be
    locked."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context((folder / f"{name}.lock").open("wb"))
            wait_for_lock(file.fileno())
            stack.callback(unlock, file.fileno())  # otherwise a fork of this process would keep the lock
        yield


def cache_in(folder: Path, function: Any, of_many: bool = False) -> Any:
    """Return Numba's cache of compiled code by signature, in `folder`. It is for one function or, if `of_many`, for
    many functions linked into one library."""

    from numba.core import caching

    class Locator(caching.UserProvidedCacheLocator):  # type: ignore[misc]
        """A locator that finds the code of a function by the function's name alone."""

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
            except OSError:  # saving will warn about it
                return None
            except Exception as problem:  # a truncated file may raise anything
                return self.forget(signature, context, problem)

        def forget(self, signature: Any, context: Any, problem: Exception) -> None:
            """Remove cache files that cannot be read. If even an empty cache raises an error, the files are not the
            cause, and caching is left to Numba."""
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
        raise AttributeError(f"compiled code would be stored in {cache.cache_path}")
    return cache
