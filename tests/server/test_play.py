"""Playing over HTTP and WebSocket, as programs do."""

import asyncio
import contextlib
import json
import random
import threading
import time
from types import SimpleNamespace

import msgspec
import pytest
from websockets.asyncio.client import connect as connect_to
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import fairdeal
from fairdeal.bots.preparing import prepare
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.scene.open_piles import followed, in_order
from fairdeal.protocol import messages as m
from fairdeal.server.api.opening import open_table
from fairdeal.server.api.websocket import listen
from fairdeal.server.limits import Both, Limits, LimitSettings, Rate
from fairdeal.server.storage.store import MOVED_ON
from fairdeal.server.tables.audience import NOT_YET
from fairdeal.server.tables.dealing import show_number
from fairdeal.table import advice, fairness
from fairdeal.table.sitting import Sitting
from fairdeal.table.undo import OFFERED
from fairdeal.table.verification import verify
from tests.conftest import SHORT, WITH_DRAFTS, chairs, opening
from tests.server.in_process import Viewer, call_first, done, move, refused, seated, until
from tests.server.in_process import seat_two as seat_two_inside
from tests.server.inside import listening as listens

TWO = ("you", "person")

TALKATIVE = SHORT | {"war-xtreme": {}}
"""Short games that still have something to tell."""


def mine(guest):
    """Return the scene if it is this guest's turn."""
    scene = guest.scene
    return scene if scene and scene.get("prompt", {}).get("mode") == "yours" else None


def step(guest, chance):
    """Follow choices at random to the end of a move, and return the response."""
    scene = guest.scene
    draft = []
    while True:
        choices = scene.get("choices", [])
        main = [choice for choice in choices if choice.get("main")]
        buttons = main or choices
        fresh = [choice for choice in buttons if choice["id"] not in draft] or buttons
        choice = chance.choice(fresh)
        answer = guest.ask("pick", seq=scene["seq"], choice=choice["id"], draft=draft)
        if answer["type"] != "scene" or "draft" not in answer["scene"]:
            return answer
        scene, draft = answer["scene"], answer["scene"]["draft"].get("picks", [])


def play_out(players, chance, moves=2000):
    """Play until the game is over; every message of every guest is kept in `heard`."""
    acted = {}
    for _ in range(moves):
        if all(is_over(guest) for guest in players):
            return
        newest = max((guest for guest in players if can_move(guest, acted)), key=lambda guest: guest.scene["seq"])
        acted[newest] = newest.scene
        answer = step(newest, chance)
        assert answer["type"] == "done" or answer["reason"] in (MOVED_ON, NOT_YET), answer
        catch_up(players, acted)
    raise AssertionError("the game does not end")


def is_over(guest):
    return guest.scene.get("mode") == "over"


def can_move(guest, acted):
    """Return whether it is this guest's turn, in another scene than that of the guest's last move in `acted`."""
    return mine(guest) and guest.scene is not acted.get(guest)


def catch_up(players, acted):
    """Wait until somebody can move or all have heard of the end. Guests do not hear of all moves: passes in windows are
    hidden from others."""
    for _ in range(1200):
        if any(can_move(guest, acted) for guest in players) or all(is_over(guest) for guest in players):
            return
        for guest in players:
            with contextlib.suppress(TimeoutError):
                guest.hear(0.05)
    raise AssertionError("nobody can move")


def seat_two(guests, game, **wishes):
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open(game, numbers=True, chairs=TWO, **wishes)["id"]
    ben.join(table, "ab" * 16)
    ada.show(table)
    ben.show(table)
    return ada, ben, table


