"""docs/serve.md tells an organiser numbers: they are the code's."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import shutil
import ssl
import stat
import subprocess
from http import HTTPStatus
from pathlib import Path

import pytest
from aiohttp import ClientSession, TCPConnector
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from dalej.cli.serve import command as command_of_serve
from dalej.event.ledger import Ledger
from dalej.web import application, attempts, invitations, pages, passwords, publicpage, sessions
from dalej.web.server import MOST, OF_ONE, QUIET_S
from dalej.web.server import _tls as tls
from dalej.web.sessions import trail_of
from tests.web.rig import event_file, served

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())
HOUR_MS = 3_600_000
FRAME = (Path(pages.__file__).with_name("templates") / "page.html").read_text(encoding="utf-8")
SCRIPT = (Path(pages.__file__).with_name("assets") / "live.js").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("says", "so"),
    [
        ("ten characters or more", passwords.SHORTEST == 10),
        ("after two hours without a touch", sessions.IDLE_MS == 2 * HOUR_MS),
        ("or after sixteen hours", sessions.WHOLE_MS == 16 * HOUR_MS),
        ("After three wrong passwords", attempts.FREE == 3),
        ("waits two seconds, then four", attempts.FIRST_MS == 2_000),
        ("then four, up to five minutes", attempts.LONGEST_MS == 300_000),
        ("comes in 32 times at once", attempts.OPEN_FREE == 32),
        ("at once and then once a second", attempts.OPEN_EVERY_MS == 1_000),
        ("anything after twenty seconds", QUIET_S == 20),
        ("that takes ten seconds to arrive", application.FORM_WITHIN_S == 10),
        ("at most 96 connections of 1024", (OF_ONE, MOST) == (96, 1_024)),
        ("Of 500 people", (sessions.SESSIONS_MOST, sessions.PUBLIC_MOST) == (500, 400)),
        ("it counts once, for ten minutes", invitations.VALID_MS == 600_000),
        ("says so and tries every few seconds", "connect(); }, 4000);" in SCRIPT),
        ("a page has 48 names", publicpage.LINES_OF_WALL * publicpage.COLUMNS_OF_WALL == 48),
        ("load themselves again every ten seconds", 'http-equiv="refresh" content="10"' in FRAME),
    ],
)  # fmt: skip
def test_what_the_page_says_is_so(says: str, so: bool) -> None:
    assert says in TEXT
    assert so


def test_a_backup_has_the_event_and_not_who_came_and_went(tmp_path: Path) -> None:
    event, copy = event_file(tmp_path), tmp_path / "stick" / "copy.dalej"
    copy.parent.mkdir()
    trail_of(event).write_text("{}\n")
    with Ledger.open(event) as ledger:
        ledger.backup(str(copy))

    assert [file.name for file in copy.parent.iterdir()] == ["copy.dalej"]
    assert "copies the event and not this file" in TEXT


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's command has left a certificate and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs the program openssl")
    folder = tmp_path_factory.mktemp("hall")
    (command,) = re.findall(r"^ {4}(openssl req (?:.*\\\n)*.*)$", PAGE, re.MULTILINE)
    words = shlex.split(command.replace("\\\n", " "))
    subprocess.run([openssl, *words[1:]], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder


def test_the_pages_certificate_is_one_that_browsers_accept_once_it_is_loaded(hall: Path) -> None:
    made = x509.load_pem_x509_certificate((hall / "hall.pem").read_bytes())

    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["hall.local"]
    assert [str(address) for address in names.get_values_for_type(x509.IPAddress)] == ["192.168.4.1"]
    purposes = made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert ExtendedKeyUsageOID.SERVER_AUTH in purposes
    assert (made.not_valid_after_utc - made.not_valid_before_utc).days <= 825
    if os.name == "posix":
        assert stat.S_IMODE((hall / "hall.key").stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("called", ["hall.local", "192.168.4.1"])
def test_who_has_loaded_the_pages_certificate_reaches_the_server_by_its_name_and_its_address(
    hall: Path, called: str
) -> None:
    assert shaken_hands(hall, called) == "TLSv1.3"


def test_who_has_loaded_the_pages_certificate_takes_no_other_name_for_the_hall(hall: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="elsewhere"):
        shaken_hands(hall, "elsewhere.example")


def test_the_pages_server_answers_to_every_name_of_the_pages_certificate(hall: Path, tmp_path: Path) -> None:
    (command,) = re.findall(r"^ {4}dalej (serve .*--cert .*)$", PAGE, re.MULTILINE)
    given = command_of_serve().make_context("serve", shlex.split(command)[1:]).params
    cert, key = str(hall / given["cert"]), str(hall / given["key"])
    made = x509.load_pem_x509_certificate((hall / given["cert"]).read_bytes())
    called = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value.get_values_for_type(
        x509.DNSName
    )

    async def answers() -> list[int]:
        async with served(tmp_path, names=given["names"], cert=cert, key=key) as rig:
            trust = ssl.create_default_context(cafile=cert)
            async with ClientSession(connector=TCPConnector(ssl=trust)) as client:
                url = f"https://127.0.0.1:{rig.server.port}/"
                asked = [
                    await client.get(url, headers={"Host": name}, server_hostname=called[0])
                    for name in (*called, "elsewhere.example")
                ]
                return [answer.status for answer in asked]

    assert asyncio.run(answers()) == [HTTPStatus.OK, HTTPStatus.MISDIRECTED_REQUEST]


def shaken_hands(hall: Path, called: str) -> str | None:
    """Which TLS a client and `dalej serve` agree upon; the client knows no other certificate, and is as strict as the
    newest Python.
    """
    server = tls(str(hall / "hall.pem"), str(hall / "hall.key"))
    assert server is not None
    client = ssl.create_default_context(cafile=str(hall / "hall.pem"))
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [client.wrap_bio(back, there, server_hostname=called), server.wrap_bio(there, back, server_side=True)]
    for _turn in range(4):
        for end in ends:
            with contextlib.suppress(ssl.SSLWantReadError):
                end.do_handshake()
    return ends[0].version()
