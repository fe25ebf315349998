"""With a certificate: the cookie travels on sealed connections alone, and the screen's socket is sealed too."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import ssl
from pathlib import Path

import pytest
from aiohttp import ClientConnectionError, ClientSession, CookieJar, TCPConnector
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from dalej.errors import Refused
from tests.web.rig import Browser, mute, served, shown


def certificate(folder: Path) -> tuple[str, str]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hall")])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - dt.timedelta(1)).not_valid_after(now + dt.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    cert_file, key_file = folder / "hall.pem", folder / "hall.key"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.touch(0o600)
    key_file.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ))  # fmt: skip
    return str(cert_file), str(key_file)


def test_sealed_from_the_log_in_to_the_screen(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)

    async def run() -> None:
        async with served(tmp_path, cert=cert, key=key, command=mute) as rig:
            trust = ssl.create_default_context(cafile=cert)
            connector, jar = TCPConnector(ssl=trust), CookieJar()
            async with ClientSession(connector=connector, cookie_jar=jar) as client:
                browser = Browser(client, f"https://localhost:{rig.server.port}")
                answer = await browser.log_in("referee")
                cookie = answer.headers["Set-Cookie"]
                assert cookie.startswith(f"__Host-dalej-{rig.server.port}=")
                assert "; Secure" in cookie
                assert f"wss://localhost:{rig.server.port};" in answer.headers["Content-Security-Policy"]
                await shown(await browser.screen(), "HALL-mute")

                plain = await browser.ask("POST", "/logout", {"Origin": browser.url.replace("https", "http")})
                assert plain.status == 403

    asyncio.run(run())


def test_who_speaks_in_clear_gets_nothing(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)

    async def run() -> None:
        async with served(tmp_path, cert=cert, key=key) as rig, ClientSession() as client:
            with pytest.raises(ClientConnectionError):
                await client.get(f"http://127.0.0.1:{rig.server.port}/login")

    asyncio.run(run())


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files apart in other ways")
@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_key_that_others_can_read_is_refused_with_what_to_do(tmp_path: Path, mode: int) -> None:
    cert, key = certificate(tmp_path)
    Path(key).chmod(mode)

    async def run() -> None:
        with pytest.raises(Refused, match=f"hall.key holds the certificate's key .* chmod 600 {key}"):
            async with served(tmp_path, cert=cert, key=key):
                raise AssertionError("it is served")

    asyncio.run(run())
