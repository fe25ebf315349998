"""One screen for one browser, started by `dalej serve`: `python -m dalej.cli.served EVENT LANGUAGE`.

It is no command of the program: a person has nothing to type here. It reads the event and cannot write it; what is done
goes over the socket that the server named in the environment, and when that ends, so does this process.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Final

from dalej import words
from dalej.cli.program import run
from dalej.cli.stopping import on_signal
from dalej.clock import SystemClock
from dalej.desk.feed import client
from dalej.event.event import Event
from dalej.event.eventlog import name_of, ruleset_of
from dalej.event.ledger import Ledger
from dalej.views.book import EventBook
from dalej.web.hands import VARIABLE, Onlooker, RemoteHands, join

BEHIND: Final = 5  # whoever only looks waits where the computer has too much to do; referees do not
END_WITHIN_S: Final = 5.0


def main(event: str, language: str) -> None:
    """Show it until the browser goes."""
    words.speak(language)
    hands = join(os.environ.pop(VARIABLE, ""))
    if hands.actor.role == "public" and sys.platform != "win32":
        os.nice(BEHIND)
    with Ledger.open(event, read_only=True) as ledger, Ledger.open(event, read_only=True) as of_book:
        _show(ledger, of_book, hands)
    hands.close()


def _show(ledger: Ledger, of_book: Ledger, hands: RemoteHands) -> None:
    from dalej.tui.app import make_app  # noqa: PLC0415 -- Textual takes its time to load; a wrong token is told before

    async def connect() -> Onlooker:
        return Onlooker(await client.connect(ledger.path))

    clock = SystemClock()
    event = Event(of_book, who=hands.actor.who, wall_ms=clock.wall_ms)
    reading, book = event.read(), EventBook(event)
    app = make_app(
        ledger, ruleset_of(reading), connect, clock, event_name=name_of(reading), book=book, hands=hands, sent=book,
    )  # fmt: skip

    async def show() -> None:
        with on_signal(app.exit):
            hands.attend(_end)
            await app.run_async()

    asyncio.run(show())


def _end() -> None:
    """The server is gone or has ended this session; whatever this process hangs in, it ends."""
    os.kill(os.getpid(), signal.SIGTERM)
    SystemClock().sleep_ms(int(END_WITHIN_S * 1000))
    os._exit(1)


if __name__ == "__main__":
    sys.exit(run(lambda: main(sys.argv[1], sys.argv[2])))
