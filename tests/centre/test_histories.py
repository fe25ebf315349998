"""Whatever happens to hall, network, centre and database, in whatever order: what was acknowledged is there, each file
that was told is an epoch, dense and in its order, and at the end the centre holds the file that the hall has.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest

from dalej.centre import forward
from dalej.centre.mirror import Mirror
from dalej.centre.stream import BEGINNING, digest_after, expect_dense
from dalej.centre.talk import Batch, Reached
from dalej.event.ledger import Ledger
from tests.centre.hall import Telling, listening, telling
from tests.centre.making import KEY, Filling, lines_of
from tests.postgres import Postgres
from tests.proxy import wire

STEPS: Final = 30
DEADLINE_S: Final = 100.0
WHAT: Final = (
    "entries", "entries", "entries", "cut", "half", "silent", "postmaster", "centre", "hall", "copy", "put back",
)  # fmt: skip


class Watched(Mirror):
    """It remembers every answer, as halls hear it."""

    def __init__(self, database: str) -> None:
        super().__init__(database)
        self.acknowledged: dict[tuple[int, int], str] = {}

    def take(self, key: str, batch: Batch, now_ms: int) -> Reached:
        reached = super().take(key, batch, now_ms)
        self.acknowledged[reached.epoch, reached.through] = reached.digest
        return reached


class History:
    """One hall whose file may be put back."""

    def __init__(self, folder: Path, mirror: Watched, server: Postgres, lot: Random) -> None:
        self.folder, self.mirror, self.server, self.lot = folder, mirror, server, lot
        self.file = folder / "hall.dalej"
        with Ledger.create(self.file) as ledger:
            self.filling = Filling(ledger, lot)
            self.filling.some(20)

    async def plays(self) -> None:
        lot, file = self.lot, self.file
        copies: list[Path] = []
        port, runs = 0, 0
        async with AsyncExitStack() as stack:
            centre = await stack.enter_async_context(listening(self.mirror))
            net = await stack.enter_async_context(wire(centre.port))
            while runs < 4:
                runs += 1
                with Ledger.open(file) as ledger:
                    self.filling.move_to(ledger)
                    async with telling(file, net.port, desk="desk 1") as hall:
                        for _ in range(STEPS // 4):
                            what = lot.choice(WHAT)
                            if what == "entries":
                                self.filling.some(lot.randrange(60))
                            elif what == "cut":
                                net.cut()
                            elif what == "half":
                                net.half_close()
                            elif what == "silent":
                                net.silent = not net.silent
                            elif what == "postmaster":
                                await asyncio.to_thread(self.server.stop)
                                await asyncio.to_thread(self.server.start)
                            elif what == "centre":
                                port = centre.port
                                await centre.close()
                                centre = await stack.enter_async_context(listening(self.mirror, port))
                            elif what == "copy":
                                copies.append(self.folder / f"copy-{len(copies)}-{runs}.dalej")
                                ledger.backup(copies[-1])
                            await asyncio.sleep(lot.uniform(0, 0.1))
                        net.silent = False
                        if lot.random() < 0.7 or runs == 4:
                            await self._is_told(hall, ledger)
                if copies and runs < 4 and lot.random() < 0.6:
                    shutil.copyfile(lot.choice(copies), file)

    async def _is_told(self, hall: Telling, ledger: Ledger) -> None:
        await hall.until_told(ledger)
        assert self.mirror.lines("A", limit=100_000) == lines_of(ledger)

    def holds(self) -> None:
        """Every epoch is dense, and has whatever was acknowledged of it."""
        for epoch in range(1, self.mirror.hall("A").epoch + 1):
            lines = self.mirror.lines("A", limit=100_000, epoch=epoch)
            expect_dense(lines, 0)
            digests = [BEGINNING.hex()]
            for line in lines:
                digests.append(digest_after(bytes.fromhex(digests[-1]), [line]).hex())
            for (of, through), digest in self.mirror.acknowledged.items():
                assert of != epoch or digests[through] == digest, (epoch, through)


def test_whatever_happens_what_was_acknowledged_is_there_and_no_two_files_are_mixed(
    tmp_path: Path,
    database: str,
    server: Postgres,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
    kept_open: ExitStack,
) -> None:
    for name, seconds in (("AGAIN_S", 0.1), ("PAUSE_S", 0.02), ("IDLE_S", 0.2), ("WITHIN_S", 1.0)):
        monkeypatch.setattr(forward, name, seconds)
    mirror = Watched(database)
    kept_open.callback(mirror.close)
    mirror.init()
    mirror.add_hall("A", KEY, 1)
    history = History(tmp_path, mirror, server, Random(seed))

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S):
            await history.plays()

    asyncio.run(run())
    assert len(mirror.acknowledged) > 2
    history.holds()
    with Ledger.open(history.file) as ledger:
        assert mirror.lines("A", limit=100_000) == lines_of(ledger)
