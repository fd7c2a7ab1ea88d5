"""Reaction windows of a live table: neither what is sent nor when tells who holds something to play."""

import functools
import itertools
import math
import random
import secrets
import time
from collections import Counter

import msgspec
import pytest

import fairdeal
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.state import State
from fairdeal.protocol import messages as m
from fairdeal.server.api.clearing import clear
from fairdeal.server.extras.notices import Notices, notice_of
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.tables import windows
from fairdeal.server.tables.seating import leave
from fairdeal.server.tables.windows import SECONDS, SECONDS_ALONE
from tests.server.histories import check, final
from tests.server.in_process import InsideRoom, Viewer, done, refused, rows, seated, until
from tests.server.inside import opened

SPYGLASS, SMOKE_BOMB, GAUNTLET, FOR_PREPARATION, ALSO_FOR_PREPARATION = 4, 6, 7, 9, 10
"""A card for every window, two for the window after the flip, and two that are played before it."""

WAR, RACE = "ninja/10", "ninja/speed"
"""First cards of Ada that lead to a war, which opens a second window, and to a race."""

PEOPLE, WITH_BOTS = ("you", "person", "person"), ("you", "greedy", "greedy")
OTHERS = ("ada", "cleo", "dora")
"""All but Ben: two players and a spectator."""

SEATED = ("ada", "ben", "cleo")
ASKED = "Does anybody play equipment?"
LOOKING, NO_SEAT = "everybody is still looking", "you are not seated at this table"
TOO_LATE = "the window in which you passed has ended"


def position(kit, of_ada, first, held=True):
    """Return a round in which Cleo's ten takes two lower cards, or meets Ada's `first` card. Bo holds `kit`, Ada holds
    `of_ada`, unless both lie in the store, and everybody sees that Cleo holds no equipment."""
    more = ["monster/3"] * 6
    return {
        "round": 5,
        "slots": ["zombie/3"] * 8,
        "tax": ["zombie/4"] * 10,
        "store": [1, 2, 3, 4, 5] + [kit, of_ada] * (not held),
        "seats": [
            {"army": [first, "ninja/3", "ninja/4", *more], "hand": [of_ada] * held},
            {"army": ["princess/7", "princess/4", "princess/5", *more], "hand": [kit] * held},
            {"army": ["zombie/10", "zombie/3", "zombie/5", *more]},
        ],
    }


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    """Set the number of steps that is drawn for windows; at first it is 1. The choices to pass are numbered from -1
    down at each table."""

    def draw(steps):
        monkeypatch.setattr(windows, "drawn_steps", lambda: steps)

    monkeypatch.setattr(windows, "first_choice", lambda: 0)
    draw(1)
    return draw


@pytest.fixture
async def room(restart, ticker):
    return await restart(pause=0.7, ticker=ticker)


