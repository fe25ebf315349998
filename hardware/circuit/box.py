"""The box's circuit as code: every part of a build, and every net that joins their pins.

Numbers of the chip's pins come from firmware/board.py alone. Nobody has built this circuit yet.
"""

from __future__ import annotations

from typing import Any, Final

from hardware.circuit import parts as kinds
from hardware.circuit.devkits import DEVKITS, Devkit, firmware_pins
from hardware.circuit.library import skidl
from hardware.circuit.parts import Kind
from moveclock.view import RING

BUILDS: Final = ("full", "small")
CHIPS: Final = tuple(DEVKITS)
SIDES: Final = "ABCD"
ADDRESS: Final = 0x70  # of side A's display on the bus; B, C, D follow

_SUPPLIES: Final = ("GND", "+5V", "+5V_BOARD", "BATTERY")  # through what SKiDL does not look through


class _Bench:
    """A circuit in the making."""

    def __init__(self, **of: object) -> None:
        self.circuit = skidl.Circuit(**of)
        self.circuit.no_files = True
        self._nets: dict[str, Any] = {}

    def net(self, name: str) -> Any:
        """The net of that name; `""` is for a pin that stays open."""
        if not name:
            return self.circuit.NC
        if name not in self._nets:
            self._nets[name] = skidl.Net(name, circuit=self.circuit)
            if name in _SUPPLIES:
                self._nets[name].drive = skidl.POWER
        return self._nets[name]

    def put(self, ref: str, kind: Kind, place: str, nets: tuple[str, ...], **fields: str) -> None:
        """A part whose pins, in order, are on these nets."""
        pins = [skidl.Pin(num=number, name=name, func=func) for number, name, func in kind.pins]
        part = skidl.Part(
            name=kind.name, tool=skidl.SKIDL, circuit=self.circuit, ref=ref, value=kind.value, pins=pins
        )  # fmt: skip
        part.fields.update({"kind": kind.name, "place": place, "sockets": dict(kind.sockets), **fields})
        for pin, net in zip(pins, nets, strict=True):
            self.net(net).connect(pin)


def circuit(build: str, chip: str, *, kostka: bool = True) -> Any:
    """The `skidl.Circuit` of a build (`full`, `small`) on a chip (`esp32`, `esp32s3`); KeyError for any other.

    Each part has `ref`, `value` and `fields`: `kind` (the key of the bill of materials), `place` (`carrier`, `side A`
    to `side D`, `top`, `tray`, `battery bay`), `sockets`; a connector has `lead`, a display `address`, ring and pixels
    `lights` and `pixels`; `comes_with` is the part with which one is bought, `mates` the other half of a plug. The
    circuit itself has `build`, `chip` and `kostka`.
    """
    devkit = DEVKITS[chip]
    contacts = {"full": _full_contacts, "small": _small_contacts}[build]()
    bench = _Bench(build=build, chip=chip, kostka=kostka)
    _power(bench)
    _brain(bench, devkit, contacts, kostka=kostka)
    _displays(bench)
    _lamps(bench, contacts)
    for number, (name, place) in enumerate(contacts, 1):
        _button(bench, number, name, place)
    _buttons_leads(bench, contacts)
    _top(bench, [name for name, _ in contacts])
    if kostka:
        _kostka(bench)
    _buzzer(bench)
    return bench.circuit


def _full_contacts() -> list[tuple[str, str]]:
    return [(f"{button}_{side}", f"side {side}") for side in SIDES for button in ("JUZ", "DALEJ")]


def _small_contacts() -> list[tuple[str, str]]:
    return [("JUZ", "side A"), ("DALEJ", "side A")]


