"""The boxes that a club has paired: `boxes.json` in the club's folder, written whole or not at all."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from dalej.boxes.folder import alone, write_whole
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.hints import typed
from dalej.typedjson import Reader
from dalej.words import N_, cause, readable

VERSION: Final = 1
LONGEST_NAME: Final = 20
LATEST_MS: Final = 32_503_680_000_000  # the year 3000: as far as every system can tell a date
_SHORTEST_PART: Final = 3  # digits of a uid that may stand for it
NUMBER_BYTES: Final = 16

_UID: Final = re.compile(r"[0-9a-f]{12}")
_NUMBERS: Final = re.compile(r"([0-9]+)")
_WINDOWS_PORT: Final = re.compile(r"com\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OwnBox:
    """`uid`: 12 hex digits; `name`: what is written on the box, such as "7"; `build`: a `moveclock.identity` mask.

    `paired_ms`: Unix time, 0 if it has its secret from a club whose secret was replaced here. `number`: 32 hex digits
    that were drawn for its latest pairing and went into its secret, no secret themselves; empty before there were any.
    Of a phone alone: `device`: 32 hex digits that the device which has it drew for itself, empty before one has;
    `claim_ms`: until when one may claim it, Unix time.
    """

    uid: Annotated[str, Meta(pattern=rf"^{_UID.pattern}\Z")]
    name: str
    build: Annotated[int, Meta(ge=0, le=0xFF)]
    paired_ms: Annotated[int, Meta(ge=0, lt=LATEST_MS)]
    number: Annotated[str, Meta(pattern=rf"^([0-9a-f]{{{2 * NUMBER_BYTES}}})?\Z")] = ""
    device: Annotated[str, Meta(pattern=r"^([0-9a-f]{32})?\Z")] = ""
    claim_ms: Annotated[int, Meta(ge=0, lt=LATEST_MS)] = 0

    @property
    def outdated(self) -> bool:
        """Whether it must be paired anew."""
        return not (self.paired_ms and self.number)

    @property
    def uid_bytes(self) -> bytes:
        return bytes.fromhex(self.uid)


class _Version(Struct, frozen=True):
    """What the file of any version says."""

    version: int


class _Listed(Struct, frozen=True):
    version: int
    boxes: list[OwnBox]


_VERSION: Final[Reader[_Version]] = Reader(_Version)
_LISTED: Final[Reader[_Listed]] = Reader(_Listed)


class OwnBoxes:
    """All of a club's boxes, as the file has them now."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "boxes.json"
        self._reached: set[str] = set()

    def __iter__(self) -> Iterator[OwnBox]:
        """In the order of their names, numbers as numbers. Damaged if the file cannot be read."""
        return iter(sorted(self._read(), key=lambda box: natural(box.name)))

    def find(self, text: str) -> OwnBox:
        """By name, by uid or its unambiguous beginning or end; WrongInput says which are there."""
        return _found(list(self), text)

    def keep(self, box: OwnBox) -> None:
        """Add it, or replace what is kept under its uid. Refused if another box has its name; WrongInput if that is
        none, unless it was on the list with it already.
        """
        with alone(self._folder):
            boxes = self._read()
            if (box.uid, box.name) not in [(one.uid, one.name) for one in boxes]:
                expect_name(box.name)
            others = [one for one in boxes if one.uid != box.uid]
            _expect_free(box.name, others)
            self._write([*others, replace(box, name=_composed(box.name))])

    @contextmanager
    def pairing(self, uid: str, name: str | None, build: int, paired_ms: int, number: bytes) -> Iterator[OwnBox]:
        """The box is on the list while the block makes it the club's, as one to be paired anew, so that nobody else
        gets its name; paired when the block is done, and as it was before if that fails, unless the box was `reached`.

        `number`: `NUMBER_BYTES` unpredictable bytes, which go into the secret that it gets. `name` None: the one that
        it has, or the smallest free number. Refused, before the block, if another box has it.
        """
        self._reached.discard(uid)
        with alone(self._folder):
            boxes = self._read()
            before = next((one for one in boxes if one.uid == uid), None)
            others = [one for one in boxes if one.uid != uid]
            if name is None:
                name = _free(others) if before is None else before.name
            if before is None or name != before.name:
                expect_name(name)
            _expect_free(name, others)
            box = OwnBox(uid, _composed(name), build, paired_ms, number.hex())
            begun = replace(box, paired_ms=0)
            self._write([*others, begun])
        try:
            yield box
        except BaseException:
            if uid not in self._reached:
                with suppress(DalejError):  # what went wrong with the box is said
                    self._take_back(begun, before)
            raise
        self.keep(box)

    def reached(self, box: OwnBox) -> None:
        """The box that is being paired may have its new secret, or none: if that fails, it must be paired anew."""
        self._reached.add(box.uid)

    def _take_back(self, begun: OwnBox, before: OwnBox | None) -> None:
        with alone(self._folder):
            boxes = self._read()
            others = [one for one in boxes if one.uid != begun.uid]
            if begun not in boxes:
                return  # somebody has changed it since
            if before is None:
                self._write(others)
                return
            taken = any(_alike(one.name) == _alike(before.name) for one in others)
            self._write([*others, replace(before, name=begun.name) if taken else before])

    def claim(self, uid: str, device: str, now_ms: int, late: str, taken: str) -> OwnBox:
        """The phone of that uid is that device from now on, if it was before, or nobody is and it is not too late.
        Refused in the sentence `late` or `taken` (with {box}) otherwise.
        """
        with alone(self._folder):
            boxes = self._read()
            box = _found(boxes, uid)
            if box.device == device:
                return box
            if box.device:
                raise Refused(taken, box=box.name)
            if now_ms > box.claim_ms:
                raise Refused(late, box=box.name)
            box = replace(box, device=device)
            self._write([*(one for one in boxes if one.uid != uid), box])
            return box

    def number_of(self, uid: bytes) -> bytes:
        """The number of the box's latest pairing; empty if it has none. Damaged if the file cannot be read."""
        return next((bytes.fromhex(box.number) for box in self._read() if box.uid == uid.hex()), b"")

    def expect_free(self, name: str, uid: str) -> None:
        """What `keep` would say of that name for that box, before anything is done with it."""
        expect_name(name)
        _expect_free(name, [one for one in self._read() if one.uid != uid])

    def forget(self, uid: str) -> None:
        """Take it off the list; the box itself keeps its secret until it is paired anew. Refused if it is not on it."""
        with alone(self._folder):
            boxes = self._read()
            others = [one for one in boxes if one.uid != uid]
            if len(others) == len(boxes):
                raise Refused(N_("box {uid} is not on the club's list any more"), uid=uid)
            self._write(others)

    def free_name(self) -> str:
        """The smallest number that no box has as its name."""
        return _free(self._read())

    def merge(self, brought: Iterable[OwnBox], *, outdated: bool = False) -> list[tuple[str, OwnBox]]:
        """Add another laptop's boxes; of one that both know the later pairing counts, of one pairing what is here.
        Those whose name is another box's here get a free number: returned with the name they had. `outdated`: those
        that were here before must be paired anew, it is they that give up their names, and of one pairing what is
        brought counts.
        """
        with alone(self._folder):
            here, come = {one.uid: one for one in self._read()}, {one.uid: one for one in brought}
            if outdated:
                here = {one.uid: replace(one, paired_ms=0) for one in here.values()}
            for uid in here.keys() & come.keys():
                ours_ms, theirs_ms = here[uid].paired_ms, come[uid].paired_ms
                older = here if ours_ms < theirs_ms or (outdated and ours_ms == theirs_ms) else come
                del older[uid]
            first, then = (come, here) if outdated else (here, come)
            boxes, renamed = _joined(first.values(), then.values())
            self._write(boxes)
        return renamed

    def _read(self) -> list[OwnBox]:
        try:
            text = self._file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Unreachable(
                N_("{file} cannot be read: {problem}"), file=str(self._file), problem=cause(error)
            ) from error
        try:
            if _VERSION.read(text).version != VERSION:
                raise WrongInput(N_("it is of another version of Dalej"))
            boxes = _LISTED.read(text).boxes
            expect_boxes(boxes)
        except WrongInput as wrong:
            raise Damaged(
                N_("{file} cannot be read as the list of the club's boxes: {problem}"),
                file=str(self._file), problem=wrong,
            ) from None  # fmt: skip
        return boxes

    def _write(self, boxes: Iterable[OwnBox]) -> None:
        lines = sorted(boxes, key=lambda box: natural(box.name))
        said = {"version": VERSION, "boxes": [asdict(box) for box in lines]}
        write_whole(self._file, json.dumps(said, ensure_ascii=False, indent=1) + "\n")


