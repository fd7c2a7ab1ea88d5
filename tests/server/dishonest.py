"""Rooms that do not keep their word, each in a way that has a name."""

import contextlib
import dataclasses

from msgspec.structs import replace

from fairdeal.bots.search import SearchBot
from fairdeal.engine.compile.compiled import rules_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.state import Attempt, State, table_for
from fairdeal.server.api import http
from fairdeal.server.extras.modules import Modules, NoModule
from fairdeal.server.storage.promises import Keys
from fairdeal.server.tables import dealing, live, new_seats, seating
from fairdeal.server.tables.audience import Audience
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.seats import Place
from fairdeal.server.tables.terms import Terms
from fairdeal.table import fairness, signatures
from fairdeal.table.log import Log, Player
from fairdeal.table.sitting import Sitting, table_of
from tests.server.conftest import PORT, ForkedRoom
from tests.server.in_process import call_first

CHANGES, BROKEN, UNKNOWN = {}, {}, {}
"""By the name of a way: what it changes in the program of a room, and the check that it breaks, and no other, or leaves
unknown."""


def way(check="", *, unknown=""):
    def named(change):
        CHANGES[change.__name__] = change
        if check:
            BROKEN[change.__name__] = check
        if unknown:
            UNKNOWN[change.__name__] = unknown
        return change

    return named


def after(owner, name, change):
    """Let a function return what `change` makes of its result and its arguments."""
    real = getattr(owner, name)
    setattr(owner, name, lambda *given, **more: change(real(*given, **more), *given))


@way("promise")
def another_seed():
    """Promises one seed and deals from another."""
    Keys.promised = lambda self, guest, ticket: fairness.new_seed()


@way("number")
def another_number():
    """Throws a guest's number away and deals with one of its own choice."""

    def change(live):
        for place in live.seats:
            if place.guest:
                place.nonce = fairness.new_nonce()
                place.hash = fairness.nonce_hash(place.nonce)

    call_first(dealing, "begin", change)


@way("number")
def dropped_number():
    """Says that a guest has not shown the number, and deals without it."""

    def change(live):
        for place in live.seats:
            place.nonce = "" if place.guest else place.nonce

    call_first(dealing, "begin", change)


@way("outline")
def another_seat_after():
    """Changes the number of another seat once it knows that of the guest."""

    def change(self):
        self.seats[-1].nonce = fairness.new_nonce()
        self.seats[-1].hash = fairness.nonce_hash(self.seats[-1].nonce)

    call_first(LiveTable, "dealt", change)


@way("header")
def another_header_at_the_end():
    """Shows one header at the deal, and another when the game is over, properly signed."""

    def change(written, keys):
        written.rules_version += 1
        written.running = None
        written.signed_header = ""
        written.signed_header = signatures.sign(keys.signing, signatures.HEADER, written.header_chain())

    call_first(live, "sign_end", change)


@way("acknowledged")
def another_move_in_the_log():
    """Writes a move into the finished log that nobody made, and signs it."""

    def change(written, keys):
        entry = written.entries[2]
        written.entries[2] = dataclasses.replace(entry, text=f"{entry.text}!")
        written.running = None

    call_first(live, "sign_end", change)


@way("signed")
def another_key_at_the_end():
    """Signs the end with a key that is not the room's."""
    live.sign_end = lambda written, keys: setattr(
        written, "signed_end", signatures.sign(bytes(32), signatures.END, written.end_chain())
    )


@way(unknown="signed")
def no_signature_at_the_end():
    """Does not sign the end."""
    live.sign_end = lambda written, keys: None


@way("outline")
def another_attempt():
    """Once it has the number, tries rounds that it has not asked for until it likes the deal."""

    def change(live):
        live.seats.attempt += 41

    call_first(dealing, "begin", change)


@way("outline")
def number_asked_for_twice():
    """Says that the number was not shown, and asks for it again beside another bot."""
    asked_for, asked = [], []

    def facts_otherwise(found, *_):
        if found.deal.stage != "dealt" or asked:
            return found
        asked.append(1)
        chairs = tuple(replace(chair, shown=False) for chair in found.chairs)
        deal = replace(found.deal, stage="numbers", outline=asked_for[0].replace('"Bo"', '"Ike"'), header="")
        return replace(found, status="open", chairs=chairs, deal=deal)

    after(Log, "outline", lambda outline, _: asked_for.append(outline) or outline)
    after(LiveTable, "facts", facts_otherwise)


@way("number")
def false_branch():
    """Says that the game is played on from another, for which nobody keeps anything, and throws the number away."""
    another_number()
    after(LiveTable, "facts", lambda found, *_: replace(found, origin=("abc", 0)))


@way("promise")
def another_promise():
    """Names another promise to who has taken a seat."""

    def facts_otherwise(found, *_):
        return replace(found, deal=replace(found.deal, commitment="ab" * 32)) if found.seat >= 0 else found

    after(LiveTable, "facts", facts_otherwise)


@way(unknown="number")
def no_hash():
    """Takes a guest's hash and says that none was given, so that the number is not asked for."""
    seating.checked_hash = new_seats.checked_hash = lambda digest: ""


@way("shown")
def no_seat():
    """Deals to a guest, and then says that the guest does not sit there, whose cards it shows."""
    after(LiveTable, "facts", lambda found, *_: replace(found, seat=-1) if found.deal.stage == "dealt" else found)


@way("room")
def another_table():
    """Asks for the number for a deal of another table."""

    def elsewhere(log, *_):
        log.room = dataclasses.replace(log.room, table="elsewhere")
        return log

    after(Terms, "unsigned_log", elsewhere)


