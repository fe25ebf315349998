"""`dalej box keys`: a spare laptop becomes the club's, and nothing that is printed is a secret."""

from __future__ import annotations

import io
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.secret import ClubKeys, fingerprint
from dalej.errors import Unreachable
from tests.cli.club import at_home, club, own_box
from tests.cli.conftest import Done, Program

WORDS = "four words are enough"
Typed = Callable[..., Done]


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The club's laptop, which is the one at hand."""
    folder = at_home(tmp_path / "first", monkeypatch)
    monkeypatch.delenv("COLUMNS", raising=False)  # no terminal breaks the lists
    club(folder)
    return folder


@pytest.fixture
def typed(dalej: Program, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """A command of `dalej box keys` with a passphrase on standard input."""

    def run(*arguments: str, passphrase: str = WORDS) -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{passphrase}\n"))
        return dalej("box", "keys", *arguments, "--passphrase-stdin")

    return run


def secret(folder: Path) -> bytes:
    return ClubKeys(folder, os.urandom).secret()


def test_without_a_secret_there_is_nothing_to_show_or_carry(
    dalej: Program, typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home(tmp_path / "new", monkeypatch)
    for done in (dalej("box", "keys", "show"), typed("export", "k.json")):
        assert (done.code, done.out) == (1, "")
        assert done.err.startswith("this computer has no club secret yet; dalej box pair PORT makes one")
    assert not Path("k.json").exists()


def test_show_tells_where_it_is_and_never_what(dalej: Program, first: Path) -> None:
    done = dalej("box", "keys", "show")
    assert done.out == (
        f"The club's secret is in {first / 'club.key'}.\nFingerprint: {fingerprint(secret(first))}\n"
        f"5 boxes are on the list in {first}.\n"
    )
    (said,) = dalej("box", "keys", "show", "--json").objects
    assert said == {
        "fingerprint": fingerprint(secret(first)), "where": str(first / "club.key"), "folder": str(first), "boxes": 5,
    }  # fmt: skip


def test_a_spare_laptop_takes_over_the_club(
    dalej: Program, typed: Typed, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = typed("export", "k.json")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == (
        f"k.json holds the club's secret (fingerprint {fingerprint(secret(first))}) and its list of 5 boxes."
    )
    second = at_home(tmp_path / "second", monkeypatch)
    brought = typed("import", "k.json")
    assert (brought.code, brought.err) == (0, "")
    assert secret(second) == secret(first)
    assert list(OwnBoxes(second)) == list(OwnBoxes(first))
    again = typed("import", "k.json")
    assert (again.code, again.out) == (0, brought.out)
    printed = done.out + brought.out + dalej("box", "keys", "show").out
    assert not any(hidden in printed for hidden in (secret(first).hex(), WORDS))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_file_is_its_owners_alone(typed: Typed, first: Path) -> None:
    typed("export", "k.json")
    assert Path("k.json").stat().st_mode & 0o777 == 0o600


def test_an_export_overwrites_nothing(typed: Typed, first: Path) -> None:
    Path("k.json").write_text("the only copy", encoding="utf-8")
    done = typed("export", "k.json")
    assert (done.code, done.err) == (1, "k.json exists already: expected a new file\n")
    assert Path("k.json").read_text(encoding="utf-8") == "the only copy"


def test_a_short_passphrase_makes_no_file(typed: Typed, first: Path) -> None:
    done = typed("export", "k.json", passphrase="elevenchars")
    assert (done.code, done.err) == (
        1, "the passphrase has 11 characters: expected 12 or more, such as four words\n",
    )  # fmt: skip
    assert not Path("k.json").exists()


def test_without_a_terminal_nobody_is_asked(dalej: Program, first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{WORDS}\n"))
    done = dalej("box", "keys", "export", "k.json")
    assert done.code == 2
    assert "--passphrase-stdin" in done.err


def test_the_wrong_passphrase_changes_nothing(
    typed: Typed, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("export", "k.json")
    second = at_home(tmp_path / "second", monkeypatch)
    done = typed("import", "k.json", passphrase="some other four words")
    assert (done.code, done.err) == (1, "the passphrase is not the one that the file was exported with\n")
    assert not second.exists()


def test_another_clubs_secret_is_replaced_only_knowingly_and_it_is_said_what_that_costs(
    dalej: Program, typed: Typed, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("export", "k.json")
    other = at_home(tmp_path / "other", monkeypatch)
    own = ClubKeys(other, os.urandom).make()
    OwnBoxes(other).keep(own_box(77, "1"))

    done = typed("import", "k.json")
    assert (done.code, done.out) == (1, "")
    assert fingerprint(own) in done.err
    assert "every box that was paired with this one must then be paired anew" in done.err
    assert secret(other) == own

    done = typed("import", "k.json", "--replace")
    assert (done.code, secret(other) == secret(first)) == (0, True)
    assert "Two boxes are called 1: 240ac4000077 gets the name 5" in done.out
    assert "To be paired anew, with dalej box pair PORT: box 5.\n" in done.out
    assert "with another secret: pair it anew" in dalej("box", "list").out


def test_a_secret_that_was_lost_comes_back_with_its_boxes_still_paired(
    dalej: Program, typed: Typed, first: Path
) -> None:
    typed("export", "k.json")
    (first / "club.key").unlink()
    assert "not found any more" in dalej("box", "keys", "show").err
    done = typed("import", "k.json", "--replace")
    assert (done.code, "paired anew" in done.out) == (0, False)
    assert dalej("box", "keys", "show").code == 0


def test_after_a_theft_there_is_a_new_secret_and_every_box_must_be_paired_anew(
    dalej: Program, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stolen = secret(first)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert (dalej("box", "keys", "renew").code, secret(first)) == (1, stolen)
    done = dalej("box", "keys", "renew", "--yes")
    assert (done.code, done.err, secret(first) == stolen) == (0, "", False)
    assert "To be paired anew, with dalej box pair PORT: boxes 1, 2, 3, 4, 12.\n" in done.out
    assert secret(first).hex() not in done.out
    assert dalej("box", "list").out.count("pair it anew") == 5


def test_a_secret_that_is_gone_for_good_can_be_renewed_and_one_that_never_was_cannot(
    dalej: Program, first: Path
) -> None:
    (first / "club.key").unlink()
    assert "dalej box keys renew" in dalej("box", "keys", "show").err
    assert dalej("box", "keys", "renew", "--yes").code == 0
    for file in first.iterdir():
        file.unlink()
    done = dalej("box", "keys", "renew", "--yes")
    assert (done.code, done.err.startswith("this computer has no club secret yet")) == (1, True)


@pytest.mark.parametrize("by", ["renew", "import"])
def test_whatever_ends_it_halfway_no_box_is_forgotten_that_has_the_secret_of_before(
    dalej: Program, typed: Typed, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    assert typed("export", "k.json").code == 0
    club(at_home(tmp_path / "second", monkeypatch))
    folder = tmp_path / "second"
    OwnBoxes(folder).keep(own_box(7))

    class Killed(BaseException):
        pass

    kept = ClubKeys.replace

    def killed_after(keys: ClubKeys, secret: bytes) -> None:
        kept(keys, secret)
        raise Killed

    monkeypatch.setattr(ClubKeys, "replace", killed_after)
    with pytest.raises(Killed):
        typed("import", "k.json", "--replace") if by == "import" else dalej("box", "keys", "renew", "--yes")

    assert [one.paired_ms for one in OwnBoxes(folder)] == [0] * len(list(OwnBoxes(folder)))


def test_a_keyring_that_takes_no_new_secret_leaves_every_box_as_it_was(
    dalej: Program, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list(OwnBoxes(first))

    def refuse(keys: ClubKeys, secret: bytes) -> None:
        raise Unreachable("the keyring is locked")

    monkeypatch.setattr(ClubKeys, "replace", refuse)
    assert dalej("box", "keys", "renew", "--yes").code == 1
    assert list(OwnBoxes(first)) == before
    assert any(one.paired_ms for one in before)


@pytest.mark.parametrize("text", ["", "hello", '{"dalej": "club keys", "version": 9}'])
def test_another_file_is_refused_before_the_passphrase_is_read(
    typed: Typed, first: Path, text: str, tmp_path: Path
) -> None:
    Path("k.json").write_text(text, encoding="utf-8")
    done = typed("import", "k.json", passphrase="")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "the passphrase" not in done.err


def test_a_file_that_is_not_there_is_said(typed: Typed, first: Path) -> None:
    assert typed("import", "k.json").err.startswith("k.json cannot be read: ")


def test_an_export_to_a_folder_that_is_not_there_is_said(typed: Typed, first: Path) -> None:
    done = typed("export", "away/k.json")
    assert (done.code, done.err.startswith("away/k.json cannot be written: ")) == (1, True)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals of this kind")
def test_in_a_terminal_the_passphrase_is_asked_for_twice_and_not_shown(first: Path, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    asked = subprocess.Popen(
        [sys.executable, "-m", "dalej", "box", "keys", "export", str(tmp_path / "k.json")],
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = ""
    for prompt, answer in (
        ("Passphrase: ", "short"), ("expected 12 or more", None), ("Passphrase: ", "aaaaaaaaaaaa"),
        ("characters 1 differ", None), ("Passphrase: ", WORDS), ("Once more: ", "else"),
        ("not the same", None), ("Passphrase: ", WORDS), ("Once more: ", WORDS), ("k.json holds", None),
    ):  # fmt: skip
        seen = _until(ours, seen, prompt)
        if answer is not None:
            os.write(ours, f"{answer}\n".encode())
    assert asked.wait(timeout=60) == 0
    os.close(ours)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals of this kind")
@pytest.mark.parametrize("mistyped", [1, 3])
def test_in_a_terminal_a_mistyped_passphrase_is_asked_for_again_twice(
    typed: Typed, first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistyped: int
) -> None:
    typed("export", "k.json")
    second = at_home(tmp_path / "second", monkeypatch)
    ours, theirs = os.openpty()
    asked = subprocess.Popen(
        [sys.executable, "-m", "dalej", "--lang", "en", "box", "keys", "import", "k.json"],
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = ""
    for number in range(min(3, mistyped + 1)):
        seen = _until(ours, seen, "Passphrase: ")
        os.write(ours, b"mistyped words\n" if number < mistyped else f"{WORDS}\n".encode())
        if number < mistyped:
            wrong = "the passphrase is not the one that the file was exported with"
            seen = _until(ours, seen, wrong if number == 2 else f"{wrong}; once more:")
    if mistyped < 3:
        _until(ours, seen, "are here")
    assert asked.wait(timeout=60) == (1 if mistyped == 3 else 0)
    os.close(ours)
    assert ClubKeys(second, os.urandom).exist() == (mistyped < 3)


def _until(terminal: int, unread: str, wanted: str) -> str:
    """Read until that is shown; what came after it. A passphrase is never among it."""
    while wanted not in unread:
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, f"{wanted!r} was not shown, only {unread!r}"
        unread += os.read(terminal, 4_096).decode()
        assert WORDS not in unread
    return unread.split(wanted, 1)[1]


def test_a_passphrase_that_is_no_text_is_one_sentence(
    dalej: Program, first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"four \xff words are enough\n"), encoding="utf-8"))

    done = dalej("box", "keys", "export", "k.json", "--passphrase-stdin")

    assert (done.code, done.out, done.err) == (1, "", "the passphrase is no text in utf-8\n")
    assert not Path("k.json").exists()


@pytest.mark.skipif(os.name == "nt", reason="its shell cannot close the input of a command")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("box", "keys", "export", "new.json", "--passphrase-stdin"),
            "standard input is empty: expected the passphrase",
        ),
        (("box", "keys", "import", "k.json", "--passphrase-stdin"), "standard input is empty: expected the passphrase"),
        (("box", "keys", "import", "k.json"), "a passphrase is asked for in a terminal"),
        (("box", "keys", "renew"), "Stopped."),
        (("box", "forget", "1"), "Stopped."),
    ],
)
def test_a_closed_input_is_an_empty_one(
    typed: Typed, first: Path, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    typed("export", "k.json")
    before = secret(first), list(OwnBoxes(first))

    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "dalej", *arguments], capture_output=True, text=True,
        encoding="utf-8", timeout=100, check=False,
    )  # fmt: skip

    assert done.returncode == (2 if "terminal" in sentence else 1)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert (secret(first), list(OwnBoxes(first))) == before
    assert not (tmp_path / "new.json").exists()
