"""Commands of a desk inside the box, past any link: which it takes, when they take effect, which it knows again."""

import struct

from box_run import BoxRun, started
from clock_run import ClockRun
from journal_run import add, mounted
from memory_flash import MemoryFlash
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import wire
from moveclock.desk_commands import Commands
from moveclock.journal import Journal

U32 = 1 << 32


def give(
    run: BoxRun, number: int, what: int, arguments: bytes = b"", at: int = 0, game: int = 0, move: int = 0
) -> None:
    """The box receives command `number` now; `at` is an uptime of this boot, 0: at once."""
    frame = wire.pack_command(number, what, game, move, run.box.journal.boot, at, arguments)
    run.box.commands.take(wire.unpack_command(frame), run.now)
    run.pump(run.now)


def answers(run: BoxRun) -> list[tuple[int, ...]]:
    """The facts by which desks were answered, without those of the table's setting up."""
    return run.facts(k.COMMAND_APPLIED, k.COMMAND_REFUSED)[2:]


def waiting(journal: Journal, now: int, at: int, number: int = 1) -> int | None:
    """When a command takes effect that is received at `now` for `at`; None if its number was answered before."""
    commands = Commands(ClockRun().clock, journal)
    commands.take((number, k.C_BLINK, 0, 0, journal.boot, at, b""), now)
    return commands.due()


def answered(journal: Journal, kind: int, number: int) -> None:
    journal.commit([(kind, 0, 1, 1, k.NOBODY, k.C_STOP, number, 0, 0)], b"")


def test_a_command_is_answered_by_one_whole_fact_and_what_it_says_wrongly_by_the_reason() -> None:
    run = started()
    stop = struct.pack("<I", k.REFEREE)

    give(run, 7, k.C_STOP, stop + b"\x00")
    give(run, 8, k.C_STOP, stop, game=2)
    give(run, 9, k.C_STOP, stop, move=2)
    give(run, 10, k.C_STOP, stop, game=1, move=1)
    give(run, 11, k.C_SET_BANK, struct.pack("<I", U32 - 1))

    assert answers(run) == [
        (k.COMMAND_REFUSED, 1000, 1, 1, k.NOBODY, k.C_STOP, 7, 0, k.R_ARGUMENT),
        (k.COMMAND_REFUSED, 1000, 1, 1, k.NOBODY, k.C_STOP, 8, 0, k.R_GUARD),
        (k.COMMAND_REFUSED, 1000, 1, 1, k.NOBODY, k.C_STOP, 9, 0, k.R_GUARD),
        (k.COMMAND_APPLIED, 1000, 1, 1, k.NOBODY, k.C_STOP, 10, 0, 0),
        (k.COMMAND_REFUSED, 1000, 1, 1, k.NOBODY, k.C_SET_BANK, 11, 0, k.R_ARGUMENT),
    ]


def test_commands_take_effect_in_the_order_of_their_instants_and_those_of_one_instant_as_they_came() -> None:
    run = started()
    for number, ahead in ((1, 3000), (2, 1000), (3, 2000), (4, 1000), (5, 5000), (6, 2500), (7, 0), (8, 1000)):
        give(run, number, k.C_BLINK, at=1000 + ahead)

    run.run(7000)

    assert [(fact[6], fact[1]) for fact in answers(run)] == [
        (7, 1000), (2, 2000), (4, 2000), (8, 2000), (3, 3000), (6, 3500), (1, 4000), (5, 6000),
    ]  # fmt: skip


def test_an_instant_up_to_24_days_ahead_is_waited_for_and_any_other_is_over() -> None:
    journal = mounted(MemoryFlash())
    half = 0x7FFFFFFF
    for now, at, due in (
        (10000, 0, 10000),
        (10000, 9999, 10000),
        (10000, 10000, 10000),
        (10000, 10001, 10001),
        (10000, 10000 + half - 1, 10000 + half - 1),
        (10000, 10000 + half, 10000),
        (U32 - 1000, 500, U32 + 500),  # uptime travels modulo 2**32
        (U32 + 500, U32 - 1000, U32 + 500),
    ):
        assert waiting(journal, now, at) == due, (now, at)


def test_a_box_blinks_for_five_seconds_from_the_instant_it_is_asked_for() -> None:
    run = BoxRun()
    assert run.box.view(0).blinking != 255
    give(run, 7, k.C_BLINK, at=2000)
    for now, blinks in ((1999, False), (2000, True), (6999, True), (7000, False)):
        run.run(now)
        assert (run.box.view(now).blinking == 255) == blinks, now


def test_a_table_is_set_up_for_the_game_that_is_named_and_keeps_its_settings() -> None:
    run = BoxRun()
    settings = rules.Settings()
    settings.limit_ms = 45000

    give(run, 7, k.C_CONFIGURE, b"\x34\x12" + settings.pack())
    run.run(1000)

    assert run.facts(k.CONFIGURED) == [(k.CONFIGURED, 0, 0x1234, 0, k.NOBODY, k.DESK, 45000, 15, 50)]
    assert run.flash.files["settings"] == settings.pack()
    run.power()
    assert run.box.clock.settings.limit_ms == 45000


def test_settings_that_are_refused_are_not_kept_either() -> None:
    run = started()
    kept = run.flash.files["settings"]
    other = rules.Settings()
    other.limit_ms = 45000

    give(run, 7, k.C_CONFIGURE, b"\x02\x00" + other.pack())
    give(run, 8, k.C_STOP, struct.pack("<I", k.REFEREE))
    run.run(5000)

    assert answers(run)[0] == (k.COMMAND_REFUSED, 1000, 1, 1, k.NOBODY, k.C_CONFIGURE, 7, 0, k.R_STATE)
    assert run.flash.files["settings"] == kept


def test_the_last_32_commands_are_known_again_and_the_one_before_them_is_not() -> None:
    run = started()
    for number in range(1, 34):
        give(run, number, k.C_BLINK)
    once = list(range(1, 34))

    for number in range(33, 1, -1):
        give(run, number, k.C_BLINK)
    assert [fact[6] for fact in answers(run)] == once
    give(run, 1, k.C_BLINK)

    assert [fact[6] for fact in answers(run)] == once + [1]


def test_a_restart_knows_the_commands_that_were_answered_in_the_newest_128_facts() -> None:
    journal = mounted(MemoryFlash())
    answered(journal, k.COMMAND_APPLIED, 1)
    answered(journal, k.COMMAND_REFUSED, 2)
    add(journal, 126)
    assert waiting(journal, 0, 500, number=1) is None
    assert waiting(journal, 0, 500, number=2) is None
    assert waiting(journal, 0, 500, number=3) == 500

    add(journal, 1)

    assert waiting(journal, 0, 500, number=1) == 500
    assert waiting(journal, 0, 500, number=2) is None


class SpoiltFlash(MemoryFlash):
    """One of its files cannot be read."""

    spoilt = ""

    def read(self, path: str) -> bytes | None:
        if path == self.spoilt:
            raise OSError(5, "told to fail")
        return super().read(path)


def test_a_record_that_cannot_be_read_at_a_restart_hides_no_command_but_its_own() -> None:
    flash = SpoiltFlash()
    journal = mounted(flash)
    answered(journal, k.COMMAND_APPLIED, 1)
    add(journal, 4)
    answered(journal, k.COMMAND_APPLIED, 2)
    add(journal, 30)

    flash.spoilt = "journal/5eed0001/0/0"

    assert waiting(journal, 0, 500, number=1) == 500
    assert waiting(journal, 0, 500, number=2) is None
