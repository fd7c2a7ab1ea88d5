"""Check everything that the database of a room contains, for `fairdeal room check`, and compute results and ratings
from the logs again, for `fairdeal room rebuild`."""

from dataclasses import dataclass, field

import sqlalchemy as sa

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.server.storage.keeping import damage_of
from fairdeal.server.storage.promises import Keys
from fairdeal.server.storage.queries import CLEARED, StoredTable, kept_table
from fairdeal.server.storage.ratings import rate
from fairdeal.server.storage.store import secrets, tables
from fairdeal.server.tables.saving import keep_values, seats_in, terms_in
from fairdeal.server.tables.terms import sign_end
from fairdeal.table.log import Log, read_log, taken_back
from fairdeal.table.sitting import Sitting, replay, table_of
from fairdeal.table.verdict import of_deal, of_end


@dataclass
class Found:
    """Results: the numbers of all tables, of replayed ones and their moves, of verified games, and of tables by
    other rules, which are not replayed."""

    tables: int = 0
    replayed: int = 0
    moves: int = 0
    verified: int = 0
    other_rules: int = 0
    problems: list[str] = field(default_factory=list)


def check_database(connection: sa.Connection) -> Found:
    """Check the pages and references of an SQLite file, and replay every log by the rules. A finished log is checked
    like one that a guest has downloaded: its commitment, nonces, moves, result and signatures."""
    found = Found()
    if connection.dialect.name == "sqlite":
        found.problems += damage_of(connection)
    keys, lost = keys_in(connection)
    found.problems += [f"the key {name!r} of the room is missing or damaged" for name in lost]
    query = sa.select(tables.c.id).where(tables.c.status != CLEARED).order_by(tables.c.id)
    for table in connection.execute(query).scalars().all():
        found.tables += 1
        try:
            if there := kept_table(connection, table):
                check_table(there, keys, found)
        except Exception as problem:  # damaged rows can raise anything
            found.problems.append(f"table {table}: {getattr(problem, 'orig', None) or problem}")
    return found


def keys_in(connection: sa.Connection) -> tuple[Keys, list[str]]:
    """Return the keys of the room, and the names of those that are missing or damaged, in which case the keys are
    new ones."""
    rows = connection.execute(sa.select(secrets.c.name, secrets.c.value))
    kept = {name: bytes(value) for name, value in rows}
    lost = [name for name in ("seeds", "ed25519", "signing") if len(kept.get(name, b"")) != 32]
    return Keys() if lost else Keys(seeds=kept["seeds"], signing=kept["ed25519"]), lost


def check_table(kept: StoredTable, keys: Keys, found: Found) -> None:
    """Check a table, and count its moves. Raises FairdealError with the first error."""
    terms = terms_in(kept.table)
    if kept.damaged:
        raise FairdealError("its moves cannot be read")
    if kept.table["status"] == "open":
        return
    if find_game(terms.game).rules_version != terms.rules_version:
        found.other_rules += 1
        return
    if [entry.number for entry in kept.entries] != list(range(1, len(kept.entries) + 1)):
        raise FairdealError("the numbers of its moves have gaps")
    sitting = replayed(kept, keys)
    if kept.table["status"] == "over":
        sign_end(sitting.log, keys)
        check_finished(read_log(sitting.log.text()), kept)
        found.verified += 1
    found.replayed += 1
    found.moves += len(kept.entries)


def replayed(kept: StoredTable, keys: Keys) -> Sitting:
    """Replay the log of a table. Raises FairdealError if it is not one by the rules, or a finished one has no end."""
    terms = terms_in(kept.table)
    header = terms.empty_log(seats_in(kept.table, kept.seats), keys)
    sitting = Sitting(table_of(header), header, terms.seed)
    for entry in kept.entries:
        if count := taken_back(entry.text):
            sitting.take_back(count)
        else:
            sitting.repeat(entry.move)
    if kept.table["status"] == "over" and not sitting.over:
        raise FairdealError("it is stored as finished, but its game is not over after the last move")
    return sitting


def check_finished(log: Log, kept: StoredTable) -> None:
    """Check a finished log as its text states it. Raises FairdealError with the first error."""
    assert log.seed is not None
    wrong = next((one for one in (*of_deal(log, None), *of_end(log, None)) if one.ok is False), None)
    if wrong:
        raise BadLog(wrong.line, wrong.text)
    result = replay(log, log.seed).state.scores
    if list(result) != kept.table["result"] or log.result != tuple(result):
        raise FairdealError(f"the result is {list(result)}, not {kept.table['result']}")


# --- from the logs again ------------------------------------------------------------------------------------------


def rebuild(connection: sa.Connection) -> tuple[int, int, int]:
    """Replay all finished games, store their results and places again, and compute all ratings from these. Return the
    numbers of results that were stored again, of games that cannot be replayed, whose results remain, and of rated
    games. Raises FairdealError if there are games but not the keys of the room."""
    ids = connection.execute(sa.select(tables.c.id).where(tables.c.status == "over")).scalars().all()
    keys, lost = keys_in(connection)
    if ids and lost:
        raise FairdealError(f"the key {lost[0]!r} of the room is missing or damaged")
    kept = 0
    for table in ids:
        try:
            there = kept_table(connection, table)
            assert there is not None
            state = replayed(there, keys).state
            keep_values(connection, table, result=list(state.scores), places=list(state.ranks))
        except FairdealError:
            kept += 1
    games = sa.select(tables.c.game).distinct().where(tables.c.rated, tables.c.status == "over")
    rated = [rate(connection, game) for game in connection.execute(games).scalars().all()]
    return len(ids) - kept, kept, sum(rated)
