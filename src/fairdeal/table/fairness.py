"""The fair deal: the room promises its seed, every player binds themselves to a number, then all numbers are shown.

The promise is SHA-256 of the seed. A player binds themselves by SHA-256 of their number and shows the number when
everybody is bound. The chance key is HMAC-SHA-256(seed, header with every number). Whoever keeps the seed cannot choose
the cards, because they do not know the numbers; the players cannot, because they do not know the seed; and nobody
speaks last, because all numbers are fixed before the first is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

SEED_BYTES = 32
NONCE_BYTES = 16
NONCE = re.compile(rf"[0-9a-f]{{{2 * NONCE_BYTES}}}")
HASH = re.compile(r"[0-9a-f]{64}")


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def new_nonce() -> str:
    """A player's own number: 16 random bytes, in hexadecimal."""
    return secrets.token_hex(NONCE_BYTES)


def chosen_seed(name: str) -> bytes:
    """A seed that a person chose, so that a game can be dealt again."""
    return hashlib.sha256(b"fairdeal table " + name.encode()).digest()


def chosen_nonce(name: str, seat: int) -> str:
    """The nonce that goes with a chosen seed."""
    return hashlib.sha256(f"fairdeal nonce {name} {seat}".encode()).hexdigest()[: 2 * NONCE_BYTES]


def seed_nonce(seed: bytes, seat: int) -> str:
    """The number of a seat that gave none, such as a bot's: it follows from the promised seed, so nobody picks it."""
    return hmac.new(seed, f"nonce {seat}".encode(), hashlib.sha256).hexdigest()[: 2 * NONCE_BYTES]


def nonce_hash(nonce: str) -> str:
    """What binds a player to their number before they show it: SHA-256 of its 16 bytes, in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def is_bound(nonce: str, digest: str) -> bool:
    """Is this the number that the hash binds to?"""
    return bool(NONCE.fullmatch(nonce)) and nonce_hash(nonce) == digest


def commitment(seed: bytes) -> str:
    """The promise: SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def chance_key(seed: bytes, header: bytes) -> bytes:
    """The key that all chance of the sitting comes from: 32 bytes."""
    return hmac.new(seed, header, hashlib.sha256).digest()


def bot_key(seed: bytes, seat: int) -> bytes:
    """The key that all chance of a seat's bot comes from: 32 bytes."""
    return chance_key(seed, f"bot {seat}".encode())
