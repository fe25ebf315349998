"""`dalej box image`: what a board's flash would hold, as a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import click

from dalej import drafts
from dalej.cli.boxbuild import (
    build_option,
    built_with,
    given_micropython,
    known_box,
    kostka_option,
    micropython_option,
    paired,
)
from dalej.cli.output import example, table
from dalej.club.boxes import OwnBoxes
from dalej.club.folder import club_folder
from dalej.errors import WrongInput
from dalej.provision import flash, tree
from dalej.provision.flash import Part
from dalej.provision.micropython import CHIPS, MicroPython
from dalej.provision.tree import Tree
from dalej.words import N_, _, ngettext
from moveclock import identity
from moveclock.identity import Identity

_UID_DIGITS: Final = 2 * identity.UID


def image_command() -> click.Command:
    """`dalej box image`."""
    return click.Command(
        "image", callback=image,
        params=[
            click.Argument(["file"], metavar=_("FILE")),
            micropython_option(_("Put this MicroPython before the files, so that FILE is the whole flash.")),
            click.Option(["--chip"], type=click.Choice(list(CHIPS)),
                         help=_("The board's chip; a MicroPython for another one is refused.")),
            click.Option(["--flash-size"], metavar=_("SIZE"), default="4MB", show_default=True,
                         help=_("How much flash the board has: {sizes}.").format(sizes=", ".join(flash.SIZES))),
            build_option(), kostka_option(),
            click.Option(["--uid"], metavar=_("UID"),
                         help=_("Pair it too: FILE is for the board with this uid alone, and holds its secret.")),
        ],
        help=_("Write the flash image of a box to FILE without a board; the same files make the same bytes."),
        epilog=example("dalej box image files.img", "dalej box image box.img --micropython ESP32_GENERIC.bin",
                       "dalej box image box7.img --micropython ESP32_GENERIC.bin --uid 240ac4001207"),
    )  # fmt: skip


def image(
    file: str, micropython: str | None, chip: str | None, flash_size: str, build: str | None, kostka: bool | None,
    uid: str | None,
) -> None:  # fmt: skip
    """Build it, write it, say what is where."""
    size = _size(flash_size)
    base = given_micropython(micropython, chip)
    address = None if uid is None else _uid(uid)
    firmware = tree.compiled(tree.sources())
    flash.parts(firmware.files, size, base)  # refused before there is a club for it
    with _new_file(Path(file), secret=address is not None) as make:
        if address is None:
            who = Identity(built_with(build, kostka, None))
        else:
            who = paired(address, built_with(build, kostka, known_box(OwnBoxes(club_folder()), address)))
        parts = flash.parts(flash.files_of(firmware, who), size, base)
        data = flash.whole(parts) if base else parts[0].data
        make(data)
    whole = Part("image", 0 if base else parts[0].offset, data)
    rows = [_row(part, _what(part, base, firmware)) for part in (parts if base else [])]
    table([_("offset"), _("what"), _("bytes"), _("SHA-256")], [*rows, _row(whole, file)], numbers=(2,))
    click.echo(
        _("It belongs at {offset:#x} of {size} of flash: esptool write-flash {offset:#x} {file}").format(
            offset=whole.offset, size=flash_size, file=file
        )
    )
    if who.secret:
        click.echo(_("The file holds the secret of this box: keep it to yourself, and delete it once it is written."))


def _row(part: Part, what: str) -> tuple[str, str, str, str]:
    return f"{part.offset:#08x}", what, str(len(part.data)), part.sha256


def _what(part: Part, base: MicroPython | None, firmware: Tree) -> str:
    if base is not None and part.what == flash.MICROPYTHON:
        return _("MicroPython {version} for {chip}").format(version=base.version, chip=base.chip.name)
    count = len(firmware.files) + 1
    return ngettext("firmware {version}, {count} file", "firmware {version}, {count} files", count).format(
        version=firmware.version, count=count
    )


def _size(text: str) -> int:
    try:
        return flash.SIZES[text.upper().removesuffix("B") + "B"]
    except KeyError:
        raise WrongInput(
            N_("{size} is no size of flash that is known here, expected {sizes}"),
            size=text, sizes=", ".join(flash.SIZES),
        ) from None  # fmt: skip


def _uid(text: str) -> bytes:
    digits = text.replace(":", "").replace("-", "").lower()
    try:
        uid = bytes.fromhex(digits)
    except ValueError:
        uid = b""
    if len(uid) != identity.UID or len(digits) != _UID_DIGITS or not any(uid):
        raise WrongInput(N_("{uid} is no uid of a box, expected {digits} hex digits"), uid=text, digits=_UID_DIGITS)
    return uid


@contextmanager
def _new_file(file: Path, *, secret: bool) -> Iterator[Callable[[bytes], None]]:
    """The block gets what makes the file, whole; if that fails or is not asked for, there is none.

    `secret`: for its owner alone. WrongInput, before the block, if the file is there or cannot be made.
    """
    with ExitStack() as stack:
        try:
            if os.path.lexists(file):
                raise FileExistsError
            draft = stack.enter_context(drafts.draft_of(file, drafts.OWNER if secret else drafts.OPEN))
        except OSError as error:
            raise _unwritable(file, error) from error

        def make(data: bytes) -> None:
            try:
                draft.path.write_bytes(data)
                draft.put(replace=False)
            except OSError as error:
                raise _unwritable(file, error) from error

        yield make


def _unwritable(file: Path, error: OSError) -> WrongInput:
    if isinstance(error, FileExistsError):
        return WrongInput(N_("{file} is there already, expected a new file"), file=file)
    return WrongInput(N_("{file} cannot be written: {problem}"), file=file, problem=error.strerror or str(error))
