"""A circuit as plain data: what rules, sheets and lists read, whoever made the circuit."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from hardware.circuit.box import circuit as made

_SUPPLIES = ("GND", "+3V3", "+5V", "+5V_BOARD", "+5V_CHARGER", "PACK", "PACK_MINUS", "CELL", "BATTERY", "BATTERY_MINUS")


class Pin(NamedTuple):
    """A pin of a part. `net`: the name of what it is on, `""` for one that stays open; `func`: SKiDL's word for it."""

    ref: str
    number: str
    name: str
    func: str
    net: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part with its pins in the order of their numbers; `fields` as in `hardware.circuit.box`."""

    ref: str
    kind: str
    value: str
    place: str
    fields: Mapping[str, Any]
    pins: tuple[Pin, ...]

    def net(self, name: str) -> str:
        """What the pin of that name is on, or of that number; KeyError if there is none."""
        for pin in self.pins:
            if name in (pin.name, pin.number):
                return pin.net
        raise KeyError(f"{self.ref} has no pin {name}")

    @property
    def nets(self) -> tuple[str, ...]:
        return tuple(pin.net for pin in self.pins)

    def across(self, net: str) -> str:
        """The other end of a part with two pins."""
        first, second = self.nets
        return second if net == first else first


@dataclass(frozen=True)
class Netlist:
    """All parts of a box by their reference, sorted."""

    build: str
    chip: str
    kostka: bool
    parts: tuple[Part, ...]

    @cached_property
    def by_ref(self) -> Mapping[str, Part]:
        return {part.ref: part for part in self.parts}

    @cached_property
    def nets(self) -> Mapping[str, tuple[Pin, ...]]:
        """Every net by its name, without the pins that stay open."""
        found: defaultdict[str, list[Pin]] = defaultdict(list)
        for part in self.parts:
            for pin in part.pins:
                if pin.net:
                    found[pin.net].append(pin)
        return {name: tuple(found[name]) for name in sorted(found)}

    def of_kind(self, *kinds: str) -> Iterator[Part]:
        """Parts whose kind begins so; all, if no kind is named."""
        return (part for part in self.parts if not kinds or part.kind.startswith(kinds))

    def on(self, net: str, *kinds: str) -> Iterator[Part]:
        """Parts of these kinds with a pin on this net."""
        return (part for part in self.of_kind(*kinds) if net in part.nets)

    def between(self, first: str, second: str, *kinds: str) -> list[Part]:
        """Parts with two pins that join these nets."""
        return [part for part in self.on(first, *kinds) if len(part.pins) == 2 and part.across(first) == second]

    def rewired(self, ref: str, pin: str, net: str) -> Netlist:
        """The same with one pin, by name or number, put on another net."""
        part = self.by_ref[ref]
        pins = tuple(each._replace(net=net) if pin in (each.name, each.number) else each for each in part.pins)
        return self.swapped(replace(part, pins=pins))

    def swapped(self, changed: Part) -> Netlist:
        """The same with this part in place of that of its reference."""
        return replace(self, parts=tuple(changed if part.ref == changed.ref else part for part in self.parts))

    def without(self, ref: str) -> Netlist:
        """The same with a part left out."""
        return replace(self, parts=tuple(part for part in self.parts if part.ref != ref))


def is_supply(net: str) -> bool:
    """Whether a net is one that feeds, or ground."""
    return net in _SUPPLIES


@cache
def netlist(build: str, chip: str, *, kostka: bool = True) -> Netlist:
    """That of a build on a chip, as `hardware.circuit.box.circuit` names them."""
    return read(made(build, chip, kostka=kostka))


def read(circuit: Any) -> Netlist:
    """The plain data of a `skidl.Circuit` made by `hardware.circuit.box`."""
    parts = sorted((_part(part) for part in circuit.parts), key=lambda part: _natural(part.ref))
    return Netlist(circuit.build, circuit.chip, circuit.kostka, tuple(parts))


def quantities(box: Netlist) -> Counter[str]:
    """How many of each kind the box is made of, sockets included; without what comes with another part."""
    found = Counter(part.kind for part in box.parts if "comes_with" not in part.fields)
    for part in box.parts:
        found.update(part.fields["sockets"])
    return found


def electrical(circuit: Any) -> list[str]:
    """What SKiDL's own electrical rules find, errors and warnings alike."""
    found = _Collected()
    logger = logging.getLogger("ERC_Logger")
    logger.addHandler(found)
    try:
        circuit.ERC()
    finally:
        logger.removeHandler(found)
    return sorted(found.messages)


class _Collected(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _part(part: Any) -> Part:
    pins = tuple(Pin(part.ref, pin.num, pin.name, pin.func.name, _net(pin)) for pin in part.pins)
    fields = {name: value for name, value in part.fields.items() if name not in ("kind", "place")}
    return Part(part.ref, part.fields["kind"], part.value, part.fields["place"], fields, pins)


def _net(pin: Any) -> str:
    return "" if pin.net is None or pin.net is pin.part.circuit.NC else str(pin.net.name)


def _natural(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :])
