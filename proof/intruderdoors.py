"""A stranger with everything but the secret, at servers of this process on the loopback: the phones' WebSocket of a
desk, its door for gateways, a centre's for halls, and (`proof.intruderpages`) pages. The stranger knows all uids,
devices, names and addresses, and what a phone, a gateway and a hall have said before, and lacks secrets, codes and
keys. Afterwards the event file holds what honest people have entered, and they still get in.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import tempfile
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, cast
from unittest.mock import patch

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, WSCloseCode, WSMessage, WSMsgType, web

from dalej.boxes.phones import Code
from dalej.boxes.secret import NO_KEYRING
from dalej.centre.mirror import Mirror
from dalej.domain.game.facts import Fact
from dalej.errors import Refused
from dalej.event.event import Event
from dalej.event.ledger import Ledger, Reported
from dalej.link.gateways import PATH, WRONG_CODE, Gateways, Joined, Lending, code_of, lend, proof
from dalej.link.lent import Lender, Lent, Send
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from moveclock import facts as k
from moveclock.wire import pack_record
from proof import intruderpages
from proof.intruderlore import flipped
from tests.centre.hall import listening, telling
from tests.centre.making import batch, lines_of
from tests.event.ledger.making import reports
from tests.phones.desk import PhoneDesk, phone_desk
from tests.phones.playing import begins, goes_on, moves, nothing_unsent
from tests.phones.scripted import ScriptedPhone
from tests.postgres import own_database
from tests.waiting import until, within
from tests.world import event_file

LONGEST_S: Final = 240.0  # at one of these doors
ANSWER_S: Final = 30.0  # of whoever hangs up
AT_A_SOCKET: Final = 400  # attempts while the phone is away, and as many while it is linked
AT_A_DOOR: Final = 100
AT_A_CENTRE: Final = 400
AT_ONCE: Final = 50  # since whoever guesses keys is kept waiting
FALSE_DESKS: Final = 8  # that say that they are the gateway's
PUT_IN_MOST: Final = 4  # beside each frame of a phone and its desk, once they are linked
SOCKET: Final = "... at a desk's WebSocket"
PAGES: Final = "... at pages"
DOOR: Final = "... at the gateways' door"
CENTRE: Final = "... at a centre's door"
HUNG_UP: Final = frozenset({WSCloseCode.POLICY_VIOLATION, 4_001, 4_002, 4_003, 4_004})


# --- a desk's WebSocket -----


class OverheardPhone(ScriptedPhone):
    """A phone through whose network a stranger listens, and puts in what he likes once he `meddles`: frames and words
    of before, or that are none, in both directions. `attempts`: how many.
    """

    def __init__(self, url: str, code: Code, lot: Random) -> None:
        super().__init__(url, code)
        self.lot = lot
        self.spoken: list[bytes] = []
        self.heard: list[bytes] = []
        self.words: list[str] = []
        self.meddles = False
        self.attempts = 0

    async def _link(self, socket: ClientWebSocketResponse) -> None:
        await super()._link(cast("ClientWebSocketResponse", _Ear(socket, self)))

    def records(self) -> list[bytes | None]:
        """All that its journal holds."""
        assert self._glass is not None
        journal = self._glass.box.journal
        return [journal.record(seq) for seq in range(journal.oldest, journal.head + 1)]

    def put_in(self, seen: Sequence[bytes]) -> list[bytes]:
        """Beside what is being said."""
        if not self.meddles:
            return []
        old = [self.lot.choice(seen) for _ in range(self.lot.randint(1, PUT_IN_MOST))]
        self.attempts += len(old)
        return [self.lot.choice((one, flipped(self.lot, one), b"\0" + self.lot.randbytes(60))) for one in old]


class _Ear:
    """A socket whose first two messages, a nonce and its proof, are heard alone."""

    def __init__(self, socket: ClientWebSocketResponse, phone: OverheardPhone) -> None:
        self._socket = socket
        self._phone = phone
        self._linked = False

    async def __aiter__(self) -> AsyncIterator[WSMessage]:
        async for message in self._socket:
            yield message
            if message.type is WSMsgType.BINARY:
                self._phone.heard.append(message.data)
                for more in self._phone.put_in(self._phone.heard) if self._linked else ():
                    yield WSMessage(WSMsgType.BINARY, more, None)

    async def send_bytes(self, frame: bytes) -> None:
        phone = self._phone
        await self._socket.send_bytes(frame)
        phone.spoken.append(frame)
        if self._linked:
            for more in phone.put_in(phone.spoken[1:] or [frame]):
                await self._socket.send_bytes(more)
                words = phone.lot.choice([*phone.words, secrets.token_hex(40), '{"act": "read_word", "args": {}}'])
                await self._socket.send_str(words)
        self._linked = True

    async def send_str(self, words: str) -> None:
        self._phone.words.append(words)
        for _ in range(3):
            await self._socket.send_str(words)
        self._phone.attempts += 2

    async def close(self) -> None:
        await self._socket.close()


async def at_a_socket(folder: Path, lot: Random) -> int:
    """A table plays, its phone goes and comes back, and plays on. How often somebody else has tried to be it."""
    async with phone_desk(folder, event_file(folder, 4)) as desk:
        phone = OverheardPhone(desk.url, desk.code(1), lot)
        try:
            await _records(desk, phone)
            attempts = await _strangers(desk, phone, AT_A_SOCKET)
            await phone.load()
            await until(lambda: phone.state == k.STOPPED, "the phone to be there again")
            await nothing_unsent(phone)
            attempts += await _strangers(desk, phone, AT_A_SOCKET)
            assert desk.linked(phone.code), "the phone is linked no longer"
            await _meddles(desk, phone)
        finally:
            await phone.close()
    return attempts + phone.attempts


async def _records(desk: PhoneDesk, phone: OverheardPhone) -> None:
    """What a table and its desk say of a beginning, while somebody listens."""
    await phone.load()
    await until(lambda: phone.state == k.READY, "the game")
    _tell_a_word(desk)
    await until(lambda: phone.face.get("word"), "the word")
    await phone.say("read_word", of=phone.face["word"]["of"])
    await until(lambda: not phone.face.get("word"), "the word to be read")
    await begins(phone)
    await moves(phone, 2)
    await nothing_unsent(phone)
    await phone.close()
    await until(lambda: not desk.linked(phone.code), "the phone to be gone")


async def _meddles(desk: PhoneDesk, phone: OverheardPhone) -> None:
    """The table plays on, and somebody puts in what he likes: the file holds the phone's journal, and no more."""
    before = _held(desk)
    phone.meddles = True
    await goes_on(phone)
    await moves(phone, 3)
    phone.meddles = False
    await nothing_unsent(phone)
    entries = desk.ledger.since(0, intruderpages.ENTRIES_MOST)
    added = [one for one in entries[len(before) :] if not isinstance(one, Reported)]
    assert not added, f"the event file holds {added[0]}"
    assert not phone.trouble, f"the table was told: {phone.trouble}"
    stored = [_packed(one.fact) for one in entries if isinstance(one, Reported)]
    (stream,) = desk.ledger.boxes(phone.code.box.uid)
    assert stored == phone.records()[stream.baseline :], "the event file does not hold the phone's journal"


