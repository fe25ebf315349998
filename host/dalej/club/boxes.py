"""The boxes that a club has paired: `boxes.json` in the club's folder, written whole or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from dalej.club.keeping import alone, write_whole
from dalej.errors import DalejError, Damaged, Refused, Unreachable, WrongInput
from dalej.words import N_, readable

VERSION: Final = 1
LONGEST_NAME: Final = 20
_SHORTEST_PART: Final = 3  # digits of a uid that may stand for it
_UID: Final = re.compile(r"[0-9a-f]{12}")
_NUMBERS: Final = re.compile(r"([0-9]+)")


@dataclass(frozen=True, slots=True)
class OwnBox:
    """`uid`: 12 hex digits; `name`: what is written on the box, such as "7"; `build`: a `moveclock.identity` mask.

    `paired_ms`: Unix time, 0 if it must be paired anew: it has its secret from a club whose secret was replaced here.
    """

    uid: str
    name: str
    build: int
    paired_ms: int

    @property
    def uid_bytes(self) -> bytes:
        return bytes.fromhex(self.uid)


class OwnBoxes:
    """All of a club's boxes, as the file has them now."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder / "boxes.json"

    def __iter__(self) -> Iterator[OwnBox]:
        """In the order of their names, numbers as numbers. Damaged if the file cannot be read."""
        return iter(sorted(self._read(), key=lambda box: natural(box.name)))

    def find(self, text: str) -> OwnBox:
        """By name, by uid or its unambiguous beginning or end; WrongInput says which are there."""
        return _found(list(self), text)

    def keep(self, box: OwnBox) -> None:
        """Add it, or replace what is kept under its uid. Refused if another box has its name."""
        expect_name(box.name)
        with alone(self._folder):
            others = [one for one in self._read() if one.uid != box.uid]
            _expect_free(box.name, others)
            self._write([*others, box])

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
        """Add another laptop's boxes; of one that both know the later pairing counts. Those whose name is another
        box's here get a free number: returned with the name they had. `outdated`: those that were here before must be
        paired anew, and it is they that give up their names.
        """
        with alone(self._folder):
            here, come = {one.uid: one for one in self._read()}, {one.uid: one for one in brought}
            if outdated:
                here = {one.uid: replace(one, paired_ms=0) for one in here.values()}
            for uid in here.keys() & come.keys():
                older = here if here[uid].paired_ms <= come[uid].paired_ms else come
                del older[uid]
            first, then = (come, here) if outdated else (here, come)
            boxes, renamed = _joined(first.values(), then.values())
            self._write(boxes)
        return renamed

    def _read(self) -> list[OwnBox]:
        try:
            text = self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        except UnicodeDecodeError as error:
            raise self._damaged(N_("it is not text")) from error
        except OSError as error:
            raise Unreachable(
                N_("{file} cannot be read: {problem}"), file=str(self._file), problem=error.strerror or str(error)
            ) from error
        try:
            said = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._damaged(N_("it is not JSON")) from error
        if not isinstance(said, Mapping) or said.get("version") != VERSION:
            raise self._damaged(N_("it is of another version of Dalej"))
        boxes = read_boxes(said.get("boxes"))
        if boxes is None:
            raise self._damaged(N_("an entry is no box, or one is there twice"))
        return boxes

    def _damaged(self, problem: str) -> Damaged:
        return Damaged(
            N_("{file} cannot be read as the list of the club's boxes: {problem}"),
            file=str(self._file), problem=DalejError(problem),
        )  # fmt: skip

    def _write(self, boxes: Iterable[OwnBox]) -> None:
        lines = sorted(boxes, key=lambda box: natural(box.name))
        said = {"version": VERSION, "boxes": [asdict(box) for box in lines]}
        write_whole(self._file, json.dumps(said, ensure_ascii=False, indent=1) + "\n")


def read_boxes(said: object) -> list[OwnBox] | None:
    """Boxes as JSON has them; None if that is something else, or names a box twice."""
    if not isinstance(said, list):
        return None
    boxes = [box for box in map(_box, said) if box is not None]
    names, uids = ({box.name.casefold() for box in boxes}, {box.uid for box in boxes})
    return boxes if len(boxes) == len(said) == len(names) == len(uids) else None


def expect_name(name: str) -> None:
    """WrongInput if that cannot be written on a box and typed again."""
    if not _is_name(name):
        raise WrongInput(
            N_("{name} is no name for a box: expected 1 to {longest} characters that can be read and typed"),
            name=repr(name), longest=LONGEST_NAME,
        )  # fmt: skip


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which box 10 comes after box 9."""
    parts = _NUMBERS.split(name.casefold())
    return [(0, int(part), part) if place % 2 else (1, 0, part) for place, part in enumerate(parts) if part]


def _is_name(name: str) -> bool:
    return name.strip() == name == readable(name) and 0 < len(name) <= LONGEST_NAME


def _box(said: object) -> OwnBox | None:
    if not isinstance(said, Mapping):
        return None
    uid, name, build, paired_ms = (said.get(key) for key in ("uid", "name", "build", "paired_ms"))
    if not (isinstance(uid, str) and _UID.fullmatch(uid) and isinstance(name, str) and _is_name(name)):
        return None
    if not (type(build) is int and 0 <= build <= 0xFF and type(paired_ms) is int and paired_ms >= 0):
        return None
    return OwnBox(uid, name, build, paired_ms)


def _found(boxes: list[OwnBox], text: str) -> OwnBox:
    wanted = text.strip().casefold()
    part = wanted.replace(":", "").replace("-", "")
    alike = [one for one in boxes if one.name.casefold() == wanted] or [one for one in boxes if one.uid == part]
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
        raise WrongInput(
            N_("there is no box {box}: the club's list is empty; dalej box pair PORT puts a box on it"), box=text
        )
    raise WrongInput(
        N_("there is no box {box} on the club's list: expected one of {boxes}, or its uid"),
        box=text, boxes=", ".join(one.name for one in boxes),
    )  # fmt: skip


def _expect_free(name: str, others: Collection[OwnBox]) -> None:
    same = next((one for one in others if one.name.casefold() == name.casefold()), None)
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
        if any(one.name.casefold() == other.name.casefold() for other in boxes):
            boxes.append(replace(one, name=_free((*boxes, *then))))
            renamed.append((one.name, boxes[-1]))
        else:
            boxes.append(one)
    return boxes, renamed


def _free(boxes: Iterable[OwnBox]) -> str:
    taken = {box.name for box in boxes}
    return next(name for name in map(str, count(1)) if name not in taken)