async def test_in_a_whole_game_nobody_is_sent_what_is_hidden_and_the_log_verifies(name_for_several, inside, restart):
    """The scenes that are sent are those of concealed states: the same state with other hidden cards gives the same. A
    room that reads the table from its database shows the same."""
    live, ada, ben = await seat_two_inside(inside, name_for_several, options=TALKATIVE.get(name_for_several, {}))
    viewers, dice = [ada, ben, Viewer(inside, live, "eve")], random.Random(1)
    for viewer in viewers:
        await viewer.arrive()
    promised = next(message["facts"] for message in ada.heard if "facts" in message)["deal"]["commitment"]
    while live.status == "running":
        seat = dice.choice(live.sitting.state.to_act)
        choices = viewers[seat].scene.get("choices") or [{"id": 0}]
        pick = m.Pick(id=f"pick {live.number}", seq=live.number_for(seat), choice=dice.choice(choices)["id"])
        if (await viewers[seat].ask(pick))["type"] != "done":
            await done(viewers[seat].play(dice.choice([*live.sitting.state.moves(seat)])))
    again = await (await restart()).find(live.id)
    assert again.sitting.log.text() == live.sitting.log.text()
    assert again.scene(0).zones == live.scene(0).zones != ()
    log, _ = verify(live.sitting.log.text())
    assert log.commitment == promised
    assert [player.name for player in log.players] == [place.name for place in live.seats]
    key = fairness.chance_key(log.seed, log.header())
    drafts = sum("draft" in message.get("scene", {}) for viewer in viewers for message in viewer.heard)
    assert drafts or name_for_several not in WITH_DRAFTS
    for viewer in viewers:
        assert viewer.scene["mode"] == "over"
        before_the_end = [message for message in viewer.heard if not over(message)]
        assert len(before_the_end) > 10
        told = json.dumps(before_the_end)
        assert log.seed.hex() not in told
        assert key.hex() not in told

    state, source = fairdeal.load(name_for_several, **log.options).deal_from(key), new(chance_record)
    names = [player.name for player in log.players]
    chance.set_key(source, chance.key_of("other cards"))
    scenes, face_down, order = 0, 0, {}
    for seq in range(12):
        order = followed(order, state.seen_by(SPECTATOR, names).scene())  # what everybody saw come to an open pile
        for seat, viewer in enumerate((ada, ben)):
            sent = [message["scene"] for message in viewer.heard if message.get("scene", {}).get("seq") == seq]
            for scene in (scene for scene in sent if "draft" not in scene):
                scenes += 1
                face_down += sum(number_face_down(zone) for zone in scene["zones"])
                for _ in range(3):
                    other = state.view(seat).resample(source)
                    drawn = other.scene(seat, (), names).zones
                    laid = [in_order(zone, order[zone.id]) if zone.heap else zone for zone in drawn]
                    assert scene["zones"] == json.loads(msgspec.json.encode(laid))
        if seq < len(log.moves):
            state.play(log.moves[seq].seat, log.moves[seq].text)
    assert scenes > 5
    assert face_down > scenes


def over(message):
    facts = message.get("facts", {})
    return facts.get("status") == "over" or message.get("scene", {}).get("mode") == "over"


def number_face_down(zone):
    """Return the number of cards of a zone whose faces are not sent."""
    cards = zone.get("cards", [])
    return sum("face" not in card for card in cards) if cards else zone.get("count", 0)


async def test_a_move_sent_twice_is_played_once(name_with_drafts, inside):
    live, ada, _ = await seat_two_inside(inside, name_with_drafts, options=opening(name_with_drafts))
    card = next(choice.id for choice in live.scene(0).choices if choice.kind == "card")
    drafted = (await ada.ask(m.Pick(id="card", seq=0, choice=card)))["scene"]
    main = next(choice["id"] for choice in drafted["choices"] if choice.get("main"))
    move = m.Pick(id="same", seq=0, choice=main, draft=tuple(drafted["draft"]["picks"]))
    answers = [await ada.ask(move) for _ in range(2)]
    assert [(answer["type"], answer["seq"]) for answer in answers] == [("done", 1)] * 2
    assert live.number == 1


async def test_a_move_with_an_id_that_was_used_is_not_made(inside):
    live, ada, ben = await seat_two_inside(inside, options={"first_player": 0})
    for seq, player in enumerate((ada, ben, ada)):
        answer = await player.ask(m.Play(id="same", seq=seq, move="draw 0"))
    assert (answer["type"], answer["seq"], live.number) == ("done", 1, 2)


async def test_an_illegal_move_is_refused_with_its_clause_and_a_stale_one_with_a_fresh_view(inside):
    _, ada, ben = await seat_two_inside(inside, options={"first_player": 0})
    assert (await refused(ada.play("chi")))["clause"].startswith("CHI-")
    await refused(ben.play("draw 0"))
    await refused(ada.ask(m.Pick(id="p", seq=0, choice=99999)))
    await done(ada.play("draw 0"))
    assert (await refused(ada.play("draw 0", seq=0)))["scene"]["seq"] == 1


@pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")
async def test_what_others_do_at_the_same_time_outdates_nothing(inside):
    _, ada, ben = await seat_two_inside(inside, "war-xtreme", options={"players": 2, "ask_extreme": False})
    await done(ada.play("flip", seq=0))
    await done(ben.play("flip", seq=0))
    await refused(ada.play("flip", seq=0))


def test_a_stranger_only_watches_with_or_without_a_token_and_an_unknown_table_is_said_to_be_unknown(room, guests):
    _, _, table = seat_two(guests, "chi")
    eve = guests("Eve")
    eve.connect(table)
    assert eve.scene["viewer"] == -1
    assert eve.ask("play", seq=0, move="draw 0")["type"] == "refused"
    tables = f"{room.address.replace('http', 'ws')}/api/tables"
    with connect(
        f"{tables}/{table}/play", additional_headers={"Cookie": f"fairdeal_guest={'0' * 32}.forged"}
    ) as forged:
        assert json.loads(forged.recv())["scene"]["viewer"] == -1
    assert eve.http.get("/api/tables/nothing").status_code == 404
    with connect(f"{tables}/nothing/play") as socket:
        assert "no table" in json.loads(socket.recv())["reason"]
        with pytest.raises(ConnectionClosed):
            socket.recv()


async def test_a_hint_gets_better_with_every_look(inside, monkeypatch):
    monkeypatch.setattr(advice, "SECONDS", (0.0, 1.0, 1.0, 1.0))
    prepare(fairdeal.find_game("chi"))
    live = await open_table(inside, "ada", game="chi", chairs=("you", "greedy"), options={"first_player": 0})
    ada = Viewer(inside, live, "ada")
    first = await ada.ask(m.Hint(id="first"))
    assert "options" not in first
    looks = [first["look"]]
    while looks[-1]:
        answer = await ada.ask(m.Hint(id=f"look {looks[-1]}", look=looks[-1]))
        assert 0 < answer["options"][0]["chance"] < 1
        assert answer["of"] == "to win"
        looks.append(answer.get("look", 0))
    assert looks == [1, 2, 3, 0]


@contextlib.asynccontextmanager
async def listening(room, viewer, *requests):
    """Let the room hear these requests over one connection, which ends with the context."""
    messages = asyncio.Queue()
    for request in requests:
        messages.put_nowait({"type": "websocket.receive", "text": m.encoded(request)})
    socket = SimpleNamespace(receive=messages.get)
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        tasks.create_task(listen(socket, room, viewer.live, viewer.connection))
        yield
        messages.put_nowait({"type": "websocket.disconnect"})


def answered(viewer):
    """Return the ids of the requests that were answered."""
    return {message["id"] for message in viewer.heard if message.get("id")}


async def test_nothing_waits_for_a_hint(inside, monkeypatch):
    _, ada, _ = await seat_two_inside(inside, options={"first_player": 0})
    gate = threading.Event()
    call_first(Sitting, "hint", lambda *_: gate.wait(60), monkeypatch.setattr)
    async with listening(inside, ada, m.Hint(id="h"), m.Draft(id="d")):
        await until(lambda: answered(ada) == {"d"})
        gate.set()
        await until(lambda: answered(ada) == {"d", "h"})


async def test_a_ping_waits_for_nothing_and_is_answered_with_the_time_of_the_room(inside, monkeypatch):
    live, ada, _ = await seat_two_inside(inside, options={"first_player": 0})
    before = time.time()
    async with listening(inside, ada, m.Play(id="move", seq=0, move="draw 0"), m.Say(id="s", text="?"), m.Ping(id="p")):
        async with live.lock:
            with monkeypatch.context() as patch:
                patch.setattr(type(live), "facts", None)  # a room answers thousands of pings a second
                await until(lambda: answered(ada) == {"p"})
        assert before <= ada.heard[-1]["now"] <= time.time()
        await until(lambda: answered(ada) == {"p", "move", "s"})
    assert [message["id"] for message in ada.heard if message.get("id")] == ["p", "move", "s"]


