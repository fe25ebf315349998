"""The time of the round that is played, in words, and what has to be said aloud when it comes to its end. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dalej.domain.tournament.stages import round_name
from dalej.office.roundclock import RoundTime, playing
from dalej.views.book import Page
from dalej.views.publiclists import ALONE_MS, Timing, timing
from dalej.views.rows import PLAYS, Row
from dalej.words import _, ngettext


def round_time(page: Page) -> RoundTime | None:
    """The clock of the round at work, None as long as it has not been started."""
    current = page.round
    if page.state is None or current is None or current.clock is None:
        return None
    return RoundTime(current.clock, page.state.ruleset.no_new_game_ms)


def round_words(page: Page, wall_ms: int, rows: Mapping[int, Row]) -> tuple[str, ...]:
    """`League, round 2: 12:05`; when its time is over, how many tables still play and how many in the final lap, at
    length and shorter. None as long as the round has no clock.
    """
    current, time = page.round, round_time(page)
    if current is None or time is None:
        return ()
    left = time.remaining_ms(wall_ms)
    name = round_name(*current.key)
    if left:
        return (f"{name}: {clock_words(left)}",)
    play = [row for row in rows.values() if row.state in PLAYS]
    lap = sum(1 for row in play if row.final_lap)
    if not play:
        return (_("{round}: time is over").format(round=name),)
    said = (
        _("{round}: time is over, {count} play, {lap} in the final lap"), _("{round}: final lap at {lap} of {count}"),
        _("final lap at {lap} of {count}"),
    )  # fmt: skip
    return tuple(words.format(round=name, count=len(play), lap=lap) for words in said)


def clock_words(ms: int) -> str:
    """`1:05:09`, `12:05`: a second that has begun counts."""
    seconds = -(-ms // 1_000)
    if seconds >= 3_600:
        return f"{seconds // 3_600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return f"{seconds // 60}:{seconds % 60:02d}"


def by_voice(page: Page, rows: Mapping[int, Row]) -> tuple[int, ...]:
    """Tables of the round that still have a game to play, and no box that would tell them."""
    current = page.round
    return () if current is None else tuple(at for at in playing(current) if at not in rows or not rows[at].box)


@dataclass(frozen=True, slots=True)
class Aloud:
    """`what` a person has to say now, and that in words, with where; both "" if nothing is to be said."""

    what: str = ""
    words: str = ""


def aloud(page: Page, wall_ms: int, rows: Mapping[int, Row], *, has_boxes: bool) -> Aloud:
    """What no box says. `rows`: of every table that is known."""
    what = to_be_said(timing(page, wall_ms))
    tables = by_voice(page, rows) if what else ()
    if not tables:
        return Aloud()
    if not has_boxes:
        return Aloud(what, _("Say it aloud: {what}").format(what=what))
    words = ngettext("Say it at table {tables}: {what}", "Say it at tables {tables}: {what}", len(tables))
    return Aloud(what, words.format(tables=", ".join(map(str, tables)), what=what))


def to_be_said(time: Timing) -> str:
    """What everybody has to know when it comes to pass, and for a while after."""
    if time.left_ms is None or time.over_ms >= ALONE_MS:
        return ""
    if time.lap:
        return _("FINAL LAP: one more move for each")
    if time.ended:
        return _("TIME IS OVER: stop playing")
    if time.plays_on:
        return _("TIME IS OVER: finish your game")
    return _("no new game may begin") if time.no_new_game else ""