async def _strangers(desk: PhoneDesk, phone: OverheardPhone, many: int) -> int:
    """So many sockets, each of whom says that it is that phone, or does not say who it is."""
    before, linked = _held(desk), desk.linked(phone.code)
    async with ClientSession() as session:
        for attempt in range(many):
            said = _first_words(phone)
            what = f"attempt {attempt} at the WebSocket ({said.hex() if isinstance(said, bytes) else said!r})"
            async with session.ws_connect(f"{desk.url}/link") as socket:
                await socket.receive_bytes()
                with suppress(ConnectionError):  # hung up on already
                    await (socket.send_bytes(said) if isinstance(said, bytes) else socket.send_str(said))
                    for frame in phone.lot.sample(phone.spoken, 3):
                        await socket.send_bytes(frame)
                    await socket.send_str(phone.lot.choice([*phone.words, "x"]))
                message = await socket.receive(timeout=ANSWER_S)
                assert message.type is WSMsgType.CLOSE, f"{what} is answered with {message.data!r}"
                assert socket.close_code in HUNG_UP, f"{what} is closed with {socket.close_code}"
            assert desk.linked(phone.code) == linked, f"{what} has changed who is linked"
    assert _held(desk) == before, f"the event file holds more: {_held(desk)[len(before) :]}"
    return many


