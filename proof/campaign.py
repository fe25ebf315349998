"""Plays stories from their seeds in as many processes as there are processors, adds up what they counted, and goes on
where it was stopped: what a part has done is written down after each story, and begins anew when the code has changed.
"""

from __future__ import annotations

import faulthandler
import json
import platform
import subprocess
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from itertools import combinations, product
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from proof.stopping import Stoppable, left_to_the_campaign, stories_of

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = ROOT / "dist" / "proof"
CODE: Final = ("firmware", "host", "proof", "tests", "bench")
ENDINGS: Final = (
    ".py", ".toml", ".html", ".js", ".mjs", ".wasm", ".css", ".tcss", ".svg", ".typ", ".po", ".json", ".lock",
    ".game", ".txt",
)  # fmt: skip
"""What a story depends on, rulesets and pages too: of other code its numbers are not this one's."""
BUILT_ON: Final = ("pyproject.toml", "requirements.lock")
FOREIGN: Final = "node_modules"
SAID_EVERY_S: Final = 20.0
LONGEST_S: Final = 4 * 3_600.0  # of a story: one that is not over then hangs
FOUND_MOST: Final = 10  # faults: whoever finds so many has enough to look at
JUMP: Final = 1_000_003
"""A prime, so that whoever jumps so far among fewer meets each once."""

One = TypeVar("One")


def nothing_lacks() -> str:
    """Of a part that can be played anywhere."""
    return ""


class Outcome(NamedTuple):
    """Of one story. `counts` are added up, of `worst` the greatest is kept, `spread` is how often which value, in µs,
    came; of `beside` the last story's stand: what was measured, here, by what somebody would pick instead, their ratio.
    `found`: a fault that what was counted is itself, "" if it is none.
    """

    counts: Mapping[str, int]
    worst: Mapping[str, float] = {}
    spread: Mapping[str, Mapping[int, int]] = {}
    beside: Sequence[tuple[str, str, str, str]] = ()
    found: str = ""


class Trial(NamedTuple):
    """`play(seed)`: a story, AssertionError if it found a fault before it had counted. `counted`: which of its counts
    `short` and `full` are of: how many make the short form and the full one. `lacks()`: what it wants that is not here,
    "" if all is. `alone`: it is played with nothing beside it, since it measures time or has processes of its own.
    `every`: how many there are at all, of which each story plays `a_story`, as `share` does; 0: without end.
    `misses()`: what is not here and without which less is tried.
    """

    name: str
    counted: str
    short: int
    full: int
    play: Callable[[int], Outcome]
    lacks: Callable[[], str] = nothing_lacks
    alone: bool = False
    every: int = 0
    a_story: int = 0
    misses: Callable[[], str] = nothing_lacks


@dataclass
class Standing:
    """How far a part is. `seed` is the first one and `stories` how many were played from it on; `found`: faults, each
    with its seed.
    """

    commit: str
    code: str
    seed: int
    began: str
    stories: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    worst: dict[str, float] = field(default_factory=dict)
    spread: dict[str, Counter[int]] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)
    beside: Sequence[Sequence[str]] = ()

    def add(self, seed: int, outcome: Outcome | str) -> None:
        """A story's, or the words of the fault that it found."""
        self.stories += 1
        if isinstance(outcome, str):
            self.found.append(f"seed {seed}: {outcome}")
            return
        if outcome.found:
            self.found.append(f"seed {seed}: {outcome.found}")
        self.counts.update(outcome.counts)
        for name, value in outcome.worst.items():
            self.worst[name] = max(value, self.worst.get(name, value))
        self.beside = outcome.beside
        for name, values in outcome.spread.items():
            self.spread.setdefault(name, Counter()).update(values)

    def quantile(self, name: str, part: float) -> int:
        """The value that this part of them does not exceed, `part` 0 to 1; 0 of none."""
        values = self.spread.get(name, Counter())
        left = part * values.total()
        for value in sorted(values):
            left -= values[value]
            if left <= 0:
                return value
        return 0


