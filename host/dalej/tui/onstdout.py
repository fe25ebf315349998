"""A driver for where standard error goes into a file: the picture is painted on standard output.

Textual paints on standard error, so that what a program prints can be piped; nothing is printed here.
"""

from __future__ import annotations

import sys

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


class OnStdout(LinuxDriver):
    """Of terminals that are none of Windows."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file = sys.__stdout__
