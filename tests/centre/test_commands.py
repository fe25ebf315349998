"""`dalej centre`, and a hall's desk that tells it: as somebody types them."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

import psycopg
import pytest

from dalej.centre.mirror import Mirror
from dalej.drafts import Draft
from dalej.errors import Damaged, Refused, Unreachable
from dalej.event.ledger import Ledger, postgres
from dalej.event.ledger.elsewhere import is_elsewhere
from dalej.event.ledger.moving import move_in
from tests.centre.making import KEY, Filling, batch, lines_of
from tests.event.ledger.making import tamper
from tests.phones.playing import begins, moves, nothing_unsent
from tests.phones.program import DEADLINE_S, codes, environment, program, the_desk
from tests.phones.scripted import ScriptedPhone
from tests.postgres import Postgres
from tests.waiting import until
from tests.world import event_file


class Centre:
    """Its commands, in that folder."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self.environment = {**environment(folder), "DALEJ_CENTRE": database}

    def does(self, command: str, code: int = 0) -> str:
        done = subprocess.run(
            program(command), cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False,
            timeout=DEADLINE_S, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    async def serves(self, port: int = 0, more: str = "") -> tuple[asyncio.subprocess.Process, int]:
        going = await asyncio.create_subprocess_exec(
            *program(f"dalej centre serve --port {port} {more}"), cwd=self.folder, env=self.environment,
            stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert going.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            line = (await going.stdout.readline()).decode()
        assert "The centre listens to its halls at port" in line
        return going, int(line.split("port ")[1].split(";")[0])

    def through(self) -> int:
        (hall,) = json.loads(self.does("dalej centre status --json"))
        return int(hall["through"])


@pytest.fixture
def centre(tmp_path: Path, database: str) -> Centre:
    made = Centre(tmp_path, database)
    assert "The centre is made" in made.does("dalej centre init")
    return made


def test_a_hall_plays_while_its_centre_is_killed_and_another_laptop_takes_over_from_what_it_told(
    centre: Centre,
) -> None:
    folder = centre.folder
    file = event_file(folder, 4, file="evening.dalej")

    async def run() -> None:
        async with asyncio.timeout(3 * DEADLINE_S):
            serving, port = await centre.serves()
            told = centre.does(f"dalej centre hall North --url http://127.0.0.1:{port}")
            assert "dalej run EVENT --centre North.centre" in told
            assert json.loads((folder / "North.centre").read_text())["key"] not in told
            command = "dalej run evening.dalej --phones 127.0.0.1 --no-bluetooth --no-usb --centre North.centre"
            async with the_desk(folder, command) as desk:
                await (await asyncio.create_subprocess_exec(
                    *program("dalej box phone evening.dalej 1 --paper codes.pdf"), cwd=folder, env=environment(folder),
                    stdout=asyncio.subprocess.DEVNULL,
                )).wait()  # fmt: skip
                phone = ScriptedPhone(desk.url, codes(folder)[1])
                await phone.load()
                await until(lambda: phone.state == 1, "the game")
                await begins(phone)
                await moves(phone, 2)
                serving.send_signal(signal.SIGKILL)
                await serving.wait()
                await moves(phone, 3)
                await nothing_unsent(phone)
                serving, _port = await centre.serves(port)
                with Ledger.open(file) as ledger:
                    head = ledger.head()
                await _until_through(centre, head)
                await phone.close()
            verify = "dalej log verify evening.dalej --centre North.centre"
            assert "the centre has the same entries, up to #" in await _while_it_serves(centre, verify)
            with Ledger.create(folder / "other.dalej"):
                pass
            other = verify.replace("evening", "other")
            assert "the centre has other entries than this file" in await _while_it_serves(centre, other, code=1)
            assert '"same": false' in await _while_it_serves(centre, f"{other} --json", code=1)
            serving.terminate()
            await serving.wait()

    asyncio.run(run())
    assert "North: complete to #" in centre.does("dalej centre status")
    assert "entries that North has told" in centre.does("dalej centre copy North taken-over.dalej")
    with Ledger.open(file) as ledger, Ledger.open(folder / "taken-over.dalej") as copy:
        assert lines_of(copy) == lines_of(ledger)[: copy.head()]
    assert "clean" in centre.does("dalej log verify taken-over.dalej")


@pytest.mark.parametrize("trusts", [True, False], ids=["that it was given", "that the system has"])
def test_over_tls_a_hall_trusts_the_centres_own_authority_and_no_other(centre: Centre, trusts: bool) -> None:
    file = event_file(centre.folder, 4, file="evening.dalej")

    async def run() -> None:
        async with asyncio.timeout(2 * DEADLINE_S):
            serving, port = await centre.serves(more="--tls")
            centre.does(f"dalej centre hall A --url https://127.0.0.1:{port}{' --tls' if trusts else ''}")
            command = "dalej run evening.dalej --phones 127.0.0.1 --no-bluetooth --no-usb --centre A.centre"
            async with the_desk(centre.folder, command):
                if trusts:
                    with Ledger.open(file) as ledger:
                        await _until_through(centre, ledger.head())
                else:
                    await asyncio.sleep(3)
                    assert centre.through() == 0
            serving.terminate()
            await serving.wait()

    asyncio.run(run())


async def _until_through(centre: Centre, head: int) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while await asyncio.to_thread(centre.through) < head:  # noqa: ASYNC110 -- nobody tells
            await asyncio.sleep(0.2)


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("dalej centre hall A --url http://centre.example:8645", 1, "others could read the key on its way"),
        ("dalej centre hall A --url nowhere", 1, "is no address of a centre"),
        ("dalej centre copy Nobody x.dalej", 1, "there is no hall called Nobody: expected one of –"),
        ("dalej centre revoke Nobody", 1, "there is no hall called Nobody"),
        ("dalej centre serve --host 0.0.0.0", 2, "that takes --tls"),
        ("dalej run evening.dalej --centre none.centre", 1, "none.centre cannot be read"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_and_nothing_is_done(
    centre: Centre, command: str, code: int, says: str
) -> None:
    event_file(centre.folder, 4, file="evening.dalej")
    told = centre.does(command, code)
    assert says in told.replace("\n", " ")
    assert "Traceback" not in told
    assert json.loads(centre.does("dalej centre status --json")) == []


def test_no_answer_of_the_database_is_said_without_its_password(tmp_path: Path) -> None:
    at = Centre(tmp_path, "postgresql://dalej:s3cret@127.0.0.1:1/dalej")
    told = at.does("dalej centre status", 1)
    assert "the centre's database does not answer" in told
    assert "s3cret" not in told


def test_the_file_of_a_hall_is_its_owners_alone_and_a_fresh_one_makes_the_one_before_void(centre: Centre) -> None:
    centre.does("dalej centre hall A --url http://127.0.0.1:1")
    first = centre.folder / "A.centre"
    assert os.name == "nt" or first.stat().st_mode & 0o077 == 0
    assert "already exists" in centre.does("dalej centre hall A --url http://127.0.0.1:1 --fresh", 1)
    centre.does("dalej centre hall A --url http://127.0.0.1:1 --fresh -o new.centre")
    keys = {json.loads(one.read_text())["key"] for one in (first, centre.folder / "new.centre")}
    assert len(keys) == 2
    centre.does("dalej centre revoke A")
    assert "its key is void" in centre.does("dalej centre status")


def test_one_tournament_in_two_halls_as_it_is_typed(centre: Centre) -> None:
    """Given an event with eight players and two halls, when each enters the results of its table, then the centre
    closes the round with both.
    """
    does = centre.does
    does("dalej event new cup.dalej --ruleset school-league")
    for name in ("Lis", "Sowa", "Borsuk", "Wydra", "Jeż", "Wilk", "Sarna", "Dzik"):
        does(f"dalej players add cup.dalej {name}")
    assert "North: one table." in does("dalej centre tables cup.dalej North 1")
    assert json.loads(does("dalej centre tables cup.dalej South 2 --json"))["halls"] == {"North": [1], "South": [2]}
    assert "table 1 stands in hall North" in does("dalej centre tables cup.dalej South 1-2", code=1)
    assert does("dalej centre tables cup.dalej").splitlines() == ["North: 1", "South: 2"]
    assert does("dalej centre tables cup.dalej South").splitlines() == ["South: 2"]
    does("dalej centre tables cup.dalej West 9")
    assert "West: 0 tables." in does("dalej centre tables cup.dalej West --out")
    assert "--out goes with a hall" in does("dalej centre tables cup.dalej West 9 --out", code=2)
    does("dalej seat draw cup.dalej --seed 1 --anyway klub")

    async def run() -> None:
        async with asyncio.timeout(4 * DEADLINE_S):
            serving, port = await centre.serves(more="--event cup.dalej")
            for hall in ("North", "South", "East"):
                does(f"dalej centre hall {hall} --url http://127.0.0.1:{port}")
            assert "is the event file of hall North" in await _while_it_serves(
                centre, "dalej centre join north.dalej --centre North.centre"
            )
            refused = await _while_it_serves(centre, "dalej centre join east.dalej --centre East.centre", code=1)
            assert "no event that the centre was started with has a hall called East" in refused
            assert not (centre.folder / "east.dalej").exists()
            await _while_it_serves(centre, "dalej centre join south.dalej --centre South.centre")
            wrong = "dalej run north.dalej --phones 127.0.0.1 --no-bluetooth --no-usb --centre South.centre"
            assert "is the event file of hall North, and the key is one of hall South" in await _while_it_serves(
                centre, wrong, code=1
            )
            does("dalej round give cup.dalej")
            desks = [
                f"dalej run {hall.lower()}.dalej --phones 127.0.0.1 --phones-port 0 --no-bluetooth --no-usb "
                f"--centre {hall}.centre"
                for hall in ("North", "South")
            ]
            async with the_desk(centre.folder, desks[0]), the_desk(centre.folder, desks[1]):
                for table, hall in ((1, "north"), (2, "south")):
                    await until(partial(_is_theirs, centre, hall), "the round to be theirs")
                    for game in range(1, 5):
                        does(f"dalej results enter {hall}.dalej {table} {game} A=0 B=12 C=30 D=5")
                assert "it plays, told to #" in does("dalej round show cup.dalej")
                await until(lambda: "Every result is in." in does("dalej round show cup.dalej"), "all results")
                does("dalej round take cup.dalej")
                await until(lambda: does("dalej round show cup.dalej").count(": complete, told to #") == 2, "both")
                assert "is closed; a copy is in" in does("dalej round close cup.dalej")
            serving.terminate()
            await serving.wait()

    asyncio.run(run())
    assert does("dalej standings cup.dalej").count("Lis") == 1


def test_what_is_refused_says_what_to_type(centre: Centre, database: str, tmp_path: Path) -> None:
    """Given a centre of an older version, and a hall that was telling another file from its beginning."""
    with closing(Mirror(database)) as mirror, Ledger.create(tmp_path / "hall.dalej") as ledger:
        mirror.add_hall("North", KEY, 1)
        Filling(ledger, Random(1)).some(30)
        first = mirror.take(KEY, batch([]), 2)
        mirror.take(KEY, batch(lines_of(ledger)), 3)
        mirror.take(KEY, batch([], anew=first.epoch), 4)
    refused = centre.does("dalej centre copy North taken-over.dalej", code=1)
    assert "dalej centre copy North taken-over.dalej --epoch 1 names it" in refused
    assert "entries that North has told" in centre.does("dalej centre copy North taken-over.dalej --epoch 1")
    assert "expected one of 1, 2" in centre.does("dalej centre copy North other.dalej --epoch 3", code=1)
    assert "The centre is up to date." in centre.does("dalej centre upgrade")
    with psycopg.connect(database, autocommit=True) as db:
        db.execute("UPDATE dalej_centre SET version = 1")
    assert "centre upgrade brings an older one up to date" in centre.does("dalej centre status", code=1)


def _is_theirs(centre: Centre, hall: str) -> bool:
    return "wait: " not in centre.does(f"dalej event show {hall}.dalej")


async def _while_it_serves(centre: Centre, command: str, code: int = 0) -> str:
    return await asyncio.to_thread(centre.does, command, code)


def test_an_event_that_is_kept_on_postgresql_is_used_as_before_by_several_computers(
    centre: Centre, database: str, server: Postgres
) -> None:
    """Given an event with players and what their forms say, when it is kept on PostgreSQL, then every command goes on,
    another computer has the same, personal data that nobody named stay where they were, and a copy of the centre
    brings it back.
    """
    does = centre.does
    does("dalej event new cup.dalej --ruleset school-league --name Puchar")
    for name in ("Lis", "Sowa", "Borsuk", "Wydra"):
        does(f"dalej players add cup.dalej {name}")
    with Ledger.open(centre.folder / "cup.dalej") as ledger:
        ledger.keep_personal(1, {"surname": "Leśny", "email": "lis@example.org"}, today=date(2026, 11, 28))
        assert "cup.dalej is in use" in does("dalej centre keep cup.dalej", code=1)
        told = lines_of(ledger)
    said = does("dalej centre keep cup.dalej --personal surname")
    assert "What was there before is kept in cup.replaced-1.backup.dalej." in said
    assert "Personal data that are only in there: e-mail." in said
    assert {one.name for one in centre.folder.glob("cup*")} == {"cup.dalej", "cup.replaced-1.backup.dalej"}
    with Ledger.open(centre.folder / "cup.dalej") as ledger:
        assert lines_of(ledger) == told
        assert ledger.personal() == {1: {"surname": "Leśny"}}
        assert [one.name for one in ledger.copies_with_personal()] == ["cup.replaced-1.backup.dalej"]

    does("dalej seat draw cup.dalej --seed 1 --anyway klub")
    assert does("dalej centre events").startswith("cup: ")
    (centre.folder / "elsewhere").mkdir()
    does("dalej centre open cup elsewhere/cup.dalej")
    does("dalej results enter elsewhere/cup.dalej 1 1 A=0 B=12 C=30 D=5")
    assert does("dalej standings cup.dalej --json") == does("dalej standings elsewhere/cup.dalej --json")
    assert "clean" in does("dalej log verify cup.dalej")
    assert "cup.dalej is kept on PostgreSQL" in does("dalej event restore cup.replaced-1.backup.dalej cup.dalej", 1)
    refused = does("dalej centre keep cup.dalej", code=1)
    assert "dalej event backup cup.dalej copy.dalej makes one of it" in refused
    does("dalej event backup cup.dalej copy.dalej")
    does("dalej event new other.dalej --ruleset school-league")
    assert "there is an event called cup" in does("dalej centre keep other.dalej --name cup", code=1)
    assert "no event called x is kept there: expected one of cup" in does("dalej centre open x x.dalej", code=1)

    does("dalej event backup cup.dalej file.dalej")
    assert does("dalej standings file.dalej --json") == does("dalej standings cup.dalej --json")
    assert "is copied to centre.dump" in does("dalej centre backup centre.dump")
    assert "centre.dump already exists" in does("dalej centre backup centre.dump", code=1)
    does("dalej event set cup.dalej rounds 2 --why later --yes")
    again = Centre(centre.folder, server.new_database(f"{psycopg.conninfo.conninfo_to_dict(database)['dbname']}_again"))
    again.does("dalej centre restore centre.dump")
    again.does("dalej centre open cup again.dalej")
    assert "does not exist" in again.does("dalej centre restore none.dump", code=1)
    assert "is no copy of a centre" in again.does("dalej centre restore file.dalej", code=1)
    assert "is a copy" in does("dalej centre keep cup.replaced-1.backup.dalej", code=1)
    refused = does("dalej event backup file.dalej elsewhere/cup.dalej --overwrite", code=1)
    assert "says where an event is kept" in refused
    assert "cup.dalej only says where" in does("dalej event show cup.dalej")
    assert "are the same event" in does("dalej season cup.dalej elsewhere/cup.dalej", code=1)
    assert "are the same event" in does("dalej season cup.dalej file.dalej", code=1)
    with Ledger.open(centre.folder / "file.dalej") as before, Ledger.open(centre.folder / "again.dalej") as back:
        assert lines_of(back) == lines_of(before)
    does("dalej form erase cup.dalej --yes")
    with Ledger.open(centre.folder / "cup.dalej") as ledger:
        assert ledger.personal() == {}
    assert "is not kept there any more" in again.does("dalej centre drop cup --yes")
    assert json.loads(again.does("dalej centre events --json")) == {"events": {}}
    assert "that database has it not" in again.does("dalej event show again.dalej", code=1)
    assert "is deleted for good" in does("dalej centre drop cup", code=1)
    assert "cup: " in does("dalej centre events")


@pytest.fixture
def hall_file(tmp_path: Path) -> Path:
    file = tmp_path / "hall.dalej"
    with Ledger.create(file) as ledger:
        Filling(ledger, Random(1)).some(50)
    return file


def told_in(file: Path) -> list[str]:
    with Ledger.open(file) as ledger:
        ledger.expect_whole()
        return lines_of(ledger)


def test_a_move_that_fails_at_the_end_leaves_the_event_where_it_was(
    database: str, hall_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given an event whose file cannot be replaced once everything is on PostgreSQL, when it is kept there, then it is
    in its file as before and nowhere else, and it can be kept there once the file can be replaced.
    """
    told = told_in(hall_file)
    put = Draft.put

    def full(draft: Draft, *, replace: bool = True) -> None:
        if replace:
            raise OSError(errno.ENOSPC, "full")
        put(draft, replace=False)

    with monkeypatch.context() as broken:
        broken.setattr(Draft, "put", full)
        with pytest.raises(Unreachable, match=r"hall\.dalej cannot be written"):
            move_in(hall_file, database, "hall", ())
    assert postgres.events_at(database) == {}
    assert [one.name for one in hall_file.parent.iterdir()] == ["hall.dalej"]
    assert told_in(hall_file) == told
    move_in(hall_file, database, "hall", ())
    assert postgres.events_at(database)["hall"][1] == len(told)
    assert told_in(hall_file) == told


def test_whoever_breaks_a_move_off_when_all_is_done_has_it_done(
    database: str, hall_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_in(hall_file)
    put = Draft.put

    def interrupted(draft: Draft, *, replace: bool = True) -> None:
        put(draft, replace=replace)
        if replace:
            raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(Draft, "put", interrupted)
        with pytest.raises(KeyboardInterrupt):
            move_in(hall_file, database, "hall", ())
    assert is_elsewhere(hall_file)
    assert told_in(hall_file) == told
    assert (hall_file.parent / "hall.replaced-1.backup.dalej").exists()


def test_a_move_whose_program_was_killed_before_the_file_said_so_is_brought_to_its_end(
    database: str, hall_file: Path, tmp_path: Path
) -> None:
    """Given that everything is on PostgreSQL and the file is as it was, when it is kept there again, then its file says
    where; but if somebody has gone on with either of them, it is refused.
    """
    told = told_in(hall_file)
    shutil.copy(hall_file, tmp_path / "before.dalej")
    move_in(hall_file, database, "hall", ())
    kept = hall_file.read_bytes()
    shutil.copy(tmp_path / "before.dalej", hall_file)
    move_in(hall_file, database, "hall", ())
    assert hall_file.read_bytes() == kept
    assert told_in(hall_file) == told

    with Ledger.open(hall_file) as ledger:
        ledger.decide("note", {}, who="Lis", when_ms=1, why="goes on")
    shutil.copy(tmp_path / "before.dalej", hall_file)
    with pytest.raises(Refused, match="there is an event called hall in that database already"):
        move_in(hall_file, database, "hall", ())
    assert told_in(hall_file) == told


def test_of_two_that_are_kept_under_one_name_at_once_one_is_refused_and_stays_in_its_file(
    database: str, tmp_path: Path
) -> None:
    files = [tmp_path / f"{place}" / "hall.dalej" for place in range(4)]
    for number, file in enumerate(files):
        file.parent.mkdir()
        with Ledger.create(file) as ledger:
            Filling(ledger, Random(number)).some(200)
    told = [told_in(file) for file in files]

    def moved(file: Path) -> bool:
        try:
            move_in(file, database, "hall", ())
        except Refused:
            return False
        return True

    with ThreadPoolExecutor() as pool:
        done = list(pool.map(moved, files))
    assert done.count(True) == 1
    assert [is_elsewhere(file) for file in files] == done
    assert [told_in(file) for file in files] == told


def test_an_event_with_two_names_or_open_anywhere_or_damaged_is_not_moved(
    database: str, hall_file: Path, tmp_path: Path
) -> None:
    link, other = tmp_path / "link.dalej", tmp_path / "other.dalej"
    link.symlink_to(hall_file)
    os.link(hall_file, other)
    told = told_in(hall_file)
    with pytest.raises(Refused, match="has another name as well"):
        move_in(link, database, "hall", ())
    other.unlink()
    with Ledger.open(hall_file, read_only=True), pytest.raises(Refused, match="is in use"):
        move_in(link, database, "hall", ())
    with Ledger.open(hall_file) as ledger:
        tamper(ledger, "UPDATE counters SET cursor = cursor + 1")
    with pytest.raises(Damaged, match="entries are missing"):
        move_in(link, database, "hall", ())
    with Ledger.open(hall_file) as ledger:
        tamper(ledger, "UPDATE counters SET cursor = cursor - 1")
    assert postgres.events_at(database) == {}
    move_in(link, database, "hall", ())
    assert is_elsewhere(hall_file)
    assert link.is_symlink()
    assert told_in(link) == told
