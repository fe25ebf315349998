"""How far a board is written, on one line."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

import click

from dalej.provision import flash
from dalej.words import _, ngettext


class ProgressLine:
    """Progress on one line of a terminal; in a file only what was begun."""

    def __init__(self) -> None:
        self._shown = ""
        self._live = sys.stdout is not None and sys.stdout.isatty()

    def percent(self, what: str, percent: int) -> None:
        said = {flash.MICROPYTHON: _("Writing MicroPython"), flash.FILES: _("Erasing, then writing the firmware")}
        self._show(f"{said[what]} … {percent} %" if self._live else f"{said[what]} …")

    def file(self, path: str, done: int, of: int) -> None:
        if self._live:
            self._show(_("Copying {path} ({number} of {all})").format(path=path, number=done + 1, all=of))
        else:
            self._show(ngettext("Copying {count} file …", "Copying {count} files …", of).format(count=of))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown and self._live:
            click.echo()  # what follows, an error too, begins on a line of its own

    def _show(self, text: str) -> None:
        if text == self._shown:
            return
        if self._live:
            click.echo("\r" + text.ljust(len(self._shown)), nl=False)
        else:
            click.echo(text)
        self._shown = text
