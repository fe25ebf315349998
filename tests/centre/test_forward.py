"""A hall tells its centre over a real socket, whatever network, centre, database and files do meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, closing
from pathlib import Path
from random import Random

import pytest
from aiohttp import ClientSession

from dalej.centre import dumps, forward, serving
from dalej.centre.mirror import LEASE_MS, Mirror
from dalej.centre.serving import CentreServer
from dalej.clock import SystemClock
from dalej.errors import Refused
from dalej.event.ledger import Ledger
from tests.centre.hall import listening, network, runs, telling
from tests.centre.making import KEY, Filling, lines_of
from tests.postgres import Postgres
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("at_once")
IDLE_S = forward.IDLE_S  # as halls have it


@pytest.fixture
def file(tmp_path: Path, mirror: Mirror) -> Path:
    """An event file whose hall the centre knows."""
    mirror.add_hall("A", KEY, 1)
    Ledger.create(tmp_path / "hall.dalej").close()
    return tmp_path / "hall.dalej"


def test_what_a_hall_has_and_what_comes_to_it_is_at_the_centre(file: Path, mirror: Mirror, seed: int) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling = Filling(ledger, Random(seed))
            filling.some(2_500)
            async with listening(mirror) as server, telling(file, server.port) as hall:
                await hall.until_told(ledger)
                for _ in range(5):
                    filling.some(10)
                    await hall.until_told(ledger)
            assert mirror.lines("A", limit=100_000) == lines_of(ledger)
            assert mirror.hall("A").epoch == 1

    runs(story())


def test_a_network_that_is_cut_silent_slow_and_half_closed_loses_and_doubles_nothing(
    file: Path, mirror: Mirror, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "WITHIN_S", 1.0)
    lot = Random(seed)

    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling = Filling(ledger, lot)
            async with listening(mirror) as server, network(server) as net, telling(file, net.port) as hall:
                for _ in range(25):
                    filling.some(lot.randrange(40))
                    await asyncio.sleep(lot.uniform(0, 0.15))
                    match lot.choice(("cut", "half", "silent", "slow", "")):
                        case "cut":
                            net.cut()
                        case "half":
                            net.half_close()
                        case "silent":
                            net.silent = not net.silent
                        case "slow":
                            net.delay_s = lot.choice((0.0, 0.2))
                net.silent, net.delay_s = False, 0.0
                await hall.until_told(ledger)
                assert net.carried > 1
            assert mirror.lines("A", limit=100_000) == lines_of(ledger)
            assert mirror.hall("A").epoch == 1

    runs(story())


def test_a_hall_plays_on_without_its_centre_and_tells_it_afterwards(file: Path, mirror: Mirror, seed: int) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling = Filling(ledger, Random(seed))
            async with listening(mirror) as server:
                port = server.port
                async with telling(file, port) as hall:
                    filling.some(30)
                    await hall.until_told(ledger)
                    await server.close()
                    filling.some(300)
                    await until(lambda: not hall.forwarder.heard, "the hall to notice")
                    async with listening(mirror, port):
                        await hall.until_told(ledger)
            assert [one for one in hall.said if "the hall plays on, and the centre is told later" in one]
            assert mirror.lines("A", limit=100_000) == lines_of(ledger)

    runs(story())


def test_a_postmaster_that_is_killed_costs_nothing_but_time(
    server: Postgres, file: Path, mirror: Mirror, seed: int
) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling = Filling(ledger, Random(seed))
            async with listening(mirror) as centre, telling(file, centre.port) as hall:
                for _ in range(2):
                    filling.some(50)
                    await asyncio.sleep(0.1)
                    await asyncio.to_thread(server.stop)
                    filling.some(50)
                    await until(lambda: not hall.forwarder.heard, "the hall to notice")
                    await asyncio.to_thread(server.start)
                    await hall.until_told(ledger)
            assert mirror.lines("A", limit=100_000) == lines_of(ledger)
            assert mirror.hall("A").epoch == 1

    runs(story())


@pytest.mark.parametrize("goes_on", [0, 40], ids=["as it was", "gone on with"])
def test_an_old_copy_that_was_put_back_is_another_epoch_and_no_mixture(
    file: Path, mirror: Mirror, seed: int, goes_on: int
) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling = Filling(ledger, Random(seed))
            filling.some(60)
            ledger.backup(file.with_name("copy.dalej"))
            filling.some(60)
            async with listening(mirror) as server, telling(file, server.port) as hall:
                await hall.until_told(ledger)
            first = lines_of(ledger)
        with Ledger.open(file.with_name("copy.dalej")) as copy:
            for number in range(goes_on):
                copy.decide("note", {"n": number}, who="Lis", when_ms=9, why="after the copy was put back")
            async with listening(mirror) as server, telling(copy.path, server.port) as hall:
                await hall.until_told(copy)
            assert [one for one in hall.said if "as epoch 2" in one]
            assert mirror.hall("A").epoch == 2
            assert mirror.lines("A", limit=100_000) == lines_of(copy)
            assert mirror.lines("A", limit=100_000, epoch=1) == first

    runs(story())


def test_two_laptops_that_are_the_same_hall_are_not_mixed_one_of_them_is_told_so(
    file: Path, mirror: Mirror, seed: int
) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            Filling(ledger, Random(seed)).some(40)
            copy = file.with_name("copy.dalej")
            ledger.backup(copy)
            async with listening(mirror) as server, telling(file, server.port) as hall:
                await hall.until_told(ledger)
                async with telling(copy, server.port, desk="desk 2") as other:
                    await asyncio.sleep(1)
                    assert not other.forwarder.heard
                ledger.decide("note", {}, who="Lis", when_ms=1, why="meanwhile")
                await hall.until_told(ledger)
            assert [one for one in other.said if "another desk tells the centre of this hall just now: desk 1" in one]
            assert mirror.lines("A", limit=100_000) == lines_of(ledger)
        assert LEASE_MS > IDLE_S * 1_000 * 2, "whoever tells keeps the lease"

    runs(story())


def test_a_centre_that_was_put_back_from_its_copy_is_told_again_what_that_lacks(
    server: Postgres, database: str, file: Path, mirror: Mirror, seed: int
) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling, dump = Filling(ledger, Random(seed)), file.with_name("centre.dump")
            filling.some(200)
            async with listening(mirror) as centre, telling(file, centre.port) as hall:
                await hall.until_told(ledger)
                await asyncio.to_thread(dumps.back_up, database, dump)
                filling.some(200)
                await hall.until_told(ledger)
            restored = server.new_database(f"restored_{seed}")
            with closing(Mirror(restored)) as again:
                await asyncio.to_thread(dumps.put_back, restored, again, dump)
                with pytest.raises(Refused, match="this database is not empty"):
                    dumps.put_back(restored, again, dump)
                assert again.hall("A").through < ledger.head()
                async with listening(again) as centre, telling(file, centre.port, desk="desk 1 later") as hall:
                    again.new_key("A", KEY)  # whoever held the lease when the copy was made does so no more
                    await hall.until_told(ledger)
                assert again.lines("A", limit=100_000) == lines_of(ledger)
                assert again.hall("A").epoch == 1

    runs(story())


def test_a_key_that_was_revoked_is_said_and_the_hall_plays_on(file: Path, mirror: Mirror, seed: int) -> None:
    async def story() -> None:
        with Ledger.open(file) as ledger:
            filling = Filling(ledger, Random(seed))
            async with listening(mirror) as server, telling(file, server.port) as hall:
                filling.some(10)
                await hall.until_told(ledger)
                mirror.revoke("A", 5)
                filling.some(10)
                await until(lambda: not hall.forwarder.heard, "the hall to be refused")
            assert [one for one in hall.said if "does not know this hall's key, or not any more" in one]

    runs(story())


def test_prometheus_reads_how_far_each_hall_has_told_and_when(file: Path, mirror: Mirror, server: Postgres) -> None:
    async def story() -> None:
        clock = SystemClock()
        mirror.add_hall('B "south"', KEY.upper(), 1)
        centre = CentreServer(mirror, clock, "127.0.0.1", 0, None, str, metrics_port=0)
        await centre.open()
        try:
            with Ledger.open(file) as ledger:
                Filling(ledger, Random(1)).some(30)
                async with telling(file, centre.port) as hall:
                    await hall.until_told(ledger)
            text = await _metrics(centre)
            told = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
                    for line in text.splitlines() if not line.startswith("#")}  # fmt: skip
            assert told['dalej_hall_entries_total{hall="A"}'] == mirror.hall("A").through > 0
            assert abs(told['dalej_hall_heard_timestamp_seconds{hall="A"}'] - clock.wall_ms() / 1_000) < 60
            assert told['dalej_hall_epoch{hall="B \\"south\\""}'] == 0
            assert 'dalej_hall_heard_timestamp_seconds{hall="B' not in text, "it was never heard"
            await asyncio.to_thread(server.stop)
            assert "dalej_centre_up 0.0" in await _metrics(centre)
            await asyncio.to_thread(server.start)
            assert "dalej_centre_up 1.0" in await _metrics(centre)
        finally:
            await centre.close()

    runs(story())


def test_whoever_ends_the_centre_does_not_wait_for_a_hall_that_stops_in_the_middle_of_a_sentence(
    mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute would be the library's own patience; here it has a tenth of a second."""
    monkeypatch.setattr(serving, "CLOSE_S", 0.1)

    async def story() -> None:
        async with AsyncExitStack() as stack:
            centre = await stack.enter_async_context(listening(mirror))
            _, hall = await asyncio.open_connection("127.0.0.1", centre.port)
            stack.callback(hall.close)
            hall.write(b"POST /hall/entries HTTP/1.1\r\nHost: centre\r\nContent-Length: 1000\r\n\r\nhalf")
            await hall.drain()
            async with ClientSession() as session:  # by then it was read
                await session.get(f"http://127.0.0.1:{centre.port}/health")
            await centre.close()

    runs(story(), 20.0)


def test_a_hall_says_that_nothing_came_back_in_time(
    file: Path, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forward, "WITHIN_S", 0.3)

    async def story() -> None:
        async with listening(mirror) as server, network(server) as net:
            net.silent = True
            async with telling(file, net.port) as hall:
                heard = hall.heard
                await until(lambda: bool(heard), "the hall to say it")
                net.silent = False
            assert "does not answer: nothing has come back in time; the hall plays on" in str(heard[0])

    runs(story())


async def _metrics(centre: CentreServer) -> str:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{centre.metrics_port}/metrics") as answer:
        assert answer.status == 200
        return await answer.text()
