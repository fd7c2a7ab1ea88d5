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
from fairdeal.server.api.opening import open_table
from fairdeal.server.extras.webhooks import Webhooks, notice_of
from fairdeal.server.limits import DEFAULT_LIMITS
from fairdeal.server.tables import windows
from fairdeal.server.tables.seating import join, leave
from fairdeal.server.tables.windows import SECONDS, SECONDS_ALONE
from tests.server.histories import check, final
from tests.server.in_process import InsideRoom, Viewer, done, rows, until
from tests.server.inside import opened

SPYGLASS, SMOKE_BOMB, GAUNTLET, FOR_PREPARATION, ALSO_FOR_PREPARATION = 4, 6, 7, 9, 10
"""A card for every window, two for the window after the flip, and two that are played before it."""

WAR, RACE = "ninja/10", "ninja/speed"
"""First cards of Ada that lead to a war, which opens a second window, and to a race."""

PEOPLE, WITH_BOTS = ("you", "person", "person"), ("you", "greedy", "greedy")
OTHERS = ("ada", "cleo", "dora")
"""All but Ben: two players and a spectator."""

ASKED = "Does anybody play equipment?"
LOOKING = "everybody is still looking"
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
        self.read = Counter()
        self.viewers = {guest: Viewer(room, live, guest) for guest in ("ada", "ben", "cleo", "dora")}

    async def flip(self):
        for seat in range(3):
            async with self.live.lock:
                await self.live.enter(seat, "flip")

    async def play(self, guest, move):
        assert (await self.viewers[guest].play(move))["type"] == "done"

    async def pass_if_asked(self):
        """Ben passes."""
        if self.asked:
            await self.play("ben", "pass")

    def passing(self, guest, **facts):
        """Return the request to pass in the window that a guest is shown, as the button `Pass` sends it."""
        scene = self.scene(guest)
        (choice,) = [one["id"] for one in scene["choices"] if one["label"] == "Pass"]
        return m.Pick(**{"id": "pass", "seq": scene["seq"], "choice": choice} | facts)

    async def press_pass(self, guest):
        """Send that request, and return the number of the last move."""
        answer = await self.viewers[guest].ask(self.passing(guest))
        assert answer["type"] == "done"
        return answer["seq"]

    async def refused(self, guest, request):
        """Send a request that is refused, and return the reason."""
        return (await self.viewers[guest].ask(request))["reason"]

    def wait(self, seconds):
        self.ticker.seconds += seconds
        self.live.look_at_windows()

    def scene(self, guest):
        return self.viewers[guest].scene

    @property
    def rounds(self):
        """The rounds that spectators and players who are not asked see."""
        return {int(self.scene(guest)["sub"].rpartition("round ")[2]) for guest in OTHERS}

    def heard(self, guest):
        """Return the messages to a guest since the last call, without the numbers of the log."""
        heard = self.viewers[guest].heard[self.read[guest] :]
        self.read[guest] += len(heard)
        return [plainly(message) for message in heard]

    def deadlines(self):
        """Return the seconds that each seat has left."""
        return {seat: round(when - self.ticker.seconds, 3) for seat, when in self.live.pace.clocks.deadlines.items()}


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
    **wishes,
):
    """Open a table at which all have flipped."""
    options = {"players": 3, "auto_sweep": True, "max_rounds": max_rounds}
    live = await open_table(room, "ada", game="war-xtreme", chairs=chairs, options=options, **wishes)
    for guest in ("ben", "cleo") if chairs == PEOPLE else ():
        await join(live, guest, None, "")
    for place, name in zip(live.seats, ("Ada", "Bo", "Cleo"), strict=True):
        place.name = name
    live.sitting.names = ("Ada", "Bo", "Cleo")
    begun = position(kit, of_ada, first, held) | {"options": {"max_rounds": max_rounds}}
    live.sitting.state = live.sitting.table.setup(begun, seed=1)
    live.sitting.views.clear()
    live.pace.look(live.sitting)
    table = Table(room, live, ticker, kit == SMOKE_BOMB)
    if flips:
        await table.flip()
    return table


@pytest.fixture
def flipped(room, ticker):
    return functools.partial(table_of, room, ticker)


KITS = ({"kit": SMOKE_BOMB}, {"kit": FOR_PREPARATION})


