"""Instruments of a scene drawn in characters: the deck to cut as a bar with a gap, the wheel, the slot machine, and the
answers of a race in the positions of the number pad."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style

from fairdeal.engine.scene import Card, Choice, Scene
from fairdeal.engine.scene.instruments import Attack, Fan, Fight, Race, Reels, Wheel
from fairdeal.terminal.pictures.canvas import BOLD, Canvas
from fairdeal.terminal.pictures.cards import LIGHT, Catalogue
from fairdeal.terminal.pictures.exchange import LINES, attack_of, draw_attack
from fairdeal.terminal.pictures.lineup import LineUp, fight_lines

PAD = ("789", "4 6", "123")
"""Rows of a number pad. The word of the race is in the middle."""

COLUMN = 18
"""Width of a column of answers, in cells."""

STRUCK = Style(strike=True)


def lifts(scene: Scene) -> list[Choice]:
    """Return the cuts that the viewer may make now, from the fewest cards to the most."""
    if not isinstance(scene.stage, Fan) or not scene.stage.choices:
        return []
    return [choice for choice in scene.choices if choice.kind == "value" and choice.id in scene.stage.choices]


def answers(scene: Scene) -> dict[str, int]:
    """Return the choices in a race by key of the number pad. The key in the middle stands for doing nothing."""
    if not isinstance(scene.stage, Race) or not scene.choices:
        return {}
    keys = {answer.key: answer.choice for answer in scene.stage.answers if answer.choice >= 0}
    still = next((choice.id for choice in scene.choices if choice.id not in keys.values()), None)
    return keys if still is None else keys | {"5": still}


def height_of(scene: Scene) -> int:
    """Return the number of lines of the instrument in the centre, or 0 if nothing is drawn there."""
    match scene.stage:
        case Wheel():
            return 1
        case Reels(lines=lines):
            return 1 + max(1, len(lines))
        case Fight() as fight:
            return fight_lines(fight)
        case Race():
            return len(PAD) + 1
    return LINES if has_band(scene) else 0


def is_kept_free(scene: Scene) -> bool:
    """Return whether lines are reserved for an attack even while there is none."""
    return has_band(scene) and attack_of(scene) is None


@dataclass(frozen=True)
class Pen:
    """The tools for drawing an instrument. `chip` draws a card as a chip of text."""

    canvas: Canvas
    catalogue: Catalogue
    quiet: Style
    cursor: str
    chip: Callable[[Card, int, int], int]


def drawn_by_instrument(scene: Scene) -> frozenset[str]:
    """Return the ids of zones and frames that are drawn as part of the instrument."""
    bands = [zone.id for zone in scene.zones if zone.cell == "band" and not zone.cards]
    match scene.stage:
        case Fight(zones=zones):
            return frozenset([*zones, *(panel.id for panel in scene.panels)])
        case Attack(zones=zones):
            return frozenset([*zones, *bands])
    return frozenset(bands)


def has_band(scene: Scene) -> bool:
    """Return whether space is reserved for attacks, which are drawn as instruments."""
    drawn = drawn_by_instrument(scene)
    return any(zone.cell == "band" and zone.id in drawn for zone in scene.zones)


def draw_instrument(pen: Pen, scene: Scene, y: int, width: int) -> int:
    """Draw the instrument of a scene in the middle of the width, starting at line `y`. Return the line below it."""
    match scene.stage:
        case Wheel() as wheel:
            draw_wheel(pen.canvas, wheel, y, width, pen.quiet)
        case Reels() as reels:
            draw_reels(pen.canvas, reels, y, width, pen.quiet)
        case Fight() as fight:
            LineUp(pen.canvas, scene, pen.catalogue, pen.chip, pen.quiet).draw(fight, y, width)
        case Race() as race:
            draw_race(pen.canvas, race, y, width, pen.quiet, pen.cursor)
        case _ if has_band(scene):
            draw_attack(pen.canvas, scene, pen.catalogue, y, width, pen.chip)
    return y + height_of(scene)


def draw_wheel(canvas: Canvas, wheel: Wheel, y: int, width: int, quiet: Style) -> None:
    """Draw the sectors of a wheel in a row, followed by the prizes for a hit. The current sector is highlighted, and
    taken sectors are dots."""
    sectors = [
        ("·", quiet) if sector.taken and place != wheel.at else (sector.label, LIGHT if place == wheel.at else Style())
        for place, sector in enumerate(wheel.sectors)
    ]
    prize = [(str(points), STRUCK + quiet if look < wheel.used else BOLD) for look, points in enumerate(wheel.prize)]
    parts = [("Wheel", quiet), *sectors, ("  worth", quiet), *prize]
    x = max(1, (width - sum(cell_len(text) + 1 for text, _ in parts)) // 2)
    for text, style in parts:
        x = canvas.put(x, y, text, style) + 1


def draw_reels(canvas: Canvas, reels: Reels, y: int, width: int, quiet: Style) -> None:
    """Draw the number of the spin and the points compared with par. Below them, draw the paying lines with their
    reasons, or the condition for a payment."""
    slots = max(reels.par, reels.points)
    tally = "".join(
        ("◆" if slot < reels.points else "◇") + ("│" if slot + 1 == reels.par else "") for slot in range(min(slots, 20))
    )
    canvas.centre(y, f"spin {reels.turn} of {reels.of}   {tally} {reels.points} of par {reels.par}", BOLD)
    for number, line in enumerate(reels.lines, start=1):
        canvas.centre(y + number, f" {line.label}  {line.why} +{line.value} ", LIGHT)
    if not reels.lines:
        canvas.centre(y + 1, reels.need, quiet)


def draw_race(canvas: Canvas, race: Race, y: int, width: int, quiet: Style, cursor: str) -> None:
    """Draw the answers around the word, each at the position of its key."""
    by_key = {answer.key: answer for answer in race.answers}
    left = max(0, (width - 3 * COLUMN) // 2)
    for row, keys in enumerate(PAD):
        for column, key in enumerate(keys):
            x = left + column * COLUMN
            answer = by_key.get(key)
            if answer is None:
                if key == " ":
                    canvas.centre(y + row, f"{race.word.upper()}!", LIGHT, x, COLUMN)
                continue
            target = f"button:{answer.choice}"
            style = quiet if answer.choice < 0 else BOLD + Style(underline=cursor == target, reverse=cursor == target)
            if answer.choice >= 0:
                canvas.mark(x, y + row, COLUMN - 1, 1, target)
            canvas.put(x, y + row, f"[{key}] {answer.label}", style)


def draw_bar(canvas: Canvas, scene: Scene, cursor: str, x: int, y: int, width: int, style: Style) -> None:
    """Draw the deck as a bar, with the lifted packet before a gap."""
    assert isinstance(scene.stage, Fan)
    count = scene.stage.count
    cuts = lifts(scene)
    gap = next((int(cut.label) for cut in cuts if cursor == f"button:{cut.id}"), count // 2)
    for cut in cuts:
        canvas.mark(x + int(cut.label) + (int(cut.label) > gap), y, 1, 1, f"button:{cut.id}")
    x = canvas.put(x, y, "▀" * gap + "◂", style + BOLD)
    x = canvas.put(x, y, "▄" * (count - gap), style)
    told = f"  {gap} of {count} · ← → Enter lifts"
    canvas.put(x, y, told[: max(0, width - x)], style)