def _power(bench: _Bench) -> None:
    bench.put("BT1", kinds.BATTERY, "battery bay", ("PACK", "PACK_MINUS"))
    bench.put("X1", kinds.PACK_PLUG, "battery bay", ("PACK", "PACK_MINUS"), comes_with="BT1")
    # whoever solders the fuse holds a lead without a voltage: the pack is plugged in afterwards
    bench.put("X2", kinds.BATTERY_PLUG, "battery bay", ("CELL", "BATTERY_MINUS"), mates="X1")
    bench.put("F1", kinds.FUSE, "battery bay", ("CELL", "BATTERY"))  # if the pack's own protection fails, too
    # the cell's minus is not GND: on many boards the protection against deep discharge sits between the two
    bench.put("U4", kinds.CHARGER, "battery bay", ("BATTERY", "BATTERY_MINUS", "+5V_CHARGER", "GND"))
    bench.put("SW1", kinds.SWITCH, "battery bay", ("+5V_CHARGER", "+5V"))
    power = kinds.connector(("+5V", "GND", "BATTERY"))
    bench.put("J11", power, "carrier", ("+5V", "GND", "BATTERY"), lead="power")
    bench.put("D1", kinds.SCHOTTKY, "carrier", ("+5V_BOARD", "+5V"))
    bench.put("C1", kinds.CAPACITOR_1000U, "carrier", ("+5V_BOARD", "GND"))
    bench.put("R7", kinds.RESISTOR_100K, "carrier", ("BATTERY", "BATTERY_HALF"))
    bench.put("R8", kinds.RESISTOR_100K, "carrier", ("BATTERY_HALF", "GND"))
    bench.put("C2", kinds.CAPACITOR_100N, "carrier", ("BATTERY_HALF", "GND"))


def _brain(bench: _Bench, devkit: Devkit, contacts: list[tuple[str, str]], *, kostka: bool) -> None:
    pins = firmware_pins(devkit)
    inputs = {pin: name for pin, (name, _) in zip(pins.buttons, contacts, strict=False)}
    inputs |= {pins.sedzia: "SEDZIA", pins.battery: "BATTERY_HALF"}
    if kostka:
        inputs[pins.kostka] = "KOSTKA"
    outputs = {pins.lamps: "LAMPS", pins.buzzer: "BUZZER"}
    used = {**inputs, **outputs, pins.sda: "SDA", pins.scl: "SCL"}
    nets = {f"GPIO{pin}": name for pin, name in used.items()} | {"3V3": "+3V3", "5V": "+5V_BOARD", "GND": "GND"}
    functions = {f"GPIO{pin}": kinds.IN for pin in inputs} | {f"GPIO{pin}": kinds.OUT for pin in outputs}
    functions |= {"5V": kinds.SUPPLIED, "GND": kinds.SUPPLIED}
    supplies = [number for number, name in devkit.rows if name == "3V3"]
    functions_of = {supplies[0]: kinds.SUPPLY} | dict.fromkeys(supplies[1:], kinds.PASSIVE)
    rows = tuple((num, name, functions_of.get(num, functions.get(name, kinds.BOTH))) for num, name in devkit.rows)
    sockets = ((f"header-female-{len(devkit.left)}", 2),)
    kind = Kind("devkit", devkit.value, rows, sockets)
    bench.put("U1", kind, "carrier", tuple(nets.get(name, "") for _, name in devkit.rows), chip=devkit.chip)


def _displays(bench: _Bench) -> None:
    shifter = ("SDA", "SCL", "+3V3", "GND", "", "", "", "", "GND", "+5V", "SCL_5V", "SDA_5V")
    bench.put("U3", kinds.LEVEL_SHIFTER, "carrier", shifter)
    bench.put("R3", kinds.RESISTOR_4K7, "carrier", ("SDA", "+3V3"))
    bench.put("R4", kinds.RESISTOR_4K7, "carrier", ("SCL", "+3V3"))
    nets = ("+5V", "GND", "SDA_5V", "SCL_5V")
    plug = kinds.connector(("+5V", "GND", "SDA", "SCL"))
    for place, side in enumerate(SIDES):
        bench.put(f"J{place + 1}", plug, "carrier", nets, lead=f"display {side}")
        bench.put(f"DS{place + 1}", kinds.DISPLAY, f"side {side}", nets, address=f"0x{ADDRESS + place:02X}")