def share(every: Sequence[One], seed: int, many: int) -> list[One]:
    """Which of them the story of that seed plays: at most so many, from everywhere; once each has been played they
    begin anew.
    """
    begin = (seed - 1) % -(-len(every) // many) * many
    return [every[place * JUMP % len(every)] for place in range(begin, min(begin + many, len(every)))]


def fates(places: Sequence[int], kinds: Iterable[str], count: int) -> list[tuple[tuple[int, str], ...]]:
    """All ways in which so many of these places meet one of those kinds each."""
    return [
        tuple(zip(some, each, strict=True))
        for some in combinations(places, count)
        for each in product(kinds, repeat=count)
    ]


def commit() -> str:
    """Of the work tree, with a + where something of its code is not committed; ? where that cannot be told, as in a
    copy within somebody else's.
    """
    try:
        if _git("rev-parse", "--show-prefix"):
            return "?"
        told = _git("rev-parse", "--short=10", "HEAD")
        return f"{told}+" if _git("status", "--porcelain", "--", *CODE, *BUILT_ON) else told
    except (OSError, subprocess.SubprocessError):
        return "?"


def code(folders: Iterable[str] = CODE) -> str:
    """The same for the same code in these folders, and what it is built on, whatever else has changed."""
    told = sha256(platform.python_version().encode())
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*")) if file.suffix in ENDINGS]
    for file in (*files, *(ROOT / name for name in BUILT_ON)):
        if FOREIGN not in file.parts and file.is_file():
            told.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes())
    return told.hexdigest()[:16]


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


