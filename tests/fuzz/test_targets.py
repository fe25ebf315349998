"""Bytes of strangers, as many as hypothesis thinks of: `tests/fuzz/targets.py` says what each must leave alone."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moveclock import wire
from tests.fuzz.targets import TARGETS

KINDS = st.sampled_from([wire.HELLO, wire.WELCOME, wire.AUTH, wire.ACCEPTED, wire.REFUSED, wire.SEALED, wire.ACK])
FRAMES = st.builds(lambda kind, rest: bytes([kind]) + rest, KINDS, st.binary(max_size=250))
CONVERSATIONS = st.lists(FRAMES, max_size=6).map(
    lambda frames: b"".join(bytes([min(255, len(frame))]) + frame[:255] for frame in frames)
)


@pytest.mark.parametrize("name", TARGETS)
@given(data=st.one_of(st.binary(max_size=400), CONVERSATIONS))
def test_a_strangers_bytes_change_nothing(name: str, data: bytes) -> None:
    TARGETS[name](data)


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
