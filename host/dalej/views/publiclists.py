"""What the public is shown of an event: who sits where, and who stands where. Pure: a `Page` of the book in, words out.

Names stand as they are published (`dalej.office.publicnames`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.game.facts import SEATS
from dalej.domain.scoring.points import total
from dalej.domain.tournament.stages import stage_name
from dalej.domain.tournament.standings import Line, standings
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.office.publicnames import published
from dalej.office.roundclock import FINAL_LAP, PLAY_ON, RoundTime
from dalej.views.book import Page
from dalej.words import _, alphabetical, readable

FIND_MS: Final = 600_000  # for so long after its start a round's seating is shown: whoever comes late must find a chair
ALONE_MS: Final = 300_000  # so long before and after the end of a round nothing but its clock is shown


@dataclass(frozen=True, slots=True)
class Entry:
    """A line: `name`, and what stands before and behind it."""

    before: str
    name: str
    behind: str


@dataclass(frozen=True, slots=True)
class Topic:
    """Entries that belong together under a title, in the order in which they are read. `named`: it is by names, so
    the first and last of a page say which page it is.
    """

    title: str
    entries: tuple[Entry, ...]
    named: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """A round's time. `left_ms` None: it has not been started. It is over and then the final lap is on (`lap`), games
    are played to their end (`plays_on`) or at an end (`ended`); `no_new_game`: none may begin any more; `fresh`: it has
    not begun, or only just.
    """

    left_ms: int | None = None
    over_ms: int = 0
    lap: bool = False
    plays_on: bool = False
    ended: bool = False
    no_new_game: bool = False
    fresh: bool = True

    @property
    def alone(self) -> bool:
        """Whether people look for nothing else now."""
        return self.left_ms is not None and self.left_ms <= ALONE_MS and self.over_ms < ALONE_MS


def timing(page: Page, now_ms: int) -> Timing:
    """The time of the round to work on; `now_ms` Unix time."""
    one = page.round
    if page.state is None or one is None or one.clock is None:
        return Timing()
    rules, time = page.state.ruleset, RoundTime(one.clock, page.state.ruleset.no_new_game_ms)
    passed, left_ms = time.passed(now_ms), time.remaining_ms(now_ms)
    then = rules.on_round_time if "over" in passed else ""
    return Timing(
        left_ms=left_ms, over_ms=max(0, now_ms - time.ends_ms), lap=then == FINAL_LAP, plays_on=then == PLAY_ON,
        ended=then == "end_at_once", no_new_game="no_new_game" in passed,
        fresh=now_ms - one.clock.starts_ms < FIND_MS,
    )  # fmt: skip


def topics(page: Page, *, fresh: bool) -> list[Topic]:
    """Everything there is to show beside the clock. `fresh`: the round has not begun, or only just."""
    if page.state is None:
        return []
    state, one = published(page.state), page.round
    found: list[Topic] = []
    ranking = _ranking(state, one)
    if one is not None and one.seating is not None and (fresh or ranking is None):
        found.append(_seating(state, one))
    if ranking is not None:
        found.append(ranking)
    return found


def _seating(state: Tournament, one: Round) -> Topic:
    seating = one.seating
    assert seating is not None, "asked only of a round that is seated"
    named = [
        Entry("", readable(state.players[player].name), f"{table.table} {letter}")
        for table in seating.tables
        for letter, player in zip(SEATS, table.players, strict=True)
        if player in state.players
    ]
    named.sort(key=lambda entry: (alphabetical(entry.name, state.ruleset.language), entry.behind))
    return Topic(_("Find your table"), tuple(named), named=True)


def _ranking(state: Tournament, one: Round | None) -> Topic | None:
    """Of the stage that is played; before its first result, and when all is over, of the whole event."""
    if not any(_scored(each) for each in state.rounds.values()):
        return None
    stage = None if one is None else one.key.stage
    if stage is not None and not any(_scored(each) for key, each in state.rounds.items() if key.stage == stage):
        stage = None
    if stage is not None and len(state.plan) > 1:
        title = _("Standings, {stage}").format(stage=stage_name(stage))
    else:
        title = _("Standings")
    lines = standings(state, stage)
    if any(line.big is not None for line in lines):
        title = _("{title}: big / small points").format(title=title)
    return Topic(title, tuple(_entries(state, lines)))


def _scored(one: Round) -> bool:
    return any(result.scores for result in one.results.values())


def _entries(state: Tournament, lines: Sequence[Line]) -> list[Entry]:
    big = any(line.big is not None for line in lines)
    return [
        Entry(
            f"{line.place}.",
            readable(state.players[line.player].name) if line.player in state.players else "?",
            _points(line, big=big),
        )
        for line in lines
    ]


def _points(line: Line, *, big: bool) -> str:
    """What there is to show; of whoever has no game yet, that there is none."""
    if line.absent and not line.big and not line.small:
        return "–"
    return f"{total(line.big or 0)} / {total(line.small)}" if big else total(line.small)