def standing(trial: Trial, seed: int, of: str, folder: Path = KEPT) -> Standing | None:
    """What was written down of that part and code from that seed on; None if nothing was, or it cannot be read."""
    try:
        kept = json.loads(_file(trial, seed, of, folder).read_text("utf-8"))
        found = Standing(**kept)
        found.counts = Counter({what: int(count) for what, count in found.counts.items()})
        found.spread = {
            name: Counter({int(value): many for value, many in values.items()}) for name, values in found.spread.items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return found


def write_down(trial: Trial, done: Standing, folder: Path = KEPT) -> None:
    """At once or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    file = _file(trial, done.seed, done.code, folder)
    beside = file.with_suffix(".new")
    beside.write_text(json.dumps(vars(done), indent=1), "utf-8")
    beside.replace(file)


def _file(trial: Trial, seed: int, of: str, folder: Path) -> Path:
    return folder / f"{trial.name}-{seed}-{of}.json"


def told_of(trial: Trial, seed: int, folder: Path = KEPT) -> Path:
    """Where the traceback of that story's fault is."""
    return folder / f"{trial.name}-{seed}.txt"


def run(
    trial: Trial,
    goal: int,
    *,
    seed: int,
    stories: int = 0,
    until: float,
    workers: int,
    tell: Callable[[str], None],
    folder: Path = KEPT,
    of: str | None = None,
    usual_s: float = 0.0,
    anew: bool = False,
) -> Standing:
    """Play until `goal` is counted, or so many `stories` are played, or the monotonic instant `until` has come, or
    too many faults are found; a story under way is waited for.

    `tell` hears how it begins, and now and then how far it is; `of`: the code that is played, as `code` tells;
    `usual_s`: how long all of it took another time; `anew`: what was written down before does not count. Of each code
    something else is written down, and what is counted while the code changes bears a +. KeyboardInterrupt ends the
    stories that are under way.
    """
    of_code = code() if of is None else of
    this = of_code
    if missing := trial.misses():
        this += f"-without-{missing}"
        tell(f"{trial.name}: less is tried without {missing}, which is not here")
    done = None if anew else standing(trial, seed, this, folder)
    if done is None:
        changed = not anew and any(folder.glob(f"{trial.name}-{seed}-*.json"))
        done = Standing(commit(), this, seed, _now())
        tell(f"{trial.name}: begins{' anew, since the code has changed' if changed else ''}")
    else:
        tell(f"{trial.name}: goes on after {done.stories} {'story' if done.stories == 1 else 'stories'}")
    said = time.monotonic()
    with ProcessPoolExecutor(workers, get_context("spawn"), left_to_the_campaign) as pool, stories_of(pool):
        under_way: dict[Future[Outcome | str], tuple[int, float]] = {}
        seeds = _seeds(done)
        finished: dict[int, tuple[Outcome | str, float]] = {}
        due = done.seed + done.stories
        while True:
            while time.monotonic() < until and len(under_way) < workers and len(done.found) < FOUND_MOST:
                if _enough(done, trial, goal, stories, [one for one, _ in finished.values()], len(under_way)):
                    break
                next_seed = next(seeds)
                under_way[pool.submit(played, trial, next_seed, folder)] = next_seed, time.monotonic()
            if not under_way:
                break
            ready, _ = wait(under_way, timeout=SAID_EVERY_S, return_when=FIRST_COMPLETED)
            for future in ready:
                number, began = under_way.pop(future)
                finished[number] = _outcome(future), time.monotonic() - began
            while due in finished:  # in their order, so that what is written down is a beginning
                outcome, took_s = finished.pop(due)
                done.add(due, outcome)
                done.seconds += took_s
                due += 1
            write_down(trial, done, folder)
            if time.monotonic() - said > SAID_EVERY_S:
                said = time.monotonic()
                since = min((began for _, began in under_way.values()), default=said)
                tell(progress(trial, done, goal, stories, workers, said - since, until - said, usual_s))
            if any(isinstance(one.exception(), BrokenProcessPool) for one in ready):
                tell(f"{trial.name}: stopped after {done.stories}, since a program that played them ended")
                break
    if of is None and code() != of_code:
        done.commit = f"{done.commit.removesuffix('+')}+"
        write_down(trial, done, folder)
    return done


def _outcome(future: Future[Outcome | str]) -> Outcome | str:
    try:
        return future.result()
    except BrokenProcessPool:
        return (
            f"a program that played it, or another one beside it, ended by itself, or was not over within "
            f"{minutes(LONGEST_S)}"
        )


def _enough(
    done: Standing, trial: Trial, goal: int, stories: int, finished: Sequence[Outcome | str], under_way: int
) -> bool:
    """Whether those under way are, if a story counts what others have counted so far. `finished`: before their turn."""
    played = done.stories + len(finished)
    if stories:
        return played + under_way >= stories
    if trial.every and played + under_way >= -(-trial.every // trial.a_story):
        return True  # each has its story, also where that found a fault
    whole = [one for one in finished if isinstance(one, Outcome)]
    counts = done.counts[trial.counted] + sum(one.counts.get(trial.counted, 0) for one in whole)
    faulty = len(done.found) + len(finished) - len(whole)
    return counts + counts * under_way / max(1, played - faulty) >= goal


def _seeds(done: Standing) -> Iterator[int]:
    number = done.seed + done.stories
    while True:
        yield number
        number += 1


def played(trial: Trial, seed: int, folder: Path) -> Outcome | str:
    """What that story counted, or the fault that it found, on one line and with the line of ours that met it; `folder`
    has its traceback then. One that hangs says where, and ends this process.
    """
    whole = told_of(trial, seed, folder)
    whole.unlink(missing_ok=True)
    faulthandler.dump_traceback_later(LONGEST_S, exit=True)
    try:
        with Stoppable():
            return trial.play(seed)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:  # noqa: BLE001  # whatever it is, it was found; a power cut is no Exception
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text("".join(traceback.format_exception(fault)), "utf-8")
        frames = traceback.extract_tb(fault.__traceback__)
        where = next((one for one in reversed(frames) if _is_ours(Path(one.filename))), frames[-1])
        said = " ".join(str(fault).split())
        return f"{type(fault).__name__}: {said} ({Path(where.filename).name}:{where.lineno})"
    finally:
        faulthandler.cancel_dump_traceback_later()


def _is_ours(file: Path) -> bool:
    return file.is_relative_to(ROOT) and "site-packages" not in file.parts


def progress(
    trial: Trial,
    done: Standing,
    goal: int,
    stories: int,
    workers: int,
    longest_s: float,
    given_s: float = float("inf"),
    usual_s: float = 0.0,
) -> str:
    """How far it is, and when it will be over. `stories`: so many, 0: until `goal` is counted; `longest_s`: since when
    one is under way; `given_s`: how long it may still begin another; `usual_s`: how long all took another time, 0 if
    nobody knows.
    """
    counted, every, what = (
        (done.stories, stories, "stories") if stories else (done.counts[trial.counted], goal, trial.counted)
    )
    found = "" if not done.found else f", {len(done.found)} fault{'s'[: len(done.found) != 1]} found"
    so_far = f"{trial.name}: {counted:,} of {every:,} {what}{found}"
    if not counted and usual_s > longest_s:
        return f"{so_far}, about {minutes(usual_s - longest_s)} left if it is as the page has it"
    if not counted:
        return f"{so_far}, the first story has been played for {minutes(longest_s)}"
    side_by_side = max(1, min(workers, every - counted)) if stories else workers
    left_s = max(0, every - counted) * done.seconds / counted / side_by_side
    if left_s > given_s:
        return f"{so_far}, about {minutes(left_s)} left, and it is stopped in {minutes(max(0, given_s))}"
    return f"{so_far}, about {minutes(left_s)} left"


def minutes(seconds: float) -> str:
    """As a person says it."""
    many = max(1, round(seconds / 60))
    return f"{many} minute{'s'[: many != 1]}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="minutes")
