"""A stranger at the pages of `dalej serve`, on the loopback, without a password and without anybody's cookie: every
page and every act that there is, asked for by nobody, with an invented cookie, and by somebody of the public, with
tokens of forms that were invented, heard of, or the public's own; by a referee's browser whom another page has lured;
invitations that were used or invented; passwords that are wrong, as many as the server lets one try. The event file
holds what it held, and nobody is in whom the server has not let in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from aiohttp import ClientResponse

from dalej.clock import ManualClock
from dalej.office.acts.catalogue import ACTS
from dalej.web.sendings import GO, HEADER
from tests.web.halls import CLAIMED, LATE, hall
from tests.web.rig import Browser, Rig, form_of, invited, served

LOG_INS: Final = 20
JOINS: Final = 40
FORGIVEN_MS: Final = 300_000  # the longest that an address waits after a wrong one
ENTRIES_MOST: Final = 10_000  # of an event file
FOR_ALL: Final = frozenset({"/", "/login", "/logout", "/session", "/assets/{file}", "/join/{token}"})
FOR_THE_PUBLIC: Final = FOR_ALL | {
    "/find", "/me/{number}", "/standings", "/wall", "/live/public", "/sent/{name}", "/manner", "/back",
}  # fmt: skip
"""Pages that are the public's own, by their routes: what is done there is nobody else's business."""


class Way(NamedTuple):
    """How somebody asks. `token`: of the form, "" for none. `lured`: a referee's browser, by another's page."""

    called: str
    browser: Browser
    cookie: str = ""
    token: str = ""
    public: bool = False
    lured: bool = False


class Intrusion:
    """One server, and a referee and an organiser who were there before. `attempts`: how many."""

    def __init__(self, rig: Rig, clock: ManualClock, lot: Random) -> None:
        self.attempts = 0
        self._rig = rig
        self._clock = clock
        self._lot = lot

    async def play(self) -> None:
        """From honest people's log-in to honest people's log-in."""
        rig = self._rig
        async with (
            rig.browser() as referee, rig.browser() as organiser, rig.browser() as invitee, rig.browser() as nobody,
            rig.browser() as public,
        ):  # fmt: skip
            await referee.log_in("referee", "Sowa")
            await organiser.log_in("organiser", "Borsuk")
            used = await invited(organiser)
            await invitee.post(used, {"name": "Wydra"})
            heard = await referee.form("/acts")
            keys = re.findall(r'name="key" value="([^"]+)"', await organiser.page("/people"))
            await public.log_in("public", "Lis", "")
            own = form_of(await public.page("/find"))
            entries, people = self._entries(), self._people()

            ways = [
                Way("nobody", nobody), Way("nobody with a form heard of", nobody, token=heard),
                Way("an invented cookie", nobody, self._invented(), heard),
                *(Way(f"the public with {called}", public, token=token, public=True)
                  for called, token in (("no form", ""), ("an invented form", self._invented()),
                                        ("a form heard of", heard), ("a form of its own", own))),
                Way("a referee who was lured", referee, lured=True),
                Way("a referee who was lured, with an invented form", referee, token=self._invented(), lured=True),
            ]  # fmt: skip
            requests = [(way, *one) for way in ways for one in self._requests(way, keys)]
            for way, method, route, path, fields in self._lot.sample(requests, len(requests)):
                await self._ask(way, method, route, path, fields)
            await self._join(nobody, used)
            await self._guess(nobody)

            assert self._entries() == entries, f"the event file holds {self._entries()[len(entries) :]}"
            assert self._people() == people, f"{self._people()} are in, not {people}"
            for honest in (referee, organiser, invitee):
                assert (await honest.get("/session")).status == HTTPStatus.OK, "somebody honest is out"
            async with rig.browser() as late:
                assert (await late.log_in("referee", "Bóbr")).status == HTTPStatus.SEE_OTHER
            done = await referee.act("warn", {"player": 3}, why="talks")
            assert done.status == HTTPStatus.SEE_OTHER, "a referee's act is not done"
            assert len(self._entries()) > len(entries)

    def _entries(self) -> list[str]:
        return [repr(one) for one in self._rig.ledger.since(0, ENTRIES_MOST)]

    def _people(self) -> list[tuple[str, str]]:
        return [(one.actor.name, one.actor.role) for one in self._rig.server.sessions.all()]

    def _invented(self) -> str:
        return self._lot.randbytes(32).hex()

    def _requests(self, way: Way, keys: list[str]) -> Iterator[tuple[str, str, str, dict[str, str]]]:
        """Method, route, path and fields of every page that there is, and every act."""
        lot = self._lot
        (app,) = [runner.app for runner in self._rig.server._runners]  # noqa: SLF001  # all that there is, and no list of it
        named = {
            "act": "stop", "table": str(LATE), "number": "1", "form": ".pdf", "stage": "main",
            "round": "1", "file": "page.css", "token": lot.randbytes(16).hex(), "name": lot.randbytes(16).hex(),
            "system": "android",
        }  # fmt: skip
        fields = {"sure": "yes", "seen": "1", "why": "so", "role": "organiser", "name": "Lis", "key": lot.choice(keys)}
        if way.token:
            fields["token"] = way.token
        for route in app.router.routes():
            assert route.resource is not None
            canonical = route.resource.canonical
            named["kind"] = lot.choice(("time_out", "early_click") if "answer" in canonical else ("players", "results"))
            path = re.sub(r"\{(\w+)\}", lambda one: named[one[1]], canonical)
            entering = route.method == "POST" and canonical == "/login"
            if entering or (way.lured and (route.method != "POST" or canonical in FOR_ALL)):
                continue
            looks = route.method == "HEAD" and canonical in FOR_THE_PUBLIC  # the same as GET, which anybody may
            if not looks and canonical not in ("/logout", "/join/{token}"):
                yield route.method, canonical, path, fields
        for act in ACTS:
            args = {"table": lot.choice((LATE, CLAIMED)), "player": lot.randint(1, 16), "seat": "A", "number": 1}
            yield "POST", "/act/{act}", f"/act/{act}", {**fields, "args": json.dumps(args)}
            if not way.lured:
                yield "GET", "/act/{act}", f"/act/{act}", fields

    async def _ask(self, way: Way, method: str, route: str, path: str, fields: Mapping[str, str]) -> None:
        self.attempts += 1
        lot, rig = self._lot, self._rig
        headers = {"Origin": lot.choice((rig.url, rig.url, rig.url, "http://evil.example", "null"))}
        if way.cookie:
            headers["Cookie"] = f"dalej-{rig.server.port}={way.cookie}"
        if lot.random() < 0.5:
            headers["Accept"] = "text/html"
        if lot.random() < 0.3:
            headers[HEADER] = lot.randbytes(16).hex()
        async with way.browser.client.request(
            method, rig.url + path, data=fields if method == "POST" else None, headers=headers, allow_redirects=False
        ) as answer:
            if route in (FOR_THE_PUBLIC if way.public else FOR_ALL):
                return
            what = f"{method} {path} by {way.called} is answered with {answer.status}"
            assert _is_refusal(answer, way), what
            text = await answer.text()
            assert way.public or 'name="token"' not in text, f"{what} and a form"

    async def _join(self, nobody: Browser, used: str) -> None:
        for _ in range(JOINS):
            path = self._lot.choice((used, f"/join/{self._lot.randbytes(16).hex()}"))
            for answer in (await nobody.get(path), await nobody.post(path, {"name": "Sowa"})):
                self.attempts += 1
                assert answer.status == HTTPStatus.GONE, f"{path}: an invitation that is none counts: {answer.status}"

    async def _guess(self, nobody: Browser) -> None:
        """Wrong passwords; whoever is told to wait waits."""
        for number in range(LOG_INS):
            role = self._lot.choice(("referee", "organiser"))
            answer = await nobody.log_in(role, "Sowa", self._lot.choice(("", role, f"lisy {number}", self._invented())))
            self.attempts += 1
            assert "Set-Cookie" not in answer.headers, f"a wrong password of the {role} is right"
            if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                self._clock.time_ms += int(answer.headers["Retry-After"]) * 1_000
            else:
                assert answer.status == HTTPStatus.FORBIDDEN, f"a wrong password is answered with {answer.status}"
        asked = await nobody.log_in("referee", "Sowa", "wrong")
        self._clock.time_ms += int(asked.headers.get("Retry-After", "0")) * 1_000 + FORGIVEN_MS


def _is_refusal(answer: ClientResponse, way: Way) -> bool:
    if answer.status == HTTPStatus.FORBIDDEN:
        return True
    out = answer.status in (HTTPStatus.SEE_OTHER, HTTPStatus.NO_CONTENT)  # the latter where a page has sent a form
    led = answer.headers.get("Location", answer.headers.get(GO, ""))
    return not (way.public or way.lured) and (
        answer.status == HTTPStatus.UNAUTHORIZED or (out and led.startswith("/login"))
    )


async def at_pages(folder: Path, lot: Random) -> int:
    """How many attempts there were."""
    inside = folder / "pages"
    inside.mkdir()
    clock = ManualClock()
    async with served(inside, clock, event=hall(inside), public_open=True) as rig:
        intrusion = Intrusion(rig, clock, lot)
        await intrusion.play()
        assert not rig.complaints, rig.complaints[0]
        let_in = [line for line in rig.lines if line.get("log") == "in" and line["name"] not in
                  ("Sowa", "Borsuk", "Wydra", "Lis", "Bóbr")]  # fmt: skip
        assert not let_in, f"the trail tells of {let_in[0]}"
    return intrusion.attempts