@pytest.fixture
def nobody_can_tell(flipped, ticker, monkeypatch):
    """Compare what `tell(table)` returns at two tables, with a clock, where Ben is asked and where he is not. It must
    be the same, and is returned."""
    monkeypatch.setattr(time, "time", ticker)

    async def compare(tell, ways=KITS, **wishes):
        began, told = ticker.seconds, []
        for way in ways:
            ticker.seconds = began
            told.append(await tell(await flipped(**{"clock": 60} | wishes | way)))
        for one, other in zip(*told, strict=True):
            assert one == other
        return told[0]

    return compare


async def test_rivals_and_spectators_hear_the_same_at_the_same_time_whether_or_not_somebody_holds_something(
    nobody_can_tell, ticker
):
    """Facts and last lines do not tell that a seat decides either."""
    began = ticker.seconds

    async def tell(table):
        heard, known = [[table.heard(guest) for guest in OTHERS]], []
        for step in range(1, 6):
            if step == 2:
                await table.pass_if_asked()
            if step < 5:
                facts = [table.live.facts(guest) for guest in OTHERS]
                known += [(of_any_table(one), table.room.last_lines.of(table.live, one.seat)) for one in facts]
            table.wait(SECONDS / 4)
            heard.append([table.heard(guest) for guest in OTHERS])
        assert table.live.sitting.moves_made == 3 + table.asked
        return heard, known

    heard, known = await nobody_can_tell(tell)
    assert [[bool(one) for one in part] for part in heard] == [3 * [step in (0, 4)] for step in range(6)]
    assert {(facts.moved, facts.until, facts.acts) for facts, _ in known} == {(began, 0.0, ())}


@pytest.mark.parametrize("first", ["ninja/5", WAR])
async def test_nothing_tells_after_a_window_whether_somebody_passed_in_it(nobody_can_tell, first):
    async def tell(table):
        table.wait(SECONDS / 2)
        await table.pass_if_asked()
        assert table.live.sitting.log.entries[-1].hidden == table.asked
        table.wait(SECONDS / 2)
        told = [await all_told(table)]
        table.wait(SECONDS)
        told += [[one for one in table.heard(guest) if one["type"] != "table"] for guest in OTHERS]
        told.append(await all_told(table))
        told.append([(await table.viewers[guest].undo())["reason"] for guest in ("ada", "cleo")])
        assert (await table.viewers["ben"].undo())["type"] == "refused"
        if first != WAR:  # after a war, others are asked first
            await table.play("ada", "flip")
        table.wait(2 * SECONDS)
        return [*told, await all_told(table)]

    await nobody_can_tell(tell, first=first)


async def test_nobody_is_named_who_passed_before_and_after_a_card(nobody_can_tell):
    async def tell(table):
        asked = []
        for guest, move in (("ada", "pass"), ("ben", "equip 6"), ("ada", "pass")):
            if table.live.sitting.state.to_act == (("ada", "ben").index(guest),):
                await table.play(guest, move)
                asked.append(guest)
            table.wait(SECONDS if guest == "ben" else 0)
        passed.append("ada" in asked)
        table.wait(3 * SECONDS)
        return await all_told(table, guests=("cleo", "eve"))

    passed = []
    await nobody_can_tell(tell, ({"of_ada": GAUNTLET}, {"of_ada": ALSO_FOR_PREPARATION}), kit=SMOKE_BOMB)
    assert passed == [True, False]


async def all_told(table, guests=("ada", "cleo", "eve")):
    """Return all that players and a spectator who come or ask are told, besides Ben, and without running hashes and
    what differs at every table."""
    found = []
    for guest in guests:
        late = Viewer(table.room, table.live, guest)
        await late.arrive()
        welcome, facts = plainly(late.heard[0]), table.live.facts(guest)
        late.go()
        welcome.pop("facts")
        last = table.room.last_lines.of(table.live, facts.seat) if facts.seat >= 0 else None
        found += [welcome, of_any_table(facts), last]
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
    await table.pass_if_asked()
    table.wait(SECONDS - 0.1)
    assert all(goal.startswith("table") for _, goal in ways(table.scene("ada")))
    table.wait(0.1)
    for guest in ("ada", "ben", "dora"):
        assert ways(table.scene(guest)) == {(f"table{seat}", "camp2") for seat in range(3)}


def ways(scene):
    """Return from where to where the cards of the last move went."""
    return {(move["origin"], move["goal"]) for event in scene["events"] for move in event.get("moves", ())}


