"""Playing over HTTP and WebSocket, as programs do."""

import contextlib
import json
import os
import random
import signal
import time

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import fairdeal
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.scene.open_piles import followed, in_order
from fairdeal.table import fairness
from fairdeal.table.clocks import LATE
from fairdeal.table.log import read_log
from fairdeal.table.verification import verify
from tests.conftest import SHORT, chairs, opening

TWO = ("you", "person")

TALKATIVE = SHORT | {"war-xtreme": {}}
"""Short games that still have something to tell."""


def mine(guest):
    """The scene if it is this guest's turn."""
    scene = guest.scene
    return scene if scene and scene.get("prompt", {}).get("mode") == "yours" else None


def step(guest, chance):
    """Follow one choice at random; the answer."""
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
    for _ in range(moves):
        if all(guest.scene.get("mode") == "over" for guest in players):
            return
        newest = max((guest for guest in players if mine(guest)), key=lambda guest: guest.scene["seq"])
        answer = step(newest, chance)
        assert answer["type"] == "done", answer
        catch_up(players, answer["seq"])
    raise AssertionError("the game does not end")


def catch_up(players, seq):
    """Wait until all have heard of a move; in a window, who is not asked hears nothing of it before it closes."""
    late = [guest for guest in players if guest.scene["seq"] < seq]
    while late and not any(mine(guest) and guest.scene["seq"] >= seq for guest in players):
        for guest in late:
            with contextlib.suppress(TimeoutError):
                guest.hear(0.2)
        late = [guest for guest in players if guest.scene["seq"] < seq]


def seat_two(guests, game, **wishes):
    ada, ben = guests("Ada"), guests("Ben")
    table = ada.open(game, numbers=True, chairs=TWO, **wishes)["id"]
    ben.join(table, "ab" * 16)
    ada.show(table)
    ben.show(table)
    return ada, ben, table


def log_when_over(guest, table):
    """Wait until bots have played a table to its end, and return the text of its log."""
    for _ in range(1200):
        if guest.get(f"/api/tables/{table}")["status"] == "over":
            return guest.http.get(f"/api/tables/{table}/log").text
        time.sleep(0.05)
    raise AssertionError(f"the game at table {table} does not end")


def test_two_guests_play_a_whole_game_and_the_log_verifies(name_for_several, room, guests):
    ada, ben, table = seat_two(guests, name_for_several, options=TALKATIVE.get(name_for_several, {}))
    eve = guests("Eve")
    for guest in (ada, ben, eve):
        guest.connect(table)
    promised = ada.heard[0]["facts"]["deal"]["commitment"]
    play_out([ada, ben], random.Random(1))
    text = ada.http.get(f"/api/tables/{table}/log").text
    log, _ = verify(text)
    assert log.commitment == promised
    assert [player.name for player in log.players] == ["Ada", "Ben"]
    assert log.players[1].nonce == "ab" * 16
    secrets_of_the_deal = {log.seed.hex(), fairness.chance_key(log.seed, log.header()).hex()}
    for guest in (ada, ben, eve):
        while guest.scene.get("mode") != "over":
            guest.hear()
        before_the_end = [message for message in guest.heard if not over(message)]
        assert len(before_the_end) > 10
        assert not any(secret in json.dumps(message) for message in before_the_end for secret in secrets_of_the_deal)


def over(message):
    facts = message.get("facts", {})
    return facts.get("status") == "over" or message.get("scene", {}).get("mode") == "over"


def test_no_message_shows_a_card_of_another_hand(name_for_several, room, guests):
    """The scenes that are sent are those of concealed states: the same state with other hidden cards gives the same."""
    ada, ben, table = seat_two(guests, name_for_several, options=SHORT.get(name_for_several, {}))
    ada.connect(table)
    ben.connect(table)
    play_out([ada, ben], random.Random(2))
    log = read_log(ada.http.get(f"/api/tables/{table}/log").text)
    state = fairdeal.load(name_for_several, **log.options).deal_from(fairness.chance_key(log.seed, log.header()))
    names, source = [player.name for player in log.players], new(chance_record)
    chance.set_key(source, chance.key_of("other cards"))
    scenes, face_down, order = 0, 0, {}
    for seq in range(12):
        order = followed(order, state.seen_by(SPECTATOR, names).scene())  # what everybody saw come to an open pile
        for guest, viewer in ((ada, 0), (ben, 1)):
            sent = [message["scene"] for message in guest.heard if message.get("scene", {}).get("seq") == seq]
            for scene in (scene for scene in sent if not scene.get("draft")):
                scenes += 1
                face_down += sum(number_face_down(zone) for zone in scene["zones"])
                for _ in range(3):
                    other = state.view(viewer).resample(source)
                    drawn = other.scene(viewer, (), names).zones
                    laid = [in_order(zone, order[zone.id]) if zone.heap else zone for zone in drawn]
                    assert scene["zones"] == json.loads(msgspec.json.encode(laid))
        if seq < len(log.moves):
            state.play(log.moves[seq].seat, log.moves[seq].text)
    assert scenes > 5
    assert face_down > scenes


