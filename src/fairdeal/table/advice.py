"""Hints: a suggested move in words, the reason for it, and the chances of winning with this move and with the best
alternatives."""

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fairdeal.bots.advice import advise
from fairdeal.bots.bots import GreedyBot, ask
from fairdeal.bots.search import Thought
from fairdeal.engine.errors import BadPosition, FairdealError
from fairdeal.engine.kit import chance
from fairdeal.engine.kit.frozen import Frozen
from fairdeal.engine.state import Seen, State, setup_blank

SECONDS = (0.0, 0.2, 0.8, 2.5)
"""Thinking time of each successive request for a hint, in seconds. The first hint is the move of the game's greedy
rule."""

MOST_OPTIONS = 3
"""Maximum number of moves named in a hint."""

FEWEST_GAMES = 20
"""Minimum number of games needed to estimate a chance."""

ANSWERS = 10
"""Number of deals in which the next rival's reply to a move is simulated."""

OFTEN = 3
"""Minimum number of deals in which the rival must reply in one way for the reply to be mentioned."""

NORMAL_95 = 1.96


class Option(Frozen):
    """A move that a seat could have made.

    text      the move in words
    notation  the move in notation
    chance    its chance of winning, from 0 to 1
    error     half the width of the chance's 95 % interval
    """

    text: str
    notation: str
    chance: float
    error: float


@dataclass(frozen=True)
class Hint:
    """Advice for a seat.

    actions  a complete legal move
    text     the move in words, and the reason for it
    picks    ids of the choices that lead to the move, in order
    marks    ids of cards and zones, and seats as `seat:2`, that screens highlight
    options  the best moves with their chances, starting with the suggested one; empty without a search
    of       the event whose chance `options` give, such as `to win`
    """

    actions: tuple[int, ...]
    text: str
    picks: tuple[int, ...]
    marks: tuple[str, ...]
    options: tuple[Option, ...] = field(default=())
    of: str = ""


def hint(
    state: State,
    seat: int,
    names: Sequence[str],
    look: int,
    key: bytes,
    rest: Callable[[], None] = lambda: None,
    tried: Sequence[Thought] = (),
) -> Hint:
    """Return a hint for a seat, based only on the information available to it. `look` is the number of earlier requests
    for this hint; each request searches longer, and calls `rest` several times. If the caller has `tried` moves itself,
    no search is made. Raises FairdealError if the seat cannot act, or if a move is not legal."""
    view, seen = state.view(seat, state.game.recall), state.seen_by(seat, names)
    greedy = GreedyBot(state.game.recall).choose(view, seat)
    seconds = SECONDS[min(look, len(SECONDS) - 1)]
    if not seconds:
        return advice(seen, greedy.actions, greedy.reason)
    check_tried(view, seat, tried)
    thoughts = [found for found in tried or advise(view, seat, key, seconds, rest) if found.games >= FEWEST_GAMES]
    if len(thoughts) < 2 or view.players == 1:
        return advice(seen, greedy.actions, greedy.reason)
    best = thoughts[0]
    why = greedy.reason if best.actions == greedy.actions else better(seen, best, thoughts, greedy.actions)
    others = sorted(thoughts[1:], key=lambda found: -found.wins)[: MOST_OPTIONS - 1]
    options = tuple(option(seen, found) for found in (best, *others))
    reason = " ".join(part for part in (why, answered(view, seat, best.actions, names, key)) if part)
    return advice(seen, best.actions, reason, options, chances_of(state))


def check_tried(view: State, seat: int, tried: Sequence[Thought]) -> None:
    """Raise FairdealError if a move is not legal given the knowledge of a seat. Hidden cards do not matter, so the
    result reveals nothing."""
    guess = view.guess() if tried else view
    for number, found in enumerate(tried, 1):
        if not guess.is_legal_move(seat, found.actions):
            raise FairdealError(f"move {number} of your search is not legal: {list(found.actions)}")


