"""The verification of a finished log: a replay of its deal, its moves and its bots, and the verdict on the room."""

from __future__ import annotations

from collections.abc import Mapping

from fairdeal.bots.bots import Bot, ask
from fairdeal.bots.registry import STAND_IN, find_bot
from fairdeal.engine.errors import BadLog, FairdealError, NotReplayable
from fairdeal.engine.observe.layout import layout_of_scenes
from fairdeal.engine.scene import Scene, count_of, listed
from fairdeal.engine.scene.shown import facts_of
from fairdeal.engine.state import Table
from fairdeal.table import fairness
from fairdeal.table.log import Log, Move, read_log, taken_back
from fairdeal.table.receipts import Check, Record
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
        looks.compare(sitting, entry.line - 1)
        bots.watch(sitting, entry)

    try:
        bots, looks = Recomputed(log, seed), Looks(log, record)
        sitting = replay(log, seed, watch=watch)
        looks.compare(sitting, last)
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
    undone = say("undone", "" if log.format > 1 else "unchecked")
    return [say("moves"), bots.finding(), undone, *(looks.findings() if record else ())]


class Looks:
    """A comparison of the scenes that a player was shown with the game."""

    def __init__(self, log: Log, record: Record | None) -> None:
        key = log.room.key if log.room else ""
        visits = [visit for visit in record.visits.values() if visit.key in ("", key)] if record else []
        layout = layout_of_scenes(table_of(log).game)
        self.is_older = any(visit.scenes and visit.layout != layout for visit in visits)
        self.left: dict[tuple[int, int], list[Scene]] = {}  # scenes without a state yet, by viewer and number
        for scene in [scene for visit in visits if visit.layout == layout for scene in visit.scenes]:
            self.left.setdefault((scene.viewer, scene.seq), []).append(scene)
        self.missed = record.missed if record else ""
        self.unnamed = sum(not scene.state for scenes in self.left.values() for scene in scenes)
        self.compared = 0

    def compare(self, sitting: Sitting, line: int) -> None:
        """Compare the scenes of the current number of entries, which their viewers may know of. Hidden entries do not
        change this number, so a scene must show one of the states with this number."""
        for viewer in {viewer for viewer, _ in self.left}:
            key = viewer, sitting.log.number_for(viewer)
            scenes = self.left.pop(key, [])
            if scenes:
                facts = sitting.state.facts(viewer)
                other = [scene for scene in scenes if scene.state and not shows(scene, facts)]
                self.compared += len(scenes) - len(other) - sum(not scene.state for scene in scenes)
                if other:
                    self.left[key] = other

    def findings(self) -> list[Finding]:
        """Return the finding about the scenes, after the last state."""
        other = next((scene for scenes in self.left.values() for scene in scenes if scene.state), None)
        if other:
            return [
                say(
                    "shown", "other", why=f"After entry {other.seq}, you were shown a table that differs from the game."
                )
            ]
        if self.is_older:
            return [say("shown", "version")]
        if self.missed:
            return [say("shown", "missed", why=self.missed)]
        if self.unnamed:
            return [say("shown", "windows", scenes=count_of(self.unnamed, "scene"))]
        if not self.compared:
            return [say("shown", "none")]
        return [say("shown", scenes=count_of(self.compared, "scene"))]


def shows(scene: Scene, facts: Mapping[str, str]) -> bool:
    """Return whether a scene shows the facts of a state. It may leave out others than the state."""
    shown = facts_of(scene)
    return all(shown.get(name, value) == value for name, value in facts.items())


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
        if self.log.format == 1 or not 0 <= entry.seat < len(self.log.players):
            return
        plays = self.log.players[entry.seat].plays
        if taken_back(entry.text):
            self.check_undo(sitting, entry, taken_back(entry.text))
            return
        if entry.by and not self.log.branch and plays != PERSON:
            raise BadLog(entry.line, f"Only the bot {plays} can play at seat {entry.seat}.", "bots")
        if entry.by not in ("", PERSON, STAND_IN):
            raise BadLog(entry.line, f"Only {STAND_IN} can stand in for a player, not {entry.by}.", "bots")
        by = entry.by or plays
        if by == PERSON:
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
        if entry.actions and entry.actions != tuple(actions):
            taken = list(entry.actions)
            raise BadLog(entry.line, f"The bot {by} takes the actions {list(actions)} here, not {taken}.", "bots")
        name = self.log.players[entry.seat].name
        who = name if by == plays else f"the stand-in of {name}"
        self.made[who] = self.made.get(who, 0) + 1

    def check_undo(self, sitting: Sitting, entry: Move, count: int) -> None:
        """Check that the first of the moves undone by an entry was made by a person, and that none of the moves had
        revealed anything. Raises BadLog otherwise."""
        first = sitting.log.moves[-count] if len(sitting.log.moves) >= count else entry
        if (first.by or self.log.players[first.seat].plays) != PERSON:
            raise BadLog(entry.line, "A bot’s move cannot be taken back.", "undone")
        if any(move.hidden for move in sitting.log.moves[-count:]):
            raise BadLog(entry.line, "A pass in a window cannot be taken back.", "undone")
        if not sitting.may_take_back(count):
            what = "The move" if count == 1 else f"One of the {count} moves"
            raise BadLog(entry.line, f"{what} before it revealed something, so it cannot be taken back.", "undone")

    def finding(self) -> Finding:
        """Return the finding about the moves of the bots, after the last one."""
        if self.log.format == 1:
            return say("bots", "unplayed")
        if self.missing:
            return say("bots", "unknown", names=listed([*self.missing]))
        each = listed([f"{count} of {count} by {who}" for who, count in self.made.items()])
        return say("bots", made=f": {each}" if each else "")

    def bot(self, name: str, table: Table, seat: int) -> Bot:
        if (name, seat) not in self.bots:
            self.bots[name, seat] = find_bot(name, table, seat, fairness.bot_key(self.seed, seat))
        return self.bots[name, seat]
