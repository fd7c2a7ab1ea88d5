"""Rooms that do not keep their word, each in a way that has a name."""

import contextlib

from msgspec.structs import replace

from fairdeal.server.storage.promises import Keys
from fairdeal.server.tables import dealing, live
from fairdeal.server.tables.live import LiveTable
from fairdeal.table import fairness, signatures
from fairdeal.table.log import Log, Move
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
        written.entries[2] = Move(entry.seat, f"{entry.text}!", entry.by)
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
    sign_end = live.sign_end

    def sign_otherwise(written, keys):
        sign_end(written, keys)
        written.format = 1
        written.moves.pop()

    live.sign_end = sign_otherwise


def forgotten_moves():
    """Shows a table anew with fewer moves than it has acknowledged."""
    chain = Log.chain
    seen = []

    def chain_otherwise(self):
        seen.append(1)
        return chain(self) if len(seen) % 5 else "00" * 32

    Log.chain = chain_otherwise


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
    )
}


@contextlib.contextmanager
def dishonest_room(tmp_path, way):
    """Open while this lasts; a way that is not among them is honest."""
    room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=f"dishonest {way}", change=WAYS.get(way))
    try:
        yield room
    finally:
        room.stop()
