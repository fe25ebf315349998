"""One story of each part of the campaign, and that each finds what is spoilt."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from dalej.event import eventlog
from dalej.event.eventlog import TableTurn
from dalej.link.session import FactsArrived, Session
from moveclock import facts as k
from moveclock.clock import Clock
from moveclock.journal import Journal
from moveclock.segments import Segments
from proof import evenings, power, scopes, stamps
from proof.campaign import Outcome
from tests.journal.little_flash import ERASED, LittleFlash
from tests.journal.story import BLOCKS
from tests.link.rig import Shelf

of_a_chip: Final = partial(power.of_a_chip, commits=60)
of_a_browser: Final = partial(power.of_a_browser, presses=150)


@pytest.mark.parametrize(
    ("play", "counted"),
    [(evenings.play, "turns"), (scopes.of_two_moves, "cases"), (of_a_chip, "cuts"),
     (of_a_browser, "cuts"), (stamps.of_moves, "moves")],
    ids=["evenings", "scopes", "chip", "browser", "stamps"],
)  # fmt: skip
def test_a_story_finds_nothing_and_is_the_same_again(play: Callable[[int], Outcome], counted: str) -> None:
    first = play(1)

    assert first.counts[counted] > 50
    if play is not evenings.play:  # a killed process has done as much as it has
        assert play(1) == first


def test_people_press_while_flash_is_erased_and_no_time_is_lost_or_won_by_more_than_the_erase() -> None:
    """Given its model: 80 ms and the reads around them."""
    counted = stamps.of_moves(1)

    assert counted.counts["... that met an erase"] > 5
    assert counted.counts["... of which a press that counts met an erase"]
    assert counted.worst["worst error of moves that met no erase, ms"] < counted.worst["worst error, ms"] < 250


UNNOTICED: Final[dict[str, tuple[int, ...]]] = {
    "the referee": (k.SEDZIA,),
    "a tile": (k.KOSTKA,),
    "a seat": tuple(range(k.KOSTKA)),
}


@pytest.mark.parametrize("whose", UNNOTICED)
def test_a_box_that_takes_no_notice_of_every_twentieth_press_for(whose: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stamps._costs()  # of a box that is whole
    press, presses = Clock.press, itertools.count(1)

    def most(clock: Clock, contact: int, held: bool, at: int, desk: bool = False) -> None:
        if contact not in UNNOTICED[whose] or next(presses) % 20:
            press(clock, contact, held, at, desk)

    monkeypatch.setattr(Clock, "press", most)
    with pytest.raises(AssertionError, match=r"the box took no notice of \d+ presses"):
        stamps.of_moves(1)


def test_a_box_that_takes_a_press_right_after_the_guard_time_for_a_slip_because_of_an_erase_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a story in which there is such a press."""
    stamps._costs()
    dated, erase_ms = Clock.dated, 70

    def too_early(clock: Clock, contact: int, since: int, seen: int) -> int:
        in_move = since - clock.began_at
        if clock.state == k.RUNNING and clock.guard_ms() <= in_move < 1_000 and seen - since > erase_ms:
            return clock.began_at
        return dated(clock, contact, since, seen)

    monkeypatch.setattr(Clock, "dated", too_early)
    with pytest.raises(AssertionError, match="the box took no notice of"):
        stamps.of_moves(8)


def test_a_desk_that_acknowledges_what_it_has_not_stored_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given one that says so of each next fact, and stores what it hears: some cases go well all the same."""
    store = Shelf._store

    def too_much(shelf: Shelf, session: Session, event: FactsArrived, now_ms: int) -> None:
        store(shelf, session, event, now_ms)
        session.committed(session.epoch, event.facts[-1].seq + 1)

    monkeypatch.setattr(Shelf, "_store", too_much)
    with pytest.raises(AssertionError, match=r"^\(\('(?:box|desk)', \d+\), \(\(\d+, '"):  # the case
        scopes.of_two_moves(1)


def test_a_journal_that_says_more_than_its_flash_holds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "_used", lambda *_: ERASED * BLOCKS)  # what goes wrong is no evening of before
    put, calls = LittleFlash._put, iter(range(1_000))
    monkeypatch.setattr(LittleFlash, "_put", lambda flash, *what: put(flash, *what) if next(calls) != 30 else None)
    with pytest.raises(AssertionError, match=r"\(\d+, 0, b''\) in \["):  # epoch, head and last record after a cut
        of_a_chip(1)


def test_a_journal_that_gives_up_what_no_desk_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    compact = Journal.compact

    def too_much(journal: Journal, _keep: int) -> bool:
        acked = journal.acked
        journal.acked = journal._acked_on_flash = journal.head
        going_on = compact(journal, 0)
        journal.acked = acked
        return going_on

    monkeypatch.setattr(Journal, "compact", too_much)
    with pytest.raises(AssertionError, match=r"\(\d+, \d+\) are lost|assert \d+ <= "):
        of_a_chip(1)


def test_a_page_that_begins_without_its_facts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given one that knows their numbers all the same, once there are some."""
    load = Segments.load

    def none_of_them(segments: Segments, epoch: int, first: int, batch: list[bytes]) -> int:
        torn = load(segments, epoch, first, batch)
        if segments.newest > 9:
            segments.oldest = segments.newest + 1
        return torn

    monkeypatch.setattr(Segments, "load", none_of_them)
    with pytest.raises(AssertionError, match="a fact is another, or none, after a page was killed"):
        of_a_browser(1)


