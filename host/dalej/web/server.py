"""A server put together: it listens, sweeps, bounds how many connections there can be so that one device cannot keep
the others out, and ends everything that it began; and by which numbers and names other devices in the hall reach this
computer, without asking any network.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from asyncio import Transport
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import Final

import ifaddr
from aiohttp import web

from dalej.boxes.folder import expect_private
from dalej.clock import Clock
from dalej.errors import DalejError, Unreachable, WrongInput
from dalej.office.acts.performer import Handler, Performer
from dalej.office.acts.roles import Role
from dalej.web.application import Application, Doors, Manner, is_loopback
from dalej.web.attempts import Arrivals, Attempts, home_of
from dalej.web.hands import Doing, ending
from dalej.web.invitations import Invitations
from dalej.web.pages import Malformed, Pages, requests_log
from dalej.web.passwords import Passwords
from dalej.web.sessions import Session, Sessions, Trail, Why
from dalej.web.templates import Templates
from dalej.web.visits import Visits
from dalej.web.watch import Watch
from dalej.words import N_, cause

QUIET_S: Final = 20.0
MOST: Final = 1_024  # of these a page's live parts are one; it has six more for a moment
HANDSHAKE_S: Final = 5.0  # within which a sealed connection must be sealed: until then aiohttp knows nothing of it
OF_ONE: Final = 96  # of one device, or of those behind a router that hides who is who


def thin(
    connections: Sequence[Transport], most: int = MOST, of_one: int = OF_ONE, trusted: Collection[str] = ()
) -> int:
    """Hang up on the newest that are too many, of one device or altogether; how many. `connections`: oldest first.

    `trusted`: addresses whose connections are the last to go.
    """
    first = {home_of(address) for address in trusted}
    homes: Counter[str] = Counter()
    kept = hung_up = 0
    for home, connection in sorted(((_home(one), one) for one in connections), key=lambda one: one[0] not in first):
        if kept < most and homes[home] < of_one:
            homes[home] += 1
            kept += 1
        else:
            connection.abort()
            hung_up += 1
    return hung_up


def _home(connection: Transport) -> str:
    peer = connection.get_extra_info("peername")
    return home_of(str(peer[0]) if peer else "")


def own_names() -> list[str]:
    """What this computer is called, also as its neighbours find it (mDNS)."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return sorted({name, short, f"{short}.local"} - {"", ".local"})


def own_numbers() -> list[str]:
    """Its IPv4 addresses but those that mean itself, the likeliest first: a link without a router numbers itself."""
    found = dict.fromkeys([*_of_the_way_out(), *_of_interfaces()])
    return [str(one) for one in sorted(found, key=lambda one: one.is_link_local) if not one.is_loopback]


def _of_interfaces() -> Iterator[IPv4Address]:
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            yield from (IPv4Address(ip.ip) for ip in adapter.ips if isinstance(ip.ip, str))


def _of_the_way_out() -> Iterator[IPv4Address]:
    """A datagram socket that is connected sends nothing, and knows from where it would."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))
        yield IPv4Address(asking.getsockname()[0])


log = logging.getLogger("dalej.web")

SWEEP_S: Final = 1.0
CLOSE_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What is served, to whom, where. `host`, `port`: to listen at, port 0: a free one. `names`: of this computer.
    `cert`, `key`: PEM files, both or none.
    """

    event: Path
    host: str = "127.0.0.1"
    port: int = 0
    names: Collection[str] = ()
    public_open: bool = False
    language: str = "en"
    cert: str | None = None
    key: str | None = None


