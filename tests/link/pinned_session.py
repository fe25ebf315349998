"""One session of a box and a desk, frame by frame: what is pinned in tests/vectors/session.json.

`PYTHONPATH=tests/core .venv/bin/python -m tests.link.pinned_session` writes the file anew; look at what changed before
you commit it, because boxes in the field speak as it says.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Final

from box_run import SECRET, UID, BoxRun
from dalej.link.session import Phase, Session
from dalej.link.uptime import UptimeMap
from moveclock import facts as k
from moveclock.settings import Settings

FILE: Final = Path(__file__).parents[1] / "vectors" / "session.json"
HEADER: Final = "Everything that a box and a desk say to each other in one session: uptime, who, frame."
NONCE: Final = bytes(range(16))
LINK: Final = 1
MTU: Final = 247

Said = tuple[int, str, str]


def desk() -> Session:
    """The desk of the pinned session, before its first word."""
    return Session(
        uid=UID, secret=SECRET, desk_id=0xC0FFEE, desk_name="Łódź 1", known=[], nonce=NONCE, uptimes=UptimeMap()
    )


def played() -> list[Said]:
    """Handshake, facts, commands, a press, a ping, acknowledgements, goodbye."""
    run, session, said = BoxRun(), desk(), list[Said]()

    def talk(until: int) -> None:
        while run.now < until:
            run.pump(run.now + 1)
            due = session.next_timer()
            if due is not None and due <= run.now:
                session.handle_timer(run.now)
            exchange()

    def exchange() -> None:
        for frame in session.frames():
            said.append((run.now, "desk", frame.hex()))
            run.box.receive(LINK, frame, run.raw(run.now))
            run.pump(run.now)
        while (answer := run.box.send(LINK, run.raw(run.now))) is not None:
            said.append((run.now, "box", answer.hex()))
            session.receive(answer, run.now)
            if session.phase is Phase.LIVE and run.box.journal.acked < run.box.journal.head:
                session.committed(session.epoch, run.box.journal.head)

    run.box.opened(LINK, MTU, run.raw(0))
    session.start(0)
    talk(200)
    settings = Settings()
    settings.first = k.SEAT_A
    session.command(77, k.C_CONFIGURE, struct.pack("<H", 1) + settings.pack(), run.now)
    talk(400)
    run.touch(2 * k.SEAT_A, 500)
    talk(800)
    session.command(78, k.C_STOP, struct.pack("<I", k.REFEREE), run.now, game=1, move=1)
    talk(4500)  # a ping among it
    session.say_bye()
    exchange()
    return said


def main() -> None:
    """Write the file."""
    lines = ",\n".join("    " + json.dumps(one) for one in played())
    FILE.write_text(
        f'{{\n  "_": {json.dumps(HEADER)},\n  "said": [\n{lines}\n  ]\n}}\n', encoding="utf-8", newline="\n"
    )


if __name__ == "__main__":
    main()
