"""The form of every act: made of the catalogue, filled in by touch, with ready reasons that do it at once; the question
before what destroys something; and doing it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import hdrs, web

from dalej.domain.game.facts import SEATS, seat_name
from dalej.domain.game.sentences import seconds
from dalej.errors import DalejError
from dalej.office.acts.act import Act, Ask, read
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.clocks import Resume, SetSeat
from dalej.office.acts.results import CorrectClosed, WithRacks
from dalej.office.acts.rulings import Rule
from dalej.office.acts.wishes import Wish
from dalej.office.rounds import usual_minutes
from dalej.office.rulings import SEEN, usual
from dalej.views.asking import RACKS, Option, SeenTurns, options, seats, setting_values, still_asked, typed
from dalej.views.book import Page
from dalej.views.callwords import verdict_words
from dalej.views.corrected import SheetThere, changed_by, sheet_there
from dalej.views.offers import Likely, Offer
from dalej.views.phrases import ALERTS
from dalej.views.rows import Row
from dalej.views.sight import sight_of
from dalej.web.hallpage import TablePage, passages
from dalej.web.live import Part
from dalej.web.sessions import Session
from dalej.web.visits import HERE, Visits, own_path
from dalej.words import N_, _, readable, said

_NUMBERS: Final = ("tiles", "number", "table", "ruling")
_EMPTY: Final[Mapping[str, str]] = {}
OWN: Final = "own"  # the field of a reason that is typed; some acts have one that is called reason
_DIGITS_MOST: Final = 15  # of an entry's number


@dataclass(frozen=True, slots=True)
class Field:
    """A field as a page shows it. `options`: to be picked from; none: it is typed. `problem`: what is wrong with it.
    `comes_to`: what follows from an option, by its value; `counted`: values with which tiles have to be counted.
    """

    name: str
    label: str
    kind: str
    options: Sequence[Option] = ()
    value: str = ""
    needed: bool = True
    least: int = 0
    most: int = 0
    problem: str = ""
    comes_to: Mapping[str, str] = field(default_factory=dict)
    counted: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """An act's form. `reasons`: ready ones, each of which does it; `reason`: whether one can be typed, and `must` be.
    `args`: what is known; `path`: where one is once it is done. `question`: lines to be agreed to first. `comes_to`:
    what follows from it; `sure`: that says all that would be asked first. `sends`: a field whose options do it at once,
    for the first of the reasons; `asks`: the question to which they are the answers. `entailed`: the reason for which
    the act is done at once; `other`: what can be said instead of all that.
    """

    act: type[Act]
    title: str
    fields: Sequence[Field]
    reasons: Sequence[tuple[str, str]]
    must: bool
    args: str
    seen: int
    why: str = ""
    problem: str = ""
    question: Sequence[str] = ()
    rules: Sequence[tuple[str, str]] = ()
    path: str = ""
    comes_to: str = ""
    sure: bool = False
    sends: Field | None = None
    asks: str = ""
    other: str = ""
    entailed: str = ""


# Acts that are done by a touch on an option of one field, as an answer.
_AT_ONCE: Final[Mapping[type[Act], tuple[str, str, str]]] = {
    Rule: ("verdict", "", N_("another reason, or another number of tiles")),
    SetSeat: ("seat", N_("Whose move is it? A touch gives it there:"), N_("another reason")),
}

# Where an act was asked for, and where one is again once it is done.
_BACK_TO: Final = ("/players", "/seating", "/results", "/rounds", "/papers")


class ActPages:
    """`/act/NAME`: one act; `/answer/TABLE/KIND`: what may be done about a call."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [
            web.get("/act/{act}", self._ask),
            web.post("/act/{act}", self._do),
            web.get("/answer/{table:[0-9]{1,4}}/{kind}", self._answer),
            web.get("/live/answer/{table:[0-9]{1,4}}/{kind}", self._answer_live, allow_head=False),
            web.post("/back", self._take_back),
        ]

    async def _ask(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request)
        act = _act(request, session)
        args = _known(request.query.get("args", ""))
        came = _came_from(request)
        back = came if came.startswith(_BACK_TO) else ""
        return self._page(session, [self.form(act, args, path=back)], args)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        session, page, row, kind = self._of_answer(request)
        offers = [one for one in page.answers(kind) if not one.why_not]
        here = HERE in request.headers  # somebody has it before his eyes
        if row is None or not (offers or here):
            raise web.HTTPSeeOther(f"/table/{page.table}")
        if offers:
            await self._fetch(session, row)
        call = page.call(kind)
        quick = [] if call is None or call.then else call.likely
        forms = self._others(offers, quick)
        fields: dict[str, Any] = {
            "table": page.table, "quick": [self._quick(one) for one in quick], "forms": forms, "call": call,
            "asks": page.asks(kind), "settled": "" if forms or quick else page.settled(kind),
            "wide": "else" in request.query,
            "rules": passages(self._visits.watch.feed.hall.ruleset, [one.act for one in offers]),
        }  # fmt: skip
        if here:
            text = self._visits.templates.block("answer.html", "here", token=session.form, **fields)
            return web.Response(text=text, content_type="text/html")
        path = f"/answer/{page.table}/{kind}"
        return self._visits.page(session, "answer.html", path, live=f"/live{path}", feed=self._visits.watch.feed,
                                 stamp=page.answer_stamp(kind), **fields)  # fmt: skip

    async def _answer_live(self, request: web.Request) -> web.StreamResponse:
        session, page, _row, kind = self._of_answer(request)

        def parts() -> Mapping[str, Part]:
            stamp = page.answer_stamp(kind)
            return {"stamp": Part(stamp, lambda: stamp)}

        return await self._visits.stream(request, session, f"answer {page.table} {kind} {session.actor.role}", parts)

    def _of_answer(self, request: web.Request) -> tuple[Session, TablePage, Row | None, str]:
        session = self._visits.expect(request, "referee", "organiser")
        table, kind = int(request.match_info["table"]), request.match_info["kind"]
        if kind not in ALERTS:
            raise web.HTTPNotFound
        page = TablePage(self._visits.watch, self._visits.templates, session.actor.role, table)
        return session, page, self._visits.watch.row(table), kind

    def _quick(self, one: Likely) -> Form:
        """One touch does it, for its own reason."""
        return replace(self.form(one.act, one.args, path="/hall"), title=readable(one.words), entailed=one.why)

    def _others(self, offers: Sequence[Offer], quick: Sequence[Likely]) -> list[Form]:
        """What else can be answered: all but what a touch on one of those does."""
        said_already = [str(one.args["verdict"]) for one in quick if one.act is Rule]
        forms = [self._as_answer(one, said_already) for one in offers if not (one.act is Resume and quick)]
        if not any(one.act is SetSeat for one in quick):
            return forms
        elsewhere = _("give the move to somebody else")
        return [replace(one, title=elsewhere) if one.act is SetSeat else one for one in forms]

    def _as_answer(self, offer: Offer, said_already: Collection[str] = ()) -> Form:
        """Its move and its reason are the call's own; what it touches is said, and not asked once more. Options that
        are `said_already` are not offered once more to be touched.
        """
        act, args = offer.act, offer.args
        asked = self._question(act, Wish(act.name, dict[str, Any](args)))
        known = not still_asked(act, args, None, args)
        form = self.form(act, args, settled=("move", "reason"), path="/hall")
        state, row = self._visits.watch.page.state, self._where(args)[0]
        if act is Rule and state is not None:
            bank = None if row is None else row.bank
            usually = {seen: usual(state, seen, bank) for seen in SEEN}
            found = {seen: verdict_words(seen, one) for seen, one in usually.items()}
            counted = [seen for seen, one in usually.items() if one.tiles is None]
            fields = [replace(one, comes_to=found, counted=counted) if one.name == "verdict" else one
                      for one in form.fields]  # fmt: skip
            form = replace(form, fields=fields)
        if act in _AT_ONCE:
            name, question, other = _AT_ONCE[act]
            sends = next((one for one in form.fields if one.name == name and one.options), None)
            if sends is not None and act is SetSeat:  # whose move was disputed first, and not who is to move now
                now = None if row is None else seat_name(row.seat)
                seats = sorted(sends.options, key=lambda one: one.value != args.get("seat"))
                sends = replace(sends, options=[one for one in seats if one.value != now])
            if sends is not None:
                sends = replace(sends, options=[one for one in sends.options if str(one.value) not in said_already])
            form = replace(form, sends=sends, asks=question and _(question), other=_(other))
        return replace(form, comes_to=" ".join((*asked, offer.comes_to)).strip(), sure=bool(asked) and known)

    async def _fetch(self, session: Session, row: Row) -> None:
        """A person looks at what waits there: what its box has to tell about that comes before anything else."""
        if row.box and row.ahead is not None and session.actor.role in ACTS["fetch"].roles:
            try:
                await self._visits.perform_quietly(session, Wish("fetch", {"table": row.table}))
            except DalejError:
                return  # then it comes in its turn

    async def _do(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request)
        act = _act(request, session)
        sent = await self._visits.typed(request, session)
        args = _known(sent.get("args", ""))
        seen = whole_number(sent.get("seen", ""))
        why = (sent.get("why") or sent.get(OWN, "")).strip()
        answers, problems = self._answers(act, args, sent)
        form = None
        if not problems:
            wish = Wish(act.name, {**args, **answers}, why, seen)
            problem = ""
            try:
                lines = self._question(act, wish)
            except DalejError as error:  # it would be refused: nobody is asked about that first
                lines, problem = [], said(error)
            if problem:
                form = self.form(act, args, sent, why=why, problem=problem)
            elif lines and sent.get("sure") != "yes":
                form = self.form(act, args, sent, why=why, seen=seen, question=lines)
            else:
                try:
                    there = own_path(sent["path"]) if sent.get("path") else _after(act, wish)
                    await self._visits.do(session, wish, _after(act, wish) if there == "/hall" else there)
                except DalejError as error:
                    form = self.form(act, args, sent, why=why, problem=said(error))
                else:
                    raise web.HTTPSeeOther(there)
        form = form or self.form(act, args, sent, why=why, seen=seen, problems=problems)
        status = HTTPStatus.OK if form.question else HTTPStatus.UNPROCESSABLE_ENTITY
        return self._page(session, [form], args, status)

    async def _take_back(self, request: web.Request) -> web.StreamResponse:
        session = self._visits.expect(request)
        sent = await self._visits.typed(request, session)
        there = own_path(sent.get("path") or _came_from(request) or "/hall")
        await self._visits.take_back(session, there)
        raise web.HTTPSeeOther(there)

    def _page(
        self, session: Session, forms: Sequence[Form], args: Mapping[str, object],
        status: HTTPStatus = HTTPStatus.OK,
    ) -> web.Response:  # fmt: skip
        table = args.get("table")
        way_out = f"/table/{table}" if isinstance(table, int) else "/"
        return self._visits.page(session, "act.html", "/act", status=status, forms=forms, table=table, way_out=way_out)

    def form(
        self, act: type[Act], args: Mapping[str, object], sent: Mapping[str, str] = _EMPTY, *, why: str = "",
        seen: int | None = None, problem: str = "", problems: Mapping[str, str] = _EMPTY, question: Sequence[str] = (),
        settled: Collection[str] = (), path: str = "",
    ) -> Form:  # fmt: skip
        """The form of the act, with what is known of it and what was sent; `settled`: what it does not ask if known."""
        watch = self._visits.watch
        row, turns = self._where(args)
        there = sheet_there(watch.page.state, args) if any(one.kind == "racks" for one in act.asks()) else SheetThere()
        shown = {**({"ended": there.ended} if there.ended and not sent else {}), **args}
        fields = [
            one
            for ask in still_asked(act, args, row, [name for name in settled if name in args])
            for one in _fields(ask, shown, row, watch.page, turns, sent, problems, there)
        ]
        asked = act.why or act.means("why", {}, watch.page.state)  # else it means something with some answers alone
        reasons = [(one, _(one)) for one in act.reasons] if asked else []
        return Form(
            act, _(act.title), fields, reasons, act.why, json.dumps(dict(args)),
            watch.page.head if seen is None else seen, why, problem, question, passages(watch.feed.hall.ruleset, [act]),
            sent.get("path", path),
        )  # fmt: skip

    def _where(self, args: Mapping[str, object]) -> tuple[Row | None, SeenTurns]:
        table, watch = args.get("table"), self._visits.watch
        if args.get("round"):
            return None, tuple  # others may have sat there then
        row = watch.row(table) if isinstance(table, int) else None
        return row, tuple if row is None else partial(watch.feed.hall.turns, row.table)

    def _answers(
        self, act: type[Act], args: Mapping[str, object], sent: Mapping[str, str]
    ) -> tuple[dict[str, Any], dict[str, str]]:
        """What was answered, and what is wrong with the rest, by field."""
        page = self._visits.watch.page
        row, turns = self._where(args)
        answers: dict[str, Any] = {}
        problems: dict[str, str] = {}
        for ask in still_asked(act, args, row):
            if ask.kind == "racks":
                racks = {letter: sent.get(f"{RACKS}{letter}", "").strip() for letter in SEATS}
                if given := {letter: text for letter, text in racks.items() if text}:
                    answers[ask.name] = given
                continue
            if ask.name not in sent and ask.name in args:
                continue
            text, there = sent.get(ask.name, ""), options(ask, row, page, turns)
            picked = next((one for one in there if str(one.value) == text), None)
            if picked is not None:
                answers[ask.name] = picked.value
                continue
            if not act.means(ask.name, answers, page.state):
                continue
            if there and ask.needed and not text:
                problems[ask.name] = _("pick one of these")
                continue
            try:
                value = typed(ask, text, page.state)
            except DalejError as error:
                problems[ask.name] = said(error)
            else:
                if value is not None:
                    answers[ask.name] = value
        return answers, problems

    def _question(self, act: type[Act], wish: Wish) -> list[str]:
        watch = self._visits.watch
        table = wish.args.get("table")
        row = watch.row(table) if isinstance(table, int) else None
        sight = sight_of(watch.page, watch.rows().values(), row)
        asked = act.question(wish.args, sight)
        if asked and issubclass(act, WithRacks) and watch.page.seen is not None:
            boxed = row is not None and bool(row.box)
            return [asked, *changed_by(watch.page.seen, read(act, wish), wish.why, boxed=boxed)]
        return [*act.known_before(sight), *([asked] if asked else [])]