def known_record(state: State, seat: int) -> bytes:
    """Return the record of a state as a seat knows it, built from the position that the seat may read anyway. Return
    nothing if the game cannot read that position."""
    with contextlib.suppress(BadPosition):
        known: bytes = setup_blank(state.table, state.view(seat, state.game.recall).position()).record.tobytes()
        return known
    return b""


def next_look(look: int, players: int) -> int:
    """Return the `look` for the next request, or 0 if a further request would not improve the hint, as in a
    single-player game."""
    return look + 1 if look < len(SECONDS) - 1 and players > 1 else 0


def advice(seen: Seen, actions: tuple[int, ...], reason: str, options: tuple[Option, ...] = (), of: str = "") -> Hint:
    """Return a hint with the picks that lead to its move."""
    try:
        way, words = seen.way_to(actions), seen.say_move(actions)
    except FairdealError:  # a third-party game that does not describe how its moves are picked
        words = notation_of(seen, actions)
        return Hint(actions, f"{words}. {reason}", actions, (), options, of)
    return Hint(actions, f"{words}. {reason}", way.picks, way.marks, options, of)


def notation_of(seen: Seen, actions: Sequence[int]) -> str:
    return seen.game.write_move(seen.shown, seen.voice.viewer, actions)


def said(seen: Seen, actions: Sequence[int]) -> str:
    """Return a move as advice, or in notation if the game has no wording for the move."""
    try:
        return seen.say_move(actions)
    except FairdealError:
        return notation_of(seen, actions)


def option(seen: Seen, thought: Thought) -> Option:
    error = NORMAL_95 * math.sqrt(thought.wins * (1 - thought.wins) / thought.games)
    return Option(said(seen, thought.actions), notation_of(seen, thought.actions), thought.wins, error)


def better(seen: Seen, best: Thought, thoughts: Sequence[Thought], greedy: tuple[int, ...]) -> str:
    """Return a sentence that compares the best move with the greedy move in the same deals."""
    usual = next((found for found in thoughts if found.actions == greedy), None)
    more = round(100 * (best.wins - usual.wins)) if usual else 0
    if more < 1:
        return f"It ends better than “{said(seen, greedy)}” in the same deals."
    return f"It wins {more} more in 100 deals than “{said(seen, greedy)}”."


def answered(view: State, seat: int, actions: Sequence[int], names: Sequence[str], key: bytes) -> str:
    """Return a sentence about the next rival's most frequent reply by the greedy rule, in deals that are consistent
    with the seat's knowledge. Return an empty string if no reply is frequent enough."""
    source, found = chance.seeded(b"answers " + key), Counter[str]()
    for _ in range(ANSWERS):
        after = view.resample(source).after(seat, actions)
        if after is None or after.over or not after.to_act or seat in after.to_act:
            return ""
        rival = after.to_act[0]
        answer = ask(GreedyBot(after.game.recall), after, rival, 0).actions
        then = after.copy()
        then.play_actions(rival, answer)
        lines = after.narrate(then, rival, answer, seat, names)
        found[lines[0].text if lines else ""] += 1
    text, times = found.most_common(1)[0]
    return f"Then, in {times} of {ANSWERS} deals: {text}" if text and times >= OFTEN else ""


def said_chances(hint: Hint) -> str:
    """Return the chances of a hint in a sentence."""
    if not hint.options:
        return ""
    best, *others = (percent(found.chance) for found in hint.options)
    further = zip(hint.options[1:], others, strict=True)
    next_best = " or ".join(f"{found.text[:1].lower()}{found.text[1:]} ({chance})" for found, chance in further)
    return f"Your chance {hint.of}: {best}." + (f" Next best: {next_best}." if next_best else "")


def percent(chance: float) -> str:
    """Format a chance estimated by a search as a percentage. It is never 0 or 100 %, because no search is certain.

    >>> percent(0.0), percent(0.426), percent(0.999)
    ('<1%', '43%', '>99%')
    """
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def chances_of(state: State) -> str:
    """Return the event whose chance a search estimates, such as `to win`."""
    if state.game.horizon:
        return f"to be ahead {state.game.horizon} moves on"
    return "to win" if 0 < state.record.match.games <= state.record.match.game else "to lead after this game"
