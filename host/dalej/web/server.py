"""A server put together: it listens, sweeps, bounds how many connections there can be so that one device cannot keep
the others out, and ends everything that it began; and by which numbers and names other devices in the hall reach this
computer, without asking any network.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from asyncio import BaseTransport, Transport
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from pathlib import Path
from typing import Final

import ifaddr
from aiohttp import web

from dalej.boxes.folder import expect_private
from dalej.clock import Clock
from dalej.errors import DalejError, Refused, Unreachable, WrongInput
from dalej.hints import once_more
from dalej.office.acts.performer import Handler, Performer
from dalej.office.acts.roles import Role
from dalej.office.phonecodes import PhoneCodes
from dalej.web.application import Application, Doors, Manner, redirecting
from dalej.web.attempts import Arrivals, Attempts, home_of
from dalej.web.certificates import Identity, identity
from dalej.web.hands import Doing, ending
from dalej.web.invitations import Invitations
from dalej.web.pages import Malformed, Pages, requests_log
from dalej.web.passwords import Passwords
from dalej.web.sessions import Session, Sessions, Trail, Why, is_loopback
from dalej.web.sorting import Sorting
from dalej.web.templates import Templates
from dalej.web.trust import TrustPages
from dalej.web.visits import Visits
from dalej.web.watch import Watch
from dalej.words import N_, cause

QUIET_S: Final = 20.0
MOST: Final = 4_096  # of these a page's live parts are one; it has six more for a moment
OF_ONE: Final = 24  # of one browser, which is known by its session: it makes six at a time
OF_STRANGERS: Final = 512  # of one address, over which nobody has said who it is: a hall behind a router comes in


def thin(
    connections: Sequence[Transport], known: Mapping[BaseTransport, Session] | None = None,
    trusted: Collection[str] = (), *, most: int = MOST, of_one: int = OF_ONE, of_strangers: int = OF_STRANGERS,
) -> int:  # fmt: skip
    """Hang up on the newest that are too many, of one browser, of one address's strangers, or altogether; how many.

    `connections`: oldest first. `known`: who has asked for something over them; `trusted`: addresses at which somebody
    is logged in with more than the public's role. A router hides a whole hall behind one address, so not addresses but
    roles say who is the last to go: referees and organisers, whoever comes from where they are, the public, strangers;
    among equals each address keeps its first before any keeps its second.
    """
    known, first = known or {}, {home_of(address) for address in trusted}
    of_holder: Counter[str] = Counter()
    of_home: Counter[tuple[int, str]] = Counter()
    kept, gone = [], []
    for connection in connections:
        home, session = _home(connection), known.get(connection)
        if session is not None and session.ended:
            session = None
        rank = (1 if home in first else 3) if session is None else 2 if session.actor.role == "public" else 0
        holder, limit = (home, of_strangers) if session is None else (session.key, of_one)
        of_holder[holder] += 1
        if of_holder[holder] > limit:
            gone.append(connection)
            continue
        of_home[rank, home] += 1
        kept.append((rank, of_home[rank, home], connection))
    kept.sort(key=lambda one: one[:2])
    gone += [connection for _rank, _place, connection in kept[most:]]
    for connection in gone:
        connection.abort()
    return len(gone)


def _home(connection: Transport) -> str:
    peer = connection.get_extra_info("peername")
    return home_of(str(peer[0]) if peer else "")


_OWN_IPV6: Final = IPv6Network("fc00::/7")


def own_names() -> list[str]:
    """What this computer is called, also as its neighbours find it (mDNS)."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return sorted({name, short, f"{short}.local"} - {"", ".local"})


def own_numbers() -> list[str]:
    """Its IPv4 addresses but those that mean itself, the likeliest first: a link without a router numbers itself."""
    found = dict.fromkeys([*_of_the_way_out(), *_of_interfaces()])
    return [str(one) for one in sorted(found, key=lambda one: one.is_link_local) if not one.is_loopback]


def own_lasting_numbers() -> list[str]:
    """Its IPv6 addresses within a network of its own (RFC 4193). Those of the wide world a computer gives itself anew
    from day to day (RFC 8981): an authority that names them would have to be trusted anew as often.
    """
    found: set[IPv6Address] = set()
    with suppress(OSError):
        for adapter in ifaddr.get_adapters():
            found |= {IPv6Address(ip.ip[0]) for ip in adapter.ips if not isinstance(ip.ip, str)}
    return [str(one) for one in sorted(found) if one in _OWN_IPV6]


EVERYWHERE: Final = ("0.0.0.0", "::")


def reached_by(host: str) -> list[str]:
    """What others type for a server that listens at `host`, the likeliest first."""
    if host in EVERYWHERE:
        return own_numbers() or own_names()[:1] or ["localhost"]
    return [host]


