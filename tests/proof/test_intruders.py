"""Who has everything but the secret changes nothing; and that it is found if the product lets him."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from aiohttp import web

from dalej.centre.mirror import Mirror
from dalej.centre.serving import CentreServer
from dalej.cli.phones import PhoneTables
from dalej.link import gateways
from dalej.link.session import Session
from dalej.web import visits
from dalej.web.application import Application
from dalej.web.passwords import Passwords
from dalej.web.sessions import Session as LogIn
from moveclock import secure, wire
from moveclock.links import Links
from moveclock.peer import Peer
from proof import intruderdoors, intruderpages, intruders
from tests.postgres import own_database, programs

Attempts = Callable[[Path], object]


def on_the_air(_folder: Path) -> Counter[str]:
    return intruders.on_the_air(1)


def at_a_socket(folder: Path) -> int:
    return asyncio.run(intruderdoors.at_a_socket(folder, Random(1)))


def at_a_door(_folder: Path) -> int:
    return asyncio.run(intruderdoors.at_a_door(Random(1)))


def at_a_centre(folder: Path) -> int:
    with own_database("centre") as database:
        if not database:
            pytest.skip("there is no PostgreSQL here (Debian: apt-get install postgresql)")
        return asyncio.run(intruderdoors.at_a_centre(database, folder, Random(1)))


def at_pages(folder: Path) -> int:
    return asyncio.run(intruderpages.at_pages(folder, Random(1)))


@pytest.fixture(autouse=True)
def without_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


def test_a_story_finds_nothing_and_has_attempts_of_each_kind() -> None:
    counts = intruders.with_all_but_the_secret(1).counts

    kinds = (intruders.AS_THE_DESK, intruders.AS_A_BOX, intruders.BETWEEN, intruderdoors.SOCKET, intruderdoors.DOOR,
             intruderdoors.PAGES, *([intruderdoors.CENTRE] if programs() else []))  # fmt: skip
    assert {kind for kind in counts if counts[kind]} == {"attempts", *kinds}
    assert all(counts[kind] > 100 for kind in kinds), counts
    assert counts["attempts"] == sum(counts[kind] for kind in kinds)


def test_on_the_air_a_seed_is_always_the_same_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intruders, "TABLES", 2)

    assert intruders.on_the_air(2) == intruders.on_the_air(2)


def _opens(seal: secure.Seal, data: bytes) -> bytes:
    """Whatever has the shape of a sealed frame."""
    if len(data) < secure.OVERHEAD:
        raise secure.SecureError("short")
    return bytes(data[4 : -secure.FRAME_TAG])


def _opens_old(seal: secure.Seal, data: bytes) -> bytes:
    """What was opened before, once more."""
    seal.counter = 0
    return _OPEN(seal, data)


_OPEN = secure.Seal.open
_RECEIVE = Links.receive


def _acknowledges(links: Links, link: int, frame: bytes, nonce: bytes, now: int) -> None:
    """A hello tells what a desk knows, and is believed before its proof."""
    _RECEIVE(links, link, frame, nonce, now)
    try:
        *_, epoch, last, _ = wire.unpack_hello(frame)
    except wire.WireError:
        return
    if frame[0] == wire.HELLO and epoch == links._journal.epoch:
        links._journal.acknowledge(min(last, links._journal.head))


def _accepted(session: Session, frame: bytes, now_ms: int) -> None:
    """Whatever says that it is the box's word."""
    for welcome in session._welcomes:
        tag = secure.handshake_tag(session._secret, secure.BOX, welcome.transcript + frame[1:5])
        _ACCEPTED(session, frame[:5] + tag, now_ms)


_ACCEPTED = Session._accepted


def _anybody(application: Application, request: web.Request) -> LogIn | None:
    """Behind the log-in, whoever has no session is the referee."""
    found = _SESSION(application, request)
    if found is not None or request.path.startswith(("/login", "/join")):
        return found
    return next((one for one in application._sessions.all() if one.actor.role == "referee"), None)


_SESSION = Application._session


def _admits(tables: PhoneTables, uid: bytes, _device: bytes, _nonce: bytes, _proved: bytes) -> bytes:
    return tables._keys.of_box(uid)


async def _refuses_at_length(server: CentreServer, request: web.Request, answer: Any) -> web.Response:
    """And says in that of what it would have told, had the key been the right one."""
    answered = await _ANSWERED(server, request, answer)
    if answered.status != HTTPStatus.UNAUTHORIZED:
        return answered
    return web.json_response({"refused": server._mirror.lines("A")}, status=answered.status)


_ANSWERED = CentreServer._answered


ANYTHING = SimpleNamespace(digest=hmac.digest, compare_digest=lambda _one, _other: True)


@pytest.mark.parametrize(
    ("where", "name", "spoilt", "attempts", "found"),
    [
        (Peer, "proves", lambda _peer, _frame, _secret: True, on_the_air, "the box says .* to a stranger"),
        (secure.Seal, "open", _opens, on_the_air, "is not the box's journal|one number has two facts"),
        (secure.Seal, "open", _opens_old, on_the_air, "an old state was taken for a new one"),
        (Links, "receive", _acknowledges, on_the_air, "as the desk .* has changed acknowledged"),
        (Session, "_accepted", _accepted, on_the_air, "the desk goes on with a stranger"),
        (PhoneTables, "admit", _admits, at_a_socket, "at the WebSocket .* is answered"),
        (gateways, "hmac", ANYTHING, at_a_door, "at the gateways' door .* is answered"),
        (Mirror, "revoke", lambda _mirror, _name, _now: None, at_a_centre, "by a stranger .* is answered with [24]0"),
        (CentreServer, "_answered", _refuses_at_length, at_a_centre, "by a stranger .* is told what the hall has told"),
        (Application, "_session", _anybody, at_pages, "by (nobody|an invented cookie).* is answered with"),
        (visits, "hmac", ANYTHING, at_pages, "by a referee who was lured.* is answered with"),
        (Passwords, "check", lambda _passwords, _role, _password: True, at_pages, "a wrong password .* is right"),
    ],
    ids=["a box takes any proof", "ends take any seal", "ends take old frames", "a box believes a hello",
         "a desk takes any box", "a desk admits any phone", "a desk takes any gateway", "a centre takes an old key",
         "a centre says too much", "pages are anybody's", "a form needs no token", "any password is right"],
)  # fmt: skip
def test_what_lets_a_stranger_in_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: object, name: str, spoilt: object, attempts: Attempts,
    found: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(where, name, spoilt)
    with pytest.raises(AssertionError, match=found):
        attempts(tmp_path)
