"""Plays the campaign: `python -m proof [full] [PART ...]`. It goes on where it was stopped."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence

from proof import campaign, page
from proof.campaign import Trial
from proof.parts import chosen, trials

FULL = "full"


def main(arguments: Sequence[str]) -> int:
    """Exit code: 1 if a fault was found, 2 for an unknown part."""
    asked = _parser().parse_args(arguments)
    try:
        parts = chosen([name for name in asked.parts if name != FULL])
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    told = page.PAGE.read_text("utf-8")
    work = [_Work(trial, asked, told) for trial in parts if _is_played(trial, asked)]
    if len(work) > 1:
        minutes = round(sum(one.usual_s for one in work) / 60)
        print(f"{len(work)} parts, which took about {minutes} minutes when the page was written", file=sys.stderr)
    until = time.monotonic() + asked.minutes * 60 if asked.minutes else float("inf")
    found = 0
    for number, one in enumerate(work):
        trial = one.trial
        left = (until - time.monotonic()) / (len(work) - number)  # each has its share of the time that is left
        if len(work) > 1:
            print(f"part {number + 1} of {len(work)}", file=sys.stderr)
        done = campaign.run(
            trial, one.goal, seed=asked.seed, stories=asked.stories, until=time.monotonic() + left,
            workers=one.workers, tell=lambda words: print(words, file=sys.stderr), usual_s=one.usual_s,
        )  # fmt: skip
        if not done.stories:
            print(f"{trial.name}: no time was left for a story", file=sys.stderr)
            continue
        print(f"{trial.name}\n{page.table(trial, done)}\n")
        found += len(done.found)
        if asked.write:
            page.PAGE.write_text(page.renewed(page.PAGE.read_text("utf-8"), trial, done), "utf-8", newline="\n")
    return 1 if found else 0


class _Work:
    """A part, how much of it is asked for, and how long that took another time."""

    def __init__(self, trial: Trial, asked: argparse.Namespace, told: str) -> None:
        self.trial = trial
        self.goal = trial.full if FULL in asked.parts else trial.short
        self.workers = 1 if trial.alone else asked.workers
        self.usual_s = page.usual_s(told, trial, self.goal, asked.stories) / self.workers


def _is_played(trial: Trial, asked: argparse.Namespace) -> bool:
    """And if it is not, that is said."""
    if lacking := trial.lacks():
        print(f"{trial.name} is left out: it wants {lacking}, which is not here", file=sys.stderr)
        return False
    if FULL in asked.parts or asked.stories or trial.short:
        return True
    print(f"{trial.name} is left out: it is played in the long form alone", file=sys.stderr)
    return False


def _one_or_more(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 1 on")
    return number


def _some_time(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0
    if not 0 < minutes < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: expected a number of minutes")
    return minutes


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m proof", description=__doc__)
    names = ", ".join(trial.name for trial in trials())
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"full: the long form; or some of {names}")
    parser.add_argument(
        "--stories", type=_one_or_more, default=0, help="so many, with those that were played from that seed on before"
    )
    parser.add_argument("--seed", type=_one_or_more, default=1, help="the first seed (default 1)")
    parser.add_argument(
        "--minutes", type=_some_time, default=0, help="begin no story after so long; the same again goes on"
    )
    parser.add_argument("--workers", type=_one_or_more, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help="write what was counted into docs/proof.md")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
