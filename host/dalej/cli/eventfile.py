"""Which event a command is about: the file that was typed, else the event used last in this folder, else the only one
that lies in it.

What was used last is kept in the user's own state folder, a small file for each folder; nothing is written into an
event, nor beside it. Copies of closed rounds are looked at, and never what a command without a name goes on with.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any, Final

import click

from dalej import drafts
from dalej.boxes.folder import state_folder
from dalej.cli.terminal import completed_by_files, name_commands
from dalej.errors import DalejError, WrongInput
from dalej.words import N_, _, readable

SUFFIX: Final = ".dalej"
COPY: Final = ".backup.dalej"  # of a closed round, beside its event
_LEFT_OUT: Final = "\0"  # in the place of the event: no shell can type it
_MAGIC: Final = b"SQLite format 3\0"
_PARAMETER: Final = "event"
# What people call an option, by what it is called.
_ALSO_CALLED: Final = dict.fromkeys(
    ("--klasa", "--grupa", "--szkola", "--szkoła", "--class", "--school", "--classe", "--gruppo", "--scuola"), "--group"
)


_NO_MELD: Final = "-:"  # a rack that counts all the same, as `-:30` for 30 points: no option is called so
_MINUS: Final = "\u2212"


class EventCommand(click.Command):
    """A command on an event, whose file comes first and may be left out.

    The first word is the event if it ends in .dalej, if such a file is there, or if the command has no place for it
    otherwise; all other words are the command's own.
    """

    def __init__(self, name: str, *, params: Sequence[click.Parameter] = (), **more: Any) -> None:
        super().__init__(name, params=[event_argument(may_lack=True), *params], **more)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = [one.replace("-", _MINUS, 1) if one.startswith(_NO_MELD) else one for one in args]
        try:
            if (args or not self.no_args_is_help) and not ctx.resilient_parsing and not self._names_event(ctx, args):
                args = [_LEFT_OUT, *args]
            return super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            meant = _ALSO_CALLED.get(problem.option_name.casefold())
            if meant is None or not any(meant in one.opts for one in self.params):
                raise
            raise click.NoSuchOption(meant, problem.message, [meant], problem.ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Only now: whatever else is wrong with the command is said before it is asked which event is meant."""
        ctx.params[_PARAMETER] = event = settled(ctx.params[_PARAMETER])
        try:
            return super().invoke(ctx)
        except DalejError as problem:
            name_commands(problem, event)
            raise

    def _names_event(self, ctx: click.Context, args: list[str]) -> bool:
        options = [one for one in self.params if isinstance(one, click.Option)]
        words = click.Argument(["words"], nargs=-1)
        given, _rest, _order = click.Command(self.name, params=[*options, words]).make_parser(ctx).parse_args([*args])
        typed = given["words"]
        if not isinstance(typed, tuple) or not typed:
            return False
        if len(typed) == 1 and self._needs_file() and not Path(typed[0]).exists():
            return False
        return is_event(typed[0]) or len(typed) > self._room()

    def _needs_file(self) -> bool:
        """Whether it cannot do without a file besides the event: a single name that is none yet is that."""
        return any(one.name == "file" and one.required for one in self.params if isinstance(one, click.Argument))

    def _room(self) -> float:
        """Words that it has a place for besides the event."""
        others = [one.nargs for one in self.params if isinstance(one, click.Argument) and one.name != _PARAMETER]
        return inf if -1 in others else sum(others)


def is_left_out(event: str | None) -> bool:
    """Whether no event was typed."""
    return event is None or event == _LEFT_OUT


def event_argument(*, may_lack: bool = False) -> click.Argument:
    """An event's file, which Tab completes. `may_lack`: the help says that it may be left out."""
    mark = _("EVENT")
    return click.Argument(
        [_PARAMETER], required=not may_lack, metavar=f"[{mark}]" if may_lack else mark,
        shell_complete=completed_by_files,
    )  # fmt: skip


def settled(event: str | None) -> str:
    """The event that was typed, from now on the one used last here; where none was, the one that is meant, said on
    stderr. WrongInput if nobody can know which.
    """
    if event is not None and not is_left_out(event):
        remember(event)
        return event
    meant = usual()
    click.echo(_("Event: {file}").format(file=readable(meant)), err=True)
    return meant


def is_event(word: str) -> bool:
    """Whether this can be nothing but the name of an event's file."""
    if word.lower().endswith(SUFFIX):
        return True
    try:
        with Path(word).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False


def usual() -> str:
    """The event used last in this folder, else the only one that lies in it; WrongInput if there is none such."""
    last = last_used()
    if last is not None:
        if not Path(last).is_file():
            raise WrongInput(
                N_("{file}, the event used last in this folder, is not there any more: expected which event is meant, "
                   "as a file such as league.dalej"),
                file=last,
            )  # fmt: skip
        return last
    there = [file.name for file in events(Path())]
    if not there:
        raise WrongInput(
            N_("there is no event in this folder: expected which one is meant, as a file such as league.dalej")
        )
    if len(there) > 1:
        raise WrongInput(N_("this folder holds several events: expected which one is meant: {files}"),
                         files=", ".join(there))  # fmt: skip
    return there[0]


def events(folder: Path) -> list[Path]:
    """The events that lie there, without the copies of closed rounds."""
    return [file for file in sorted(folder.glob(f"*{SUFFIX}")) if not file.name.endswith(COPY) and file.is_file()]


def last_used() -> str | None:
    """The event used last in this folder, by its shortest name from here; None if none has been."""
    folder = Path.cwd()
    try:
        kept = json.loads(_kept(folder).read_bytes())
        if kept["folder"] != str(folder):
            return None
        file = Path(kept["event"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return str(file.relative_to(folder)) if file.is_relative_to(folder) else str(file)


def remember(event: str) -> None:
    """From now on it is the one used last in this folder. Not a copy of a closed round, nor what is no event; and where
    that cannot be kept, nothing happens.
    """
    if not Path(event).is_file() or not is_event(event) or event.endswith(COPY):
        return
    with suppress(OSError, ValueError):
        folder = Path.cwd()
        file, text = _kept(folder), json.dumps({"folder": str(folder), "event": str(Path(event).resolve())})
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            return
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        drafts.write(file, text.encode())


def _kept(folder: Path) -> Path:
    return state_folder() / "last-events" / f"{sha256(bytes(folder)).hexdigest()[:32]}.json"
