"""How commands talk: JSON lines for programs, aligned columns for people, a word to whoever waits, and commands that
work when they are pasted, as this program was started.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from dalej.errors import Command, DalejError, Sayable
from dalej.hints import EVENT, TO_FILL_IN
from dalej.words import N_, _

_ANY: Final = 10_000  # characters of a sentence that are shown
_SHORTEST: Final = 3  # letters of a command's name
_NARROWEST: Final = 12  # columns that a cell keeps when it is broken


class Group(click.Group):
    """Its list says the first sentence of each command whole, on as many lines as that takes; click would cut it. The
    first letters of a name are enough, three of them and more, where no other name begins so.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and len(args[0]) >= _SHORTEST:
            meant = [name for name in known if name.startswith(args[0])]
            args = [*meant, *args[1:]] if len(meant) == 1 else args
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What click itself would name in English is named in the reader's language."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            found.options_metavar = _("[OPTIONS]")
            for one in found.params:
                if isinstance(one.type, click.IntRange | click.FloatRange | click.types.IntParamType):
                    one.type.name = _("NUMBER").lower()
        if isinstance(found, click.Group):
            found.subcommand_metavar = _("COMMAND [ARGS]...")
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        known = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        shown = [(name, one) for name, one in known if one is not None and not one.hidden]
        write_commands(formatter, _("Commands"), shown)


def write_commands(formatter: click.HelpFormatter, heading: str, commands: Iterable[tuple[str, click.Command]]) -> None:
    """A part of a list of commands, the first sentence of each whole."""
    with formatter.section(heading):
        formatter.write_dl([(name, one.get_short_help_str(_ANY)) for name, one in commands])


def json_line(data: Mapping[str, object]) -> None:
    """One object, one line; keys and values never translate."""
    click.echo(json_text(data, None if sys.stdout is None else sys.stdout.encoding))


def json_text(data: Mapping[str, object], encoding: str | None) -> str:
    """For a stream of that encoding: JSON is UTF-8, and where that is not what is written, ASCII is both."""
    text = json.dumps(data, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # what the system could not decode, such as a part of a file's name
        return json.dumps(data)
    return text if encoding is None or codecs.lookup(encoding).name == "utf-8" else json.dumps(data)


def say_wrapped(text: str) -> None:
    """A sentence, broken at words where the screen ends."""
    room = _room()
    for line in text.split("\n"):
        click.echo("\n".join(_wrapped(line, room)) if room else line)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = (), wraps: Sequence[int] = ()
) -> None:
    """Columns as wide as what is in them is shown; `numbers`: those aligned to the right. `wraps`: those whose long
    cells are broken at words where a terminal has no room for them; in a file every row stays one line.
    """
    from rich.cells import cell_len  # noqa: PLC0415 -- most commands print no table

    whole = [list(headings), *(list(row) for row in rows)]
    widths = [max(cell_len(line[column]) for line in whole) for column in range(len(headings))]
    if wraps:
        _narrow(widths, wraps, _room())
    lines = [part for line in whole for part in _parts(line, widths)] if wraps else whole
    for line in lines:
        cells = []
        for column, (cell, width) in enumerate(zip(line, widths, strict=True)):
            space = " " * (width - cell_len(cell))
            cells.append(space + cell if column in numbers else cell + space)
        click.echo("  ".join(cells).rstrip())


def _room() -> int:
    """Columns of the terminal, 0 where there is none."""
    return shutil.get_terminal_size((0, 0)).columns


def _narrow(widths: list[int], wraps: Sequence[int], room: int) -> None:
    """Takes from the widest of `wraps` until the line fits into `room`; 0: there is no end to it."""
    while room and sum(widths) + 2 * (len(widths) - 1) > room:
        widest = max(wraps, key=lambda column: widths[column])
        if widths[widest] <= _NARROWEST:
            return
        widths[widest] -= 1


