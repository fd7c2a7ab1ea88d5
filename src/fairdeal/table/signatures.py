"""The room's signature: Ed25519 (RFC 8032) over the running hash of a log."""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

HEADER, END = "header", "end"
"""What a room signs: a log that holds no move yet, and one that is complete."""


def public_key(key: bytes) -> str:
    """The public half of a private key of 32 bytes, in hexadecimal."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw().hex()


def sign(key: bytes, part: str, chain: str) -> str:
    """The signature of a running hash, in hexadecimal; the same key and hash always give the same one."""
    return Ed25519PrivateKey.from_private_bytes(key).sign(signed_text(part, chain)).hex()


def is_signed(public: str, part: str, chain: str, signature: str) -> bool:
    """Did the holder of this key sign this running hash?"""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), signed_text(part, chain)
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def signed_text(part: str, chain: str) -> bytes:
    return f"fairdeal {part} {chain}".encode()
