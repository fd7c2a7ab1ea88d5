"""Lessons: fixed deals with a script, taught at a real table with the real rules.

A script is a TOML file in the folder `lessons` beside a game's rules. The learner has seat 0 and makes the moves that
the script requires. The script also contains the moves of the rivals. After the last step, the learner can continue the
game against bots.
"""

import re
import tomllib
from collections import deque
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec

from fairdeal.bots.company import NAMES
from fairdeal.bots.levels import FACES
from fairdeal.engine.errors import BadLesson, FairdealError, IllegalMove
from fairdeal.engine.files import read_text
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.engine.scene import Choice, Lesson, Prompt, Scene
from fairdeal.engine.scene.instruments import Fan, Stage
from fairdeal.engine.scene.picks import MOST_PICKS
from fairdeal.engine.state import table_for
from fairdeal.table.clocks import Reflexes
from fairdeal.table.log import Player
from fairdeal.table.names import NAMELESS
from fairdeal.table.sitting import Sitting

FIRST = "first"
"""Name of the first lesson, which every game must provide."""

LEARNER = 0
RIVALS = (*(face.name for face in FACES.values()), *NAMES)

LONGEST_TEXT, LONGEST_SUB, LONGEST_TITLE = 60, 90, 24

NEXT, SKIP, BACK = -1, -2, -3
"""Choice ids of the coach's own buttons: continue, let the coach make the move, and return to the previous step."""

POINT = re.compile(
    r"card (?P<card>\S+)(?: in (?P<where>\S+))?|zone (?P<zone>\S+)|seat (?P<seat>\d{1,2})|button (?P<button>.+)"
)
MOVE = re.compile(r"(\d{1,2}): *(.+)")


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """A step of a lesson, which teaches one idea.

    text    the instruction
    sub     the reason
    at      the target that the coach points at: `card FACE`, `card FACE in ZONE`, `card 3 in ZONE` (from 0), `zone ID`,
            `seat 1` or `button LABEL`
    play    the learner's move in notation; empty if the learner only has to read
    button  label of the button that makes the move, if the table's own label is too terse
    then    the moves that follow, each as `seat: move`
    """

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]
    sub: Annotated[str, msgspec.Meta(max_length=LONGEST_SUB)] = ""
    at: str = ""
    play: str = ""
    button: str = ""
    then: list[str] = []

    def __post_init__(self) -> None:
        if self.at and not POINT.fullmatch(self.at):
            raise ValueError(
                f"at={self.at!r}: write `card FACE`, `card 3 in ZONE`, `zone ID`, `seat 1` or `button LABEL`"
            )
        for move in self.then:
            if not MOVE.fullmatch(move):
                raise ValueError(f"then={move!r}: write a move as `seat: move`")


class Script(msgspec.Struct, forbid_unknown_fields=True):
    """A lesson, as written in its file.

    title     title of the lesson
    steps     steps of the lesson
    about     one-line description of the content
    number    position among the lessons of the game, from 1
    options   options of the game
    position  the position at the start; cards that it does not specify are dealt from `seed`
    seed      seed of the deal
    file      name of the file
    game      name of the game
    name      name of the lesson, from the name of the file
    """

    title: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TITLE)]
    steps: Annotated[list[Step], msgspec.Meta(min_length=1)]
    about: Annotated[str, msgspec.Meta(max_length=LONGEST_SUB)] = ""
    number: Annotated[int, msgspec.Meta(ge=1)] = 1
    options: dict[str, Any] = {}
    position: dict[str, Any] = {}
    seed: int | str = 0
    file: str = ""
    game: str = ""
    name: str = ""

    def sitting(self) -> Sitting:
        """Open the table at which the lesson is taught. Raises BadLesson if the lesson does not fit the game."""
        try:
            table = table_for(self.game, self.options)
            state = table.setup(self.position, self.seed) if self.position else table.deal(self.seed)
        except FairdealError as problem:
            raise BadLesson(self.file, 0, str(problem)) from None
        players = [Player(NAMELESS), *(Player(name, "greedy") for name in RIVALS[: table.players - 1])]
        return Sitting.open(state.table, players, "lesson", state)


def lesson_files(game: Game) -> dict[str, Path]:
    """Return the lessons of a game by name: `NAME.toml` in the folder `lessons` beside its rules, or `GAME.NAME.toml`
    if several games share that folder."""
    found = {}
    for path in sorted((Path(str(files(game.package))) / "lessons").glob("*.toml")):
        owner, _, name = path.stem.rpartition(".")
        if owner in ("", game.name):
            found[name] = path
    return found


