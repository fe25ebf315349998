"""`dalej box info|log|blink|set|test` at a serial port of this system, with a real box core behind it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.cli.boxtalk import Portrait
from moveclock import facts as k
from moveclock.identity import KOSTKA
from tests.cli.club import at_home
from tests.cli.conftest import Program
from tests.cli.following import Typist, follows
from tests.link.cablebox import CableBox, PtyBox
from tests.link.rig import UID
from tests.processes import bounded

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")
OTHER_UID = b"\x24\x6f\x28\x01\x02\x04"


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A club with a secret in a file, and box 7 on its list."""
    folder = at_home(tmp_path / "club", monkeypatch)
    ClubKeys(folder, os.urandom).make()
    OwnBoxes(folder).keep(OwnBox(UID.hex(), "7", KOSTKA, 1_700_000_000_000))
    return folder


@pytest.fixture
def box(club: Path) -> Iterator[PtyBox]:
    """Box 7, paired with the club, at a port."""
    with PtyBox(CableBox(secret=ClubKeys(club, os.urandom).of_box(UID))) as here:
        yield here


def begin(box: PtyBox) -> None:
    """Its table begins a game."""
    with box.at_rest() as one:
        one.configure()
    box.tap(0)
    box.tap(0)


@pytest.fixture
def at_port() -> Iterator[Callable[[CableBox], str]]:
    """Puts another box at a port; its name."""
    held: list[PtyBox] = []

    def plug(one: CableBox) -> str:
        held.append(PtyBox(one))
        return held[-1].__enter__().device

    yield plug
    for one in held:
        one.__exit__(None, None, None)


def test_info_says_what_the_box_is_and_how_it_stands(dalej: Program, box: PtyBox) -> None:
    done = dalej("box", "info", box.device)

    assert (done.code, done.err) == (0, "")
    lines = [line.split(None, 1) for line in done.out.splitlines()]
    assert lines[0] == ["box", "7"]
    said = {line.strip().split("  ")[0]: line.split("  ")[-1].strip() for line in done.out.splitlines()[1:]}
    assert said["uid"] == UID.hex()
    assert said["firmware"] == "1"
    assert said["paired"] == "with this club"
    assert said["journal"].startswith("facts 1 to 1 of epoch ")
    assert said["not yet at a desk"] == "1"
    assert said["state"] == "not set up"
    assert said["free memory"] == "30 KB in the heap; the chip has 64 KB left, 40 KB in one piece"
    assert said["link"] == "USB cable, 247 bytes at a time"


def test_info_as_json_has_every_name_of_the_state(dalej: Program, box: PtyBox) -> None:
    with box.at_rest() as one:
        one.configure()

    (told,) = dalej("box", "info", box.device, "--json").objects

    assert told["box"] == UID.hex()
    assert (told["paired"], told["this_club"], told["setup"]) == (True, True, False)
    assert (told["state"], told["game"], told["bank"], told["oldest"]) == ("ready", 1, 50, 1)
    assert (told["head"], told["unacknowledged"], told["mtu"], told["free_bytes"]) == (3, 3, 247, 30 << 10)
    assert told["uptime_ms"] >= 0


def test_a_move_that_is_over_has_nothing_left_and_says_for_how_long() -> None:
    state: dict[str, int | None] = {
        "head": 9, "state": k.EXPIRED, "game": 1, "move": 4, "seat": 3, "bank": 20, "left": 2_500, "alarm": 0,
        "battery": 0, "uptime": 90_000,
    }  # fmt: skip

    told = Portrait(UID.hex(), "7", "air", setup=False, paired=True, club=True, epoch=5, state=state).fields

    assert (told["state"], told["left_ms"], told["over_ms"]) == ("expired", 0, 2_500)


def test_a_move_that_runs_is_not_over(dalej: Program, box: PtyBox) -> None:
    begin(box)

    (told,) = dalej("box", "info", box.device, "--json").objects

    assert 0 < told["left_ms"] <= 60_000
    assert told["over_ms"] is None


