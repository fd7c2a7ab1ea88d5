"""`fairdeal join` says that a room's certificate is not valid, and why."""

import asyncio
import contextlib
import datetime
import ipaddress
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from fairdeal.engine.errors import FairdealError
from fairdeal.terminal.online.asking import Asking
from fairdeal.terminal.online.connection import LOST, Connection

HERE, ELSEWHERE = x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("other.example")
CASES = {
    "self-signed": (HERE, -1, 1, False, "self-signed certificate"),
    "expired": (HERE, -2, -1, True, "certificate has expired"),
    "of the future": (HERE, 1, 2, True, "certificate is not yet valid"),
    "of another host": (ELSEWHERE, -1, 1, True, "IP address mismatch, certificate is not valid for '127.0.0.1'"),
}
"""The name in a certificate, the days from and until which it is valid, whether it is trusted, and what is wrong."""


def certificate(name, first, last):
    """Return a certificate that is signed with its own key, and the key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    subject = x509.Name([])
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now + datetime.timedelta(first))
        .not_valid_after(now + datetime.timedelta(last))
        .add_extension(x509.SubjectAlternativeName([name]), critical=True)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    return made.public_bytes(pem) + key.private_bytes(pem, *private)


@contextlib.asynccontextmanager
async def listening(context=None):
    """Listen, and answer nothing. Yield the host and port."""

    async def close(reader, writer):
        writer.close()

    server = await asyncio.start_server(close, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def asked(place):
    """Return why a request by https has no answer."""
    asking = Asking(f"https://{place}", {})
    with pytest.raises(FairdealError) as caught:
        await asyncio.to_thread(asking.ask, "GET", "/")
    asking.close()
    return str(caught.value)


async def connected(place):
    """Return why a WebSocket has no connection."""
    told = []

    def lost():
        told.append(line.trouble)
        return False

    line = Connection(lambda text: True, lost)
    await line.listen(f"wss://{place}/", "")
    return told


@pytest.mark.parametrize("case", CASES)
async def test_a_certificate_that_is_not_valid_is_reported_as_one(case, tmp_path, monkeypatch):
    name, first, last, is_trusted, wrong = CASES[case]
    file = tmp_path / "certificate.pem"
    file.write_bytes(certificate(name, first, last))
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    async with listening(context) as place:
        assert await asked(place) == f"the certificate of the room at https://{place} is not valid: {wrong}"
        assert await connected(place) == [f"The certificate of the room is not valid: {wrong}; trying again."]


async def test_a_server_without_https_is_not_blamed_for_its_certificate():
    async with listening() as place:
        told = await asked(place)
        assert told.startswith(f"cannot reach the room at https://{place}: ")
        assert "permitted" not in told
        assert await connected(place) == [LOST]


async def test_a_valid_certificate_is_accepted(tmp_path, monkeypatch):
    """Then the server ends the connection without an answer."""
    file = tmp_path / "certificate.pem"
    file.write_bytes(certificate(HERE, -1, 1))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    async with listening(context) as place:
        assert "certificate" not in await asked(place)
        assert await connected(place) == [LOST]