def number_face_down(zone):
    """How many cards of a zone are not told: each drawn with its back, or only counted."""
    cards = zone.get("cards", [])
    return sum("face" not in card for card in cards) if cards else zone.get("count", 0)


def test_a_move_sent_twice_is_played_once(name_with_drafts, room, guests):
    ada, _, table = seat_two(guests, name_with_drafts, options=opening(name_with_drafts))
    ada.connect(table)
    scene = ada.scene
    choice = next(choice for choice in scene["choices"] if choice["kind"] == "card")
    draft = ada.ask("pick", seq=0, choice=choice["id"])["scene"]["draft"]["picks"]
    main = next(choice for choice in ada.heard[-1]["scene"]["choices"] if choice.get("main"))
    first = ada.ask("pick", seq=0, choice=main["id"], draft=draft, id="same")
    again = ada.ask("pick", seq=0, choice=main["id"], draft=draft, id="same")
    assert (first["type"], first["seq"]) == (again["type"], again["seq"]) == ("done", 1)
    assert ada.get(f"/api/tables/{table}")["seq"] == 1


def test_a_stale_move_is_refused_with_a_fresh_view(room, guests):
    ada, _, table = seat_two(guests, "chi", options={"first_player": 0})
    ada.connect(table)
    assert ada.ask("play", seq=0, move="draw 0")["type"] == "done"
    refused = ada.ask("play", seq=0, move="draw 0")
    assert refused["type"] == "refused"
    assert refused["scene"]["seq"] == 1


@pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")
def test_what_others_do_at_the_same_time_outdates_nothing(room, guests):
    ada, ben, table = seat_two(guests, "war-xtreme", options={"ask_extreme": False})
    ada.connect(table)
    ben.connect(table)
    assert ada.ask("play", seq=0, move="flip")["type"] == "done"
    assert ben.ask("play", seq=0, move="flip")["type"] == "done"
    assert ada.ask("play", seq=0, move="flip")["type"] == "refused"


def test_an_illegal_move_is_refused_with_its_clause(room, guests):
    ada, ben, table = seat_two(guests, "chi", options={"first_player": 0})
    ada.connect(table)
    ben.connect(table)
    refused = ada.ask("play", seq=0, move="chi")
    assert refused["type"] == "refused"
    assert refused["clause"].startswith("CHI-")
    assert ben.ask("play", seq=0, move="draw 0")["type"] == "refused"
    assert ada.ask("pick", seq=0, choice=99999)["type"] == "refused"


def test_a_spectator_cannot_move_and_a_stranger_without_token_watches(room, guests):
    _, _, table = seat_two(guests, "chi")
    eve = guests("Eve")
    eve.connect(table)
    assert eve.scene["viewer"] == -1
    assert eve.ask("play", seq=0, move="draw 0")["type"] == "refused"
    address = f"{room.address.replace('http', 'ws')}/api/tables/{table}/play"
    with connect(address, additional_headers={"Cookie": f"fairdeal_guest={'0' * 32}.forged"}) as forged:
        assert json.loads(forged.recv())["scene"]["viewer"] == -1


def test_a_hint_gets_better_with_every_look(room, guests):
    ada = guests()
    ada.connect(ada.open("chi", chairs=chairs("chi", "you"), options=opening("chi"))["id"])
    first = ada.ask("hint")
    assert "options" not in first
    looks = [first["look"]]
    while looks[-1]:
        answer = ada.ask("hint", look=looks[-1])
        assert 0 < answer["options"][0]["chance"] < 1
        assert answer["of"] == "to win"
        looks.append(answer.get("look", 0))
    assert looks == [1, 2, 3, 0]


