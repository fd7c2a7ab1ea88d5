"""Frames shown over a table after a move: the last card, the counting of a round's points, and the scenes since the
viewer's turn. They never delay the game, and any key skips them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.timer import Timer

from fairdeal.engine.scene import Choice, Prompt, Scene, as_text, joined
from fairdeal.protocol.staging import DEAL, MANY
from fairdeal.terminal.pictures.lingering import laid, looked_at
from fairdeal.terminal.pictures.speed import Tempo

HELD = 1.0
"""Delay, in seconds, before the next attempt to continue while a panel or a dialog is open."""


@dataclass(frozen=True)
class Frame:
    """A picture that is shown for some time or until a key is pressed.

    scene    the scene to draw
    seconds  display time in seconds (default: until a key is pressed)
    marks    ids of highlighted cards, and highlighted seats as `seat:N`
    tallied  number of seats whose points are shown
    part     progress of a film from 0 to 1
    waits    whether a key that skips other frames stops at this one
    """

    scene: Scene
    seconds: float | None
    marks: frozenset[str] = frozenset()
    tallied: int = -1
    part: float = -1.0
    waits: bool = False


class Staging:
    """A player of frames, which are shown one after another. `draw` draws the frame `now`. `held` returns whether the
    user is reading something else."""

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
        """Show frames, and then call `over`. If `keeps` is true, new scenes wait until the frames have ended;
        otherwise, a new scene ends the frames."""
        self.drop()
        self.frames, self.over, self.keeps = list(frames), over, keeps
        self.begin()

    def begin(self) -> None:
        self.draw()
        seconds = self.frames[0].seconds
        if seconds is not None:
            self.timer = self.set_timer(seconds, self.go_on)

    def go_on(self) -> None:
        """Continue after the time of a frame, unless the user is reading something else."""
        if not self.frames:
            return
        if self.held():
            self.timer = self.set_timer(HELD, self.go_on)
            return
        self.leave(self.frames[1:])

    def skip(self) -> None:
        """Skip to the next frame that waits for a key. If that is the current frame, continue with the frame after it;
        if there is none, end all frames."""
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
        """Remove all frames."""
        if self.timer:
            self.timer.stop()
        self.frames, self.timer = [], None


# --- the frames -----------------------------------------------------------------------------------------------------


def marked(scene: Scene) -> frozenset[str]:
    """Return the cards that the last move put down or turned up, except those in the viewer's own hand."""
    first = next(iter(scene.events), None)
    if first is None:
        return frozenset()
    hands = {zone.id for zone in scene.zones if zone.place == "hand"}
    found = [*(move.card for move in first.moves if move.goal not in hands), *first.turned]
    return frozenset(found) - {""} if len(found) <= DEAL else frozenset()


def lit(scene: Scene) -> frozenset[str]:
    """Return what decided a finished game: its cards, and its seats as `seat:N`."""
    light = scene.result.light if scene.result else None
    return frozenset([*light.cards, *[f"seat:{seat}" for seat in light.seats]]) if light else frozenset()


def events_text(scene: Scene) -> str:
    return as_text(joined(line.text for line in scene.events))


def captioned(scene: Scene, text: str, sub: str = "") -> Scene:
    """Return a scene for viewing only, with `text` and `sub` in place of its prompt."""
    prompt = Prompt("replay", text, sub)
    return scene.replaced(
        mode="live", result=None, prompt=prompt, choices=(), draft=None, events=(), recap=(), round=None
    )


def film(scenes: Sequence[Scene], tempo: Tempo) -> list[Frame]:
    """Return the frames of a film of the scenes since the viewer's turn, ending with the current scene."""
    last = len(scenes) - 1
    frames = []
    for (at, scene), (_, seconds) in zip(enumerate(scenes), tempo.course("film", moment=last), strict=True):
        text = events_text(scene) or ("Your last turn" if scene.seq else "The deal")
        count = f"{at} of {last} since your turn. " if at else ""
        sub = f"{count}Press any key to stop." if at < last else "This is the table now."
        seen = captioned(laid(scene, looked_at(scene)), text, sub)
        frames.append(Frame(seen, seconds, marked(scene), part=at / last))
    return frames


def deciding(before: Scene, after: Scene, tempo: Tempo) -> list[Frame]:
    """Return the frames for the move that decided a game: the table before the move, and the table after it until a key
    is pressed."""
    seen = laid(after, looked_at(after))
    (_, seconds) = tempo.course("film")[-1]
    first = Frame(captioned(before, f"Before move {after.seq}"), seconds)
    return [
        first,
        Frame(captioned(seen, events_text(after), "Press any key to go back."), None, marked(after), waits=True),
    ]


def counting(scene: Scene, tempo: Tempo) -> list[Frame]:
    """Return the frames after a round: the last card, the points, and a frame that is shown until a key is pressed or
    some time has passed."""
    ended = scene.round
    assert ended is not None
    onward = "See the result" if scene.result else f"Next {ended.label.lower()}"
    words = as_text(ended.text)
    shown = captioned(scene, words, "The points are counted.")
    shown = shown.replaced(round=ended, choices=(Choice(-1, "button", onward, key="Enter", main=True),))
    done = shown.replaced(prompt=Prompt("replay", words, "The game continues in a moment."))
    seats = len(ended.tallies)
    steps = 1 if seats >= MANY else seats
    pictures = {"look": captioned(scene, events_text(scene)), "done": done}
    frames, counted = [], seats - steps
    for stage, seconds in tempo.course("round", count=steps):
        counted += stage == "count"
        tallied = {"look": -1, "done": seats}.get(stage, counted)
        marks = marked(scene) if stage == "look" else frozenset()
        frames.append(Frame(pictures.get(stage, shown), seconds, marks, tallied, waits=stage == "done"))
    return frames


def ending(scene: Scene, tempo: Tempo) -> list[Frame]:
    """Return the frames shown after a game: its deciding cards or seats, and a sentence about the result."""
    assert scene.result is not None
    words = captioned(scene, scene.result.text, "Press any key to see the result.")
    scenes = {"look": captioned(scene, events_text(scene)), "word": words}
    return [Frame(scenes[stage], seconds, lit(scene)) for stage, seconds in tempo.course("end")]
