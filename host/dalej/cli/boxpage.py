"""`dalej box page`: the clock of one table as a page that any browser plays, without a box and without a desk."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from dalej.boxes.firmware.tree import compiled, sources
from dalej.boxes.page.onefile import one_file, worker
from dalej.cli.terminal import example
from dalej.errors import Unreachable
from dalej.office.paper import formats
from dalej.words import N_, _, cause

INDEX: Final = "index.html"
WORKER: Final = "worker.js"


def page_command() -> click.Command:
    """`dalej box page`."""
    return click.Command(
        "page", callback=page,
        params=[
            click.Argument(["folder"], metavar=_("FOLDER")),
            click.Option(["--overwrite"], is_flag=True, help=_("Replace what an earlier page left in FOLDER.")),
        ],
        help=_("Write the clock of one table as a page: for a tablet in the middle of the table, or a phone beside the "
               "stack. Any web server, or the device's own storage, can hold the folder; it needs no network and no "
               "desk."),
        epilog=example("dalej box page clock"),
    )  # fmt: skip


def page(folder: str, overwrite: bool) -> None:
    """Make it, say where it is."""
    file = Path(folder) / INDEX
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unreachable(N_("{file} cannot be written: {problem}"), file=folder, problem=cause(error)) from error
    text = one_file(compiled(sources()))
    formats.save(file, {".html": text.encode}, overwrite=overwrite)
    formats.save(file.with_name(WORKER), {".js": worker(text).encode}, overwrite=True)
    click.echo(_("{file} is written: open it in a browser.").format(file=file))
