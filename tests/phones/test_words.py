"""A word from a referee is shown at one table, until somebody there has touched it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from dalej.errors import DalejError, Refused
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import ROLES, Actor
from dalej.office.acts.wishes import Done, Wish
from dalej.office.tablewords import KEPT_MS, OF_WORDS, READ, WORD, WORDS_MOST, word_at
from dalej.views.book import Page
from dalej.views.tablesays import beside_the_game
from moveclock import facts as k
from tests.phones.desk import PhoneDesk, phone_desk
from tests.phones.scripted import ScriptedPhone
from tests.waiting import until
from tests.world import event_file

Story = Callable[[PhoneDesk, ScriptedPhone, ScriptedPhone], Coroutine[Any, Any, None]]
SOWA = Actor("Sowa", "referee")
DEADLINE_S = 60.0


def two_phones(folder: Path, story: Story) -> None:
    file = event_file(folder, 8)

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S), phone_desk(folder, file) as desk:
            phones = [ScriptedPhone(desk.url, desk.code(table)) for table in (1, 2)]
            for phone in phones:
                await phone.load()
            await until(lambda: all(one.state == k.READY for one in phones), "both tables to be set up")
            await story(desk, *phones)
            for phone in phones:
                await phone.close()

    asyncio.run(run())


def wish(desk: PhoneDesk, actor: Actor, act: str, **args: Any) -> Done:
    performer = Performer(lambda who: Event(desk.ledger, who=who, wall_ms=desk.clock.wall_ms), lambda _line: None)
    return performer.do(actor, Wish(act, args, "on a try"))


def told(desk: PhoneDesk, table: int = 1) -> list[str]:
    """As the other referees read it."""
    reading = read(desk.ledger)
    return beside_the_game(Page(by_tables=tuple(reading.decisions(*OF_WORDS))), table, reading.decisions()[-1].when_ms)


def word(phone: ScriptedPhone) -> Any:
    return phone.face.get("word")


def test_one_table_reads_it_and_says_so(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, phone: ScriptedPhone, other: ScriptedPhone) -> None:
        tells(desk, "Dwie minuty do końca")
        await until(lambda: word(phone), "the word")
        assert word(phone)["words"] == "Dwie minuty do końca"
        assert told(desk) == ["Sowa has told the table: Dwie minuty do końca. Nobody there has touched it yet."]

        await phone.say("read_word", of=word(phone)["of"])
        await until(lambda: word(phone) is None, "it to be gone")

        assert told(desk) == ["Sowa has told the table: Dwie minuty do końca. It was read."]
        assert [one.who for one in read(desk.ledger).decisions() if one.kind == READ] == ["P1 (table)"]
        assert word(other) is None

    two_phones(tmp_path, story)


def test_what_is_taken_back_is_shown_no_more_and_a_later_one_takes_its_place(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, phone: ScriptedPhone, _other: ScriptedPhone) -> None:
        first = tells(desk, "Table 2 waits")
        await until(lambda: word(phone), "the word")
        assert first.undo is not None
        wish(desk, SOWA, first.undo.act, **first.undo.args)
        await until(lambda: word(phone) is None, "it to be gone")
        tells(desk, "Come here, please")
        tells(desk, "It is settled")
        await until(lambda: word(phone) and word(phone)["words"] == "It is settled", "the last word")
        await phone.say("read_word", of=first.decisions[0])
        await until(lambda: phone.trouble, "another word to be refused")
        assert "that word is not shown any more" in phone.trouble

    two_phones(tmp_path, story)


def test_a_table_reads_its_own_word_and_no_person_does(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, _phone: ScriptedPhone, other: ScriptedPhone) -> None:
        number = tells(desk, "hurry").decisions[0]
        await other.say("read_word", of=number)
        await until(lambda: other.trouble, "that to be refused")
        await other.say("tell_table", words="we win")
        await until(lambda: "role table" in other.trouble, "that to be refused")
        for role in ROLES:
            with pytest.raises(Refused, match=f"not with the role {role}"):
                wish(desk, Actor("Lis", role), "read_word", table=1, of=number)
        assert [one.kind for one in read(desk.ledger).decisions() if one.kind in (WORD, READ)] == [WORD]

    two_phones(tmp_path, story)


@pytest.mark.parametrize("words", ["", "   ", "x" * (WORDS_MOST + 1)])
def test_what_no_phone_could_show_is_refused(tmp_path: Path, words: str) -> None:
    async def story(desk: PhoneDesk, _phone: ScriptedPhone, _other: ScriptedPhone) -> None:
        with pytest.raises(DalejError):
            tells(desk, words)
        assert [one for one in read(desk.ledger).decisions() if one.kind == WORD] == []

    two_phones(tmp_path, story)


def test_nobody_is_shown_a_word_of_an_hour_ago(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, _phone: ScriptedPhone, _other: ScriptedPhone) -> None:
        tells(desk, "hurry")
        decisions = read(desk.ledger).decisions()
        then_ms = decisions[-1].when_ms
        assert word_at(decisions, 1, then_ms + KEPT_MS) is not None
        assert word_at(decisions, 1, then_ms + KEPT_MS + 1) is None
        assert word_at(decisions, 2, then_ms) is None

    two_phones(tmp_path, story)


def tells(desk: PhoneDesk, words: str) -> Done:
    """Sowa, to the first table."""
    return wish(desk, SOWA, "tell_table", table=1, words=words)