def test_info_of_a_box_in_setup_mode_needs_no_secret(
    dalej: Program, club: Path, at_port: Callable[[CableBox], str]
) -> None:
    port = at_port(CableBox(secret=b"", setup=True))

    done = dalej("box", "info", port)

    assert (done.code, done.err) == (0, "")
    assert "set-up mode" in done.out


def test_info_of_another_clubs_box_says_so(dalej: Program, club: Path, at_port: Callable[[CableBox], str]) -> None:
    port = at_port(CableBox(OTHER_UID, bytes(31) + b"\x01"))

    done = dalej("box", "info", port)

    assert done.code == 0
    assert "with another club" in done.out
    assert "pair it anew" in done.err


def test_the_log_is_read_and_nothing_is_acknowledged(dalej: Program, box: PtyBox) -> None:
    with box.at_rest() as one:
        one.configure()

    done = dalej("box", "log", box.device)

    assert done.code == 0
    assert "the box started (power on)" in done.out
    assert "ready for game 1" in done.out
    with box.at_rest() as one:
        assert one.box is not None
        assert one.box.journal.acked == 0


def test_the_log_as_json_has_as_many_lines_as_were_asked_for(dalej: Program, box: PtyBox) -> None:
    with box.at_rest() as one:
        assert one.box is not None
        for tap in range(80):
            one.box.clock.emit(k.STRAY_TAP, tap, k.KOSTKA, 0)

    last = dalej("box", "log", box.device, "--last", "5", "--json").objects
    everything = dalej("box", "log", box.device, "--all", "--json").objects

    assert [line["seq"] for line in last] == [77, 78, 79, 80, 81]
    assert [line["seq"] for line in everything] == list(range(1, 82))
    assert everything[0]["fact"] == "booted"
    assert everything[-1]["contact"] == "kostka"
    assert everything[-1]["at_ms"] > 1_700_000_000_000


def test_a_box_blinks(dalej: Program, box: PtyBox) -> None:
    done = dalej("box", "blink", box.device)

    assert (done.code, done.out) == (0, "Box 7 blinks for five seconds.\n")
    with box.at_rest() as one:
        assert one.box is not None
        assert one.box.commands.blink_until > 0


def test_a_table_is_set_up(dalej: Program, box: PtyBox) -> None:
    done = dalej(
        "box", "set", box.device, "--limit", "40", "--seats", "ABC", "--draw", "flag", "--sound", "soft", "--taps-only"
    )

    assert done.out == (
        "Box 7 is ready for game 1: 40.0 s a move, seats ABC, a tile before the click: noted, soft sound, taps only.\n"
    )
    with box.at_rest() as one:
        assert one.box is not None
        kept = one.box.clock.settings
        assert (kept.limit_ms, kept.seats, kept.draw, kept.sound, kept.taps_only) == (40_000, 7, 1, 1, True)


def test_a_ruleset_gives_the_rest(dalej: Program, box: PtyBox) -> None:
    done = dalej("box", "set", box.device, "--ruleset", "school-league")

    assert done.code == 0
    assert "seats ABCD" in done.out


@follows("cli/boxtalk.py _permitting")
def test_limit_czasu_a_box_is_set_up_by_eliminations_with_40_s_and_with_70_only_knowingly(
    dalej: Program, typist: Typist, box: PtyBox
) -> None:
    by_the_text = ("box", "set", box.device, "--ruleset", "pl-eliminations")

    refused = dalej(*by_the_text, "--limit", "70")

    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("time for a move stays 60 s: the regulation says otherwise than 70 s [LIMIT CZASU: ")
    assert "Organizator eliminacji może zmniejszyć czas do 40 sekund" in refused.err
    assert "40.0 s a move" in dalej(*by_the_text, "--limit", "40").out
    [knowingly] = typist.refused(*by_the_text, "--limit", "70")
    assert "70.0 s a move" in typist.types(knowingly).out
    assert "70.0 s a move" in dalej("box", "set", box.device, "--limit", "70").out, (
        "no ruleset, so no text says otherwise"
    )