class Table:
    """A table of WAR for three in that position, a spectator, and all that everybody hears, with the time. Ben is asked
    in the window after the flip if `asked` is true."""

    def __init__(self, room, live, ticker, asked):
        self.room, self.live, self.ticker, self.asked = room, live, ticker, asked
        self.read, self.kept, self.answers = Counter(), None, []
        self.viewers = {guest: Viewer(room, live, guest) for guest in (*SEATED, "dora")}

    async def flip(self):
        for seat in range(3):
            async with self.live.lock:
                await self.live.enter(seat, "flip")
        self.began = self.ticker.seconds if self.ticker else 0.0
        self.last = seen_in(self.scene("dora"))

    async def play(self, guest, move):
        await done(self.viewers[guest].play(move))

    def passing(self, guest, **facts):
        """Return the request to pass in the window that a guest is shown, as the button `Pass` sends it."""
        scene = self.scene(guest)
        (choice,) = [one["id"] for one in scene["choices"] if one["label"] == "Pass"]
        return m.Pick(**{"id": "pass", "seq": scene["seq"], "choice": choice} | facts)

    def scene(self, guest):
        return self.viewers[guest].scene

    def heard(self, guest):
        """Return the messages to a guest since the last call, but facts and running hashes, which differ at each
        table."""
        heard = self.viewers[guest].heard[self.read[guest] :]
        self.read[guest] += len(heard)
        return [plainly(message) for message in heard if message["type"] != "table"]

    def look(self, steps):
        """Let the time come that is so many steps after the flip, and show what is to be shown then."""
        self.ticker.seconds = self.began + steps * SECONDS
        self.live.look_at_windows()

    async def follow(self, course, after=None):
        """Do what a course says, and call `after` after each step. `0.5 ben plays pass` is a move half a step of a
        window after the flip; at `1 closes` spectators see something else for the first time since the last
        `closes`."""
        for step in course.split("; "):
            when, *words = step.split()
            if words == ["closes"]:
                self.look(float(when) - 0.04)
                assert seen_in(self.scene("dora")) == self.last, step
            self.look(float(when))
            await self.do(*words)
            if after:
                await after()

    async def do(self, guest, verb="", *words):
        state, said = self.live.sitting.state, " ".join(words)
        seat = SEATED.index(guest) if guest in SEATED else -1
        match guest, verb:
            case "closes", _:
                assert seen_in(self.scene("dora")) != self.last
                self.last = seen_in(self.scene("dora"))
            case "all", "look":
                pass
            case "nobody", "has":  # passed
                assert not self.live.pace.windows.passed
            case "round", number:
                assert {self.scene(guest)["sub"].rpartition("round ")[2] for guest in (*OTHERS, "ben")} == {number}
            case "number", number:
                assert self.live.number == int(number)
            case "time", number:  # of the next turn begins after so many steps
                begins = self.began + float(number) * SECONDS
                assert {round(when, 3) for when in self.live.pace.clocks.deadlines.values()} == {round(begins + 60, 3)}
            case "telling", _:
                for viewer in OTHERS:
                    told = " ".join(event["text"] for event in self.scene(viewer).get("events", ()))
                    assert said in told if said else not told
            case _, "plays":
                await self.play(guest, said)
            case _, "takes":  # Pass, to send it later
                assert not self.kept or self.kept.choice != self.passing(guest).choice
                self.kept = self.passing(guest)
            case _, "passes" if not said:
                self.kept = self.passing(guest)
                self.done = await done(self.viewers[guest].ask(self.kept))
            case _, "passes":  # if asked
                if state.to_act == (seat,):
                    await self.play(guest, "pass")
            case _, "sends":
                await done(self.viewers[guest].ask(self.kept))
            case _, "repeats":
                self.viewers[guest].heard = [one for one in self.viewers[guest].heard if "scene" in one]
                assert await self.viewers[guest].ask(self.kept) == plainly(self.done)
            case _, "cannot" | "late":
                reason = (await refused(self.viewers[guest].ask(self.request(guest, said))))["reason"]
                assert (TOO_LATE if verb == "late" else NO_SEAT if seat < 0 else LOOKING) in reason
            case _, "sees":
                assert [choice["label"] for choice in self.scene(guest).get("choices", ())] == [*words]
            case _, "reads":
                assert self.scene(guest)["prompt"]["sub"] == said
            case _, "has":  # seconds
                assert self.scene(guest)["seats"][seat]["clock"]["left"] == int(said)
            case _, "decides":
                await until(lambda: seat in self.live.sitting.state.to_act)
            case _, "waits":
                await until(lambda: self.live.sitting.state.to_act != (seat,))
            case _, "undoes":  # or is told why not
                reason = (await refused(self.viewers[guest].undo()))["reason"]
                self.answers += [(guest, reason)] * (guest != "ben")
            case _, "leaves":
                await leave(self.live, guest)
            case _:
                raise AssertionError(f"nobody knows how to do this: {guest} {verb} {said}")

    def request(self, guest, words):
        """The request of a guest who wishes what these words say."""
        seq = self.scene(guest)["seq"]
        own = windows.pass_of(self.live.sitting.state, 1)
        requests = {
            "hint": m.Hint(id="hint"),
            "ask why": m.Why(id="why", card="x"),
            "send it": self.kept,
            "send it again": self.kept and msgspec.structs.replace(self.kept, id="again"),
            "send it for 2": self.kept and msgspec.structs.replace(self.kept, id="2", seq=2),
            "pick pass": m.Pick(id="own", seq=seq, choice=own[0] if own else 0),
        }
        return requests.get(words) or m.Play(id=words, seq=seq, move=words)


def seen_in(scene):
    """Return what lies on the table in a scene, and what it asks."""
    return [scene[part] for part in ("zones", "sub", "seq")] + [scene["prompt"]["text"]]


