"""Verification of finished logs: recompute everything that a log claims, and list the claims that remain unproven.

docs/log-format.md explains what each line proves, and what no line can prove.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from fairdeal.bots.bots import Bot, ask
from fairdeal.bots.registry import STAND_IN, find_bot
from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import count_of, listed
from fairdeal.engine.scene.shown import saved
from fairdeal.engine.state import Table
from fairdeal.table import fairness
from fairdeal.table.log import WITH_ACTIONS, Log, Move, read_log, taken_back
from fairdeal.table.receipts import Check, Kept, compare, left_open
from fairdeal.table.sitting import PERSON, Sitting, replay


def verify(text: str, kept: Kept | None = None) -> tuple[Log, list[str]]:
    """Check a complete log, and compare it with the facts that a player saved, if any. Return the log and a line for
    each check. Raises BadLog with the line of the first error."""
    log = read_log(text)
    checked = [f"marks: all {len(text.splitlines()) - 1} lines"]
    if kept is not None:
        checked.append(f"kept: {', '.join(compare(log, kept))}")
    last = len(text.splitlines())
    if log.seed is None:
        raise BadLog(last, "the seed has not been revealed: the game is still running, or the end is missing", "seed")
    if fairness.commitment(log.seed) != log.commitment:
        raise BadLog(log.lines["seed"], "the seed does not match the commitment in the header", "seed")
    checked.append(f"promise: SHA-256 of the seed is {log.commitment[:16]}…")
    checked.append(check_numbers(log, log.seed))
    if log.failed:
        deals = count_of(len(log.failed), "deal", "deals")
        checked.append(f"failed: {deals} before this one, after numbers were shown")
    bots, looks = Recomputed(log, log.seed), Looks(log, kept)

    def watch(sitting: Sitting, entry: Move) -> None:
        looks.compare(sitting, entry.line - 1)
        bots.watch(sitting, entry)

    with checking("moves"):
        sitting = replay(log, log.seed, watch=watch)
    looks.compare(sitting, last)
    checked.append(f"deal: chance key from the seed and the numbers of {count_of(len(log.players), 'seat', 'seats')}")
    checked.append(f"moves: all {len(log.moves)} legal in {sitting.table.game.title}, rules {log.rules_version}")
    if bots.checked:
        checked.append(f"bots: {count_of(bots.checked, 'move', 'moves')} made again, and each is the same")
    if not sitting.over:
        raise BadLog(last, "the game is not over after the last move", "moves")
    if sitting.state.scores != log.result:
        line = log.lines.get("result", last)
        raise BadLog(line, f"the result is {list(sitting.state.scores)}, not {list(log.result or ())}", "moves")
    checked.append(f"result: {list(log.result)}")
    looks.end(log.number_for(looks.seat), last)
    if looks.compared:
        checked.append(f"shown: {count_of(looks.compared, 'recorded scene')} of this game")
    if log.room:
        check_signatures(log, log.room.key)
        checked.append(f"signed: header and end, by the room with the key {log.room.key[:16]}…")
    return log, checked


@contextlib.contextmanager
def checking(check: Check) -> Iterator[None]:
    """Give the name of a check to the errors that are raised in the context."""
    try:
        yield
    except BadLog as problem:
        problem.check = check
        raise


def unproven(log: Log, kept: Kept | None = None) -> list[str]:
    """Describe the claims that a verified log does not prove."""
    hint = "that this is the game you played: give the file that your own program saved, with --kept FILE"
    return [*open_claims(log, kept), *([hint] if kept is None else ())]


def open_claims(log: Log, kept: Kept | None) -> list[str]:
    """Return the claims that a verified log does not prove, apart from being the log of the game that was played."""
    found = [
        f"that {player.name} did not see the other numbers before withholding their own"
        for player in log.players
        if player.withheld
    ]
    if log.format > 1 and not any(player.hash and not player.withheld for player in log.players):
        found.append("that nobody chose the cards: no player gave a number, so all numbers follow from the seed")
    found += beyond_format(log, kept)
    if log.room is None:
        found.append("who wrote it: no room has signed this log")
    failed = len(log.failed) if log.failed or (kept and kept.reports) else log.room.attempt - 1 if log.room else 0
    if failed:
        left = [f"{listed([name for _, name in one.left])} left" for one in log.failed]
        why = f" ({', '.join(left)} after numbers were shown)" if left else ""
        deals = count_of(failed, "deal", "deals")
        found.append(f"that nobody made {deals} before this one fail on purpose{why}")
    if kept is not None:
        found += left_open(log, kept)
        last = max(kept.chains, default=0)
        if not kept.chains:
            found.append("that the room acknowledged these moves: your program has no running hash of it")
        elif last < log.number_for(kept.seat):
            found.append(f"that the entries after {last} were acknowledged: your program was not connected")
        found += unshown(log, kept)
    if log.branch:
        found.append(
            f"that this is a first game: table {log.branch.table} continues from entry {log.branch.entry} of another "
            "game, whose cards were known"
        )
    return found


def unshown(log: Log, kept: Kept) -> list[str]:
    """Return the claims that the log does not prove about the scenes shown to a player."""
    if log.format < WITH_ACTIONS or kept.seat == SPECTATOR:  # rooms of older formats did not name the states of scenes
        return []
    if kept.shown and kept.layout != layout_of_scenes(find_game(log.game)):
        return ["that the room showed you this game: another version of it was in use"]
    if kept.unnamed and not find_game(log.game).has_windows:
        return [f"that the room showed you this game in {count_of(kept.unnamed, 'scene')} that could not be compared"]
    if not kept.shown:
        return ["that the room showed you this game: your program has no facts of its scenes"]
    return []


def beyond_format(log: Log, kept: Kept | None) -> list[str]:
    """Return the claims that no log of this format, and no record of this game, can prove."""
    found = []
    if kept and kept.unnamed and find_game(log.game).has_windows:
        times = count_of(kept.unnamed, "scene")
        found.append(f"that the room showed you this game in {times} that could not be compared, as in windows")
    if log.format == 1:
        found.append("that nobody waited to see the other numbers: an older fairdeal did not fix all numbers first")
        found.append("that the bots made their own moves: those of an older fairdeal cannot be recomputed")
    if log.format < WITH_ACTIONS:
        found.append("that the words of the moves meant the same then: this older log has no actions beside them")
    return found


def check_numbers(log: Log, seed: bytes) -> str:
    """Check that each seat's nonce matches its commitment or is derived from the seed. Raises BadLog otherwise."""
    given = 0
    for seat, player in enumerate(log.players):
        line = log.lines[f"seat {seat}"]
        if player.hash and player.plays != PERSON:
            raise BadLog(line, "a bot has no number of its own, because its number is derived from the seed", "bound")
        if player.withheld and log.room and log.room.waits:
            raise BadLog(line, f"seat {seat} withheld its number at a table that waits for all numbers", "waits")
        if log.format == 1 and player.plays == PERSON:
            given += 1
        elif player.hash and not player.withheld:
            if fairness.nonce_hash(player.nonce) != player.hash:
                raise BadLog(line, f"the number of seat {seat} does not match its hash", "bound")
            given += 1
        elif player.nonce != fairness.seed_nonce(seed, seat):
            who = "bot’s" if player.plays != PERSON else "silent seat’s"
            raise BadLog(line, f"a {who} number is not derived from the seed", "bound")
    return f"numbers: {given} given by the seats, {len(log.players) - given} from the seed"