def expect_boxes(boxes: Collection[OwnBox]) -> None:
    """WrongInput if a name is none, or one box is there twice."""
    names, uids = set[str](), set[str]()
    for place, box in enumerate(boxes):
        if not _is_name(box.name):
            raise WrongInput(N_("boxes[{place}].name: {name} is no name for a box"), place=place, name=repr(box.name))
        if box.uid in uids or box.name.casefold() in names:
            raise WrongInput(N_("boxes[{place}]: box {name} is there twice"), place=place, name=box.name)
        uids.add(box.uid)
        names.add(box.name.casefold())


def expect_name(name: str) -> None:
    """WrongInput if that cannot be written on a box and typed again, or means something else where it is typed."""
    if not _is_name(name):
        raise WrongInput(
            N_("{name} is no name for a box: expected 1 to {longest} characters that can be read and typed"),
            name=repr(name), longest=LONGEST_NAME,
        )  # fmt: skip
    if means_port(name):
        raise WrongInput(
            N_("{name} is no name for a box: commands take it for a port; expected one without / and \\, and not such "
               "as COM3"),
            name=name,
        )  # fmt: skip
    if _UID.fullmatch(_as_uid(name)):
        raise WrongInput(N_("{name} is no name for a box: it reads as the uid of one"), name=name)
    if name.startswith("-"):
        raise WrongInput(N_("{name} is no name for a box: commands take it for an option"), name=name)


