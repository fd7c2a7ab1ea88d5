"""Rooms that do not keep their word, each in a way that has a name."""

import contextlib
import dataclasses

from msgspec.structs import replace

from fairdeal.bots.search import SearchBot
from fairdeal.engine import state
from fairdeal.engine.compile.compiled import rules_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.kit.snapshots import snapshot
from fairdeal.engine.state import Attempt, State, table_for
from fairdeal.server.api import http
from fairdeal.server.extras.modules import Modules, NoModule
from fairdeal.server.storage.promises import Keys
from fairdeal.server.tables import audience, dealing, live, new_seats, seating
from fairdeal.server.tables.audience import Audience
from fairdeal.server.tables.live import LiveTable
from fairdeal.server.tables.seats import Place
from fairdeal.server.tables.terms import Terms
from fairdeal.table import fairness, signatures
from fairdeal.table.log import Log, Player
from fairdeal.table.sitting import Sitting, table_of
from tests.server.conftest import PORT, ForkedRoom


def another_seed():
    """Promises one seed and deals from another."""
    Keys.promised = lambda self, guest, ticket: fairness.new_seed()


def another_number():
    """Throws a guest's number away and deals with one of its own choice."""
    begin = dealing.begin

    async def begin_otherwise(live):
        for place in live.seats:
            if place.guest:
                place.nonce = fairness.new_nonce()
                place.hash = fairness.nonce_hash(place.nonce)
        await begin(live)

    dealing.begin = begin_otherwise


def dropped_number():
    """Says that a guest has not shown the number, and deals without it."""
    begin = dealing.begin

    async def begin_otherwise(live):
        for place in live.seats:
            place.nonce = "" if place.guest else place.nonce
        await begin(live)

    dealing.begin = begin_otherwise


def another_seat_after():
    """Changes the number of another seat once it knows that of the guest."""
    dealt = LiveTable.dealt

    def dealt_otherwise(self):
        self.seats[-1].nonce = fairness.new_nonce()
        self.seats[-1].hash = fairness.nonce_hash(self.seats[-1].nonce)
        return dealt(self)

    LiveTable.dealt = dealt_otherwise


def another_header_at_the_end():
    """Shows one header at the deal, and another when the game is over, properly signed."""
    sign_end = live.sign_end

    def sign_otherwise(written, keys):
        written.rules_version += 1
        written.running = None
        written.signed_header = ""
        written.signed_header = signatures.sign(keys.signing, signatures.HEADER, written.header_chain())
        sign_end(written, keys)

    live.sign_end = sign_otherwise


def another_move_in_the_log():
    """Writes a move into the finished log that nobody made, and signs it."""
    sign_end = live.sign_end

    def sign_otherwise(written, keys):
        entry = written.entries[2]
        written.entries[2] = dataclasses.replace(entry, text=f"{entry.text}!")
        written.running = None
        sign_end(written, keys)

    live.sign_end = sign_otherwise


def another_key_at_the_end():
    """Signs the end with a key that is not the room's."""
    live.sign_end = lambda written, keys: setattr(
        written, "signed_end", signatures.sign(bytes(32), signatures.END, written.end_chain())
    )


def no_signature_at_the_end():
    """Does not sign the end."""
    live.sign_end = lambda written, keys: None


def another_attempt():
    """Once it has the number, tries rounds that it has not asked for until it likes the deal."""
    begin = dealing.begin

    async def begin_otherwise(live):
        live.seats.attempt += 41
        await begin(live)

    dealing.begin = begin_otherwise


def number_asked_for_twice():
    """Says that the number was not shown, and asks for it again beside another bot."""
    facts, asked = LiveTable.facts, []

    def facts_otherwise(self, guest):
        found = facts(self, guest)
        if found.deal.stage == "dealt" and not asked:
            asked.append(1)
            outline = asked_for[0].replace('"Bo"', '"Ike"')
            chairs = tuple(replace(chair, shown=False) for chair in found.chairs)
            return replace(
                found,
                status="open",
                chairs=chairs,
                deal=replace(found.deal, stage="numbers", outline=outline, header=""),
            )
        return found

    asked_for = []
    outline = Log.outline

    def outline_kept(self):
        asked_for.append(outline(self))
        return asked_for[-1]

    Log.outline = outline_kept
    LiveTable.facts = facts_otherwise


def false_branch():
    """Says that the game is played on from another, for which nobody keeps anything, and throws the number away."""
    another_number()
    facts = LiveTable.facts
    LiveTable.facts = lambda self, guest: replace(facts(self, guest), origin=("abc", 0))


def older_format():
    """Gives out a log in the older form, which proves less, without its last move."""
    log_of = http.log_of
    http.log_of = lambda table: dataclasses.replace(log_of(table), format=1, moves=log_of(table).moves[:-1])


