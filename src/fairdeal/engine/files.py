"""Functions that read the text of files from any system, TOML in the package of a game, and untrusted JSON, and
functions that write files of this user."""

import codecs
import contextlib
import difflib
import os
import secrets
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from fairdeal.engine.errors import FairdealError

Told = TypeVar("Told")


MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
"""Byte order marks, with which Notepad and PowerShell begin files, and what follows them."""


def decoded(content: bytes) -> str:
    """Return the text in a file or an upload from any system, without its byte order mark, and with the line ends of
    Unix. Raises UnicodeDecodeError if it is neither UTF-8 nor marked as UTF-16.

    >>> decoded(b"\xef\xbb\xbfsuit = 1\r\n")
    'suit = 1\n'
    """
    mark = next(filter(content.startswith, MARKS), b"")
    text = content.removeprefix(mark).decode(MARKS.get(mark, "utf-8"))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Traversable) -> str:
    """Return the text of a file. Raises OSError if it cannot be read, or FairdealError if it is not text."""
    try:
        return decoded(path.read_bytes())
    except UnicodeDecodeError as problem:
        raise FairdealError(f"{path}: not a text file: {problem}") from None


def read_json(path: Path, shape: type[Told]) -> Told:
    """Return the content of an untrusted JSON file, converted to the type `shape`. Raises OSError if it cannot be read,
    or msgspec.DecodeError if it cannot be decoded."""
    content = path.read_bytes()
    with any_problem():
        return from_json(decoded(content), shape)


def write_json(path: Path, value: Any) -> None:
    """Write a value to a file as indented JSON, as `write_whole` does."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(value)) + b"\n")


def read_bytes(place: str) -> bytes:
    """Return the content of a file of a package, such as `fairdeal.games.chi:page.toml`. Raises FairdealError if it
    cannot be read."""
    package, _, name = place.rpartition(":")
    try:
        return (files(package) / name).read_bytes()
    except (OSError, ModuleNotFoundError) as problem:
        raise FairdealError(f"{place}: {problem}") from None


def read_file(place: str, shape: type[Told]) -> Told:
    """Return the content of a TOML file of a package, such as `fairdeal.games.chi:page.toml`, converted to the type
    `shape`. Raises FairdealError, with the position of the problem, if that fails."""
    try:
        with any_problem():
            given = msgspec.toml.decode(decoded(read_bytes(place)))
        told = msgspec.convert(given, shape)
        check_names(given, told)
    except msgspec.DecodeError as problem:
        raise FairdealError(f"{place}: {problem}") from None
    return told


def check_names(given: Any, told: Any, path: str = "$") -> None:
    """Raise ValidationError if a file contains a key that is not a field of the struct read from it. Structs that a
    room also sends cannot forbid unknown fields themselves, because a terminal ignores fields that only newer rooms
    send."""
    if isinstance(told, msgspec.Struct):
        known = {field.encode_name: getattr(told, field.name) for field in msgspec.structs.fields(told)}
        for name, value in given.items():
            if name not in known:
                where = "" if path == "$" else f" - at `{path}`"
                near = "".join(f"; did you mean `{one}`?" for one in difflib.get_close_matches(name, known, n=1))
                raise msgspec.ValidationError(f"Object contains unknown field `{name}`{near}{where}")
            check_names(value, known[name], f"{path}.{name}")
    elif isinstance(told, dict):
        for name, value in given.items():
            check_names(value, told[name], f"{path}[...]")
    elif isinstance(told, tuple):
        for number, value in enumerate(given):
            check_names(value, told[number], f"{path}[{number}]")


def from_json(text: str | bytes, shape: type[Told]) -> Told:
    """Parse untrusted JSON as a value of the type `shape`. Raises msgspec.DecodeError if that fails, even for text that
    is nested very deeply or is not UTF-8.

    >>> from_json("[1, 2]", list[int])
    [1, 2]
    """
    with any_problem():
        return msgspec.json.decode(text, type=shape)


def user_file(name: str) -> Path:
    """Return the path of a file or folder in this user's data folder."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("fairdeal", appauthor=False)) / name


def write_whole(path: Path, content: str | bytes, mode: int = 0o644, syncs: bool = True) -> None:
    """Write a file atomically with the permissions `mode`. Its folder is created if necessary. If `syncs` is true, the
    file is also written to disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            if syncs:
                file.flush()
                os.fsync(file.fileno())
        move_over(beside, path)
        if syncs:
            sync_folder(path.parent)
    finally:
        beside.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Write the names of the files in a folder to disk. Windows does so by itself."""
    if sys.platform != "win32":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def move_over(new: Path, path: Path) -> None:
    """Give a complete file its name, instead of the file that has it. Windows refuses that while another program reads
    the old file, such as a virus scanner, so it is tried again for a second."""
    for pause in (0.01, 0.03, 0.1, 0.3, 0.6) if sys.platform == "win32" else ():
        try:
            new.replace(path)
            return
        except PermissionError:
            time.sleep(pause)
    new.replace(path)


# --- locks --------------------------------------------------------------------------------------------------

if sys.platform == "win32":
    import msvcrt

    BEYOND = 1 << 20
    """Offset of the locked byte. Locked bytes cannot be read, but the content of the file must stay readable."""

    def lock(file: int, mode: int) -> None:
        os.lseek(file, BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(file, mode, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)

    def is_locked_now(file: int) -> bool:
        try:
            lock(file, msvcrt.LK_NBLCK)
        except PermissionError:
            return False
        return True

    def wait_for_lock(file: int) -> None:
        while not is_locked_now(file):
            time.sleep(0.05)

    def unlock(file: int) -> None:
        lock(file, msvcrt.LK_UNLCK)
else:
    import fcntl

    def is_locked_now(file: int) -> bool:
        """Try to lock a file, and return whether that succeeded. The lock is released when the process ends for any
        reason."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait_for_lock(file: int) -> None:
        """Lock a file as soon as no other process has locked it. Raises OSError if files cannot be locked there."""
        fcntl.flock(file, fcntl.LOCK_EX)

    def unlock(file: int) -> None:
        """Release the lock of a file, also for forks of this process."""
        fcntl.flock(file, fcntl.LOCK_UN)


@contextlib.contextmanager
def any_problem() -> Iterator[None]:
    """Raise msgspec.DecodeError for any text that the decoders in the block cannot decode."""
    try:
        yield
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeError:
        raise msgspec.DecodeError("it is not UTF-8 text") from None
