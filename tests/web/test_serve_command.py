"""`dalej serve` as its user starts it: passwords first, then pages, then an end that is told."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from aiohttp import ClientError, ClientSession, CookieJar

from dalej.domain.tournament.tournament import EVENT
from dalej.errors import WrongInput
from dalej.event.ledger import Ledger
from dalej.web.server import tls
from dalej.web.sessions import trail_of
from tests.cli.conftest import Done, program
from tests.processes import bounded
from tests.web.rig import SECRETS, Browser, environment, event_file

if sys.platform != "win32":
    import resource

POSIX = os.name == "posix"
FEW_FILES = ("sh", "-c", 'ulimit -Sn 512; exec "$@"', "sh") if POSIX else ()


@pytest.fixture
def dalej(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Done]:
    """`dalej("--set-password", …, typed="…")`: `dalej serve` in this process, where it serves nothing."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    run = program(capsys)

    def serve(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return run("serve", *arguments)

    return serve


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server and its address."""
    with subprocess.Popen(
        [*FEW_FILES, sys.executable, "-m", "dalej", "serve", *arguments, "--port", "0"], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, encoding="utf-8", env=environment(folder),
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            with bounded(process):
                address = next(line for line in process.stdout if line.startswith("http")).strip().rstrip("/")
            yield process, address
        finally:
            process.kill()


def named(event: Path) -> None:
    """It is called otherwise than its file."""
    with Ledger.open(event) as ledger:
        ledger.decide(EVENT, {"name": "Liga Borsuka"}, who="Wydra", when_ms=1, why="so it is called", subject="event")


def files_of(pid: int) -> int:
    """How many it may have open."""
    (line,) = [one for one in Path(f"/proc/{pid}/limits").read_text().splitlines() if one.startswith("Max open files")]
    return int(line.split()[3])


def test_without_a_password_nobody_could_log_in_and_it_says_what_to_type(
    dalej: Callable[..., Done], tmp_path: Path
) -> None:
    event = event_file(tmp_path)
    done = dalej(str(event))

    assert done.code == 1
    assert done.out == ""
    assert "no password is set" in done.err
    assert "serve --set-password referee" in done.err


def test_a_password_comes_from_standard_input_and_is_shown_nowhere(dalej: Callable[..., Done], tmp_path: Path) -> None:
    done = dalej("--set-password", "referee", typed=f"{SECRETS['referee']}\n")

    assert done.code == 0, done.err
    kept = tmp_path / "club" / "serve.passwords"
    assert SECRETS["referee"] not in done.out + done.err + kept.read_text()
    if POSIX:
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("arguments", "typed", "code", "says"),
    [
        (["--set-password", "referee"], "short\n", 1, "10 characters or more"),
        (["--set-password", "referee"], "", 1, "this one has 0"),
        (["--set-password", "king"], "", 2, "king"),
        (["--set-password", "referee", "cup.dalej"], "", 2, "passwords are the club's"),
        (["--drop-password", "referee"], "", 1, "the role referee has no password"),
        ([], "", 1, "no password is set"),
        (["--public-open"], "", 1, "there is no event in this folder"),
        (["cup.dalej", "--cert", "x.pem"], "", 2, "go together"),
        (["cup.dalej", "--public-open", "--cert", "x.pem", "--key", "y.pem"], "", 1, "does not exist"),
    ],
)
def test_wrong_usage_is_said_in_words(
    dalej: Callable[..., Done], arguments: list[str], typed: str, code: int, says: str
) -> None:
    done = dalej(*arguments, typed=typed)

    assert (done.code, "Traceback" in done.err) == (code, False), done.err
    assert says in done.err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--cert", "nothing.pem", "--key", "other.pem"], "nothing.pem and other.pem are no certificate"),
        (["--host", "198.51.100.7"], "198.51.100.7 --tls, or dalej serve"),
        (["--host", "198.51.100.7", "--plain"], "cannot be listened at"),
        (["--host", "no such host", "--plain"], "no address or name"),
    ],
)
def test_what_cannot_be_served_is_said_in_words(
    dalej: Callable[..., Done], tmp_path: Path, more: list[str], says: str
) -> None:
    done = dalej(str(event_file(tmp_path)), "--public-open", "--port", "0", *more)

    assert (done.code, "Traceback" in done.err) == (1, False), done.err
    assert says in done.err


def test_of_a_certificate_that_has_its_key_in_the_same_file_that_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "own.pem"
    file.write_text("half a certificate")
    file.chmod(0o600)

    with pytest.raises(WrongInput, match=r"own\.pem is no certificate with its key in PEM"):
        tls(str(file))


def test_the_whole_network_is_told_of_what_travels_in_clear(tmp_path: Path) -> None:
    with running(tmp_path, str(event_file(tmp_path)), "--public-open", "--plain", "--host", "0.0.0.0") as (
        process,
        url,
    ):
        assert re.match(r"http://\S+:\d+", url)
        if sys.platform.startswith("linux"):
            assert files_of(process.pid) >= min(8_192, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        with bounded(process):
            said = process.stdout.read()
        process.wait(30)

    assert "the public's pages alone are served" in said
    assert "Nothing is served any more." in said
    assert process.returncode == 0


@pytest.mark.skipif(not POSIX, reason="Windows has no such signals")
@pytest.mark.parametrize("end", ["SIGTERM", "SIGKILL"])
def test_pages_are_served_and_whoever_looks_is_told_when_the_server_ends(
    dalej: Callable[..., Done], tmp_path: Path, end: str
) -> None:
    event = event_file(tmp_path)
    named(event)
    dalej("--set-password", "referee", typed=f"{SECRETS['referee']}\n")
    with running(tmp_path, str(event)) as (process, url):

        async def look() -> None:
            async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as client:
                browser = Browser(client, url)
                assert (await browser.log_in("referee", "Sowa")).status == 303
                assert "<title>Hall · Liga Borsuka</title>" in await browser.page("/hall")
                async with browser.looking("/live/hall") as live:
                    assert "Liga Borsuka" in (await live.parts())["bar"]
                    process.send_signal(getattr(signal, end))
                    if end == "SIGTERM":
                        await live.over()
                    else:
                        with suppress(ClientError):
                            assert await live.said() is None

        asyncio.run(look())
        assert process.wait(30) == (0 if end == "SIGTERM" else -signal.SIGKILL)
    assert '"log":"in","name":"Sowa","role":"referee"' in trail_of(event).read_text()


def test_the_log_tells_who_came_who_was_refused_from_where_and_why_and_never_what_was_typed_for_it(
    dalej: Callable[..., Done], tmp_path: Path
) -> None:
    event = event_file(tmp_path)
    dalej("--set-password", "referee", typed=f"{SECRETS['referee']}\n")
    log = tmp_path / "here" / "serve.txt"
    with running(tmp_path, str(event), "-v", "--log-file", str(log)) as (process, url):

        async def come_and_go() -> str:
            async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as client:
                browser = Browser(client, url)
                assert (await browser.log_in("referee", "secret of Lis", "not the password")).status == 403
                assert (await browser.log_in("referee", "Sowa")).status == 303
                token = browser.token
                await browser.post("/logout")
                return token

        token = asyncio.run(come_and_go())
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        with bounded(process):
            said = process.stdout.read()

    begins, *lines, ends = [line.partition(" dalej.web: ")[2] for line in log.read_text(encoding="utf-8").splitlines()]
    assert begins.startswith(f"{event} is served at 127.0.0.1, in clear; dalej ")
    assert lines == [
        "a log-in as referee was refused, from 127.0.0.1: wrong password",
        "Sowa logged in as referee, from 127.0.0.1",
        "Sowa (referee, from 127.0.0.1) is logged out: that was wished",
    ]
    assert ends == "nothing is served any more"
    assert f"is kept in {log}" in said
    assert all(line in said for line in lines)  # -v
    told = log.read_text() + said
    assert not [one for one in (SECRETS["referee"], "not the password", "secret of Lis", token) if one in told]
