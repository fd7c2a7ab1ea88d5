"""The verification of a finished log: a replay of its deal, its moves and its bots, and the verdict on the room."""

from fairdeal.bots.bots import Bot, ask
from fairdeal.bots.registry import STAND_IN, find_bot
from fairdeal.engine.errors import BadLog, FairdealError, NotReplayable
from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.registry import version_of
from fairdeal.engine.scene import Scene, count_of, listed
from fairdeal.engine.state import Table
from fairdeal.table import fairness
from fairdeal.table.log import ANOTHER, Log, Move, read_log, taken_back
from fairdeal.table.recap import OWN
from fairdeal.table.receipts import Check, Record
from fairdeal.table.redrawing import Redrawing
from fairdeal.table.sitting import PERSON, Sitting, replay, table_of
from fairdeal.table.verdict import Finding, contradictions, in_order, of_deal, of_end, say

REPLAYED: tuple[Check, ...] = ("moves", "bots", "undone", "shown")
"""The checks for which the game is replayed."""


def verify(text: str, record: Record | None = None) -> tuple[Log, list[Finding]]:
    """Check a finished log, and compare it with a player's record, if any. Return the log and the findings of all
    checks that hold or are unknown. Raises BadLog with the first check that is broken, and its line."""
    log = read_log(text)
    if log.seed is None:
        last = len(text.splitlines())
        raise BadLog(last, "the seed has not been revealed: the game is still running, or the end is missing", "seed")
    found = verdict(log, record)
    for one in found:
        if one.ok is False:
            raise BadLog(one.line, one.text, one.check)
    return log, found


def verdict(log: Log, record: Record | None) -> list[Finding]:
    """Return the finding of each check of a log, in order. Without a record, the checks that need one are omitted. The
    game is replayed only if nothing else is broken."""
    key = log.room.key if log.room else ""
    found = [*(contradictions(record, key) if record else ()), *of_deal(log, record), *of_end(log, record)]
    if log.seed is None or any(one.ok is False for one in found):
        found += unplayed("another check failed" if log.seed else "the seed is not known", record)
    else:
        found += played(log, log.seed, record)
    return in_order(found)


def unplayed(reason: str, record: Record | None) -> list[Finding]:
    """Return the findings of a game that is not replayed."""
    found = [say("moves", "unplayed", why=reason), say("bots", "unplayed"), say("undone", "unchecked")]
    return [*found, *([say("shown", "unplayed")] if record else ())]


def played(log: Log, seed: bytes, record: Record | None) -> list[Finding]:
    """Return the findings of a replay."""
    last = log.lines["seed"]

    def watch(sitting: Sitting, entry: Move) -> None:
        if looks:
            looks.compare(sitting)
        bots.watch(sitting, entry)

    try:
        bots, looks = Recomputed(log, seed), Looks(log, record) if record else None
        sitting = replay(log, seed, watch=watch)
        if looks:
            looks.compare(sitting)
        if not sitting.over:
            raise BadLog(last, "The game is not over after the last move.", "moves")
        if sitting.state.scores != log.result:
            line = log.lines.get("result", last)
            given = list(log.result or ())
            raise BadLog(line, f"The result is {list(sitting.state.scores)}, not {given} as in the log.", "moves")
    except NotReplayable as problem:
        return unplayed(problem.reason, record)
    except BadLog as problem:
        check: Check = next((one for one in REPLAYED if one == problem.check), "moves")
        wrong = say(check, "wrong", problem.line, why=problem.reason)
        rest = [one for one in unplayed("another check failed", record) if one.check != wrong.check]
        return [wrong, *rest]
    return [say("moves"), bots.finding(), say("undone"), *([looks.finding()] if looks else ())]