async def test_an_open_window_lasts_until_everybody_has_passed(flipped):
    table = await flipped(SMOKE_BOMB)
    before = table.scene("ada")
    table.wait(4 * SECONDS)
    assert table.scene("ada") == before
    await table.play("ben", "pass")
    table.wait(0)
    assert table.rounds == {6}
    assert [table.scene(guest)["seq"] for guest in ("ada", "ben", "dora")] == [3, 4, 3]


async def test_a_card_that_is_played_begins_a_window_of_its_own(flipped):
    table = await flipped(SMOKE_BOMB)
    table.wait(SECONDS + 1)
    await table.play("ben", "equip 6")
    for wait, is_told, round in ((SECONDS - 1, False, 5), (SECONDS - 0.1, True, 5), (0.1, True, 6)):
        told = ["Smoke Bomb" in table.scene(guest)["events"][0]["text"] for guest in ("ada", "dora")]
        assert told == [is_told] * 2
        table.wait(wait)
        assert table.rounds == {round}


async def test_a_second_window_does_not_repeat_what_the_first_has_told(flipped):
    table = await flipped(FOR_PREPARATION, first=WAR)
    told = {guest: [] for guest in ("ada", "ben", "dora")}
    for _ in range(3):
        for guest, words in told.items():
            words.append([event["text"] for event in table.scene(guest).get("events", ())])
        table.wait(SECONDS)
    for guest, (first, second, last) in told.items():
        assert "All turn" in first[-1], guest
        assert second == ["War of 10s between you and Cleo." if guest == "ada" else "War of 10s between Ada and Cleo."]
        assert last == [], guest
        logs = [[line["text"] for line in message["log"]] for message in table.viewers[guest].heard if "log" in message]
        assert [*first, *second] in logs, f"the log of {guest} has all lines of the move"


async def test_all_that_is_shown_around_windows_agrees_with_the_log(room, ticker, store):
    """A whole game, with passes that others do not know of."""
    options = {"players": 3, "auto_sweep": True, "max_rounds": 9}
    live = await open_table(room, "ada", game="war-xtreme", chairs=PEOPLE, options=options)
    for guest in ("ben", "cleo"):
        await join(live, guest, None, "")
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


async def test_whoever_comes_during_a_window_is_told_no_more_than_those_who_are_there(flipped):
    table = await flipped(FOR_PREPARATION)
    late = Viewer(table.room, table.live, "eve")
    await late.arrive()
    heard = table.viewers["dora"].heard
    welcome, there = late.heard[0], next(message for message in reversed(heard) if message.get("scene"))
    assert welcome["scene"] == there["scene"]
    assert welcome["chain"] == there["chain"]
    assert [line["text"] for line in welcome["log"]][-len(there["log"]) :] == [line["text"] for line in there["log"]]
    assert welcome["facts"]["seq"] == there["scene"]["seq"] == 3
    table.wait(SECONDS)
    assert late.heard[-1]["scene"]["sub"].endswith("round 6")
    assert {line["number"] for line in late.heard[-1]["log"]} == {3}


@pytest.mark.parametrize("kit", [SMOKE_BOMB, FOR_PREPARATION])
async def test_a_table_with_an_open_window_stays_awake_as_its_rows_would_tell_who_is_asked(flipped, store, kit):
    table = await flipped(kit)
    table.wait(SECONDS)
    for viewer in table.viewers.values():
        viewer.go()
    await until(lambda: not table.live.driver.is_busy)
    for later in (DEFAULT_LIMITS.idle, 2 * DEFAULT_LIMITS.idle):
        table.room.let_sleep(time.monotonic() + later + 1)
    assert (table.live.id in table.room.live) == table.asked
    ((acts,), *_) = rows(store, "select acts from entries order by number desc")
    assert (acts is None) == table.asked


async def test_nothing_can_be_done_or_asked_before_the_window_is_over_and_times_begin_then(flipped):
    table = await flipped(FOR_PREPARATION, clock=60)
    assert {*table.deadlines().values()} == {60 + SECONDS}
    for request in (m.Play(id="f", seq=3, move="flip"), m.Hint(id="h"), m.Why(id="w", card="x")):
        assert LOOKING in await table.refused("ada", request)
    assert (await table.viewers["ada"].ask(m.Ping(id="p")))["seq"] == 3
    table.wait(SECONDS)
    assert {seat["clock"]["left"] for seat in table.scene("dora")["seats"]} == {60}
    await table.play("ada", "flip")


