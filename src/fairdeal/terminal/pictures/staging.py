"""What is laid over a table that has settled: the last card is looked at, the points of a round are counted, the
moments since the viewer's turn are shown again. The game is never late for it: any key ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
from textual.timer import Timer

from fairdeal.engine.scene import Choice, Prompt, Scene, as_text, joined
from fairdeal.terminal.pictures.lingering import laid, looked_at
from fairdeal.terminal.pictures.speed import Tempo

LOOK, LAST_LOOK = 0.9, 1.5
"""Seconds for the last card of a round, and of a game."""

TALLY, NEXT, AT_ONCE = 0.7, 8.0, 0.6
"""Seconds for the points of a seat, until the next round begins, and for all points at instant speed."""

MANY = 4
"""So many seats and more are counted at the same time."""

BEAT, SHORTEST = 0.9, 0.25
"""Seconds for a moment that is shown again, and for a sentence; the least at instant speed."""

DEAL = 12
"""So many cards at once are a deal, not a move: nothing of it is marked."""

HELD = 1.0
"""After so many seconds it is tried again to go on where a panel or a dialog is being read."""


@dataclass(frozen=True)
class Frame:
    """A picture for so many seconds, or until a key. `marks` are the ids of cards that it points at, `tallied` is how
    many seats' points have been counted, `part` how far a film is. One that `waits` is not passed over by a key."""

    scene: Scene
    seconds: float | None
    marks: frozenset[str] = frozenset()
    tallied: int = -1
    part: float = -1.0
    waits: bool = False


class Staging:
    """Shows frames one after the other. `draw` shows the one that is `now`; `held` says whether something else is being
    read meanwhile."""

    def __init__(
        self,
        set_timer: Callable[[float, Callable[[], None]], Timer],
        draw: Callable[[], None],
        held: Callable[[], bool],
    ) -> None:
        self.set_timer, self.draw, self.held = set_timer, draw, held
        self.frames: list[Frame] = []
        self.over: Callable[[], None] = lambda: None
        self.keeps = False
        self.timer: Timer | None = None

    @property
    def now(self) -> Frame | None:
        return self.frames[0] if self.frames else None

    def roll(self, frames: Sequence[Frame], over: Callable[[], None], *, keeps: bool) -> None:
        """Show frames, and then call `over`. What happens meanwhile `keeps` until then, or else ends it."""
        self.drop()
        self.frames, self.over, self.keeps = list(frames), over, keeps
        self.begin()

    def begin(self) -> None:
        self.draw()
        seconds = self.frames[0].seconds
        if seconds is not None:
            self.timer = self.set_timer(seconds, self.go_on)

    def go_on(self) -> None:
        """The time of a frame is over."""
        if not self.frames:
            return
        if self.held():
            self.timer = self.set_timer(HELD, self.go_on)
            return
        self.leave(self.frames[1:])

    def skip(self) -> None:
        """A key: on to what waits, or away from it; where nothing waits it is over."""
        first, *others = self.frames
        ahead = next((number for number, frame in enumerate(others) if frame.waits), None)
        if ahead is not None:
            self.leave(others[ahead:])
        else:
            self.leave(others if first.waits else [])

    def leave(self, frames: Sequence[Frame]) -> None:
        over = self.over
        self.drop()
        if frames:
            self.frames, self.over = list(frames), over
            self.begin()
        else:
            over()

    def drop(self) -> None:
        """Nothing is laid over the table any more."""
        if self.timer:
            self.timer.stop()
        self.frames, self.timer = [], None


# --- what is shown --------------------------------------------------------------------------------------------------


def marked(scene: Scene) -> frozenset[str]:
    """The cards that the last move brought somewhere or turned up, but for the viewer's own hand."""
    first = next(iter(scene.events), None)
    if first is None:
        return frozenset()
    hands = {zone.id for zone in scene.zones if zone.place == "hand"}
    found = [*(move.card for move in first.moves if move.goal not in hands), *first.turned]
    return frozenset(found) - {""} if len(found) <= DEAL else frozenset()


def told(scene: Scene) -> str:
    return as_text(joined(line.text for line in scene.events))


def captioned(scene: Scene, text: str, sub: str = "") -> Scene:
    """A moment that is only looked at, with words in place of the question."""
    prompt = Prompt("replay", text, sub)
    return msgspec.structs.replace(
        scene, mode="live", result=None, prompt=prompt, choices=(), draft=None, events=(), recap=(), round=None
    )


def film(scenes: Sequence[Scene], tempo: Tempo) -> list[Frame]:
    """The moments since the viewer's turn, the last one as it is now."""
    last = len(scenes) - 1
    frames = []
    for at, scene in enumerate(scenes):
        text = told(scene) or ("Your last turn" if scene.seq else "The deal")
        count = f"{at} of {last} since your turn. " if at else ""
        sub = f"{count}Any key ends this." if at < last else "That is where you are now."
        seconds = tempo.time(BEAT if at else BEAT / 2, SHORTEST)
        frames.append(
            Frame(captioned(laid(scene, looked_at(scene)), text, sub), seconds, marked(scene), part=at / last)
        )
    return frames


def deciding(before: Scene, after: Scene, tempo: Tempo) -> list[Frame]:
    """The move that decided a game, until a key: the table before it and after it."""
    seen = laid(after, looked_at(after))
    first = Frame(captioned(before, f"Before move {after.seq}"), tempo.time(BEAT, SHORTEST))
    return [first, Frame(captioned(seen, told(after), "Any key leads back."), None, marked(after), waits=True)]


def counting(scene: Scene, tempo: Tempo) -> list[Frame]:
    """The last card is looked at, the points are counted, and the next round waits for a key or a while."""
    ended = scene.round
    assert ended is not None
    onward = "See the result" if scene.result else f"Next {ended.label.lower()}"
    words = as_text(ended.text)
    shown = captioned(scene, words, "The points are counted.")
    shown = msgspec.structs.replace(shown, round=ended, choices=(Choice(-1, "button", onward, key="Enter", main=True),))
    done = msgspec.structs.replace(shown, prompt=Prompt("replay", words, "It goes on by itself in a moment."))
    seats = len(ended.tallies)
    if tempo.instant:
        return [Frame(done, tempo.fixed(AT_ONCE), tallied=seats, waits=True)]
    steps = [seats] if seats >= MANY else range(1, seats + 1)
    return [
        Frame(captioned(scene, told(scene)), tempo.time(LOOK), marked(scene)),
        *(Frame(shown, tempo.time(TALLY), tallied=step) for step in steps),
        Frame(done, tempo.fixed(NEXT), tallied=seats, waits=True),
    ]


def ending(scene: Scene, tempo: Tempo) -> list[Frame]:
    """The last card of a game is looked at, if it was not for a round, then one sentence is read."""
    assert scene.result is not None
    look = Frame(captioned(scene, told(scene)), tempo.time(LAST_LOOK, AT_ONCE), marked(scene))
    words = captioned(scene, scene.result.text, "Any key shows the result.")
    word = Frame(words, tempo.time(BEAT, AT_ONCE), marked(scene))
    return [word] if scene.round else [look, word]