def _first_words(phone: OverheardPhone) -> bytes | str:
    """What a phone would say first to prove itself, of everything but the proof."""
    lot, recorded = phone.lot, phone.spoken[0]
    uid, device, proved = recorded[:6], recorded[6:22], recorded[22:]
    words: list[bytes | str] = [
        recorded, flipped(lot, recorded), uid + device + lot.randbytes(16), uid + device + bytes(16),
        uid + lot.randbytes(16) + proved, uid + lot.randbytes(16) + lot.randbytes(16), uid + device, recorded + b"x",
        lot.randbytes(6) + device + proved, lot.choice(phone.spoken[1:]), lot.choice(phone.heard), recorded.hex(),
        *phone.words,
    ]  # fmt: skip
    return lot.choice(words)


def _packed(fact: Fact) -> bytes:
    what = fact.kind, fact.uptime_ms, fact.game, fact.move, fact.seat, fact.code, fact.a, fact.b, fact.c
    return pack_record(fact.seq, fact.boot, what)


def _held(desk: PhoneDesk) -> list[str]:
    return [repr(one) for one in desk.ledger.since(0, intruderpages.ENTRIES_MOST)]


def _tell_a_word(desk: PhoneDesk) -> None:
    performer = Performer(lambda who: Event(desk.ledger, who=who, wall_ms=desk.clock.wall_ms), lambda _line: None)
    performer.do(Actor("Sowa", "referee"), Wish("tell_table", {"table": 1, "words": "two minutes"}, "the hall closes"))


# --- a desk's door for gateways, and a gateway's for desks -----


class Door:
    """A desk that takes gateways. `joined`, `left`: their names."""

    def __init__(self, lot: Random) -> None:
        self.lot = lot
        self.code = code_of(secrets.token_bytes(10))
        self.joined: list[str] = []
        self.left: list[str] = []
        self.server = Gateways(
            "127.0.0.1", 0, self.code, "desk 1", random=secrets.token_bytes, join=self._join, leave=self.left.append,
            said=lambda _what: None,
        )  # fmt: skip

    def _join(self, joined: Joined, _lent: Lent) -> None:
        self.joined.append(joined.name)

    @asynccontextmanager
    async def gateway(
        self, session: ClientSession, name: str
    ) -> AsyncIterator[tuple[ClientWebSocketResponse, str, str, str]]:
        """One that knows the code, and what was said at its socket."""
        async with session.ws_connect(f"http://127.0.0.1:{self.server.port}{PATH}") as socket:
            greeting = await socket.receive_str()
            offer = _offer(self.code, greeting, secrets.token_bytes(16), name)
            await socket.send_str(offer)
            yield socket, greeting, offer, await socket.receive_str()


def _offer(code: str, greeting: str, nonce: bytes, name: str) -> str:
    mine = proof(code, "gateway", b64decode(json.loads(greeting)["nonce"]), nonce, f"{name}//3")
    return json.dumps({"name": name, "adapter": "", "links": 3, "nonce": _text(nonce), "proof": _text(mine)})


def _text(data: bytes) -> str:
    return b64encode(data).decode()