async def test_there_is_no_window_where_bots_take_no_time_or_everybody_sees_that_nobody_can_be_asked(
    restart, ticker, flipped
):
    assert (await flipped(FOR_PREPARATION, held=False)).rounds == {6}
    assert (await table_of(await restart(pause=0.0, ticker=ticker), ticker, FOR_PREPARATION)).rounds == {6}


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


async def test_no_answer_tells_whether_somebody_is_asked(nobody_can_tell, room, monkeypatch):
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
        await table.pass_if_asked()
        assert table.live.number == hidden + table.asked
        for guest in OTHERS:
            for request in (m.Say(text="hello"), m.Play(seq=3, move="flip"), m.Pick(seq=3, choice=0), m.Undo(seq=3)):
                await ask(guest, "again", request)
        return found

    assert len(await nobody_can_tell(tell, of_ada=GAUNTLET)) > 3 * len(REQUESTS)


# --- steps ------------------------------------------------------------------------------------------------------


async def closing_time(table, answers):
    """Return the time after which a spectator sees the end of a window in which Ben passes after `answers` seconds, or
    is not asked if that is None. Ada and Cleo must see it at the same time."""
    now, began = 0.0, table.ticker.seconds
    while table.scene("dora")["prompt"]["text"] == ASKED:
        assert table.scene("ada")["prompt"]["text"] == table.scene("cleo")["prompt"]["text"]
        assert now < 60
        if now == answers:
            await table.play("ben", "pass")
        now += 0.5
        table.wait(0.5)
    assert table.rounds == {6}
    assert table.scene("ben")["sub"].endswith("round 6")
    return table.ticker.seconds - began


@pytest.mark.parametrize("steps", [1, 2, 4])
async def test_a_window_closes_on_a_step_whenever_a_seat_answers_and_if_none_is_asked(flipped, drawn, steps):
    drawn(steps)
    assert await closing_time(await flipped(FOR_PREPARATION), None) == steps * SECONDS
    for answers in (0.0, 0.5, 2.0, 3.0, 7.0, 12.0):
        needed = max(1, math.ceil(answers / SECONDS))
        assert await closing_time(await flipped(SMOKE_BOMB), answers) == max(steps, needed) * SECONDS


def test_the_steps_of_a_window_are_drawn_as_the_docs_say(monkeypatch):
    monkeypatch.undo()
    counts = Counter()
    for bits in itertools.product((0, 1), repeat=3):
        source = iter(bits)
        monkeypatch.setattr(secrets, "randbits", lambda number, source=source: next(source))
        counts[windows.drawn_steps()] += 1
    assert counts == {1: 4, 2: 2, 3: 1, 4: 1}


@pytest.mark.parametrize(("chairs", "lasts"), [(PEOPLE, 3 * SECONDS), (WITH_BOTS, SECONDS_ALONE)])
async def test_who_plays_alone_has_one_short_step_and_need_not_pass_in_advance(flipped, drawn, chairs, lasts):
    drawn(3)
    table = await flipped(FOR_PREPARATION, chairs=chairs)
    assert table.live.pace.windows.may_pass(0) == (chairs is PEOPLE)
    table.wait(lasts - 0.1)
    assert table.rounds == {5}
    table.wait(0.1)
    assert table.rounds == {6}


# --- passing in advance -----------------------------------------------------------------------------------------


async def test_a_pass_in_advance_is_made_as_soon_as_the_seat_is_asked_and_nobody_can_tell(nobody_can_tell):
    async def tell(table):
        made = table.live.sitting.moves_made
        parts = [heard_by_all(table)]
        table.wait(0.5)
        assert await table.press_pass("ben") == made
        assert [table.heard(guest) for guest in OTHERS] == [[], [], []]
        assert table.scene("ben")["prompt"]["sub"] == "You have passed."
        assert "choices" not in table.scene("ben")
        table.wait(1)
        await table.play("ada", "pass")
        await until(lambda: table.live.sitting.moves_made == made + 1 + table.asked)
        assert table.live.sitting.log.moves[-1].by == ""
        for _ in range(3):
            table.wait(0.5)
            parts.append(heard_by_all(table))
        assert table.scene("ben")["sub"].endswith("round 6")
        return parts

    await nobody_can_tell(tell, of_ada=GAUNTLET)


def heard_by_all(table):
    """Return the messages to everybody since the last call; those to Ben only while the window is shown, and without
    the cards in his own hand."""
    heard = {guest: table.heard(guest) for guest in table.viewers}
    shown = [one["scene"] for one in heard["ben"] if "anybody play" in str(one.get("scene", {}).get("prompt"))]
    return heard | {"ben": [(scene["prompt"], scene.get("choices"), scene["seats"]) for scene in shown]}