class Looks:
    """A comparison of the scenes that a player was shown with the game."""

    def __init__(self, log: Log, record: Record) -> None:
        key = log.room.key if log.room else ""
        table = table_of(log)
        layout, version = layout_of_scenes(table.game), version_of(table.game.name)
        self.versions: set[str] = set()  # other versions that drew scenes, "" if they are unknown
        self.has_other_faces = bool(record.faces) and record.faces != table.game.faces(table.options)
        self.missed = record.missed
        shown: dict[tuple[int, bool], list[Scene]] = {}  # scenes by viewer, and whether this version drew them
        visits = [visit for visit in record.visits.values() if visit.key in ("", key)]
        for one in [drawn for visit in visits for drawn in visit.scenes]:
            is_this = version == one.version != "" and one.layout == layout
            if not is_this:
                self.versions.add(one.version if one.version != version else "")
            if one.layout == layout:
                shown.setdefault((one.scene.viewer, is_this), []).append(one.scene)
        has_windows = table.game.has_windows
        self.redrawn = [Redrawing(seat, scenes, has_windows, is_this) for (seat, is_this), scenes in shown.items()]

    def compare(self, sitting: Sitting) -> None:
        """Compare the scenes of the current state."""
        for one in self.redrawn:
            one.compare(sitting)

    def finding(self) -> Finding:
        """Return the finding about the scenes, after the last state."""
        found = [one.found() for one in self.redrawn]
        for difference in filter(None, (one.difference for one in found)):
            why = f"After entry {difference.seq}, you were shown a table that differs from the game"
            return say("shown", "other", why=f"{why} ({difference.part}).")
        if self.versions:
            return say("shown", "version", version=listed(sorted(self.versions - {""})) or "unknown")
        compared, unknown = sum(one.compared for one in found), sum(one.unknown for one in found)
        if self.has_other_faces and compared:
            return say("shown", "other", why="The room sent other faces of the cards than those of the game.")
        if self.missed:
            return say("shown", "missed", why=self.missed)
        if unknown:
            return say("shown", "windows", scenes=count_of(unknown, "scene"))
        return say("shown", scenes=count_of(compared, "scene")) if compared else say("shown", "none")


class Recomputed:
    """A check that recomputes each move of a bot and examines each undo."""

    def __init__(self, log: Log, seed: bytes) -> None:
        self.log = log
        self.seed = seed
        self.bots: dict[tuple[str, int], Bot] = {}
        self.missing: dict[str, None] = {}  # the bots that are not installed
        self.made: dict[str, int] = {}  # the numbers of recomputed moves by their players

    def watch(self, sitting: Sitting, entry: Move) -> None:
        """Compare an entry with the move of the bot that made it, before the entry is played. Raises BadLog if the bot
        would make a different move."""
        if not 0 <= entry.seat < len(self.log.players):
            return
        plays = self.log.players[entry.seat].plays
        if taken_back(entry.text):
            self.check_undo(sitting, entry, taken_back(entry.text))
            return
        if entry.by and not self.log.branch and plays != PERSON:
            raise BadLog(entry.line, f"Only the bot {plays} can play at seat {entry.seat}.", "bots")
        if entry.by == ANOTHER and plays != PERSON:
            raise BadLog(entry.line, f"Nobody has left seat {entry.seat}, which is a bot’s.", "bots")
        if entry.by not in (*OWN, STAND_IN):
            raise BadLog(entry.line, f"Only {STAND_IN} can stand in for a player, not {entry.by}.", "bots")
        by = entry.by or plays
        if by in OWN:
            return
        try:
            bot = self.bot(by, sitting.table, entry.seat)
        except FairdealError:
            self.missing[by] = None
            return
        if entry.seat not in sitting.state.to_act:
            return  # refused by the replay
        actions = ask(bot, sitting.state, entry.seat, len(sitting.log.entries)).actions
        wanted = sitting.table.game.write_move(sitting.state.record, entry.seat, actions)
        if wanted != entry.text:
            raise BadLog(entry.line, f"The bot {by} plays {wanted!r} here, not {entry.text!r}.", "bots")
        if entry.actions != tuple(actions):
            taken = list(entry.actions)
            raise BadLog(entry.line, f"The bot {by} takes the actions {list(actions)} here, not {taken}.", "bots")
        name = self.log.players[entry.seat].name
        who = name if by == plays else f"the stand-in of {name}"
        self.made[who] = self.made.get(who, 0) + 1

    def check_undo(self, sitting: Sitting, entry: Move, count: int) -> None:
        """Check that the first of the moves undone by an entry was made by a person, and that none of the moves had
        revealed anything. Raises BadLog otherwise."""
        first = sitting.log.moves[-count] if len(sitting.log.moves) >= count else entry
        if (first.by or self.log.players[first.seat].plays) not in OWN:
            raise BadLog(entry.line, "A bot’s move cannot be taken back.", "undone")
        if any(move.hidden for move in sitting.log.moves[-count:]):
            raise BadLog(entry.line, "A pass in a window cannot be taken back.", "undone")
        if not sitting.may_take_back(count):
            what = "The move" if count == 1 else f"One of the {count} moves"
            raise BadLog(entry.line, f"{what} before it revealed something, so it cannot be taken back.", "undone")

    def finding(self) -> Finding:
        """Return the finding about the moves of the bots, after the last one."""
        if self.missing:
            return say("bots", "unknown", names=listed([*self.missing]))
        each = listed([f"{count} of {count} by {who}" for who, count in self.made.items()])
        return say("bots", made=f": {each}" if each else "")

    def bot(self, name: str, table: Table, seat: int) -> Bot:
        if (name, seat) not in self.bots:
            self.bots[name, seat] = find_bot(name, table, seat, fairness.bot_key(self.seed, seat))
        return self.bots[name, seat]