async def at_a_door(lot: Random) -> int:
    """A gateway lends its adapter meanwhile, and another one gets in afterwards."""
    door = Door(lot)
    await door.server.open()
    try:
        async with ClientSession() as session, door.gateway(session, "library") as (honest, greeting, offer, taken):
            for attempt in range(AT_A_DOOR):
                async with session.ws_connect(f"http://127.0.0.1:{door.server.port}{PATH}") as socket:
                    word = _word(lot, await socket.receive_str(), offer, taken)
                    what = f"attempt {attempt} at the gateways' door ({word[:200]})"
                    await socket.send_str(word)
                    message = await socket.receive(timeout=ANSWER_S)
                    assert message.type is WSMsgType.CLOSE, f"{what} is answered with {message.data!r}"
                    assert socket.close_code in (WRONG_CODE, WSCloseCode.POLICY_VIOLATION), what
                assert (door.joined, door.left) == (["library"], []), f"{what}: {door.joined} joined, {door.left} left"
            assert not honest.closed, "the gateway that lends its adapter was hung up on"
            async with door.gateway(session, "first floor"):
                assert door.joined == ["library", "first floor"], f"joined are {door.joined}"
    finally:
        await door.server.close()
    return AT_A_DOOR + await _before_a_gateway(lot, door.code, greeting, taken)


def _word(lot: Random, greeting: str, offer: str, taken: str) -> str:
    """What a gateway would say, of everything but the code."""
    recorded = json.loads(offer)
    return lot.choice((
        offer, json.dumps({**recorded, "links": lot.randrange(9)}), json.dumps({**recorded, "name": "x"}),
        json.dumps({**recorded, "nonce": json.loads(greeting)["nonce"]}),
        json.dumps({**recorded, "proof": json.loads(taken)["proof"]}), json.dumps({**recorded, "proof": ""}),
        json.dumps({**recorded, "proof": _text(flipped(lot, b64decode(recorded["proof"])))}),
        _offer(code_of(lot.randbytes(10)), greeting, lot.randbytes(16), lot.choice(("library", "x"))),
        taken, greeting, '{"type": "heard", "address": "x", "rssi": -40, "data": ""}',
    ))  # fmt: skip


async def _before_a_gateway(lot: Random, code: str, greeting: str, taken: str) -> int:
    """A stranger says that it is the desk, to a gateway that knows the code."""

    async def stranger(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(greeting)
        offer = json.loads(await socket.receive_str())
        nonces = b64decode(json.loads(greeting)["nonce"]), b64decode(offer["nonce"])
        guessed = json.dumps({"proof": _text(proof(code_of(lot.randbytes(10)), "desk", *nonces))})
        await socket.send_str(lot.choice((taken, guessed, json.dumps({"proof": offer["proof"]}), '{"proof": ""}')))
        await socket.receive()
        return socket

    def lender(_send: Send) -> Lender:
        raise AssertionError("a gateway lends its adapter to a stranger")

    app = web.Application()
    app.add_routes([web.get(PATH, stranger)])
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        lending = Lending(f"http://127.0.0.1:{runner.addresses[0][1]}", code, "library", "", 3)
        for _ in range(FALSE_DESKS):
            with suppress(Refused):  # which says that it does not know the code
                await lend(lending, lender, secrets.token_bytes, lambda _what: None)
                raise AssertionError("a gateway goes on with a stranger")
    finally:
        await runner.cleanup()
    return FALSE_DESKS


# --- a centre's door for halls -----


async def at_a_centre(database: str, folder: Path, lot: Random) -> int:
    """A hall has told of its evening; somebody else says that he is that hall; the hall goes on."""
    key, old, gone = (secrets.token_urlsafe(32) for _ in range(3))
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger.create(folder / "hall.dalej"))
        mirror = stack.enter_context(closing(Mirror(database)))
        mirror.init()
        mirror.add_hall("A", old, 1)
        mirror.new_key("A", key)
        mirror.add_hall("B", gone, 1)
        mirror.revoke("B", 2)
        async with listening(mirror) as server, ClientSession() as session:
            for told in range(2):
                ledger.record(reports(range(50 * told + 1, 50 * told + 51)))
                async with telling(folder / "hall.dalej", server.port, key=key) as hall:
                    await hall.until_told(ledger)
                assert mirror.lines("A") == lines_of(ledger), "the centre does not have what the hall has told"
                before = mirror.halls(), mirror.epochs("A"), mirror.lines("A")
                for _ in range(0, AT_A_CENTRE, AT_ONCE):
                    tries = [_as_a_hall(session, server.port, lot, (key, old, gone), before[2]) for _ in range(AT_ONCE)]
                    for found in await asyncio.gather(*tries, return_exceptions=True):
                        if isinstance(found, BaseException):
                            raise found
                after = mirror.halls(), mirror.epochs("A"), mirror.lines("A")
                assert after == before, f"what the centre has of the hall has changed: {after[:2]}, not {before[:2]}"
    return 2 * AT_A_CENTRE


