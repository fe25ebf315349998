"""What another process does with an event while a test watches: `python -m tests.event.ledger.process ROLE EVENT …`."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Final

from dalej.errors import Refused
from dalej.event.ledger import Ledger
from tests.event.ledger.making import NOON, reports

ROOT: Final = Path(__file__).parents[3]


def start(role: str, event: Path, *arguments: object) -> subprocess.Popen[str]:
    """Starts a process in a role; its output is a pipe of lines."""
    command = [sys.executable, "-m", "tests.event.ledger.process", role, str(event), *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(*words: object) -> None:
    """One line, at once: the reader may kill this process after any of them."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def record(ledger: Ledger, box: str, seed: int, count: int) -> None:
    """Records `count` facts in batches of 1 to 20 and says each acknowledgement once `record` has returned."""
    draw, done = random.Random(seed), 0
    while done < count:
        size = min(draw.randint(1, 20), count - done)
        recorded = ledger.record(reports(range(done + 1, done + size + 1), box=box))
        done += size
        say(*recorded.contiguous.values())


def decide(ledger: Ledger, who: str, subjects: int) -> None:
    """Rules on every subject, waiting for a line before each; says who won."""
    for subject in range(subjects):
        sys.stdin.readline()
        try:
            ledger.decide("ruling", {}, who=who, when_ms=NOON, why="seen", subject=f"time-out {subject}")
            say(who)
        except Refused as refusal:
            say(refusal.data["who"])


def note(ledger: Ledger) -> None:
    """Comes, writes and goes."""
    ledger.decide("note", {}, who="Sowa", when_ms=NOON, why="in between")


def hold(ledger: Ledger, holder: str) -> None:
    """Takes the links, says the token and waits to be killed."""
    say(ledger.lease.acquire(holder, NOON, 10_000).token)
    sys.stdin.readline()


def main(role: str, event: str, *arguments: str) -> None:
    """Plays the role on the event."""
    with Ledger.open(event) as ledger:
        match role, arguments:
            case "record", (box, seed, count):
                record(ledger, box, int(seed), int(count))
            case "decide", (who, subjects):
                decide(ledger, who, int(subjects))
            case "note", ():
                note(ledger)
            case "hold", (holder,):
                hold(ledger, holder)


if __name__ == "__main__":
    main(*sys.argv[1:])