def _lamps(bench: _Bench, contacts: list[tuple[str, str]]) -> None:
    """The buffer with its four gates, of which one works; then the chain: ring, buttons, Sędzia."""
    gates = ("GND", "LAMPS", "LAMPS_BUFFERED", "+5V", "GND", "", "GND", "", "GND", "+5V", "", "GND", "+5V", "+5V")
    bench.put("U2", kinds.BUFFER, "carrier", gates)
    bench.put("C4", kinds.CAPACITOR_100N, "carrier", ("+5V", "GND"))
    bench.put("R1", kinds.RESISTOR_330, "carrier", ("LAMPS_BUFFERED", "LAMPS_5V"))
    bench.put("R2", kinds.RESISTOR_10K, "carrier", ("LAMPS", "GND"))  # while the chip starts, its pin is open
    chain = ["RING", *(name for name, _ in contacts)]
    data = ["LAMPS_5V", *(f"LAMPS_AFTER_{name}" for name in chain)]
    bench.put("LP0", kinds.RING, "top", ("+5V", "GND", data[0], data[1]), lights="RING", pixels=str(RING))
    bench.put("C3", kinds.CAPACITOR_470U, "carrier", ("+5V", "GND"))  # beside the ring's plug
    for number, (name, place) in enumerate(contacts, 1):
        nets = ("+5V", "GND", data[number], data[number + 1])
        bench.put(f"LP{number}", kinds.PIXEL, place, nets, lights=name, pixels="1")
    bench.put("LP9", kinds.PIXEL, "top", ("+5V", "GND", data[-1], ""), lights="SEDZIA", pixels="1")


def _button(bench: _Bench, number: int, name: str, place: str) -> None:
    """One contact to ground, protected where its lead arrives (facts.md 8.2)."""
    kind = kinds.BUTTON_RED if name == "SEDZIA" else kinds.BUTTON_GREEN if "JUZ" in name else kinds.BUTTON_AMBER
    bench.put(f"S{number}", kind, place, (f"{name}_LEAD", "GND"))
    _protection(bench, 10 + number, name)


def _protection(bench: _Bench, number: int, name: str) -> None:
    bench.put(f"C{number}", kinds.CAPACITOR_100N, "carrier", (f"{name}_LEAD", "GND"))
    bench.put(f"R{number}", kinds.RESISTOR_1K, "carrier", (f"{name}_LEAD", name))


def _buttons_leads(bench: _Bench, contacts: list[tuple[str, str]]) -> None:
    """One lead for each pair of Już and Dalej with their lamps."""
    plug = kinds.connector(("+5V", "GND", "IN", "OUT", "JUZ", "DALEJ"))
    before = "LAMPS_AFTER_RING"
    for pair in range(len(contacts) // 2):
        (juz, place), (dalej, _) = contacts[2 * pair : 2 * pair + 2]
        after = f"LAMPS_AFTER_{dalej}"
        lead = f"buttons {place[-1]}" if "_" in juz else "buttons"
        nets = ("+5V", "GND", before, after, f"{juz}_LEAD", f"{dalej}_LEAD")
        bench.put(f"J{pair + 5}", plug, "carrier", nets, lead=lead)
        before = after


def _top(bench: _Bench, contacts: list[str]) -> None:
    """The lead to ring and Sędzia. Its second ground makes it the only plug with seven poles."""
    plug = kinds.connector(("+5V", "GND", "RING IN", "RING OUT", "SEDZIA IN", "SEDZIA", "GND"))
    after = f"LAMPS_AFTER_{contacts[-1]}"
    nets = ("+5V", "GND", "LAMPS_5V", "LAMPS_AFTER_RING", after, "SEDZIA_LEAD", "GND")
    bench.put("J9", plug, "carrier", nets, lead="top")
    _button(bench, 9, "SEDZIA", "top")


def _kostka(bench: _Bench) -> None:
    bench.put("S10", kinds.KOSTKA_SWITCH, "tray", ("KOSTKA_LEAD", "GND"))
    bench.put("J10", kinds.connector(("KOSTKA", "GND")), "carrier", ("KOSTKA_LEAD", "GND"), lead="kostka")
    _protection(bench, 20, "KOSTKA")
    bench.put("R21", kinds.RESISTOR_10K, "carrier", ("KOSTKA", "+3V3"))


def _buzzer(bench: _Bench) -> None:
    bench.put("R5", kinds.RESISTOR_330, "carrier", ("BUZZER", "BUZZER_BASE"))
    bench.put("R6", kinds.RESISTOR_10K, "carrier", ("BUZZER_BASE", "GND"))  # silent while the chip starts
    bench.put("Q1", kinds.TRANSISTOR, "carrier", ("BUZZER_LOW", "BUZZER_BASE", "GND"))
    bench.put("LS1", kinds.BUZZER, "carrier", ("+5V", "BUZZER_LOW"))
    bench.put("D2", kinds.FLYBACK_DIODE, "carrier", ("+5V", "BUZZER_LOW"))
    bench.put("R9", kinds.RESISTOR_1K, "carrier", ("+5V", "BUZZER_LOW"))  # a piezo does not discharge by itself
