"""`dalej` with nothing behind it, in a terminal: the events of this folder, a new one, or the demo. What is chosen here
is done as if its command had been typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import click

from dalej.cli import event
from dalej.cli.decision import opened
from dalej.cli.eventfile import SUFFIX, events, last_used
from dalej.cli.terminal import ask, command_line, suffix, table
from dalej.clock import SystemClock
from dalej.domain.game.sentences import local
from dalej.domain.rules.options import ROUNDS, option
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError
from dalej.office.opening import proper_date
from dalej.office.paper.naming import round_day
from dalej.office.players import folded, proper_name
from dalej.rulesets import rulebook
from dalej.words import _, day_shown, readable, said

NEW, DEMO, QUIT = "n", "d", "q"
_FIRST_RULESET: Final = "school-league"

Do = Callable[[Sequence[str]], object]


class Found(NamedTuple):
    """An event of the folder: its day, the latest that is known; its name, and how it stands."""

    day: str
    name: str
    stands: str
    file: str


def page(do: Do) -> object:
    """Show it, ask, and `do` the command that was chosen."""
    there = found(Path())
    click.echo(_("Dalej – the events of this folder"))
    click.echo()
    if there:
        rows = [
            [str(at), day_shown(one.day) or "–", one.name, one.stands, readable(one.file)]
            for at, one in enumerate(there, 1)
        ]
        table(["", _("date"), _("event"), _("how it stands"), _("file")], rows, numbers=(0,), wraps=(2, 3))
    else:
        click.echo(_("There is none yet."))
    click.echo()
    for key, words in (
        (NEW, _("a new event")), (DEMO, _("a demo: a hall of simulated tables")), (QUIT, _("quit")),
    ):  # fmt: skip
        click.echo(f"{key}  {words}")
    click.echo()
    numbers = [str(at) for at in range(1, len(there) + 1)]
    chosen = _ask(_("Which one?"), [*numbers, NEW, DEMO, QUIT], (numbers or [NEW])[0])
    if chosen == QUIT:
        return 0
    if chosen == DEMO:
        return do(["demo"])
    if chosen == NEW:
        file = _begin(do)
        ask(_("Enter opens it"))
        return do(["screen", "--", file])
    return do(["screen", "--", there[int(chosen) - 1].file])


def found(folder: Path) -> list[Found]:
    """The events there, the one used last first, then the latest; what cannot be read says why."""
    last = last_used()
    return sorted((_found(file) for file in events(folder)), key=lambda one: (one.file == last, one.day), reverse=True)


def _found(file: Path) -> Found:
    try:
        with opened(str(file), "") as held:
            state = held.state()
    except DalejError as problem:
        return Found("", "", said(problem), str(file))
    return Found(_day(state), readable(state.name), event.now_words(state), str(file))


def _day(state: Tournament) -> str:
    return max([state.date, *(round_day(state, key) for key in state.rounds)])


def _begin(do: Do) -> str:
    """Ask what must be known of a new event, and make it; its file."""
    called = _("What is the event called?")
    name = click.prompt(called, value_proc=_asked_again(proper_name), prompt_suffix=suffix(called))
    known = rulebook.available()
    click.echo(_("By which regulation is it played?"))
    for at, ruleset in enumerate(known, 1):
        click.echo(f"  {at}  {readable(rulebook.load(ruleset).title)}")
    first = str(known.index(_FIRST_RULESET) + 1)
    ruleset = known[int(_ask(_("Number"), [str(at) for at in range(1, len(known) + 1)], first)) - 1]
    today = local(SystemClock().wall_ms()).date().isoformat()
    when = _("On which day?")
    day = click.prompt(when, default=day_shown(today), value_proc=_asked_again(proper_date), prompt_suffix=suffix(when))
    file = _file_for(name)
    steps = [["event", "new", "--ruleset", ruleset, "--name", name, "--date", day, "--", file]]
    if rounds := _rounds(rulebook.load(ruleset)):
        steps.append(["event", "set", "--yes", "--", file, ROUNDS, rounds])
    click.echo()
    for typed in steps:
        click.echo(f"  {command_line(*typed)}")
    for typed in steps:
        do(typed)
    return file


def _rounds(ruleset: Ruleset) -> str:
    """How many are to be played, "" for as many as the regulation says: asked where one stage is all there is."""
    if len(ruleset.stages) > 1:
        return ""
    how_many, usual = _("How many rounds are to be played?"), str(ruleset.stages[0].rounds)

    def reads(text: str) -> str:
        option(ruleset, ROUNDS, text)  # says what is wrong with it
        return str(int(text))

    given = click.prompt(how_many, default=usual, value_proc=_asked_again(reads), prompt_suffix=suffix(how_many))
    return "" if given == usual else str(given)


def _asked_again(reads: Callable[[str], str]) -> Callable[[str], str]:
    """What it reads; whatever is wrong with the answer is said, and the question asked once more."""

    def read(text: str) -> str:
        try:
            return reads(text)
        except DalejError as problem:
            raise click.BadParameter(said(problem)) from None

    return read


def _ask(question: str, answers: Sequence[str], default: str) -> str:
    """One of these, in whatever case."""
    while True:
        answer = ask(question, default).strip().lower()
        if answer in answers:
            return answer
        click.echo(_("Expected one of these: {answers}").format(answers=", ".join(answers)))


def _file_for(name: str) -> str:
    """`liga-lesna.dalej`, or with a number where there is one already."""
    stem = "-".join(re.findall("[a-z0-9]+", folded(name))) or "dalej"
    names = (f"{stem}{SUFFIX}" if number == 1 else f"{stem}-{number}{SUFFIX}" for number in count(1))
    return next(file for file in names if not Path(file).exists())
