"""The rules of one table as the box holds them: limits, draw rule, final lap, windows. Bytes <-> `Settings`.

Every value here has a clause or a decision marked "ours" in the desk's rulesets; the defaults are those of a table that
was set up without any desk.
"""

import struct

from moveclock import wire
from moveclock.facts import NOBODY

# Draw before click.
DRAW_OFF = 0
DRAW_FLAG = 1
DRAW_BLOCK = 2

# What happens when the time runs out.
HOLD_TABLE = 0  # the table waits for a verdict
ADVANCE = 1  # the next move starts after the grace time

# How a game goes on when the bank is empty or the round time is over.
FINAL_LAP = 0
PLAY_ON = 1
END_WITH_MOVE = 2  # no lap: the game ends with the running move

# Who starts the next game at this table.
CLOCKWISE = 0  # the next seat after the last starter
TABLE_NAMES = 1  # the first tap names the seat

# Sound.
SILENT = 0
SOFT = 1
LOUD = 2

_FORMAT = "<BIIHHHHHHHHBBBBBBBBBB"
_VERSION = 1


class Settings:
    """Durations in ms; `seats` a mask of the seats in play (bit 0 = A), `first` the starter's seat or NOBODY."""

    def __init__(self) -> None:
        self.limit_ms = 60000
        self.grace_ms = 10000
        self.guard_ms = 300
        self.shared_guard_ms = 1000
        self.claim_ms = 10000
        self.dispute_ms = 5000
        self.withdraw_ms = 3000
        self.late_tile_ms = 5000
        self.alert_ms = 20000
        self.countdown_ms = 3000
        self.seats = 15
        self.first = NOBODY
        self.draw = DRAW_OFF
        self.on_expiry = HOLD_TABLE
        self.on_bank_empty = FINAL_LAP
        self.on_round_time = FINAL_LAP
        self.next_starter = CLOCKWISE
        self.tiles = 106
        self.hand = 14
        self.taps_only = False
        self.sound = LOUD

    def pack(self) -> bytes:
        """The settings as bytes of a fixed size."""
        return struct.pack(
            _FORMAT, _VERSION, self.limit_ms, self.grace_ms, self.guard_ms, self.shared_guard_ms, self.claim_ms,
            self.dispute_ms, self.withdraw_ms, self.late_tile_ms, self.alert_ms, self.countdown_ms, self.seats,
            self.first, self.draw, self.on_expiry, self.on_bank_empty, self.on_round_time, self.next_starter,
            self.tiles, self.hand, self.sound | (128 if self.taps_only else 0),
        )  # fmt: skip


def unpack(data: bytes) -> Settings:
    """Settings from `Settings.pack`; WireError if the bytes are not settings a table can be played with."""
    if len(data) != struct.calcsize(_FORMAT) or data[0] != _VERSION:
        raise wire.WireError("these bytes are not the settings of a table")
    new = Settings()
    (
        _, new.limit_ms, new.grace_ms, new.guard_ms, new.shared_guard_ms, new.claim_ms, new.dispute_ms, new.withdraw_ms,
        new.late_tile_ms, new.alert_ms, new.countdown_ms, new.seats, new.first, new.draw, new.on_expiry,
        new.on_bank_empty, new.on_round_time, new.next_starter, new.tiles, new.hand, flags,
    ) = struct.unpack(_FORMAT, data)  # fmt: skip
    new.sound = flags & 127
    new.taps_only = flags > 127
    problem = fault_in(new)
    if problem:
        raise wire.WireError(problem)
    return new


def fault_in(s: Settings) -> str:
    """What makes these settings unplayable, in one sentence; empty if nothing does."""
    players = count(s.seats)
    if not 1000 <= s.limit_ms <= 3600000:
        return f"limit_ms is {s.limit_ms}, allowed are 1000 to 3600000"
    if s.guard_ms >= s.limit_ms or s.shared_guard_ms >= s.limit_ms:
        return f"guard_ms {s.guard_ms} and shared_guard_ms {s.shared_guard_ms} must be below limit_ms {s.limit_ms}"
    if s.seats > 15 or players < 2:
        return f"seats is {s.seats}, a table has 2 to 4 of the seats A to D"
    if s.first != NOBODY and not s.seats >> s.first & 1:
        return f"first is {s.first}, the starter must be a seat in play"
    if s.draw > DRAW_BLOCK or s.on_expiry > ADVANCE or s.next_starter > TABLE_NAMES:
        return "draw, on_expiry or next_starter is not one of its settings"
    if s.on_bank_empty > END_WITH_MOVE or s.on_round_time > END_WITH_MOVE:
        return "on_bank_empty or on_round_time is not one of its settings"
    if s.tiles < s.hand * players:
        return f"{s.tiles} tiles do not give {s.hand} to each of {players} seats"
    if s.sound > LOUD:
        return f"sound is {s.sound}, allowed are 0 to {LOUD}"
    return ""


def count(mask: int) -> int:
    """How many seats a mask holds."""
    seats = 0
    while mask:
        seats += mask & 1
        mask >>= 1
    return seats
