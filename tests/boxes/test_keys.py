"""The club's secret: made once, kept in one place, and never a second one behind the organiser's back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.secret import SECRET_BYTES, ClubKeys, fingerprint
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.words import advised
from moveclock.secure import box_secret
from tests.boxes import rings

Use = Callable[[str], Path]

_MAKE = """
import os, sys
from pathlib import Path
from dalej.boxes.secret import ClubKeys, fingerprint
sys.stdin.readline()
print(fingerprint(ClubKeys(Path(sys.argv[1]), os.urandom).make()))
"""


def keys(folder: Path) -> ClubKeys:
    """Its secrets are all alike bytes, another one every time."""
    numbers = count(1)
    return ClubKeys(folder, lambda size: bytes([next(numbers)]) * size)


def test_a_club_begins_without_a_secret_and_says_what_makes_one(folder: Path) -> None:
    club = keys(folder)
    assert not club.exist()
    with pytest.raises(Refused) as caught:
        club.secret()
    assert "; dalej box pair PORT makes one" in advised(caught.value)
    assert not folder.exists()


def test_the_secret_is_made_once(folder: Path) -> None:
    made = keys(folder).make()
    again = ClubKeys(folder, lambda size: bytes([9]) * size)
    assert (made, again.make(), again.secret(), again.exist()) == (bytes([1]) * 32, made, made, True)
    assert again.where() == str(folder / "club.key")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes; the file lies in the user's own folder")
def test_nobody_but_the_owner_may_read_file_and_folder(folder: Path) -> None:
    keys(folder).make()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_may_read_is_refused_with_what_to_do(folder: Path, mode: int) -> None:
    club = keys(folder)
    club.make()
    (folder / "club.key").chmod(mode)
    with pytest.raises(Refused, match="chmod 600"):
        club.secret()


@pytest.mark.parametrize("text", ["", "zz" * 32, "ab" * 31, "AB" * 32, "ab" * 33, "ab" * 5000])
def test_something_else_in_the_secrets_place_is_damage_and_stays(folder: Path, text: str) -> None:
    folder.mkdir()
    file = folder / "club.key"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    for ask in (keys(folder).exist, keys(folder).secret, keys(folder).make):
        with pytest.raises(Damaged, match="expected 64 hex digits"):
            ask()
    assert file.read_text(encoding="utf-8") == text


def test_two_programs_that_begin_at_once_make_one_secret(folder: Path) -> None:
    together = [
        subprocess.Popen(
            [sys.executable, "-c", _MAKE, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for one in together:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    told = {one.communicate(timeout=60)[0].strip() for one in together}
    assert told == {fingerprint(ClubKeys(folder, os.urandom).secret())}
    assert sorted(file.name for file in folder.iterdir()) == ["club.id", "club.key", "club.lock"]


def test_a_secret_that_is_lost_is_not_made_anew_unasked(folder: Path) -> None:
    club = keys(folder)
    lost = club.make()
    (folder / "club.key").unlink()
    for ask in (club.exist, club.secret, club.make):
        with pytest.raises(Damaged, match=f"{fingerprint(lost)}.*not found any more"):
            ask()
    club.replace(lost)
    assert club.secret() == lost


def test_each_box_has_a_secret_of_its_own(folder: Path) -> None:
    club = keys(folder)
    secret = club.make()
    first, second = b"\x24\x0a\xc4\x00\x12\x07", b"\x24\x0a\xc4\x00\x12\x08"
    assert club.of_box(first) == box_secret(secret, first, b"") != club.of_box(second)


def test_a_box_that_is_paired_anew_has_another_secret_and_no_other_box_has(folder: Path) -> None:
    """Whoever opened a box and read it knows what it was paired with last."""
    club, boxes = keys(folder), OwnBoxes(folder)
    club.make()
    first, second = b"\x24\x0a\xc4\x00\x12\x07", b"\x24\x0a\xc4\x00\x12\x08"
    read = []
    for uid, number in ((first, b"\x01"), (second, b"\x02"), (first, b"\x03")):
        with boxes.pairing(uid.hex(), None, 0, 5, number * 16):
            read.append(club.of_box(uid))
    assert len(set(read)) == 3
    assert (club.of_box(first), club.of_box(second)) == (read[2], read[1])
    boxes.forget(first.hex())
    assert club.of_box(first) not in read, "a box that was stolen is believed no more"


def test_after_another_secret_took_the_place_boxes_get_theirs_from_that(folder: Path) -> None:
    club = keys(folder)
    club.make()
    before = club.of_box(bytes(6))
    club.replace(b"\x77" * SECRET_BYTES)
    assert (club.secret(), club.of_box(bytes(6)) == before) == (b"\x77" * SECRET_BYTES, False)


def test_a_secret_of_another_length_takes_no_place(folder: Path) -> None:
    with pytest.raises(WrongInput, match="32 bytes, not 31"):
        keys(folder).replace(bytes(31))


def test_where_there_is_a_keyring_the_secret_is_in_it_and_in_no_file(folder: Path, ring: Use) -> None:
    entry = ring(rings.FOLDER)
    club = keys(folder)
    made = club.make()
    assert entry.read_text(encoding="utf-8") == made.hex()
    assert not (folder / "club.key").exists()
    assert (club.secret(), "FolderRing" in club.where()) == (made, True)


def test_a_file_counts_where_the_keyring_holds_none(folder: Path, ring: Use) -> None:
    """The keyring came later, with a desktop, say."""
    made = keys(folder).make()
    entry = ring(rings.FOLDER)
    club = keys(folder)
    assert (club.secret(), club.make(), entry.exists()) == (made, made, False)
    assert club.where() == str(folder / "club.key")


def test_two_different_secrets_are_damage_in_words_and_an_import_settles_it(folder: Path, ring: Use) -> None:
    keys(folder).make()
    entry = ring(rings.FOLDER)
    entry.write_text("cd" * 32, encoding="utf-8")
    club = keys(folder)
    for ask in (club.exist, club.secret, club.make):
        with pytest.raises(Damaged, match="hold different club secrets"):
            ask()
    club.replace(b"\xcd" * SECRET_BYTES)
    assert (club.secret(), keys(folder).secret()) == (b"\xcd" * SECRET_BYTES, b"\xcd" * SECRET_BYTES)


def test_the_same_secret_in_both_places_is_one(folder: Path, ring: Use) -> None:
    made = keys(folder).make()
    ring(rings.FOLDER).write_text(made.hex(), encoding="utf-8")
    assert keys(folder).secret() == made


def test_a_keyring_out_of_reach_is_no_reason_for_a_second_secret(
    folder: Path, ring: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over ssh there is no desktop, and so no keyring."""
    ring(rings.FOLDER)
    made = keys(folder).make()
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", rings.NONE)
    for ask in (keys(folder).exist, keys(folder).secret, keys(folder).make):
        with pytest.raises(Unreachable, match=f"{fingerprint(made)}.*cannot be reached from here"):
            ask()
    assert not (folder / "club.key").exists()