async def _as_a_hall(session: ClientSession, port: int, lot: Random, keys: Sequence[str], lines: Sequence[str]) -> None:
    """One attempt; AssertionError if it is answered with anything but a refusal."""
    method, path = lot.choice(("POST", "POST", "POST", "GET", "PUT", "HEAD", "DELETE")), lot.choice(_PATHS)
    told = lot.randrange(len(lines))
    bodies = (
        msgspec.json.encode(batch(lines[told:], lines[:told], anew=lot.choice((None, 0, 1)))), b"null", b"{}", b"",
        json.dumps({"after": told, "epoch": 1, "through": len(lines)}).encode(), b"[" * 100_000, lot.randbytes(100),
    )  # fmt: skip
    key, *old = keys
    said_keys = (
        "", "A", key[:-1], key + "A", key.swapcase(), secrets.token_urlsafe(32), sha256(key.encode()).hexdigest(),
        "' OR '1' = '1", "x" * 5_000, *old,
    )  # fmt: skip
    digest = batch([], lines).digest
    said = {"Authorization": lot.choice(("Bearer ", "bearer ", "Basic ", "")) + lot.choice(said_keys)}
    url = f"http://127.0.0.1:{port}{path}"
    what = f"{method} {path} by a stranger ({said['Authorization'][:60]})"
    async with session.request(method, url, data=lot.choice(bodies), headers=said, allow_redirects=False) as answer:
        text = await answer.text()
    if path == "/health" and method in ("GET", "HEAD"):
        assert (answer.status, text.strip()) in ((200, "ok"), (200, "")), f"{what} is answered with {text[:200]}"
    else:
        assert answer.status in (400, 401, 404, 405), f"{what} is answered with {answer.status}: {text[:200]}"
        secret = (*lines, *(json.dumps(line)[1:-1] for line in lines), digest, "desk 1")
        assert not any(one in text for one in secret), f"{what} is told what the hall has told"


_PATHS: Final = ("/hall/entries", "/hall/entries", "/hall/decisions", "/hall/reached", "/health", "/metrics", "/")


# --- all of them -----


def at_servers(seed: int) -> Counter[str]:
    """How many attempts of each kind; AssertionError if one of them had an effect. Where there is no PostgreSQL there
    is no centre.
    """
    lot = Random(seed)
    variable, _, value = NO_KEYRING.partition("=")

    async def everywhere(folder: Path, database: str) -> Counter[str]:
        return Counter({
            SOCKET: await _tried(SOCKET, at_a_socket(folder, lot)),
            DOOR: await _tried(DOOR, at_a_door(lot)),
            PAGES: await _tried(PAGES, intruderpages.at_pages(folder, lot)),
            CENTRE: await _tried(CENTRE, at_a_centre(database, folder, lot)) if database else 0,
        })  # fmt: skip

    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {variable: value}))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="proof-")))
        database = stack.enter_context(own_database("centre"))
        return asyncio.run(everywhere(folder, database))


async def _tried(where: str, attempts: Coroutine[Any, Any, int]) -> int:
    async with within(LONGEST_S, f"{where.removeprefix('... ')}: not all was tried"):
        return await attempts
