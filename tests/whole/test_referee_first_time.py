"""A referee who has never seen the screens does the evening's four tasks by what stands on them.

One screen of 80 columns over a real event, real boxes and a real desk; see `firsttime.FirstTime.key` for what this
person can do. The words in quotes are those that stand on the screen.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from dalej.domain.tournament.tournament import GameAt
from dalej.event.reading import read
from moveclock import facts as k
from tests.whole.firsttime import FirstTime, play
from tests.world import play as games

OVER_MS: Final = 70_000


def test_rules_on_a_time_out(tmp_path: Path) -> None:
    async def story(person: FirstTime) -> None:
        person.desk.setting.run(OVER_MS)
        await person.reads()
        assert "time is over" in person.text

        await person.does("next waiting")
        await person.does("open")
        await person.does("not valid → undone")
        await person.does("seen by the referee")
        await person.does("rule on a time-out")

        assert "undone, tiles: 1" in person.text
        ruled = read(person.desk.place.ledger).decisions()[-1]
        assert (ruled.who, ruled.body["ruling"], ruled.why) == ("Sowa", "undone", "seen by the referee")

    play(tmp_path, story)


def test_corrects_a_clock(tmp_path: Path) -> None:
    async def story(person: FirstTime) -> None:
        await person.does("open")
        await person.does("act")
        await person.does("stop the clock")
        await person.does("referee")
        assert "the clock stands" in person.text

        await person.does("act")
        await person.does("correct what is left")
        await person.types("0:45")
        await person.does("technical fault")
        await person.does("correct what is left")

        clock = person.desk.clock
        assert (clock.state, clock.watch.remaining(person.desk.setting.world.now_ms)) == (k.STOPPED, 45_000)
        await person.does("go on")
        assert clock.state == k.RUNNING

    play(tmp_path, story)


def test_enters_a_result(tmp_path: Path) -> None:
    async def story(person: FirstTime) -> None:
        await person.does("results")
        await person.does("sheet")
        for rack in ("0", "10", "20", "30"):
            await person.types(rack)
        assert "Sum of the small points: 0" in person.text
        await person.does("keep it")

        current = person.state.current
        assert current is not None
        assert current.results[GameAt(1, 1)].mark.who == "Sowa"

    play(tmp_path, story)


def test_starts_the_next_round(tmp_path: Path) -> None:
    async def story(person: FirstTime) -> None:
        games(person.desk.event("Puchacz"), random.Random(3))
        await person.reads()

        await person.does("results")
        await person.does("does it")
        await person.does("close the round")
        await person.does("does it")  # the seats
        await person.does("does it")  # the clock
        await person.types("90")
        await person.press("1", "enter")  # the score sheets are printed already

        current = person.state.current
        assert current is not None
        assert current.clock is not None
        assert (current.key.round, current.clock.length_ms) == (2, 5_400_000)

    play(tmp_path, story)
