"""Commands of a desk as people write them, and the bytes that a box gets for them."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from typing import Final

import pytest

from dalej.domain.game.commands import SPOKEN, MidGame, encode, read, read_commands, take_over, told_by
from dalej.errors import WrongInput
from moveclock import facts as k
from moveclock import settings as rules
from moveclock.wire import WireError
from tests.domain.tables import A, B, Journal

SETTINGS: Final = rules.Settings().pack()
WRITTEN: Final = [
    ("start", {}, k.C_START, b""),
    ("stop referee", {"reason": "referee"}, k.C_STOP, k.REFEREE),
    ("stop dispute", {"reason": "dispute"}, k.C_STOP, k.DISPUTE),
    ("stop early_click", {"reason": "early_click"}, k.C_STOP, k.EARLY_CLICK),
    ("stop round_break", {"reason": "round_break"}, k.C_STOP, k.ROUND_BREAK),
    ("resume", {}, k.C_RESUME, b""),
    ("restart_move", {}, k.C_RESTART_MOVE, b""),
    ("set_remaining 0", {"ms": 0}, k.C_SET_REMAINING, 0),
    ("set_remaining 3600000", {"ms": 3_600_000}, k.C_SET_REMAINING, 3_600_000),
    ("give_time 30000", {"ms": 30_000}, k.C_GIVE_TIME, 30_000),
    ("set_seat A", {"seat": "A"}, k.C_SET_SEAT, k.SEAT_A),
    ("set_seat D", {"seat": "D"}, k.C_SET_SEAT, k.SEAT_D),
    ("set_bank 49", {"tiles": 49}, k.C_SET_BANK, 49),
    ("withdraw B", {"seat": "B"}, k.C_WITHDRAW, k.SEAT_B),
    ("final_lap bank_empty", {"reason": "bank_empty"}, k.C_FINAL_LAP, k.BANK_EMPTY),
    ("final_lap round_time", {"reason": "round_time"}, k.C_FINAL_LAP, k.ROUND_TIME),
    ("reopen", {}, k.C_REOPEN, b""),
    ("reopen same_seat", {"how": "same_seat"}, k.C_REOPEN, k.SAME_SEAT),
    ("reopen next_seat", {"how": "next_seat"}, k.C_REOPEN, k.NEXT_SEAT),
    ("redeal", {}, k.C_REDEAL, b""),
    ("next_game", {}, k.C_NEXT_GAME, b""),
    ("end_game", {}, k.C_END_GAME, b""),
    ("deny_claim", {}, k.C_DENY_CLAIM, b""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "args", "number", "sent"), WRITTEN, ids=[text for text, *_ in WRITTEN])
def test_a_command_is_read_as_it_is_written_and_travels_as_its_number(
    text: str, args: dict[str, int | str], number: int, sent: int | bytes
) -> None:
    command, *words = text.split()

    read_back = read_commands(command, words)

    assert read_back == args
    assert encode(command, args) == (number, sent if isinstance(sent, bytes) else struct.pack("<I", sent))


def test_every_command_that_people_may_write_is_in_that_table() -> None:
    assert {text.split()[0] for text, *_ in WRITTEN} == set(SPOKEN)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "dance",
            (
                "dance is not a command, expected one of start, stop, resume, restart_move, set_remaining, give_time, "
                "set_seat, set_bank, withdraw, final_lap, reopen, redeal, next_game, end_game, deny_claim"
            ),
        ),
        ("start the game", "start takes no argument, found the game"),
        ("stop", "stop takes one argument (reason), found 0"),
        ("reopen same_seat now", "reopen takes one argument (how), found 2"),
        ("give_time", "give_time takes one argument (ms), found 0"),
        ("give_time 30 s", "give_time takes one argument (ms), found 2"),
        ("give_time 3600001", "give_time takes a number from 0 to 3600000, found 3600001"),
        ("give_time -1", "give_time takes a number from 0 to 3600000, found -1"),
        ("set_bank ٣", "set_bank takes a number from 0 to 3600000, found ٣"),
        ("set_bank many", "set_bank takes a number from 0 to 3600000, found many"),
        ("set_seat E", "set_seat takes one of A, B, C, D, found E"),
        ("stop box_lost_power", "stop takes one of referee, dispute, early_click, round_break, found box_lost_power"),
        ("final_lap went_out", "final_lap takes one of bank_empty, round_time, found went_out"),
    ],
)
def test_what_is_no_command_is_answered_with_what_was_expected(text: str, sentence: str) -> None:
    command, *words = text.split()

    with pytest.raises(WrongInput, match=f"^{re.escape(sentence)}$"):
        read_commands(command, words)


@pytest.mark.parametrize("command", ["", "configure", "take_over", "blink"])
def test_what_only_a_program_sends_cannot_be_written(command: str) -> None:
    with pytest.raises(WrongInput, match=f"^{command} is not a command, expected one of start, "):
        read_commands(command, [])


# --- what travels -----


def test_a_game_is_set_up_with_its_number_and_the_settings_of_the_table() -> None:
    for game in (1, 65_535):
        sent = encode("configure", {"game": game, "settings": SETTINGS.hex()})
        assert sent == (k.C_CONFIGURE, struct.pack("<H", game) + SETTINGS)


def test_settings_that_no_box_would_take_are_not_sent() -> None:
    with pytest.raises(WireError):
        encode("configure", {"game": 1, "settings": SETTINGS[:-1].hex()})


def test_a_number_uses_all_of_its_four_bytes() -> None:
    assert encode("set_remaining", {"ms": 4_294_967_295}) == (k.C_SET_REMAINING, b"\xff\xff\xff\xff")


@pytest.mark.parametrize("value", ["30", 30.0, True, None])
def test_what_is_no_whole_number_is_not_sent_as_one(value: object) -> None:
    with pytest.raises(WrongInput, match=f"^expected a whole number, found {value}$"):
        encode("give_time", {"ms": value})


def test_a_command_without_an_argument_sends_none_whatever_stands_beside_it() -> None:
    for command, number in (("blink", k.C_BLINK), ("start", k.C_START)):
        assert encode(command, {}) == (number, b"")
        assert encode(command, {"why": "the lamp"}) == (number, b"")


# --- a game that another box goes on with -----


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (MidGame(), {"remaining_ms": 9_000}),
        (MidGame(drawn=True), {"remaining_ms": 9_000, "more": 1 << 9}),
        (MidGame(late=True), {"remaining_ms": 0, "more": 1 << 11}),
        (
            MidGame(late=True, penalty=True, lap_reason=k.ROUND_TIME, lap_mask=0b1001, lap_waits=True),
            {"remaining_ms": 0, "more": 1 << 11 | 1 << 10 | 1 << 8 | k.ROUND_TIME << 4 | 0b1001},
        ),
    ],
)
def test_the_spare_is_told_where_the_game_stands_and_gives_a_late_move_no_time(
    more: MidGame, expected: Mapping[str, int]
) -> None:
    told = take_over(game=2, move=7, seat=B, remaining_ms=9_000, bank=12, out=0b0100, more=more)

    assert told == {"game": 2, "move": 7, "seat": B, "bank": 12, "out": 0b0100, **expected}


def test_seats_and_waiting_mean_nothing_outside_of_a_final_lap() -> None:
    assert read(1 << 8 | 0b1111) == MidGame()


def test_only_the_begin_of_a_move_says_what_it_brought_along() -> None:
    ended = Journal().write(k.MOVE_ENDED, 5_000, 1, A, k.BY_DALEJ, 5_000, 1 << 9, 49)

    assert told_by(ended) == MidGame()
