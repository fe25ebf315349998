"""How `dalej run` answers phones that are boxes: the page, its sockets, who may come in, and what people are told."""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.folder import club_folder
from dalej.boxes.page.onefile import one_file, worker
from dalej.boxes.phones import TAKEN, Phones, why
from dalej.boxes.secret import ClubKeys
from dalej.clock import Clock, SystemClock
from dalej.desk.evening.evening import RunningDesk
from dalej.desk.notices import Notice
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, WrongInput
from dalej.event.event import Event
from dalej.link.serving import ScanningPort, Serving
from dalej.office.acts.performer import Audit, AuditFile, FileAudit, Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.tableracks import written_now
from dalej.office.acts.wishes import Wish
from dalej.office.publicnames import public_names
from dalej.office.tableface import sheet_of, table_face
from dalej.office.tablewords import OF_WORDS, word_at
from dalej.typedjson import Reader
from dalej.words import LANGUAGES, _, said, speaking

CLAIMED_TWICE: Final = "claimed_twice"  # the notice that a second device comes with a code


@dataclass(frozen=True, slots=True)
class Answers:
    """Where phones are answered; `sealed`: by the club's own certificate."""

    host: str
    port: int
    sealed: bool


class _Said(Struct, frozen=True):
    """What a phone says beside the game. `act`: of those that the role `table` may do; `lang`: its reader's."""

    act: str
    args: dict[str, Any]
    lang: str = "en"


_SAID: Final[Reader[_Said]] = Reader(_Said, 4_096)


class PhoneTables:
    """What the sockets of one desk ask: who may come in, what a table is told beside its game, what it says."""

    def __init__(
        self, running: RunningDesk, event: Event, keys: ClubKeys, phones: Phones, clock: Clock, audit: Audit
    ) -> None:  # fmt: skip
        self._running = running
        self._event = event
        self._keys = keys
        self._phones = phones
        self._clock = clock
        self._performer = Performer(event.by, audit)
        self._called: tuple[Tournament | None, Mapping[int, str]] = None, {}  # players, as long as that is the state

    def admit(self, uid: bytes, device: bytes, nonce: bytes, proved: bytes) -> bytes:
        """The box's secret. Refused as `Phones.claim` says."""
        self._phones.claim(uid, device, nonce, proved, self._clock.wall_ms())
        return self._keys.of_box(uid)

    def face(self, uid: bytes) -> str:
        """A `dalej.office.tableface.Face`; "" where the event cannot be read just now: tables play on all the same."""
        line = self._running.desk.lines.get(uid)
        if line is None:
            return ""
        try:
            state = _state(self._event)
            seated = state is not None and state.current is not None and state.current.seating is not None
            now = written_now(self._event, line.table) if seated else None
            word = word_at(self._event.read().decisions(*OF_WORDS), line.table, self._clock.wall_ms())
        except DalejError:
            return ""
        sheet = None if now is None else sheet_of(*now)
        return json.dumps(table_face(state, self._names(state), line.table, sheet, word), ensure_ascii=False)

    def _names(self, state: Tournament | None) -> Mapping[int, str]:
        """Made once for each state: all tables are looked at each second."""
        if state is not self._called[0]:
            self._called = state, {} if state is None else public_names(state)
        return self._called[1]

    def heard(self, uid: bytes, words: str) -> str:
        """Done; why not, in the phone's language, if it was not."""
        line, language = self._running.desk.lines.get(uid), LANGUAGES[0]
        if line is None:
            return ""
        called = self._running.names().get(uid.hex(), uid.hex())
        try:
            wished = _SAID.read(words.encode())
            language = wished.lang if wished.lang in LANGUAGES else language
            wish = Wish(wished.act, {**wished.args, "table": line.table})
            self._performer.do(Actor(called, "table", served=True), wish)
        except DalejError as error:
            with speaking(language):
                return json.dumps({"trouble": said(error)}, ensure_ascii=False)
        return ""


async def answering(
    answers: Answers,
    serving: Serving,
    port: ScanningPort,
    running: RunningDesk,
    event: Event,
    keys: ClubKeys,
    clock: SystemClock,
    complained: Callable[[str, DalejError], None],
    say: Callable[[str], None],
) -> None:
    """Until cancelled. Unreachable if the address cannot be had."""
    from dalej.link.sockets import Address, Sockets  # noqa: PLC0415 -- a web server is slow to load, and most need none
    from dalej.web.sessions import trail_of  # noqa: PLC0415 -- likewise

    folder, desk = club_folder(), running.desk
    phones = Phones(folder, keys, os.urandom)
    page = one_file(compiled(sources()), desk=True)
    audit = FileAudit(AuditFile(trail_of(event.ledger.path), say))
    tables = PhoneTables(running, event, keys, phones, clock, audit)

    def refused(error: DalejError) -> None:
        if error.template == TAKEN:
            desk.notify(Notice(CLAIMED_TWICE, "", TAKEN, error.data))
        else:
            complained("phones", error)

    sockets = Sockets(
        serving, port, clock, Address(answers.host, answers.port, _sealed(answers, folder, clock)), random=os.urandom,
        page=page, worker=worker(page), wants=desk.lines.__contains__, admit=tables.admit, number=why, said=refused,
        face=tables.face, heard=tables.heard,
    )  # fmt: skip
    await sockets.open()
    try:
        url = _url(answers, sockets.port)
        say(_("Phones and tablets are boxes at {url}; dalej box phone shows their codes.").format(url=url))
        with phones.reached_at(url):
            await sockets.run()
    finally:
        await sockets.close()


def _state(event: Event) -> Tournament | None:
    """None: it is played by no rules yet."""
    try:
        return event.state()
    except WrongInput:
        return None


def _url(answers: Answers, port: int) -> str:
    from dalej.web.server import reached_by  # noqa: PLC0415 -- as above

    host = reached_by(answers.host)[0]
    shown = f"[{host}]" if ":" in host else host
    return f"http{'s' if answers.sealed else ''}://{shown}:{port}"


def _sealed(answers: Answers, folder: Path, clock: SystemClock) -> ssl.SSLContext | None:
    if not answers.sealed:
        return None
    from dalej.web.server import own_identity, tls  # noqa: PLC0415 -- as above

    return tls(str(own_identity(folder, answers.host, clock.wall_ms()).file))