@pytest.mark.parametrize("kit", [SMOKE_BOMB, FOR_PREPARATION])
async def test_if_all_people_who_could_be_asked_pass_the_window_ends_at_its_next_step(flipped, drawn, kit):
    drawn(4)
    table = await flipped(kit, clock=60)
    table.wait(SECONDS + 0.5)
    await table.press_pass("ada")
    table.wait(SECONDS)
    assert table.rounds == {5}
    await table.press_pass("ben")
    assert {*table.deadlines().values()} == {60 + SECONDS - 0.5}
    table.wait(SECONDS - 0.6)
    assert table.rounds == {5}
    table.wait(0.1)
    assert table.rounds == {6}
    assert table.scene("ben")["sub"].endswith("round 6")


async def test_a_pass_holds_for_one_window_and_is_carried_out_once(flipped, drawn):
    drawn(2)
    table = await flipped(FOR_PREPARATION)
    ada, moved = table.viewers["ada"], table.live.number
    passes = table.passing("ada")
    first = await ada.ask(passes)
    ada.heard.clear()
    assert await ada.ask(passes) == {"type": "done", "id": "pass", "seq": first["seq"]}
    for request in (msgspec.structs.replace(passes, id="q"), m.Play(id="s", seq=passes.seq, move="flip")):
        assert LOOKING in await table.refused("ada", request)
    assert {*table.live.pace.windows.passed} == {0}
    table.wait(2 * SECONDS)
    assert table.rounds == {6}
    assert not table.live.pace.windows.passed
    assert table.live.number == moved
    for guest in ("ada", "ben", "cleo"):
        await table.play(guest, "flip")
    assert [choice["label"] for choice in table.scene("ada")["choices"]] == ["Pass"]


async def test_a_pass_for_an_earlier_moment_of_the_window_counts_for_a_seat_that_is_asked_since(flipped):
    table = await flipped(SMOKE_BOMB, of_ada=GAUNTLET)
    passes = table.passing("ben")
    await table.play("ada", "pass")
    assert table.live.sitting.state.to_act == (1,)
    assert (await table.viewers["ben"].ask(passes))["type"] == "done"
    await until(lambda: table.live.sitting.state.to_act != (1,))
    assert table.live.sitting.log.moves[-1].text == "pass"


@pytest.mark.parametrize("guest", ["cleo", "dora"])
async def test_a_guest_who_cannot_be_asked_cannot_pass(flipped, guest):
    table = await flipped(FOR_PREPARATION)
    for request in (m.Play(id="play", seq=3, move="pass"), table.passing("ada", id="pick")):
        assert await table.refused(guest, request)
    assert not table.live.pace.windows.passed


@pytest.mark.parametrize("first", [WAR, RACE])
async def test_a_pass_that_comes_late_does_not_count_for_another_decision(flipped, first):
    table = await flipped(FOR_PREPARATION, first=first)
    late, live = table.passing("ben"), table.live
    table.wait(SECONDS)
    before = live.number, live.sitting.state.to_act
    assert (table.scene("ben")["prompt"]["text"] == ASKED) == (first == WAR)
    assert TOO_LATE in await table.refused("ben", late)
    assert (live.number, live.sitting.state.to_act) == before
    assert not live.pace.windows.passed
    assert (first == RACE) == (1 in live.sitting.state.to_act)


async def test_only_the_choice_of_the_window_passes_in_advance(flipped):
    table = await flipped(FOR_PREPARATION, first=WAR)
    own = windows.pass_of(table.live.sitting.state, 1)
    assert table.passing("ben").choice < 0 <= own[0]
    assert TOO_LATE in await table.refused("ben", table.passing("ben", seq=2))
    for request in (m.Pick(id="own 0", seq=3, choice=own[0]), m.Play(id="own 1", seq=3, move="pass")):
        assert LOOKING in await table.refused("ben", request)
    assert not table.live.pace.windows.passed
    found = []
    while table.scene("ben")["prompt"]["text"] == ASKED and len(found) < 3:
        found.append(table.passing("ben").choice)
        table.wait(SECONDS)
    assert len({*found}) == len(found) == 2


