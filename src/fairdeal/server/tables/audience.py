"""The viewers of a table and the scenes sent to them. Each scene is drawn and encoded once for each seat."""

import time
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Described, described
from fairdeal.engine.records import HOUSE, SPECTATOR
from fairdeal.engine.scene import Choice, Clock, LogLine, Scene, Seat
from fairdeal.engine.tips import bitten, read_bites
from fairdeal.engine.travel import travelled
from fairdeal.protocol import messages as m
from fairdeal.protocol.patches import Changes, Scenes
from fairdeal.server.long_work import Client
from fairdeal.server.tables.pace import Pace
from fairdeal.server.tables.seats import Place, Seats
from fairdeal.server.tables.windows import Covering
from fairdeal.table.clocks import GRACE
from fairdeal.table.redrawing import PAUSED, PLAYS_ON, STANDS_IN, WAITING, absent, pause_for
from fairdeal.table.sitting import Sitting

NOT_YET = "everybody is still looking at the cards; the game goes on in a moment"
"""The error message for requests while a window is shown."""

ENDED = "the window in which you passed has ended, so your pass does not count"
"""The error message for a pass in a window that is no longer shown."""

PASSED = "You have passed."
"""The second line of the prompt for a seat that has passed in a window."""

MOST_LINES = 200
"""Maximum number of chat lines sent to a new viewer."""


@dataclass(eq=False)
class Connection:
    """A viewer's connection, with or without a seat."""

    guest: str
    seat: int
    write: Callable[[str], None]
    address: str = ""
    hang_up: Callable[[], None] = lambda: None  # close the connection, so that the client repeats its requests
    unsent: Sized = ()  # messages that wait to be sent
    busy: bool = False  # whether a request is carried out
    asked: float = 0.0  # when its current request was received, by `time.perf_counter`
    shown: Covering | None = None  # a window's state, shown in place of the current one
    after: int = 0  # all moves before this one have been sent completely
    scenes: Scenes | None = None  # the scenes sent to a client that takes patches
    welcomed: bool = False  # before its `welcome`, it is sent nothing else

    @property
    def client(self) -> Client:
        """The client to which long work is charged."""
        return Client.of(self.guest, self.address)

    def show(self, moment: Covering | None, sitting: Sitting) -> None:
        """Set the window's state shown to this viewer, or None to show the current state."""
        if self.shown is None:
            self.after = moment.move if moment else sitting.moves_made
        self.shown = moment

    def send(self, message: m.Message, known: Changes | None = None) -> None:
        """Send a message, as a patch if the client takes them. `known` has the changes computed so far."""
        self.write(m.encoded(self.scenes.shortened(message, known) if self.scenes else message))


