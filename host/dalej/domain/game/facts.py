"""The desk's words for what a box reports: one `Fact` a record, and its JSON names.

The numbers are `moveclock.facts`; the names here are what `--json` and other programs see, and never translate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from moveclock import facts as k

Seat = Literal["A", "B", "C", "D"]
SEATS: Final[tuple[Seat, ...]] = get_args(Seat)
STATES: Final = ("idle", "ready", "running", "expired", "stopped", "over")
HOWS: Final = ("juz", "dalej", "timeout", "empty_rack", "desk", "withdrawn")
ACTORS: Final = ("table", "desk", "box")
VERDICTS: Final = ("stands", "undone")
STOP_REASONS: Final = ("referee", "dispute", "early_click", "round_break", "box_lost_power")
END_REASONS: Final = ("went_out", "bank_empty", "round_time", "last_seat", "desk")
REOPENINGS: Final = ("same_seat", "next_seat")
RESETS: Final = ("power_on", "hard_reset", "watchdog", "soft_reset")
CONTACT_KINDS: Final = ("juz", "dalej", "kostka", "sedzia")
COMMANDS: Final = (
    "", "configure", "start", "stop", "resume", "restart_move", "set_remaining", "give_time", "set_seat", "set_bank",
    "withdraw", "final_lap", "reopen", "redeal", "next_game", "end_game", "deny_claim", "take_over", "blink",
)  # fmt: skip
REFUSALS: Final = ("", "state", "guard", "argument", "unknown_command", "seat", "too_late")

NAMES: Final = (
    "", "booted", "configured", "game_started", "move_started", "tile_drawn", "move_ended", "time_ran_out",
    "table_restored", "clicked_before_drawing", "dalej_refused", "restart_claimed", "claim_denied", "move_restarted",
    "opening_announced", "dispute_raised", "call_withdrawn", "referee_called", "clock_stopped", "clock_resumed",
    "time_corrected", "extra_time_given", "seat_changed", "seat_withdrawn", "bank_corrected", "final_lap_begun",
    "game_ended", "game_reopened", "game_redealt", "stray_tap", "battery_low", "command_applied", "command_refused",
    "records_lost", "fault",
)  # fmt: skip

FAULTS: Final[Mapping[int, str]] = {
    **{k.E_STUCK + contact: "contact_stuck" for contact in range(k.CONTACTS)},
    k.E_JOURNAL_FULL: "journal_full",
    k.E_FLASH_WRITE: "flash_write_failed",
    k.E_TORN_RECORD: "torn_record_dropped",
    k.E_NEW_EPOCH: "new_epoch",
    k.E_EDGE_HANDLER: "edge_handler_failed",
    k.E_RECEIVE_HANDLER: "receive_handler_failed",
    k.E_TICK_HANDLER: "tick_handler_failed",
    k.E_LINK_HANDLER: "link_handler_failed",
    k.E_EDGES_LOST: "edges_lost",
    k.E_FRAMES_LOST: "frames_lost",
    k.E_RADIO_HANDLER: "radio_handler_failed",
    k.E_PUMP: "main_loop_failed",
    k.E_CLOCK_RESTORED: "clock_state_unreadable",
    **{k.E_DISPLAY + seat: "display_missing" for seat in range(len(SEATS))},
    k.E_FLASH_TEST: "flash_test_failed",
    k.E_FLASH_MOUNT: "journal_unreadable",
    k.E_BATTERY: "battery_implausible",
    k.E_RADIO: "radio_not_started",
    k.E_NO_IDENTITY: "no_identity",
    k.E_FOREIGN_IDENTITY: "foreign_identity",
    k.E_DAMAGED_IDENTITY: "damaged_identity",
    k.E_START: "not_started",
    k.E_RADIO_HUNG: "radio_hung",
    **{k.E_HELD + contact: "contact_held_at_start" for contact in range(k.CONTACTS)},
}

Value = int | str | bool | None
Reader = Callable[[int], Value]


def seat_name(seat: int) -> Seat | None:
    """Letter of a seat number 0..3; None for `NOBODY`."""
    return SEATS[seat] if 0 <= seat < len(SEATS) else None


PHONE: Final = "02"  # how the uid of a phone begins: an address that no maker gives (IEEE 802, locally administered)


def is_phone(box: str) -> bool:
    """Whether the box of that uid (12 hex digits) is a page on a phone or tablet."""
    return box.startswith(PHONE)


def contact_name(contact: int) -> str:
    """Name of a contact as scripts and logs write it: `A.juz` … `D.dalej`, `kostka`, `sedzia`, `juz`, `dalej`."""
    if contact < k.KOSTKA:
        return f"{SEATS[contact // 2]}.{CONTACT_KINDS[contact % 2]}"
    return {k.KOSTKA: "kostka", k.SEDZIA: "sedzia", k.SHARED_JUZ: "juz", k.SHARED_DALEJ: "dalej"}.get(
        contact, f"contact {contact}"
    )


def _one_of(names: tuple[str, ...]) -> Reader:
    return lambda number: names[number] if 0 <= number < len(names) else f"unknown_{number}"


def _seats_of_mask(mask: int) -> str:
    return "".join(letter for seat, letter in enumerate(SEATS) if mask >> seat & 1)


_NUMBER: Final[Reader] = int
_FLAG: Final[Reader] = bool
_HOW, _BY, _END = _one_of(HOWS), _one_of(ACTORS), _one_of(END_REASONS)
_COMMAND = _one_of(COMMANDS)
_BANK: Final = ("bank", "c", _NUMBER)

# What a `move_started` says besides if the move began at another box: see `dalej.domain.game.commands`.
_TAKEN_OVER: Final[tuple[tuple[str, str, Reader], ...]] = (
    ("late", "code", _FLAG),
    ("drawn", "b", lambda more: bool(more >> 9 & 1)),
    ("penalty_tile", "b", lambda more: bool(more >> 10 & 1)),
    ("final_lap", "b", lambda more: _END(more >> 4 & 15) if more >> 4 & 15 else None),
    ("lap_seats", "b", _seats_of_mask),
    ("lap_waits", "b", lambda more: bool(more >> 8 & 1)),
)

# kind -> (JSON name, slot, how to read it), in the order they are printed
FIELDS: Final[Mapping[int, tuple[tuple[str, str, Reader], ...]]] = {
    k.BOOTED: (("reset", "code", _one_of(RESETS)), ("firmware", "a", _NUMBER)),
    k.CONFIGURED: (("by", "code", _BY), ("limit_ms", "a", _NUMBER), ("seats", "b", _seats_of_mask), _BANK),
    k.GAME_STARTED: (("by", "code", _BY), ("limit_ms", "a", _NUMBER), _BANK),
    k.MOVE_STARTED: (("remaining_ms", "a", _NUMBER), _BANK),
    k.TILE_DRAWN: (("counted", "code", _FLAG), ("elapsed_ms", "a", _NUMBER), _BANK),
    k.MOVE_ENDED: (("elapsed_ms", "a", _NUMBER), ("how", "code", _HOW), ("drawn", "b", _FLAG), _BANK),
    k.TIME_RAN_OUT: (("elapsed_ms", "a", _NUMBER), ("drawn", "b", _FLAG), _BANK),
    k.TABLE_RESTORED: (
        ("overrun_ms", "a", _NUMBER),
        ("verdict", "code", _one_of(VERDICTS)),
        ("tiles", "b", _NUMBER),
        _BANK,
    ),
    k.CLICKED_BEFORE_DRAWING: (),
    k.DALEJ_REFUSED: (),
    k.RESTART_CLAIMED: (),
    k.CLAIM_DENIED: (),
    k.MOVE_RESTARTED: (("by", "code", _BY), ("remaining_ms", "a", _NUMBER)),
    k.OPENING_ANNOUNCED: (),
    k.DISPUTE_RAISED: (("at_once", "code", _FLAG),),
    k.CALL_WITHDRAWN: (),
    k.REFEREE_CALLED: (),
    k.CLOCK_STOPPED: (("reason", "code", _one_of(STOP_REASONS)), ("remaining_ms", "a", _NUMBER), ("by", "b", _BY)),
    k.CLOCK_RESUMED: (("by", "code", _BY), ("stopped_ms", "a", _NUMBER), ("remaining_ms", "b", _NUMBER)),
    k.TIME_CORRECTED: (("remaining_ms", "a", _NUMBER),),
    k.EXTRA_TIME_GIVEN: (("remaining_ms", "a", _NUMBER), ("extra_ms", "b", _NUMBER)),
    k.SEAT_CHANGED: (("from_seat", "a", seat_name),),
    k.SEAT_WITHDRAWN: (),
    k.BANK_CORRECTED: (_BANK, ("bank_before", "a", _NUMBER)),
    k.FINAL_LAP_BEGUN: (("reason", "code", _END),),
    k.GAME_ENDED: (("reason", "code", _END),),
    k.GAME_REOPENED: (("how", "code", _one_of(REOPENINGS)), ("remaining_ms", "a", _NUMBER)),
    k.GAME_REDEALT: (_BANK,),
    k.STRAY_TAP: (("contact", "code", contact_name), ("held", "a", _FLAG)),
    k.BATTERY_LOW: (("millivolts", "a", _NUMBER),),
    k.COMMAND_APPLIED: (("id", "a", _NUMBER), ("command", "code", _COMMAND)),
    k.COMMAND_REFUSED: (("id", "a", _NUMBER), ("command", "code", _COMMAND), ("reason", "c", _one_of(REFUSALS))),
    k.RECORDS_LOST: (("from", "a", _NUMBER), ("to", "b", _NUMBER)),
    k.FAULT: (("code", "code", _NUMBER), ("name", "code", lambda code: FAULTS.get(code, "unknown")),
              ("detail", "a", _NUMBER)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """One record of a box's journal. Key: `(box, epoch, seq)`.

    `box` is the uid in lower-case hex; `uptime_ms` counts from that `boot`; seat 0..3 or `moveclock.facts.NOBODY`;
    `code`, `a`, `b`, `c` as `moveclock.facts` lists them for the kind.
    """

    box: str
    epoch: int
    seq: int
    boot: int
    uptime_ms: int
    kind: int
    game: int = 0
    move: int = 0
    seat: int = k.NOBODY
    code: int = 0
    a: int = 0
    b: int = 0
    c: int = 0

    @property
    def name(self) -> str:
        """The fact's name in snake_case; `unknown_N` for a kind this desk does not know."""
        return NAMES[self.kind] if 0 < self.kind < len(NAMES) else f"unknown_{self.kind}"

    def fields(self) -> dict[str, Value]:
        """What the fact says, under its JSON names: game, move and seat where they apply, then the kind's own."""
        said: dict[str, Value] = {}
        if self.game:
            said["game"] = self.game
        if self.move:
            said["move"] = self.move
        if (letter := seat_name(self.seat)) is not None:
            said["seat"] = letter
        fields = FIELDS.get(self.kind, ())
        if self.kind == k.MOVE_STARTED and (self.code or self.b):
            fields += _TAKEN_OVER
        for name, slot, read in fields:
            said[name] = read(getattr(self, slot))
        return said
