"""Facts, rulings, flags and instants in words: one sentence each, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from dalej.domain.game.facts import Fact
from dalej.domain.game.rulings import Ruling
from dalej.errors import DalejError
from dalej.words import N_, _, day_shown, ngettext, said

SENTENCES: Final[Mapping[str, str]] = {
    "booted": N_("the box started ({reset})"),
    "configured": N_("ready for game {game}: {limit} s a move, seats {seats}, {bank} in the bank"),
    "game_started": N_("{seat} starts the game"),
    "move_started": N_("{seat} to move, {remaining} s"),
    "tile_drawn": N_("{seat} draws a tile, {bank} left"),
    "move_ended": N_("{seat}: {how} after {elapsed} s"),
    "time_ran_out": N_("{seat}: time is over"),
    "table_restored": N_("{seat}: {verdict}, {overrun} s after the limit"),
    "clicked_before_drawing": N_("{seat} clicked before drawing"),
    "dalej_refused": N_("{seat}: Dalej refused, no tile was drawn"),
    "restart_claimed": N_("{seat} claims the move again: the one before clicked too early"),
    "claim_denied": N_("{seat}: claim denied"),
    "move_restarted": N_("{seat}: the move starts again, {remaining} s"),
    "opening_announced": N_("{seat}: „Wyłożę się w następnej rundzie”"),
    "dispute_raised": N_("dispute about the move of {seat}"),
    "call_withdrawn": N_("call withdrawn"),
    "referee_called": N_("referee called"),
    "clock_stopped": N_("clock stopped ({reason}), {remaining} s left"),
    "clock_resumed": N_("clock resumed by {by} after {stopped} s"),
    "time_corrected": N_("{seat}: time corrected to {remaining} s"),
    "extra_time_given": N_("{seat}: {extra} s more, {remaining} s left"),
    "seat_changed": N_("{seat} is to move now"),
    "seat_withdrawn": N_("{seat} withdraws"),
    "bank_corrected": N_("bank corrected to {bank}"),
    "final_lap_begun": N_("final lap ({reason})"),
    "game_ended": N_("game over ({reason})"),
    "game_reopened": N_("game reopened"),
    "game_redealt": N_("tiles dealt anew"),
    "stray_tap": N_("{contact} changes nothing now"),
    "battery_low": N_("supply low ({millivolts} mV)"),
    "command_applied": N_("the box carried out: {command}"),
    "command_refused": N_("the box refused: {command} ({reason})"),
    "records_lost": N_("facts {from} to {to} are lost"),
    "fault": N_("fault E{code}: {name}"),
}

# A move that began at another box: whether its time was over there, and whether the game is in its final lap.
_TAKEN_OVER: Final[Mapping[tuple[bool, bool], str]] = {
    (False, True): N_("{seat} to move, {remaining} s; the final lap goes on ({final_lap})"),
    (True, False): N_("{seat}: time was over at the box before, and what becomes of the move is still to be said"),
    (True, True): N_(
        "{seat}: time was over at the box before, and what becomes of the move is still to be said; the final lap goes "
        "on ({final_lap})"
    ),
}

WORDS: Final[Mapping[str, str]] = {
    # how a move ended
    "juz": N_("Już"), "dalej": N_("Dalej"), "timeout": N_("time-out"), "empty_rack": N_("empty rack"),
    "desk": N_("ended by the desk"), "withdrawn": N_("withdrawn"),
    # verdicts and rulings
    "stands": N_("it stands"), "undone": N_("undone"), "takes_invalid": N_("takes what is in no valid set"),
    # reasons
    "referee": N_("referee"), "dispute": N_("dispute"), "early_click": N_("early click"),
    "round_break": N_("round break"), "box_lost_power": N_("the box lost power"), "went_out": N_("went out"),
    "bank_empty": N_("bank empty"), "round_time": N_("round time"), "last_seat": N_("one seat left"),
    "not_played": N_("not played"),
    # resets
    "power_on": N_("power on"), "hard_reset": N_("reset"), "watchdog": N_("watchdog"), "soft_reset": N_("soft reset"),
    # refusals
    "state": N_("not now"), "guard": N_("the table has moved on"), "argument": N_("value not allowed"),
    "unknown_command": N_("not known to this firmware"), "seat": N_("no such seat in play"),
    "too_late": N_("the first round is over"),
    # flags of a turn
    "clicked_before_drawing": N_("clicked before drawing"), "dalej_refused": N_("Dalej refused"),
    "late_tile": N_("tile drawn late"), "further_tile": N_("more than one tile"),
    "drew_then_laid": N_("drew, then laid"), "announced": N_("announced the opening"), "claim": N_("claim"),
    "claim_denied": N_("claim denied"), "restarted": N_("restarted"), "taken_up": N_("taken up again"),
    "call_withdrawn": N_("call withdrawn"), "referee_called": N_("referee called"), "corrected": N_("time corrected"),
    "extra_time": N_("extra time"), "seat_changed": N_("seat changed"), "bank_corrected": N_("bank corrected"),
    "reopened": N_("reopened"), "other_box": N_("another box went on"), "unended": N_("end not known"),
}  # fmt: skip

# What acts offer to choose from, where it is none of those words.
CHOICES: Final[Mapping[str, str]] = {
    "touched": N_("tiles touched after the time"), "nothing_laid": N_("valid, but nothing of one's own laid"),
    "same_seat": N_("the same player"), "next_seat": N_("the next player"), "public": N_("public"),
    "referee": N_("referee"), "organiser": N_("organiser"), "everybody": N_("everybody"),
    "sheets": N_("score sheets"), "seating": N_("seating"), "wall": N_("seating by name, for a wall"),
    "numbers": N_("table numbers to stand up"), "results": N_("results of the round"), "standings": N_("standings"),
    "prizes": N_("prizes by class or club"), "diplomas": N_("diplomas"), "form": N_("final form"),
    "list": N_("list of results, to be filled in"), "signups": N_("empty sign-up list, to be filled in"),
}  # fmt: skip

ACTORS: Final[Mapping[str, str]] = {"table": N_("the table"), "desk": N_("the desk"), "box": N_("the box")}

COMMANDS: Final[Mapping[str, str]] = {
    "configure": N_("set up a game"), "start": N_("start"), "stop": N_("stop the clock"), "resume": N_("go on"),
    "restart_move": N_("start the move again"), "set_remaining": N_("set the time left"),
    "give_time": N_("give extra time"), "set_seat": N_("change whose move it is"), "set_bank": N_("set the bank"),
    "withdraw": N_("withdraw a seat"), "final_lap": N_("begin the final lap"), "reopen": N_("reopen the game"),
    "redeal": N_("deal anew"), "next_game": N_("next game"), "end_game": N_("end the game"),
    "deny_claim": N_("deny the claim"), "take_over": N_("take over a table"), "blink": N_("blink"),
}  # fmt: skip

FAULTS: Final[Mapping[str, str]] = {
    "contact_stuck": N_("a contact is stuck"), "journal_full": N_("the journal is full"),
    "flash_write_failed": N_("the flash cannot be written"), "torn_record_dropped": N_("a torn record was dropped"),
    "new_epoch": N_("a new journal was begun"), "edge_handler_failed": N_("a press could not be handled"),
    "receive_handler_failed": N_("a message could not be handled"),
    "tick_handler_failed": N_("the clock stumbled"), "link_handler_failed": N_("a link stumbled"),
    "clock_state_unreadable": N_("the state before the restart cannot be read"),
    "edges_lost": N_("presses came faster than the box can store them"),
    "frames_lost": N_("more came over the air than the box can store"),
    "radio_handler_failed": N_("the radio stumbled"), "main_loop_failed": N_("the box stumbled and went on"),
    "display_missing": N_("a display does not answer"), "flash_test_failed": N_("flash does not keep what is written"),
    "journal_unreadable": N_("the journal cannot be read"),
    "battery_implausible": N_("the supply reading is not plausible"),
    "radio_not_started": N_("the radio did not start"),
    "radio_hung": N_("the radio hung, and the box was started anew for it"),
    "no_identity": N_("the box was never paired"),
    "foreign_identity": N_("the box has the identity of another board"),
    "damaged_identity": N_("the identity is damaged"), "not_started": N_("the firmware did not start"),
    "contact_held_at_start": N_("a contact was down at power-on"),
}  # fmt: skip

CONTACTS: Final[Mapping[str, str]] = {
    "juz": N_("Już"), "dalej": N_("Dalej"), "kostka": N_("Kostka"), "sedzia": N_("Sędzia")
}  # fmt: skip

# Which words a field's names become; the names of seats stay as they are written on the box.
_VOCABULARY: Final[Mapping[str, Mapping[str, str]]] = {
    "by": ACTORS, "command": COMMANDS, "name": FAULTS, "seat": {}, "seats": {}, "from_seat": {},
}  # fmt: skip
_DURATIONS: Final = ("limit", "remaining", "elapsed", "overrun", "stopped", "extra")


def word(name: str) -> str:
    """A name that programs use, as people say it."""
    return _(WORDS[name]) if name in WORDS else name


def word_said(name: str) -> DalejError:
    """The same as a part of a sentence, which its reader's language is still to be chosen for."""
    return DalejError(WORDS[name]) if name in WORDS else DalejError("{name}", name=name)