def read_script(path: Path, game: str) -> Script:
    """Read a lesson of a game. Raises BadLesson, with the place of the error, if it cannot be read."""
    try:
        script = msgspec.convert(tomllib.loads(read_text(path)), Script)
    except tomllib.TOMLDecodeError as problem:
        raise BadLesson(path.name, 0, f"not TOML: {problem}") from None
    except RecursionError:
        raise BadLesson(path.name, 0, "TOML is nested too deeply") from None
    except msgspec.ValidationError as problem:
        words, _, where = str(problem).partition(" - at `$")
        step = re.match(r"\.steps\[(\d+)\]\.?(.*?)`?$", where)
        field = f"{step[2]}: " if step and step[2] else ""
        raise BadLesson(path.name, int(step[1]) + 1 if step else 0, field + words) from None
    script.file, script.game, script.name = path.name, game, path.stem.rpartition(".")[2]
    return script


def find_script(game: str, name: str = FIRST) -> Script:
    """Find a lesson by name. Raises UnknownGame, BadLesson, or FairdealError if the game has no such lesson."""
    found = lesson_files(find_game(game))
    if name not in found:
        known = f"it has {', '.join(offer.name for offer in offers_of(find_game(game)))}" if found else "it has none"
        raise FairdealError(f"{find_game(game).title} has no lesson {name!r}; {known}")
    return read_script(found[name], game)


class Offer(msgspec.Struct, frozen=True):
    """An entry in a game's list of lessons.

    name   name in the address `/learn/GAME/NAME`
    title  title of the lesson
    about  one-line description of the content
    """

    name: str
    title: str
    about: str


def offers_of(game: Game) -> tuple[Offer, ...]:
    """Return the lessons of a game, sorted by their numbers. Raises BadLesson if one of them cannot be read."""
    found = {name: read_script(path, game.name) for name, path in lesson_files(game).items()}
    ordered = sorted(found.items(), key=lambda item: item[1].number)
    return tuple(Offer(name, script.title, script.about) for name, script in ordered)


def offer_after(game: Game, name: str) -> Offer | None:
    """Return the lesson that follows the lesson `name`, or None after the last one. Raises BadLesson if a lesson cannot
    be read."""
    offers = offers_of(game)
    after = [offer.name for offer in offers].index(name) + 1
    return offers[after] if after < len(offers) else None


