"""What a program has read for the day is not searched for cycles again; it goes when nobody holds it any more."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from dalej.cli import longlived


class Held:
    """Something that may hold another one."""

    def __init__(self) -> None:
        self.other: object = None


@pytest.fixture
def left_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(longlived, "MANY", len(gc.get_objects()) + 20_000)
    before = list(gc.callbacks)
    longlived.leave_out_what_stays()
    yield
    gc.callbacks[:] = before
    gc.unfreeze()


@pytest.mark.usefixtures("left_out")
def test_what_is_much_and_in_use_is_left_out_of_later_searches() -> None:
    gc.collect()
    assert not gc.get_freeze_count()
    day = [Held() for _ in range(40_000)]
    gc.collect()
    assert gc.get_freeze_count() > len(day)
    assert len(gc.get_objects()) < len(day)


@pytest.mark.usefixtures("left_out")
def test_a_search_through_what_is_young_leaves_nothing_out() -> None:
    gc.collect()
    day = [Held() for _ in range(40_000)]
    gc.collect(1)
    assert day
    assert not gc.get_freeze_count()


@pytest.mark.usefixtures("left_out")
def test_what_only_holds_itself_when_much_is_left_out_is_found_first() -> None:
    one = Held()
    one.other = one
    seen = weakref.ref(one)
    del one
    day = [Held() for _ in range(40_000)]
    gc.collect()
    assert day
    assert gc.get_freeze_count()
    assert seen() is None


@pytest.mark.usefixtures("left_out")
def test_what_was_left_out_goes_when_nobody_holds_it_and_what_only_holds_itself_is_found_later_too() -> None:
    day = [Held() for _ in range(40_000)]
    fact = weakref.ref(day[0])
    gc.collect()
    day.clear()
    assert fact() is None

    one = Held()
    one.other = one
    seen = weakref.ref(one)
    del one
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize(("arguments", "times"), [("", 1), ("['--version']", 0)])
def test_a_process_of_the_program_does_so_once_and_leaves_that_of_others_alone(arguments: str, times: int) -> None:
    twice = (
        "import gc, sys; from dalej.cli import longlived; from dalej.cli.program import main\n"
        "sys.argv = ['dalej', '--version']\n"
        "for _ in range(2):\n"
        f"    try: main({arguments})\n"
        "    except SystemExit: pass\n"
        "print(gc.callbacks.count(longlived._after_search))"
    )
    told = subprocess.run([sys.executable, "-c", twice], capture_output=True, text=True, check=True, timeout=60).stdout
    assert told.splitlines()[-1] == str(times)
