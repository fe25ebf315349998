"""Numbers that are on flash and in ledgers for good: a fact, a command, a seat is never renumbered."""

from moveclock import facts as k
from moveclock import wire

KINDS = """
BOOTED CONFIGURED GAME_STARTED MOVE_STARTED TILE_DRAWN MOVE_ENDED TIME_RAN_OUT TABLE_RESTORED CLICKED_BEFORE_DRAWING
DALEJ_REFUSED RESTART_CLAIMED CLAIM_DENIED MOVE_RESTARTED OPENING_ANNOUNCED DISPUTE_RAISED CALL_WITHDRAWN
REFEREE_CALLED CLOCK_STOPPED CLOCK_RESUMED TIME_CORRECTED EXTRA_TIME_GIVEN SEAT_CHANGED SEAT_WITHDRAWN BANK_CORRECTED
FINAL_LAP_BEGUN GAME_ENDED GAME_REOPENED GAME_REDEALT STRAY_TAP BATTERY_LOW COMMAND_APPLIED COMMAND_REFUSED
RECORDS_LOST FAULT
"""
COMMANDS = """
C_CONFIGURE C_START C_STOP C_RESUME C_RESTART_MOVE C_SET_REMAINING C_GIVE_TIME C_SET_SEAT C_SET_BANK C_WITHDRAW
C_FINAL_LAP C_REOPEN C_REDEAL C_NEXT_GAME C_END_GAME C_DENY_CLAIM C_TAKE_OVER C_BLINK
"""
REFUSALS = "R_STATE R_GUARD R_ARGUMENT R_UNKNOWN R_SEAT R_LATE"


def numbers(names: str) -> list[int]:
    return [getattr(k, name) for name in names.split()]


def test_kinds_commands_and_refusals_count_from_one() -> None:
    for names, most in ((KINDS, 34), (COMMANDS, 18), (REFUSALS, 6)):
        assert numbers(names) == list(range(1, most + 1))


def test_codes_inside_a_fact_count_from_zero() -> None:
    for names in (
        "SEAT_A SEAT_B SEAT_C SEAT_D",
        "IDLE READY RUNNING EXPIRED STOPPED OVER",
        "BY_JUZ BY_DALEJ BY_TIMEOUT BY_EMPTY_RACK BY_DESK BY_WITHDRAWAL",
        "TABLE DESK BOX",
        "STANDS UNDONE",
        "REFEREE DISPUTE EARLY_CLICK ROUND_BREAK BOX_LOST_POWER",
        "WENT_OUT BANK_EMPTY ROUND_TIME LAST_SEAT DESK_ENDED",
        "SAME_SEAT NEXT_SEAT",
        "POWER_ON HARD_RESET WATCHDOG SOFT_RESET",
    ):
        assert numbers(names) == list(range(len(names.split()))), names
    assert k.NOBODY == 255


def test_contacts_and_faults_are_what_the_displays_and_the_docs_say() -> None:
    assert (k.KOSTKA, k.SEDZIA, k.SHARED_JUZ, k.SHARED_DALEJ, k.CONTACTS) == (8, 9, 10, 11, 12)
    assert (k.E_STUCK, k.E_JOURNAL_FULL, k.E_FLASH_WRITE, k.E_TORN_RECORD, k.E_NEW_EPOCH) == (10, 30, 31, 32, 33)
    assert (k.E_EDGE_HANDLER, k.E_RECEIVE_HANDLER, k.E_TICK_HANDLER, k.E_LINK_HANDLER) == (40, 41, 42, 43)
    assert k.E_CLOCK_RESTORED == 51


def test_frames_and_refusals_of_a_link_keep_their_numbers() -> None:
    assert (wire.SEALED, wire.HELLO, wire.WELCOME, wire.AUTH, wire.ACCEPTED, wire.REFUSED) == (0, 1, 2, 3, 4, 5)
    assert (wire.ACK, wire.COMMAND, wire.PING, wire.BYE) == (16, 17, 18, 19)
    assert (wire.RECORDS, wire.STATE, wire.PONG) == (32, 33, 34)
    assert (wire.NO_PROTOCOL, wire.NO_MTU, wire.NO_AUTH, wire.NO_BUSY) == (1, 2, 3, 4)
    assert (wire.PROTOCOL, wire.MTU_AT_LEAST, wire.FRAME_MOST) == (1, 100, 244)
