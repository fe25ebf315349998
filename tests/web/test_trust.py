"""`dalej serve --tls`: what its certificates are, who gets them, and what is never taken in clear."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import pytest
from aiohttp import ClientSession, CookieJar, TCPConnector
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from dalej.clock import SystemClock
from dalej.errors import Damaged, Refused
from dalej.web import sorting
from dalej.web.certificates import AUTHORITY, CERTIFICATE, Identity, identity
from dalej.web.trust import SYSTEMS
from tests.web.rig import SECRETS, Browser, Rig, served

NOW: Final = 1_790_000_000_000
DAY_MS: Final = 86_400_000
CALLED: Final = ["localhost", "hala.local", "127.0.0.1", "192.168.4.1"]


def own(folder: Path, called: list[str] | None = None, now: int = NOW) -> Identity:
    return identity(folder, CALLED if called is None else called, now)


def leaf(made: Identity) -> x509.Certificate:
    return x509.load_pem_x509_certificate(made.file.read_bytes())


def test_the_certificate_is_one_that_apple_takes_and_names_all_by_which_the_computer_is_called(tmp_path: Path) -> None:
    made = leaf(own(tmp_path))
    san = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value

    assert (made.not_valid_after_utc - made.not_valid_before_utc).days <= 397
    assert list(made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [
        ExtendedKeyUsageOID.SERVER_AUTH
    ]
    assert not made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert set(san.get_values_for_type(x509.DNSName)) == {"localhost", "hala.local"}
    assert set(san.get_values_for_type(x509.IPAddress)) == {ip_address("127.0.0.1"), ip_address("192.168.4.1")}


def test_the_authority_speaks_for_the_hall_alone(tmp_path: Path) -> None:
    authority = x509.load_der_x509_certificate(own(tmp_path).authority)
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)

    assert limits.critical
    assert limits.value.permitted_subtrees
    assert authority.extensions.get_extension_for_class(x509.BasicConstraints).value.path_length == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files apart in other ways")
def test_the_keys_are_for_their_owner_alone_and_refused_if_they_are_not(tmp_path: Path) -> None:
    own(tmp_path)
    for name in (AUTHORITY, CERTIFICATE):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        (tmp_path / name).chmod(0o640)
        with pytest.raises(Refused, match=f"{name} holds the certificate's key"):
            own(tmp_path)
        (tmp_path / name).chmod(0o600)


@pytest.mark.parametrize(
    ("called", "days", "certificate_stays", "authority_stays"),
    [
        (CALLED, 1, True, True),
        ([*CALLED, "10.0.0.7"], 1, False, True),
        ([*CALLED, "fd12:3456::7"], 1, False, True),
        (CALLED, 370, False, True),
        (CALLED, 1_800, False, False),
        ([*CALLED, "szkola.example"], 1, False, False),
        ([*CALLED, "198.51.100.7"], 1, False, False),
    ],
)
def test_it_is_made_anew_when_it_must_be_and_the_authority_stays_as_long_as_it_can(
    tmp_path: Path, called: list[str], days: int, certificate_stays: bool, authority_stays: bool
) -> None:
    first = own(tmp_path)
    before = leaf(first)

    then = own(tmp_path, called, NOW + days * DAY_MS)

    assert first.anew
    assert then.anew is not authority_stays
    assert (then.authority == first.authority) is authority_stays
    assert (leaf(then) == before) is certificate_stays


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    made = own(tmp_path)
    made.file.write_text("nothing")
    with pytest.raises(Damaged, match=CERTIFICATE):
        own(tmp_path)


@asynccontextmanager
async def sealed(folder: Path, **more: Any) -> AsyncIterator[tuple[Rig, ssl.SSLContext]]:
    made = identity(folder / "tls", ["localhost", "127.0.0.1", "hala.local"], _now())
    plan: dict[str, Any] = {
        "cert": str(made.file),
        "key": str(made.file),
        "authority": made.authority,
        "names": ["hala.local"],
    }
    async with served(folder, **plan, **more) as rig:
        trust = ssl.create_default_context()
        trust.load_verify_locations(cadata=made.authority)
        yield rig, trust


def _now() -> int:
    return SystemClock().wall_ms()  # the handshake asks the system's clock too


def test_a_handshake_is_verified_by_the_authority_for_a_number_and_a_name(tmp_path: Path) -> None:
    async def run() -> None:
        async with sealed(tmp_path) as (rig, trust):
            jar = CookieJar(unsafe=True)
            async with ClientSession(connector=TCPConnector(ssl=trust), cookie_jar=jar) as client:
                browser = Browser(client, rig.url)
                answer = await browser.log_in("referee")
                assert answer.headers["Set-Cookie"].startswith("__Host-")
                assert "Strict-Transport-Security" not in answer.headers  # of a number no browser keeps it
                named = await browser.get("/hall", Host="hala.local")
                assert named.headers["Strict-Transport-Security"].startswith("max-age=")

    asyncio.run(run())


def test_http_leads_to_https_shows_how_to_trust_and_takes_nothing_in(tmp_path: Path) -> None:
    async def run() -> None:
        async with sealed(tmp_path) as (rig, _trust), ClientSession() as client:
            plain = Browser(client, rig.url.replace("https", "http"))
            led = await plain.get("/hall?x=1")
            assert (led.status, led.headers["Location"]) == (307, f"{rig.url}/hall?x=1")
            assert (await plain.get("/", Host="evil.example")).status == 421
            for origin in (plain.url, rig.url):
                typed = {"role": "referee", "name": "Lis", "password": SECRETS["referee"]}
                refused = await plain.ask("POST", "/login", {"Origin": origin}, typed)
                assert refused.status in (403, 405)
                assert "Set-Cookie" not in refused.headers
            for system in SYSTEMS:
                assert "dalej.crt" in await plain.page(f"/trust/{system}")
            assert (await plain.get("/trust/nothing")).status == 404
            file = await plain.get("/trust/dalej.crt")
            assert file.content_type == "application/x-x509-ca-cert"
            assert not rig.lines

    asyncio.run(run())


@pytest.mark.parametrize("first", [b"", b"\x16", b"\x00\xff garbage\r\n\r\n", b"G"])
def test_whoever_says_nothing_or_nonsense_keeps_nobody_out(
    tmp_path: Path, first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sorting, "WAITING_MOST", 16)
    monkeypatch.setattr(sorting, "SEALING_MOST", 16)
    monkeypatch.setattr(sorting, "PLAIN_MOST", 16)

    async def run() -> None:
        async with sealed(tmp_path) as (rig, trust):
            many = [socket.create_connection(("127.0.0.1", rig.server.port)) for _ in range(60)]
            try:
                for one in many:
                    one.sendall(first)
                async with (
                    asyncio.timeout(10),
                    ClientSession(connector=TCPConnector(ssl=trust)) as client,
                ):
                    assert (await Browser(client, rig.url).get("/login")).status == 200
                many[0].settimeout(10)
                assert await asyncio.to_thread(_ended, many[0])
            finally:
                for one in many:
                    one.close()

    asyncio.run(run())


def _ended(connection: socket.socket) -> bool:
    try:
        while connection.recv(4_096):
            pass
    except ConnectionError:
        return True
    return True


def test_in_clear_others_are_served_only_if_the_organiser_says_so_and_then_as_the_public(tmp_path: Path) -> None:
    async def run() -> None:
        with pytest.raises(Refused, match="it has to be sealed"):
            async with served(tmp_path, host="0.0.0.0"):
                raise AssertionError("it is served")
        event = tmp_path / "cup.dalej"
        with pytest.raises(Refused, match="no password travels in clear"):
            async with served(tmp_path, event=event, host="0.0.0.0", plain=True):
                raise AssertionError("it is served")
        async with (
            served(tmp_path, event=event, host="0.0.0.0", plain=True, public_open=True) as rig,
            rig.browser() as browser,
        ):
            refused = await browser.log_in("referee")
            assert refused.status == 403
            assert "need https" in await refused.text()
            assert "password" not in (await browser.page("/login?lang=en")).replace("without a password", "")
            assert (await browser.log_in("public", password="")).status == 303
            assert (await browser.get("/find")).status == 200

    asyncio.run(run())
