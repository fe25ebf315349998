"""docs/proof.md: what the campaign counted is written into its page by this, and by nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from proof.campaign import ROOT, Standing, Trial

PAGE: Final = ROOT / "docs" / "proof.md"
ENDS: Final = "<!-- end -->"
QUANTILES: Final = {"half of them": 0.5, "99 of 100": 0.99, "999 of 1,000": 0.999}
"""Of what is spread."""


def renewed(text: str, trial: Trial, done: Standing) -> str:
    """The page with that part's table as it is now. ValueError if the page has no place for it."""
    before, _, rest = _place(text, trial)
    if not rest:
        raise ValueError(_no_place(trial))
    return f"{before}{table(trial, done)}\n{rest}"


def _place(text: str, trial: Trial) -> tuple[str, str, str]:
    """What stands before that part's table, the table, what stands after it; the marks around it are none of the table.
    Nothing after it: the page has no place for it.
    """
    before, begins, after = text.partition(f"<!-- {trial.name} -->\n")
    told, ends, rest = after.partition(ENDS)
    return before + begins, told, ends + rest


def _no_place(trial: Trial) -> str:
    return f"{PAGE.name} has no place for {trial.name}: expected <!-- {trial.name} --> and {ENDS}"


def unfit(text: str, trials: Sequence[Trial], commit: str) -> str:
    """Why what these parts count at that commit could not be written into that page, as a sentence; "" if it can."""
    if commit == "?" or commit.endswith("+"):
        return f"{PAGE.name} tells by which commit anybody counts the same again, expected no changes to it"
    return next((_no_place(trial) for trial in trials if not _place(text, trial)[-1]), "")


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
        lines += ["", "Found:", "", *(f"- {each.replace('<', '&lt;')}" for each in done.found)]
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
    _, told, _ = _place(text, trial)
    took = re.search(r"--stories (\d+) .*, (?:(\d+) h )?(\d+) (min|s) if one story", told)
    if not took:
        return 0.0
    seconds = int(took[2] or 0) * 3_600 + int(took[3]) * (60 if took[4] == "min" else 1)
    many = counted(text, trial)
    return seconds * max(1, stories) / int(took[1]) if stories or not many else seconds * goal / many


def counted(text: str, trial: Trial) -> int:
    """How much of what that part counts the page has; 0 if it does not tell."""
    _, told, _ = _place(text, trial)
    found = re.search(rf"^\| {trial.counted} \| ([\d,]+)", told, re.MULTILINE)
    return int(found[1].replace(",", "")) if found else 0