STORED: Final = r"takes \d+ facts for stored, and \d+ are"
SPOILT: Final = {
    "acknowledges what it stores a little later": (STORED, """
def arrived(arrivals, line, event, now_ms, arrived=Arrivals.arrived):
    arrived(arrivals, line, event, now_ms)
    line.session.committed(event.facts[-1].epoch, event.facts[-1].seq)

Arrivals.arrived = arrived
"""),
    "acknowledges to each box what it has of another": (STORED, """
def commit(arrivals, now_ms, commit=Arrivals.commit):
    seqs = [one.fact.seq for one in arrivals._reports]
    commit(arrivals, now_ms)
    for line in arrivals._lines.values():
        if line.live is not None:
            for seq in seqs:
                line.live.committed(line.live.epoch, seq)

Arrivals.commit = commit
"""),
    "says that a box no longer has what it has": ("the file says that facts are lost", """
def trusted(arrivals, line, event, trusted=Arrivals.trusted):
    trusted(arrivals, line, event)
    if event.head > 5:
        arrivals._ledger.lost(line.box, event.epoch, 2, 5, "no longer on the box", 0)

Arrivals.trusted = trusted
"""),
    "asks another box": ("nobody asked", """
def send(orders, line, session, request, send=Orders._send):
    others = [one for one in orders._lines.values() if one.live is not None and one is not line]
    for other in [line] if request.command == "configure" else others[:1]:
        send(orders, other, other.live, request)

Orders._send = send
"""),
    "asks for something else": ("came to", """
def encode(command, args, encode=commands.encode):
    if command == "configure":
        given = settings.unpack(bytes.fromhex(args["settings"]))
        given.limit_ms -= 1_000
        args = {**args, "settings": given.pack().hex()}
    return encode(command, args)

commands.encode = encode
"""),
    "writes down another request": ("nobody asked box", """
def request(ledger, table, command, args, request=Ledger.request, **more):
    return request(ledger, table, command, {**args, "game": 3}, **more)

Ledger.request = request
"""),
    "takes every answer for a refusal": (r"became \('applied', ''\), not \('refused', 'state'\)", """
def answer(orders, fact):
    orders._outcome(fact.a, "refused", "state")

Orders._answer = answer
"""),
    "takes no answer": (r"became .*, not \('no_link', ''\)", """
def answer(orders, fact):
    orders._outcome(fact.a, "no_link")

Orders._answer = answer
"""),
    "says that a box has done what it was not asked for": ("nobody asked box", """
def send(orders, line, session, request, send=Orders._send):
    send(orders, line, session, request)
    unsent = orders._ledger.request(line.table, "blink", {}, who="Sowa", at_ms=0, box=line.box)
    orders._outcome(unsent.id, "applied")

Orders._send = send
"""),
    "dates facts too early": ("ms later than the file has it", """
def desk_ms(uptimes, boot, uptime_ms, desk_ms=UptimeMap.desk_ms):
    made_ms = desk_ms(uptimes, boot, uptime_ms)
    return None if made_ms is None else made_ms - 700

UptimeMap.desk_ms = desk_ms
"""),
    "dates hardly any fact": ("the file does not say when", """
arrivals.Report = lambda fact, received_ms, wall_ms, old: Report(
    fact, received_ms, wall_ms if fact.seq % 50 == 1 else None, old
)
"""),
    "takes no fact for news": ("is no news after", """
def arrived(arrivals, line, event, now_ms, arrived=Arrivals.arrived):
    arrived(arrivals, line, replace(event, old_through=1_000_000), now_ms)

Arrivals.arrived = arrived
"""),
    "takes each fact for news": ("is news after", """
arrivals.Report = lambda fact, received_ms, wall_ms, old: Report(fact, received_ms, wall_ms, False)
"""),
    "ends with an error": ("the desk did not close", """
def close(desk):
    raise SystemExit(1)

Desk.close = close
"""),
}  # fmt: skip
"""What an evening says of a desk that does so."""

PREPARED: Final = """
from dataclasses import replace

from dalej.desk import arrivals
from dalej.desk.arrivals import Arrivals, Report
from dalej.desk.desk import Desk
from dalej.desk.requests import Orders
from dalej.domain.game import commands
from dalej.event.ledger import Ledger
from dalej.link.uptime import UptimeMap
from moveclock import settings
"""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evenings without a centre, of which a part is enough."""
    monkeypatch.setattr(evenings, "own_database", lambda _name: nullcontext(""))
    monkeypatch.setattr(evenings, "MOVES", 30)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("spoilt", SPOILT)
def test_an_evening_finds_a_desk_that(spoilt: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said, source = SPOILT[spoilt]
    (tmp_path / "sitecustomize.py").write_text(PREPARED + source, "utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))))

    with pytest.raises(AssertionError, match=said):
        evenings.play(1)


@pytest.mark.usefixtures("short")
def test_an_evening_finds_a_box_that_says_that_it_has_done_what_it_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    order = Clock.order
    monkeypatch.setattr(
        Clock, "order", lambda clock, what, at, given: what != k.C_RESUME and order(clock, what, at, given)
    )

    with pytest.raises(AssertionError, match=r"resume \{\} came to \[\]"):
        evenings.play(1)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "wrong",
    [
        lambda seen: replace(seen, table=seen.table % evenings.TABLES + 1),
        lambda seen: replace(seen, player=f"{seen.table}A"),
        lambda seen: replace(seen, turn=replace(seen.turn, how="timeout")),
        lambda seen: replace(seen, turn=replace(seen.turn, elapsed_ms=1)),
    ],
    ids=["table", "player", "end", "time"],
)
def test_an_evening_finds_a_turn_that_says_something_else_of_its_move(
    wrong: Callable[[TableTurn], TableTurn], monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = eventlog.turns
    monkeypatch.setattr(eventlog, "turns", lambda reading: [wrong(seen) for seen in turns(reading)])

    with pytest.raises(AssertionError, match=r"turns are missing, such as .*, and .* is there"):
        evenings.play(1)