def test_nothing_waits_for_a_hint(room, guests):
    ada = guests()
    ada.connect(ada.open("chi", chairs=chairs("chi", "you"), options=opening("chi"))["id"])
    ada.ask("hint", look=1)  # which has compiled it
    thinks = ada.send("hint", look=3)
    ada.heard.clear()
    assert ada.ask("ping")["type"] == "done"
    assert not any(message.get("id") == thinks for message in ada.heard)
    assert ada.until("answer")["id"] == thinks


def test_hint_and_why_answer(name, room, guests):
    ada = guests()
    table = ada.open(name, chairs=chairs(name, "you"), options=opening(name))["id"]
    ada.connect(table)
    hint = ada.ask("hint")
    assert hint["type"] == "answer", hint
    assert hint["text"][0].isupper()
    assert not hint["text"].startswith(hint["move"])
    draft, seq = [], ada.scene["seq"]
    *firsts, last = hint["choices"]
    for choice in firsts:
        draft = ada.ask("pick", seq=seq, choice=choice, draft=draft)["scene"]["draft"]["picks"]
    assert ada.ask("pick", seq=seq, choice=last, draft=draft)["type"] == "done"
    since = ada.ask("recall")
    assert since["type"] == "recalled"
    assert since["scenes"][-1]["viewer"] == 0
    assert not any("choices" in scene for scene in since["scenes"])
    cards = [card["id"] for zone in ada.scene["zones"] for card in zone.get("cards", [])]
    assert ada.ask("why", card=cards[0] if cards else "deck")["text"]


def test_a_bot_plays_for_who_leaves_and_gives_the_seat_back(room, guests):
    ada, ben, table = seat_two(guests, "chi", options={"first_player": 1})
    ada.connect(table)
    ben.connect(table)
    ben.post(f"/api/tables/{table}/leave")
    while ada.scene["seq"] < 1:
        ada.hear()
    assert ada.get(f"/api/tables/{table}")["chairs"][1]["stand_in"]
    ben.connect(table)
    assert not ada.get(f"/api/tables/{table}")["chairs"][1]["stand_in"]


def test_a_clock_that_runs_out_makes_the_move(room, guests):
    ada = guests()
    table = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0}, clock=1)["id"]
    ada.connect(table)
    assert ada.scene["prompt"]["until"] > 0
    while ada.scene["seq"] < 1:
        ada.hear()


def test_a_room_that_was_stopped_for_a_while_goes_on_and_takes_nobodys_move(room, guests):
    """SIGSTOP, and SIGCONT when the clock has long run out."""
    ada = guests()
    table = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0}, clock=3)["id"]
    ada.connect(table)
    os.kill(room.process.pid, signal.SIGSTOP)
    time.sleep(3 + LATE + 1)
    os.kill(room.process.pid, signal.SIGCONT)
    ada.until("scene")
    assert ada.scene["seq"] == 0
    assert ada.scene["prompt"]["until"] > time.time() + 5
    assert ada.ask("play", seq=0, move="draw 0")["type"] == "done"
    while not mine(ada) or ada.scene["seq"] == 1:
        ada.hear()


def test_a_pass_can_be_taken_back_but_not_a_card(room, guests):
    ada, ben, table = seat_two(guests, "chip-it", options={"first_player": 0, "players": 2})
    ada.connect(table)
    ben.connect(table)
    state = ada.scene
    assert ada.ask("play", seq=state["seq"], move="pass 1")["type"] == "done"
    assert ada.ask("undo", seq=1)["type"] == "done"
    assert ada.get(f"/api/tables/{table}")["seq"] == 2
    while ada.scene["seq"] < 2:
        ada.hear()
    hand = next(zone for zone in ada.scene["zones"] if zone["place"] == "hand")["cards"]
    card = hand[0]["face"]
    assert ada.ask("play", seq=2, move=f"play {card} as {card[:-1]}")["type"] == "done"
    assert "cannot be taken back" in ada.ask("undo", seq=3)["reason"]
    assert ben.ask("undo", seq=3)["type"] == "refused"