def plainly(message):
    """Return a message without its running hash, which differs at each table."""
    return {name: part for name, part in message.items() if name != "chain"}


async def table_of(
    room,
    ticker,
    kit,
    chairs=PEOPLE,
    of_ada=ALSO_FOR_PREPARATION,
    first="ninja/5",
    flips=True,
    held=True,
    max_rounds=9,
    pause=0.7,
    **wishes,
):
    """Open a table at which all have flipped."""
    options = {"players": 3, "auto_sweep": True, "max_rounds": max_rounds}
    guests = SEATED if chairs == PEOPLE else SEATED[:1]
    live = await seated(room, *guests, game="war-xtreme", chairs=chairs, options=options, **wishes)
    for place, name in zip(live.seats, ("Ada", "Bo", "Cleo"), strict=True):
        place.name = name
    live.sitting.names = ("Ada", "Bo", "Cleo")
    begun = position(kit, of_ada, first, held) | {"options": {"max_rounds": max_rounds}}
    live.sitting.state = live.sitting.table.setup(begun, seed=1)
    live.sitting.views.clear()
    live.pace.pause = pause
    live.pace.start_clocks(live.sitting)
    table = Table(room, live, ticker, kit == SMOKE_BOMB)
    if flips:
        await table.flip()
    return table


@pytest.fixture
def flipped(room, ticker):
    return functools.partial(table_of, room, ticker)


COURSES = {
    "an open window lasts until everybody has passed, and closes on a step": (
        {"kit": SMOKE_BOMB, "drawn": 2},
        "4.8 ben plays pass; 5 closes; 5 round 6",
    ),
    **{
        f"who passes after {after} of {steps} steps does not move the end": (
            {"kit": SMOKE_BOMB, "drawn": steps},
            f"{after} ben plays pass; {max(steps, math.ceil(after))} closes; {steps + 3} round 6",
        )
        for steps in (1, 4)
        for after in (0.0, 0.2, 1.2)
    },
    "a window closes when its steps are over, where nobody is asked": (
        {"drawn": 3, "clock": 60},
        "0 time 3; 0 ada cannot flip; 0 ada cannot hint; 0 ada cannot ask why; 3 closes; 3 round 6; 3 ada has 60; "
        "3 ada plays flip",
    ),
    "nobody waits where bots take no time": ({"pause": 0.0}, "0 round 6"),
    "nobody waits where everybody sees that nobody can be asked": ({"held": False}, "0 round 6"),
    "who plays alone waits shortly, and need not pass": (
        {"chairs": WITH_BOTS, "drawn": 3},
        f"0 ada sees; {SECONDS_ALONE / SECONDS} closes; {SECONDS_ALONE / SECONDS} round 6",
    ),
    "a card that is played begins a window of its own": (
        {"kit": SMOKE_BOMB, "drawn": 3},
        "1.4 ben plays equip 6; 2 closes; 2 telling Smoke Bomb; 2 round 5; 5 closes; 5 round 6",
    ),
    "a second window does not repeat what the first has told": (
        {"first": WAR},
        "0 telling All turn; 1 closes; 1 telling War of 10s; 2 closes; 2 telling",
    ),
    **{
        f"the window ends at its next step if all people who could be asked pass, {kit}": (
            {"kit": kit, "drawn": 4, "clock": 60},
            "1.2 ada passes; 2.2 ben passes; 2.2 time 3; 3 closes; 3 round 6",
        )
        for kit in (SMOKE_BOMB, FOR_PREPARATION)
    },
    "a window that ends early lets the next one begin early": (
        {"first": WAR, "drawn": 4},
        "0.2 ada passes; 0.2 ben passes; 1 closes; 5 closes",
    ),
    "a pass holds for one window and is carried out once": (
        {"drawn": 2},
        "0 ada passes; 0 ada reads You have passed.; 0 ada sees; 0 ada repeats; 0 ada cannot send it again; "
        "0 ada cannot flip; 2 closes; 2 number 3; 2 nobody has passed; 2 ada plays flip; 2 ben plays flip; "
        "2 cleo plays flip; 2 ada sees Pass",
    ),
    "a pass for an earlier moment of the window counts for a seat that is asked since": (
        {"kit": SMOKE_BOMB, "of_ada": GAUNTLET},
        "0 ben takes Pass; 0 ada plays pass; 0 ben decides; 0 ben sends; 0 ben waits; 0 number 5",
    ),
    "who cannot be asked cannot pass": (
        {},
        "0 ada takes Pass; 0 cleo cannot send it; 0 dora cannot send it; 0 cleo cannot pass; 0 nobody has passed",
    ),
    "a pass that comes late does not count in a race": (
        {"first": RACE},
        "0 ben takes Pass; 1 closes; 1 ben late send it; 1 ben decides; 1 nobody has passed; 1 number 3",
    ),
    "only the choice of this window passes in it": (
        {"first": WAR},
        "0 ben takes Pass; 0 ben late send it for 2; 0 ben cannot pick pass; 0 ben cannot pass; 1 closes; "
        "1 ben late send it; 1 ben takes Pass; 1 nobody has passed; 1 number 3; 2 closes",
    ),
    "a pass that is repeated in the next window does not pass there": (
        {"first": WAR},
        "0 ben passes; 1 closes; 1 ben sees Pass; 1 ben repeats; 1 nobody has passed",
    ),
    "the time of a seat that is asked in the next window begins when that is shown": (
        {"kit": SPYGLASS, "first": WAR, "clock": 60},
        "0.2 ben plays pass; 0.2 ben decides; 0.2 ben sees; 0.2 time 1; 1 closes; 1 ben has 60",
    ),
    "a window does not wait for a guest who has left": (
        {"drawn": 4},
        "0 ben passes; 0.2 ada leaves; 1 closes; 1 round 6",
    ),
    "a pass counts from when it was made, however long it is saved": (
        {"kit": SMOKE_BOMB, "saving": 0.2},
        "0.96 ben plays pass; 1.2 round 6",
    ),
    "a pass in advance counts from when its seat was asked, however long that is saved": (
        {"kit": SMOKE_BOMB, "of_ada": GAUNTLET, "saving": 0.2},
        "0 ben passes; 0.96 ada plays pass; 0.96 ben waits; 1.2 round 6",
    ),
}
"""Tables, and what happens at them."""