def test_a_table_that_plays_is_not_set_up_anew(dalej: Program, box: PtyBox) -> None:
    begin(box)

    done = dalej("box", "set", box.device, "--limit", "40")

    assert done.code == 1
    assert done.err.startswith("box 7 is in a game (playing: game 1, move 1, seat A, 50 in the bank): set it up before")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "expected something to set"),
        (["--limit", "0"], "0 is not in the range"),
        (["--seats", "AX"], "X is not a seat"),
        (["--seats", "A"], "expected two to four"),
        (["--first", "D", "--seats", "AB"], "seat D starts but is not one of the seats AB"),
    ],
)
def test_what_no_table_can_be_set_to_is_said_before_anything_is_sent(
    dalej: Program, club: Path, arguments: list[str], said: str
) -> None:
    done = dalej("box", "set", "/dev/none", *arguments)

    assert done.code in (1, 2)
    assert said in done.err


def test_a_port_that_is_not_there_is_named(dalej: Program, club: Path) -> None:
    done = dalej("box", "blink", "/dev/ttyUSB77")

    assert (done.code, done.err) == (1, "there is no port /dev/ttyUSB77: plug the box in, or look for its name\n")


@pytest.fixture
def nobody_there() -> Iterator[tuple[str, int]]:
    """A port at which nothing answers, and its other end."""
    import tty  # not on Windows

    ours, theirs = os.openpty()
    tty.setraw(theirs)
    yield os.ttyname(theirs), ours
    os.close(ours)
    os.close(theirs)


def test_a_board_without_power_is_told_from_one_without_the_firmware(
    dalej: Program, club: Path, nobody_there: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, other_end = nobody_there
    monkeypatch.setattr("dalej.link.cable.ANSWER_WITHIN_MS", 500)

    silent = dalej("box", "info", port)

    assert silent.code == 1
    assert silent.err == (
        f"nothing at {port} says a word: look whether the board has power and the cable carries data; if it is an "
        f"empty board: dalej box install {port} --micropython FILE.bin\n"
    )
    over = threading.Event()

    def reply() -> None:
        while not over.is_set():
            if select.select([other_end], [], [], 0.05)[0]:
                os.write(other_end, os.read(other_end, 99) and b"MicroPython v1.29.0\r\n>>> ")

    replies = threading.Thread(target=reply)
    replies.start()
    speaks = dalej("box", "blink", port)
    over.set()
    replies.join()
    assert speaks.code == 1
    assert speaks.err == (
        f"what is at {port} does not answer as a box does; if the firmware of Dalej is not on it yet: "
        f"dalej box install {port}\n"
    )


def test_whoever_waits_at_a_terminal_is_told_at_once_what_for(club: Path, nobody_there: tuple[str, int]) -> None:
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "dalej", "--lang", "en", "box", "info", nobody_there[0]]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        said = ""
        with bounded(process):
            while "does the board have power?" not in said:
                said += os.read(ours, 4096).decode()
        process.kill()
    os.close(ours)
    os.close(theirs)

    assert said.splitlines() == [
        f"Looking at {nobody_there[0]} …",
        f"Nothing at {nobody_there[0]} has answered yet: does the board have power?",
    ]


def test_a_box_that_is_not_on_the_list_is_named(dalej: Program, club: Path) -> None:
    done = dalej("box", "blink", "12")

    assert done.code == 1
    assert "12" in done.err


def test_a_box_that_is_not_paired_says_how_to_pair_it(
    dalej: Program, club: Path, at_port: Callable[[CableBox], str]
) -> None:
    port = at_port(CableBox(OTHER_UID, b""))

    done = dalej("box", "blink", port)

    assert done.code == 1
    assert f"run dalej box pair {port}" in done.err