def _fields(
    ask: Ask, args: Mapping[str, object], row: Row | None, page: Page, turns: SeenTurns,
    sent: Mapping[str, str], problems: Mapping[str, str], there: SheetThere,
) -> list[Field]:  # fmt: skip
    label, given = _(ask.label), args.get(ask.name)
    if ask.kind == "racks":
        sitting = {letter: f"{letter} {name}" for letter, name in there.names.items()}
        sitting = sitting or {letter: seat.words for letter, seat in zip(SEATS, seats(row), strict=False)}
        racks = {} if sent else there.racks
        return [
            Field(f"{RACKS}{letter}", _("rack of {player}").format(player=player), "racks", (),
                  sent.get(f"{RACKS}{letter}", racks.get(letter, "")), needed=False)
            for letter, player in sitting.items()
        ]  # fmt: skip
    shown = sent.get(ask.name)
    if shown is None:
        shown = "" if given is None else seconds(given) if ask.kind == "seconds" and type(given) is int else str(given)
    if ask.name == "minutes" and not shown and page.state is not None:
        shown = usual_minutes(page.state)
        label = label if shown else _("{label} (such as 90)").format(label=label)
    choices = options(ask, row, page, turns) or setting_values(ask, args)
    if not choices and ask.kind == "player" and page.state is not None:
        choices = [Option(one.number, readable(one.name)) for one in page.state.players.values()]
    kind = "seconds" if ask.kind == "seconds" else "number" if ask.kind in _NUMBERS else "text"
    return [Field(ask.name, label, kind, choices, shown, ask.needed, ask.least, ask.most, problems.get(ask.name, ""))]


