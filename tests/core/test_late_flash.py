"""A box whose flash cannot be read at power-on, and one whose table was just set up, on both interpreters."""

from box_run import SECRET, UID, BoxRun, started
from memory_flash import MemoryFlash
from moveclock import facts as k
from moveclock import settings as rules
from moveclock import wire
from moveclock.box import Box


class ShyFlash(MemoryFlash):
    """A flash in memory that cannot even be read while it is `away`."""

    def __init__(self) -> None:
        super().__init__()
        self.away = True

    def read(self, path: str) -> bytes | None:
        if self.away:
            raise OSError(5)
        return super().read(path)


class ForgetfulFlash(MemoryFlash):
    """A flash in memory whose files beyond the journal's newest cannot be read."""

    def read(self, path: str) -> bytes | None:
        if path.startswith("journal/") and path.endswith("/0/0"):
            raise OSError(5)
        return super().read(path)


def on(run: BoxRun, flash: MemoryFlash) -> Box:
    """The run's box, with another flash."""
    return Box(UID, SECRET, flash, run.board, run.raw(run.now))


def kept(flash: MemoryFlash) -> dict[str, bytes]:
    return dict(flash.files)


def after_a_game() -> tuple[BoxRun, ShyFlash]:
    """A run whose game is stopped by a power cut, and a flash with the same files that cannot be read yet."""
    run = started()
    run.run(5000)
    flash = ShyFlash()
    flash.files = run.flash.files
    flash.folders = run.flash.folders
    run.board.kept = b""
    return run, flash


def test_a_box_whose_flash_cannot_be_read_starts_and_says_so_and_overwrites_nothing() -> None:
    run, flash = after_a_game()
    before = kept(flash)

    box = on(run, flash)
    for later in range(0, 6000, 500):
        box.tick(run.raw(run.now + later))
        box.work(run.raw(run.now + later))

    assert box.faults.shown(box.uptime.now) == k.E_FLASH_MOUNT
    assert kept(flash) == before
    assert box.advertisement() == b""


def test_no_desk_is_let_in_before_there_is_a_journal() -> None:
    run, flash = after_a_game()
    box = on(run, flash)
    box.opened(1, 247, run.raw(run.now))

    box.receive(1, wire.pack_hello(bytes(16), 5, 0, 0, "desk"), run.raw(run.now))

    assert box.links.refused == 1
    assert box.send(1, run.raw(run.now)) is None


def test_once_the_flash_can_be_read_the_table_is_as_it_was_and_the_stream_goes_on() -> None:
    run, flash = after_a_game()
    epoch, head, game = run.box.journal.epoch, run.box.journal.head, run.box.clock.game
    box = on(run, flash)
    flash.away = False

    box.work(run.raw(run.now + 2500))
    box.work(run.raw(run.now + 2600))

    assert (box.journal.epoch, box.clock.game, box.clock.state) == (epoch, game, k.STOPPED)
    assert box.journal.head > head
    assert len(box.advertisement()) == 28


def test_a_game_that_was_begun_meanwhile_is_kept_and_recorded_under_the_next_numbers() -> None:
    run, flash = after_a_game()
    epoch, head = run.box.journal.epoch, run.box.journal.head
    box = on(run, flash)
    box.clock.prepare(box.uptime.now, 3, k.SEAT_A, k.TABLE)
    flash.away = False

    box.work(run.raw(run.now + 2500))
    box.work(run.raw(run.now + 2600))

    assert (box.clock.state, box.clock.game) == (k.READY, 3)
    assert box.journal.epoch == epoch
    kinds = []
    for seq in range(head + 1, box.journal.head + 1):
        record = box.journal.record(seq)
        assert record is not None
        kinds.append(wire.unpack_record(record)[2][0])
    assert kinds == [k.FAULT, k.CONFIGURED, k.BOOTED]


def test_a_new_table_that_was_set_up_is_ready_for_its_first_game() -> None:
    run = BoxRun()
    settings = rules.Settings()
    settings.limit_ms = 120000
    run.flash.write("settings", settings.pack())

    box = Box(UID, SECRET, run.flash, run.board, run.raw(0), anew=True)

    assert (box.clock.state, box.clock.game, box.clock.settings.limit_ms) == (k.READY, 1, 120000)


def test_setting_up_a_table_in_a_game_ends_that_and_prepares_the_next() -> None:
    run = started()
    run.run(5000)

    box = Box(UID, SECRET, run.flash, run.board, run.raw(run.now), anew=True)

    assert (box.clock.state, box.clock.game) == (k.READY, 2)
    assert box.clock.out == 0
    made = [box.journal.record(seq) for seq in range(run.box.journal.head + 1, box.journal.head + 1)]
    kinds_and_times = [wire.unpack_record(record)[2][:2] for record in made if record is not None]
    assert kinds_and_times == [
        (kind, 0) for kind in (k.BOOTED, k.CLOCK_STOPPED, k.MOVE_ENDED, k.GAME_ENDED, k.CONFIGURED)
    ]


def test_old_records_that_cannot_be_read_do_not_keep_a_box_from_starting() -> None:
    run = started()
    for _ in range(20):
        run.touch(k.SEDZIA, run.now + 100)
        run.run(run.now + 4000)
    assert run.box.journal.head > 20
    flash = ForgetfulFlash()
    flash.files = run.flash.files
    flash.folders = run.flash.folders

    box = on(run, flash)

    assert box.journal.head >= run.box.journal.head