@pytest.mark.parametrize("title", COURSES)
async def test_course(title, flipped, drawn, store, ticker, monkeypatch):
    wishes = {"kit": FOR_PREPARATION, "drawn": 1, "saving": 0.0} | COURSES[title][0]
    append, saving = store.append, wishes.pop("saving")

    async def slowly(*of, **row):
        await append(*of, **row)
        ticker.seconds += saving

    drawn(wishes.pop("drawn"))
    table = await flipped(**wishes)
    monkeypatch.setattr(store, "append", slowly)
    await table.follow(COURSES[title][1])


@pytest.fixture
def nobody_can_tell(flipped, ticker, monkeypatch):
    """Compare what `tell(table)` returns at two tables, with a clock, where Ben is asked and where he is not. It must
    be the same, and is returned."""
    monkeypatch.setattr(time, "time", ticker)

    async def compare(tell, ways=({"kit": SMOKE_BOMB}, {"kit": FOR_PREPARATION}), **wishes):
        began, told = ticker.seconds, []
        for way in ways:
            ticker.seconds = began
            told.append(await tell(await flipped(**{"clock": 60} | wishes | way)))
        for one, other in zip(*told, strict=True):
            assert one == other
        return told[0]

    return compare


IN_TURN = ({"of_ada": GAUNTLET}, {"of_ada": ALSO_FOR_PREPARATION})
"""Tables at which Ada is asked before and after Ben has played, and at which she is not."""

SECRETS = {
    "a pass": ({}, "0.25 all look; 0.5 ben passes if asked; 0.75 all look; 1 closes; 2 all look; 2 ada undoes; "
                   "2 cleo undoes; 2 ben undoes; 2 ada plays flip; 4 all look"),
    "a pass before another window": (
        {"first": WAR},
        "0.5 ben passes if asked; 1 closes; 2 closes; 2 ada undoes; 2 cleo undoes; 4 all look",
    ),
    "a pass that opens another window": (
        {"first": WAR, "clock": 0, "drawn": 4},
        "0.2 ben passes if asked; 4 closes; 8 closes",
    ),
    "a pass in advance": (
        {"of_ada": GAUNTLET, "guests": (*OTHERS, "ben")},
        "0.2 ben passes; 0.2 ben reads You have passed.; 0.2 ben sees; 0.6 ada plays pass; 0.6 ben waits; "
        "0.8 all look; 1 closes; 1 round 6",
    ),
    "passes before and after a card": (
        {"kit": SMOKE_BOMB, "ways": IN_TURN, "guests": ("cleo", "dora"), "late": ("cleo", "eve")},
        "0 ada passes if asked; 0 ben plays equip 6; 1 ada passes if asked; 4 all look",
    ),
}  # fmt: skip
"""What others must not be told of, and how it is made where Ben is asked."""