@way("failed")
def hidden_failure():
    """Once it has the number, gives the deal up, asks for another number, and does not say that a deal has failed."""
    begin = dealing.begin

    async def begin_otherwise(live):
        if live.seats.attempt > 1:
            await begin(live)
            return
        live.seats.attempt += 1
        for place in live.seats:
            if place.guest:
                place.hash, place.nonce = None, ""
        live.tell_facts()

    dealing.begin = begin_otherwise


@way("waits")
def missing_number():
    """Deals without the number of somebody who was bound, although the table waits for it."""

    def unsigned_otherwise(log, terms, seats, _):
        last = log.players[-1]
        silent = Player(last.name, "person", fairness.seed_nonce(terms.seed, len(seats) - 1), "ab" * 32, True)
        log.players = (*log.players[:-1], silent)
        return log

    after(Terms, "unsigned_log", unsigned_otherwise)


@way("bound")
def unbound_number():
    """Chooses the number of a bot, which should follow from the seed."""
    new_seats.bot_place = lambda seat, name, plays, seed: Place(seat, name, plays, nonce=fairness.new_nonce(), hash="")


@way("seed")
def another_seed_at_the_end():
    """Shows a seed that is not the one that was promised."""

    def change(written, keys):
        written.seed = bytes.fromhex("cd" * 32)

    after(LiveTable, "deal_facts", lambda found, *_: replace(found, seed="cd" * 32) if found.seed else found)
    call_first(live, "sign_end", change)


@way(unknown="seed")
def no_seed():
    """Does not show the seed at the end."""

    def change(written, keys):
        written.seed = None

    after(LiveTable, "deal_facts", lambda found, *_: replace(found, seed=""))
    call_first(live, "sign_end", change)


@way(unknown="log")
def no_log():
    """Does not give out the log."""

    def refuse(table):
        raise FairdealError("not now")

    http.log_of = refuse


@way("moves")
def another_deal():
    """Deals from a key of its own, and writes a true log of that deal."""

    def dealt_otherwise(self):
        header = self.terms.empty_log(self.seats, self.keys)
        table = table_of(header)
        return Sitting(table, header, self.terms.seed, table.deal_from(bytes(32)))

    LiveTable.dealt = dealt_otherwise


@way("moves")
def another_default():
    """Deals with another limit of cards in hand than the default, and does not write it into the log."""

    def dealt_otherwise(self):
        header = self.terms.empty_log(self.seats, self.keys)
        table = table_for(header.game, header.options | {"hand_limit": 3})
        return Sitting(table, header, self.terms.seed)

    LiveTable.dealt = dealt_otherwise


@way("moves")
def another_result():
    """Writes a result into the finished log that the moves do not lead to, and signs it."""

    def change(written, keys):
        written.result = tuple(score + 1 for score in written.result)

    call_first(live, "sign_end", change)


@way("moves")
def illegal_move():
    """Lets its bot draw a card that the rules do not allow, and acknowledges the move as any other."""
    attempt, done = State.attempt, []

    def attempt_otherwise(self, player, move):
        legal = self.legal_actions(player)
        draws = [id for id in range(6) if id not in legal]
        if player != 1 or isinstance(move, str) or not draws or done:
            return attempt(self, player, move)
        after = self.copy()
        rules_of(self.game).apply(after.record, player, draws[0])
        done.append(draws[0])
        return Attempt((draws[0],), self.game.write_move(snapshot(self.record), player, draws[:1]), after)

    State.attempt = attempt_otherwise


@way("bots")
def another_choice():
    """Lets a bot that searches make its second best move, wherever it has one."""
    after(SearchBot, "think", lambda thoughts, *_: thoughts[1:] or thoughts)


@way("shown")
def another_face():
    """Shows its guests another card in the row than the game has, and says truly which state it shows."""

    def shown_otherwise(found, _, sitting, *__):
        row = next(zone for zone in found.zones if zone.id == "row")
        if len(sitting.log.entries) != 2 or not row.cards:
            return found
        face = "chi" if row.cards[0].face != "chi" else "yin-red"
        cards = (replace(row.cards[0], face=face), *row.cards[1:])
        zones = [replace(zone, cards=cards) if zone is row else zone for zone in found.zones]
        return replace(found, zones=tuple(zones))

    after(Audience, "scene", shown_otherwise)


@way(unknown="moves")
def no_rules():
    """Has no rules to give out."""

    async def none(self, game):
        raise NoModule("the disk is full")

    Modules.of = none


@way(unknown="moves")
def other_rules():
    """Gives out other rules than it names."""

    def keep_otherwise(name, self, data):
        if data.startswith(b"\0asm"):
            name = "ab" * 32  # browsers do not ask again for the right name
            self.files[name] = data
        return name

    after(Modules, "keep", keep_otherwise)


HONEST = ("honest", "honest_search")
"""Rooms that keep their word."""

BOTS = {"another_choice": "vix", "honest_search": "nox"}
"""The bots beside the guest at rooms of some ways; at all others it is the greedy bot."""

NEVER_DEALT = ("another_seed", "another_promise", "another_table", "hidden_failure")
"""Ways in which the cards are not dealt, because nobody shows such a room a number."""


@contextlib.contextmanager
def dishonest_room(tmp_path, way):
    """Open while this lasts; a way that is not among them is honest."""
    room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=f"dishonest {way}", change=CHANGES.get(way))
    try:
        yield room
    finally:
        room.stop()
