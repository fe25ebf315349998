"""Passwords of the roles: kept as hashes, by their owner alone, and never one that nobody set."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalej.errors import Damaged, Refused, WrongInput
from dalej.hints import typed
from dalej.web.passwords import LONGEST, SHORTEST, Cost, Passwords

CHEAP = Cost(8, 1, 1)
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
    assert json.loads(passwords.path.read_text())["roles"]["referee"].startswith("$argon2id$v=19$m=8,t=1,p=1$")


def test_harder_parameters_count_from_the_next_password_on(passwords: Passwords, tmp_path: Path) -> None:
    passwords.set("referee", GOOD)
    later = Passwords(tmp_path / "club", os.urandom, Cost(32, 2, 2))
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
        st.sampled_from(["version", "roles", "referee", "organiser"]), inner
    ),
).map(json.dumps)))  # fmt: skip
def test_whatever_lies_in_the_file_is_said_in_words(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    passwords = Passwords(tmp_path_factory.mktemp("club"), os.urandom, CHEAP)
    passwords.path.touch(mode=0o600)
    passwords.path.write_text(text, encoding="utf-8", errors="replace")
    with suppress(Damaged, Refused):
        assert passwords.roles() == {}


@pytest.mark.parametrize(
    ("was", "instead"),
    [("m=8", "m=100000"), ("m=8", "m=99999999999"), ("t=1", "t=10"), ("p=1", "p=2"), ("p=1", "p=0"), ("v=19", "v=16"),
     ("argon2id", "argon2i"), ("$m", "$x")],
)  # fmt: skip
def test_what_would_fill_the_memory_or_is_no_argon2id_is_not_computed(
    passwords: Passwords, was: str, instead: str
) -> None:
    passwords.set("referee", GOOD)
    passwords.path.write_text(passwords.path.read_text().replace(was, instead))
    with pytest.raises(Damaged, match="remove it and set the passwords anew"):
        passwords.check("referee", GOOD)


def test_a_new_hash_is_as_hard_as_owasp_asks(tmp_path: Path) -> None:
    """Password Storage Cheat Sheet: Argon2id with 19 MiB, two passes, one lane."""
    passwords = Passwords(tmp_path / "club", os.urandom)
    passwords.set("referee", GOOD)

    assert "m=19456,t=2,p=1" in passwords.roles()["referee"]
    assert passwords.check("referee", GOOD)


OLDER = {
    "version": 1,
    "roles": {
        role: {"n": 16, "r": 1, "p": 1, "salt": "00" * 16, "hash": hashlib.scrypt(
            GOOD.encode(), salt=bytes(16), n=16, r=1, p=1, dklen=32
        ).hex()} for role in ("referee", "organiser")
    },
}  # fmt: skip


def test_the_scrypt_hashes_of_an_older_dalej_are_refused_with_what_to_type_and_that_helps(passwords: Passwords) -> None:
    passwords.path.parent.mkdir()
    passwords.path.touch(mode=0o600)
    passwords.path.write_text(json.dumps(OLDER))

    says = r"older Dalej.*each role anew \(referee, organiser\)$"
    for ask in (passwords.roles, lambda: passwords.check("referee", GOOD), lambda: passwords.drop("referee")):
        with pytest.raises(Refused, match=says) as caught:
            ask()
        assert caught.value.hint is not None
        commands = caught.value.hint.data["steps"]
        assert commands == tuple(typed("serve", "--set-password", role) for role in ("referee", "organiser"))
    assert passwords.set("referee", GOOD) == ["organiser"], "who is told to be set anew as well"
    assert passwords.check("referee", GOOD)
    assert list(passwords.roles()) == ["referee"]
    assert passwords.set("organiser", GOOD + "!") == []


def test_an_older_dalej_that_had_no_passwords_left_stops_nobody(passwords: Passwords) -> None:
    passwords.path.parent.mkdir()
    passwords.path.touch(mode=0o600)
    passwords.path.write_text(json.dumps({"version": 1, "roles": {}}))

    assert passwords.roles() == {}


@pytest.mark.parametrize(("version", "roles"), [(True, {}), (1.0, {}), (2, []), (2, {"referee": "x"}), (3, {})])
def test_a_file_of_another_kind_is_said_to_be_damaged_and_not_begun_anew(
    passwords: Passwords, version: object, roles: object
) -> None:
    passwords.path.parent.mkdir()
    passwords.path.touch(mode=0o600)
    passwords.path.write_text(json.dumps({"version": version, "roles": roles}))

    for ask in (passwords.roles, lambda: passwords.set("referee", GOOD)):
        with pytest.raises(Damaged):
            ask()


def test_a_password_that_is_dropped_counts_no_more_and_the_others_do(passwords: Passwords) -> None:
    passwords.set("referee", GOOD)
    passwords.set("organiser", GOOD + "!")
    passwords.drop("referee")

    assert not passwords.check("referee", GOOD)
    assert list(passwords.roles()) == ["organiser"]
    with pytest.raises(Refused, match="the role referee has no password"):
        passwords.drop("referee")