def means_port(text: str) -> bool:
    """Whether commands take that for a serial port, and for no box of the club."""
    return "/" in text or "\\" in text or _WINDOWS_PORT.fullmatch(text) is not None


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which box 10 comes after box 9."""
    parts = _NUMBERS.split(name.casefold())
    return [(0, int(part), part) if place % 2 else (1, 0, part) for place, part in enumerate(parts) if part]


def _is_name(name: str) -> bool:
    return name.strip() == name == readable(name) and 0 < len(_composed(name)) <= LONGEST_NAME


def _composed(name: str) -> str:
    """As most keyboards type it: there are two ways to write an “ó”, as one letter and as two."""
    return unicodedata.normalize("NFC", name)


def _alike(name: str) -> str:
    """The same for names that people take for the same."""
    return _composed(_composed(name).casefold())


def _as_uid(text: str) -> str:
    """Without what people write between the digits."""
    return text.strip().casefold().replace(":", "").replace("-", "")


def _found(boxes: list[OwnBox], text: str) -> OwnBox:
    wanted, part = _alike(text.strip()), _as_uid(text)
    alike = [one for one in boxes if _alike(one.name) == wanted] or [one for one in boxes if one.uid == part]
    if not alike and len(part) >= _SHORTEST_PART:
        alike = [one for one in boxes if one.uid.startswith(part) or one.uid.endswith(part)]
    if len(alike) == 1:
        return alike[0]
    if alike:
        raise WrongInput(
            N_("{box} may be any of {boxes}: expected one alone"),
            box=text, boxes=", ".join(f"{one.name} ({one.uid})" for one in alike),
        )  # fmt: skip
    if not boxes:
        raise WrongInput(N_("there is no box {box}: the club's list is empty"), box=text).hinted(
            N_("{command} puts a box on it"), command=typed("box", "pair", "PORT")
        )
    raise WrongInput(
        N_("there is no box {box} on the club's list: expected one of {boxes}, or its uid"),
        box=text, boxes=", ".join(one.name for one in boxes),
    )  # fmt: skip


def _expect_free(name: str, others: Collection[OwnBox]) -> None:
    same = next((one for one in others if _alike(one.name) == _alike(name)), None)
    if same is not None:
        raise Refused(
            N_("box {uid} is called {name} already: expected a name that no other box has, such as {free}"),
            uid=same.uid, name=same.name, free=_free(others),
        )  # fmt: skip


def _joined(first: Collection[OwnBox], then: Collection[OwnBox]) -> tuple[list[OwnBox], list[tuple[str, OwnBox]]]:
    """All of them, and those of `then` that got another name, with the one they had."""
    boxes: list[OwnBox] = list(first)
    renamed = []
    for one in then:
        if any(_alike(one.name) == _alike(other.name) for other in boxes):
            boxes.append(replace(one, name=_free((*boxes, *then))))
            renamed.append((one.name, boxes[-1]))
        else:
            boxes.append(one)
    return boxes, renamed


def _free(boxes: Iterable[OwnBox]) -> str:
    taken = {box.name for box in boxes}
    return next(name for name in map(str, count(1)) if name not in taken)
