"""What a ruleset means for one box: `Ruleset` -> `moveclock.settings.Settings`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.rules.rulesets import Ruleset
from dalej.errors import WrongInput
from dalej.words import N_
from moveclock import facts as k
from moveclock import settings as rules

DRAWS: Final[Mapping[str, int]] = {"off": rules.DRAW_OFF, "flag": rules.DRAW_FLAG, "block": rules.DRAW_BLOCK}
EXPIRIES: Final[Mapping[str, int]] = {"hold": rules.HOLD_TABLE, "advance": rules.ADVANCE}
ENDINGS: Final[Mapping[str, int]] = {
    "final_lap": rules.FINAL_LAP,
    "play_on": rules.PLAY_ON,
    "end_at_once": rules.END_WITH_MOVE,
}
LIMIT_MOST_MS: Final = 3_600_000
SOUNDS: Final[Mapping[str, int]] = {"silent": rules.SILENT, "soft": rules.SOFT, "loud": rules.LOUD}
STARTERS: Final[Mapping[str, int]] = {"clockwise": rules.CLOCKWISE, "table": rules.TABLE_NAMES}


@dataclass(frozen=True, slots=True)
class Choices:
    """What an organiser may set otherwise than the ruleset; None takes the ruleset's value. Seats as letters."""

    seats: str = "ABCD"
    first: str | None = None
    draw: str | None = None
    on_expiry: str | None = None
    limit_ms: int | None = None
    taps_only: bool | None = None
    sound: str | None = None


def seat_number(letter: str) -> int:
    """0..3 of a seat's letter; WrongInput if it is none."""
    if letter not in SEATS:
        raise WrongInput(N_("{found} is not a seat, expected one of {allowed}"), found=letter, allowed=", ".join(SEATS))
    return SEATS.index(letter)


def settings_for(ruleset: Ruleset, choices: Choices) -> rules.Settings:
    """The settings of a table played by `ruleset` with these choices; WrongInput if they do not make a table."""
    if len(set(choices.seats)) != len(choices.seats) or not 2 <= len(choices.seats) <= len(SEATS):
        raise WrongInput(N_("seats {found}: expected two to four different letters of ABCD"), found=choices.seats)
    new = rules.Settings()
    new.seats = sum(1 << seat_number(letter) for letter in choices.seats)
    new.first = k.NOBODY if choices.first is None else seat_number(choices.first)
    if choices.first is not None and choices.first not in choices.seats:
        raise WrongInput(N_("seat {found} starts but is not one of the seats {seats}"),
                         found=choices.first, seats=choices.seats)  # fmt: skip
    if choices.limit_ms is not None and not 1_000 <= choices.limit_ms <= LIMIT_MOST_MS:
        raise WrongInput(N_("a limit of {found} ms: expected 1000 to {most}"),
                         found=choices.limit_ms, most=LIMIT_MOST_MS)  # fmt: skip
    new.limit_ms = ruleset.limit_ms if choices.limit_ms is None else choices.limit_ms
    new.draw = DRAWS[choices.draw or ruleset.draw]
    new.on_expiry = EXPIRIES[choices.on_expiry or ruleset.on_expiry]
    new.on_bank_empty = ENDINGS[ruleset.on_bank_empty]
    new.on_round_time = ENDINGS[ruleset.on_round_time]
    new.next_starter = STARTERS[ruleset.next_starter]
    new.grace_ms = ruleset.grace_ms
    new.alert_ms = ruleset.alert_after_ms
    new.countdown_ms = ruleset.countdown_ms
    new.claim_ms = ruleset.claim_window_ms
    new.late_tile_ms = ruleset.late_tile_window_ms
    new.dispute_ms = ruleset.dispute_window_ms
    new.withdraw_ms = ruleset.withdraw_window_ms
    new.guard_ms = ruleset.guard_ms
    new.shared_guard_ms = ruleset.shared_guard_ms
    new.tiles = ruleset.tiles
    new.hand = ruleset.hand
    new.taps_only = ruleset.taps_only if choices.taps_only is None else choices.taps_only
    new.sound = SOUNDS[choices.sound or ruleset.sound]
    if new.tiles < new.hand * len(choices.seats):
        raise WrongInput(N_("{tiles} tiles do not give {hand} to each of {count} seats"),
                         tiles=new.tiles, hand=new.hand, count=len(choices.seats))  # fmt: skip
    return new
