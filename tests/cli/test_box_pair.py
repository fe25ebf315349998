"""`dalej box pair` at a serial port of this system."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.errors import Unreachable
from dalej.link.plug import Plug
from moveclock.identity import KOSTKA
from tests.cli.club import at_home
from tests.cli.conftest import Program
from tests.link.cablebox import CableBox, PtyBox
from tests.link.rig import UID

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A club's folder with nothing in it yet."""
    return at_home(tmp_path / "club", monkeypatch)


@pytest.fixture
def box(club: Path) -> Iterator[PtyBox]:
    """A new box, plugged in with two buttons held."""
    with PtyBox(CableBox(secret=b"", setup=True)) as here:
        yield here


def test_a_new_box_is_paired_named_and_started(dalej: Program, club: Path, box: PtyBox) -> None:
    done = dalej("box", "pair", box.device, "--name", "7")

    assert (done.code, done.err) == (0, "")
    first, second = done.out.splitlines()
    assert first == f"Box 7 (uid {UID.hex()}) is paired with this club: write “7” on it."
    assert second.startswith("The club's secret was made for it; ")
    assert [(one.uid, one.name, one.build) for one in OwnBoxes(club)] == [(UID.hex(), "7", KOSTKA)]
    with box.at_rest() as one:
        assert one.secret == ClubKeys(club, os.urandom).of_box(UID)
        assert not one.setup
        assert one.box is not None


def test_what_is_paired_can_be_talked_to(dalej: Program, club: Path, box: PtyBox) -> None:
    dalej("box", "pair", box.device)

    done = dalej("box", "blink", box.device)

    assert (done.code, done.out) == (0, "Box 1 blinks for five seconds.\n")


def test_the_secret_appears_nowhere(dalej: Program, club: Path, box: PtyBox) -> None:
    done = dalej("box", "pair", box.device)

    keys = ClubKeys(club, os.urandom)
    for secret in (keys.secret(), keys.of_box(UID)):
        assert secret.hex() not in done.out + done.err


def test_a_box_that_is_not_in_setup_mode_is_left_alone(dalej: Program, club: Path, box: PtyBox) -> None:
    with box.at_rest() as one:
        one.setup = False

    done = dalej("box", "pair", box.device)

    assert done.code == 1
    assert done.err == (
        f"the box at {box.device} is not in set-up mode: unplug it, then hold Już and Dalej "
        "(of seat A, if each seat has its own) while you plug it in, and try again\n"
    )
    assert not ClubKeys(club, os.urandom).exist()


def test_a_name_that_another_box_has_is_refused_before_anything_is_written(
    dalej: Program, club: Path, box: PtyBox
) -> None:
    OwnBoxes(club).keep(OwnBox("240ac4001207", "7", KOSTKA, 0))

    done = dalej("box", "pair", box.device, "--name", "7")

    assert done.code == 1
    assert "240ac4001207 is called 7 already" in done.err
    with box.at_rest() as one:
        assert one.secret == b""


def test_a_box_that_is_paired_again_keeps_its_name(dalej: Program, club: Path, box: PtyBox) -> None:
    OwnBoxes(club).keep(OwnBox(UID.hex(), "spare", KOSTKA, 0))

    done = dalej("box", "pair", box.device, "--yes")

    assert done.out.startswith(f"Box spare (uid {UID.hex()}) is paired with this club anew.")


def test_a_box_that_is_paired_again_gets_another_secret_and_the_old_one_counts_no_more(
    dalej: Program, club: Path, box: PtyBox
) -> None:
    secrets = []
    for _ in range(2):
        with box.at_rest() as one:
            one.setup = True
        assert dalej("box", "pair", box.device, "--yes").code == 0
        with box.at_rest() as one:
            secrets.append(one.secret)

    assert secrets[0] != secrets[1] == ClubKeys(club, os.urandom).of_box(UID)


@pytest.mark.parametrize("answer", ["n\n", ""])
def test_what_says_that_it_is_a_box_of_the_club_gets_no_secret_before_somebody_has_looked(
    dalej: Program, club: Path, box: PtyBox, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    OwnBoxes(club).keep(OwnBox(UID.hex(), "spare", KOSTKA, 0))
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))

    done = dalej("box", "pair", box.device)

    assert done.code == 1
    assert "says that it is box spare of this club" in done.err
    with box.at_rest() as one:
        assert one.secret == b""