def settled(box: PtyBox) -> bool:
    with box.at_rest() as one:
        return one.box is not None and one.box.settled()


# --- test -----


def press_everything(box: PtyBox, contacts: range | list[int]) -> threading.Thread:
    """Somebody presses each contact, as soon as the box blinks."""

    def press() -> None:
        while True:
            with box.at_rest() as one:
                if one.box is not None and one.box.commands.blink_until:
                    break
        for contact in contacts:
            box.tap(contact)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


def test_a_box_whose_every_contact_arrives_passes(dalej: Program, box: PtyBox) -> None:
    thread = press_everything(box, range(10))

    done = dalej("box", "test", box.device, "--seconds", "20")
    thread.join()

    assert (done.code, done.err) == (0, "")
    assert "  A Już works (1 of 10)" in done.out
    assert done.out.endswith("Box 7 passes: all 10 contacts work.\n")


def test_a_button_that_never_arrives_is_named(dalej: Program, box: PtyBox) -> None:
    thread = press_everything(box, [0, 1, 2, 3, 4, 5, 6, 8])

    done = dalej("box", "test", box.device, "--seconds", "8")
    thread.join()

    assert done.code == 1
    assert done.err == "box 7 does not pass: nothing came from D Dalej, Sędzia\n"


def test_a_button_that_stays_down_loses_its_tick_even_if_it_was_the_last_one(dalej: Program, box: PtyBox) -> None:
    def press() -> None:
        press_everything(box, range(9)).join()
        with box.at_rest() as one:
            one.edge(k.SEDZIA, True)

    thread = threading.Thread(target=press)
    thread.start()

    done = dalej("box", "test", box.device, "--seconds", "30")
    thread.join()

    assert done.code == 1
    assert "  Sędzia works (10 of 10)\n  Sędzia is stuck: it does not count\n" in done.out
    assert done.err == "box 7 does not pass: stuck for five seconds or more: Sędzia\n"


def test_a_table_that_is_ready_is_as_ready_afterwards(dalej: Program, box: PtyBox) -> None:
    with box.at_rest() as one:
        one.configure()
    thread = press_everything(box, range(10))

    done = dalej("box", "test", box.device, "--seconds", "20")
    thread.join()

    assert (done.code, done.err) == (0, "")
    with box.at_rest() as one:
        assert one.box is not None
        clock = one.box.clock
        assert (clock.state, clock.game, clock.bank) == (k.READY, 1, 50)


def test_a_table_that_plays_is_not_tested(dalej: Program, box: PtyBox) -> None:
    begin(box)

    done = dalej("box", "test", box.device, "--seconds", "1")

    assert done.code == 1
    assert "test it when no clock runs" in done.err


@pytest.mark.parametrize("end", ["q", "\x1b", "SIGINT", "hang-up"])
def test_a_person_at_a_terminal_ends_the_test_when_they_like(club: Path, box: PtyBox, end: str) -> None:
    import termios

    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    command = [sys.executable, "-m", "dalej", "--lang", "en", "box", "test", box.device]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=subprocess.PIPE, text=True) as process:
        said = ""
        with bounded(process):
            while "q ends the test." not in said:
                said += os.read(master, 4096).decode()
            box.tap(0)
            while "A Już works (1 of 10)" not in said:
                said += os.read(master, 4096).decode()
        if end == "SIGINT":
            process.send_signal(signal.SIGINT)
        elif end == "hang-up":
            os.close(master)
        else:
            os.write(master, end.encode())
        _, problem = process.communicate(timeout=20)
    after = None if end == "hang-up" else termios.tcgetattr(slave)
    os.close(slave)
    if end != "hang-up":
        os.close(master)
        assert problem.startswith("box 7 does not pass: nothing came from A Dalej, B Już,")
        assert after == before
    assert process.returncode == 1
