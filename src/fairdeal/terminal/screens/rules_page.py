"""The rules page of a game in characters, with cards drawn as chips of text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.text import Text

from fairdeal.engine.page import HEADS, Kind, Page, Question, Row, Said, Sum, differs, notation
from fairdeal.engine.scene import Card
from fairdeal.engine.tips import OWN, Bite
from fairdeal.terminal.pictures.cards import Catalogue


def told_page(page: Page, catalogue: Catalogue, options: Mapping[str, Any]) -> Text:
    """Return the rules page of a game. `options` are the options of the table that differ from their defaults."""
    text = Text()
    head(text, "Goal")
    say(text, page.goal, catalogue, options)
    for part, words in HEADS.items():
        here = getattr(page, part)
        if part == "scoring":
            here = (*here.said, *here.sums)
        if here:
            head(text, words)
        for number, one in enumerate(here, 1):
            if part == "turn":
                text.append(f"{number}. ", style="bold")
            say(text, one, catalogue, options)
    text.rstrip()
    return text


def head(text: Text, words: str) -> None:
    text.append(f"{words.upper()}\n", style="bold underline")


def say(text: Text, one: Said | Kind | Sum | Question | Bite, catalogue: Catalogue, options: Mapping[str, Any]) -> None:
    """Append a paragraph, a kind of card, an example, a question or a tip to `text`."""
    if isinstance(one, Sum):
        add_up(text, one, catalogue)
    else:
        if isinstance(one, Kind):
            chips(text, one.faces, catalogue)
            text.append(f" {one.name}: ", style="bold")
        elif isinstance(one, Question):
            text.append(f"{one.ask} ", style="bold")
        text.append(one.answer if isinstance(one, Question) else one.text)
        text.append(f" {one.clause}\n" if one.clause else "\n", style="dim")
    if isinstance(one, Bite):
        example(text, one, (), catalogue)
    elif isinstance(one, Said) and one.cards:
        text.append("   ")
        chips(text, one.cards, catalogue)
        text.append("\n")
    if isinstance(one, Said | Question):
        for words in differs(one.otherwise, options):
            text.append(f"   ✱ {words}\n", style="italic")
    text.append("\n")


def add_up(text: Text, one: Sum, catalogue: Catalogue) -> None:
    """Append a worked example to `text`: its rows and their total."""
    text.append(f"{one.title}\n", style="bold")
    for row in (*one.rows, Row(one.unit, one.total)):
        text.append(f"{row.value:>4}  {row.text}  ", style="bold" if row.text == one.unit else "")
        chips(text, row.cards, catalogue)
        text.append("\n")


def example(text: Text, one: Bite, own: Sequence[Card], catalogue: Catalogue) -> None:
    """Append the example of a tip to `text`, with the viewer's own cards, if there are any."""
    for row in one.rows:
        items: list[str | Card] = []
        for item in row:
            items += (own or one.cards) if item == OWN else [item]
        text.append("   ")
        chips(text, items, catalogue)
        text.append("\n")


def chips(text: Text, cards: Iterable[str | Card], catalogue: Catalogue) -> None:
    """Append cards to `text` as chips on their own background, with the words between them."""
    for number, item in enumerate(cards):
        card = item if isinstance(item, Card) else notation(item, catalogue.faces, catalogue.skin.name)
        if number:
            text.append(" ")
        if isinstance(item, str) and card is None:
            text.append(item[1:].strip(), style="dim")
        elif card:
            text.append(*catalogue.chip(card))