class Taught:
    """A lesson in progress.

    at       number of the step, from 0
    to_come  moves of the script that follow the last move
    free     whether the script has ended and the learner plays freely
    """

    def __init__(self, script: Script, step: int = 0) -> None:
        self.script = script
        self.reflexes = Reflexes()
        self.go_to(step)

    def go_to(self, step: int) -> None:
        """Start a step again, after replaying the steps before it. Raises BadLesson if a step cannot be replayed."""
        self.sitting = self.script.sitting()
        self.at = 0
        self.to_come: deque[str] = deque()
        self.free = self.moved = False
        self.known: list[tuple[int, ...]] | None = None
        self.rival = LEARNER
        while self.at < min(step, len(self.script.steps) - 1):
            self.carry_out()
            while self.to_come:
                self.go_on()

    @property
    def step(self) -> Step:
        return self.script.steps[min(self.at, len(self.script.steps) - 1)]

    @property
    def is_last(self) -> bool:
        return self.at == len(self.script.steps) - 1

    # --- scenes ---------------------------------------------------------------------------------------------

    def scene(self, draft: Sequence[int] = ()) -> Scene:
        """Return the learner's scene, with the coach's words as the prompt and only the choices that lead to the move
        of the step."""
        self.check(draft)
        scene = self.sitting.scene(LEARNER, draft)
        scene = scene.replaced(seq=self.number)
        if self.free:
            return scene
        scene = scene.replaced(mode="live", result=None, more=0, prompt=self.watch(scene), choices=())
        if self.to_come:
            return scene.replaced(lesson=Lesson(self.at + 1, len(self.script.steps)))
        offered = self.offered(draft)
        return scene.replaced(
            stage=at_rest(scene.stage, offered),
            prompt=Prompt("yours", self.step.text, self.step.sub),
            choices=(*offered, *self.of_coach(draft)),
            lesson=Lesson(self.at + 1, len(self.script.steps), *(self.pointed(scene, draft, offered) or ())),
            events=scene.events if self.moved else (),
        )

    def scenes(self) -> Iterator[Scene]:
        """Do what the rest of the lesson asks for, and yield its scenes, with the coach's words and no choices."""
        while not self.free:
            scene, asks = self.sitting.scene(LEARNER), Prompt("replay", self.step.text, self.step.sub)
            yield scene.replaced(prompt=self.watch(scene) if self.to_come else asks, choices=())
            if self.to_come:
                self.go_on()
            else:
                self.carry_out()

    def check(self, draft: Sequence[int]) -> None:
        """Check that a draft consists of choices that were offered. Raises IllegalMove otherwise."""
        if self.free:
            seen = self.sitting.seen(LEARNER)
            fits = all(
                any(choice.id == pick for choice in seen.scene(draft[:number]).choices)
                for number, pick in enumerate(draft[:MOST_PICKS])
            )
        else:
            ways = self.ways() if self.step.play and not self.to_come else [()]
            fits = any(way[: len(draft)] == tuple(draft) for way in ways)
        if not fits or len(draft) > MOST_PICKS:
            raise IllegalMove("", "this unfinished move is not possible now")

    @property
    def number(self) -> int:
        """Number that increases with every move and every step."""
        return self.sitting.moves_made + self.at

    def watch(self, scene: Scene) -> Prompt:
        """Return the prompt shown while the rivals make their moves."""
        own = scene.prompt
        return own if own and own.mode in ("waiting", "together") else Prompt("waiting", "Watch what happens.")

    def offered(self, draft: Sequence[int]) -> tuple[Choice, ...]:
        """Return the choices of the game that lead to the step's move. A single button or value becomes the main
        button."""
        if not self.step.play:
            return ()
        done = len(draft)
        lit = {way[done] for way in self.ways() if len(way) > done and way[:done] == tuple(draft)}
        found = [choice for choice in self.sitting.seen(LEARNER).scene(draft).choices if choice.id in lit]
        placed = {choice.id for choice in found if choice.on}
        kept = [choice for choice in found if choice.on or choice.main or choice.id not in placed]
        if len(kept) > 1 or not kept or kept[0].on:
            return tuple(kept)
        label = self.step.button or kept[0].label
        return (kept[0].replaced(kind="button", label=label, key="Enter", main=True),)

    def of_coach(self, draft: Sequence[int]) -> Iterator[Choice]:
        """Yield the coach's own choices."""
        if self.step.play:
            yield Choice(SKIP, "button", "I know this")
        else:
            label = "Next" if not self.is_last else "Done" if self.sitting.over else "Play on"
            yield Choice(NEXT, "button", label, key="Enter", main=True)

    def pointed(self, scene: Scene, draft: Sequence[int], offered: Sequence[Choice]) -> tuple[Any, str] | None:
        """Return the target that the coach points at: the one that the step names, or else the next choice that leads
        to the step's move."""
        if self.step.at and not draft:
            return place_of(scene, offered, self.step.at)
        ordered = sorted(offered, key=lambda choice: bool(choice.on) == bool(draft))
        if not ordered:
            return None
        first = ordered[0]
        return (first.kind, first.on) if first.on else ("button", str(first.id))

    def ways(self) -> list[tuple[int, ...]]:
        """Return the shortest sequences of choices that make the step's move. Raises BadLesson if there is none."""
        if self.known is None:
            try:
                wanted = self.sitting.state.read_move(LEARNER, self.step.play)
            except IllegalMove as problem:
                raise BadLesson(self.script.file, self.at + 1, f"play: {problem}") from None
            seen = self.sitting.seen(LEARNER)
            picks = seen.game.picks_of(seen.shown, LEARNER, wanted)
            self.known = self.found_ways(wanted, {*wanted, *picks}) or self.found_ways(wanted)
            if not self.known:
                raise BadLesson(self.script.file, self.at + 1, f"no choices lead to {self.step.play!r}")
        return self.known

    def found_ways(self, wanted: tuple[int, ...], among: set[int] | None = None) -> list[tuple[int, ...]]:
        """Return the shortest sequences of choices that make a move. If `among` is given, choices other than buttons
        must be in it."""
        seen = self.sitting.seen(LEARNER)
        drafts: list[tuple[int, ...]] = [()]
        for _ in range(MOST_PICKS):
            longer, found = set(), set()
            for draft in drafts:
                for choice in seen.scene(draft).choices:
                    picked = seen.pick(draft, choice.id)
                    if picked.move == wanted:
                        found.add((*draft, choice.id))
                    elif picked.draft == (*draft, choice.id) and (
                        not among or choice.kind == "button" or choice.id in among
                    ):
                        longer.add(picked.draft)
            if found or not longer:
                return sorted(found)
            drafts = sorted(longer)
        return []

    # --- moves ----------------------------------------------------------------------------------------------

    def pick(self, draft: Sequence[int], choice: int) -> tuple[int, ...]:
        """Carry out a choice of the scene, and return the new draft, which is empty after a move or a step. For a
        choice that does not belong to the step, raises IllegalMove with the step's instruction, and changes nothing."""
        if not self.free:
            if choice == BACK and self.at and not self.to_come:
                self.go_to(self.at - 1)
                return ()
            if all(choice != one.id for one in self.scene(draft).choices):
                raise IllegalMove("", self.asks)
            if choice in (NEXT, SKIP):
                self.carry_out()
                return ()
        self.check(draft)
        picked = self.sitting.seen(LEARNER).pick(draft, choice)
        if picked.move is None:
            return picked.draft
        self.sitting.play(LEARNER, picked.move)
        self.moved = True
        if not self.free:
            self.follow()
        return ()

    @property
    def asks(self) -> str:
        """The instruction for the learner, which is also the error message for any other move."""
        return "Watch what happens." if self.to_come else self.step.text

    def why(self, draft: Sequence[int], card: str) -> tuple[str, str]:
        """Return the reason why a card cannot be chosen now, as a sentence, and the clause."""
        self.check(draft)
        return self.sitting.seen(LEARNER).why(draft, card) if self.free else (self.asks, "")

    def carry_out(self) -> None:
        """Make the move of the step for the learner."""
        self.moved = bool(self.step.play)
        if self.step.play:
            self.enter(LEARNER, self.step.play, "play")
        self.follow()

    def follow(self) -> None:
        """Continue with the moves after the learner's part of the step."""
        self.to_come = deque(self.step.then)
        if not self.to_come:
            self.advance()

    def advance(self) -> None:
        self.free = self.is_last
        self.at += 1
        self.known = None

    def due(self, pause: float, now: float) -> float | None:
        """Return the time of the next automatic move, in the time of `now`, or None if the learner is to act."""
        if self.to_come:
            return now + pause
        found = self.reflexes.next(self.sitting.state, self.sitting.bots, pause, now) if self.free else None
        if found is None:
            return None
        self.rival = found[1]
        return found[0]

    def go_on(self) -> None:
        """Make the next move of the script, or of the bot that is due."""
        self.moved = True
        if not self.to_come:
            self.sitting.play_bot(self.rival)
            self.reflexes.moved(self.rival)
            return
        seat, move = MOVE.fullmatch(self.to_come.popleft()).groups()  # type: ignore[union-attr]
        self.enter(int(seat), move, "then")
        if not self.to_come:
            self.advance()

    def enter(self, seat: int, move: str, field: str) -> None:
        """Play a move of the script. Raises BadLesson if the move is not legal."""
        try:
            self.sitting.play(seat, move)
        except IllegalMove as problem:
            raise BadLesson(self.script.file, self.at + 1, f"{field}: {problem}") from None