def check_signatures(log: Log, key: str) -> None:
    """Check that the room that dealt signed both the header and the end. Raises BadLog otherwise."""
    from fairdeal.table.signatures import END, HEADER, is_signed

    for part, chain, signature in (
        (HEADER, log.header_chain(), log.signed_header),
        (END, log.end_chain(), log.signed_end),
    ):
        last = log.lines.get(f"signed {part}", log.lines.get("seed", 1))
        if not signature:
            raise BadLog(last, f"the room’s signature of the {part} is missing", "signed")
        if not is_signed(key, part, chain, signature):
            raise BadLog(last, f"this signature of the {part} was not made with the room’s key {key[:16]}…", "signed")


class Looks:
    """A comparison of the scenes shown to a player with the game."""

    def __init__(self, log: Log, kept: Kept | None) -> None:
        is_same = kept is not None and kept.layout == layout_of_scenes(find_game(log.game))
        self.shown = kept.shown if kept and is_same else {}
        self.seat = kept.seat if kept else SPECTATOR
        self.known: dict[str, str] = {}
        self.compared = 0
        self.entries = -1  # the number of entries compared last
        self.differs: BadLog | None = None  # the contradiction there, unless a later state at this number resolves it
        self.wrong: BadLog | None = None

    def compare(self, sitting: Sitting, line: int) -> None:
        """Compare the scene at the current number of entries that the viewer may know of. Hidden entries do not change
        this number, so one of the states with this number must be the one that was shown. Otherwise, `wrong` becomes an
        error with the line of the last entry, unless an earlier scene was wrong."""
        entries = sitting.log.number_for(self.seat)
        if entries not in self.shown:
            return
        if entries != self.entries:
            self.settle()
            self.known |= self.shown[entries]
            self.compared += 1
        elif self.differs is None:
            return
        self.entries, self.differs = entries, self.differing(sitting, entries, line)

    def settle(self) -> None:
        """Record the contradiction for the last number, if there is one."""
        self.wrong, self.differs = self.wrong or self.differs, None

    def differing(self, sitting: Sitting, entries: int, line: int) -> BadLog | None:
        """Return the first difference between the facts saved for a number of entries and the current state."""
        for name, value in sitting.state.facts(self.seat).items():
            if self.known.get(name, "") not in ("", saved(value)):
                what = "the digest of another state" if name == "state" else f"something else as {name!r}"
                reason = f"after {count_of(entries, 'entry', 'entries')} the room showed you {what}"
                return BadLog(line, reason, "shown")
        return None

    def end(self, entries: int, line: int) -> None:
        """Raise BadLog if a scene does not match the state, or was shown after the end of the log."""
        self.settle()
        if not self.wrong and max(self.shown, default=0) > entries:
            reason = f"the room showed you a state after {max(self.shown)} entries, but the log has {entries}"
            self.wrong = BadLog(line, reason, "shown")
        if self.wrong:
            raise self.wrong


