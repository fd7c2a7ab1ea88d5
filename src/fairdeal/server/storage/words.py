"""Six words under which a guest keeps a name. Anyone who knows them is this guest, on any device.

Nobody chooses the words: they are drawn from a list of 7,775, which gives 77.5 bits. So a single SHA-256 without a salt
is as hard to invert as the words are to guess, and a guest is found by it; a password would need a slow hash. The list
is the long one of the Electronic Frontier Foundation (Joseph Bonneau, 2016, CC BY 3.0 US) without the hyphens of four
words, one of which is then there twice.
"""

import functools
import hashlib
import re
import secrets
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import read_text
from fairdeal.server.limits import TooMany
from fairdeal.server.storage.store import alone, devices, guests, kept, put
from fairdeal.table.names import NAMELESS, check_name, looks

NUMBER = 6
"""Number of words."""

KEPT = "kept names"
"""The words with which transactions are `alone` that look for a name among the kept ones."""

is_kept = kept.c.hash.is_not(None)
kept_guests = sa.select(kept.c.guest).where(is_kept)


@functools.cache
def all_words() -> tuple[str, ...]:
    """Return the list."""
    return tuple(read_text(Path(__file__).with_name("words.txt")).split())


def read_words(text: str) -> str:
    """Return words as they are stored: in small letters with hyphens. Everything but their letters is ignored, and so
    is the address of a link before them. Raises FairdealError if they cannot be right."""
    found = re.findall(r"[^\W\d_]+", text.rpartition("#")[2].casefold())
    for word in found:
        if word not in all_words():
            raise FairdealError(f"“{word}” is none of the room’s words; compare it with what you wrote down")
    if len(found) != NUMBER:
        raise FairdealError(f"a name is kept under {NUMBER} words, and these are {len(found)}")
    return "-".join(found)


def new_words() -> str:
    return "-".join(secrets.choice(all_words()) for _ in range(NUMBER))


def hash_of(words: str) -> str:
    return hashlib.sha256(f"fairdeal words {words}".encode()).hexdigest()


def kept_by(connection: sa.Connection, guest: str) -> Any:
    """Return the row of a guest who keeps a name, or None."""
    return connection.execute(sa.select(kept).where(kept.c.guest == guest, is_kept)).first()


def kept_under(connection: sa.Connection, words: str) -> Any:
    """Return the row of the guest who keeps a name under these words. Raises FairdealError if there is none."""
    found = connection.execute(sa.select(kept).where(kept.c.hash == hash_of(read_words(words)))).first()
    if found is None:
        raise FairdealError("no name is kept under these words; they may have been replaced by new ones")
    return found


def kept_by_others(connection: sa.Connection, guest: str, name: str) -> frozenset[str]:
    """Return the skeletons of names that look like `name` and that other guests keep."""
    alike = sa.or_(kept.c.skeleton.in_(looks(name)), kept.c.other_skeleton.in_(looks(name)))
    query = sa.select(kept.c.skeleton, kept.c.other_skeleton).where(kept.c.guest != guest, alike)
    return frozenset(skeleton for row in connection.execute(query) for skeleton in row)


def skeletons_of(name: str) -> dict[str, str | None]:
    """Return the values of a row for a name. `Guest` is nobody's."""
    found = [None] if looks(name) & looks(NAMELESS) else sorted(looks(name))
    return {"skeleton": found[0], "other_skeleton": found[-1]}


def hold_name(connection: sa.Connection, guest: str, name: str) -> None:
    """Note the new name of a guest, if they keep it."""
    connection.execute(kept.update().where(kept.c.guest == guest, is_kept).values(skeletons_of(name)))


def keep(connection: sa.Connection, guest: str, most: int) -> str:
    """Keep the name of a guest under new words, and return them. At most `most` names are kept. Raises FairdealError if
    that is not possible."""
    alone(connection, KEPT)
    if kept_by(connection, guest):
        raise FairdealError("your name is kept already, under other words")
    if connection.execute(sa.select(sa.func.count(kept.c.hash))).scalar_one() >= most:
        raise TooMany("this room cannot keep any more names; ask its keeper")
    name = connection.execute(sa.select(guests.c.name).where(guests.c.id == guest)).scalar() or NAMELESS
    check_name(name, kept_by_others(connection, guest, name))
    if looks(name) & looks(NAMELESS):
        raise FairdealError("give yourself a name first")
    words = new_words()
    put(connection, kept, guest=guest, hash=hash_of(words), **skeletons_of(name))
    return words


def renew(connection: sa.Connection, guest: str) -> str:
    """Replace the words of a guest, whose cookies become invalid, and whose browsers show no notices any more. Return
    the new words. Raises FairdealError if the guest keeps no name."""
    words = new_words()
    kept_now = kept.update().where(kept.c.guest == guest, is_kept)
    if not connection.execute(kept_now.values(hash=hash_of(words), epoch=kept.c.epoch + 1)).rowcount:
        raise FairdealError("your name is not kept")
    connection.execute(devices.delete().where(devices.c.guest == guest, devices.c.key.is_not(None)))
    return words


def stop(connection: sa.Connection, guest: str) -> None:
    """Forget the words of a guest. Cookies that are invalid remain so."""
    connection.execute(kept.delete().where(kept.c.guest == guest, kept.c.epoch == 0))
    none = {"hash": None, "skeleton": None, "other_skeleton": None}
    connection.execute(kept.update().where(kept.c.guest == guest).values(none))
