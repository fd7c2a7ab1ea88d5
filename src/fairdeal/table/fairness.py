"""The fair deal: the room commits to its seed, every player commits to a nonce, and then all nonces are revealed.

The room's commitment is SHA-256 of the seed. Players send SHA-256 of their nonces, and reveal the nonces once every
player has committed to one. The key of the sitting's RNG is HMAC-SHA-256(seed, header with every nonce). The room
cannot choose the cards, because it does not know the nonces. The players cannot, because they do not know the seed. The
last player to reveal a nonce has no advantage, because all nonces are fixed before the first is revealed.
"""

import hashlib
import hmac
import re
import secrets

SEED_BYTES = 32
NONCE_BYTES = 16
NONCE = re.compile(rf"[0-9a-f]{{{2 * NONCE_BYTES}}}")
SEED = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
HASH = re.compile(r"[0-9a-f]{64}")


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def new_nonce() -> str:
    """Return a random nonce: 16 bytes, in hexadecimal."""
    return secrets.token_hex(NONCE_BYTES)


def chosen_seed(name: str) -> bytes:
    """Return the seed for a name that a person chose, so that a game can be dealt again."""
    return hashlib.sha256(b"fairdeal table " + name.encode()).digest()


def chosen_nonce(name: str, seat: int) -> str:
    """Return a seat's nonce for the chosen seed `name`."""
    return hashlib.sha256(f"fairdeal nonce {name} {seat}".encode()).hexdigest()[: 2 * NONCE_BYTES]


def seed_nonce(seed: bytes, seat: int) -> str:
    """Derive the nonce of a seat that sent none, such as a bot's, from the committed seed, so that nobody can choose
    it."""
    return hmac.new(seed, f"nonce {seat}".encode(), hashlib.sha256).hexdigest()[: 2 * NONCE_BYTES]


def nonce_hash(nonce: str) -> str:
    """Return the commitment to a nonce: SHA-256 of its 16 bytes, in hexadecimal."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def is_bound(nonce: str, digest: str) -> bool:
    """Return whether a nonce is valid and `digest` is its commitment."""
    return bool(NONCE.fullmatch(nonce)) and nonce_hash(nonce) == digest


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed: SHA-256, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def is_promised(seed: str, promise: str) -> bool:
    """Return whether a seed, in hexadecimal, is valid and `promise` is its commitment."""
    return bool(SEED.fullmatch(seed)) and commitment(bytes.fromhex(seed)) == promise


def chance_key(seed: bytes, header: bytes) -> bytes:
    """Return the 32-byte key of the sitting's RNG."""
    return hmac.new(seed, header, hashlib.sha256).digest()


def bot_key(seed: bytes, seat: int) -> bytes:
    """Return the 32-byte key of the RNG of a seat's bot."""
    return chance_key(seed, f"bot {seat}".encode())


def entry_salt(seed: bytes, number: int) -> str:
    """Return the salt of the entry with this number in the log, counting hidden entries."""
    return hmac.new(seed, f"entry {number}".encode(), hashlib.sha256).hexdigest()[: 2 * NONCE_BYTES]


def undo_key(seed: bytes) -> bytes:
    """Return the 32-byte key of the RNG that draws the deals to check an undo."""
    return chance_key(seed, b"undo")