def forgotten_moves():
    """Shows a table anew with fewer moves than it has acknowledged."""
    chain_of, seen = audience.chain_of, []

    def chain_otherwise(sitting, viewer):
        seen.append(1)
        return chain_of(sitting, viewer) if len(seen) % 5 else "00" * 32

    audience.chain_of = live.chain_of = chain_otherwise


def another_promise():
    """Names another promise to who has taken a seat."""
    facts = LiveTable.facts

    def facts_otherwise(self, guest):
        found = facts(self, guest)
        return replace(found, deal=replace(found.deal, commitment="ab" * 32)) if found.seat >= 0 else found

    LiveTable.facts = facts_otherwise


def no_hash():
    """Takes a guest's hash and says that none was given, so that the number is not asked for."""
    seating.checked_hash = new_seats.checked_hash = lambda digest: ""


def no_seat():
    """Deals to a guest, and then says that the guest does not sit there."""
    facts = LiveTable.facts

    def facts_otherwise(self, guest):
        found = facts(self, guest)
        return replace(found, seat=-1) if found.deal.stage == "dealt" else found

    LiveTable.facts = facts_otherwise


def another_table():
    """Asks for the number for a deal of another table."""
    unsigned = Terms.unsigned_log

    def elsewhere(self, seats, keys):
        log = unsigned(self, seats, keys)
        log.room = dataclasses.replace(log.room, table="elsewhere")
        return log

    Terms.unsigned_log = elsewhere


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


def missing_number():
    """Deals without the number of somebody who was bound, although the table waits for it."""
    unsigned = Terms.unsigned_log

    def unsigned_otherwise(self, seats, keys):
        log = unsigned(self, seats, keys)
        last = log.players[-1]
        silent = Player(last.name, "person", fairness.seed_nonce(self.seed, len(seats) - 1), "ab" * 32, True)
        log.players = (*log.players[:-1], silent)
        return log

    Terms.unsigned_log = unsigned_otherwise


def unbound_number():
    """Chooses the number of a bot, which should follow from the seed."""
    new_seats.bot_place = lambda seat, name, plays, seed: Place(seat, name, plays, nonce=fairness.new_nonce(), hash="")


def another_seed_at_the_end():
    """Shows a seed that is not the one that was promised."""
    deal_facts, sign_end = LiveTable.deal_facts, live.sign_end

    def facts_otherwise(self, over):
        found = deal_facts(self, over)
        return replace(found, seed="cd" * 32) if found.seed else found

    def sign_otherwise(written, keys):
        written.seed = bytes.fromhex("cd" * 32)
        sign_end(written, keys)

    LiveTable.deal_facts, live.sign_end = facts_otherwise, sign_otherwise


def no_seed():
    """Does not show the seed at the end."""
    deal_facts, sign_end = LiveTable.deal_facts, live.sign_end

    def sign_otherwise(written, keys):
        written.seed = None
        sign_end(written, keys)

    LiveTable.deal_facts = lambda self, over: replace(deal_facts(self, over), seed="")
    live.sign_end = sign_otherwise


def no_chains():
    """Acknowledges moves without their running hash."""
    audience.chain_of = live.chain_of = lambda sitting, viewer: ""


def no_log():
    """Does not give out the log."""

    def refuse(table):
        raise FairdealError("not now")

    http.log_of = refuse


def another_deal():
    """Deals from a key of its own, and writes a true log of that deal."""

    def dealt_otherwise(self):
        header = self.terms.empty_log(self.seats, self.keys)
        table = table_of(header)
        return Sitting(table, header, self.terms.seed, table.deal_from(bytes(32)))

    LiveTable.dealt = dealt_otherwise


def another_default():
    """Deals with another limit of cards in hand than the default, and does not write it into the log."""

    def dealt_otherwise(self):
        header = self.terms.empty_log(self.seats, self.keys)
        table = table_for(header.game, header.options | {"hand_limit": 3})
        return Sitting(table, header, self.terms.seed)

    LiveTable.dealt = dealt_otherwise


def another_result():
    """Writes a result into the finished log that the moves do not lead to, and signs it."""
    sign_end = live.sign_end

    def sign_otherwise(written, keys):
        written.result = tuple(score + 1 for score in written.result)
        sign_end(written, keys)

    live.sign_end = sign_otherwise


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


def another_choice():
    """Lets a bot that searches make its second best move, wherever it has one."""
    think = SearchBot.think

    def think_otherwise(self, view, player, turn):
        best, *others = think(self, view, player, turn)
        return others or [best]

    SearchBot.think = think_otherwise


