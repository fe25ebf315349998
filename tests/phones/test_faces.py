"""What a table is told beside its game: looked at each second for all tables, worked out when something has changed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from dalej.cli import phones
from dalej.domain.tournament.tournament import Tournament
from dalej.event.ledger import Decision
from dalej.event.reading import Reading
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from dalej.office.publicnames import public_names
from dalej.office.tablewords import WORD
from tests.phones.desk import PhoneDesk, phone_desk
from tests.waiting import until
from tests.world import event_file, player_at

TABLES = (1, 2)
SECONDS = 10


def test_names_are_made_anew_when_something_is_decided_and_not_for_each_table_each_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Tournament] = []
    names = public_names

    def counted(state: Tournament) -> Mapping[int, str]:
        made.append(state)
        return names(state)

    monkeypatch.setattr(phones, "public_names", counted)

    async def story() -> None:
        async with phone_desk(tmp_path, event_file(tmp_path, 8)) as desk:
            boxes = [desk.code(table).box.uid_bytes for table in TABLES]
            await until(lambda: all(uid in desk.running.desk.lines for uid in boxes), "the desk to know both tables")
            made.clear()
            at_tables = [seen(desk, uid) for uid in boxes for _second in range(SECONDS)]
            assert {len(one) for one in at_tables} == {4}
            assert len({name for one in at_tables for name in one}) == 8
            assert len(made) == 1

            who = player_at(desk.event().state(), 1, 0)
            Performer(lambda _who: desk.event(), lambda _line: None).do(
                Actor("Sowa", "organiser"), Wish("change_player", {"player": who, "name": "Żaba"}, "misread")
            )
            assert [seen(desk, uid)[0] for uid in boxes for _second in range(SECONDS)].count("Żaba") == SECONDS
            assert len(made) == 2

    asyncio.run(story())


def test_what_was_decided_on_other_things_is_not_gone_through_each_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: set[str] = set()
    decisions = Reading.decisions

    def noted(self: Reading, *kinds: str, subject: str | None = None, standing: bool = False) -> list[Decision]:
        found = decisions(self, *kinds, subject=subject, standing=standing)
        looked_at.update(one.kind for one in found)
        return found

    async def story() -> None:
        async with phone_desk(tmp_path, event_file(tmp_path, 8)) as desk:
            uid = desk.code(1).box.uid_bytes
            await until(lambda: uid in desk.running.desk.lines, "the desk to know the table")
            Performer(lambda _who: desk.event(), lambda _line: None).do(
                Actor("Sowa", "referee"), Wish("tell_table", {"table": 1, "words": "Two minutes"})
            )
            assert json.loads(desk.tables.face(uid))["word"]
            with monkeypatch.context() as spied:
                spied.setattr(Reading, "decisions", noted)
                desk.tables.face(uid)

    asyncio.run(story())
    assert looked_at == {WORD}


def seen(desk: PhoneDesk, uid: bytes) -> list[str]:
    names: list[str] = json.loads(desk.tables.face(uid))["names"]
    return names
