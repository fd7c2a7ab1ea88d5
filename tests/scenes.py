"""Made-up scenes of layouts that every screen must be able to draw: places that keep their numbers, and reels."""

import random
from collections.abc import Callable
from typing import Any

import msgspec

import fairdeal
from fairdeal.engine.options import Options
from fairdeal.engine.scene import (
    Card,
    Choice,
    Counter,
    Draft,
    Face,
    Headline,
    LogLine,
    Moved,
    Panel,
    Prompt,
    Scene,
    Seat,
    Zone,
)
from fairdeal.games.chimax.cards import FACE_CODES, faces
from fairdeal.testing.play import play_at_random

FACES: dict[str, Face] = dict(faces(Options(players=2)))

GAPS = (1, 4, 10, 13, 16, 22, 25, 26)
"""Places of a layout from which the cards were taken, counted from 0."""

UP = 8
"""The place of the card that lies face up."""


def seats(players: int, **counters: int) -> tuple[Seat, ...]:
    shown = tuple(Counter(label, value) for label, value in counters.items())
    return tuple(
        Seat(seat, name, "bot" if seat == 2 else "person", acts=seat == 0, counters=shown)
        for seat, name in enumerate(("You", "Mira", "Theo", "Dai")[:players])
    )


def layout(places: int, columns: int, narrow: tuple[int, int], *, up: int = UP, gaps: tuple[int, ...] = GAPS) -> Zone:
    """Return places in rows: some empty, one card turned up, the others face down."""

    def card(place: int) -> Card:
        name = f"layout.{place + 1}"
        if place in gaps:
            return Card(name, back="gap")
        return Card(name, "25") if place == up else Card(name, down=True, back="chimax")

    cards = tuple(card(place) for place in range(places))
    rows = -(-places // columns)
    return Zone(
        id="layout",
        place="centre",
        layout="grid",
        say=f"{places} places",
        count=places - len(gaps),
        cards=cards,
        cols=columns,
        rows=rows,
        narrow=narrow,
        size="table",
    )


def grid_scene(places: int = 28, columns: int = 7, narrow: tuple[int, int] = (4, 7), players: int = 3) -> Scene:
    """Return a game of memory in the middle of a turn: every card that lies face down can be turned."""
    zone = layout(places, columns, narrow)
    choices = tuple(
        Choice(number, "card", f"Turn place {number + 1}", on=card.id)
        for number, card in enumerate(zone.cards)
        if card.down
    )
    pairs = tuple(
        Zone(
            id=f"pairs{seat}",
            place="own" if seat == 0 else f"seat:{seat}",
            layout="groups",
            say="pairs",
            count=2,
            cards=(Card(f"pair{seat}.1", "inf", group=0), Card(f"pair{seat}.2", "inf", group=0, mark="+3")),
            size="small",
        )
        for seat in range(players)
    )
    return Scene(
        skin="chimax",
        title="Layout",
        viewer=0,
        sub=f"{players} players",
        seq=5,
        seats=seats(players, pairs=1, points=3),
        zones=(zone, *pairs),
        prompt=Prompt(
            "yours", "Turn up a second card", "You turned 25 at place 9. A second 25 makes a pair.", "GEN-04"
        ),
        choices=choices,
        events=(LogLine("You turn 25 at place 9.", 0),),
    )


MISSED = {8: "25", 9: "3"}
"""The places, counted from 0, of two cards that did not match, and their faces."""


def after_the_pair(before: Scene, zones: tuple[Zone, ...], event: LogLine) -> Scene:
    """Return the scene after two cards were turned up."""
    prompt = Prompt("waiting", "Mira is to turn a card")
    return msgspec.structs.replace(before, sub="", seq=6, zones=zones, prompt=prompt, choices=(), events=(event,))


def taken_scene() -> Scene:
    """Return the scene after Mira has turned up a pair: both cards lie with her, and their places are empty."""
    before = grid_scene()
    zone, others = layout(28, 7, (4, 7), up=-1, gaps=(*GAPS, UP, UP + 1)), before.zones[1:]
    won = tuple(Card(f"pair1.{number}", "25", group=2, mark="+2" if number == 4 else "") for number in (3, 4))
    moves = tuple(Moved(card.id, "layout", "pairs1", f"layout.{UP + 1 + number}") for number, card in enumerate(won))
    others = tuple(
        msgspec.structs.replace(one, cards=(*one.cards, *won)) if one.id == "pairs1" else one for one in others
    )
    return after_the_pair(before, (zone, *others), LogLine("Mira takes a pair of 25s.", 1, moves=moves))


def turned_back_scene() -> Scene:
    """Return the scene after a miss: two cards lie face down again, and all have seen their faces."""
    before = grid_scene()
    zone = layout(28, 7, (4, 7), up=-1)
    cards = [
        Card(card.id, MISSED[place], down=True, back="chimax") if place in MISSED else card
        for place, card in enumerate(zone.cards)
    ]
    zones = (msgspec.structs.replace(zone, cards=tuple(cards)), *before.zones[1:])
    return after_the_pair(before, zones, LogLine("You turn up 3: no pair.", 0))


def reel_scene(longest: int) -> Scene:
    """Return three columns that overlap downwards, each with its pile, in a frame of its own."""
    names = ("Left", "Middle", "Right")
    zones = []
    for reel, name in enumerate(names):
        length = max(1, longest - 4 * reel)
        cards = [Card(f"reel{reel}.{number}", FACE_CODES[(number + 3 * reel) % 13]) for number in range(length)]
        if reel == 1:
            cards[-1] = Card("reel1.declared", "?", as_="25")
        panel = f"panel{reel}"
        pile = Zone(f"pile{reel}", "centre", "stack", "", 13 - length, size="small", say=f"{name} pile", panel=panel)
        column = Zone(f"reel{reel}", "centre", "column", "", length, tuple(cards), say=f"{name} reel", panel=panel)
        zones += [pile, msgspec.structs.replace(column, heed=reel == 1, slots=1)]
    tops = [zone.cards[-1].id for zone in zones if zone.cards] + [zones[1].cards[0].id]
    return Scene(
        skin="chimax",
        title="Reels",
        viewer=0,
        sub="solo",
        seq=7,
        facts=("Spin 7 of 13",),
        seats=seats(1, points=2),
        zones=tuple(zones),
        panels=tuple(Panel(f"panel{reel}", name) for reel, name in enumerate(names)),
        headline=Headline("Jackpot", "∞ ∞ ∞", "4 points"),
        prompt=Prompt(
            "yours", "Middle reel: flip a new card, or hold?", "Hold, and the line reads 25 25 25.", "GEN-04"
        ),
        choices=(
            *(Choice(number + 10, "card", "Choose it", on=card) for number, card in enumerate(tops)),
            Choice(0, "button", "Flip", key="f"),
            Choice(1, "button", "Hold", key="h"),
        ),
        draft=Draft(),
    )


def declared_scene() -> Scene:
    """Return a row of cards on the table, one of them a ? that stands for 25, and a hand of all faces."""
    row = Zone(
        "book",
        "centre",
        "row",
        "This Book",
        3,
        (Card("book.1", "50"), Card("book.2", "?", as_="25"), Card("book.3", "?", as_="100", mark="wins so far")),
        slots=4,
    )
    hand = Zone("hand0", "hand", "fan", "Your hand", 13, tuple(Card(f"hand.{code}", code) for code in FACE_CODES))
    choices = tuple(Choice(number, "card", "Play it", on=card.id) for number, card in enumerate(hand.cards))
    return Scene(
        skin="chimax",
        title="Declared",
        viewer=0,
        seq=1,
        seats=seats(4, books=2, total=12),
        zones=(row, hand),
        prompt=Prompt("yours", "Play a card into the Book", "Highest wins.", "GEN-04"),
        choices=choices,
    )


def rows_scene(rows: int = 4) -> Scene:
    """Return a game of four seats with rows of five cards, and the sixth takes its row, as in 6 nimmt."""

    def row(number: int) -> Zone:
        name, codes = f"Row {number + 1}", FACE_CODES[: 1 + number % 5]
        cards = tuple(Card(f"row{number}.{code}", code) for code in codes)
        return Zone(f"row{number}", "centre", "row", name, len(cards), cards, slots=5, size="table", say=name)

    zones = tuple(row(number) for number in range(rows))
    return msgspec.structs.replace(declared_scene(), title="Rows", zones=(*zones, declared_scene().zones[-1]))


def areas_scene(slots: int = 8, piles: int = 2) -> Scene:
    """Return a game of two with a row of places before each player, and piles on either side of the middle."""

    def area(name: str, place: str) -> Zone:
        cards = tuple(Card(f"{name}.{code}", code) for code in FACE_CODES[:3])
        return Zone(name, place, "groups", "", 3, cards, slots=slots, size="table", say=name)

    areas = (area("theirs", "seat:1"), area("mine", "own"))
    piles = tuple(
        Zone(
            f"{cell}{number}",
            "centre",
            "stack",
            f"Pile {number}",
            5,
            size="small",
            cell=cell,
            say=f"{cell} pile {number}",
        )
        for cell in ("left", "right")
        for number in range(piles)
    )
    declared = declared_scene()
    return msgspec.structs.replace(declared, title="Areas", seats=seats(2), zones=(*areas, *piles, *declared.zones))


def cards_in(scene: Scene, place: str = "") -> list[Card]:
    """Return the cards of a scene, or those of its zones at one place."""
    return [card for zone in scene.zones if place in ("", zone.place) for card in zone.cards]


def scene_of(game: str, wanted: Callable[[Any], Any], **options: Any) -> Scene:
    """Return a scene of a random game for seat 0, with choices and an instrument that is as wanted."""
    return scene_with(game, lambda scene: scene.stage and scene.choices and wanted(scene.stage), **options)


def scene_with(game: str, wanted: Callable[[Scene], Any], **options: Any) -> Scene:
    """Return a scene of a random game for seat 0 that is as wanted."""
    table, dice = fairdeal.load(game, **options), random.Random(4)
    state = table.deal("4")
    for _ in range(5000):
        if state.over:
            state = table.deal(str(dice.random()))
        scene = state.scene(0)
        if wanted(scene):
            return scene
        play_at_random(state, dice)
    raise AssertionError(f"no such scene of {game} came")