def own_identity(folder: Path, host: str, wall_ms: int, names: Sequence[str] = ()) -> Identity:
    """The club's certificate for this computer under all its names and numbers, at which `host` is one more."""
    numbers = ["127.0.0.1", "::1", *own_numbers(), *own_lasting_numbers()]
    numbers += [] if host in EVERYWHERE else [host]
    return identity(folder, ["localhost", *own_names(), *names, *numbers], wall_ms)


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
    `cert`, `key`: PEM files, both or none; `authority`: of that certificate, in DER, to be handed out. `plain`: others
    may be served in clear, the public's pages alone.
    """

    event: Path
    host: str = "127.0.0.1"
    port: int = 0
    names: Collection[str] = ()
    public_open: bool = False
    language: str = "en"
    cert: str | None = None
    key: str | None = None
    authority: bytes | None = None
    plain: bool = False


class WebServer:
    """`watch`: the hall, which it opens and closes; `performer(more)`: made with the acts that are the server's own;
    `random(n)`: that many unpredictable bytes. `phones`: how they become boxes.
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
        phones: PhoneCodes,
        sweep_s: float = SWEEP_S,
    ) -> None:
        self._phones = phones
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
        self._sorting: Sorting | None = None
        self._runners: list[web.AppRunner] = []
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
        """Listen; Unreachable if the port is taken, WrongInput if the certificate is none, Refused if others could read
        what must be sealed.
        """
        plan = self._plan
        _expect_sealed(plan)
        context = None if plan.cert is None else tls(plan.cert, plan.key)
        self._doing = Doing(self._performer({"end_sessions": ending(self.sessions, asyncio.get_running_loop())}))
        try:
            await self._watch.open()
            self._learn_title()
            listening = await _listen(plan.host, plan.port)
            self.port = listening.getsockname()[1]
            doors = Doors(plan.names, secure=self.secure)
            trust = None if plan.authority is None else TrustPages(self._pages, plan.authority)
            open_to_read = not self.secure and not is_loopback(plan.host)
            app = Application(
                Manner(plan.public_open, self.secure, plan.language, self._cookie(), self._number(), open_to_read),
                doors, self._pages, self._passwords, Attempts(self._clock), Arrivals(self._clock), self.sessions,
                self._visits, self._trail, Invitations(self._clock, self._random), self._phones, trust,
            ).make()  # fmt: skip
            pages = await self._ready(app)
            if context is None:
                self._listening.append(await asyncio.get_running_loop().create_server(pages, sock=listening))
            else:
                leading = await self._ready(redirecting(doors, self._pages, trust, plan.language))
                self._sorting = Sorting(listening, context, pages, leading, self._clock)
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
        if self._sorting is not None:
            await self._sorting.close()
        self.sessions.stop()
        for runner in self._runners:
            await runner.cleanup()
        await self._watch.close()
        if self._doing is not None:
            self._doing.close()
        self._malformed.tell(now=True)

    async def _ready(self, app: web.Application) -> web.Server:
        """What makes the protocols of its connections."""
        runner = web.AppRunner(
            app, access_log=None, logger=requests_log(self._malformed), handle_signals=False,
            shutdown_timeout=CLOSE_S, keepalive_timeout=QUIET_S,
        )  # fmt: skip
        self._runners.append(runner)
        await runner.setup()
        assert runner.server is not None
        return runner.server

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
                if self._runners and self._runners[0].server is not None:  # the others' are few, and short
                    held = [one.transport for one in self._runners[0].server.connections if one.transport is not None]
                    thin(held, self.sessions.asked_over, self.sessions.trusted)
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


def _expect_sealed(plan: Plan) -> None:
    """In clear where others listen: only if the organiser says so, and then nothing that is secret."""
    if is_loopback(plan.host) or plan.cert is not None:
        return
    if not plan.plain:
        raise Refused(
            N_("{host} is reached by others, who could read passwords on their way: it has to be sealed, or to serve "
               "the public's pages alone"),
            host=plan.host,
        ).hinted(
            N_("{sealed}, or {plain}"), sealed=once_more("--tls"), plain=once_more("--plain", "--public-open")
        )  # fmt: skip
    if not plan.public_open:
        raise Refused(N_("no password travels in clear: the public's pages have to be open to everybody")).hinted(
            N_("{command} opens them"), command=once_more("--public-open")
        )


def tls(cert: str, key: str | None = None) -> ssl.SSLContext:
    """What seals connections with that certificate; `key` None: it lies in the same file. Refused if others may read
    it, WrongInput if it is none.
    """
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
        said = N_("{cert} and {key} are no certificate with its key in PEM: {problem}")
        if key is None:
            said = N_("{cert} is no certificate with its key in PEM: {problem}")
        raise WrongInput(
            said, cert=cert, key=secret, problem=getattr(error, "reason", None) or error.strerror or str(error),
        ) from error  # fmt: skip
    return context


async def _listen(host: str, port: int) -> socket.socket:
    """The socket, bound; one for all of IPv6 and IPv4 where `::` means both."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WrongInput(N_("{host} is no address or name of this computer"), host=host) from None
    family, *_, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    try:
        both = host == "::" and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, dualstack_ipv6=both)
    except OSError as error:
        raise Unreachable(
            N_("{host}, port {port}, cannot be listened at: {problem}"),
            host=host, port=port, problem=cause(error),
        ) from error  # fmt: skip
