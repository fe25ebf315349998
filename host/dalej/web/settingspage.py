"""Settings by what they are called, in their groups: what each means, what the regulation says, and a form to change it
where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from aiohttp import web

from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.wishes import Wish
from dalej.office.settingnames import label
from dalej.office.settings import DEFAULT, MARKS, OF_THE_EVENT, touched
from dalej.rulesets import rulebook
from dalej.views.settingwords import (
    GROUPS,
    LANGUAGE,
    about,
    choices,
    meant,
    problem_words,
    rule_of,
    shown,
    stands,
    value_now,
    value_words,
    would_lines,
)
from dalej.web.actpage import whole_number
from dalej.web.sessions import Session
from dalej.web.visits import Visits
from dalej.words import _

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_KEYS: Final = frozenset(key for group in GROUPS for key in group.keys) - {LANGUAGE}


@dataclass(frozen=True, slots=True)
class Setting:
    """One as the page shows it. `about`: what there is to say; `ready`: values to pick, as typed and as read, `only`:
    there are no others. `text`: what stands in its field; `asks`: what it would do, to be agreed to; `problem`: why
    not.
    """

    key: str
    label: str
    shown: str
    mark: str
    mark_words: str
    against: bool
    about: Sequence[str]
    ready: Sequence[tuple[str, str]]
    only: bool
    text: str
    back: bool
    why: str = ""
    asks: Sequence[str] = ()
    problem: str = ""


class SettingPages:
    """`/settings`."""

    def __init__(self, visits: Visits) -> None:
        self._visits = visits

    def routes(self) -> list[web.RouteDef]:
        """What it answers."""
        return [web.get("/settings", self._settings), web.post("/settings", self._set)]

    async def _settings(self, request: web.Request) -> web.StreamResponse:
        return self._page(self._visits.expect(request, "referee", "organiser"))

    async def _set(self, request: web.Request) -> web.StreamResponse:
        """One setting: asked about first where results or the regulation are touched, as on the screen."""
        session = self._visits.expect(request, *ACTS["set_option"].roles)
        sent = await self._visits.typed(request, session)
        key, seen = sent.get("key", ""), self._visits.watch.page.seen
        if key not in _KEYS or seen is None:
            raise web.HTTPNotFound
        ready = choices(key, seen.state.ruleset, tuple(rulebook.available()))
        typed = sent.get("value", "")
        text = DEFAULT if "default" in sent else meant(key, typed, ready) or DEFAULT
        try:
            would = touched(seen, key, text)
            if would.grave and sent.get("sure") != "yes":
                return self._page(session, {**sent, "value": text}, asks=would_lines(would, key))
            wish = Wish(
                "set_option", {"key": key, "value": text, **({"knowingly": True} if would.against else {})},
                sent.get("why", "").strip(), whole_number(sent.get("seen", "")),
            )  # fmt: skip
            await self._visits.do(session, wish, "/settings")
        except DalejError as problem:
            return self._page(session, sent, problem=problem_words(problem), status=HTTPStatus.UNPROCESSABLE_ENTITY)
        raise web.HTTPSeeOther(f"/settings#{key}")

    def _page(
        self, session: Session, sent: Mapping[str, str] = _NOTHING, *, asks: Sequence[str] = (), problem: str = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> web.Response:  # fmt: skip
        """`sent`: of the one setting that was to be changed."""
        page = self._visits.watch.page
        state = page.state
        groups = [] if state is None else [
            (_(group.title), [_setting(state, key, sent if sent.get("key") == key else _NOTHING, asks, problem)
                              for key in group.keys if key in _KEYS])
            for group in GROUPS
        ]  # fmt: skip
        marks = [(shape, _(words)) for shape, words in MARKS.values()]
        return self._visits.page(
            session, "settings.html", "/settings", status=status, groups=[one for one in groups if one[1]],
            marks=marks, may=session.actor.role in ACTS["set_option"].roles, seen=page.head, default=DEFAULT,
        )  # fmt: skip


def _setting(
    state: Tournament, key: str, sent: Mapping[str, str], asks: Sequence[str], problem: str
) -> Setting:  # fmt: skip
    rule, now = rule_of(state, key), value_now(state, key)
    ready = choices(key, state.ruleset, tuple(rulebook.available()))
    where = stands(state, key)
    mark, mark_words = ("", "") if where is None else MARKS[where]
    return Setting(
        key, label(key), shown(key, now), mark, _(mark_words) if mark_words else "", where == "against",
        about(state, key)[1:], [(one, value_words(key, one)) for one in ready],
        bool(ready) and not any(one[:1].isdigit() for one in ready), sent.get("value", now),
        rule is not None and rule.organiser and key not in OF_THE_EVENT, sent.get("why", ""),
        asks if sent else (), problem if sent else "",
    )  # fmt: skip
