"""Players write their racks down on their table's phone, and each agrees: only then it is the result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import pytest

from dalej.domain.tournament.tournament import GameAt
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.reading import read
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import ROLES, Actor, Role
from dalej.office.acts.wishes import Wish
from dalej.office.tableracks import AGREES, RACKS
from moveclock import facts as k
from tests.phones.desk import PhoneDesk, phone_desk
from tests.phones.playing import GUARDED_S, JUZ, begins, moves, nothing_unsent
from tests.phones.scripted import ScriptedPhone
from tests.waiting import until
from tests.world import FIRST, an_event, event_file

Story = Callable[[PhoneDesk, ScriptedPhone], Coroutine[Any, Any, None]]
SHEET: Final = {"A": "0", "B": "23", "C": "12+j", "D": "-"}
HELD_MS: Final = 1_300
DEADLINE_S: Final = 60.0
AT: Final = GameAt(1, 1)


def at_the_end_of_a_game(folder: Path, story: Story, ends: Story | None = None) -> None:
    """Seat A has gone out in the first move, unless the game `ends` in another way; the racks are asked for."""
    file = event_file(folder, 4)

    async def run() -> None:
        async with asyncio.timeout(DEADLINE_S), phone_desk(folder, file) as desk:
            phone = ScriptedPhone(desk.url, desk.code(1))
            await phone.load()
            await until(lambda: phone.state == k.READY, "the game")
            await begins(phone)
            await asyncio.sleep(GUARDED_S)
            await (ends or _goes_out)(desk, phone)
            await until(lambda: phone.state == k.OVER, "its end")
            await nothing_unsent(phone)
            await until(lambda: phone.face.get("sheet"), "the racks to be asked for")
            await story(desk, phone)
            await phone.close()

    asyncio.run(run())


async def _goes_out(_desk: PhoneDesk, phone: ScriptedPhone) -> None:
    await phone.hold(JUZ, HELD_MS)


async def _is_ended(desk: PhoneDesk, phone: ScriptedPhone) -> None:
    await moves(phone, 1)
    await nothing_unsent(phone)
    performer = Performer(lambda who: Event(desk.ledger, who=who, wall_ms=desk.clock.wall_ms), lambda _line: None)
    performer.do(Actor("Sowa", "referee"), Wish("end_game", {"table": 1}, "the round's time is over"))


def racks(desk: PhoneDesk) -> dict[str, str] | None:
    """Points by seat, as they are the result."""
    result = desk.event().state().rounds[FIRST].results.get(AT)
    return None if result is None or result.sheet is None else {one.seat: str(one.points) for one in result.sheet.racks}


def decided(desk: PhoneDesk, kind: str) -> list[str]:
    return [one.who for one in read(desk.ledger).decisions() if one.kind == kind]


async def agrees(phone: ScriptedPhone, *seats: str) -> None:
    for seat in seats:
        await phone.say("agree_racks", seat=seat, of=phone.face["sheet"]["of"])


async def writes(phone: ScriptedPhone, sheet: dict[str, str]) -> None:
    before = phone.face["sheet"]["of"]
    await phone.say("write_racks", racks=sheet)
    await until(lambda: phone.face["sheet"] and phone.face["sheet"]["of"] != before, "what was written")


def test_when_all_have_agreed_their_racks_are_the_result(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, phone: ScriptedPhone) -> None:
        assert phone.face["sheet"] == {
            "game": 1,
            "seats": ["A", "B", "C", "D"],
            "racks": {},
            "of": 0,
            "agreed": [],
            "out": "A",
            "ended": "",
        }
        await writes(phone, SHEET)
        await agrees(phone, "A", "C", "D")
        await until(lambda: phone.face["sheet"]["agreed"] == ["A", "C", "D"], "three who agree")
        assert racks(desk) is None
        await agrees(phone, "B")
        await until(lambda: phone.face["sheet"] is None, "the game to be done with")

        assert racks(desk) == {"A": "0", "B": "23", "C": "12", "D": "None"}
        assert decided(desk, RACKS) == ["P1 (table)"]
        assert decided(desk, AGREES) == ["P1 (table)"] * 4
        assert decided(desk, "result") == ["P1 (table)"]
        scores = desk.event().state().rounds[FIRST].results[AT].scores
        assert phone.face["recorded"] == {"game": 1, "points": [one.small for one in scores]}
        assert not phone.face["played"], "there are more games in this round"

    at_the_end_of_a_game(tmp_path, story)


def test_a_game_in_which_nobody_went_out_is_written_down_with_how_it_ended(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, phone: ScriptedPhone) -> None:
        assert phone.face["sheet"]["out"] == ""
        left = {**SHEET, "A": "7", "D": "-:30"}
        await phone.say("write_racks", racks=left)
        await until(lambda: phone.trouble, "why not")
        assert "it must be said how the game ended" in phone.trouble
        await phone.say("write_racks", racks=left, ended="round_time")
        await until(lambda: phone.face["sheet"]["of"], "what was written")
        assert phone.face["sheet"]["ended"] == "round_time"
        await agrees(phone, "A", "B", "C", "D")
        await until(lambda: racks(desk) is not None, "the result")
        result = desk.event().state().rounds[FIRST].results[AT]
        assert result.sheet is not None
        assert result.sheet.ended == "round_time"

    at_the_end_of_a_game(tmp_path, story, _is_ended)


def test_who_writes_anew_begins_anew_and_nobody_agrees_to_what_is_gone(tmp_path: Path) -> None:
    async def story(desk: PhoneDesk, phone: ScriptedPhone) -> None:
        await writes(phone, SHEET)
        first = phone.face["sheet"]["of"]
        await agrees(phone, "A", "B", "C")
        await writes(phone, {**SHEET, "B": "32"})
        assert phone.face["sheet"]["agreed"] == []
        await phone.say("agree_racks", seat="D", of=first)
        await until(lambda: phone.trouble, "that to be refused")
        assert "other racks are written down by now" in phone.trouble
        assert racks(desk) is None
        await agrees(phone, "A", "B", "C", "D")
        await until(lambda: racks(desk) is not None, "the result")
        assert racks(desk) == {"A": "0", "B": "32", "C": "12", "D": "None"}

    at_the_end_of_a_game(tmp_path, story)


@pytest.mark.parametrize(
    ("act", "args", "says"),
    [
        ("write_racks", {"racks": {"A": "0", "B": "0", "C": "5", "D": "6"}}, "only one can go out"),
        ("write_racks", {"racks": {"A": "0", "B": "many", "C": "5", "D": "6"}}, "many"),
        ("write_racks", {"racks": 7}, "7"),
        ("agree_racks", {"seat": "A", "of": 1}, "other racks are written down by now"),
        ("rule", {"verdict": "stands", "move": 1}, "not with the role table"),
        ("stop_hall", {"reason": "referee"}, "not with the role table"),
        ("no_such_act", {}, "no_such_act"),
    ],
)
def test_what_a_table_may_not_say_is_refused_in_words_and_nothing_is_decided(
    tmp_path: Path, act: str, args: dict[str, Any], says: str
) -> None:
    async def story(desk: PhoneDesk, phone: ScriptedPhone) -> None:
        before = len(read(desk.ledger).decisions())
        await phone.say(act, **args)
        await until(lambda: phone.trouble, "why not")
        assert says in phone.trouble
        assert len(read(desk.ledger).decisions()) == before

    at_the_end_of_a_game(tmp_path, story)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("act", ["write_racks", "agree_racks"])
def test_what_the_players_of_a_table_agree_to_nobody_else_does_for_them(tmp_path: Path, act: str, role: Role) -> None:
    with an_event(tmp_path, 4) as event:
        performer = Performer(event.by, lambda line: None)
        wish = Wish(act, {"table": 1, "racks": SHEET, "seat": "A", "of": 1})
        with pytest.raises(Refused, match=f"not with the role {role}, only table"):
            performer.do(Actor("Lis", role), wish)
        assert [one for one in read(event.ledger).decisions() if one.kind in (RACKS, AGREES)] == []
