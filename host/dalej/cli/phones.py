"""How `dalej run` answers phones that are boxes: the page, its sockets, who may come in, and what people are told."""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.folder import club_folder
from dalej.boxes.page.onefile import one_file, worker
from dalej.boxes.phones import TAKEN, Phones, why
from dalej.boxes.secret import ClubKeys
from dalej.clock import SystemClock
from dalej.desk.desk import Desk
from dalej.desk.notices import Notice
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, WrongInput
from dalej.event.event import Event
from dalej.link.serving import ScanningPort, Serving
from dalej.office.tableface import table_face
from dalej.words import _

EVERYWHERE: Final = ("0.0.0.0", "::")
CLAIMED_TWICE: Final = "claimed_twice"  # the notice that a second device comes with a code


@dataclass(frozen=True, slots=True)
class Answers:
    """Where phones are answered; `sealed`: by the club's own certificate."""

    host: str
    port: int
    sealed: bool


async def answering(
    answers: Answers,
    serving: Serving,
    port: ScanningPort,
    desk: Desk,
    event: Event,
    keys: ClubKeys,
    clock: SystemClock,
    complained: Callable[[str, DalejError], None],
    say: Callable[[str], None],
) -> None:
    """Until cancelled. Unreachable if the address cannot be had."""
    from dalej.link.sockets import Address, Sockets  # noqa: PLC0415 -- a web server is slow to load, and most need none

    folder = club_folder()
    phones = Phones(folder, keys, os.urandom)
    page = one_file(compiled(sources()), desk=True)

    def admit(uid: bytes, device: bytes, nonce: bytes, proved: bytes) -> bytes:
        phones.claim(uid, device, nonce, proved, clock.wall_ms())
        return keys.of_box(uid)

    def face(uid: bytes) -> str:
        line = desk.lines.get(uid)
        return "" if line is None else json.dumps(table_face(_state(event), line.table), ensure_ascii=False)

    def refused(error: DalejError) -> None:
        if error.template == TAKEN:
            desk.notify(Notice(CLAIMED_TWICE, "", TAKEN, error.data))
        else:
            complained("phones", error)

    sockets = Sockets(
        serving, port, clock, Address(answers.host, answers.port, _sealed(answers, folder, clock)), random=os.urandom,
        page=page, worker=worker(page), wants=desk.lines.__contains__, admit=admit, number=why, said=refused,
        face=face,
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
    from dalej.web.server import own_names, own_numbers  # noqa: PLC0415 -- as above

    host = answers.host
    if host in EVERYWHERE:
        host = (own_numbers() or own_names() or ["localhost"])[0]
    shown = f"[{host}]" if ":" in host else host
    return f"http{'s' if answers.sealed else ''}://{shown}:{port}"


def _sealed(answers: Answers, folder: Path, clock: SystemClock) -> ssl.SSLContext | None:
    if not answers.sealed:
        return None
    from dalej.web.certificates import identity  # noqa: PLC0415 -- as above
    from dalej.web.server import own_lasting_numbers, own_names, own_numbers  # noqa: PLC0415

    numbers = ["127.0.0.1", "::1", *own_numbers(), *own_lasting_numbers()]
    numbers += [] if answers.host in EVERYWHERE else [answers.host]
    made = identity(folder, ["localhost", *own_names(), *numbers], clock.wall_ms())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(made.file)
    return context
