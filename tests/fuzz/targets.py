"""What takes bytes from strangers, each as a function of bytes that must not raise, whatever they are.

Those on the air and on a cable also assert that the bytes had no effect: who has no key changes nothing. Those of files
and of what screens say let one kind of error through: a sentence for whoever brought them. `test_targets.py` feeds them
from hypothesis in every run, `python -m tests.fuzz` from a coverage-guided fuzzer for as long as one likes; both begin
with good ones (`seeds`) and spoil them.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final
from zipfile import ZipFile

import xlsxwriter  # type: ignore[import-untyped]  # it comes without types

from dalej.clock import ManualClock
from dalej.desk.feed import messages
from dalej.domain.rules import ruletext
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.errors import DalejError, WrongInput
from dalej.event import eventlog
from dalej.event.ledger import Ledger
from dalej.event.reading import read
from dalej.link.roster import Roster
from dalej.link.session import FactsArrived, Phase, Session, StateHeard, Trusted
from dalej.link.uptime import UptimeMap
from dalej.office import formfile, listfiles, resultfile
from dalej.rulesets import rulebook
from dalej.simulator.hall import Hall
from dalej.views.listwords import planned_signups
from dalej.words import N_
from moveclock import advert, cable, identity, secure, settings, wire
from moveclock import facts as k
from tests.link.hand import OTHER_SECRET, Hand, is_live
from tests.link.rig import SECRET, UID
from tests.memory import MEMORY
from tests.world import an_event

if TYPE_CHECKING:
    from tests.fuzz.pages import ServedHall

STRANGER: Final = 2  # the number of a link on which nobody has proved himself
GENUINE: Final = b"\x01 a packet of the box"
AS_WORKBOOK: Final = b"\x01"
TODAY: Final = date(2026, 11, 30)


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
    """The same as a workbook: these bytes, and a good one that is damaged as they say."""
    _no_more_than_a_sentence(lambda: resultfile.read(data, "results.xlsx", _nobody, _unknown))
    damaged = _damaged(_results_book(), data)
    _no_more_than_a_sentence(lambda: resultfile.read(damaged, "results.xlsx", _nobody, _unknown))


def lists(data: bytes) -> None:
    """A list of players, of finalists or of results, at an event that is under way; after a 1 as the cells of a
    workbook, which is a good one.
    """
    state, file = _tournament(), "list.csv"
    if data[:1] == AS_WORKBOOK:
        data, file = _workbook(data[1:].decode("utf-8", "replace")), "list.xlsx"

    def signed_up() -> None:
        planned = planned_signups(state, data, file)
        assert not planned.new or all(planned.lines())

    current = state.current
    assert current is not None
    _no_more_than_a_sentence(signed_up)
    _no_more_than_a_sentence(lambda: formfile.read(data, file, state, TODAY))
    _no_more_than_a_sentence(lambda: listfiles.filed(data, file, state, current, lambda _tables: {}))


def pages(data: bytes) -> None:
    """What a browser sends to a hall that is served; `tests.fuzz.pages` says how far it gets."""
    _served_hall().visit(data)


def _served_hall() -> ServedHall:
    from tests.fuzz.pages import served_hall  # a whole server, for which no other target waits

    return served_hall()


def rulesets(data: bytes) -> None:
    """A ruleset that somebody has written: these bytes, and after the number of one of ours how it is damaged."""
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


def _workbook(text: str) -> bytes:
    """Of one sheet: a line is a row, cells are parted by semicolons."""
    made = BytesIO()
    with xlsxwriter.Workbook(made, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, line in enumerate(text.split("\n")):
            for column, word in enumerate(line.split(";")):
                sheet.write_string(row, column, word)
    return made.getvalue()


@cache
def _results_book() -> bytes:
    """One game's."""
    return _workbook("table;game;A;B;C;D\n1;1;0;12;7;30")


