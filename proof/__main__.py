"""Plays the campaign of docs/proof.md: the short form of all parts, the long one (full), or some parts. It goes on
where it was stopped: what was counted is kept in dist/proof, for each state of the code.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from proof import campaign, page, stopping
from proof.campaign import Standing, Trial, minutes
from proof.parts import ABOUT, chosen

FULL = "full"


def main(arguments: Sequence[str]) -> int:
    """Exit code: 1 if a fault was found, 2 if nothing was played, 130 if it was stopped."""
    asked = _parser().parse_args(arguments)
    try:
        parts = chosen([name for name in asked.parts if name != FULL])
    except ValueError as error:
        _tell(str(error))
        return 2
    told = page.PAGE.read_text("utf-8")
    work = [_Work(trial, asked, told) for trial in parts if _is_played(trial, asked)]
    if not work:
        return 2
    if asked.write and (why := page.unfit(told, [one.trial for one in work], campaign.commit())):
        _tell(f"--write: {why}")
        return 2
    try:
        _can_be_written_to(campaign.KEPT)
    except OSError as error:
        _tell(f"{campaign.KEPT}, where what is counted is kept: {error.strerror}")
        return 2
    if len(work) > 1:
        usual = minutes(sum(one.usual_s for one in work))
        _tell(f"{len(work)} parts, which took about {usual} when the page was written")
    try:
        with stopping.heard():
            return _all_of(work, asked)
    except KeyboardInterrupt:
        without = " without --anew" if asked.anew else ""
        _tell(f"stopped: what whole stories have counted is kept, and the same command{without} goes on after them")
        return 130


def _all_of(work: Sequence[_Work], asked: argparse.Namespace) -> int:
    until = time.monotonic() + asked.minutes * 60 if asked.minutes else float("inf")
    found = 0
    for number, one in enumerate(work):
        trial = one.trial
        left = (until - time.monotonic()) / (len(work) - number)  # each has its share of the time that is left
        if len(work) > 1:
            _tell(f"part {number + 1} of {len(work)}")
        done = campaign.run(
            trial, one.goal, seed=asked.seed, stories=asked.stories, until=time.monotonic() + left,
            workers=one.workers, tell=_tell, usual_s=one.usual_s, anew=asked.anew,
        )  # fmt: skip
        if not done.stories:
            _tell(f"{trial.name}: no time was left for a story")
            continue
        print(f"{trial.name}\n{page.table(trial, done)}\n", flush=True)
        if done.found:
            _tell(
                f"{trial.name}: {campaign.KEPT} has the traceback of each fault; "
                f'make proof ARGS="{trial.name} --stories 1 --anew --seed" with its seed plays it again'
            )
        found += len(done.found)
        if asked.write:
            _write(trial, done)
    return 1 if found else 0


def _write(trial: Trial, done: Standing) -> None:
    before = page.PAGE.read_text("utf-8")
    if why := page.unfit(before, [trial], done.commit):
        _tell(f"{trial.name} is not written: {why}")
        return
    after = page.renewed(before, trial, done)
    page.PAGE.write_text(after, "utf-8", newline="\n")
    had, has = (page.counted(text, trial) for text in (before, after))
    if has < had:
        _tell(f"{trial.name}: {page.PAGE.name} told of {had:,} {trial.counted}, and tells of {has:,} now")


def _can_be_written_to(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


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
        _tell(f"{trial.name} is left out: it wants {lacking}, which is not here")
        return False
    if FULL in asked.parts or asked.stories or trial.short:
        return True
    _tell(f"{trial.name} is left out: it is played in the long form alone; add full, or --stories")
    return False


def _one_or_more(text: str) -> int:
    number = int(text) if text.isascii() and text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 1 on")
    return number


def _some_time(text: str) -> float:
    try:
        given = float(text)
    except ValueError:
        given = 0
    if not 0 < given < float("inf"):
        raise argparse.ArgumentTypeError(f"{text}: expected a number of minutes")
    return given


def _parser() -> argparse.ArgumentParser:
    about = "\n".join(f"  {name:<12}{words}" for name, words in ABOUT.items())
    parser = argparse.ArgumentParser(
        prog="python -m proof", description=__doc__, epilog=f"parts:\n{about}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("parts", nargs="*", metavar="PART", help="full: the long form; or some of those below")
    parser.add_argument(
        "--stories",
        type=_one_or_more,
        default=0,
        help="until so many from the first seed on are counted, those with them that an earlier call has played",
    )
    parser.add_argument("--seed", type=_one_or_more, default=1, help="the first seed (default 1)")
    parser.add_argument(
        "--minutes", type=_some_time, default=0, help="begin no story after so long; the same again goes on"
    )
    parser.add_argument("--anew", action="store_true", help="what was counted of these parts before does not count")
    parser.add_argument(
        "--workers",
        type=_one_or_more,
        default=os.cpu_count() or 1,
        help="stories at once (default: as many as processors)",
    )
    parser.add_argument("--write", action="store_true", help="write what was counted into docs/proof.md")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