def at_rest(stage: Stage | None, offered: Sequence[Choice]) -> Stage | None:
    """Return a stage with its fan at rest if none of the fan's cards can be lifted. Other stages are returned
    unchanged."""
    if not isinstance(stage, Fan) or any(choice.id in stage.choices for choice in offered):
        return stage
    return stage.replaced(choices=())


def place_of(scene: Scene, offered: Sequence[Choice], at: str) -> tuple[str, str] | None:
    """Return the kind and id of the target `at` in a scene, or None if it is not there."""
    match = POINT.fullmatch(at)
    assert match
    if match["zone"]:
        return ("zone", match["zone"]) if any(zone.id == match["zone"] for zone in scene.zones) else None
    if match["seat"]:
        return ("seat", match["seat"]) if any(str(seat.seat) == match["seat"] for seat in scene.seats) else None
    if match["button"]:
        return next((("button", str(one.id)) for one in offered if one.label == match["button"]), None)
    zones = [zone for zone in scene.zones if match["where"] in (None, zone.id)]
    if match["card"].isdecimal() and match["where"]:
        cards = [card for zone in zones for card in zone.cards]
        number = int(match["card"])
        return ("card", cards[number].id) if number < len(cards) else None
    return next((("card", card.id) for zone in zones for card in zone.cards if card.face == match["card"]), None)
