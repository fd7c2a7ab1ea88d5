"""The fair deal: the seed is promised before the players add their numbers, and shown at the end.

The promise is SHA-256 of the seed. The chance key is HMAC-SHA-256(seed, header with everybody's nonce): who keeps the
seed cannot choose the cards once the nonces are known, and the players cannot because they do not know the seed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

SEED_BYTES = 32
NONCE_BYTES = 16


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def new_nonce() -> str:
    """A player's own number, in hexadecimal."""
    return secrets.token_hex(NONCE_BYTES)


def chosen_seed(name: str) -> bytes:
    """A seed that a person chose, so that a game can be dealt again."""
    return hashlib.sha256(b"fairdeal table " + name.encode()).digest()


def chosen_nonce(name: str, seat: int) -> str:
    """The nonce that goes with a chosen seed."""
    return hashlib.sha256(f"fairdeal nonce {name} {seat}".encode()).hexdigest()[: 2 * NONCE_BYTES]


def bot_nonce(seed: bytes, seat: int) -> str:
    """A bot's number follows from the promised seed, so that nobody can pick one that suits him."""
    return hmac.new(seed, f"nonce {seat}".encode(), hashlib.sha256).hexdigest()[: 2 * NONCE_BYTES]


def commitment(seed: bytes) -> str:
    """The promise: SHA-256 of the seed, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def chance_key(seed: bytes, header: bytes) -> bytes:
    """The key that all chance of the sitting comes from: 32 bytes."""
    return hmac.new(seed, header, hashlib.sha256).digest()