async def test_nothing_is_sent_before_the_welcome(guest):
    live = await guest.open()
    async with listens(guest.app) as port:
        async with live.lock:
            socket = await connect_to(f"ws://127.0.0.1:{port}/api/tables/{live.id}/play")
            await until(lambda: live.audience.connections)
            live.audience.say(m.Said(seat=0, name="Ada", text="Hello", at=0.0))
            live.tell_facts()
            live.audience.tell(live.sitting)
        async with socket:
            welcome = json.loads(await socket.recv())
    assert (welcome["type"], [said["text"] for said in welcome["chat"]]) == ("welcome", ["Hello"])


async def test_requests_are_carried_out_though_the_connection_ends(inside):
    live, ada, _ = await seat_two_inside(inside, options={"first_player": 0})
    await live.lock.acquire()
    async with listening(inside, ada, m.Play(id="move", seq=0, move="draw 0"), m.Say(id="s", text="?")):
        await until(lambda: ada.connection.busy)
        asyncio.get_running_loop().call_later(0.05, live.lock.release)
    assert live.number == 1
    assert not ada.connection.busy


async def test_a_room_that_fails_at_a_request_hangs_up_and_the_failure_is_logged(inside, monkeypatch):
    _, ada, _ = await seat_two_inside(inside, options={"first_player": 0})
    gone = asyncio.Event()
    ada.connection.hang_up = gone.set
    monkeypatch.setattr(Sitting, "seen", None)
    with pytest.raises(ExceptionGroup) as failed:
        async with listening(inside, ada, m.Pick(id="move", seq=0, choice=1), m.Draft(id="d")):
            await gone.wait()
    assert failed.group_contains(TypeError)
    assert answered(ada) == set()


async def test_hint_and_why_answer_and_a_draft_that_no_choices_led_to_is_refused(name, inside):
    live = await open_table(inside, "ada", game=name, chairs=chairs(name, "you"), options=opening(name))
    ada = Viewer(inside, live, "ada")
    requests = [(m.Draft, {}), (m.Why, {"card": "x"}), (m.Pick, {"seq": 0, "choice": 1})]
    for draft in ((99999,), (-1,), (2**40,), (0,) * 60):
        for kind, facts in requests:
            answer = await ada.ask(kind(id=f"{kind.__name__} {draft[0]}", draft=draft, **facts))
            assert answer["type"] == "refused", draft
    hint = await ada.ask(m.Hint(id="h"))
    assert hint["type"] == "answer", hint
    assert hint["text"][0].isupper()
    assert not hint["text"].startswith(hint["move"])
    draft, seq = (), live.number
    *firsts, last = hint["choices"]
    for choice in firsts:
        answer = await ada.ask(m.Pick(id=f"pick {draft}", seq=seq, choice=choice, draft=draft))
        draft = tuple(answer["scene"]["draft"]["picks"])
    await done(ada.ask(m.Pick(id="last", seq=seq, choice=last, draft=draft)))
    since = await ada.ask(m.Recall(id="since"))
    assert since["type"] == "recalled"
    assert since["scenes"][-1]["viewer"] == 0
    assert not any("choices" in scene for scene in since["scenes"])
    cards = [card["id"] for zone in ada.scene["zones"] for card in zone.get("cards", [])]
    assert (await ada.ask(m.Why(id="why", card=cards[0] if cards else "deck")))["text"]


async def test_a_pass_can_be_taken_back_but_not_a_card(inside):
    live, ada, ben = await seat_two_inside(inside, "chip-it", options={"first_player": 0, "players": 2})
    await done(ada.play("pass 1"))
    await done(ada.undo())
    assert (live.number, ada.scene["seq"]) == (2, 2)
    hand = next(zone for zone in live.scene(0).zones if zone.place == "hand")
    card = hand.cards[0].face
    await done(ada.play(f"play {card} as {card[:-1]}"))
    assert "cannot be taken back" in (await ada.undo())["reason"]
    await refused(ben.undo())


async def against_a_bot(inside, **wishes):
    """A table of Ada and two bots that only move when the test says so."""
    options = {"first_player": 0, "players": 3}
    chairs = ("you", "greedy", "greedy")
    live = await open_table(inside, "ada", game="chip-it", chairs=chairs, options=options, **wishes)
    live.driver.wake = lambda table: None
    return live, Viewer(inside, live, "ada")


