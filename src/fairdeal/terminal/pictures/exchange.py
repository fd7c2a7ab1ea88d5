"""Attacks drawn in characters: the attacker and the target, their cards, the responses, and the outcome."""

from collections.abc import Callable

from rich.cells import cell_len

from fairdeal.engine.scene import Card, Scene
from fairdeal.engine.scene.instruments import Attack
from fairdeal.terminal.pictures.canvas import BOLD, Canvas
from fairdeal.terminal.pictures.cards import LIGHT, Catalogue

LINES = 4
"""Number of lines of an attack. The last one is empty."""

BESIDE, BLOCKS, AIMS = " ", " ╳ ", " ──▸ "
"""Text between two attacking cards, before a response, and before the target."""


def attack_of(scene: Scene) -> Attack | None:
    """Return the current attack, or the attack that the last move has ended."""
    return scene.stage if isinstance(scene.stage, Attack) else scene.resolved


def cards_of(scene: Scene, attack: Attack) -> list[tuple[str, Card]]:
    """Return the cards of an attack from left to right, each with the text before it."""
    cards = [card for zone in scene.zones if zone.id in attack.zones for card in zone.cards]
    if not cards:
        cards = [Card(id=f"was{number}", face=face) for number, face in enumerate(attack.faces)]
    line = [(BLOCKS if number >= attack.attackers else BESIDE, card) for number, card in enumerate(cards)]
    target = next((card for zone in scene.zones for card in zone.cards if card.id == attack.target), None)
    return [*line, (AIMS, target)] if target else line


def draw_attack(
    canvas: Canvas, scene: Scene, catalogue: Catalogue, y: int, width: int, chip: Callable[[Card, int, int], int]
) -> None:
    """Draw the attack of a scene, starting at line `y`. `chip` draws a card as a chip of text."""
    attack = attack_of(scene)
    if attack is None:
        return
    canvas.centre(y, attack.title, BOLD)
    line = cards_of(scene, attack)
    wide = sum(cell_len(before + catalogue.chip(card)[0]) for before, card in line)
    x = max(0, (width - wide) // 2)
    for before, card in line:
        x = chip(card, canvas.put(x, y + 1, before, BOLD), y + 1)
    word = f" {attack.word} " if attack.word else ""
    x = max(0, (width - cell_len(word) - cell_len(attack.text) - 1) // 2)
    canvas.put(canvas.put(x, y + 2, word, LIGHT) + bool(word), y + 2, attack.text)
