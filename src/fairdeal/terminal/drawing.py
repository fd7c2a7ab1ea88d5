"""The table in characters, drawn from a scene and nothing else.

The picture has, from top to bottom: a bar, the rivals, the centre, the viewer's own cards on the table, the prompt
with its buttons, and the hand. Cards are full, compact or chips of text, as the room allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from rich.cells import cell_len
from rich.style import Style
from textual.renderables.digits import DIGITS, DIGITS3X3_BOLD

from fairdeal.engine.scene import Card, Choice, Headline, Scene, Seat, Zone
from fairdeal.terminal.canvas import Canvas, shortened
from fairdeal.terminal.cards import COMPACT, FULL, LIT, LIT_INK, Catalogue, draw_card, draw_chip, short_name

TALL = 34
"""From this many lines on, cards on the table are framed and hand cards full."""

ICONS = {"chip": "●"}
"""How the icons of a scene are told in a character."""

DAY = {"paper": "#f3eee4", "ink": "#1d1a16", "quiet": "#5a534a", "line": "#d3cabb"}
NIGHT = {"paper": "#2a282e", "ink": "#f4efe6", "quiet": "#b8b0a4", "line": "#47434d"}


@dataclass(frozen=True)
class Item:
    """Something the cursor can stand on: a card, a zone or a button, with its choice if it can be chosen."""

    target: str
    group: str
    choice: Choice | None


@dataclass(frozen=True)
class Look:
    """What a picture depends on besides the scene: the cursor, what is being typed, a note, day or night."""

    cursor: str = ""
    typed: str = ""
    note: str = ""
    dark: bool = True
    hinted: frozenset[str] = frozenset()

    @property
    def inks(self) -> dict[str, str]:
        return NIGHT if self.dark else DAY


def items_of(scene: Scene) -> list[Item]:
    """All that the cursor can reach, in the order of the keys: hand, other cards that can be chosen, zones, buttons.

    Cards of the hand can be reached even when they cannot be chosen, to ask why.
    """
    choices = {choice.on: choice for choice in scene.choices if choice.on}
    items: list[Item] = []
    for zone in sorted(scene.zones, key=lambda zone: zone.place != "hand"):
        for card in zone.cards:
            if card.id in choices or (zone.place == "hand" and scene.choices):
                items.append(Item(f"card:{card.id}", zone.id, choices.get(card.id)))
        if zone.id in choices:
            items.append(Item(f"zone:{zone.id}", zone.id, choices[zone.id]))
    items += [Item(f"seat:{choice.on}", "seats", choice) for choice in scene.choices if choice.kind == "seat"]
    items += [Item(f"button:{choice.id}", "buttons", choice) for choice in buttons_of(scene)]
    return items


def buttons_of(scene: Scene) -> list[Choice]:
    return [choice for choice in scene.choices if choice.kind in ("button", "value")]


class TablePicture:
    """Draws one scene; `canvas` holds the picture and what a click on it means."""

    def __init__(self, scene: Scene, catalogue: Catalogue, width: int, height: int, look: Look) -> None:
        self.scene = scene
        self.catalogue = catalogue
        self.look = look
        skin = catalogue.skin
        cloth = skin.cloth[1] if look.dark else skin.cloth[0]
        self.base = Style(color=look.inks["ink"], bgcolor=cloth)
        self.quiet = Style(color=look.inks["quiet"])
        self.canvas = Canvas(width, height, self.base)
        self.lit = {choice.on for choice in scene.choices if choice.on}
        self.chosen = set(scene.draft.chosen) if scene.draft else set()
        self.aim = set(scene.draft.aim) if scene.draft else set()
        self.tall = height >= TALL
        self.draw(width, height)

    def draw(self, width: int, height: int) -> None:
        hand = [zone for zone in self.scene.zones if zone.place == "hand"]
        own = [zone for zone in self.scene.zones if zone.place == "own"]
        centre = [zone for zone in self.scene.zones if zone.place == "centre"]
        hand_height = (FULL if self.tall else COMPACT)[1] + 1
        prompt_height = 3 if self.tall else 2
        hand_top = height - (hand_height if hand else 0) - 1
        prompt_top = hand_top - prompt_height
        self.draw_bar(width)
        below = self.draw_rivals(1, width)
        own_height = self.zone_height(own)
        middle = max(0, prompt_top - own_height - below - self.centre_height(centre))
        top = self.draw_centre(centre, below + middle // 2, width)
        self.draw_own(own, max(top, prompt_top - own_height), width)
        if max(top, below) < prompt_top - own_height:
            self.draw_event(prompt_top - own_height - 1, width)
        self.draw_prompt(prompt_top, width, prompt_height)
        self.draw_note(prompt_top, width)
        self.draw_hand(hand, hand_top, width)
        self.draw_me(height - 1, width)

    # --- the parts ------------------------------------------------------------------------------------------

    def draw_bar(self, width: int) -> None:
        scene = self.scene
        style = Style(color=self.look.inks["ink"], bgcolor=self.look.inks["paper"])
        self.canvas.fill(0, 0, width, 1, style)
        x = self.canvas.put(1, 0, scene.title.upper(), style + Style(bold=True))
        self.canvas.put(x + 2, 0, scene.sub, style + self.quiet)
        right = " · ".join(scene.facts)
        self.canvas.put(width - cell_len(right) - 1, 0, right, style)

    def draw_rivals(self, top: int, width: int) -> int:
        """The other seats in playing order from the viewer's left; the line below them."""
        seats = list(self.scene.seats)
        viewer = self.scene.viewer
        rivals = [seats[(viewer + 1 + i) % len(seats)] for i in range(len(seats) - (1 if viewer >= 0 else 0))]
        if not rivals:
            return top
        columns = min(len(rivals), 4)
        span = width // columns
        lowest = top
        for number, seat in enumerate(rivals):
            left, y = (number % columns) * span, top + (number // columns) * 3
            lowest = max(lowest, self.draw_rival(seat, left, y, span - 1))
        return lowest

    def draw_rival(self, seat: Seat, left: int, top: int, width: int) -> int:
        mark = "▶ " if seat.acts else "  "
        style = Style(bold=True, reverse=seat.acts)
        name = f"{mark}{seat.name}{' ⚙' if seat.kind == 'bot' else ''} "
        x = self.canvas.put(left + 1, top, shortened(name, width), style)
        self.canvas.put(x + 1, top, shortened(seat.note, left + width - x - 1), self.quiet)
        self.canvas.put(left + 3, top + 1, shortened(counters_of(seat, width - 3), width - 3), self.quiet)
        y = top + 2
        zones = [zone for zone in self.scene.zones if zone.place == f"seat:{seat.seat}" and not zone.fold]
        for zone in zones:
            y = self.draw_zone(zone, left + 2, y, width - 2)
        return y

    def zone_height(self, zones: list[Zone]) -> int:
        rows = [self.card_size(zone)[1] if zone.cards or zone.slots else 0 for zone in zones]
        return max(rows, default=0) + (1 if any(rows) else 0)

    def card_size(self, zone: Zone) -> tuple[int, int]:
        if self.tall:
            return FULL
        return COMPACT if zone.place in ("centre", "own") else (0, 1)

    def centre_height(self, zones: list[Zone]) -> int:
        cards = [self.card_size(zone)[1] for zone in zones if zone.slots or (zone.cards and not zone.fold)]
        headline = 8 if self.scene.headline and self.tall else 3 if self.scene.headline else 0
        return headline + max(cards, default=0) + 2

    def draw_centre(self, zones: list[Zone], top: int, width: int) -> int:
        """The headline, the open rows of cards, and one line for piles that are only counted."""
        y = top
        if self.scene.headline:
            y = self.draw_headline(self.scene.headline, y, width)
        for zone in zones:
            if not zone.fold:
                self.canvas.centre(y, zone.label, self.quiet)
                size = self.card_size(zone)
                places = max(zone.slots, len(zone.cards))
                y = self.draw_zone(zone, max(1, (width - places * (size[0] + 1)) // 2), y + 1, width - 2)
        piles = [zone for zone in zones if zone.fold]
        self.draw_piles(piles, y, width)
        return y + 1

    def draw_headline(self, headline: Headline, y: int, width: int) -> int:
        """What everybody plays against: where there is room, on a big chip."""
        if not self.tall:
            self.canvas.centre(y, f"{headline.tag.upper()} {headline.text}", self.quiet)
            self.canvas.centre(y + 1, f"  {headline.big}  ", Style(bold=True, reverse=True))
            return y + 3
        lines = big_digits(headline.big) if headline.big.isdecimal() else ["", headline.big.upper(), ""]
        room = max(cell_len(headline.tag), cell_len(headline.text), max(map(cell_len, lines))) + 6
        left = (width - room) // 2
        chip = Style(color=LIT_INK, bgcolor=DAY["paper"])
        rows = [headline.tag.upper(), *lines, headline.text]
        self.canvas.put(left + 1, y, "▄" * (room - 2), Style(color=DAY["paper"]))
        for number, text in enumerate(rows, start=1):
            self.canvas.fill(left, y + number, room, 1, chip)
            self.canvas.centre(y + number, text, chip + Style(bold=0 < number - 1 < len(rows) - 1), left, room)
        self.canvas.put(left + 1, y + len(rows) + 1, "▀" * (room - 2), Style(color=DAY["paper"]))
        return y + len(rows) + 3

    def draw_piles(self, zones: list[Zone], y: int, width: int) -> None:
        parts = []
        for zone in zones:
            sign = "●" if zone.icon else "▒"
            top = f" top {short_name(self.catalogue.face(zone.cards[-1]), zone.cards[-1])}" if zone.cards else ""
            parts.append((zone, f"{sign} {zone.label} {zone.count}{top if len(zone.cards) == 1 else ''}"))
        x = max(1, (width - sum(cell_len(text) + 4 for _, text in parts)) // 2)
        for zone, text in parts:
            lit = zone.id in self.lit
            style = Style(color=LIT_INK, bgcolor=LIT, bold=True) if lit else Style()
            self.canvas.mark(x, y, cell_len(text), 1, f"zone:{zone.id}")
            x = self.canvas.put(x, y, f"[{text}]" if lit else text, style) + 4

    def draw_own(self, zones: list[Zone], top: int, width: int) -> None:
        for zone in zones:
            if zone.cards or zone.slots:
                label = zone.label or zone.say
                self.canvas.put(1, top, f"your {label}" if label == zone.say else label, self.quiet)
                self.draw_zone(zone, 2, top + 1, width - 3)

    def draw_zone(self, zone: Zone, left: int, top: int, width: int) -> int:
        """Cards of a zone side by side; the line below them."""
        size = self.card_size(zone)
        if size[0] == 0:
            return self.draw_chips(zone, left, top, width)
        groups = grouped(zone)
        step = min(size[0] + 1, max(3, width // max(1, len(groups), zone.slots)))
        x = left
        for cards in groups:
            card = cards[-1]
            if len(cards) > 1:
                draw_card(self.canvas, x + 1, top, cards[0], self.catalogue, size=size)
            self.draw_one(card, x, top, size, len(cards))
            x += step
        for _ in range(len(groups), zone.slots):
            self.canvas.put(x, top, "┌" + "╌" * (size[0] - 2) + "┐", self.quiet)
            for row in range(1, size[1] - 1):
                self.canvas.put(x, top + row, "╎" + " " * (size[0] - 2) + "╎", self.quiet)
            self.canvas.put(x, top + size[1] - 1, "└" + "╌" * (size[0] - 2) + "┘", self.quiet)
            x += step
        if zone.heed and zone.label:
            self.canvas.put(left, top + size[1], f"▸ {zone.label}", Style(bold=True))
        elif zone.label and zone.place.startswith("seat:"):
            self.canvas.put(left, top + size[1], zone.label, self.quiet)
        return top + size[1] + (1 if zone.label and zone.place.startswith("seat:") else 0)

    def draw_chips(self, zone: Zone, left: int, top: int, width: int) -> int:
        x = left
        if zone.heed:
            x = self.canvas.put(x, top, "▸", Style(bold=True))
        for cards in grouped(zone):
            card = cards[-1]
            name = short_name(self.catalogue.face(card), card)
            if x + cell_len(name) + 2 > left + width:
                x, top = left, top + 1
            x = draw_chip(self.canvas, x, top, card, self.catalogue, self.state_of(card))
            x = self.canvas.put(x, top, "²" if len(cards) > 1 else " ", self.quiet) + 0
            if card.id in self.aim:
                x = self.canvas.put(x, top, "◂", Style(bold=True))
        return top + 1

    def draw_one(self, card: Card, x: int, y: int, size: tuple[int, int], lying: int = 1) -> None:
        cursor = self.look.cursor == f"card:{card.id}"
        state = self.state_of(card)
        draw_card(self.canvas, x, y, card, self.catalogue, size=size, state=state, cursor=cursor)
        if lying > 1:
            self.canvas.put(x + size[0] - 2, y, f"×{lying}")

    def state_of(self, card: Card) -> str:
        if card.id in self.chosen:
            return "chosen"
        if card.id in self.aim or card.id in self.look.hinted:
            return "aim"
        return "lit" if card.id in self.lit else "plain"

    def draw_note(self, bottom: int, width: int) -> None:
        """An answer to the viewer, such as a hint, on as many lines as it needs above the prompt."""
        inks = self.look.inks
        style = Style(color=inks["paper"], bgcolor=inks["ink"])
        lines = wrap(self.look.note, width - 4)
        for number, line in enumerate(lines):
            y = bottom - len(lines) + number
            self.canvas.fill(0, y, width, 1, style)
            self.canvas.put(2, y, line, style)

    def draw_event(self, y: int, width: int) -> None:
        """What just happened, for those who do not see the log."""
        text = " ".join(event.text for event in self.scene.events)
        self.canvas.centre(y, shortened(text, width - 2), self.quiet)

    def draw_prompt(self, top: int, width: int, height: int) -> None:
        prompt = self.scene.prompt
        yours = prompt is not None and prompt.mode == "yours"
        inks = self.look.inks
        style = Style(color=LIT_INK, bgcolor=LIT) if yours else Style(color=inks["ink"], bgcolor=inks["paper"])
        self.canvas.fill(0, top, width, height, style)
        if prompt is None:
            return
        sign = "▸ " if yours else "  "
        x = self.canvas.put(0, top, shortened(f"{sign}{prompt.text}", width - 1), style + Style(bold=True))
        sub = prompt.sub
        if height > 2:
            self.canvas.put(2, top + 1, shortened(sub, width - 3), style)
        else:
            self.canvas.put(x + 2, top, shortened(sub, width - x - 3), style)
        self.draw_buttons(top + height - 1, width, style)

    def draw_buttons(self, y: int, width: int, style: Style) -> None:
        values = [choice for choice in self.scene.choices if choice.kind == "value"]
        if values:
            self.draw_values(values, y, width, style)
            return
        x = 2
        if not buttons_of(self.scene) and self.scene.choices:
            self.canvas.put(x, y, "← → move · Space choose · h hint", style)
        for number, choice in enumerate(buttons_of(self.scene), start=1):
            key = choice.key or str(number)
            x = self.draw_button(choice, f"[{key}] {choice.label}", x, y, style) + 2

    def draw_button(self, choice: Choice, text: str, x: int, y: int, style: Style) -> int:
        target = f"button:{choice.id}"
        cursor = self.look.cursor == target
        look = style + Style(bold=True, reverse=choice.main or cursor, underline=cursor)
        self.canvas.mark(x, y, cell_len(text) + 2, 1, target)
        return self.canvas.put(x, y, f"{'▸' if cursor else ' '}{text} ", look)

    def draw_values(self, values: list[Choice], y: int, width: int, style: Style) -> None:
        """The main button, then as many values with their prices as fit; any other can be typed."""
        x = 1
        for choice in self.scene.choices:
            if choice.main:
                x = self.draw_button(choice, f"[Enter] {choice.label}", x, y, style) + 1
        x = self.canvas.put(x, y, f"or type: {self.look.typed}_ ", style + Style(bold=True))
        here = next((n for n, choice in enumerate(values) if self.look.cursor == f"button:{choice.id}"), 0)
        first = max(0, here - 1)
        for number, choice in enumerate(values[first:], start=first):
            text = f"{choice.label} {choice.note}"
            if x + cell_len(text) + 12 > width:
                self.canvas.put(x, y, f"… {len(values) - number} more", style)
                return
            x = self.draw_button(choice, text, x, y, style)

    def draw_hand(self, zones: list[Zone], top: int, width: int) -> None:
        """The hand as a fan: cards overlap as far as needed, chosen ones are lifted."""
        size = FULL if self.tall else COMPACT
        cards = [card for zone in zones for card in zone.cards]
        if not cards:
            return
        step = min(size[0] + 1, max(3, (width - size[0] - 2) // max(1, len(cards) - 1)))
        left = max(1, (width - step * (len(cards) - 1) - size[0]) // 2)
        others = bool(self.lit)
        for number, card in enumerate(cards):
            state = self.state_of(card)
            lift = 0 if state == "chosen" else 1
            draw_card(
                self.canvas,
                left + number * step,
                top + lift,
                card,
                self.catalogue,
                size=size,
                state=state,
                cursor=self.look.cursor == f"card:{card.id}",
                faded=others and state == "plain",
            )

    def draw_me(self, y: int, width: int) -> None:
        inks = self.look.inks
        style = Style(color=inks["ink"], bgcolor=inks["paper"])
        self.canvas.fill(0, y, width, 1, style)
        viewer = self.scene.viewer
        seat = next((seat for seat in self.scene.seats if seat.seat == viewer), None)
        if seat:
            mark = "▶" if seat.acts else " "
            text = f"{mark} {seat.name}  {counters_of(seat, width // 2)}  {seat.note}"
            self.canvas.put(0, y, shortened(text, width - 38), style + Style(bold=seat.acts))
        keys = "h hint · r rules · ? keys · q leave"
        self.canvas.put(width - cell_len(keys) - 1, y, keys, style + self.quiet)


def counters_of(seat: Seat, width: int) -> str:
    """The numbers of a seat, with words where they fit."""
    whole = "  ".join(f"{counter.value} {counter.label}" for counter in seat.counters)
    if cell_len(whole) <= width:
        return whole
    parts, met = [], set()
    for counter in seat.counters:
        if counter.icon:
            parts.append(f"{'+' if counter.icon in met else ICONS.get(counter.icon, '●')}{counter.value}")
        else:
            parts.append(f"{counter.value} {counter.label}")
        met.add(counter.icon)
    return "  ".join(parts)


def big_digits(number: str) -> list[str]:
    """A number three lines high."""
    rows = [DIGITS3X3_BOLD[DIGITS.index(digit) * 3 : DIGITS.index(digit) * 3 + 3] for digit in number]
    return [" ".join(f"{digit[line]:<3}" for digit in rows) for line in range(3)]


def grouped(zone: Zone) -> list[list[Card]]:
    """Cards that lie on one another together, all others alone."""
    groups: dict[object, list[Card]] = {}
    for number, card in enumerate(zone.cards):
        groups.setdefault(card.group if card.group >= 0 else f"alone {number}", []).append(card)
    return list(groups.values())