def _parts(cells: Sequence[str], widths: Sequence[int]) -> Iterable[list[str]]:
    """One row as the lines it takes."""
    wrapped = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    return [list(line) for line in zip_longest(*wrapped, fillvalue="")]


def _wrapped(text: str, width: int) -> list[str]:
    """Lines that a terminal shows on so many columns; a word that is longer than one goes on on the next."""
    from rich.cells import cell_len, chop_cells  # noqa: PLC0415 -- as above

    if cell_len(text) <= width:
        return [text]
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines += chop_cells(word, max(width, 1))
    return lines if lines[0] else lines[1:]


@contextmanager
def bar(*, stays: bool) -> Iterator[Callable[[str, int, int], None]]:
    """How far something has come, on one line of a terminal: the words, and so many of all; 0: nobody knows how many.
    `stays`: also when it is over.
    """
    from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415 -- slow to load

    with Progress(TextColumn("{task.description}", markup=False), BarColumn(), transient=not stays) as progress:
        task = progress.add_task("", total=None, visible=False)

        def show(words: str, done: int, of: int) -> None:
            progress.update(task, description=words, completed=done, total=of or None, visible=True)

        yield show


def clock_time(ms: int) -> str:
    """Hours, minutes, seconds and milliseconds since the start."""
    hours, rest = divmod(ms, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    start = f"{hours}:{minutes:02d}" if hours else f"{minutes}"
    return f"{start}:{rest // 1000:02d}.{rest % 1000:03d}"


def example(*lines: str) -> str:
    """The end of a help text: how the command is used."""
    told = (_REASON.sub(lambda found: f'{found[1]} "{_(found[2])}"', line) for line in lines)
    told = (_ANSWER.sub(lambda found: f"{found[1]} {_(found[2])}", line) for line in told)
    told = (translated_files(line) for line in told)
    return "\b\n{label}\n  {lines}".format(label=_("Example:"), lines="\n  ".join(told))


def translated_files(line: str) -> str:
    """A command of a help text with its files as the reader's language calls them."""
    return _FILE.sub(lambda found: _(found[0]), line)


_FILE: Final = re.compile(r"[\w-]+\.(?:dalej|csv|xlsx|pdf|png)")
# Files of the examples, as people call them.
_FILES: Final = (
    N_("league.dalej"), N_("cup.dalej"), N_("sign-ups.csv"), N_("sign-ups.xlsx"), N_("round-1.csv"), N_("round-1.xlsx"),
    N_("turns.csv"), N_("turns.xlsx"), N_("league.xlsx"), N_("cup-form.xlsx"), N_("cards.pdf"), N_("card.pdf"),
    N_("elimination.dalej"), N_("league-copy.dalej"), N_("our.dalej"), N_("rehearsal.dalej"), N_("school.png"),
)  # fmt: skip
_ANSWER: Final = re.compile(r"(--consent) (yes|no)")
_REASON: Final = re.compile(r'(--why|--anyway) "([^"]+)"')
# Reasons of the examples, which are people's own words.
_REASONS: Final = (
    N_("B and C were exchanged"), N_("the 3 is an 8"), N_("the time was over"), N_("a second time"),
    N_("talks to other tables"), N_("table 3 was read as table 2"), N_("entered twice"), N_("the game between them"),
    N_("the tile was drawn first"), N_("wrong table"), N_("no box here"), N_("could not be put back"),
    N_("game 3 of table 5 was copied wrongly"), N_("all sets were valid"), N_("the box was passed on late"),
    N_("seen by the referee"),
)  # fmt: skip


# For our own processes: a Python that obeys no variables, as that of the zip for Windows, would write in a code page.
IN_UTF8: Final = ("-X", "utf8")


def completed_by_files(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Behind Tab: the shell's own names of files."""
    return [CompletionItem(typed, type="file")]


NAME: Final = "dalej"
POSIX: Final = os.name != "nt"


def command_line(*arguments: str) -> str:
    """`dalej` with these arguments as a shell takes it: by its path or as `python -m dalej`, if it was begun so."""
    words = [*_started(sys.argv[0], sys.orig_argv[0]), *arguments]
    return shlex.join(words) if POSIX else subprocess.list2cmdline(words)


def named(*arguments: str) -> str:
    """The same as a word of a sentence, between quotation marks where the reader's language puts them; a command on a
    line of its own, or behind a colon, stands bare, to be copied.
    """
    return _quoted(command_line(*arguments))


def _quoted(line: str) -> str:
    return _("{command}").format(command=line)


def _started(program: str, python: str) -> Sequence[str]:
    path = Path(program)
    if path.name == "__main__.py":
        return [python, "-m", NAME]
    if path.stem != NAME or path.name == program:  # somebody else's program that calls this one, or found by its name
        return [NAME]
    found = shutil.which(NAME)
    return [NAME] if found is not None and Path(found).resolve() == path.resolve() else [program]


def name_commands(problem: DalejError, event: str = "") -> DalejError:
    """The same, with the commands in its hint, and in those of errors within it, as they are typed here."""
    for inner in problem.data.values():
        if isinstance(inner, DalejError):
            name_commands(inner, event)
    if problem.hint is not None:
        data = {name: _in_words(value, event) for name, value in problem.hint.data.items()}
        problem.hinted(problem.hint.template, **data)
    return problem


def _in_words(value: Sayable, event: str) -> Sayable:
    if isinstance(value, Command):
        return _quoted(typed_here(value, event))
    if isinstance(value, tuple) and (steps := [one for one in value if isinstance(one, Command)]):
        return _(", then ").join(_quoted(typed_here(one, event)) for one in steps)
    return value


def typed_here(command: Command, event: str) -> str:
    """The command as a shell takes it."""
    context = click.get_current_context(silent=True)
    given = context.find_root().obj if command.again and context is not None else None
    words = (event if word == EVENT else _(word) if word in TO_FILL_IN else word for word in command.words)
    return command_line(*_without(given or (), command.words), *words)


def _without(given: Sequence[str], words: Sequence[str]) -> list[str]:
    """What was typed but for the options that follow anew."""
    valued = {
        word: not (words[place + 1 : place + 2] or ["--"])[0].startswith("--")
        for place, word in enumerate(words)
        if word.startswith("--")
    }
    kept: list[str] = []
    skips = False
    for word in given:
        name, sign, _value = word.partition("=")
        if skips:
            skips = False
        elif name in valued:
            skips = valued[name] and not sign
        else:
            kept.append(word)
    return kept


def ask(question: str, default: str = "", *, err: bool = False) -> str:
    """What somebody answers, "" for Enter alone where there is no `default`. Behind a question mark stands no colon."""
    return str(click.prompt(
        question, default=default, show_default=bool(default), err=err, prompt_suffix=suffix(question)
    ))  # fmt: skip


def ask_until(question: str, *, err: bool = False) -> str:
    """The same, asked again until something is answered."""
    while not (answer := ask(question, err=err).strip()):
        click.echo(_("An answer is needed here; Ctrl-C stops."), err=err)
    return answer


def suffix(question: str) -> str:
    """What stands between a question and its answer."""
    return " " if question.rstrip().endswith(("?", "]")) else ": "


MOMENT_S: Final = 2.0


def is_terminal() -> bool:
    """Whether somebody can be asked here and read the question."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def begin(sentence: str) -> None:
    """Say at once what is done; a file or another program is told nothing."""
    if _is_watched():
        click.echo(sentence, err=True)


@contextmanager
def after_a_moment(sentence: str, moment_s: float = MOMENT_S) -> Iterator[None]:
    """Say it if the block takes longer than a moment."""
    if not _is_watched():
        yield
        return
    timer = threading.Timer(moment_s, click.echo, [sentence], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
