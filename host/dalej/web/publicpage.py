"""What everybody may see: find me, my table and seat, my games, the standings, the round's clock; and the same on the
wall. Light pages for hundreds of phones: what is live is one picture for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from dalej.domain.game.facts import SEATS
from dalej.domain.scoring.points import total
from dalej.domain.tournament.stages import round_name, stage_name
from dalej.domain.tournament.standings import Line, standings
from dalej.domain.tournament.tournament import GameAt, Round, Tournament
from dalej.office.players import folded
from dalej.office.publicnames import public_names
from dalej.views.publiclists import timing
from dalej.views.roundwords import clock_words, round_time
from dalej.web.live import Part
from dalej.web.visits import Visits
from dalej.words import _, alphabetical

LINES_OF_WALL: Final = 16
COLUMNS_OF_WALL: Final = 3


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody's seat in the round at work. `table` 0: none."""

    number: int
    name: str
    table: int = 0
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of the standings."""

    place: int
    number: int
    name: str
    points: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game of somebody: in which round, at which table, with how many points; "" while they are not in."""

    round: str
    table: int
    game: int
    small: str
    big: str


class PublicPages:
    """`/find`, `/me/NUMBER`, `/standings`, `/wall`, and what is live of them."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/find", self._find), web.get("/me/{number:[0-9]{1,6}}", self._me),
            web.get("/standings", self._standings), web.get("/wall", self._wall), web.get("/live/public", self._live),
        ]  # fmt: skip

    def parts(self) -> Mapping[str, Part]:
        """What ticks, and a mark that is another when a page has to be read anew."""
        watch = self._visits.watch
        page, one, time = watch.page, watch.page.round, round_time(watch.page)
        left = None if time is None else clock_words(time.remaining_ms(watch.feed.wall_ms()))
        says = timing(page, watch.feed.wall_ms())
        said = _("FINAL LAP: one more move for each") if says.lap else _("TIME IS OVER") if says.over_ms else ""
        name = "" if one is None else round_name(*one.key)
        ends_ms = None if time is None else time.ends_ms
        fields = {"round": name, "ends_ms": ends_ms, "left": left or "", "said": said}
        draw = self._visits.templates.part
        stamp = str(page.decisions[-1].cursor if page.decisions else 0) + ("a" if says.alone else "")
        return {
            "round": Part((name, ends_ms, said), lambda: draw("publicparts.html", "clock", **fields)),
            "stamp": Part(stamp, lambda: stamp),
        }

    async def _live(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request)
        return await self._visits.stream(request, session, "public", self.parts)

    async def _find(self, request: web.Request) -> web.StreamResponse:
        wanted = request.query.get("q", "")[:60]
        people = seats_of(self._visits.watch.page.state)
        parts = folded(wanted).split()
        found = [one for one in people if all(part in folded(one.name) for part in parts)]
        return self._page(request, "find.html", "/find", people=found, wanted=wanted)

    async def _me(self, request: web.Request) -> web.StreamResponse:
        state = self._visits.watch.page.state
        number = int(request.match_info["number"])
        me = next((one for one in seats_of(state) if one.number == number), None)
        if state is None or me is None:
            raise web.HTTPNotFound
        with_me = [one for one in seats_of(state) if me.table and one.table == me.table]
        line = next((one for one in lines_of(state) if one.number == number), None)
        return self._page(request, "me.html", "/find", me=me, with_me=sorted(with_me, key=lambda one: one.seat),
                          line=line, games=games_of(state, number))  # fmt: skip

    async def _standings(self, request: web.Request) -> web.StreamResponse:
        state = self._visits.watch.page.state
        return self._page(request, "standings.html", "/standings", lines=lines_of(state), title=_title(state))

    async def _wall(self, request: web.Request) -> web.StreamResponse:
        """Seats and standings in pages that a hall can read."""
        watch = self._visits.watch
        state, time = watch.page.state, timing(watch.page, watch.feed.wall_ms())
        seats = [(one.name, f"{one.table} {one.seat}") for one in seats_of(state) if one.table]
        ranks = [(f"{one.place}. {one.name}", one.points) for one in lines_of(state)]
        leaves: list[tuple[str, Sequence[tuple[str, str]]]] = []
        if not time.alone:
            if time.fresh or not ranks:
                leaves += [(_("Find your table"), leaf) for leaf in _leaves(seats)]
            leaves += [(_title(state), leaf) for leaf in _leaves(ranks)]
        return self._page(request, "wall.html", "/wall", leaves=leaves, alone=time.alone)

    def _page(self, request: web.Request, template: str, path: str, **fields: Any) -> web.Response:
        session = self._visits.expect(request)
        picture = self._visits.pictures.of("public", session.language, self.parts)
        return self._visits.page(session, template, path, parts=picture.whole(), live="/live/public",
                                 feed=self._visits.watch.feed, **fields)  # fmt: skip


def _leaves(entries: Sequence[tuple[str, str]]) -> list[Sequence[tuple[str, str]]]:
    most = LINES_OF_WALL * COLUMNS_OF_WALL
    return [entries[at : at + most] for at in range(0, len(entries), most)]


def seats_of(state: Tournament | None) -> list[Seated]:
    """Everybody who takes part, by name, with the seat in the round at work."""
    if state is None:
        return []
    names = public_names(state, full=False)
    one = state.current
    seats = {} if one is None or one.seating is None else {
        player: (table.table, letter)
        for table in one.seating.tables for letter, player in zip(SEATS, table.players, strict=True) if player
    }  # fmt: skip
    found = [
        Seated(number, names[number], *seats.get(number, (0, "")))
        for number, player in state.players.items() if player.takes_part
    ]  # fmt: skip
    return sorted(found, key=lambda one: alphabetical(one.name, state.ruleset.language))


def lines_of(state: Tournament | None) -> list[Placed]:
    """The standings of the whole event, best first; empty before the first result."""
    if state is None or not any(result.scores for one in state.rounds.values() for result in one.results.values()):
        return []
    names = public_names(state, full=False)
    return [Placed(line.place, line.player, names[line.player], _points(line)) for line in standings(state, None)
            if line.player in names]  # fmt: skip


def games_of(state: Tournament, number: int) -> list[Played]:
    """The games of that player, the newest round first."""
    found = [
        _played(one, at, seat)
        for one in state.rounds.values() if one.seating is not None
        for table in one.seating.tables if number in table.players
        for seat in [SEATS[table.players.index(number)]]
        for at in (GameAt(table.table, game) for game in range(1, one.stage.games + 1))
    ]  # fmt: skip
    return found[::-1]


def _played(one: Round, at: GameAt, seat: str) -> Played:
    result = one.results.get(at)
    score = None if result is None else next((each for each in result.scores if each.seat == seat), None)
    small = "" if score is None else total(score.small)
    big = "" if score is None or score.big is None else total(score.big)
    return Played(round_name(*one.key), at.table, at.game, small, big)


def _points(line: Line) -> str:
    return total(line.small) if line.big is None else f"{total(line.big)} / {total(line.small)}"


def _title(state: Tournament | None) -> str:
    if state is None or state.current is None or len(state.plan) == 1:
        return _("Standings")
    return _("Standings, {stage}").format(stage=stage_name(state.current.key.stage))
