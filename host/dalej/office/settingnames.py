"""What settings are called: by what they do, in the reader's words. Keys as people type them, without `_ms`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dalej.domain.rules.values import duration
from dalej.errors import DalejError
from dalej.office.players import folded
from dalej.words import N_, everywhere, said

LIMIT: Final = "limit"
IN_SECONDS_MS: Final = 600_000  # a longer time is read in minutes

LABELS: Final[Mapping[str, str]] = {
    "sound": N_("sounds"), "taps_only": N_("buttons are only tapped, never held"),
    "name": N_("name of the event"), "town": N_("town"), "date": N_("day"), "closed": N_("for invited players only"),
    "ruleset": N_("ruleset"), "language": N_("language"),
    "limit": N_("time for a move"), "round_time": N_("time of a round"),
    "no_new_game": N_("no new game that late in a round"), "on_expiry": N_("when a move's time is over"),
    "grace": N_("pause before the next move"), "alert_after": N_("the referee is told after"),
    "countdown": N_("countdown before the clock goes on"),
    "draw": N_("draw before the click"), "claim_window": N_("time to claim a fresh move"),
    "late_tile_window": N_("a late tile still counts for"), "guard": N_("guard against a double press"),
    "shared_guard": N_("the same with shared buttons"), "dispute_window": N_("a call is about the move before within"),
    "withdraw_window": N_("a call can be taken back within"),
    "default_ruling_drawn": N_("provisional, a tile was drawn"), "default_ruling": N_("provisional, none was drawn"),
    "stands_tiles": N_("tiles if the move stands"), "undone_tiles": N_("tiles if it is undone"),
    "takes_invalid_tiles": N_("tiles if invalid ones are taken"), "nothing_laid_tiles": N_("tiles if nothing was laid"),
    "touched_ruling": N_("tiles were touched after the time"),
    "seats_min": N_("players at a table, at least"), "seats_max": N_("players at a table, at most"),
    "jokers": N_("jokers in the set"), "tiles": N_("tiles in the set"),
    "hand": N_("tiles on a rack at first"),
    "first_starter": N_("who starts the first game"), "next_starter": N_("who starts the next one"),
    "redeal_allowed": N_("a new deal may be asked for"),
    "rounds": N_("rounds of the first stage"), "games": N_("games in a round"), "stages": N_("stages"),
    "shape": N_("kind of tournament"), "players_min": N_("players, at least"),
    "closed_players_min": N_("at least, invited only"), "players_max": N_("players, at most"),
    "players_counted": N_("players who count"), "tables_max": N_("tables, at most"),
    "semifinal_small": N_("small semifinal, players"), "semifinal_large": N_("large semifinal, players"),
    "semifinal_small_up_to": N_("small semifinal up to"), "level_seating": N_("seating of players who are level"),
    "ranking": N_("standings by"), "stage_points": N_("points in the next stage"),
    "absent_points": N_("points for a missed round"),
    "not_played_stands": N_("no game yet: stands"), "not_played_advances": N_("no game yet: goes on"),
    "on_bank_empty": N_("when the bank is empty"), "on_round_time": N_("when the round's time is over"),
    "opening_points": N_("points for the first meld"), "opening_joker_points": N_("a joker in the first meld"),
    "joker_points": N_("a joker on the rack"),
    "never_opened_points": N_("never opened"), "could_have_opened_points": N_("never opened, but could have"),
    "never_opened_counts": N_("that penalty and the rack"), "announcement_lifts": N_("an announcement lifts it"),
    "winner_takes_penalties": N_("the winner gets penalties too"),
    "penalties_without_winner": N_("penalties without a winner"), "several_lowest": N_("several lowest racks"),
    "odd_points": N_("a point left over goes"),
    "level_big_points": N_("big points of players level"), "withdrawn_ranks": N_("who has left ranks"),
    "big_points_4": N_("big points, table of four"), "big_points_3": N_("big points, table of three"),
    "big_points_2": N_("big points, table of two"),
    "check_results": N_("a second person checks results"), "form_players": N_("players on the final form"),
    "form_working_days": N_("working days to send it"), "exclusion": N_("a player is excluded"),
    "public_names": N_("names that everybody reads"),
}  # fmt: skip


def label(key: str) -> str:
    """What it does; a key that has no name yet stands for itself."""
    return said(label_said(key))


def label_said(key: str) -> DalejError:
    """The same as a part of a sentence."""
    known = key.removesuffix("_ms")
    return DalejError(LABELS[known]) if known in LABELS else DalejError("{key}", key=key)


def key_meant(text: str) -> str:
    """The key that people mean by what it is called in any language; all else as it is."""
    wanted = _plain(text)
    for key in LABELS:
        if wanted == _plain(key):
            return key
    return next((key for key, name in LABELS.items() if wanted in map(_plain, everywhere(name))), text)


def _plain(name: str) -> str:
    return " ".join(folded(name).replace("_", " ").replace("-", " ").replace(",", " ").split())


def in_seconds(text: str) -> str:
    """The time for a move as the regulations write it: 60 s, not 1 min."""
    ms = duration(text)
    return text if ms is None or ms % 1_000 or ms >= IN_SECONDS_MS else f"{ms // 1_000} s"
