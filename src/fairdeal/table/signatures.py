"""The room's signature: Ed25519 (RFC 8032) over the running hash of a log."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

HEADER, END = "header", "end"
"""The parts of a log that a room signs: everything before the first move, and the complete log."""


def public_key(key: bytes) -> str:
    """Return the public key of a 32-byte private key, in hexadecimal."""
    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw().hex()


def sign(key: bytes, part: str, chain: str) -> str:
    """Return the signature of a running hash, in hexadecimal. Signatures are deterministic."""
    return Ed25519PrivateKey.from_private_bytes(key).sign(signed_text(part, chain)).hex()


def is_signed(public: str, part: str, chain: str, signature: str) -> bool:
    """Return whether `signature` was made over this running hash with the private key of `public`."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), signed_text(part, chain)
        )
    except (InvalidSignature, ValueError):
        return False
    return True


def signed_text(part: str, chain: str) -> bytes:
    return f"fairdeal {part} {chain}".encode()