@cache
def _tournament() -> Tournament:
    """Eight are seated."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY) as folder, an_event(Path(folder)) as event:
        return event.state()


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
    "lists": lists,
    "pages": pages,
    "rulesets": rulesets,
    "event-files": event_files,
}


@cache
def seeds(name: str) -> Sequence[bytes]:
    """Good inputs of that target, from which a fuzzer may begin; of the air, those of another hall or another time."""
    return _SEEDS[name]()


def _said() -> tuple[bytes, bytes]:
    """What a desk and a box said to each other another time, up to the first facts: the desk's, the box's."""
    hand = Hand(seed=2).configured()
    hand.open()
    session = Session(
        uid=UID, secret=SECRET, desk_id=1, desk_name="desk", known=[], nonce=Random(2).randbytes(16),
        uptimes=UptimeMap(),
    )  # fmt: skip
    session.start(hand.now)
    desks, boxs = [], []
    while frames := session.frames():
        desks += frames
        for frame in frames:
            hand.give(frame)
        boxs += (heard := hand.frames())
        for frame in heard:
            session.receive(frame, hand.now)
    assert is_live(session)
    return _joined(desks), _joined(boxs)


def _joined(frames: Sequence[bytes]) -> bytes:
    """As `_frames` takes them apart."""
    return b"".join(bytes([len(frame)]) + frame for frame in frames)


def _adverts() -> list[bytes]:
    key = secure.advert_key(OTHER_SECRET, UID)
    return [advert.pack(key, UID, 7, 1, 9, backlog, (k.RUNNING, k.SEAT_A, 0, 31_000, 41)) for backlog in (0, 255)]


def _packets() -> list[bytes]:
    told = cable.Told(b"info", True, False, cable.fingerprint(SECRET), 3, 60_000, (40_000, 20_000))
    return [cable.pack(cable.FRAME, frame) for frame in (GENUINE, bytes(80), cable.pack_told(told))]


def _stored() -> list[bytes]:
    told = cable.Told(b"info", True, False, cable.fingerprint(SECRET), 3, 60_000, (40_000, 20_000))
    return [
        identity.Identity(identity.KOSTKA, UID, SECRET).pack(),
        identity.Identity(0).pack(),
        settings.Settings().pack(),
        wire.pack_record(1, 1, (k.BOOTED, 5, 1, 1, k.SEAT_A, 0, 1, 2, 3)),
        wire.pack_hello(bytes(16), 1, 7, 9, "desk"),
        wire.pack_welcome(UID, 7, 1, 1, 9, 5, bytes(16)),
        wire.pack_state(tuple(range(len(wire.STATE_FIELDS)))),
        cable.pack_told(told),
    ]


def _lines() -> list[bytes]:
    lines = (
        messages.Open("t" * 43, messages.PROTOCOL),
        messages.Take(1, True),
        messages.Finger(1, 3, True),
        messages.Tap(1, 3, False),
        messages.Reach(1, False),
        messages.Power(1, True),
        messages.Speed(2.0),
    )
    return [messages.line_of(line) for line in lines]


def _results() -> list[bytes]:
    text = "stolik;gra;A;B;C;D\n1;1;0;12;7;30\n2;1;5;0;J+3;11\n"
    return [text.encode(codec) for codec in ("utf-8", "cp1250", "utf-16")]


def _lists() -> list[bytes]:
    texts = (
        "imię i nazwisko;klasa;zakwalifikowany;zgoda\nKret Wąski;4b;nie;tak\nŻubr Łoś;5 a;x;\nrazem;2\n",
        "nazwisko;imię;miasto;nr\nKret;Jan;Łódź;1\nKuna;Ewa;Radom;2\n",
        'name,class\nMole,4b\n"Otter, Ann",5a\n',
        "gracz;imię;miejscowość;data urodzenia;mail;telefon;zgoda\nLis;Rudy;Łódź;4 maja 2013;l@las.example;;t\n",
        "stolik;gra;A;B;C;D\n1;1;0;12;7;30\n2;1;5;0;J+3;11\n",
        "table;game;seat;points;jokers;ended\n1;1;A;0;;\n1;1;B;12;1;\n1;1;C;7;;\n1;1;D;30;;\n",
    )
    return [
        *(text.encode(codec) for text in texts for codec in ("utf-8", "cp1250")),
        *(AS_WORKBOOK + text.encode() for text in texts),
    ]


def _damages_of_events() -> list[bytes]:
    """In each field at the beginning of the file, and at the beginning of each of its pages."""
    return _damages([0, *range(16, 100, 2), *range(100, 116), *range(4_096, len(_event()), 4_096)])


def _damages_of_workbooks() -> list[bytes]:
    """Where each part begins and in the middle of it, in its entry in the table of contents, and at the end."""
    book = _results_book()
    with ZipFile(BytesIO(book)) as parts:
        begins, contents = [part.header_offset for part in parts.infolist()], parts.start_dir
    middles = [(begin + end) // 2 for begin, end in pairwise([*begins, contents])]
    entries = [found.start() for found in re.finditer(rb"PK\x01\x02", book)]
    fields = [entry + field for entry in entries for field in (8, 10, 16, 20, 24, 28, 42)]
    return _damages([*begins, *middles, *fields, *range(len(book) - 22, len(book), 2)])


def _damages(places: Sequence[int]) -> list[bytes]:
    """As `_damaged` reads them: none, and one at each of these places, in two ways."""
    return [b"", *(place.to_bytes(3, "little") + what for place in places for what in (b"\xff\xff", b"\0\0"))]


_SEEDS: Final[Mapping[str, Callable[[], Sequence[bytes]]]] = {
    "box": lambda: [_said()[0]],
    "desk": lambda: [_said()[1]],
    "adverts": _adverts,
    "serial": _packets,
    "stored": _stored,
    "wishes": _lines,
    "results": _results,
    "workbooks": _damages_of_workbooks,
    "lists": _lists,
    "pages": lambda: [*_served_hall().requests()],
    "rulesets": lambda: [bytes([number]) for number in range(len(_shipped()))],
    "event-files": _damages_of_events,
}
