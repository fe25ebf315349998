"""The organiser's pages: results, players, and everything that can be done, each made of the acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from dalej.domain.game.games import BoxGame
from dalej.domain.game.sentences import word
from dalej.domain.scoring.points import total
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import GameAt, Round, RoundKey, Tournament
from dalej.office.acts.catalogue import ACTS, allowed, allowed_in
from dalej.office.acts.roles import Role
from dalej.views.nextwords import next_of
from dalej.views.resultwords import entered_words, game_mark, names_at, stands_words, tables_of, wants_check
from dalej.web.actpage import Link, link_to
from dalej.web.sessions import Session
from dalej.web.visits import Visits
from dalej.words import N_, _, alphabetical, readable, who_said

_ENDED: Final = ("bank_empty", "round_time", "last_seat")  # with racks and without a reason
_ABOUT: Final[Mapping[str, str]] = {
    "round": N_("The round"), "hall": N_("The whole hall"), "event": N_("The event"), "player": N_("Players"),
    "game": N_("Results"), "table": N_("Tables"), "decision": N_("Decisions"), "sessions": N_("Who is logged in"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameOf:
    """A game at a table: its mark, and what was entered, a line a seat."""

    game: int
    mark: str
    lines: tuple[tuple[str, str, str, str], ...]
    entered: bool
    confirmed: bool
    who: str


class OrganiserPages:
    """`/results`, `/results/TABLE`, `/rounds/STAGE/ROUND`, `/players`, `/acts`."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/results", self._results), web.get("/results/{table:[0-9]{1,4}}", self._table),
            web.get("/rounds/{stage}/{round:[0-9]{1,2}}", self._closed),
            web.get("/players", self._players), web.get("/players/{number:[0-9]{1,6}}", self._player),
            web.get("/acts", self._acts),
        ]  # fmt: skip

    async def _results(self, request: web.Request) -> web.StreamResponse:
        session = self._expect(request)
        page = self._visits.watch.page
        one = page.round
        tables: list[tuple[int, list[str], list[tuple[int, str]], str, str]] = []
        if one is not None and page.state is not None:
            for table in tables_of(one):
                ats = [GameAt(table, game) for game in range(1, one.stage.games + 1)]
                games = [(at.game, game_mark(one.results.get(at), page.boxes.get(at))) for at in ats]
                words, look = stands_words(page, one, ats, wants_check(page.state))
                tables.append((table, list(names_at(page.state, one, table).values()), games, words, look))
        step = next_of(page.state, lambda act: session.actor.role in ACTS[act].roles, page.boxes)
        return self._page(session, "results.html", "/results", round=_round_words(one), tables=tables, next=step,
                          entered=entered_words(page.state, one),
                          links=self._links(session.actor.role, *_of_round(page.state)),
                          reads=one is not None and session.actor.role in ACTS["enter_results"].roles,
                          closed=[] if page.state is None else closed_rounds(page.state))  # fmt: skip

    async def _table(self, request: web.Request) -> web.StreamResponse:
        session = self._expect(request)
        page, table = self._visits.watch.page, int(request.match_info["table"])
        one, state = page.round, page.state
        if one is None or state is None or table not in tables_of(one):
            raise web.HTTPNotFound
        names = names_at(state, one, table)
        games = [_game(one, GameAt(table, game), page.boxes.get(GameAt(table, game)))
                 for game in range(1, one.stage.games + 1)]  # fmt: skip
        may = {act.name for act in allowed(session.actor.role)}
        nxt = next((each.game for each in games if not each.entered), 0)
        return self._page(session, "sheet.html", "/results", round=_round_words(one), table=table, names=names,
                          games=games, may=may, next_game=nxt, known={"table": table},
                          endings=[(ended, word(ended)) for ended in _ENDED])  # fmt: skip

    async def _closed(self, request: web.Request) -> web.StreamResponse:
        """A round that is closed, with what was entered; an organiser corrects it there."""
        session = self._expect(request)
        state = self._visits.watch.page.state
        key = RoundKey(request.match_info["stage"], int(request.match_info["round"]))
        one = None if state is None else state.rounds.get(key)
        if state is None or one is None or one.closed is None:
            raise web.HTTPNotFound
        tables = [
            (table, names_at(state, one, table),
             [_game(one, GameAt(table, game), None) for game in range(1, one.stage.games + 1)])
            for table in tables_of(one)
        ]  # fmt: skip
        corrects = session.actor.role in ACTS["correct_closed"].roles
        return self._page(session, "closed.html", "/results", round=_round_words(one), tables=tables, key=key.text,
                          closer=who_said(one.closed.who), corrects=corrects)  # fmt: skip

    async def _players(self, request: web.Request) -> web.StreamResponse:
        session = self._expect(request)
        state = self._visits.watch.page.state
        people = [] if state is None else sorted(
            state.players.values(), key=lambda one: alphabetical(one.name, state.ruleset.language)
        )  # fmt: skip
        role = session.actor.role
        return self._page(session, "players.html", "/players", people=people, links=self._links(role, "sign_up"),
                          reads=role in ACTS["sign_up_list"].roles)  # fmt: skip

    async def _player(self, request: web.Request) -> web.StreamResponse:
        session = self._expect(request)
        state = self._visits.watch.page.state
        player = None if state is None else state.players.get(int(request.match_info["number"]))
        if player is None:
            raise web.HTTPNotFound
        acts = [act for act in allowed(session.actor.role) if any(ask.name == "player" for ask in act.asks())]
        links = [link_to(act, {"player": player.number}) for act in acts]
        return self._page(session, "player.html", "/players", player=player, links=links)

    async def _acts(self, request: web.Request) -> web.StreamResponse:
        """Everything that this role can do, by what it is about."""
        session = self._expect(request)
        about: dict[str, list[Link]] = {}
        for act in allowed_in(self._visits.watch.page.state, session.actor.role):
            about.setdefault(act.about, []).append(link_to(act, {}))
        order = ("round", "hall", "event", "player", "game", "table", "decision", "sessions")
        return self._page(session, "acts.html", "/acts", groups=[(_(_ABOUT[kind]), about[kind]) for kind in order
                                                                 if kind in about])  # fmt: skip

    def _expect(self, request: web.Request) -> Session:
        return self._visits.expect(request, "referee", "organiser")

    def _links(self, role: Role, *names: str) -> list[Link]:
        return [link_to(ACTS[name]) for name in names if role in ACTS[name].roles]

    def _page(self, session: Session, template: str, path: str, **fields: Any) -> web.Response:
        return self._visits.page(session, template, path, **fields)


def _of_round(state: Tournament | None) -> tuple[str, ...]:
    """What may be done with the round at work, where it may."""
    if state is not None and state.home:
        return ()
    halls = ("give_round", "take_round") if state is not None and state.halls else ()
    return (*halls, "close_round", "start_round")


def closed_rounds(state: Tournament) -> list[tuple[str, str]]:
    """Each by its key and its name, the latest first."""
    return [
        (one.key.text, round_name(*one.key)) for one in reversed([*state.rounds.values()]) if one.closed is not None
    ]


def _round_words(one: Round | None) -> str:
    return "" if one is None else round_name(*one.key)


def _game(one: Round, at: GameAt, box: BoxGame | None) -> GameOf:
    result = one.results.get(at)
    mark = game_mark(result, box)
    if result is None:
        return GameOf(at.game, mark, (), entered=False, confirmed=False, who="")
    lines = tuple(
        (each.seat, readable(each.name), total(each.small), "" if each.big is None else total(each.big))
        for each in result.scores
    )
    return GameOf(at.game, mark, lines, entered=True, confirmed=result.confirmed is not None,
                  who=who_said(result.mark.who))  # fmt: skip
