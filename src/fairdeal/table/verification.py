"""Verification: recompute everything a finished log claims, and say what was checked."""

from __future__ import annotations

from fairdeal.engine.errors import BadLog
from fairdeal.table import fairness
from fairdeal.table.log import Log, read_log
from fairdeal.table.sitting import PERSON, replay


def verify(text: str) -> tuple[Log, list[str]]:
    """Check a whole log; the log and a line for each thing that was checked. Raises BadLog with the line."""
    log = read_log(text)
    checked = [f"marks of all {len(text.splitlines()) - 1} lines"]
    last = len(text.splitlines())
    if log.seed is None:
        raise BadLog(last, "the seed is not revealed yet: the game still runs, or the end is missing")
    if fairness.commitment(log.seed) != log.commitment:
        raise BadLog(log.lines["seed"], "the seed is not the one that was promised in the header")
    checked.append(f"promise: SHA-256 of the seed is {log.commitment[:16]}…")
    for seat, player in enumerate(log.players):
        if player.plays != PERSON and player.nonce != fairness.bot_nonce(log.seed, seat):
            raise BadLog(log.lines["commitment"] + 1 + seat, "a bot’s number does not follow from the seed")
    sitting = replay(log, log.seed)
    checked.append(f"deal: chance key from the seed and the nonces of {len(log.players)} seats")
    checked.append(f"moves: all {len(log.moves)} legal in {sitting.table.game.title}, rules {log.rules_version}")
    if not sitting.over:
        raise BadLog(last, "the game is not over after the last move")
    if sitting.state.scores != log.result:
        line = log.lines.get("result", last)
        raise BadLog(line, f"the result is {list(sitting.state.scores)}, not {list(log.result or ())}")
    checked.append(f"result: {list(log.result)}")
    return log, checked