class WebServer:
    """`watch`: the hall, which it opens and closes; `performer(more)`: made with the acts that are the server's own;
    `random(n)`: that many unpredictable bytes.
    """

    def __init__(
        self,
        plan: Plan,
        watch: Watch,
        passwords: Passwords,
        performer: Callable[[Mapping[str, Handler]], Performer],
        trail: Trail,
        clock: Clock,
        random: Callable[[int], bytes],
        *,
        sweep_s: float = SWEEP_S,
    ) -> None:
        self._plan = plan
        self._watch = watch
        self._passwords = passwords
        self._performer = performer
        self._trail = trail
        self._clock = clock
        self._random = random
        self._sweep_s = sweep_s
        self._templates = Templates()
        self._pages = Pages(plan.event.stem, self._templates)
        self._malformed = Malformed(clock)
        self.port = 0
        self.sessions = Sessions(clock, random, self._note_end)
        self._listening: list[asyncio.Server] = []
        self._runner: web.AppRunner | None = None
        self._doing: Doing | None = None
        self._sweeping: asyncio.Task[None] | None = None

    @property
    def secure(self) -> bool:
        """Whether it speaks TLS."""
        return self._plan.cert is not None

    def url(self, host: str) -> str:
        """Its address, by that name or number of this computer."""
        shown = f"[{host}]" if ":" in host else host
        return f"{'https' if self.secure else 'http'}://{shown}:{self.port}/"

    async def open(self) -> None:
        """Listen; Unreachable if the port is taken, WrongInput if the certificate is none."""
        plan, context = self._plan, _tls(self._plan.cert, self._plan.key)
        self._doing = Doing(self._performer({"end_sessions": ending(self.sessions, asyncio.get_running_loop())}))
        try:
            await self._watch.open()
            self._learn_title()
            sockets = await _listen(plan.host, plan.port)
            self.port = sockets[0].getsockname()[1]
            app = Application(
                Manner(plan.public_open, self.secure, plan.language, self._cookie(), self._number()),
                Doors(plan.names, secure=self.secure), self._pages, self._passwords,
                Attempts(self._clock), Arrivals(self._clock), self.sessions, self._visits, self._trail,
                Invitations(self._clock, self._random),
            ).make()  # fmt: skip
            self._runner = web.AppRunner(
                app,
                access_log=None,
                logger=requests_log(self._malformed),
                handle_signals=False,
                shutdown_timeout=CLOSE_S,
                keepalive_timeout=QUIET_S,
            )
            await self._runner.setup()
            for listening in sockets:
                assert self._runner.server is not None
                self._listening.append(
                    await asyncio.get_running_loop().create_server(
                        self._runner.server, sock=listening, ssl=context,
                        ssl_handshake_timeout=None if context is None else HANDSHAKE_S,
                    )
                )  # fmt: skip
        except BaseException:
            await self.close()
            raise
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Tell everybody that it is over, and hang up."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.wait((self._sweeping,))
        for listening in self._listening:
            listening.close()
        self.sessions.stop()
        if self._runner is not None:
            await self._runner.cleanup()
        await self._watch.close()
        if self._doing is not None:
            self._doing.close()
        self._malformed.tell(now=True)

    def _number(self) -> str:
        """By which other devices reach it."""
        if self._plan.host not in ("0.0.0.0", "::"):
            return "" if is_loopback(self._plan.host) else self._plan.host
        return next(iter(own_numbers()), "")

    def _cookie(self) -> str:
        """Cookies know no ports: two servers on one computer must not log each other's people out."""
        return f"{'__Host-' if self.secure else ''}dalej-{self.port}"

    async def _sweep(self) -> None:
        """End what is over: too old, or its password changed; and what is too many."""
        while True:
            await asyncio.sleep(self._sweep_s)
            try:
                self._learn_title()
                self._malformed.tell()
                self.sessions.sweep(self._stamps())
                if self._runner is not None and self._runner.server is not None:
                    held = [one.transport for one in self._runner.server.connections if one.transport is not None]
                    thin(held, trusted=self.sessions.trusted)
            except Exception:  # whatever it is: without sweeping no session would ever end by itself
                log.exception("a sweep failed")

    def _visits(self, session_of: Callable[[web.Request], Session | None]) -> Visits:
        assert self._doing is not None
        return Visits(self._watch, self._pages, self._templates, self._clock, self._doing.perform, session_of)

    def _learn_title(self) -> None:
        """Whoever names the event meanwhile sees it on the next page."""
        self._pages.call(self._watch.feed.event_name)

    def _stamps(self) -> Mapping[Role, str] | None:
        """What changes with each password; of a file that cannot be read now nothing is concluded."""
        with suppress(DalejError):
            return self._passwords.roles()
        return None

    def _note_end(self, session: Session, why: Why) -> None:
        self._trail.note({
            "log": "out", "why": why, "name": session.actor.name, "role": session.actor.role,
            "address": session.address,
        })  # fmt: skip


def _tls(cert: str | None, key: str | None) -> ssl.SSLContext | None:
    if cert is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    secret = cert if key is None else key
    try:
        with Path(secret).open("rb") as file:
            expect_private(
                file,
                N_("{file} holds the certificate's key and can be read by others on this computer: expected its "
                   "owner alone, chmod 600 {file}"),
                file=secret,
            )  # fmt: skip
        context.load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        raise WrongInput(
            N_("{cert} and {key} are no certificate with its key in PEM: {problem}"),
            cert=cert, key=key, problem=getattr(error, "reason", None) or error.strerror or str(error),
        ) from error  # fmt: skip
    return context


async def _listen(host: str, port: int) -> list[socket.socket]:
    """The socket, bound; one for all of IPv6 and IPv4 where `::` means both."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WrongInput(N_("{host} is no address or name of this computer"), host=host) from None
    family, *_, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    try:
        both = host == "::" and socket.has_dualstack_ipv6()
        return [socket.create_server(address[:2], family=family, dualstack_ipv6=both)]
    except OSError as error:
        raise Unreachable(
            N_("{host}, port {port}, cannot be listened at: {problem}"),
            host=host, port=port, problem=cause(error),
        ) from error  # fmt: skip
