"""Passwords of the roles: kept as hashes, by their owner alone, and never one that nobody set."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import Damaged, Refused, WrongInput
from dalej.web.passwords import LONGEST, SHORTEST, Cost, Passwords

CHEAP = Cost(16, 1, 1)
GOOD = "trzy lisy w lesie"


@pytest.fixture
def passwords(tmp_path: Path) -> Passwords:
    return Passwords(tmp_path / "club", os.urandom, CHEAP)


def test_a_role_without_a_password_lets_nobody_in(passwords: Passwords) -> None:
    assert passwords.roles() == {}
    assert not passwords.check("organiser", "")
    assert not passwords.check("organiser", GOOD)


def test_the_password_that_was_set_is_right_and_no_other(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)

    assert passwords.check("referee", GOOD)
    assert not passwords.check("referee", GOOD + " ")
    assert not passwords.check("organiser", GOOD)
    assert list(passwords.roles()) == ["referee"]


def test_a_phone_may_spell_the_letters_in_pieces(passwords: Passwords) -> None:
    passwords.set("referee", "żółw śpi całą zimę")

    assert passwords.check("referee", "żółw śpi całą zimę".replace("ż", "z\u0307"))


def test_the_file_holds_no_password_and_is_its_owner_s_alone(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)

    assert "lisy" not in passwords.path.read_text()
    if os.name != "nt":
        assert stat.S_IMODE(passwords.path.stat().st_mode) == 0o600
    kept = json.loads(passwords.path.read_text())["roles"]["referee"]
    assert (kept["n"], kept["r"], kept["p"]) == (16, 1, 1)


def test_harder_parameters_count_from_the_next_password_on(passwords: Passwords, tmp_path: Path) -> None:
    passwords.set("referee", GOOD)
    later = Passwords(tmp_path / "club", os.urandom, Cost(32, 2, 1))
    later.set("organiser", GOOD + "!")

    assert later.check("referee", GOOD)
    assert passwords.check("organiser", GOOD + "!")


def test_two_roles_with_one_password_would_be_one_role(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)
    with pytest.raises(Refused, match="the password of the role referee"):
        passwords.set("organiser", GOOD)
    passwords.set("referee", GOOD)


def test_a_new_password_changes_what_sessions_are_held_against(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)
    before = passwords.roles()["referee"]
    passwords.set("referee", GOOD)

    assert passwords.roles()["referee"] != before


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("a" * (SHORTEST - 1), f"{SHORTEST} characters or more"), ("", "this one has 0"),
        ("x" * (LONGEST + 1), f"at most {LONGEST}"), ("aaaaaaaaaaab", "so few different"),
    ],
)  # fmt: skip
def test_a_password_that_is_guessed_at_once_is_none(passwords: Passwords, password: str, says: str) -> None:
    with pytest.raises(WrongInput, match=says) as problem:
        passwords.set("referee", password)

    assert password == "" or password not in str(problem.value)
    assert passwords.roles() == {}


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_a_file_that_others_can_read_is_refused(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)
    passwords.path.chmod(0o644)
    with pytest.raises(Refused, match="chmod 600"):
        passwords.check("referee", GOOD)


@given(text=st.one_of(st.text(), st.recursive(
    st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["version", "roles", "referee", "n", "r", "p", "salt", "hash"]), inner
    ),
).map(json.dumps)))  # fmt: skip
def test_whatever_lies_in_the_file_is_said_in_words(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    passwords = Passwords(tmp_path_factory.mktemp("club"), os.urandom, CHEAP)
    passwords.path.touch(mode=0o600)
    passwords.path.write_text(text, encoding="utf-8", errors="replace")
    with suppress(Damaged):
        assert passwords.roles() == {}


def test_parameters_that_would_fill_the_memory_are_not_computed(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)
    passwords.path.write_text(passwords.path.read_text().replace('"n": 16', f'"n": {1 << 40}'))
    with pytest.raises(Damaged):
        passwords.check("referee", GOOD)


def test_a_password_that_is_dropped_counts_no_more_and_the_others_do(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)
    passwords.set("organiser", GOOD + "!")
    passwords.drop("referee")

    assert not passwords.check("referee", GOOD)
    assert list(passwords.roles()) == ["organiser"]
    with pytest.raises(Refused, match="the role referee has no password"):
        passwords.drop("referee")