Link = tuple[str, str, Mapping[str, object], bool]  # act, its title, what is known of it, whether it is asked about


def link_to(act: type[Act], known: Mapping[str, object] = MappingProxyType({})) -> Link:
    """To its form, for which that is known."""
    return act.name, _(act.title), dict(known), act.destroys()


def _act(request: web.Request, session: Session) -> type[Act]:
    act = ACTS.get(request.match_info["act"])
    if act is None:
        raise web.HTTPNotFound
    if session.actor.role not in act.roles:
        raise web.HTTPForbidden
    return act


def _came_from(request: web.Request) -> str:
    """The page on which the button stood, of this server as any that may send a form; "" if a browser keeps it, or it
    is no address.
    """
    try:
        path = urlsplit(request.headers.get(hdrs.REFERER, "")).path
    except ValueError:
        return ""
    return path if path.isprintable() else ""


def whole_number(text: str) -> int:
    """Of an entry of the ledger, as a form brings it along; 0 for anything else."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS_MOST else 0


def _known(text: str) -> dict[str, Any]:
    """What is known of the arguments; the act itself says what is wrong with one."""
    try:
        found = json.loads(text or "{}")
        json.dumps(found, ensure_ascii=False).encode()  # half a character cannot be kept
    except (ValueError, RecursionError):
        raise web.HTTPBadRequest from None
    if not isinstance(found, dict):
        raise web.HTTPBadRequest
    return found


def _after(act: type[Act], wish: Wish) -> str:
    """Where one is once it is done: where what it was about is seen."""
    table = wish.args.get("table")
    if act.about == "sessions":
        return "/"  # which says why, if one's own is over by it
    if act is CorrectClosed:
        return own_path(f"/rounds/{wish.args.get('round')}")
    return f"/table/{table}" if isinstance(table, int) and act.about in ("table", "game", "player") else "/hall"