async def answer(live, move="pass 1"):
    """Let the bot that is to act make a move: this one, or the first that begins like this."""
    (seat,) = live.sitting.state.to_act
    async with live.lock:
        await live.enter(seat, next(one for one in live.sitting.state.moves(seat) if one.startswith(move)), by="greedy")


async def test_a_bots_answer_is_taken_back_with_the_move_unless_it_showed_something(inside):
    live, ada = await against_a_bot(inside)
    assert "not made a move" in (await ada.undo())["reason"]
    await done(ada.play("pass 1"))
    await answer(live)
    assert (await ada.undo(seq=1))["type"] == "done", "asked for before the bot answered"
    assert [entry.text for entry in live.sitting.log.entries] == ["pass 1", "pass 1", "undo 2"]
    assert (live.sitting.moves_made, live.sitting.state.to_act) == (0, (0,))
    assert "moved on" in (await ada.undo(seq=2))["reason"], "or a second press would take another move back"
    await done(ada.play("pass 1"))
    await answer(live, "play")
    assert (await ada.undo())["reason"] == f"your move cannot be taken back: {live.sitting.names[1]} has shown a card"


async def test_a_bot_waits_while_a_move_can_be_taken_back_but_not_twice(restart, ticker):
    live, ada = await against_a_bot(await restart(pause=0.7, ticker=ticker))

    def waits():
        return pytest.approx(live.pace.next_bot(live.sitting)[0] - ticker.seconds)

    await done(ada.play("pass 1"))
    assert waits() == 0.7
    assert (await ada.undo(ask=True))["type"] == "undoable"
    assert waits() == OFFERED
    ticker.seconds += 1
    assert (await ada.undo(ask=True))["type"] == "undoable"
    assert waits() == OFFERED - 1
    assert live.number == 1, "a question changes nothing"
    await answer(live)
    await answer(live)
    card = next(move for move in live.sitting.state.moves(0) if move.startswith("play"))
    await done(ada.play(card))
    assert (await ada.undo(ask=True))["reason"] == "your move cannot be taken back: others have seen your card"
    assert waits() == 0.7


async def test_who_is_out_sets_the_speed_once_nobody_else_plays_but_bots(inside):
    options = {"players": 3, "ask_extreme": False}
    chairs = "you", "person", "greedy"
    live = await seated(inside, "ada", "ben", game="war-xtreme", chairs=chairs, options=options)
    ada, ben = Viewer(inside, live, "ada"), Viewer(inside, live, "ben")
    live.pace.usual_pause = live.pace.pause = 0.7
    assert "others who still play" in (await ada.ask(m.Speed(id="1", speed="instant")))["reason"]
    army = {"army": ["ninja/K", "ninja/3"]}
    seats = [
        {"alive": False, "out_round": 2},
        {"alive": True} | army,
        {"alive": True, "army": ["zombie/9:6", "zombie/3"]},
    ]
    rest = {"slots": ["zombie/3"] * 8, "tax": ["zombie/4"] * 6, "store": [1, 2, 3]}
    live.sitting.state = live.sitting.table.setup({"round": 5, "seats": seats} | rest, seed=1)
    live.sitting.forget()
    assert "others who still play" in (await ada.ask(m.Speed(id="2", speed="instant")))["reason"]
    await done(ben.ask(m.Speed(id="3", speed="instant")))
    assert live.pace.pause == 0.0


async def test_the_table_goes_on_while_an_undo_is_checked(inside, monkeypatch):
    live, ada, ben = await seat_two_inside(inside, "chip-it", options={"first_player": 0, "players": 2})
    checked, begun, gate = [], threading.Event(), threading.Event()

    def check(sitting, count, rest):
        checked.append(sitting)
        begun.set()
        return gate.wait(60)

    monkeypatch.setattr(Sitting, "may_take_back", check)
    await done(ada.play("pass 1"))
    undo = asyncio.create_task(ada.undo())
    await asyncio.to_thread(begun.wait, 60)
    async with asyncio.timeout(20):
        await done(ben.say("Go on."))
        await done(ben.play())
    gate.set()
    assert "moved on" in (await undo)["reason"]
    assert (live.number, live.sitting.moves_made) == (2, 2)
    assert [one is live.sitting for one in checked] == [False], "another thread may read it while the table goes on"


