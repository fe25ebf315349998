"""Bytes of strangers, as many as hypothesis thinks of: `tests/fuzz/targets.py` says what each must leave alone."""

from __future__ import annotations

import subprocess
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from dalej.office.acts.roles import Actor, Role
from dalej.office.acts.wishes import Done, Wish
from dalej.web.sessions import Session
from dalej.web.visits import SessionHands, Visits
from moveclock import wire
from tests.fuzz.__main__ import LONGEST, main
from tests.fuzz.pages import (
    ANSWERED_WITHIN_S,
    INVITATION,
    INVITED,
    NOBODY,
    ORGANISER,
    PHONE,
    REFEREE,
    served_hall,
)
from tests.fuzz.targets import TARGETS, seeds

KINDS = st.sampled_from([wire.HELLO, wire.WELCOME, wire.AUTH, wire.ACCEPTED, wire.REFUSED, wire.SEALED, wire.ACK])
FRAMES = st.builds(lambda kind, rest: bytes([kind]) + rest, KINDS, st.binary(max_size=250))
CONVERSATIONS = st.lists(FRAMES, max_size=6).map(
    lambda frames: b"".join(bytes([min(255, len(frame))]) + frame[:255] for frame in frames)
)


@pytest.fixture(autouse=True)
def hall_is_closed() -> Iterator[None]:
    """If one was served."""
    yield
    if served_hall.cache_info().currsize:
        served_hall().close()
        served_hall.cache_clear()


def spoilt(good: bytes, place: int, gone: int, instead: bytes) -> bytes:
    start = place % (len(good) + 1)
    return good[:start] + instead + good[start + gone :]


@pytest.mark.filterwarnings("ignore::aiohttp.multipart.BadContentDispositionHeader")
@pytest.mark.filterwarnings("ignore::aiohttp.multipart.BadContentDispositionParam")
@pytest.mark.parametrize("name", TARGETS)
@given(data=st.data())
def test_a_strangers_bytes_change_nothing(name: str, data: st.DataObject) -> None:
    near = st.builds(
        spoilt, st.sampled_from(seeds(name)), st.integers(0, 2_000), st.integers(0, 4), st.binary(max_size=4)
    )
    TARGETS[name](data.draw(st.one_of(st.binary(max_size=400), CONVERSATIONS, near)))


@pytest.mark.parametrize("name", TARGETS)
def test_what_a_fuzzer_begins_with_changes_nothing(name: str) -> None:
    assert any(seeds(name))
    for seed in seeds(name):
        assert len(seed) <= LONGEST, "the fuzzer would cut it off"
        TARGETS[name](seed)


def test_an_input_meets_the_same_hall_whatever_came_before() -> None:
    first = [served_hall().visit(seed) for seed in seeds("pages")]

    assert [served_hall().visit(seed) for seed in seeds("pages")] == first


ASKED = "Content-Type: application/x-www-form-urlencoded\n\n"


@pytest.mark.parametrize(
    ("visitor", "asked", "status"),
    [
        (NOBODY, f"GET /join/{INVITED}", 200),
        (NOBODY, f"POST /join/{INVITED}\n{ASKED}name=Lis", 303),
        (NOBODY, f"POST /login\n{ASKED}role=referee&name=Lis&password=borsuk", 403),
        (NOBODY, f"POST /login\n{ASKED}role=public&name=Lis", 303),
        (ORGANISER, f"POST /people/withdraw\n{ASKED}token={{form}}&key={INVITATION}", 303),
        (ORGANISER, f"POST /phones/code\n{ASKED}token={{form}}&table=5", 303),
        (ORGANISER, f"POST /phones/forget\n{ASKED}token={{form}}&key={PHONE}", 303),
        (ORGANISER, "GET /hall\nConnection: keep-alive", 200),
    ],
)
def test_whatever_a_visitor_does_comes_to_an_end_and_is_there_for_the_next_one(
    monkeypatch: pytest.MonkeyPatch, visitor: int, asked: str, status: int
) -> None:
    monkeypatch.setattr("dalej.web.server.QUIET_S", 2 * ANSWERED_WITHIN_S)

    assert [served_hall().visit(bytes([visitor]) + asked.encode()) for _ in range(4)] == [status] * 4