def choice(name: str) -> DalejError:
    """What an act offers to choose, as a part of a sentence."""
    return DalejError(CHOICES[name]) if name in CHOICES else word_said(name)


def tell(fact: Fact) -> str:
    """One sentence for a fact; an unknown one keeps its name."""
    if fact.name not in SENTENCES:
        return fact.name
    told: dict[str, object] = {"seat": "?", "game": fact.game}
    for name, value in fact.fields().items():
        if name == "contact":
            told[name] = contact_called(str(value))
        else:
            told[name] = _(_VOCABULARY.get(name, WORDS).get(value, value)) if isinstance(value, str) else value
    for name in _DURATIONS:
        milliseconds = told.get(f"{name}_ms")
        if isinstance(milliseconds, int):
            told[name] = seconds(milliseconds)
    taken_over = bool(told.get("late")), bool(told.get("final_lap"))
    return _(_TAKEN_OVER.get(taken_over, SENTENCES[fact.name])).format(**told)


def contact_called(name: str) -> str:
    """A contact as it is written on the box: `A.juz` is `A Już`, `sedzia` is `Sędzia`; another name stays."""
    seat, _dot, kind = name.rpartition(".")
    called = _(CONTACTS[kind]) if kind in CONTACTS else kind
    return f"{seat} {called}" if seat else called


