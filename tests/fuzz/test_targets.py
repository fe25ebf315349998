"""Bytes of strangers, as many as hypothesis thinks of: `tests/fuzz/targets.py` says what each must leave alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moveclock import wire
from tests.fuzz.pages import ORGANISER, served_hall
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
        TARGETS[name](seed)


SENT = b"\nContent-Type: application/x-www-form-urlencoded\n\n"


def fails(*_: object) -> str:
    raise ArithmeticError


@pytest.mark.parametrize(
    ("part", "broken", "sent", "told"),
    [
        ("dalej.web.actpage._came_from", fails, b"GET /act/warn", "HTTP/1.1 500"),
        ("dalej.web.actpage.own_path", str, b"POST /back" + SENT + b"token={form}&path=//evil.org", "led elsewhere"),
        (
            "dalej.web.visits.hmac.compare_digest", lambda *_: True,
            b"POST /act/warn" + SENT + b"args=%7B%22player%22:3%7D&why=so&sure=yes", "something was done",
        ),
    ],
)  # fmt: skip
def test_pages_that_are_broken_are_found(
    monkeypatch: pytest.MonkeyPatch, part: str, broken: Callable[..., object], sent: bytes, told: str
) -> None:
    monkeypatch.setattr(part, broken)

    with pytest.raises(AssertionError, match=told):
        TARGETS["pages"](bytes([ORGANISER]) + sent)


def test_an_unknown_target_is_named_with_the_known_ones() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "nothing"],
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=60,
    )

    assert done.returncode == 2
    *_, said = done.stderr.splitlines()  # before it atheris, where it is installed, names what it looks into
    assert said == f"nothing: no such target, expected one of {', '.join(TARGETS)}"