SENT = b"\n" + ASKED.encode()


def fails(*_: object) -> str:
    raise ArithmeticError


def whoever_asks(visits: Visits, request: web.Request, *_roles: Role) -> Session | None:
    return visits._session_of(request)


def as_organiser(hands: SessionHands, wish: Wish) -> Awaitable[Done]:
    return hands.perform(Actor("Sowa", "organiser", served=True), wish)


@pytest.mark.parametrize(
    ("part", "broken", "visitor", "sent", "told"),
    [
        ("actpage._came_from", fails, ORGANISER, b"GET /act/warn", "HTTP/1.1 500"),
        ("actpage.own_path", str, ORGANISER, b"POST /back" + SENT + b"token={form}&path=//evil.org", "led elsewhere"),
        (
            "visits.hmac.compare_digest", lambda *_: True, ORGANISER,
            b"POST /act/warn" + SENT + b"args=%7B%22player%22:3%7D&why=so&sure=yes", "something was done",
        ),
        (
            "visits.SessionHands.do", as_organiser, REFEREE,
            b"POST /act/warn" + SENT + b"token={form}&args=%7B%22player%22:3%7D&why=so&sure=yes", "as somebody else",
        ),
        (
            "visits.Visits.expect", whoever_asks, REFEREE,
            b"POST /people/invite" + SENT + b"token={form}&role=organiser", "somebody was invited",
        ),
        (
            "visits.Visits.expect", whoever_asks, REFEREE,
            b"POST /people/withdraw" + SENT + b"token={form}&key=" + INVITATION.encode(), "an invitation is gone",
        ),
        (
            "visits.Visits.expect", whoever_asks, REFEREE,
            b"POST /phones/code" + SENT + b"token={form}&table=5", "club's files",
        ),
        (
            "passwords.Passwords.check", lambda *_: True, NOBODY,
            b"POST /login" + SENT + b"role=referee&name=Lis&password=borsuk", "somebody came in",
        ),
        (
            "invitations._key", lambda _: INVITATION, NOBODY,
            b"POST /join/" + b"1f" * 16 + SENT + b"name=Lis", "somebody came in",
        ),
        (
            "application._named", lambda _name, _role: served_hall()._rig.server.sessions.end_all("ended") and "Lis",
            NOBODY, b"POST /login" + SENT + b"role=public&name=Lis", "somebody was logged out",
        ),
    ],
)  # fmt: skip
def test_pages_that_are_broken_are_found(
    monkeypatch: pytest.MonkeyPatch, part: str, broken: Callable[..., object], visitor: int, sent: bytes, told: str
) -> None:
    monkeypatch.setattr(f"dalej.web.{part}", broken)

    with pytest.raises(AssertionError, match=told):
        TARGETS["pages"](bytes([visitor]) + sent)


def test_what_a_fuzzer_leaves_behind_is_tidied_up(monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[Path] = []

    def run(command: list[str], *, env: dict[str, str], **_: object) -> subprocess.CompletedProcess[str]:
        places.append(Path(env["TMPDIR"]))
        (places[0] / "hall.dalej").touch()
        return subprocess.CompletedProcess(command, 77)

    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(subprocess, "run", run)

    assert main(["pages"]) == 77
    assert not places[0].exists()


def test_an_unknown_target_is_named_with_the_known_ones(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    assert main(["nothing"]) == 2
    *_, said = capsys.readouterr().err.splitlines()  # atheris, where it is, names what it looks into
    assert said == f"nothing: no such target, expected one of {', '.join(TARGETS)}"