@pytest.mark.parametrize(
    ("name", "says"),
    [(rings.LOCKED, "is locked: unlock it"), (rings.SICK, "does not answer"), (rings.FORGETFUL, "does not keep"),
     ("no.such.Ring", "cannot be loaded")],
)  # fmt: skip
def test_a_keyring_that_fails_is_one_sentence_and_makes_no_file(folder: Path, ring: Use, name: str, says: str) -> None:
    ring(name)
    with pytest.raises(Unreachable, match=says) as failed:
        keys(folder).make()
    assert "\n" not in str(failed.value)
    assert not (folder / "club.key").exists()


def test_what_a_keyring_says_of_its_failure_is_not_passed_on(folder: Path, ring: Use) -> None:
    """It may repeat what it was to keep."""
    ring(rings.SICK)
    with pytest.raises(Unreachable) as failed:
        keys(folder).make()
    shown: BaseException | None = failed.value
    assert ("01" * 32) not in repr(failed.value.data) + str(failed.value)
    assert isinstance(shown, DalejError)
    assert (shown.__cause__, shown.__suppress_context__) == (None, True)


def test_a_keyring_that_dies_later_is_one_sentence_too(
    folder: Path, ring: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring(rings.SICK)
    monkeypatch.setenv("DALEJ_TEST_RING_DEAD", "1")
    with pytest.raises(Unreachable, match=r"does not answer \(InitError\)"):
        keys(folder).secret()


def test_nonsense_in_the_keyring_is_damage(folder: Path, ring: Use) -> None:
    ring(rings.FOLDER).write_text("hunter2", encoding="utf-8")
    with pytest.raises(Damaged, match="in the keyring of this computer cannot be read"):
        keys(folder).exist()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "club").write_text("a file", encoding="utf-8")
    with pytest.raises(Unreachable, match="cannot be"):
        keys(tmp_path / "club").make()


def test_asking_for_the_program_does_not_load_the_keyring() -> None:
    asked = "import sys, dalej.boxes.secret, dalej.cli.boxkeys, dalej.cli.boxlist; print('keyring' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "False\n"
