"""The room's own keys, and its commitments to seeds.

A committed seed is not stored. It is derived from a secret of the room, the guest's id, and a ticket that the guest
sends back. A commitment therefore never expires, survives a restart, and does not depend on the number of other guests.
"""

import functools
import hashlib
import hmac
import re
import secrets as random
from dataclasses import dataclass, field

import sqlalchemy as sa

from fairdeal.engine.errors import FairdealError
from fairdeal.server.storage.store import Store, alone, secrets
from fairdeal.table import fairness, signatures

TICKET = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Keys:
    """The secrets of a room, 32 bytes each: one to derive seeds, and one to sign logs."""

    seeds: bytes = field(default_factory=lambda: random.token_bytes(32))
    signing: bytes = field(default_factory=lambda: random.token_bytes(32))

    @functools.cached_property
    def public(self) -> str:
        """The public key of the room's signatures, in hexadecimal."""
        return signatures.public_key(self.signing)

    def promise(self, guest: str) -> tuple[str, str]:
        """Return a commitment to a new seed for a guest, and the ticket from which the room can derive that seed
        again."""
        ticket = random.token_hex(16)
        return fairness.commitment(self.promised(guest, ticket)), ticket

    def promised(self, guest: str, ticket: str) -> bytes:
        """Return the seed that belongs to a guest's ticket. Raises FairdealError if the ticket is malformed."""
        if not TICKET.fullmatch(ticket):
            raise FairdealError("a ticket has 32 hexadecimal digits; request a commitment to get one")
        return self.seed(f"guest {guest} {ticket}")

    def next_seed(self, table: str) -> bytes:
        """Return the seed of a table's rematch."""
        return self.seed(f"after {table}")

    def seed(self, words: str) -> bytes:
        return hmac.new(self.seeds, words.encode(), hashlib.sha256).digest()


async def kept_key(store: Store, name: str) -> bytes:
    """Return a 32-byte secret of this database. It is created when it is first used."""

    def find_or_create(connection: sa.Connection) -> bytes:
        alone(connection, name)
        found = connection.execute(sa.select(secrets.c.value).where(secrets.c.name == name)).scalar()
        if found is None:
            found = random.token_bytes(32)
            connection.execute(secrets.insert().values(name=name, value=found))
        return bytes(found)

    return await store.write(find_or_create)


async def kept_keys(store: Store) -> Keys:
    return Keys(seeds=await kept_key(store, "seeds"), signing=await kept_key(store, "ed25519"))