def tell_ruling(ruling: Ruling) -> str:
    """One sentence for a ruling, with its clause."""
    sentence = {
        "default": N_("  for now, until somebody rules: {verdict}, {tiles} (regulation, {clause})"),
        "table": N_("  the table ruled: {verdict}, {tiles} (regulation, {clause})"),
        "referee": N_("  the referee ruled: {verdict}, {tiles} (regulation, {clause})"),
    }[ruling.by]
    return _(sentence).format(verdict=word(ruling.ruling), tiles=tell_tiles(ruling.tiles), clause=ruling.clause)


def tell_tiles(tiles: int | None) -> str:
    """How many tiles a ruling costs, in words."""
    if tiles is None:
        return _("tiles not counted yet")
    return ngettext("{count} tile", "{count} tiles", tiles).format(count=tiles)


def command_said(name: str) -> DalejError:
    """A command for a box, as people say it, as a part of a sentence."""
    return DalejError(COMMANDS[name]) if name in COMMANDS else DalejError("{name}", name=name)


def seconds(ms: int) -> str:
    """Seconds with tenths, rounded down, in the reader's notation."""
    return said(seconds_said(ms))


def seconds_said(ms: int) -> DalejError:
    """The same as a part of a sentence."""
    return DalejError(N_("{whole}.{tenths}"), whole=ms // 1000, tenths=ms // 100 % 10)


def local(unix_ms: int) -> datetime:
    """An instant on this computer's calendar."""
    return datetime.fromtimestamp(unix_ms / 1000, UTC).astimezone()


def instant(unix_ms: int) -> str:
    """Local day and minute, as lists and sentences say them."""
    when = local(unix_ms)
    return f"{day_shown(when.date().isoformat())} {when:%H:%M}"