async def test_a_pass_that_is_repeated_in_the_next_window_does_not_pass_there(flipped):
    table = await flipped(FOR_PREPARATION, first=WAR)
    ben, passes = table.viewers["ben"], table.passing("ben")
    first = await ben.ask(passes)
    table.wait(SECONDS)
    assert table.scene("ben")["prompt"]["text"] == ASKED
    ben.heard.clear()
    assert await ben.ask(passes) == {"type": "done", "id": "pass", "seq": first["seq"]}
    assert not table.live.pace.windows.passed


async def test_a_pass_that_opens_another_window_does_not_end_its_own_before_the_drawn_steps(nobody_can_tell, drawn):
    drawn(4)

    async def tell(table):
        table.heard("dora")
        closed, began = [], table.ticker.seconds
        for step in range(1, 41):
            if step == 2:
                await table.pass_if_asked()
            table.wait(0.5)
            if table.heard("dora"):
                closed.append(table.ticker.seconds - began)
        return closed

    assert await nobody_can_tell(tell, first=WAR, clock=0) == [4 * SECONDS, 8 * SECONDS]


async def test_the_time_of_a_seat_that_is_asked_in_the_next_window_begins_when_that_is_shown(flipped):
    table = await flipped(SPYGLASS, first=WAR, clock=60)
    table.wait(0.5)
    await table.play("ben", "pass")
    assert table.live.sitting.state.to_act == (1,)
    assert table.live.covered(1)
    assert table.deadlines() == {1: 60 + SECONDS - 0.5}
    table.wait(SECONDS - 0.5)
    assert not table.live.covered(1)
    assert table.scene("ben")["seats"][1]["clock"]["left"] == 60


async def test_a_window_does_not_wait_for_a_guest_who_has_left(flipped, drawn):
    drawn(4)
    table = await flipped(FOR_PREPARATION)
    await table.press_pass("ben")
    table.wait(0.5)
    await leave(table.live, "ada")
    table.wait(SECONDS - 0.6)
    assert table.rounds == {5}
    table.wait(0.1)
    assert table.rounds == {6}


@pytest.mark.parametrize("of_ada", [GAUNTLET, ALSO_FOR_PREPARATION])
async def test_a_pass_counts_from_when_it_was_made_however_long_it_is_saved(
    flipped, store, ticker, monkeypatch, of_ada
):
    table = await flipped(SMOKE_BOMB, of_ada=of_ada)
    append, began = store.append, ticker.seconds

    async def slowly(*of, **row):
        await append(*of, **row)
        ticker.seconds += 0.2

    monkeypatch.setattr(store, "append", slowly)
    if of_ada == GAUNTLET:  # Ada is asked first
        await table.press_pass("ben")
    table.wait(SECONDS - 0.1)
    await table.play("ada" if of_ada == GAUNTLET else "ben", "pass")
    await until(lambda: table.live.number == 4 + (of_ada == GAUNTLET))
    table.wait(0)
    assert ticker.seconds < began + 2 * SECONDS
    assert table.rounds == {6}
    assert table.scene("ben")["sub"].endswith("round 6")


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


async def test_a_game_that_ends_behind_a_window_is_over_for_all_when_it_closes_by_itself(restart, monkeypatch):
    monkeypatch.setattr("fairdeal.server.tables.windows.SECONDS", 0.4)
    table = await table_of(await restart(pause=0.7), None, FOR_PREPARATION, max_rounds=5)
    live, dora = table.live, table.viewers["dora"]
    await live.keep_places()  # with the names of the test, which the score needs
    assert live.status == "over"
    assert table.scene("dora").get("mode", "live") == table.scene("ada").get("mode", "live") == "live"
    assert live.facts("dora").status == "running"
    assert live.facts("dora").deal.seed == ""
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
                table.wait(SECONDS)
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
    told, notices = [], Webhooks(store, ["hooks.example"])

    def note(live, seat, moves):
        told.append((seat, notice_of(live, live.seats[seat].guest, "")))

    monkeypatch.setattr(notices, "start", note)
    monkeypatch.setattr(room, "turned", notices.turned)
    table = await flipped(kit, flips=False)
    for guest in ("ada", "ben", "cleo"):
        table.viewers[guest].go()
    told.clear()
    await table.flip()
    words = "Cleo has moved; it is your turn"
    assert [(seat, notice.text, notice.seq) for seat, notice in told] == [(1, words, 3)] * table.asked
    told.clear()
    await table.pass_if_asked()
    assert told == []
    table.wait(SECONDS)
    assert [(seat, notice.seq) for seat, notice in told] == [(0, 3), (1, 3 + table.asked), (2, 3)]
    assert told[0][1].text == told[2][1].text == words


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
