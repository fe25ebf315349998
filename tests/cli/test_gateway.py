"""`dalej gateway` and `dalej run --gateways`, the real programs, on a computer without Bluetooth."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.deskprocess import SOON_S, Desk, arguments, running, surroundings
from tests.world import event_file

TAKES = ("--no-bluetooth", "--name", "desk 1", "--gateways", "127.0.0.1", "--gateways-port", "0")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    return event_file(tmp_path, 4)


@contextmanager
def lending(folder: Path, *given: str) -> Iterator[Desk]:
    with subprocess.Popen(
        arguments("gateway", *given), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        env=surroundings(folder),
    ) as process:  # fmt: skip
        gateway = Desk(process)
        try:
            yield gateway
        finally:
            gateway.kill()


def shown(desk: Desk) -> tuple[str, str]:
    """The address and the code, as the desk shows them."""
    found = re.search(r"dalej gateway (\S+) (\S+)$", desk.until("lends its Bluetooth with: ").strip())
    assert found is not None
    return found[1], found[2]


def test_a_gateway_lends_says_why_nothing_is_heard_by_it_and_leaves_in_good_order(event: Path, tmp_path: Path) -> None:
    with running(event, *TAKES) as desk:
        address, code = shown(desk)
        with lending(tmp_path, address, code.upper(), "--name", "library", "--links", "7") as gateway:
            assert desk.until("gateway library lends its Bluetooth: 7 links")
            assert gateway.until("lent to the desk desk 1")
            assert desk.until("gateway library: the Bluetooth service of this computer does not run")
            gateway.process.send_signal(signal.SIGINT)
            gateway.until("Nothing is lent any more.")
            assert gateway.process.wait(SOON_S) == 0
        assert desk.until("gateway library is gone: its boxes come back by whoever else hears them")


def test_a_gateway_looks_for_its_desk_again_and_finds_the_next_one_with_the_same_code(
    event: Path, tmp_path: Path
) -> None:
    with running(event, *TAKES) as desk:
        address, code = shown(desk)
        with lending(tmp_path, address, code) as gateway:
            gateway.until("lent to the desk desk 1")
            desk.kill()
            gateway.until("the desk is gone: it is looked for")
            gateway.until(f"no desk answers at http://{address}")
            with running(event, *TAKES[:-1], address.rpartition(":")[2]) as second:
                assert shown(second) == (address, code), "the club's, and not of one run"
                gateway.until("lent to the desk desk 1")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("{address}", "aaaa-bbbb-cccc-dddd"), "knows another code: type the one that it shows"),
        (("{address}", "abcd"), "that is no gateway's code: expected 16 letters and digits, as the desk shows them"),
        (("the gym", "aaaa-bbbb-cccc-dddd"), "“the gym” is no address of a desk, expected one such as 192.168.1.5"),
        (("{address}",), "expected the code that the desk shows, behind its address"),
        (("{address}", "aaaa-bbbb-cccc-dddd", "--name", " "), "--name: expected a name"),
    ],
)
def test_what_cannot_be_lent_to_is_said_in_one_sentence(
    event: Path, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    with running(event, *TAKES) as desk:
        address, _code = shown(desk)
        done = subprocess.run(
            arguments("gateway", *(one.format(address=address) for one in words)), capture_output=True, text=True,
            encoding="utf-8", timeout=60, env=surroundings(tmp_path), stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        assert says in done.stderr
        assert "Traceback" not in done.stderr


def test_an_address_that_cannot_be_had_is_said_in_words(event: Path) -> None:
    done = subprocess.run(
        arguments("run", str(event), "--no-usb", "--no-bluetooth", "--gateways", "192.0.2.1"), capture_output=True,
        text=True, encoding="utf-8", timeout=60, env=surroundings(event.parent), check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "gateways cannot be answered at 192.0.2.1, port 8644" in done.stderr
