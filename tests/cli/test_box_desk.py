"""`dalej box … NAME` while `dalej run` lives here and has the box's link: nobody takes it away, and nobody is left to
guess why.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes import desks
from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.cli import boxreach
from dalej.cli.requested import NoDesk
from dalej.errors import Unreachable
from dalej.event.ledger import Ledger
from moveclock.identity import KOSTKA
from tests import placing, world
from tests.cli.club import at_home
from tests.cli.conftest import Program
from tests.link.cablebox import CableBox, PtyBox
from tests.whole.attable import soon
from tests.whole.cabled import UID, box_7, with_box_7
from tests.whole.typed import NO_TERMINALS, Begun, Typed

OTHER: Final = "240ac4001208"

pytestmark = pytest.mark.skipif(NO_TERMINALS, reason="Windows has no pseudo-terminals to put a box behind")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """A club with boxes 7 and 8, of which 7 stands on the only table of a seated event."""
    typed = Typed(tmp_path, at_home(tmp_path / "club", monkeypatch))
    with_box_7(typed, placing.ALL)
    OwnBoxes(typed.club).keep(OwnBox(OTHER, "8", KOSTKA, world.NOON))
    return typed


@pytest.fixture
def box(typed: Typed) -> Iterator[PtyBox]:
    with PtyBox(box_7(typed)) as plugged:
        yield plugged


@contextmanager
def running(typed: Typed, box: PtyBox) -> Iterator[Begun]:
    """`dalej run`, which has set box 7 up."""
    with typed.begin("run", "event.dalej", "--name", "desk 1", "--no-bluetooth", "--usb", box.device) as begun:
        begun.until("table 1: box 7 is set up for game 1, seats ABCD")
        yield begun


def test_what_a_box_is_asked_while_a_desk_has_it_goes_through_that_desk(
    dalej: Program, typed: Typed, box: PtyBox
) -> None:
    with running(typed, box):
        done = dalej("box", "blink", "7")
        assert (done.out, done.err) == ("Box 7 blinks for five seconds: dalej run on event.dalej makes it blink.\n", "")
        with box.at_rest() as one:
            assert one.box is not None
            assert one.box.commands.blink_until > 0

        lines = dalej("box", "info", "7").out.splitlines()[1:]
        rows = {line[2:].split("  ")[0]: line.split("  ")[-1].strip() for line in lines}
        assert rows["told by"] == "dalej run on event.dalej (desk 1), table 1"
        assert rows["heard"].endswith(" s ago, on its link")
        assert rows["state"].startswith("ready to start: game 1")
        assert rows["journal"].startswith("facts 1 to ")
        assert rows["firmware"] == "1"
        (told,) = dalej("box", "info", "7", "--json").objects
        assert (told["over"], told["event"], told["desk"], told["table"]) == ("desk", "event.dalej", "desk 1", 1)
        assert (told["state"], told["game"], told["heard_by"]) == ("ready", 1, "link")
        assert 0 <= told["age_ms"] < 12_000

        log = dalej("box", "log", "7")
        assert log.err == "From event.dalej, which dalej run serves here.\n"
        assert "the box started (power on)" in log.out
        assert "the box carried out: blink" in log.out
        assert len(dalej("box", "log", "7", "--last", "2", "--json").objects) == 2


def test_of_a_box_in_a_game_from_elsewhere_it_is_said_that_the_event_has_nothing_of_it(
    dalej: Program, typed: Typed, box: PtyBox
) -> None:
    with box.at_rest() as one:
        one.configure()
    for _ in range(2):
        box.tap(0)
    with Ledger.open(typed.folder / "event.dalej") as ledger:
        placing.place(
            ledger, 1, UID.hex(), since=placing.NOW, goes_on=True, who="Gęś", when_ms=world.NOON, why="set up",
            name="7",
        )  # fmt: skip
    with typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", box.device) as desk:
        desk.until("table 1: box 7 is in a game that did not begin here")
        info, log = dalej("box", "info", "7"), dalej("box", "log", "7")
        with box.at_rest() as one:
            assert one.box is not None
            held = one.box.journal.head

    assert "journal            nothing of it is in the event yet" in info.out
    assert "None" not in info.out
    assert log.err == f"From event.dalej, which dalej run serves here; {held} facts are on box 7 alone.\n"


def test_what_needs_the_box_for_itself_says_who_has_it_and_what_to_do(
    dalej: Program, typed: Typed, box: PtyBox
) -> None:
    ways_out = (
        ", and dalej run on event.dalej serves it at table 1: end dalej run first, or take the box off its table with "
        "dalej box assign event.dalej 7 none\n"
    )
    with running(typed, box):
        assert dalej("box", "test", "7").err == f"a test needs box 7 for itself{ways_out}"
        assert dalej("box", "set", "7", "--limit", "40").err == (
            f"box 7 is set up by its event (dalej event set changes the rules of that){ways_out}"
        )
        done = dalej("box", "info", box.device)
        assert done.code == 1
        assert done.err == (
            f"{box.device} is in use, perhaps by dalej run on event.dalej: name the box and not its port, or end that\n"
        )


def test_a_box_that_went_away_is_told_of_with_its_age_and_is_not_asked(dalej: Program, typed: Typed) -> None:
    with PtyBox(box_7(typed)) as box, running(typed, box):
        with box.at_rest() as one:
            one.deaf = True
            one.box = None
        soon(lambda: dalej("box", "info", "7", "--json").objects[0]["heard_by"] == "none", "the end of the link")

        done = dalej("box", "blink", "7")

        assert (done.code, done.out) == (1, "")
        assert done.err == "dalej run on event.dalej has no link to box 7: switch the box on, or bring it nearer\n"
        assert "not any more; the last time " in dalej("box", "info", "7").out


def test_of_a_box_with_another_secret_it_is_said_that_it_refuses_the_desk_and_why(dalej: Program, typed: Typed) -> None:
    why = "box 7 does not know this desk's secret: pair it, or import the club's keys"
    with (
        PtyBox(CableBox(UID, bytes(range(32)))) as box,
        typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", box.device) as desk,
    ):
        desk.until(why)

        rows = dict(line.strip().split("  ", 1) for line in dalej("box", "info", "7").out.splitlines()[1:])
        assert rows["paired"].strip() == "not with this club"
        assert rows["heard"].strip() == why
        (told,) = dalej("box", "info", "7", "--json").objects
        assert (told["paired"], told["this_club"]) == (None, False)
        done = dalej("box", "blink", "7")
        assert (done.code, done.out) == (1, "")
        assert done.err == f"dalej run on event.dalej has no link to box 7: {why}\n"


def test_a_box_of_another_club_is_not_sent_to_a_table(typed: Typed) -> None:
    with (
        PtyBox(CableBox(bytes.fromhex(OTHER), bytes(range(32)))) as box,
        typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", box.device) as desk,
    ):
        desk.until(f"box 8 at {box.device} is paired with another club: pair it anew, or bring that club's secret")


def test_of_a_box_that_was_never_heard_nothing_is_said_that_nobody_knows(dalej: Program, typed: Typed) -> None:
    with typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", "/dev/none") as desk:
        desk.until("there is no port /dev/none")

        assert "not known: the desk has not heard the box yet" in dalej("box", "info", "7").out
        (told,) = dalej("box", "info", "7", "--json").objects
        assert (told["paired"], told["this_club"]) == (None, None)


def test_a_desk_that_cannot_write_is_not_said_to_have_ended(
    dalej: Program, typed: Typed, box: PtyBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(*_: object) -> None:
        raise NoDesk

    with running(typed, box):
        monkeypatch.setattr(boxreach, "answer", answer)
        done = dalej("box", "blink", "7")

    assert done.code == 1
    assert done.err.startswith("dalej run on event.dalej cannot write its event file now, so box 7 was not told: ")


def test_a_desk_that_was_killed_serves_nobody(dalej: Program, typed: Typed) -> None:
    with typed.begin("run", "event.dalej", "--no-bluetooth", "--usb", "/dev/none") as begun:
        begun.until("there is no port /dev/none")
    assert desks.events(typed.club) == [typed.folder / "event.dalej"]

    assert boxreach.served("7") is None


def test_a_desk_that_ended_leaves_no_note_and_a_box_of_no_table_is_not_its(
    dalej: Program, typed: Typed, box: PtyBox
) -> None:
    with running(typed, box) as desk:
        assert boxreach.served("8") is None
        assert boxreach.served("7") is not None
        assert desk.interrupt() == 0
    assert desks.events(typed.club) == []


def test_a_request_that_nobody_answers_ends_in_words(dalej: Program, typed: Typed, box: PtyBox) -> None:
    with running(typed, box) as desk:
        found = boxreach.served("7")
        assert found is not None
        desk.interrupt()

    with pytest.raises(Unreachable, match=r"dalej run on event\.dalej has ended before box 7 was told: try again"):
        boxreach.ask(found, "blink")
    with pytest.raises(Unreachable, match=r"dalej run on event\.dalej got no answer of box 7 within 0 s"):
        boxreach.ask(found, "blink", within_ms=0)


# --- notes -----


def test_a_note_of_an_event_that_is_gone_tells_of_nothing_and_is_swept_away(tmp_path: Path) -> None:
    gone, there = tmp_path / "gone.dalej", tmp_path / "zażółć.dalej"
    gone.touch()
    there.touch()
    held = desks.noted(tmp_path, gone)
    held.__enter__()
    gone.unlink()
    (tmp_path / "live" / "odd.json").write_text("[1]")
    assert desks.events(tmp_path) == []

    with desks.noted(tmp_path, there):
        assert desks.events(tmp_path) == [there]
        assert len(list((tmp_path / "live").iterdir())) == 1
    assert list((tmp_path / "live").iterdir()) == []
    held.__exit__(None, None, None)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are texts on other systems")
def test_a_note_of_an_event_whose_name_is_no_text_is_found(tmp_path: Path) -> None:
    event = tmp_path / os.fsdecode(b"zima\xff.dalej")
    event.touch()

    with desks.noted(tmp_path, event):
        assert desks.events(tmp_path) == [event]


@pytest.mark.parametrize("note", ["", "[1]", "{}", '{"event": 7}', '{"event": "\\u0000"}', "[" * 100_000])
def test_what_is_no_note_tells_of_no_event(tmp_path: Path, note: str) -> None:
    (tmp_path / "live").mkdir()
    (tmp_path / "live" / "odd.json").write_text(note)

    assert desks.events(tmp_path) == []


def test_the_note_of_a_later_desk_on_the_same_event_stays(tmp_path: Path) -> None:
    event = tmp_path / "event.dalej"
    event.touch()

    with desks.noted(tmp_path, event):
        (note,) = (tmp_path / "live").iterdir()
        note.write_text(note.read_text().replace('"process": ', '"process": 9'))

    assert desks.events(tmp_path) == [event]


def test_a_folder_that_takes_no_note_keeps_no_desk_from_its_work(tmp_path: Path) -> None:
    (tmp_path / "live").write_text("a file")
    event = tmp_path / "event.dalej"
    event.touch()

    with desks.noted(tmp_path, event):
        assert desks.events(tmp_path) == []
