"""A code makes one device a box of the club, once and in time; whoever else comes with it is turned away, in words."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dalej.boxes.paired import OwnBoxes
from dalej.boxes.phones import CLAIM_MS, Phones, proof, why
from dalej.boxes.secret import ClubKeys
from dalej.domain.game.facts import is_phone
from dalej.errors import Refused

NOW = 1_700_000_000_000
NONCE, OURS, OTHER = bytes(16), b"o" * 16, b"x" * 16


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path, ClubKeys(tmp_path, os.urandom), os.urandom)


def test_a_code_is_claimed_once_and_its_device_comes_again_as_often_as_it_likes(phones: Phones) -> None:
    code = phones.draw(3, NOW)
    uid = code.box.uid_bytes
    assert (code.box.name, is_phone(code.box.uid)) == ("P3", True)
    assert code.fragment == f"#{code.box.uid}.{code.secret.hex()}"

    for later_ms in (NOW + CLAIM_MS, NOW + 100 * CLAIM_MS):
        phones.claim(uid, OURS, NONCE, proof(code.secret, NONCE, OURS), later_ms)

    assert phones.is_claimed(code.box.uid)
    with pytest.raises(Refused, match="P3: another phone has claimed it already") as refused:
        phones.claim(uid, OTHER, NONCE, proof(code.secret, NONCE, OTHER), NOW)
    assert why(refused.value) == 4_001


def test_a_code_that_nobody_claims_within_its_minute_is_nobodys(phones: Phones) -> None:
    code = phones.draw(3, NOW)
    with pytest.raises(Refused, match="claimed too late") as refused:
        phones.claim(code.box.uid_bytes, OURS, NONCE, proof(code.secret, NONCE, OURS), NOW + CLAIM_MS + 1)
    assert why(refused.value) == 4_003


@pytest.mark.parametrize("proved", [bytes(16), b"", proof(bytes(32), NONCE, OURS)])
def test_whoever_has_no_secret_claims_nothing_and_takes_no_code_away(phones: Phones, proved: bytes) -> None:
    code = phones.draw(3, NOW)
    with pytest.raises(Refused, match="was taken back, or never drawn here"):
        phones.claim(code.box.uid_bytes, OURS, NONCE, proved, NOW)
    assert not phones.is_claimed(code.box.uid)


def test_a_proof_is_of_one_device_and_one_nonce(phones: Phones) -> None:
    code = phones.draw(3, NOW)
    said = proof(code.secret, NONCE, OURS)
    for device, nonce in ((OTHER, NONCE), (OURS, b"n" * 16)):
        with pytest.raises(Refused):
            phones.claim(code.box.uid_bytes, device, nonce, said, NOW)


def test_a_phone_that_is_taken_off_the_list_is_no_box_any_more(phones: Phones, tmp_path: Path) -> None:
    code = phones.draw(3, NOW)
    phones.claim(code.box.uid_bytes, OURS, NONCE, proof(code.secret, NONCE, OURS), NOW)
    OwnBoxes(tmp_path).forget(code.box.uid)
    with pytest.raises(Refused) as refused:
        phones.claim(code.box.uid_bytes, OURS, NONCE, proof(code.secret, NONCE, OURS), NOW)
    assert why(refused.value) == 4_002


def test_a_box_with_buttons_is_claimed_by_no_phone(phones: Phones, tmp_path: Path) -> None:
    phones.draw(1, NOW)
    with OwnBoxes(tmp_path).pairing("240ac4000012", "12", 1, NOW, bytes(16)) as box:
        secret = ClubKeys(tmp_path, os.urandom)
    with pytest.raises(Refused):
        phones.claim(box.uid_bytes, OURS, NONCE, proof(secret.of_box(box.uid_bytes), NONCE, OURS), NOW)


def test_a_second_phone_for_a_table_has_a_name_of_its_own(phones: Phones) -> None:
    assert [phones.draw(3, NOW).box.name for _ in range(3)] == ["P3", "P3-2", "P3-3"]


def test_where_the_desk_is_is_known_as_long_as_it_runs(phones: Phones) -> None:
    with pytest.raises(Refused, match="no desk on this computer answers phones"):
        phones.address()
    with phones.reached_at("http://192.168.1.5:8643"):
        assert phones.address() == "http://192.168.1.5:8643"
    with pytest.raises(Refused):
        phones.address()