def test_the_whole_room_is_back_after_a_restart(name_for_several, room, guests):
    ada, ben, table = seat_two(guests, name_for_several, options=opening(name_for_several))
    ada.connect(table)
    ben.connect(table)
    dice = random.Random(3)
    for _ in range(4):
        answer = step(next(guest for guest in (ada, ben) if mine(guest)), dice)
        catch_up([ada, ben], answer["seq"])
    ada.ask("undo", seq=ada.get(f"/api/tables/{table}")["seq"])
    seq = ada.get(f"/api/tables/{table}")["seq"]
    ada.connect(table)
    before = ada.scene
    room.stop()
    room.start()
    ada.connect(table)
    assert ada.scene["seq"] == seq
    assert ada.scene["zones"] == before["zones"] != []
    assert ada.get("/api/lobby")["mine"][0]["id"] == table


def test_a_rematch_opens_when_both_have_asked(room, guests):
    ada, ben, table = seat_two(guests, "chi", options={"stacks_to_end": 4})
    ada.connect(table)
    ben.connect(table)
    play_out([ada, ben], random.Random(4))
    promised = ada.get(f"/api/tables/{table}")["deal"]["next"]
    assert ada.ask("rematch", hash=ada.bind("cd" * 16))["type"] == "done"
    assert not ada.get(f"/api/tables/{table}")["rematch"]
    ben.ask("rematch", hash=ben.bind("ef" * 16))
    again = ada.get(f"/api/tables/{table}")["rematch"]
    assert ada.get(f"/api/tables/{again}")["deal"]["stage"] == "numbers"
    ada.show(again)
    ben.show(again)
    facts = ada.get(f"/api/tables/{again}")
    assert facts["deal"]["commitment"] == promised
    assert "nonce " + "cd" * 16 in facts["deal"]["header"]
    assert facts["status"] == "running"


def test_a_finished_game_is_replayed_and_played_on_from(name, room, guests):
    ada = guests()
    table = ada.open(name, chairs=chairs(name), options=opening(name) | SHORT.get(name, {}))["id"]
    ada.connect(table)
    while ada.scene.get("mode") != "over":
        ada.hear()
    last = ada.get(f"/api/tables/{table}/moments/0")["moves"]
    assert ada.get(f"/api/tables/{table}/moments/{last}")["scene"]["mode"] == "over"
    told = ada.get(f"/api/tables/{table}/moments/3?seat=0&log=1")
    assert told["scene"]["viewer"] == 0
    assert told["log"]
    cards = [card for zone in told["scene"]["zones"] for card in zone.get("cards", []) if card.get("back") != "gap"]
    for card in cards[:1]:
        looked = ada.http.get(f"/api/tables/{table}/moments/3/card", params={"seat": 0, "card": card["id"]})
        assert looked.json()["name"]
    assert ada.http.get(f"/api/tables/{table}/moments/3/card?card=nothing").status_code == 400
    assert ada.http.get(f"/api/tables/{table}/moments/{last + 1}").status_code == 400
    again = ada.post(f"/api/tables/{table}/branch", move=3, seat=0)
    ada.connect(again["id"])
    assert ada.scene["viewer"] == 0
    assert ada.scene["seq"] >= 3


def test_what_runs_is_not_given_out(room, guests):
    ada, _, table = seat_two(guests, "chi")
    for part in ("log", "moments/0", "analysis", "analysis/held?move=0"):
        refused = ada.http.get(f"/api/tables/{table}/{part}")
        assert (refused.status_code, "over" in refused.json()["reason"]) == (409, True), part
    assert ada.get(f"/api/tables/{table}")["deal"]["seed"] == ""


def test_an_unknown_table_is_said_to_be_unknown(room, guests):
    ada = guests()
    assert ada.http.get("/api/tables/nothing").status_code == 404
    with connect(f"{room.address.replace('http', 'ws')}/api/tables/nothing/play") as socket:
        assert "no table" in json.loads(socket.recv())["reason"]
        with pytest.raises(ConnectionClosed):
            socket.recv()


def test_a_draft_that_no_choices_led_to_is_refused(name, room, guests):
    ada = guests()
    table = ada.open(name, chairs=chairs(name, "you"), options=opening(name))["id"]
    ada.connect(table)
    for draft in ([99999], [-1], [2**40], [0] * 60):
        assert ada.ask("draft", draft=draft)["type"] == "refused"
        assert ada.ask("why", card="x", draft=draft)["type"] == "refused"
        assert ada.ask("pick", seq=0, choice=1, draft=draft)["type"] == "refused"
    assert ada.ask("hint")["type"] == "answer"