def test_a_box_of_the_club_is_paired_again_when_somebody_says_that_it_is_the_one(
    dalej: Program, club: Path, box: PtyBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    OwnBoxes(club).keep(OwnBox(UID.hex(), "spare", KOSTKA, 0))
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))

    assert dalej("box", "pair", box.device).code == 0


def test_a_flash_that_cannot_be_written_is_said_and_the_box_is_not_on_the_list(
    dalej: Program, club: Path, box: PtyBox
) -> None:
    with box.at_rest() as one:
        one.flash.broken = True

    done = dalej("box", "pair", box.device)

    assert done.code == 1
    assert "could not write its new secret to its flash" in done.err
    assert list(OwnBoxes(club)) == []


def test_something_else_at_the_port_is_no_box(dalej: Program, club: Path, box: PtyBox) -> None:
    with box.at_rest() as one:
        one.deaf = True

    done = dalej("box", "pair", box.device)

    assert done.code == 1
    assert done.err.startswith(f"nothing at {box.device} says a word: look whether the board has power")


def test_two_that_are_paired_at_once_get_two_numbers(
    dalej: Program, club: Path, box: PtyBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    paired = Plug.pair

    async def meanwhile(plug: Plug, uid: bytes, secret: bytes) -> None:
        with OwnBoxes(club).pairing("240ac4001207", None, KOSTKA, 1, bytes(16)):
            await paired(plug, uid, secret)

    monkeypatch.setattr(Plug, "pair", meanwhile)

    done = dalej("box", "pair", box.device)

    assert (done.code, done.err) == (0, "")
    assert [(one.name, one.uid, bool(one.paired_ms)) for one in OwnBoxes(club)] == [
        ("1", UID.hex(), True), ("2", "240ac4001207", True),
    ]  # fmt: skip


def test_a_list_that_cannot_be_written_is_said_before_the_box_gets_a_secret(
    dalej: Program, club: Path, box: PtyBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Path, text: str) -> None:
        raise Unreachable("{file} cannot be written: the disk is full", file=file)

    monkeypatch.setattr("dalej.boxes.paired.write_whole", full)

    done = dalej("box", "pair", box.device)

    assert (done.code, done.err) == (1, f"{club / 'boxes.json'} cannot be written: the disk is full\n")
    with box.at_rest() as one:
        assert one.secret == b""
    assert not ClubKeys(club, os.urandom).exist()


def test_a_pairing_that_fails_leaves_the_list_as_it_was(dalej: Program, club: Path, box: PtyBox) -> None:
    before = OwnBox(UID.hex(), "spare", KOSTKA, 5)
    OwnBoxes(club).keep(before)
    with box.at_rest() as one:
        one.flash.broken = True

    assert dalej("box", "pair", box.device, "--yes", "--name", "7").code == 1
    assert list(OwnBoxes(club)) == [before]


@pytest.mark.parametrize("pulled_at", [2, 3])
def test_a_cable_that_is_pulled_once_the_box_has_its_secret_does_not_take_it_off_the_list(
    dalej: Program, club: Path, box: PtyBox, monkeypatch: pytest.MonkeyPatch, pulled_at: int
) -> None:
    who, asked = Plug.who, []

    async def asks(plug: Plug) -> object:
        asked.append(plug)
        if len(asked) >= pulled_at:
            raise Unreachable("the port has vanished")
        return await who(plug)

    monkeypatch.setattr(Plug, "who", asks)

    done = dalej("box", "pair", box.device)

    assert (done.code, done.err) == (0, "")
    assert "It has not come back yet: plug it in anew" in done.out
    assert [bool(one.paired_ms) for one in OwnBoxes(club)] == [True]


def test_a_box_whose_answer_is_lost_must_be_paired_anew_and_nobody_says_that_it_is_paired(
    dalej: Program, club: Path, box: PtyBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the new secret, which a desk would not know if the list went back to the number before."""
    assert dalej("box", "pair", box.device).code == 0
    with box.at_rest() as one:
        one.setup, before = True, one.secret
    pair = Plug.pair

    async def pulls(plug: Plug, uid: bytes, secret: bytes) -> None:
        await pair(plug, uid, secret)
        raise Unreachable("the port has vanished")

    monkeypatch.setattr(Plug, "pair", pulls)

    assert dalej("box", "pair", box.device, "--yes").code == 1

    with box.at_rest() as one:
        assert one.secret not in (b"", before)
        assert ClubKeys(club, os.urandom).of_box(UID) == one.secret
    assert [(one.name, one.outdated) for one in OwnBoxes(club)] == [("1", True)]
