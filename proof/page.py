"""docs/proof.md: what the campaign counted is written into its page by this, and by nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from proof.campaign import ROOT, Standing, Trial

PAGE: Final = ROOT / "docs" / "proof.md"
QUANTILES: Final = {"half of them": 0.5, "99 of 100": 0.99, "999 of 1,000": 0.999}
"""Of what is spread."""


def renewed(text: str, trial: Trial, done: Standing) -> str:
    """The page with that part's table as it is now. ValueError if the page has no place for it."""
    begins, ends = f"<!-- {trial.name} -->\n", "<!-- end -->"
    before, found, after = text.partition(begins)
    _, also, rest = after.partition(ends)
    if not found or not also:
        raise ValueError(f"{PAGE.name} has no place for {trial.name}: expected {begins.strip()} and {ends}")
    return f"{before}{begins}{table(trial, done)}\n{ends}{rest}"


def table(trial: Trial, done: Standing) -> str:
    """A line for each number, then where they come from."""
    if done.beside:
        lines = [
            "| | Dalej | instead | Dalej / instead |",
            "|---|---|---|---|",
            *(f"| {' | '.join(row)} |" for row in done.beside),
        ]
    else:
        lines = ["| counted | |", "|---|---|"]
        lines += [f"| {what} | {value} |" for what, value in _rows(trial, done)]
    seeds = f"seeds {done.seed} to {done.seed + done.stories - 1}"
    lines += ["", f"`{command(trial, done)}`: commit {done.commit}, {seeds}, {done.began[:10]}, "]
    lines[-1] += f"{_long(done.seconds)} if one story follows the other."
    if done.found:
        lines += ["", "Found:", "", *(f"- {each}" for each in done.found)]
    return "\n".join(lines)


def command(trial: Trial, done: Standing) -> str:
    """What makes these numbers again."""
    return f'make proof ARGS="{trial.name} --stories {done.stories} --seed {done.seed}"'


def _rows(trial: Trial, done: Standing) -> Iterator[tuple[str, str]]:
    for what, count in done.counts.items():
        of_all = f" of {trial.every:,}" if trial.every and what == trial.counted else ""
        yield what, f"{count:,}{of_all}"
    for what in done.spread:
        for words, part in QUANTILES.items():
            yield f"{what}: {words} at most", f"{done.quantile(what, part) / 1_000:.2f} ms"
    for what, value in done.worst.items():
        yield what, f"{value:,.2f}".removesuffix(".00")
    yield "**faults found**", f"**{len(done.found)}**"


def _long(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"


def usual_s(text: str, trial: Trial, goal: int, stories: int) -> float:
    """How long so much took when the page was written, in s if one story follows the other; 0 if it does not tell.
    `stories`: so many, 0: until `goal` is counted.
    """
    told = re.search(rf"<!-- {trial.name} -->(.*?)<!-- end -->", text, re.DOTALL)
    took = told and re.search(r"--stories (\d+) .*, (?:(\d+) h )?(\d+) (min|s) if one story", told[1])
    if not told or not took:
        return 0.0
    seconds = int(took[2] or 0) * 3_600 + int(took[3]) * (60 if took[4] == "min" else 1)
    counted = re.search(rf"^\| {trial.counted} \| ([\d,]+)", told[1], re.MULTILINE)
    if stories or counted is None:
        return seconds * max(1, stories) / int(took[1])
    return seconds * goal / int(counted[1].replace(",", ""))
