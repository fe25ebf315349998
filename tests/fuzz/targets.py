"""What takes bytes from strangers, each as a function of bytes that must not raise, whatever they are.

Those on the air and on a cable also assert that the bytes had no effect: who has no key changes nothing. Those of files
and of what screens say let one kind of error through: a sentence for whoever brought them. `test_targets.py` feeds them
from hypothesis in every run, `python -m tests.fuzz` from a coverage-guided fuzzer for as long as one likes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Final

import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

from dalej.clock import ManualClock
from dalej.desk.feed import messages
from dalej.domain.rules import ruletext
from dalej.domain.tournament.tournament import Player
from dalej.errors import DalejError, WrongInput
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.link.roster import Roster
from dalej.link.session import FactsArrived, Phase, Session, StateHeard, Trusted
from dalej.link.uptime import UptimeMap
from dalej.office import resultfile
from dalej.rulesets import rulebook
from dalej.simulator.hall import Hall
from dalej.words import N_
from moveclock import cable, identity, settings, wire
from moveclock import facts as k
from tests.link.hand import Hand, is_live
from tests.link.rig import SECRET, UID

MEMORY: Final = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # where files are quick
STRANGER: Final = 2  # the number of a link on which nobody has proved himself
GENUINE: Final = b"\x01 a packet of the box"


def frames_to_a_box(data: bytes) -> None:
    """A stranger's frames at a running table whose desk is on another link, and the same frames on the desk's own."""
    hand = Hand().configured()
    desk = hand.session()
    assert is_live(desk)
    hand.tap(2 * k.SEAT_A)
    before = hand.fingerprint()
    hand.open(STRANGER)
    for frame in _frames(data):
        hand.box.receive(STRANGER, frame, hand.now)
        hand.box.receive(1, frame, hand.now)
    hand.pump()
    assert hand.fingerprint() == before
    assert [peer.state for peer in hand.box.links.peers if peer.link == 1] == [2]  # trusted as before


def frames_to_a_desk(data: bytes) -> None:
    """A stranger that was taken for the box, from the first frame on."""
    for welcomed in (False, True):
        session = Session(
            uid=UID, secret=SECRET, desk_id=1, desk_name="desk", known=[], nonce=Random(1).randbytes(16),
            uptimes=UptimeMap(),
        )  # fmt: skip
        session.start(0)
        if welcomed:
            session.receive(wire.pack_welcome(UID, 7, 1, 1, 5, 0, bytes(16)), 1)
        for frame in _frames(data):
            session.receive(frame, 2)
        assert session.phase is not Phase.LIVE
        assert not any(isinstance(event, Trusted | FactsArrived | StateHeard) for event in session.events)


def advertisements(data: bytes) -> None:
    """Whatever a scanner hears; beginnings that look like a box's come from the fuzzer's own luck and from here."""
    roster = Roster()
    roster.know(UID, SECRET, UptimeMap())
    start = b"\x1b\xff\xff\xff" + bytes(2) + UID[3:]
    for heard in (data, start + data, (start + data)[:28].ljust(28, b"\0")):
        assert roster.hear(heard, 0) is None
    assert roster.refused == 3


def serial_bytes(data: bytes) -> None:
    """Noise on a cable, then a packet: the noise is counted at most, and the packet arrives."""
    packets = cable.Packets()
    half = len(data) // 2
    packets.feed(data[:half])
    packets.feed(data[half:])
    found = packets.feed(b"\0" + cable.pack(cable.FRAME, GENUINE))
    assert (cable.FRAME, GENUINE) in [(kind, bytes(payload)) for kind, payload in found]


def stored_bytes(data: bytes) -> None:
    """Files that were damaged: a `WireError`, or what packs to the same bytes."""
    for unpack in (identity.unpack, settings.unpack):
        try:
            found = unpack(data)
        except wire.WireError:
            continue
        assert found.pack() == data
    for parse in (wire.unpack_record, wire.unpack_hello, wire.unpack_welcome, wire.unpack_state, cable.unpack_told):
        try:
            parse(data)
        except wire.WireError:
            continue


def wishes(data: bytes) -> None:
    """A line at the desk's own port, of who has its token."""
    _no_more_than_a_sentence(lambda: messages.from_screen(data))