@pytest.mark.parametrize("secret", SECRETS)
async def test_a_course_of_a_window_stays_secret(secret, nobody_can_tell, drawn):
    """Neither those who hear of it, nor those who come or ask later."""
    wishes, course = SECRETS[secret]
    wishes = dict(wishes)
    guests, late = wishes.pop("guests", OTHERS), wishes.pop("late", ("ada", "cleo", "eve"))
    drawn(wishes.pop("drawn", 1))

    async def tell(table):
        found = [[heard_by(table, guest) for guest in guests]]

        async def look():
            found.append([heard_by(table, guest) for guest in guests])
            if "ben" not in guests:
                found.append(await all_told(table, late))

        await table.follow(course, look)
        return found, table.answers

    await nobody_can_tell(tell, **wishes)


def heard_by(table, guest):
    """Return the messages to a guest since the last call. Of those to Ben, only what the window shows to anybody."""
    heard = table.heard(guest)
    if guest != "ben":
        return heard
    shown = [one["scene"] for one in heard if one.get("scene", {}).get("prompt", {}).get("text") == ASKED]
    return [(scene["prompt"], scene.get("choices"), scene["seats"]) for scene in shown]


async def all_told(table, guests):
    """Return all that players and a spectator who come or ask are told, besides Ben, and without running hashes and
    what differs at every table. Who comes sees what those see who are there."""
    found = []
    for guest in guests:
        late = Viewer(table.room, table.live, guest)
        await late.arrive()
        welcome, facts = plainly(late.heard[0]), table.live.facts(guest)
        late.go()
        welcome.pop("facts")
        last = table.room.last_lines.of(table.live, facts.seat) if facts.seat >= 0 else None
        found += [welcome, of_any_table(facts), last]
        if guest == "eve":
            assert seen_in(welcome["scene"]) == seen_in(table.scene("dora"))
    seated = [guest for guest in guests if guest in table.viewers]
    return found + [await table.viewers[guest].ask(m.Recall(id="recall")) for guest in seated]


def of_any_table(facts):
    """Return facts without what differs at every table: its id and its numbers."""
    deal = msgspec.structs.replace(facts.deal, commitment="", header="", signature="")
    return msgspec.structs.replace(facts, id="any", deal=deal)


async def test_during_a_window_the_cards_lie_open_and_nobody_seems_to_be_asked(flipped, ticker, store):
    """Nor after a restart."""
    table = await flipped(SMOKE_BOMB, clock=60)
    for guest in OTHERS:
        scene = table.scene(guest)
        assert scene["prompt"]["text"] == ASKED
        assert not any(seat.get("acts") or seat.get("clock") for seat in scene["seats"])
        assert "5" in str(scene["zones"])
        assert [choice["label"] for choice in scene.get("choices", ())] == (["Pass"] if guest == "ada" else [])
        assert any("5" in event["text"] for event in scene["events"])
    assert [table.live.facts(guest).acts for guest in ("ada", "ben", "dora")] == [(), (1,), ()]
    assert table.scene("ben")["prompt"]["mode"] == "yours"
    table.live.pace.windows.read_again(table.live.sitting, ticker.seconds)
    assert table.live.scene(0).prompt.text == table.live.scene(-1).prompt.text == ASKED
    assert table.live.scene(1).prompt.mode == "yours"
    assert rows(store, "select count(*) from entries")[0][0] >= 3


