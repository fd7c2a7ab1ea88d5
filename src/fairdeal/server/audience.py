"""Who watches a table, and what they are shown: each sees their own side of it, drawn once and encoded once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import SPECTATOR
from fairdeal.engine.scene import Clock, Event, Scene, Seat
from fairdeal.server import messages as m
from fairdeal.server.pace import Pace
from fairdeal.server.seats import Place, Seats
from fairdeal.table.clocks import GRACE
from fairdeal.table.sitting import PERSON, Sitting

LONGEST_DRAFT = 40
MOST_SCENES = 12
"""Scenes of one moment that are kept: those of the viewers, and of the draft that somebody is making."""

MOST_LINES = 200
"""Lines of chat that whoever comes is told."""


@dataclass
class Connection:
    """Somebody who watches, from a seat or without one."""

    guest: str
    seat: int
    write: Callable[[str], None]
    address: str = ""

    @property
    def whom(self) -> str:
        """Who long work is done for: strangers at one address share a turn."""
        return self.guest or f"at {self.address}"

    def send(self, message: m.Message) -> None:
        self.write(m.encoded(message))


class Audience:
    """The connections of a table, and its chat. `trouble` is what is wrong at the moment, in words."""

    def __init__(self, seats: Seats, pace: Pace) -> None:
        self.seats, self.pace = seats, pace
        self.connections: list[Connection] = []
        self.away_since = dict.fromkeys(range(len(seats)), pace.now())
        self.chat: list[m.Said] = []
        self.trouble = ""
        self.forget()

    # --- coming and going -----------------------------------------------------------------------------------

    def is_here(self, place: Place) -> bool:
        return place.plays != PERSON or any(connection.seat == place.seat for connection in self.connections)

    def part(self, connection: Connection) -> None:
        """A connection has ended."""
        self.connections.remove(connection)
        if connection.seat != SPECTATOR:
            self.away(connection.seat)

    def away(self, seat: int) -> None:
        """From now on a guest may come back to this seat before a bot can play for them."""
        self.away_since[seat] = self.pace.now()

    def grace(self, place: Place) -> float:
        """Seconds that a guest who is away still has to come back."""
        if place.stand_in or self.is_here(place):
            return 0.0
        return max(0.0, self.away_since[place.seat] + GRACE - self.pace.now())

    def reseat(self) -> None:
        """Seats were taken or left: everybody watches from the seat that is theirs now."""
        for connection in self.connections:
            connection.seat = self.seats.of(connection.guest)

    # --- scenes ---------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Draw everything anew."""
        self.drawn_at = -1
        self.scenes: dict[tuple[int, tuple[int, ...]], Scene] = {}
        self.events: dict[int, tuple[Event, ...]] = {}

    def scene(self, sitting: Sitting, viewer: int, draft: Sequence[int] = ()) -> Scene:
        """The game's scene, with what only the room knows: the last move in words, who is away, the clocks, the number
        of the entry, and what is wrong."""
        scene = self.drawn(sitting, viewer, tuple(draft))
        prompt, deadline = scene.prompt, self.pace.deadline_of(viewer)
        if prompt and deadline and prompt.mode in ("yours", "together"):
            prompt = msgspec.structs.replace(prompt, until=time.time() + deadline - self.pace.now())
        if prompt and self.trouble:
            prompt = msgspec.structs.replace(prompt, sub=self.trouble)
        if sitting.moves_made and viewer not in self.events:
            self.events[viewer] = tuple(sitting.events(sitting.moves_made, viewer))
        return msgspec.structs.replace(
            scene,
            seq=self.drawn_at,
            seats=tuple([self.dressed(seat, sitting) for seat in scene.seats]),
            prompt=prompt,
            events=self.events.get(viewer, scene.events),
            recap=sitting.recap(viewer) if viewer in sitting.state.to_act else (),
        )

    def drawn(self, sitting: Sitting, viewer: int, draft: tuple[int, ...]) -> Scene:
        """The game's own scene of this moment, drawn once. Raises IllegalMove if no choices led to the draft."""
        number = len(sitting.log.entries)
        if self.drawn_at != number:
            self.forget()
            self.drawn_at = number
        if (viewer, draft) not in self.scenes:
            if len(draft) > LONGEST_DRAFT or (draft and not self.is_offered(sitting, viewer, draft)):
                raise IllegalMove("", "this half-made move is not possible now")
            if len(self.scenes) >= MOST_SCENES:
                self.scenes.clear()
            self.scenes[viewer, draft] = sitting.seen(viewer).scene(draft)
        return self.scenes[viewer, draft]

    def is_offered(self, sitting: Sitting, viewer: int, draft: tuple[int, ...]) -> bool:
        """Was the last pick of a draft among the choices before it?"""
        return any(choice.id == draft[-1] for choice in self.drawn(sitting, viewer, draft[:-1]).choices)

    def dressed(self, seat: Seat, sitting: Sitting) -> Seat:
        """A seat of the game's scene, with who sits there."""
        place = self.seats[seat.seat]
        deadline = None if place.stand_in else self.pace.clocks.deadlines.get(seat.seat)
        clock = Clock(max(0.0, deadline - self.pace.now()), self.pace.clocks.seconds, runs=True) if deadline else None
        away = place.stand_in or not self.is_here(place)
        state = "away" if away and seat.state == "here" else seat.state
        note = "away, a bot plays on" if place.stand_in else seat.note
        kind = "bot" if seat.seat in sitting.bots else seat.kind
        if state == seat.state and note == seat.note and kind == seat.kind and clock is None:
            return seat
        return msgspec.structs.replace(seat, kind=kind, state=state, clock=clock, note=note)

    # --- telling --------------------------------------------------------------------------------------------

    def tell(self, sitting: Sitting) -> None:
        """Show everybody the table as it is now."""
        encoded: dict[int, str] = {}
        for connection in self.connections:
            viewer = connection.seat
            if viewer not in encoded:
                encoded[viewer] = m.encoded(self.shown(sitting, viewer))
            connection.write(encoded[viewer])
        sitting.views_before.clear()  # told; a table at rest should be small

    def shown(self, sitting: Sitting, viewer: int) -> m.Shown:
        scene, number = self.scene(sitting, viewer), sitting.moves_made
        told = tuple([m.Told(number, event.seat, event.text, event.clauses) for event in scene.events if number])
        return m.Shown(scene=scene, log=told, chain=chain_of(sitting))

    def tell_facts(self, facts: Callable[[str], m.Facts]) -> None:
        """Tell everybody the table without its cards, as each of them may know it."""
        for connection in self.connections:
            connection.send(m.Table(facts=facts(connection.guest)))

    def say(self, said: m.Said) -> None:
        """Tell everybody a line of chat."""
        self.chat = [*self.chat[1 - MOST_LINES :], said]
        for connection in self.connections:
            connection.send(m.Chat(said=said))


def chain_of(sitting: Sitting) -> str:
    """The running hash of the log as it is now; empty where an older fairdeal dealt."""
    return sitting.log.chain() if sitting.log.format > 1 else ""