async def test_an_offer_to_undo_is_given_up_when_the_table_goes_on_or_it_takes_too_long(inside, monkeypatch):
    live, ada = await against_a_bot(inside)
    await done(ada.play("pass 1"))
    monkeypatch.setattr("fairdeal.table.undo.DEALS", 10**9)
    offer = asyncio.create_task(ada.undo(ask=True))
    async with asyncio.timeout(20):
        while not inside.offers.running:
            await asyncio.sleep(0)
        assert await inside.work.do(ada.connection.client, str, "who returns is let in") == "who returns is let in"
        await answer(live)
        assert "moved on" in (await offer)["reason"]
        monkeypatch.setattr("fairdeal.server.api.requests.LONGEST_CHECK", 0.01)
        assert "takes too long" in (await ada.undo(ask=True))["reason"]
    assert live.number == 2, "a question changes nothing"


async def test_a_connection_is_heard_while_an_offer_is_checked_and_its_end_ends_the_check(inside, monkeypatch):
    _, ada = await against_a_bot(inside)
    await done(ada.play("pass 1"))
    monkeypatch.setattr("fairdeal.table.undo.DEALS", 10**9)
    monkeypatch.setattr("fairdeal.server.api.requests.LONGEST_CHECK", 10**9)
    async with listening(inside, ada, m.Undo(id="u", seq=1, ask=True), m.Ping(id="p")):
        await until(lambda: inside.offers.running and "p" in answered(ada))
    await until(lambda: not inside.offers.running)
    assert "u" not in answered(ada)


async def test_a_rematch_opens_when_both_have_asked(inside):
    live, *viewers = await seat_two_inside(inside, options={"stacks_to_end": 4})
    await move(live, 1000)
    promised = live.facts("ada").deal.next
    nonces = {"ada": "cd" * 16, "ben": "ef" * 16}
    for viewer, nonce in zip(viewers, nonces.values(), strict=True):
        assert not live.rematch
        request = m.Rematch(id="again", hash=fairness.nonce_hash(nonce))
        await done(viewer.ask(request))
    again = inside.live[live.rematch]
    assert again.stage == "numbers"
    for guest, nonce in nonces.items():
        await show_number(again, guest, nonce, "")
    deal = again.facts("ada").deal
    assert deal.commitment == promised
    assert f"nonce {nonces['ada']}" in deal.header
    assert again.status == "running"


async def test_a_repeated_wish_for_a_rematch_writes_nothing_and_others_are_limited(inside, monkeypatch):
    live, ada, _ = await seat_two_inside(inside, options={"stacks_to_end": 4})
    await move(live, 1000)
    kept = []
    monkeypatch.setattr(live, "keep_places", lambda **more: kept.append(1) or asyncio.sleep(0))
    for _ in range(3):
        await done(ada.ask(m.Rematch(id="again", hash=fairness.nonce_hash("cd" * 16))))
    assert kept == [1]
    inside.limits = Limits(LimitSettings(open=Both(Rate(0.001, 1), Rate(1, 99))))
    answers = [await ada.ask(m.Rematch(id=f"r{n}", hash=fairness.nonce_hash(f"0{n}" * 16))) for n in range(3)]
    assert [answer["type"] for answer in answers] == ["done", "refused", "refused"]
    assert "too many requests" in answers[-1]["reason"]


async def test_a_finished_game_is_replayed_and_played_on_from(name, guest):
    live = await guest.open(name, *chairs(name), options=opening(name) | SHORT.get(name, {}))
    await until(lambda: live.status == "over", 60)

    async def moment(asked):
        return await guest.get(f"/api/tables/{live.id}/moments/{asked}")

    last = (await moment(0)).json()["moves"]
    assert (await moment(last)).json()["scene"]["mode"] == "over"
    told = (await moment("3?seat=0&log=1")).json()
    assert told["scene"]["viewer"] == 0
    assert told["log"]
    cards = [card for zone in told["scene"]["zones"] for card in zone.get("cards", []) if card.get("back") != "gap"]
    for card in cards[:1]:
        assert (await moment(f"3/card?seat=0&card={card['id']}")).json()["name"]
    for wrong in ("3/card?card=nothing", last + 1):
        assert (await moment(wrong)).status == 400
    again = (await guest.post(f"/api/tables/{live.id}/branch", move=3, seat=0)).json()
    assert again["seat"] == 0
    assert guest.room.live[again["id"]].number >= 3