class Recomputed:
    """A check that recomputes each move of a bot and examines each undo."""

    def __init__(self, log: Log, seed: bytes) -> None:
        self.log = log
        self.seed = seed
        self.bots: dict[tuple[str, int], Bot] = {}
        self.checked = 0

    def watch(self, sitting: Sitting, entry: Move) -> None:
        """Compare an entry with the move of the bot that made it, before the entry is played. Raises BadLog if the bot
        would make a different move."""
        if self.log.format == 1 or not 0 <= entry.seat < len(self.log.players):
            return
        plays = self.log.players[entry.seat].plays
        if taken_back(entry.text):
            self.check_undo(sitting, entry, taken_back(entry.text))
            return
        if entry.by and not self.log.branch and plays != PERSON:
            raise BadLog(entry.line, f"only the bot {plays} can play at seat {entry.seat}")
        if entry.by not in ("", PERSON, STAND_IN):
            raise BadLog(entry.line, f"only {STAND_IN} can stand in for a player, not {entry.by}")
        by = entry.by or plays
        if by == PERSON:
            return
        try:
            bot = self.bot(by, sitting.table, entry.seat)
        except FairdealError as problem:
            raise BadLog(entry.line, f"{problem}, so this move cannot be recomputed") from None
        if entry.seat not in sitting.state.to_act:
            return  # refused by the replay
        actions = ask(bot, sitting.state, entry.seat, len(sitting.log.entries)).actions
        wanted = sitting.table.game.write_move(sitting.state.record, entry.seat, actions)
        if wanted != entry.text:
            raise BadLog(entry.line, f"the bot {by} plays {wanted!r} here, not {entry.text!r}")
        if entry.actions and entry.actions != tuple(actions):
            raise BadLog(entry.line, f"the bot {by} takes the actions {list(actions)} here, not {list(entry.actions)}")
        self.checked += 1

    def check_undo(self, sitting: Sitting, entry: Move, count: int) -> None:
        """Check that the first of the moves undone by an entry was made by a person, and that none of the moves had
        revealed anything. Raises BadLog otherwise."""
        first = sitting.log.moves[-count] if len(sitting.log.moves) >= count else entry
        if (first.by or self.log.players[first.seat].plays) != PERSON:
            raise BadLog(entry.line, "a bot’s move cannot be taken back")
        if any(move.hidden for move in sitting.log.moves[-count:]):
            raise BadLog(entry.line, "a pass in a window cannot be taken back")
        if not sitting.may_take_back(count):
            what = "the move" if count == 1 else f"one of the {count} moves"
            raise BadLog(entry.line, f"{what} before it revealed something, so it cannot be taken back")

    def bot(self, name: str, table: Table, seat: int) -> Bot:
        if (name, seat) not in self.bots:
            self.bots[name, seat] = find_bot(name, table, seat, fairness.bot_key(self.seed, seat))
        return self.bots[name, seat]