@pytest.mark.parametrize("kit", [SMOKE_BOMB, FOR_PREPARATION])
async def test_cards_travel_to_the_table_when_a_window_opens_and_home_when_it_closes(flipped, kit):
    table = await flipped(kit)
    for guest in ("ada", "dora", *["ben"] * table.asked):
        assert ways(table.scene(guest)) == {(f"army{seat}", f"table{seat}") for seat in range(3)}
    await table.follow("0 ben passes if asked; 0.96 all look")
    assert all(goal.startswith("table") for _, goal in ways(table.scene("ada")))
    table.look(1)
    for guest in ("ada", "ben", "dora"):
        assert ways(table.scene(guest)) == {(f"table{seat}", "camp2") for seat in range(3)}


def ways(scene):
    """Return from where to where the cards of the last move went."""
    return {(move["origin"], move["goal"]) for event in scene["events"] for move in event.get("moves", ())}


async def test_all_that_is_shown_around_windows_agrees_with_the_log(room, ticker, store):
    """A whole game, with passes that others do not know of."""
    options = {"players": 3, "auto_sweep": True, "max_rounds": 9}
    live = await seated(room, *SEATED, game="war-xtreme", options=options)
    viewers = [Viewer(room, live, guest) for guest in ("ada", "ben", "cleo", "dora")]
    for viewer in viewers:
        await viewer.arrive()
    while live.status != "over" or live.covered(0):
        (seat, *_) = live.sitting.state.to_act or (0,)
        while live.covered(seat):
            ticker.seconds += SECONDS / 4
            live.look_at_windows()
        if live.status != "over":
            await done(viewers[seat].play())
    shown = [message["scene"] for viewer in viewers for message in viewer.heard if message.get("scene")]
    assert sum("state" not in scene for scene in shown) > 10, "scenes of windows"
    assert sum(entry.hidden for entry in live.sitting.log.entries) > 3
    check(await final(InsideRoom(store), live.id), [viewer.history for viewer in viewers])


async def test_a_guest_who_comes_during_a_window_gets_the_lines_of_its_move_once(flipped):
    table = await flipped(FOR_PREPARATION)
    late, there = Viewer(table.room, table.live, "eve"), table.viewers["dora"].heard[-1]
    await late.arrive()
    welcome = late.heard[0]
    assert welcome["chain"] == there["chain"]
    assert [line["text"] for line in welcome["log"]][-len(there["log"]) :] == [line["text"] for line in there["log"]]
    assert welcome["facts"]["seq"] == there["scene"]["seq"] == 3
    table.look(1)
    assert {line["number"] for line in late.heard[-1]["log"]} == {3}


@pytest.mark.parametrize("kit", [SMOKE_BOMB, FOR_PREPARATION])
async def test_a_table_with_an_open_window_stays_awake_because_its_rows_would_reveal_who_is_asked(flipped, store, kit):
    table = await flipped(kit)
    table.look(1)
    for viewer in table.viewers.values():
        viewer.go()
    await until(lambda: not table.live.driver.is_busy)
    for later in (DEFAULT_LIMITS.idle, 2 * DEFAULT_LIMITS.idle):
        table.room.let_sleep(time.monotonic() + later + 1)
    assert (table.live.id in table.room.live) == table.asked
    ((acts,), *_) = rows(store, "select acts from entries order by number desc")
    assert (acts is None) == table.asked


REQUESTS = [
    m.Pick(seq=3, choice=0),
    m.Play(seq=3, move="flip"),
    m.Play(seq=4, move="flip"),
    m.Draft(),
    m.Draft(draft=(1,)),
    m.Why(card="x"),
    m.Position(),
    m.Recall(),
    m.Hint(),
    m.Undo(seq=3),
    m.Undo(seq=4),
    m.StandIn(seat=1),
    m.StandIn(seat=0),
    m.StandIn(seat=0, on=False),
    m.StandIn(seat=2, on=False),
    m.Speed(speed="slow"),
    m.Calm(),
    m.Rematch(),
    m.Ping(),
    m.Play(seq=3, move="pass"),
]
"""Requests during a window, besides looks at all cards and lines of chat."""