def another_face():
    """Shows its guests another card in the row than the game has, and says truly which state it shows."""
    scene = Audience.scene

    def shown_otherwise(self, sitting, viewer, draft=()):
        found = scene(self, sitting, viewer, draft)
        row = next(zone for zone in found.zones if zone.id == "row")
        if len(sitting.log.entries) != 2 or not row.cards:
            return found
        face = "chi" if row.cards[0].face != "chi" else "yin-red"
        cards = (replace(row.cards[0], face=face), *row.cards[1:])
        zones = [replace(zone, cards=cards) if zone is row else zone for zone in found.zones]
        return replace(found, zones=tuple(zones))

    Audience.scene = shown_otherwise


def unnamed_scene():
    """Shows each table once more, and then does not name its state."""
    tell, scene, lying = Audience.tell, Audience.scene, []

    def tell_twice(self, sitting, news=False):
        tell(self, sitting, news)
        lying.append(sitting)
        tell(self, sitting)
        lying.clear()

    def shown_otherwise(self, sitting, viewer, draft=()):
        found = scene(self, sitting, viewer, draft)
        return replace(found, state="") if lying else found

    Audience.tell, Audience.scene = tell_twice, shown_otherwise


def far_number():
    """Shows a table under a number that the game never reaches, without its running hash."""
    shown = Audience.shown

    def shown_otherwise(self, sitting, viewer, after, last=None):
        found = shown(self, sitting, viewer, after, last)
        is_third = len(sitting.log.entries) == 2
        return replace(found, scene=replace(found.scene, seq=1_000_000), chain="") if is_third else found

    Audience.shown = shown_otherwise


def another_state():
    """Says that it shows another state than the one of the game."""
    digest = state.digest
    state.digest = lambda record: digest(record)[::-1]


def no_rules():
    """Has no rules to give out."""

    async def none(self, game):
        raise NoModule("the disk is full")

    Modules.of = none


def other_rules():
    """Gives out other rules than it names."""
    keep = Modules.keep

    def keep_otherwise(self, data):
        name = keep(self, data)
        self.files[name] = data + b"\0\1\0" if data.startswith(b"\0asm") else data
        return name

    Modules.keep = keep_otherwise


WITHOUT_PROOF = {way.__name__: way for way in (no_rules, other_rules)}
"""Rooms with which a browser cannot play the game again."""

WAYS = {
    way.__name__: way
    for way in (
        another_seed,
        another_number,
        dropped_number,
        another_seat_after,
        another_header_at_the_end,
        another_move_in_the_log,
        another_key_at_the_end,
        no_signature_at_the_end,
        another_attempt,
        number_asked_for_twice,
        false_branch,
        older_format,
        forgotten_moves,
        another_promise,
        no_hash,
        no_seat,
        another_table,
        hidden_failure,
        missing_number,
        unbound_number,
        another_seed_at_the_end,
        another_deal,
        another_default,
        another_result,
        illegal_move,
        another_choice,
        another_face,
        another_state,
        far_number,
    )
}
CHECKS = {
    "another_seed": "promise",
    "another_number": "number",
    "dropped_number": "number",
    "another_seat_after": "outline",
    "another_header_at_the_end": "header",
    "another_move_in_the_log": "acknowledged",
    "another_key_at_the_end": "signed",
    "no_signature_at_the_end": "signed",
    "another_attempt": "outline",
    "number_asked_for_twice": "outline",
    "false_branch": "number",
    "older_format": "log",
    "forgotten_moves": "acknowledged",
    "another_promise": "promise",
    "no_hash": "number",
    "no_seat": "place",
    "another_table": "room",
    "hidden_failure": "failed",
    "missing_number": "waits",
    "unbound_number": "bound",
    "another_seed_at_the_end": "seed",
    "another_deal": "moves",
    "another_default": "moves",
    "another_result": "moves",
    "illegal_move": "moves",
    "another_choice": "moves",
    "another_face": "shown",
    "another_state": "shown",
    "far_number": "shown",
}
"""The check that each way breaks, and no other."""

SILENT = {way.__name__: way for way in (no_seed, no_chains, no_log, unnamed_scene)}
"""Rooms that keep back what would be checked."""

HONEST = ("honest", "honest_search")
"""Rooms that keep their word."""

BOTS = {"another_choice": "vix", "honest_search": "nox"}
"""The bots beside the guest at rooms of some ways; at all others it is the greedy bot."""

NEVER_DEALT = ("another_seed", "another_promise", "another_table", "hidden_failure")
"""Ways in which the cards are not dealt, because nobody shows such a room a number."""


@contextlib.contextmanager
def dishonest_room(tmp_path, way):
    """Open while this lasts; a way that is not among them is honest."""
    change = (WAYS | SILENT | WITHOUT_PROOF).get(way)
    room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=f"dishonest {way}", change=change)
    try:
        yield room
    finally:
        room.stop()
