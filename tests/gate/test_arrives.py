"""What goes on for hours tells a file or a pipe each line at once, without a word of the environment about that."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tests import world

WITHIN_S: Final = 60


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["demo", "--no-screen", "--tables", "1", "--event", "new.dalej"], "dalej screen new.dalej"),
        (["run", "league.dalej", "--no-usb", "--name", "desk 1"], "desk 1 serves"),
        (["serve", "league.dalej", "--public-open", "--port", "0"], "http://"),
    ],
    ids=lambda one: one[0] if isinstance(one, list) else "",
)
def test_what_a_command_that_goes_on_says_is_in_the_file_while_it_goes_on(
    arguments: list[str], says: str, tmp_path: Path
) -> None:
    event = world.event_file(tmp_path, 4)
    arguments = [event.name if one == "league.dalej" else one for one in arguments]
    told = tmp_path / "told.txt"
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with told.open("wb") as file, subprocess.Popen(
        [sys.executable, "-m", "dalej", *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=file,
        stderr=subprocess.STDOUT, env={**plain, "LANGUAGE": "en", "DALEJ_HOME": str(tmp_path / "club"),
             "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={tmp_path / 'no-bus'}"},
    ) as process:  # fmt: skip
        try:
            deadline = time.monotonic() + WITHIN_S
            while says not in told.read_text(encoding="utf-8"):
                assert process.poll() is None, told.read_text(encoding="utf-8")
                assert time.monotonic() < deadline, f"{says!r} is not among {told.read_text(encoding='utf-8')!r}"
                time.sleep(0.1)
            assert process.poll() is None
        finally:
            process.kill()