async def test_no_answer_reveals_whether_somebody_is_asked(nobody_can_tell, room, monkeypatch):
    assert {type(request) for request in REQUESTS} | {m.Inspect, m.Say} == {*m.Requests.__args__}
    monkeypatch.setattr(room.limits, "spend", lambda *asked: None)

    async def tell(table):
        found = []

        async def ask(guest, name, request):
            request = msgspec.structs.replace(request, id=f"{guest} {name}")
            found.append((guest, request, plainly(await table.viewers[guest].ask(request))))

        await table.play("ada", "pass")  # Ben is asked, if anybody
        for guest in OTHERS:
            zones = table.scene(guest)["zones"]
            shown = [card["id"] for zone in zones for card in zone.get("cards", ())]
            looks = [m.Inspect(card=card) for card in (*shown, *(f"{zone['id']}-top" for zone in zones))]
            passes = [m.Pick(seq=seq, choice=number) for seq in (3, 4) for number in range(-2, 0)]
            for number, request in enumerate([*looks, *REQUESTS, *passes]):
                await ask(guest, number, request)
        hidden = table.live.number
        await table.do("ben", "passes", "if", "asked")
        assert table.live.number == hidden + table.asked
        for guest in OTHERS:
            for request in (m.Say(text="hello"), m.Play(seq=3, move="flip"), m.Pick(seq=3, choice=0), m.Undo(seq=3)):
                await ask(guest, "again", request)
        return found

    assert len(await nobody_can_tell(tell, of_ada=GAUNTLET)) > 3 * len(REQUESTS)


def test_the_steps_of_a_window_are_drawn_as_the_docs_say(monkeypatch):
    monkeypatch.undo()
    counts = Counter()
    for bits in itertools.product((0, 1), repeat=3):
        source = iter(bits)
        monkeypatch.setattr(secrets, "randbits", lambda number, source=source: next(source))
        counts[windows.drawn_steps()] += 1
    assert counts == {1: 4, 2: 2, 3: 1, 4: 1}


def test_the_moments_of_a_move_are_those_at_which_the_rules_ask():
    """In random games: where a seat is asked after a move, the last moment is that state with nobody asked."""
    table = fairdeal.load("war-xtreme", players=4, max_rounds=30, auto_sweep=True)
    game, chance = table.game, random.Random(5)
    asked = passed_over = 0
    for seed in range(5):
        state = table.deal(seed)
        while not state.over:
            seat = chance.choice(state.to_act)
            actions = chance.choice(list(state.action_moves(seat)))
            before = state.record.tobytes()
            moments = game.windows(state.record, seat, actions)
            assert state.record.tobytes() == before
            assert all(game.in_window(moment) and not moment.to_act for moment in moments)
            for moment in moments:
                views = [State(table, moment).view(viewer).record for viewer in (-1, 0, 1, 2, 3)]
                assert {tuple(game.could_be_asked(view)) for view in views} == {tuple(game.could_be_asked(moment))}
            was_in_window = game.in_window(state.record)
            state.play_actions(seat, actions)
            if game.in_window(state.record):
                asked += 1
                assert {*state.to_act} <= {*game.could_be_asked(state.record)}
                assert windows.PASS in state.moves(state.to_act[0])
                assert moments or was_in_window
                if moments and not was_in_window:
                    last = moments[-1]
                    for name in ("to_act", "passes", "turn"):
                        setattr(last, name, getattr(state.record, name))
                    assert last.tobytes() == state.record.tobytes()
            else:
                passed_over += bool(moments)
    assert asked > 20
    assert passed_over > 20


async def test_a_game_that_ends_behind_a_window_is_over_for_all_when_it_closes_by_itself(flipped, ticker, monkeypatch):
    monkeypatch.setattr("fairdeal.server.tables.windows.SECONDS", 0.4)
    table = await flipped(FOR_PREPARATION, max_rounds=5)
    live, dora = table.live, table.viewers["dora"]
    await live.keep_places()  # with the names of the test, which the score needs
    assert live.status == "over"
    assert table.scene("dora").get("mode", "live") == table.scene("ada").get("mode", "live") == "live"
    assert live.facts("dora").status == "running"
    assert live.facts("dora").deal.seed == ""
    ticker.seconds += 0.4
    await until(lambda: table.scene("dora").get("mode") == "over")
    assert table.scene("ada")["mode"] == "over"
    told = [message["facts"] for message in dora.heard if message["type"] == "table"]
    assert told[-1]["status"] == "over"
    assert told[-1]["deal"]["seed"]
    await until(lambda: dora.heard[-1]["type"] == "table" and dora.heard[-1]["facts"]["score"])


