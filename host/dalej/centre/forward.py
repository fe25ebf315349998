"""A hall tells its centre what its ledger holds, in the ledger's order, while it plays; a centre that is away for an
evening is told afterwards. What the centre has acknowledged is there once; what it has not is told again.

A file that is shorter than what the centre knows, or tells something else, was put back or copied: it is told anew from
its beginning, as another epoch, and is never mixed with the one before.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Final

import msgspec
from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector

from dalej.centre.decided import Listening
from dalej.centre.stream import BEGINNING, digest_after, digest_of, line_of
from dalej.centre.talk import BODY_MOST, ENTRIES_MOST, REACHED, TOLD, TOLD_MOST, Asking, Batch, HallKey, Reached
from dalej.errors import DalejError, Refused, Unreachable
from dalej.event.ledger import Ledger
from dalej.words import N_, cause

PAUSE_S: Final = 0.25  # a centre commits some hundred batches a second for all its halls
IDLE_S: Final = 5.0  # so that the centre knows that the hall is there
AGAIN_S: Final = 5.0
LISTEN_S: Final = 1.0  # how often the centre is asked what it has decided
WITHIN_S: Final = 30.0
_ANSWER_MOST: Final = 4_096
_BODY_USUAL: Final = BODY_MOST // 2


class Forwarder:
    """`through`: entries that the centre has acknowledged; `heard`: whether the last batch was. `say`: what people are
    told, in words, as it changes.
    """

    def __init__(
        self, ledger: Ledger, hall: HallKey, desk: str, say: Callable[[DalejError], None],
        listening: Listening | None = None,
    ) -> None:  # fmt: skip
        self.through = 0
        self.heard = False
        self._ledger = ledger
        self._hall = hall
        self._desk = desk
        self._say = say
        self._digest = BEGINNING  # of the entries up to `through`, as this file has them
        self._trouble = ""
        self._listening = listening
        self._epoch = 0
        self._behind = False
        self._asks_at = 0.0

    async def listen(self) -> None:
        """All that the centre has decided so far, and no more."""
        async with self._session() as session:
            while not self._asks_at:
                await self._listen(session)

    async def reached(self) -> Reached:
        """How far the centre has come with this hall."""
        async with self._session() as session:
            return REACHED.read(await self._asked(session, "/hall/reached", None, _ANSWER_MOST))

    async def run(self) -> None:
        """Until cancelled."""
        async with self._session() as session:
            while True:
                try:
                    await self._tell(session)
                except DalejError as problem:
                    self._lost(problem)
                    await asyncio.sleep(AGAIN_S)

    def _session(self) -> ClientSession:
        connector = TCPConnector(ssl=_trusts(self._hall))
        return ClientSession(connector=connector, timeout=ClientTimeout(total=WITHIN_S))

    async def _tell(self, session: ClientSession) -> None:
        reached = await self._meet(session)
        self._found(reached)
        idle_s = 0.0
        following: list[str] = []
        while True:
            lines = following or await asyncio.to_thread(self._after, self.through)
            following = []
            if not lines:  # only whoever has told everything knows what is another's
                self._is_complete()
                await self._listen(session)
            if not lines and idle_s < IDLE_S:
                await asyncio.sleep(PAUSE_S)
                idle_s += PAUSE_S
                continue
            idle_s = 0.0
            digest = digest_after(self._digest, lines)
            if len(lines) == ENTRIES_MOST:  # there is more: it is read while these are put down
                reached, following = await asyncio.gather(
                    self._post(session, lines), asyncio.to_thread(self._after, self.through + len(lines))
                )
            else:
                reached = await self._post(session, lines)
            if (reached.through, reached.digest) != (self.through + len(lines), digest.hex()):
                return  # it was told before, or something else was: met anew
            self.through, self._digest = reached.through, digest
            if not following:
                await asyncio.sleep(PAUSE_S)

    async def _listen(self, session: ClientSession) -> None:
        """What the centre has decided since, now and then."""
        now = asyncio.get_running_loop().time()
        if self._listening is None or now < self._asks_at:
            return
        asking = await asyncio.to_thread(self._listening.asking)
        if asking.after:
            stands = {"epoch": self._epoch, "through": self.through, "digest": self._digest.hex()}
            asking = msgspec.structs.replace(asking, **stands)
        told = TOLD.read(await self._asked(session, "/hall/decisions", asking, TOLD_MOST))
        if told.lines or told.not_taken:
            await asyncio.to_thread(self._listening.take, told)
        if not told.lines:
            self._asks_at = now + LISTEN_S

    async def _meet(self, session: ClientSession) -> Reached:
        """Where this file and the centre's epoch agree; a new epoch if they do not."""
        self.through, self._digest = 0, BEGINNING
        reached = await self._post(session, [])
        self._epoch = reached.epoch
        if not await asyncio.to_thread(self._agrees, reached):
            self._say(DalejError(
                N_("The centre knows another copy of this event: it is told this one whole, as epoch {epoch}"),
                epoch=reached.epoch + 1,
            ))  # fmt: skip
            self.through, self._digest = 0, BEGINNING
            reached = await self._post(session, [], anew=reached.epoch)
            self._epoch = reached.epoch
            if reached.through:
                raise Unreachable(N_("the centre was told of another copy of this event just now"))
        return reached

    def _agrees(self, reached: Reached) -> bool:
        """Whether what the centre has is the beginning of this file; if so, that is where it goes on."""
        if reached.through > self._ledger.head():
            return False
        digest = digest_of(self._ledger, reached.through)
        self.through, self._digest = reached.through, digest
        return digest.hex() == reached.digest

    def _after(self, cursor: int) -> list[str]:
        lines, size = [], 0
        for entry in self._ledger.since(cursor, ENTRIES_MOST):
            lines.append(line_of(entry))
            size += 2 * len(lines[-1])
            if size > _BODY_USUAL:
                break
        return lines

    async def _post(self, session: ClientSession, lines: list[str], anew: int | None = None) -> Reached:
        batch = Batch(self._desk, self.through, self._digest.hex(), lines, anew)
        return REACHED.read(await self._asked(session, "/hall/entries", batch, _ANSWER_MOST))

    async def _asked(self, session: ClientSession, path: str, what: Batch | Asking | None, most: int) -> bytes:
        """What the centre answers."""
        headers = {"Authorization": f"Bearer {self._hall.key}", "Content-Type": "application/json"}
        try:
            async with session.post(
                f"{self._hall.url.rstrip('/')}{path}", data=msgspec.json.encode(what), headers=headers,
                allow_redirects=False,
            ) as answer:  # fmt: skip
                text = b""
                async for part in answer.content.iter_any():
                    text += part
                    if len(text) > most:
                        break
                status = answer.status
        except (ClientError, OSError, TimeoutError) as error:
            reason = cause(error) if isinstance(error, OSError) else DalejError("{kind}", kind=type(error).__name__)
            raise Unreachable(
                N_("the centre at {url} does not answer: {reason}"), url=self._hall.url, reason=reason
            ) from error
        if status == 200:
            return text
        said = DalejError("{line}", line=text.decode("utf-8", "replace").splitlines()[0][:200] if text else str(status))
        if status in (401, 409):
            raise Refused(N_("the centre refuses what this hall tells: {reason}"), reason=said)
        raise Unreachable(N_("the centre at {url} does not answer: {reason}"), url=self._hall.url, reason=said)

    def _found(self, reached: Reached) -> None:
        self.heard, self._trouble = True, ""
        head = self._ledger.head()
        self._behind = reached.through < head
        if not self._behind:
            self._say(DalejError(N_("The centre has all {head} entries of this event"), head=head))
            return
        self._say(DalejError(
            N_("The centre has {through} of {head} entries of this event (epoch {epoch}); the rest follows"),
            through=reached.through, head=head, epoch=reached.epoch,
        ))  # fmt: skip

    def _is_complete(self) -> None:
        """Said once, after what was said of the rest."""
        if self._behind:
            self._behind = False
            self._say(DalejError(N_("The centre has all {head} entries of this event"), head=self.through))

    def _lost(self, problem: DalejError) -> None:
        """Said once, until it is another: an evening without a centre is no emergency."""
        self.heard = False
        if str(problem) != self._trouble:
            self._trouble = str(problem)
            self._say(DalejError(
                N_("{problem}; the hall plays on, and the centre is told later"), problem=problem
            ))  # fmt: skip


def _trusts(hall: HallKey) -> ssl.SSLContext | bool:
    """The centre's own authority and no other, where the hall was given one."""
    if not hall.trusts:
        return True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=hall.trusts)
    return context
