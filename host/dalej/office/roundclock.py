"""The time of a round: what is left of it, what is to be said at which moment, and the boxes asked for the final lap.

A box is told of the round's end a few minutes ahead, with its instant, so that the final lap begins there whether the
box has a link then or not; one that could not be told by then is asked at the end. What a box was told ahead cannot be
taken back: a clock that is started anew in these minutes is for the referees to announce.

Times are Unix milliseconds, as the clock was started; whoever watches hands them in.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from dalej.domain.tournament.tournament import Round, RoundClock
from dalej.event.event import Event
from dalej.event.ledger import NO_LINK, Entry, Json, Request
from dalej.event.reading import Reading

Moment = Literal["no_new_game", "over"]

FINAL_LAP: Final = "final_lap"
ROUND_TIME: Final = "round_time"
PLAY_ON: Final = "play_on"  # the ruleset's word for: nothing ends with the round's time
AT_MS: Final = "at_ms"  # among a request's arguments: the instant at which the box is to obey
AHEAD_MS: Final = 180_000  # 25 boxes come round in a pool of three within half of it
_SECOND_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class RoundTime:
    """A started round. `no_new_game_ms`: how long before its end no game may begin any more, 0: at the end."""

    clock: RoundClock
    no_new_game_ms: int = 0

    @property
    def ends_ms(self) -> int:
        """When the final lap is due."""
        return self.clock.starts_ms + self.clock.length_ms

    def remaining_ms(self, now_ms: int) -> int:
        """What is left, 0 once it is over, never more than the whole."""
        return min(max(self.ends_ms - now_ms, 0), self.clock.length_ms)

    def is_near(self, now_ms: int) -> bool:
        """Whether boxes are told of the end now."""
        return self.ends_ms - AHEAD_MS <= now_ms < self.ends_ms

    def passed(self, now_ms: int) -> list[Moment]:
        """What has come to pass by now, in order."""
        passed: list[Moment] = []
        if self.no_new_game_ms and now_ms >= self.ends_ms - self.no_new_game_ms:
            passed.append("no_new_game")
        if now_ms >= self.ends_ms:
            passed.append("over")
        return passed

    def next_ms(self, now_ms: int) -> int:
        """How long until the seconds shown change, or something comes to pass; 0 once it is over."""
        remaining = self.remaining_ms(now_ms)
        return (remaining - 1) % _SECOND_MS + 1 if remaining else 0


class Watch:
    """Tells each moment of a round once."""

    def __init__(self) -> None:
        self._said: set[tuple[int, Moment]] = set()

    def news(self, time: RoundTime, now_ms: int) -> list[Moment]:
        """What has come to pass since it was last asked; a clock that was started anew tells everything anew."""
        found = [moment for moment in time.passed(now_ms) if (time.clock.mark.cursor, moment) not in self._said]
        self._said.update((time.clock.mark.cursor, moment) for moment in found)
        return found


@dataclass(frozen=True, slots=True)
class Asked:
    """Tables whose box was asked for the final lap now, was asked before, and those that have none."""

    now: tuple[int, ...]
    before: tuple[int, ...]
    by_voice: tuple[int, ...]


def playing(one: Round) -> list[int]:
    """Tables that still have a game to play."""
    return sorted({at.table for at in one.missing()})


def is_called(entry: Entry) -> int | None:
    """The Unix time from which a request asks for the final lap because the round's time is over, 0: at once; None: it
    does not ask for that.
    """
    if not isinstance(entry, Request) or entry.command != FINAL_LAP or entry.args.get("reason") != ROUND_TIME:
        return None
    at_ms = entry.args.get(AT_MS)
    return at_ms if isinstance(at_ms, int) else 0


def final_lap(event: Event, one: Round, tables_with_box: Iterable[int], now_ms: int, at_ms: int | None = None) -> Asked:
    """Asks the box of every table that still plays for the final lap, once for each start of the round's clock; again
    where there was no link to the box. `at_ms`: the lap begins then, None: now.
    """
    if one.clock is None:
        return Asked((), (), ())
    tables, boxes = playing(one), set(tables_with_box)
    already = _asked_since(event.read(), one.clock.mark.cursor)
    now = [table for table in tables if table in boxes and table not in already]
    args: dict[str, Json] = {"reason": ROUND_TIME}
    why = f"round {one.key.round}: time is over"
    if at_ms is not None:
        args[AT_MS], why = at_ms, f"round {one.key.round}: time will be over"
    for table in now:
        event.ledger.request(table, FINAL_LAP, args, who=event.who, at_ms=now_ms, why=why)
    return Asked(
        tuple(now),
        tuple(table for table in tables if table in already),
        tuple(table for table in tables if table not in boxes and table not in already),
    )


def _asked_since(reading: Reading, cursor: int) -> set[int]:
    """Tables whose box was sent it, or will be when it has its turn: not those where no link came."""
    return {
        one.request.table
        for one in reading.asked()
        if one.request.cursor > cursor
        and is_called(one.request) is not None
        and (not one.outcomes or one.outcomes[0].result != NO_LINK)
    }