async def test_a_game_that_has_ended_behind_a_window_seems_to_go_on(tmp_path, ticker, monkeypatch):
    monkeypatch.setattr(time, "time", ticker)
    answers, began = {}, ticker.seconds
    async with opened(tmp_path) as dora:
        dora.room.pause, dora.room.now = 0.7, ticker
        monkeypatch.setattr(dora.room.limits, "spend", lambda *asked: None)
        for max_rounds in (5, 9):
            ticker.seconds = began
            table = await table_of(dora.room, ticker, FOR_PREPARATION, max_rounds=max_rounds)
            live = table.live
            assert live.status == ("over" if max_rounds == 5 else "running")
            paths = ("log", "rules", "moments/1", "moments/1/card?card=x", "analysis", "analysis/held?move=1")
            found = [await dora.get(f"/api/tables/{live.id}/{path}") for path in paths]
            found.append(await dora.post(f"/api/tables/{live.id}/branch", move=1, seat=0))
            told = [(one.status, one.body) for one in found]
            told.append(rows(dora.room.store, "select status, result from tables where id = ?", live.id))
            for number, request in enumerate(REQUESTS):
                for guest in ("ada", "dora"):
                    request = msgspec.structs.replace(request, id=f"{guest} {number}")
                    answer = await table.viewers[guest].ask(request)  # its scene names the last round
                    told.append({name: answer.get(name) for name in ("type", "reason", "seq", "text")})
            with pytest.raises(FairdealError) as problem:
                await clear(dora.room, live, "ada")
            told.append(str(problem.value))
            for going in (table.viewers["ben"].go, functools.partial(leave, live, "ben")):
                if left := going():
                    await left
                told.append(of_any_table(live.facts("ada")).chairs)
            answers[max_rounds] = told
            if max_rounds == 5:
                table.look(1)
                await until(lambda: rows(dora.room.store, "select id from tables where status = 'over'"))
                log = await dora.get(f"/api/tables/{live.id}/log")
                assert log.status == 200, log.body
    assert answers[5] == answers[9]
    assert {status for status, _ in answers[5][:6]} == {409}


async def test_a_table_that_is_cleared_away_during_a_window_comes_to_rest(flipped, room):
    table = await flipped(FOR_PREPARATION, chairs=WITH_BOTS)
    assert table.live.pace.windows.moments
    await clear(room, table.live, "ada")
    await until(lambda: not table.live.driver.is_busy)


@pytest.mark.parametrize("kit", [SMOKE_BOMB, FOR_PREPARATION])
async def test_who_is_away_is_notified_of_a_turn_only_when_it_is_shown(flipped, room, store, monkeypatch, kit):
    told, notices = [], Notices(store, ("hooks.example",))

    def note(live, guest, moves):
        told.append((live.seats.of(guest), notice_of(live, guest, "", "turn")))

    monkeypatch.setattr(notices, "tell", note)
    monkeypatch.setattr(notices, "start", lambda live, told: None)
    monkeypatch.setattr(room, "turned", notices.turned)
    table = await flipped(kit, flips=False)
    for guest in ("ada", "ben", "cleo"):
        table.viewers[guest].go()
    told.clear()
    await table.flip()
    words = "Cleo has moved; it is your turn"
    assert [(seat, notice["text"], notice["seq"]) for seat, notice in told] == [(1, words, 3)] * table.asked
    told.clear()
    await table.do("ben", "passes", "if", "asked")
    assert told == []
    table.look(1)
    assert [(seat, notice["seq"]) for seat, notice in told] == [(0, 3), (1, 3 + table.asked), (2, 3)]
    assert told[0][1]["text"] == told[2][1]["text"] == words


async def test_a_bot_that_holds_something_is_asked_unseen_too(restart, monkeypatch):
    monkeypatch.setattr("fairdeal.server.tables.windows.SECONDS", 0.4)
    table = await table_of(await restart(pause=0.01), None, SMOKE_BOMB, chairs=WITH_BOTS, flips=False)
    await until(lambda: table.live.sitting.moves_made >= 2)  # the bots have flipped
    await table.play("ada", "flip")
    assert table.scene("ada")["prompt"]["text"] == ASKED
    await until(lambda: table.scene("ada")["seq"] > 3)
    scenes = [message["scene"] for message in table.viewers["ada"].heard if message.get("scene")]
    found = [scene for scene in scenes if "anybody play" in scene["prompt"]["text"]]
    assert found
    assert not any(seat.get("acts") for scene in found for seat in scene["seats"])
