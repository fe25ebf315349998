"""`dalej` in this process, in an empty folder and with a club of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dalej.cli import main
from tests.provision.club import environment


class Done(NamedTuple):
    """What a run printed and how it ended."""

    code: int
    out: str
    err: str


Program = Callable[..., Done]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The club's folder."""
    return tmp_path / "home"


@pytest.fixture
def dalej(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Program:
    """`dalej("box", …)`, in English."""
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Done:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return Done(int(ended.value.code or 0), printed.out, printed.err)

    return run
