"""Web Push: notices that are encrypted for one browser (RFC 8291), from a room that says who it is (RFC 8292).

`http-ece` and `pywebpush` have no wheel, or need more than all other code of notices, so the few steps of the
encryption are here. tests/server/test_notices.py compares them with the example of the RFC and with `http-ece`.
"""

import secrets

from cryptography.hazmat.primitives.asymmetric.ec import ECDH, SECP256R1, EllipticCurvePublicKey, generate_private_key
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

RECORD = 4096
"""Size of the only record of a message, in bytes, which push services accept at least."""


class Sender:
    """Signs requests to push `services` with the key of the room. `contact` is an address of its keeper."""

    def __init__(self, secret: bytes, contact: str, services: tuple[str, ...]) -> None:
        self.services = services
        self.vapid = Vapid02.from_raw(b64urlencode(secret).encode())
        self.vapid.conf = {"no-strict": True}  # or it refuses ports in an address
        self.contact = contact if "://" in contact else f"mailto:{contact}"
        self.public: str = b64urlencode(raw(self.vapid.public_key))

    def headers(self, service: str) -> dict[str, str]:
        """Return the headers that a push service at an origin expects, without those of a message."""
        signed: dict[str, str] = self.vapid.sign({"aud": service, "sub": self.contact})
        return signed | {"content-type": "application/octet-stream", "content-encoding": "aes128gcm"}


def raw(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def sealed(content: bytes, key: str, auth: str) -> bytes:
    """Return a message that only the browser with a public key can read. Raises ValueError if it has no such key."""
    own, salt = generate_private_key(SECP256R1()), secrets.token_bytes(16)
    theirs, secret = (b64urldecode(text.encode()) for text in (key, auth))
    shared = own.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), theirs))
    public = raw(own.public_key())
    common = derived(shared, secret, b"WebPush: info\0" + theirs + public, 32)
    cipher = AESGCM(derived(common, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = derived(common, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4, "big") + bytes([len(public)]) + public
    return header + cipher.encrypt(nonce, content + b"\2", None)


def derived(secret: bytes, salt: bytes, words: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, words).derive(secret)
