"""A wish as somebody in a browser makes it: the act's form is got from a real server, filled in as far as it asks, and
sent back with the token that it brought.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from aiohttp import ClientSession, CookieJar

from dalej.cli.serve import watching
from dalej.clock import ManualClock
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Event
from dalej.event.ledger import Ledger
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.performer import AuditFile, FileAudit, Handler, Performer
from dalej.office.acts.roles import Actor, Role
from dalej.office.acts.wishes import Done, Wish
from dalej.office.phonecodes import PhoneCodes
from dalej.views.asking import RACKS
from dalej.web.passwords import Passwords
from dalej.web.server import Plan, WebServer
from dalej.web.sessions import Trail, trail_of
from dalej.words import said

FillIn = Callable[[Wish], Awaitable[Done]]
PROBLEM: Final = re.compile(r'<p class="problem"[^>]*>(.*?)</p>', re.DOTALL)
FIELD: Final = re.compile(r'<(?:input|select) [^>]*?name="([^"]+)"(?![^>]*type="hidden")')


class NoSuchForm(Refused):
    """The role has no such page."""


class Listening(Performer):
    """Knows what was done last, or why it was not."""

    outcome: Done | DalejError | None = None

    def do(self, actor: Actor, wish: Wish) -> Done:
        try:
            self.outcome = super().do(actor, wish)
        except DalejError as error:
            self.outcome = error
            raise
        return self.outcome


@asynccontextmanager
async def filling_in(ledger: Ledger, event: Path, now_ms: int, role: Role) -> AsyncIterator[FillIn]:
    """Lis is logged in with that role on a server of that event."""
    clock, heard = ManualClock(now_ms), list[Listening]()
    written = AuditFile(trail_of(event), lambda problem: None)

    def performer(more: Mapping[str, Handler]) -> Performer:
        by = Event(ledger, who="", wall_ms=count(now_ms, 1_000).__next__).by
        heard.append(Listening(by, FileAudit(written), more))
        return heard[-1]

    with Ledger.open(event, read_only=True) as of_tables, Ledger.open(event, read_only=True) as of_book:
        passwords = Passwords(event.with_name(f"{event.name}.club"), os.urandom)
        trail = Trail(written, clock.wall_ms)
        watch = watching(of_tables, of_book, clock)
        phones = PhoneCodes.of_club(
            event.parent, os.urandom, Event(ledger, who="", wall_ms=clock.wall_ms).by, clock.wall_ms
        )
        server = WebServer(Plan(event), watch, passwords, performer, trail, clock, os.urandom, phones=phones)
        await server.open()
        try:
            token, _session = server.sessions.begin(Actor("Lis", role, served=True), "127.0.0.1", "en", "")
            async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as client:
                page = Page(client, server.url("127.0.0.1").rstrip("/"), {f"dalej-{server.port}": token}, heard[0])
                yield page.fill_in
        finally:
            await server.close()


class Page:
    """The form of an act, as a person has it before him."""

    def __init__(self, client: ClientSession, url: str, cookies: Mapping[str, str], heard: Listening) -> None:
        self._client = client
        self._url = url
        self._cookies = dict(cookies)
        self._heard = heard

    async def fill_in(self, wish: Wish) -> Done:
        """Done; the DalejError that the page shows."""
        asks = {ask.name: ask for ask in ACTS[wish.act].asks()}
        known = {name: value for name, value in wish.args.items() if name not in asks or name == "table"}
        fields = set(FIELD.findall(await self._got(wish.act, known)))
        asked = {name.partition(":")[0] for name in fields}
        known |= {name: value for name, value in wish.args.items() if name not in asked}
        page = await self._got(wish.act, known)
        (form,) = set(re.findall(r'name="token" value="([0-9a-f]+)"', page))
        sent = {"token": form, "args": json.dumps(known), "seen": str(wish.seen), "sure": "yes", "why": wish.why}
        for name in wish.args.keys() & asked:
            sent |= _typed(name, asks[name].kind, wish.args[name])
        self._heard.outcome = None
        async with self._client.post(
            f"{self._url}/act/{wish.act}", data=sent, headers={"Origin": self._url}, cookies=self._cookies,
            allow_redirects=False,
        ) as answer:  # fmt: skip
            status, text = answer.status, await answer.text()
        outcome = self._heard.outcome
        problems = [unescape(one) for one in PROBLEM.findall(text)]
        if isinstance(outcome, Done):
            assert status == 303, (status, problems)
            return outcome
        assert status == 422, status
        if outcome is None:
            raise WrongInput(problems[0])
        assert said(outcome) in problems, (said(outcome), problems)
        raise outcome

    async def _got(self, act: str, known: Mapping[str, Any]) -> str:
        address = f"{self._url}/act/{act}?args={quote(json.dumps(known))}"
        async with self._client.get(address, cookies=self._cookies) as answer:
            if answer.status == 403:
                raise NoSuchForm("this role has no such page")
            assert answer.status == 200, answer.status
            return await answer.text()


def _typed(name: str, kind: str, value: Any) -> dict[str, str]:
    """What a person types or picks for it."""
    if kind == "racks":
        return {f"{RACKS}{letter}": rack for letter, rack in value.items()}
    if kind == "seconds":
        return {name: str(value // 1_000)}
    return {name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)}