def results(data: bytes) -> None:
    """A file of results: a table in some encoding."""
    _no_more_than_a_sentence(lambda: resultfile.read(data, "results.csv", _nobody, _unknown))


def workbooks(data: bytes) -> None:
    """The same as a workbook that was damaged, or is none."""
    _no_more_than_a_sentence(lambda: resultfile.read(data, "results.xlsx", _nobody, _unknown))
    _no_more_than_a_sentence(lambda: resultfile.read(_damaged(_workbook(), data), "results.xlsx", _nobody, _unknown))


def rulesets(data: bytes) -> None:
    """A ruleset that somebody has written."""
    _no_more_than_a_sentence(lambda: ruletext.parse(data.decode("utf-8", "replace"), "own.toml"))
    if data:
        shipped = _shipped()[data[0] % len(_shipped())]
        damaged = _damaged(shipped, data[1:]).decode("utf-8", "replace")
        _no_more_than_a_sentence(lambda: ruletext.parse(damaged, "own.toml"))


def event_files(data: bytes) -> None:
    """An event file that was damaged: a sentence, or what can be read to its end."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder:
        file = Path(folder, "cup.dalej")
        file.write_bytes(_damaged(_event(), data))

        def read_on() -> None:
            with Ledger.open(file, read_only=True) as ledger:
                ledger.expect_whole()
                for _ in read(ledger).facts():
                    pass

        _no_more_than_a_sentence(read_on)


def _no_more_than_a_sentence(reading: Callable[[], object]) -> None:
    told = "read"
    try:
        reading()
    except DalejError as error:
        told = str(error)
    assert told, "an error without a word"


def _nobody(_table: int, _seat: str) -> Player | None:
    return None


def _unknown(name: str) -> Player:
    raise WrongInput(N_("{name} is nobody here"), name=name)


def _damaged(whole: bytes, data: bytes) -> bytes:
    """A good file in which bytes are others: five bytes say where (three) and what (two)."""
    changed = bytearray(whole)
    for start in range(0, len(data) - 4, 5):
        place = int.from_bytes(data[start : start + 3], "little") % len(changed)
        changed[place : place + 2] = data[start + 3 : start + 5]
    return bytes(changed)


@cache
def _event() -> bytes:
    """A short evening."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder:
        file = Path(folder, "cup.dalej")
        with Ledger.create(file) as ledger:
            rules = eventlog.choose_ruleset(ledger, "school-league", who="fuzz", when_ms=1)
            Hall(ledger, rules, ManualClock(), tables=1, moves=20, seed=1).play()
        return file.read_bytes()


@cache
def _workbook() -> bytes:
    """One game's results."""
    made = BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate((("table", "game", "A", "B", "C", "D"), (1, 1, 0, 12, 7, 30))):
            sheet.write_row(row, 0, cells)
    return made.getvalue()


@cache
def _shipped() -> tuple[bytes, ...]:
    """The text of each ruleset."""
    return tuple(rulebook.source(name)[0].encode() for name in rulebook.available())


def _frames(data: bytes) -> Iterator[bytes]:
    """Bytes as frames: a length, then so many."""
    while data:
        size = data[0]
        yield data[1 : 1 + size]
        data = data[1 + size :]


TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    "box": frames_to_a_box,
    "desk": frames_to_a_desk,
    "adverts": advertisements,
    "serial": serial_bytes,
    "stored": stored_bytes,
    "wishes": wishes,
    "results": results,
    "workbooks": workbooks,
    "rulesets": rulesets,
    "event-files": event_files,
}


def seeds(name: str) -> list[bytes]:
    """Good inputs of that target, from which a fuzzer may begin."""
    match name:
        case "wishes":
            lines = (
                messages.Open("t" * 43, messages.PROTOCOL),
                messages.Take(1, True),
                messages.Finger(1, 3, True),
                messages.Tap(1, 3, False),
                messages.Reach(1, False),
                messages.Power(1, True),
                messages.Speed(2.0),
            )
            return [messages.line_of(line) for line in lines]  # fmt: skip
        case "results":
            text = "stolik;gra;A;B;C;D\n1;1;0;12;7;30\n2;1;5;0;J+3;11\n"
            return [text.encode(codec) for codec in ("utf-8", "cp1250", "utf-16")]
        case "rulesets":
            return list(_shipped())
    return [b""]
