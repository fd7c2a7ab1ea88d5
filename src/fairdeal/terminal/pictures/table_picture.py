"""Tables drawn in characters from their scenes.

From top to bottom, the picture has a bar, the rivals, the centre, the viewer's own cards on the table, the prompt with
its buttons, and the hand. Depending on the available space, cards are drawn in full, compactly or as chips of text.
"""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style

from fairdeal.engine.scene import (
    Card,
    Choice,
    Headline,
    Panel,
    Round,
    Scene,
    Seat,
    Zone,
    as_text,
    count_of,
)
from fairdeal.engine.scene.instruments import Trick
from fairdeal.engine.scene.points import counted, minus, signed
from fairdeal.terminal.pictures.canvas import BOLD, Canvas, shortened, wrapped
from fairdeal.terminal.pictures.cards import (
    CHIP,
    COMPACT,
    FULL,
    LIGHT,
    LIT,
    LIT_INK,
    Catalogue,
    Size,
    draw_card,
    draw_chip,
    draw_frame,
    short_name,
)
from fairdeal.terminal.pictures.instruments import (
    Pen,
    answers,
    draw_bar,
    draw_instrument,
    drawn_by_instrument,
    height_of,
    is_kept_free,
    lifts,
)
from fairdeal.terminal.pictures.lanes import draw_panel, panel_lines
from fairdeal.terminal.pictures.layouts import Head, column_lines, draw_columns, draw_grid, grid_lines
from fairdeal.terminal.pictures.look import DAY, Look
from fairdeal.terminal.pictures.numbers import big_digits, counters_of
from fairdeal.terminal.pictures.staging import events_text
from fairdeal.terminal.pictures.targets import buttons_of, grouped, is_gap

TALL = 34
"""Minimum screen height, in lines, at which cards on the table have frames and hand cards are drawn in full size."""

NAMED = 12
"""Width of a name while points are counted, in cells."""

CROWD = 5
"""Maximum number of seats at which rivals' cards are drawn. At larger tables they are described in a line."""

SPREAD = ("grid", "column")
"""Layouts that take up all the space in the centre. If space is limited, everything else is described in one line."""