class Audience:
    """The connections of a table, and its chat. `trouble` describes the table's current problem, or is empty."""

    def __init__(self, seats: Seats, pace: Pace) -> None:
        self.seats, self.pace = seats, pace
        self.connections: list[Connection] = []
        self.away_since = dict.fromkeys(range(len(seats)), pace.now())
        self.chat: list[m.Said] = []
        self.trouble = ""
        self.elsewhere = 0  # bit set of the seats with a guest who is connected to another worker

    @property
    def viewers(self) -> list[Connection]:
        """The connections to which news is sent. A new one first gets the complete table."""
        return [connection for connection in self.connections if connection.welcomed]

    # --- coming and going -----------------------------------------------------------------------------------

    def is_here(self, place: Place) -> bool:
        if place.is_for_bot or self.elsewhere >> place.seat & 1:
            return True
        return place.seat in [connection.seat for connection in self.connections]

    @property
    def here(self) -> int:
        """The bit set of the seats with a guest who is connected."""
        return sum(1 << seat for seat in {connection.seat for connection in self.connections} - {SPECTATOR})

    def is_left(self, place: Place) -> bool:
        """Return whether the game is paused because the guest of this seat is away."""
        return self.pace.is_still and place.guest is not None

    def notice(self, sitting: Sitting) -> str:
        """Return the table's current problem, or the player a paused game waits for, in a sentence. Return an empty
        string if there is neither."""
        left = [sitting.names[place.seat] for place in self.seats if self.is_left(place)]
        return self.trouble or (pause_for(left[0]) if left else "")

    def part(self, connection: Connection) -> None:
        """Remove a connection that has ended."""
        self.connections.remove(connection)
        if connection.seat != SPECTATOR:
            self.away(connection.seat)

    def hang_up(self, guest: str | None = None) -> None:
        """Close the connections of a guest, or of all viewers. Their clients connect again."""
        for connection in [*self.connections]:
            if guest in (None, connection.guest):
                connection.hang_up()

    def away(self, seat: int) -> None:
        """Start the time limit within which a seat's guest must come back before a bot may play for them."""
        self.away_since[seat] = self.pace.now()

    def grace(self, place: Place) -> float:
        """Return the number of seconds that an absent guest still has to come back."""
        if place.stand_in or self.is_here(place):
            return 0.0
        return max(0.0, self.away_since[place.seat] + GRACE - self.pace.now())

    def reseat(self) -> None:
        """Update the seats of all connections after guests have joined or left."""
        for connection in self.connections:
            connection.seat = self.seats.of(connection.guest)

    # --- scenes ---------------------------------------------------------------------------------------------

    def scene(self, sitting: Sitting, viewer: int, draft: Sequence[int] = ()) -> Scene:
        """Return the scene of a sitting, or of the window that is shown, with the facts that only the room has."""
        moment = self.pace.windows.covers(sitting, viewer)
        if moment:
            if draft:
                raise IllegalMove("", NOT_YET)
            return self.covering(moment, sitting, viewer)
        scene = sitting.sent(viewer, draft)
        prompt, limit = scene.prompt, self.pace.time_of(viewer, sitting)
        if prompt and limit and prompt.mode in ("yours", "together"):
            deadline, seconds = limit
            until = time.time() + deadline - self.pace.now()
            prompt = prompt.replaced(until=until, lasts=seconds)
        seats = self.dressed(scene)
        if prompt and prompt.mode in WAITING and (text := self.absent(seats, viewer)):
            prompt = prompt.replaced(text=text)
        if prompt and (sub := self.notice(sitting)):
            prompt = prompt.replaced(sub=sub)
        return scene.replaced(seats=seats, prompt=prompt)

    def covering(self, moment: Covering, sitting: Sitting, viewer: int) -> Scene:
        """Return the scene of a window's state. It has no clocks and no seat to act, so that it does not reveal which
        seat is asked. A seat that could be asked may pass. The cards move from their places in the state shown
        before."""
        if viewer not in moment.scenes:
            scene = moment.views.of(viewer, sitting.names).scene()
            scene = scene.replaced(seats=tuple([sitting.dressed(seat) for seat in scene.seats]))
            former = moment.former.of(viewer, sitting.names).scene()
            told = travelled(self.news_of(moment, sitting, viewer), former, scene)
            moment.scenes[viewer] = scene.replaced(
                seq=moment.number[viewer],
                stood_in=sitting.stood_in(viewer, moment.move),
                events=tuple(lines(told)),
                bites=bitten(read_bites(sitting.table.game.clauses), told, scene),
            )
        scene, prompt = moment.scenes[viewer], moment.scenes[viewer].prompt
        sub = self.notice(sitting) or (PASSED if viewer in self.pace.windows.passed else "")
        if prompt and sub:
            prompt = prompt.replaced(sub=sub)
        may_pass = self.pace.windows.may_pass(viewer)
        choices = (Choice(moment.choice, "button", "Pass"),) if may_pass else ()
        seats = self.dressed(scene, clocks=False)
        return scene.replaced(seats=seats, prompt=prompt, choices=choices)

    def told_of(self, moment: Covering, sitting: Sitting, viewer: int) -> list[Described]:
        """Return the events and log lines that led to a window's state since the last move that the viewer knows of,
        restricted to what the state shows."""
        number = sitting.log.last_known(viewer, moment.move)
        if not number:
            return []
        if viewer not in moment.told:
            move = sitting.log.moves[number - 1]
            before = sitting.seen_at(number - 1, viewer)
            events = before.happened(moment.views.of(viewer, sitting.names), move.seat, move.actions)
            moment.told[viewer] = described(events, before.voice, move.seat)
        return moment.told[viewer]

    def news_of(self, moment: Covering, sitting: Sitting, viewer: int) -> list[Described]:
        """Return the events and log lines of a window's state that the previous window has not shown."""
        told, before = self.told_of(moment, sitting, viewer), moment.before
        if before is None or before.number[viewer] != moment.number[viewer]:
            return told
        return told[len(self.told_of(before, sitting, viewer)) :]

    def dressed(self, scene: Scene, clocks: bool = True) -> tuple[Seat, ...]:
        """Return the seats of a scene with the state of their players and, if `clocks` is true, their remaining
        time."""
        return tuple([self.seat_now(seat, scene.viewer, clocks) for seat in scene.seats])

    def absent(self, seats: Sequence[Seat], viewer: int) -> str:
        """Return a sentence if all players that a viewer waits for are away, or an empty string."""
        plays = all(self.seats[seat.seat].stand_in for seat in seats if seat.acts and seat.seat != viewer)
        return absent(seats, viewer, plays)

    def seat_now(self, seat: Seat, viewer: int, clocks: bool) -> Seat:
        place = self.seats[seat.seat]
        is_left = self.is_left(place)
        runs = clocks and not place.stand_in and not is_left
        deadline = self.pace.clocks.deadlines.get(seat.seat) if runs else None
        clock = Clock(max(0.0, deadline - self.pace.now()), self.pace.clocks.seconds, runs=True) if deadline else None
        away = place.stand_in or not self.is_here(place)
        state = "away" if away and seat.state == "here" else seat.state
        follows = place.successor and seat.seat != viewer
        note = PAUSED if is_left else STANDS_IN if place.stand_in else PLAYS_ON if follows else seat.note
        if state == seat.state and note == seat.note and clock is None:
            return seat
        return seat.replaced(state=state, clock=clock, note=note)

    # --- messages -------------------------------------------------------------------------------------------

    def tell(self, sitting: Sitting, news: bool = False, only: int | None = None) -> None:
        """Send the current table to all viewers, or to those of the seat `only`. With `news`, which is sent after an
        entry, viewers of an unchanged window are skipped."""
        shown: dict[tuple[int, int], m.Shown] = {}
        encoded: dict[tuple[int, int], str] = {}
        known: Changes = {}
        for connection in self.viewers:
            if only not in (None, connection.seat):
                continue
            viewer, moment = connection.seat, self.pace.windows.covers(sitting, connection.seat)
            last = connection.shown
            if news and moment and last is moment:
                continue
            after = connection.after if last else sitting.moves_made
            connection.show(moment, sitting)
            if (viewer, after) not in shown:
                shown[viewer, after] = self.shown(sitting, viewer, after, last)
            if connection.scenes:
                connection.send(shown[viewer, after], known)
                continue
            if (viewer, after) not in encoded:
                encoded[viewer, after] = m.encoded(shown[viewer, after])
            connection.write(encoded[viewer, after])
        sitting.views_before.clear()  # all sent; a table at rest should be small

    def shown(self, sitting: Sitting, viewer: int, after: int, last: Covering | None = None) -> m.Shown:
        """Return the message that shows the table to a viewer, with the log lines of the last move, or of all moves
        after `after`. `last` is the window's state that the viewer was shown before; the moves made in that window are
        sent without an author."""
        moment = self.pace.windows.covers(sitting, viewer)
        number = moment.move if moment else last.move if last else sitting.moves_made
        after, number = sitting.log.last_known(viewer, after), sitting.log.last_known(viewer, number)
        past = range(max(after, 1), number)
        told = [line for n in past for line in lines_for(sitting, viewer, n, lines(sitting.events_of(n, viewer)))]
        if moment:
            scene = self.covering(moment, sitting, viewer)
            told += lines_for(sitting, viewer, number, lines(self.told_of(moment, sitting, viewer)))
            return m.Shown(scene=scene, log=tuple(told), chain=moment.chain[viewer])
        if last:
            told += lines_for(sitting, viewer, number, lines(self.told_of(last, sitting, viewer)))
            rest = self.came_of(last, sitting, viewer)
            told += [line for n, one in rest for line in lines_for(sitting, viewer, n, [one.line])]
            now = sitting.drawn(sitting.moves_made, viewer)
            sitting.tell_rest(viewer, travelled([one for _, one in rest], self.covering(last, sitting, viewer), now))
        scene = self.scene(sitting, viewer)
        if not last:
            told += lines_for(sitting, viewer, number, scene.events)
        return m.Shown(scene=scene, log=tuple(told), chain=sitting.log.chain_for(viewer))

    def came_of(self, moment: Covering, sitting: Sitting, viewer: int) -> list[tuple[int, Described]]:
        """Return the events and log lines after a window's state, with the numbers of the moves and without an
        author."""
        known = len(self.told_of(moment, sitting, viewer))
        made = range(max(sitting.log.last_known(viewer, moment.move), 1), sitting.moves_made + 1)
        found = [(n, one) for n in made for one in sitting.events_of(n, viewer)][known:]
        return [(n, Described(event, line.replaced(seat=HOUSE))) for n, (event, line) in found]

    def story(self, sitting: Sitting, viewer: int, log: tuple[m.Told, ...]) -> tuple[m.Told, ...]:
        """Return the lines of the log that a viewer may see now."""
        moment = self.pace.windows.covers(sitting, viewer)
        if moment is None:
            return log
        number = sitting.log.move_for(viewer, moment.move)
        heard = [line for line in log if line.number < number]
        return (*heard, *lines_of(number, lines(self.told_of(moment, sitting, viewer))))

    def tell_facts(self, facts: Callable[[str], m.Facts]) -> None:
        """Send each viewer the facts of the table, without its cards. `facts` returns the facts that a guest may
        know."""
        for connection in self.viewers:
            connection.send(m.Table(facts=facts(connection.guest)))

    def say(self, said: m.Said) -> None:
        """Send a line of chat to all viewers."""
        self.chat = [*self.chat[1 - MOST_LINES :], said]
        for connection in self.viewers:
            connection.send(m.Chat(said=said))


def lines(told: Sequence[Described]) -> list[LogLine]:
    """Return the log lines of a move without their events."""
    return [line for _, line in told]


def lines_of(number: int, lines: Sequence[LogLine]) -> tuple[m.Told, ...]:
    """Return the log lines of move `number` as sent to clients. Move 0 has none."""
    return tuple([m.Told(number, line.seat, line.text, line.clauses) for line in lines if number])


def lines_for(sitting: Sitting, viewer: int, number: int, lines: Sequence[LogLine]) -> tuple[m.Told, ...]:
    """Return the log lines of move `number` as sent to a viewer, who may not know of all moves before it."""
    return lines_of(sitting.log.move_for(viewer, number), lines)