class TablePicture:
    """The picture of one scene. `canvas` holds the picture and the targets of clicks."""

    def __init__(self, scene: Scene, catalogue: Catalogue, width: int, height: int, look: Look) -> None:
        self.scene = scene
        self.catalogue = catalogue
        self.look = look
        skin = catalogue.skin
        cloth = skin.cloth[1] if look.dark else skin.cloth[0]
        self.base = Style(color=look.inks["ink"], bgcolor=cloth)
        self.quiet = Style(color=look.inks["quiet"])
        self.paper = Style(color=look.inks["ink"], bgcolor=look.inks["paper"])
        self.canvas = Canvas(width, height, self.base)
        self.lit = {choice.on for choice in scene.choices if choice.on}
        self.chosen = set(scene.draft.chosen) if scene.draft else set()
        self.aim = set(scene.draft.aim) if scene.draft else set()
        self.tall = height >= TALL
        self.crowded = len(scene.seats) > CROWD or any(zone.layout == "ring" for zone in scene.zones)
        self.spread = any(zone.layout in SPREAD and zone.place == "centre" for zone in scene.zones)
        self.drawn_elsewhere = drawn_by_instrument(scene)
        self.zones = [zone for zone in scene.zones if zone.id not in self.drawn_elsewhere]
        self.instrument = height_of(scene)
        self.names = {seat.seat: seat.name for seat in scene.seats}
        self.draw(width, height)

    def draw(self, width: int, height: int) -> None:
        hand = [zone for zone in self.zones if zone.place == "hand" and zone.layout == "fan"]
        own = [
            zone
            for zone in self.zones
            if zone.place == "own" or (zone.place == "hand" and zone.layout not in ("fan", "stack"))
        ]
        centre = [zone for zone in self.zones if zone.place == "centre"]
        hand_height = (FULL if self.tall else COMPACT)[1] + 1
        prompt_height = 3 if self.tall else 2
        hand_top = height - (hand_height if hand else 0) - 1
        prompt_top = hand_top - prompt_height
        self.draw_bar(width)
        below = self.draw_rivals(1, width)
        own_height = self.zone_height(own)
        room = prompt_top - own_height - below
        if is_kept_free(self.scene) and self.centre_height(centre, width, room) > room:
            self.instrument = 0
        middle = max(0, room - self.centre_height(centre, width, room))
        top = self.draw_centre(centre, below + middle // 2, width, room)
        self.draw_own(own, max(top, prompt_top - own_height), width)
        free = prompt_top - own_height - max(top, below)
        if free > 0:
            self.draw_event(prompt_top - own_height - 1, width, min(free, 2))
        self.draw_prompt(prompt_top, width, prompt_height)
        if self.look.tallied >= 0 and self.scene.round:
            self.draw_counting(self.scene.round, prompt_top, width)
        if self.look.part >= 0:
            self.canvas.put(0, prompt_top - 1, "━" * round(self.look.part * width), BOLD)
        self.draw_note(prompt_top, width)
        self.draw_hand(hand, hand_top, width)
        self.draw_me(height - 1, width)

    # --- the parts ------------------------------------------------------------------------------------------

    def draw_bar(self, width: int) -> None:
        scene = self.scene
        self.canvas.fill(0, 0, width, 1, self.paper)
        x = self.canvas.put(1, 0, scene.title.upper(), self.paper + BOLD)
        right = shortened(" · ".join(scene.facts), width - x - 3)
        at = width - cell_len(right) - 1
        self.canvas.put(x + 2, 0, shortened(scene.sub, at - x - 4), self.paper + self.quiet)
        self.canvas.put(at, 0, right, self.paper)

    def draw_rivals(self, top: int, width: int) -> int:
        """Draw the other seats in playing order, starting at the viewer's left. Return the line below them."""
        seats = list(self.scene.seats)
        viewer = self.scene.viewer
        rivals = [seats[(viewer + 1 + i) % len(seats)] for i in range(len(seats) - (viewer >= 0))]
        if not rivals:
            return top
        columns = min(len(rivals), 4)
        span = width // columns
        lowest = top
        for number, seat in enumerate(rivals):
            if number % columns == 0:
                top = lowest
            lowest = max(lowest, self.draw_rival(seat, number % columns * span, top, span - 1))
        return lowest

    def draw_rival(self, seat: Seat, left: int, top: int, width: int) -> int:
        mark = "▶ " if seat.acts else "  "
        name = f"{mark}{seat.name}{' ⚙' if seat.kind == 'bot' else ''} "
        style = LIGHT if str(seat.seat) in self.lit else Style(bold=True, reverse=seat.acts)
        style += Style(underline=self.look.cursor == f"seat:{seat.seat}")
        self.canvas.mark(left, top, width, 2, f"seat:{seat.seat}")
        x = self.canvas.put(left + 1, top, shortened(name, width), style)
        self.canvas.put(x + 1, top, shortened(seat.note, left + width - x - 1), self.quiet)
        numbers = Style(bold=True, reverse=True) if self.is_lit(seat) else self.quiet
        self.canvas.put(left + 3, top + 1, shortened(counters_of(seat, width - 3), width - 3), numbers)
        y = top + 2
        zones = [zone for zone in self.zones if zone.place == f"seat:{seat.seat}" and not zone.fold]
        if self.crowded:  # counters already show stacks
            zones = [zone for zone in zones if zone.layout != "stack"]
            return self.draw_chips(zones, left + 2, y, width - 2) if zones else y
        for zone in zones:
            y = self.draw_zone(zone, left + 2, y, width - 2)
        return y

    def is_lit(self, seat: Seat) -> bool:
        """Return whether a seat is highlighted because a hint names it or because it decided the game."""
        return f"seat:{seat.seat}" in self.look.hinted

    def zone_height(self, zones: list[Zone]) -> int:
        rows = [self.card_size(zone)[1] if zone.cards or zone.slots else 0 for zone in zones]
        label = not self.spread or self.tall
        return max(rows, default=0) + (any(rows) and label)

    def card_size(self, zone: Zone) -> Size:
        if self.tall:
            return FULL
        if zone.place == "centre":
            return COMPACT
        return COMPACT if zone.place == "own" and not self.spread else CHIP

    def headline_height(self) -> int:
        if self.instrument:
            return self.instrument
        if not self.scene.headline:
            return 0
        return 8 if self.tall and not self.spread else 1 if self.spread else 3

    def centre_height(self, zones: list[Zone], width: int, room: int) -> int:
        """Return the number of lines of the centre. Grids and columns get all the remaining space."""
        rows = [self.card_size(zone)[1] + 1 for zone in self.open_rows(zones, room)]
        frames = sum(panel_lines(panel, zones) for panel in self.lane_panels())
        head = self.headline_height() + (sum(rows) or int(not self.spread)) + 1 + frames
        spread = [grid_lines(zone, width - 2, room - head) for zone in zones if zone.layout == "grid"]
        columns = [zone for zone in zones if zone.layout == "column"]
        return head + sum(spread) + (column_lines(columns, room - head) if columns else 0)

    def lane_panels(self) -> list[Panel]:
        """Return the frames with lanes, including empty ones."""
        shown = () if self.spread else self.scene.panels
        return [panel for panel in shown if not panel.cols and panel.id not in self.drawn_elsewhere]

    def open_rows(self, zones: list[Zone], room: int) -> list[Zone]:
        """Return the zones of the centre whose cards lie side by side. If space is limited, empty zones are omitted."""
        rows = [zone for zone in zones if zone.layout not in SPREAD and not self.is_pile(zone) and not zone.panel]
        if self.headline_height() + sum(self.card_size(zone)[1] + 1 for zone in rows) + 1 <= room:
            return rows
        return [zone for zone in rows if zone.cards or zone.slots]

    def is_pile(self, zone: Zone) -> bool:
        """Return whether a zone is drawn as one line of text with the number of cards."""
        return zone.fold or (zone.layout == "stack" and not zone.cards and not zone.slots)

    def draw_centre(self, zones: list[Zone], top: int, width: int, room: int) -> int:
        """Draw the headline or the instrument, grids and columns, open rows of cards, and one line for piles."""
        y = top
        if self.instrument:
            pen = Pen(self.canvas, self.catalogue, self.quiet, self.look.cursor, self.draw_small)
            y = draw_instrument(pen, self.scene, y, width)
        elif self.scene.headline:
            y = self.draw_headline(self.scene.headline, y, width)
        for panel in self.lane_panels():
            y = draw_panel(self.canvas, panel, zones, y, width, self.draw_small, self.quiet)
        rows = self.open_rows(zones, room)
        left = room - self.headline_height() - sum(self.card_size(zone)[1] + 1 for zone in rows) - 1
        for zone in zones:
            if zone.layout == "grid":
                y = draw_grid(self.canvas, zone, 1, y, width - 2, left, self.draw_one, self.quiet)
        columns = [zone for zone in zones if zone.layout == "column"]
        if columns:
            heads = [self.head_of(zone, zones) for zone in columns]
            y = draw_columns(self.canvas, columns, heads, y, width, left, self.draw_one)
        for zone in rows:
            size = self.card_size(zone)
            places = max(zone.slots, len(zone.cards))
            x = max(1, (width - places * (size[0] + 1)) // 2)
            if isinstance(self.scene.stage, Trick) and zone.id in self.scene.stage.zones:
                self.draw_owners(self.scene.stage, zone, x, y, size[0] + 1)
            else:
                self.canvas.centre(y, " · ".join(part for part in (zone.label, zone.hub) if part), self.quiet)
            y = self.draw_zone(zone, x, y + 1, width - 2)
        self.draw_piles([zone for zone in zones if self.is_pile(zone) and not (zone.panel and columns)], y, width)
        return y + 1

    def draw_owners(self, trick: Trick, zone: Zone, left: int, y: int, step: int) -> None:
        """Draw the name of each card's player above a trick, with the current winner in bold."""
        places = {card.id: number for number, card in enumerate(zone.cards)}
        for spot in trick.spots:
            if spot.card in places:
                style = BOLD if spot.wins else self.quiet
                self.canvas.put(left + places[spot.card] * step, y, shortened(self.names[spot.seat], step - 1), style)

    def head_of(self, column: Zone, zones: list[Zone]) -> Head:
        """Return the head of a column, which has the name of its frame and the pile in it."""
        panel = next((panel for panel in self.scene.panels if panel.id == column.panel), None)
        name = column.col if panel and len(self.scene.panels) == 1 else panel.title if panel else column.label
        mates = [zone for zone in zones if panel and zone.panel == panel.id and zone.layout != "column"]
        pile = next((zone for zone in mates if len(self.scene.panels) > 1 or zone.col == column.col), None)
        text = f"{'▸' if column.heed else ''}{name or column.say}"
        if pile is None:
            return Head(text)
        return Head(f"{text} ▒{pile.count}", f"zone:{pile.id}", self.state_of_part(pile.id))

    def state_of_part(self, part: str) -> Style:
        """Return the style of a pile, which depends on the choices and the cursor."""
        lit = LIGHT if part in self.lit else Style()
        return lit + Style(underline=self.look.cursor == f"zone:{part}", reverse=self.look.cursor == f"zone:{part}")

    def draw_headline(self, headline: Headline, y: int, width: int) -> int:
        """Draw the headline, which all players play against, on a big chip if there is room."""
        if self.spread:
            self.canvas.centre(y, f"{headline.tag.upper()}  {headline.big}  {headline.text}", BOLD)
            return y + 1
        if not self.tall:
            self.canvas.centre(y, f" {headline.tag.upper()}  {headline.big} ", Style(bold=True, reverse=True))
            self.canvas.centre(y + 1, headline.text, self.quiet)
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
            last = zone.cards[-1] if zone.cards and zone.layout == "stack" else None
            top = f" top {short_name(self.catalogue.face(last), last)}" if last and last.face and not last.down else ""
            parts.append((zone, f"{sign} {zone.label or zone.say} {zone.count}{top}"))
        x = max(1, (width - sum(cell_len(text) + 4 for _, text in parts)) // 2)
        for zone, text in parts:
            self.canvas.mark(x, y, cell_len(text), 1, f"zone:{zone.id}")
            x = self.canvas.put(x, y, f"[{text}]" if zone.id in self.lit else text, self.state_of_part(zone.id)) + 4

    def draw_own(self, zones: list[Zone], top: int, width: int) -> None:
        for zone in zones:
            if zone.cards or zone.slots:
                label = zone.label or zone.say
                x = self.canvas.put(1, top, f"your {label}" if label == zone.say else label, self.quiet)
                if self.card_size(zone) == CHIP:
                    self.draw_chips([zone], x + 1, top, width - x - 1)
                else:
                    self.draw_zone(zone, 2, top + 1, width - 3)

    def draw_zone(self, zone: Zone, left: int, top: int, width: int) -> int:
        """Draw the cards of a zone side by side. Return the line below them."""
        size = self.card_size(zone)
        if size == CHIP:
            return self.draw_chips([zone], left, top, width)
        groups = grouped(zone)
        step = min(size[0] + 1, max(3, width // max(1, len(groups), zone.slots)))
        x = left
        for cards in groups:
            card = cards[-1]
            if len(cards) > 1:
                draw_card(self.canvas, x + 1, top, cards[0], self.catalogue, size=size)
            if is_gap(card):
                self.canvas.put(x + size[0] // 2, top + size[1] // 2, card.mark or "·", self.quiet)
            else:
                self.draw_one(card, x, top, size, len(cards))
            x += step
        for _ in range(len(groups), zone.slots):
            draw_frame(self.canvas, x, top, size, "aim", self.quiet, self.quiet)
            x += step
        named = bool(zone.label) and zone.place.startswith("seat:")
        if zone.heed and zone.label and not zone.hub:
            self.canvas.put(left, top + size[1], f"▸ {zone.label}", BOLD)
        elif named:
            self.canvas.put(left, top + size[1], zone.label, self.quiet)
        return top + size[1] + named

    def draw_small(self, card: Card, x: int, y: int) -> int:
        """Draw a card as a chip of text. Return the cell after it."""
        return draw_chip(self.canvas, x, y, card, self.catalogue, self.state_of(card))

    def draw_chips(self, zones: Sequence[Zone], left: int, top: int, width: int) -> int:
        x = left
        for zone in zones:
            if zone.heed:
                x = self.canvas.put(x, top, "▸", BOLD)
            for cards in grouped(zone):
                card = cards[-1]
                if is_gap(card):
                    x = self.canvas.put(x, top, "· ", self.quiet)
                    continue
                if x + cell_len(self.catalogue.chip(card)[0]) > left + width:
                    x, top = left, top + 1
                x = self.draw_small(card, x, top)
                x = self.canvas.put(x, top, "²" if len(cards) > 1 else " ", self.quiet)
                if card.id in self.aim:
                    x = self.canvas.put(x, top, "◂", BOLD)
        return top + 1

    def draw_one(self, card: Card, x: int, y: int, size: Size, lying: int = 1) -> None:
        """Draw a card on the table. A face-down card with a known face is faint."""
        cursor = self.look.cursor == f"card:{card.id}"
        faint = card.down and card.face is not None
        draw_card(
            self.canvas, x, y, card, self.catalogue, size=size, state=self.state_of(card), cursor=cursor, faded=faint
        )
        if lying > 1:
            self.canvas.put(x + size[0] - 2, y, f"×{lying}")

    def state_of(self, card: Card) -> str:
        if card.id in self.chosen:
            return "chosen"
        if card.id in self.aim or card.id in self.look.hinted:
            return "aim"
        return "lit" if card.id in self.lit else "plain"

    def draw_note(self, bottom: int, width: int) -> None:
        """Draw a note to the viewer, such as a hint, above the prompt. It takes as many lines as needed."""
        style = Style(color=self.look.inks["paper"], bgcolor=self.look.inks["ink"])
        lines = wrapped(self.look.note, width - 4)
        for number, line in enumerate(lines):
            y = bottom - len(lines) + number
            self.canvas.fill(0, y, width, 1, style)
            self.canvas.put(2, y, line, style)

    def draw_event(self, y: int, width: int, rows: int) -> None:
        """Draw the events since the viewer's last turn, or those of the last move, on at most `rows` lines, the last of
        which is `y`."""
        text = events_text(self.scene)
        if sum(one.moves for one in self.scene.recap) > 1:
            text = f"Since your turn (b): {' · '.join(as_text(one.text) for one in self.scene.recap if one.text)}"
        if self.scene.stood_in:
            text = f"A bot played {count_of(self.scene.stood_in, 'move')} for you. {text}"
        ended = self.scene.round
        if ended and self.look.tallied < 0:
            text = f"{as_text(ended.text)} {counted(ended, [*self.names.values()])}"
        lines = wrapped(text, width - 2)
        if len(lines) > rows:
            lines = [*lines[: rows - 1], shortened(" ".join(lines[rows - 1 :]), width - 2)]
        for number, line in enumerate(lines):
            self.canvas.centre(y - len(lines) + 1 + number, line, self.quiet)

    def draw_counting(self, ended: Round, bottom: int, width: int) -> None:
        """Draw the scoring of a round. Seats that have been scored are shown with reasons and new totals, and other
        seats with their old totals."""
        style = self.paper
        top = bottom - len(ended.tallies) - 2
        self.canvas.fill(0, top, width, len(ended.tallies) + 2, style)
        for number, tally in enumerate(ended.tallies):
            y, is_counted = top + 1 + number, number < self.look.tallied
            self.canvas.put(2, y, shortened(self.names[tally.seat], NAMED - 1), style + BOLD)
            total = minus(tally.total if is_counted else tally.total - tally.points)
            if is_counted:
                reasons = ", ".join(f"{gain.label} {signed(gain)}" for gain in tally.gains)
                self.canvas.put(2 + NAMED, y, shortened(reasons, width - NAMED - 12), style)
            self.canvas.put(width - 3 - cell_len(total), y, total, style + BOLD)

    def draw_prompt(self, top: int, width: int, height: int) -> None:
        prompt = self.scene.prompt
        yours = prompt is not None and prompt.mode == "yours"
        style = Style(color=LIT_INK, bgcolor=LIT) if yours else self.paper
        self.canvas.fill(0, top, width, height, style)
        if prompt is None:
            return
        sign = "▸ " if yours else "  "
        lines = wrapped(prompt.text, width - 3)
        if len(lines) > 1 and not self.scene.choices:
            for number, line in enumerate(lines[:height]):
                x = self.canvas.put(2, top + number, line, style + BOLD)
            if len(lines) < height:
                self.canvas.put(2, top + len(lines), shortened(prompt.sub, width - 3), style)
            elif cell_len(prompt.sub) <= width - x - 3:
                self.canvas.put(x + 2, top + height - 1, prompt.sub, style)
            return
        x = self.canvas.put(0, top, shortened(f"{sign}{prompt.text}", width - 1), style + BOLD)
        beside = height == 2 and (cell_len(prompt.sub) <= width - x - 3 or buttons_of(self.scene))
        left, y = (x + 2, top) if beside else (2, top + 1)
        self.canvas.put(left, y, shortened(prompt.sub, width - left - 1), style)
        if beside or height > 2:
            self.draw_buttons(top + height - 1, width, style)

    def draw_buttons(self, y: int, width: int, style: Style) -> None:
        values = [choice for choice in self.scene.choices if choice.kind == "value"]
        if lifts(self.scene):
            self.draw_lifts(y, width, style)
            return
        if values:
            self.draw_values(values, y, width, style)
            return
        x = 2
        if not buttons_of(self.scene) and self.scene.choices:
            self.canvas.put(x, y, "← → move · Space choose · h hint", style)
        in_race = answers(self.scene)
        for number, choice in enumerate(buttons_of(self.scene), start=1):
            if in_race and choice.id != in_race.get("5"):
                continue
            key = "5" if in_race else choice.key or str(number)
            x = self.draw_button(choice, f"[{key}] {choice.label}", x, y, style) + 2

    def draw_button(self, choice: Choice, text: str, x: int, y: int, style: Style) -> int:
        target = f"button:{choice.id}"
        cursor, hinted = self.look.cursor == target, str(choice.id) in self.look.hinted
        quiet = choice.rank > 0 and not cursor
        look = style + Style(bold=not quiet, dim=quiet, reverse=choice.main or cursor, underline=cursor)
        self.canvas.mark(x, y, cell_len(text) + 2, 1, target)
        return self.canvas.put(x, y, f"{'▸' if cursor else '◆' if hinted else ' '}{text} ", look)

    def draw_lifts(self, y: int, width: int, style: Style) -> None:
        """Draw buttons for the choices other than cutting, and the deck as a bar."""
        x, cuts = 2, {cut.id for cut in lifts(self.scene)}
        for choice in buttons_of(self.scene):
            if choice.id not in cuts:
                x = self.draw_button(choice, f"[{choice.key}] {choice.label}", x, y, style) + 2
        draw_bar(self.canvas, self.scene, self.look.cursor, x, y, width, style)

    def draw_values(self, values: list[Choice], y: int, width: int, style: Style) -> None:
        """Draw the main button, and as many values with their prices as fit. Other values can be typed."""
        x = 1
        for choice in self.scene.choices:
            if choice.main:
                x = self.draw_button(choice, f"[Enter] {choice.label}", x, y, style) + 1
        x = self.canvas.put(x, y, f"or type: {self.look.typed}_ ", style + BOLD)
        here = next((n for n, choice in enumerate(values) if self.look.cursor == f"button:{choice.id}"), 0)
        first = max(0, here - 1)
        for number, choice in enumerate(values[first:], start=first):
            text = f"{choice.label} {choice.note}"
            if x + cell_len(text) + 12 > width:
                self.canvas.put(x, y, f"… {len(values) - number} more", style)
                return
            x = self.draw_button(choice, text, x, y, style)

    def draw_hand(self, zones: list[Zone], top: int, width: int) -> None:
        """Draw the hand as a fan. Cards overlap as far as necessary, and chosen cards are raised."""
        size = FULL if self.tall else COMPACT
        cards = [card for zone in zones for card in zone.cards]
        if not cards:
            return
        step = min(size[0] + 1, max(3, (width - size[0] - 2) // max(1, len(cards) - 1)))
        left = max(1, (width - step * (len(cards) - 1) - size[0]) // 2)
        for number, card in enumerate(cards):
            state = self.state_of(card)
            draw_card(
                self.canvas,
                left + number * step,
                top + (state != "chosen"),
                card,
                self.catalogue,
                size=size,
                state=state,
                cursor=self.look.cursor == f"card:{card.id}",
                faded=bool(self.lit) and state == "plain",
            )

    def draw_me(self, y: int, width: int) -> None:
        style = self.paper
        self.canvas.fill(0, y, width, 1, style)
        seat = next((seat for seat in self.scene.seats if seat.seat == self.scene.viewer), None)
        keys = "h hint · r rules · ? keys · q leave"
        if seat:
            mark = "▶" if seat.acts else " "
            text = f"{mark} {seat.name}  {counters_of(seat, width // 2)}  {seat.note}"
            keys = keys if cell_len(text) + cell_len(keys) + 3 <= width else "h hint · ? keys"
            style_of_text = style + Style(bold=seat.acts or self.is_lit(seat), reverse=self.is_lit(seat))
            self.canvas.put(0, y, shortened(text, width - cell_len(keys) - 3), style_of_text)
        self.canvas.put(width - cell_len(keys) - 1, y, keys, style + self.quiet)
