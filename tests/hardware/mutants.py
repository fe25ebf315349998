"""Faults of circuit, carrier, leads, list of parts and firmware, each of which some check must find.

A fault is what a tired hand could write: it is told in words, and as texts with what is put in their place. The text is
looked for in the files of a pattern, so that it is found again where firmware is moved from file to file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple


class Change(NamedTuple):
    """`files`: a pattern from the root on; `old` must be in just one of these files, and there once."""

    files: str
    old: str
    new: str


class Mutant(NamedTuple):
    """A fault in words, and what makes it."""

    name: str
    changes: tuple[Change, ...]


class NotFound(AssertionError):
    """The text of a mutant is not there any more; the message names both."""


def spoil(folder: Path, mutant: Mutant) -> None:
    """Make the mutant's changes in a copy. NotFound if there is nothing to change, or more than one place."""
    for change in mutant.changes:
        texts = {file: file.read_text("utf-8") for file in sorted(folder.glob(change.files))}
        places = sum(text.count(change.old) for text in texts.values())
        if places != 1:
            raise NotFound(f"{mutant.name}: {change.old!r} is {places} times in {change.files}.")
        (file,) = (file for file, text in texts.items() if change.old in text)
        file.write_text(texts[file].replace(change.old, change.new), "utf-8", newline="\n")


_PARTS: Final = "hardware/circuit/parts.py"
_BOX: Final = "hardware/circuit/box.py"
_CARRIER: Final = "hardware/circuit/carrier.py"
_DRAWN: Final = "hardware/circuit/carrier_picture.py"
_SKETCH: Final = "hardware/circuit/sketch.py"
_WIREVIZ: Final = "hardware/harness_picture.py"
_DEVKITS: Final = "hardware/circuit/devkits.py"
_HARNESS: Final = "hardware/harness.py"
_LIST: Final = "hardware/bom.csv"
_POLISH: Final = "hardware/bom-pl.csv"
_BOARD: Final = "firmware/board.py"
_DEVICES: Final = "firmware/devices/*.py"


def _one(name: str, files: str, old: str, new: str) -> Mutant:
    return Mutant(name, (Change(files, old, new),))


def _many(name: str, *changes: tuple[str, str, str]) -> Mutant:
    return Mutant(name, tuple(Change(*change) for change in changes))


MUTANTS: Final = (
    # pins
    _one("channels 1 and 2 of the level shifter exchanged at 5 V", _PARTS,
         '("11", "HV2", PULLED_UP), ("12", "HV1", PULLED_UP)', '("11", "HV1", PULLED_UP), ("12", "HV2", PULLED_UP)'),
    _many("channels 1 and 2 of the level shifter exchanged in its pins and in the circuit",
          (_PARTS, '("11", "HV2", PULLED_UP), ("12", "HV1", PULLED_UP)',
           '("11", "HV1", PULLED_UP), ("12", "HV2", PULLED_UP)'),
          (_BOX, '"+5V", "SCL_5V", "SDA_5V")', '"+5V", "SDA_5V", "SCL_5V")')),
    _many("LV and GND of the level shifter exchanged in its pins and in the circuit",
          (_PARTS, '("3", "LV", SUPPLIED),\n        ("4", "GND", SUPPLIED)',
           '("3", "GND", SUPPLIED),\n        ("4", "LV", SUPPLIED)'),
          (_BOX, '("SDA", "SCL", "+3V3", "GND",', '("SDA", "SCL", "GND", "+3V3",')),
    _one("input and output of the buffer's gate exchanged", _PARTS, '("2", "1A", IN), ("3", "1Y", OUT)',
         '("2", "1Y", OUT), ("3", "1A", IN)'),
    _many("input and enable of the buffer's gate exchanged in its pins and in the circuit",
          (_PARTS, '("1", "1OE", IN), ("2", "1A", IN)', '("1", "1A", IN), ("2", "1OE", IN)'),
          (_BOX, '("GND", "LAMPS", "LAMPS_BUFFERED"', '("LAMPS", "GND", "LAMPS_BUFFERED"')),
    _many("supply and ground of the buffer exchanged in its pins and in the circuit",
          (_PARTS, '("7", "GND", SUPPLIED),', '("7", "VCC", SUPPLIED),'),
          (_PARTS, '("14", "VCC", SUPPLIED),', '("14", "GND", SUPPLIED),'),
          (_BOX, '"+5V", "GND", "", "GND", "", "GND", "+5V", "", "GND", "+5V", "+5V")',
           '"+5V", "GND", "", "+5V", "", "GND", "+5V", "", "GND", "+5V", "GND")')),
    _one("collector and emitter of the transistor exchanged", _PARTS,
         '(("1", "C", PASSIVE), ("2", "B", PASSIVE), ("3", "E", PASSIVE))',
         '(("1", "E", PASSIVE), ("2", "B", PASSIVE), ("3", "C", PASSIVE))'),
    _many("pins of a 2N3904 for the transistor, in the circuit too",
          (_PARTS, '(("1", "C", PASSIVE), ("2", "B", PASSIVE), ("3", "E", PASSIVE))',
           '(("1", "E", PASSIVE), ("2", "B", PASSIVE), ("3", "C", PASSIVE))'),
          (_BOX, '("BUZZER_LOW", "BUZZER_BASE", "GND")', '("GND", "BUZZER_BASE", "BUZZER_LOW")')),
    _many("a 2N3904 bought for the transistor",
          (_PARTS, '"BC337-40"', '"2N3904"'),
          (_LIST, "NPN transistor,BC337-40", "NPN transistor,2N3904"),
          (_POLISH, "tranzystor NPN,BC337-40,", "tranzystor NPN,2N3904,")),
    _one("data goes into a lamp where it comes out", _PARTS, '("3", "DIN", IN), ("4", "DOUT", OUT)',
         '("3", "DOUT", IN), ("4", "DIN", OUT)'),
    _one("pins 34 and 35 of the ESP32's board exchanged", _DEVKITS, "36 39 34 35 32 33", "36 39 35 34 32 33"),
    _one("pins 18 and 19 of the ESP32's board exchanged", _DEVKITS, "GND 19 18 5 17", "GND 18 19 5 17"),
    _one("EN and 3V3 of the ESP32's board exchanged", _DEVKITS, '_row("3V3 EN 36', '_row("EN 3V3 36'),
    _one("pins 8 and 18 of the S3's board exchanged", _DEVKITS, "17 18 8 3 46", "17 8 18 3 46"),
    _one("5 V and ground of the S3's board exchanged", _DEVKITS, "13 14 5V GND", "13 14 GND 5V"),
    _one("rows of the ESP32's board a tenth of an inch too near", _DEVKITS, "    pitches=10,\n    wide=10,",
         "    pitches=9,\n    wide=9,"),
    _one("pin 12 of an ESP32 is said not to be read while it starts", _DEVKITS, "(0, 2, 5, 12, 15)", "(0, 2, 5, 15)"),
    # which way round
    _many("the diode to the board is turned round, its names with it",
          (_PARTS, '_two("schottky", "1N5819", "K", "A")', '_two("schottky", "1N5819", "A", "K")'),
          (_BOX, '("+5V_BOARD", "+5V"))', '("+5V", "+5V_BOARD"))')),
    _many("the buzzer's diode is turned round, its names with it",
          (_PARTS, '_two("flyback-diode", "1N4148", "K", "A")', '_two("flyback-diode", "1N4148", "A", "K")'),
          (_BOX, 'kinds.FLYBACK_DIODE, "carrier", ("+5V", "BUZZER_LOW")',
           'kinds.FLYBACK_DIODE, "carrier", ("BUZZER_LOW", "+5V")')),
    _one("the buzzer's diode conducts", _BOX, 'kinds.FLYBACK_DIODE, "carrier", ("+5V", "BUZZER_LOW")',
         'kinds.FLYBACK_DIODE, "carrier", ("BUZZER_LOW", "+5V")'),
    _one("the diode feeds the lamps from USB", _BOX, '("+5V_BOARD", "+5V"))', '("+5V", "+5V_BOARD"))'),
    _one("the board's capacitor turned round on the carrier", _CARRIER, "Hole(6, 22), Hole(6, 24)",
         "Hole(6, 24), Hole(6, 22)"),
    _one("the ring's capacitor turned round on the carrier", _CARRIER, "Hole(11, 2), Hole(12, 3)",
         "Hole(12, 3), Hole(11, 2)"),
    _many("the board's capacitor turned round, its signs with it",
          (_PARTS, '"1000 µF", "+", "-")', '"1000 µF", "-", "+")'),
          (_BOX, 'kinds.CAPACITOR_1000U, "carrier", ("+5V_BOARD", "GND")',
           'kinds.CAPACITOR_1000U, "carrier", ("GND", "+5V_BOARD")')),
    _one("the diode to the board turned round on the carrier", _CARRIER, "Hole(7, supply), Hole(4, supply)",
         "Hole(4, supply), Hole(7, supply)"),
    _one("the buzzer's diode turned round on the carrier", _CARRIER, "Hole(4, 26), Hole(7, 26)",
         "Hole(7, 26), Hole(4, 26)"),
    _one("the transistor turned round on the carrier", _CARRIER,
         '{"1": Hole(5, 15), "2": Hole(6, 15), "3": Hole(7, 15)}',
         '{"1": Hole(7, 15), "2": Hole(6, 15), "3": Hole(5, 15)}'),
    _one("the buzzer turned round on the carrier", _CARRIER, "Hole(6, 17), Hole(6, 20)", "Hole(6, 20), Hole(6, 17)"),
    _many("the buffer turned round on the carrier",
          (_CARRIER, "{str(place): Hole(13 + place, 5) for", "{str(place): Hole(21 - place, 2) for"),
          (_CARRIER, "{str(15 - place): Hole(13 + place, 2) for", "{str(15 - place): Hole(21 - place, 5) for")),
    _many("the buffer's pins as they are seen from below",
          (_CARRIER, "{str(place): Hole(13 + place, 5) for", "{str(place): Hole(13 + place, 2) for"),
          (_CARRIER, "{str(15 - place): Hole(13 + place, 2) for", "{str(15 - place): Hole(13 + place, 5) for")),
    _many("the level shifter's pins as they are seen from below",
          (_CARRIER, "{str(place): Hole(3 + place, 5) for", "{str(place): Hole(10 - place, 5) for"),
          (_CARRIER, "{str(13 - place): Hole(3 + place, 1) for", "{str(13 - place): Hole(10 - place, 1) for")),
    _many("the level shifter's rows exchanged",
          (_CARRIER, "{str(place): Hole(3 + place, 5) for", "{str(place): Hole(3 + place, 1) for"),
          (_CARRIER, "{str(13 - place): Hole(3 + place, 1) for", "{str(13 - place): Hole(3 + place, 5) for")),
    _one("headers at the left turned round, not those at the right", _CARRIER, "if column == _RIGHT_PLUGS:",
         "if column != _RIGHT_PLUGS:"),
    _one("the header of the power turned round", _CARRIER, "if column == _RIGHT_PLUGS:",
         'if column == _RIGHT_PLUGS or part.ref == "J11":'),
    _one("the transistor's flat side drawn at the other side", _DRAWN, "canvas.line((left, lower), (right, lower), ",
         "canvas.line((left, upper), (right, upper), "),
    _one("the ring of the diodes drawn at their anodes", _DRAWN, "(1 if (x1, y1) > (x2, y2) else -1)",
         "(-1 if (x1, y1) > (x2, y2) else 1)"),
    _one("plus and minus exchanged in the drawing", _DRAWN, 'pin.name.replace("-", "−")',
         '{"+": "−", "-": "+"}[pin.name]'),
    _one("the notch drawn at the other end", _DRAWN, "canvas.circle((left, (upper + lower) / 2), 9)",
         "canvas.circle((right, (upper + lower) / 2), 9)"),
    _one("the square drawn around the second pin", _DRAWN, 'if pin.number == "1" and', 'if pin.number == "2" and'),
    _one("the diodes' symbols point to their anodes", _SKETCH, "            backwards = not backwards",
         "            backwards = bool(backwards)"),
    _one("plus and minus of the capacitors' and the battery's symbols exchanged", _SKETCH,
         "backwards = net != part.pins[0].net\n        if part.kind in (\"schottky\", \"flyback-diode\"):",
         "backwards = net == part.pins[0].net\n        if part.kind not in (\"schottky\", \"flyback-diode\"):\n"
         "            pass\n        else:"),
    _one("collector and emitter of the transistor's symbol exchanged", _SKETCH,
         '(("C", element.absanchors["collector"]), ("E", element.absanchors["emitter"]))',
         '(("E", element.absanchors["collector"]), ("C", element.absanchors["emitter"]))'),
    _one("the pins of a block have the names of others", _SKETCH, "pins[number].name, number, pins[number].net",
         "pins[number].name, number, pins[numbers[-1]].net"),
    _one("the carrier from below is not mirrored", _DRAWN, "across = len(COLUMNS) - column if mirrored else column - 1",
         "across = column - 1"),
    _one("the headers' slots drawn at their inner edge", _DRAWN, "_slots(canvas, left if spot.body.left <",
         "_slots(canvas, left if spot.body.left >"),
    _one("the list to solder by begins with the last pin", "hardware/circuit/wirelist.py", "for place in (0, -1))",
         "for place in (-1, 0))"),
    # values
    _many("the resistor in the lamps' data and at the base ten times too large",
          (_PARTS, '"330 Ω"', '"3.3 kΩ"'),
          (_LIST, "resistor,330 Ω", "resistor,3.3 kΩ"),
          (_POLISH, "330 Ω,", '"3,3 kΩ",')),
    _many("the contacts' resistors ten times too large",
          (_PARTS, '"1 kΩ"', '"10 kΩ"'),
          (_LIST, "resistor,1 kΩ", "resistor,10 kΩ"),
          (_POLISH, "1 kΩ,", "10 kΩ,")),
    _many("the pull-ups of the bus ten times too large",
          (_PARTS, '"4.7 kΩ"', '"47 kΩ"'),
          (_LIST, "resistor,4.7 kΩ", "resistor,47 kΩ"),
          (_POLISH, '"4,7 kΩ",', '"47 kΩ",')),
    _many("the divider's halves ten times too large",
          (_PARTS, '"100 kΩ"', '"1000 kΩ"'),
          (_LIST, "resistor,100 kΩ", "resistor,1000 kΩ"),
          (_POLISH, ",100 kΩ,", ",1000 kΩ,")),
    _many("the pull-up of Kostka ten times too large",
          (_PARTS, '"10 kΩ"', '"100 kΩ"'),
          (_LIST, "resistor,10 kΩ", "resistor,100 kΩ"),
          (_POLISH, ",10 kΩ,", ",100 kΩ,")),
    _many("the contacts' capacitors a hundred times too large",
          (_PARTS, '"100 nF"', '"10 µF"'),
          (_LIST, "ceramic capacitor,100 nF", "ceramic capacitor,10 µF"),
          (_POLISH, ",100 nF,", ",10 µF,")),
    _many("the ring's capacitor ten times too large",
          (_PARTS, '"470 µF"', '"4700 µF"'),
          (_LIST, "electrolytic capacitor,470 µF", "electrolytic capacitor,4700 µF"),
          (_POLISH, ",470 µF,", ",4700 µF,")),
    _many("the board's capacitor ten times too small",
          (_PARTS, '"1000 µF"', '"100 µF"'),
          (_LIST, "electrolytic capacitor,1000 µF", "electrolytic capacitor,100 µF"),
          (_POLISH, ",1000 µF,", ",100 µF,")),
    _many("a capacitor on 5 V that bears 4 V",
          (_LIST, '"radial, 10 mm wide, 10 V or more"', '"radial, 10 mm wide, 4 V or more"'),
          (_POLISH, "średnica 10 mm, 10 V", "średnica 10 mm, 4 V")),
    _many("a loudspeaker of 8 ohm for the buzzer",
          (_PARTS, "passive, 40 Ω or more", "passive, 8 Ω or more"),
          (_LIST, "passive, 40 Ω or more", "passive, 8 Ω or more")),
    _many("an HC buffer, which does not take 3.3 V",
          (_PARTS, '"74AHCT125"', '"74HC125"'),
          (_LIST, "bus buffer,74AHCT125", "bus buffer,74HC125")),
    _many("a fuse that the wire does not outlive",
          (_PARTS, '"3.15 A, slow"', '"10 A, slow"'),
          ("hardware/power.py", "FUSE_A: Final = 3.15", "FUSE_A: Final = 10"),
          ("hardware/power.py", "WIRE_A: Final = 3.5 ", "WIRE_A: Final = 12 "),
          (_LIST, '"3.15 A, slow"', '"10 A, slow"')),
    _one("the divider is not in halves", _BOX, '"R8", kinds.RESISTOR_100K', '"R8", kinds.RESISTOR_10K'),
    _one("no resistor before the lamps", _BOX, '"carrier", ("LAMPS_BUFFERED", "LAMPS_5V")',
         '"carrier", ("LAMPS_5V", "LAMPS_5V")'),
    _one("the bus is pulled up to 5 V", _BOX, '("SDA", "+3V3")', '("SDA", "+5V")'),
    _one("nothing holds the transistor's base down", _BOX, '("BUZZER_BASE", "GND")', '("BUZZER_BASE", "+3V3")'),
    _one("the cell's minus is ground", _BOX, '"battery bay", ("BATTERY", "BATTERY_MINUS", "+5V_CHARGER", "GND")',
         '"battery bay", ("BATTERY", "GND", "+5V_CHARGER", "GND")'),
    _one("the fuse is bridged", _BOX, '("CELL", "BATTERY_MINUS"), mates', '("BATTERY", "BATTERY_MINUS"), mates'),
    # leads and lamps
    _one("green and yellow of the displays' leads exchanged", _HARNESS, '"SDA": "GN", "SCL": "YE"',
         '"SDA": "YE", "SCL": "GN"'),
    _one("green and yellow of the buttons' leads exchanged", _HARNESS, '"JUZ": "GN", "DALEJ": "YE"',
         '"JUZ": "YE", "DALEJ": "GN"'),
    _one("blue and white of the buttons' leads exchanged", _HARNESS, '"IN": "BU", "OUT": "WH"',
         '"IN": "WH", "OUT": "BU"'),
    _one("red and black of the pack exchanged", _HARNESS, '"PACK": "RD", "PACK_MINUS": "BK"',
         '"PACK": "BK", "PACK_MINUS": "RD"'),
    _many("the poles of Już and Dalej exchanged in the plug and in the circuit",
          (_BOX, '("+5V", "GND", "IN", "OUT", "JUZ", "DALEJ")', '("+5V", "GND", "IN", "OUT", "DALEJ", "JUZ")'),
          (_BOX, 'before, after, f"{juz}_LEAD", f"{dalej}_LEAD")', 'before, after, f"{dalej}_LEAD", f"{juz}_LEAD")')),
    _many("5 V and battery exchanged in the plug of the power and in the circuit",
          (_BOX, 'kinds.connector(("+5V", "GND", "BATTERY"))', 'kinds.connector(("BATTERY", "GND", "+5V"))'),
          (_BOX, 'power, "carrier", ("+5V", "GND", "BATTERY")', 'power, "carrier", ("BATTERY", "GND", "+5V")')),
    _many("the ring's data in and out exchanged in the plug and in the circuit",
          (_BOX, '("+5V", "GND", "RING IN", "RING OUT",', '("+5V", "GND", "RING OUT", "RING IN",'),
          (_BOX, '("+5V", "GND", "LAMPS_5V", "LAMPS_AFTER_RING", after',
           '("+5V", "GND", "LAMPS_AFTER_RING", "LAMPS_5V", after')),
    _one("data runs backwards through the buttons' lamps", _BOX, "data[number], data[number + 1])",
         "data[number + 1], data[number])"),
    _one("the leads of sides A and C exchanged", _BOX, 'lead = f"buttons {place[-1]}"',
         'lead = f"buttons {dict(zip(\'ABCD\', \'CBAD\'))[place[-1]]}"'),
    _one("green and amber buttons exchanged", _BOX, 'kinds.BUTTON_GREEN if "JUZ" in name',
         'kinds.BUTTON_GREEN if "DALEJ" in name'),
    _one("the displays' addresses run from D to A", _BOX, "0x{ADDRESS + place:02X}", "0x{ADDRESS + 3 - place:02X}"),
    _many("the displays' addresses begin at 0x74, in the firmware too",
          (_BOX, "ADDRESS: Final = 0x70", "ADDRESS: Final = 0x74"),
          (_DEVICES, "ADDRESS = 0x70", "ADDRESS = 0x74")),
    _one("the colours of a bundle run backwards in its picture", _WIREVIZ, '[wire.colour for wire in wires]',
         "[wire.colour for wire in wires[::-1]]"),
    _one("the poles of a plug are counted backwards in its picture", _WIREVIZ, "return place + 1 if part is lead.plug",
         "return len(part.pins) - place if part is lead.plug"),
    _one("the list of the leads names the next pin", "hardware/harness_list.py", "if pin.number == end.pin)",
         'if end.pin in (pin.number, str(int(pin.number) + 1)))'),
    # the battery
    _one("the cells are bought in series", _LIST, "in parallel, never in series", "in series"),
    _one("the cells are bought in series, in Polish", _POLISH, "równolegle, nigdy szeregowo",
         "szeregowo, nigdy równolegle"),
    _many("a pack of two times three cells in series",
          (_LIST, "ready-made 1S6P pack", "ready-made 2S3P pack"),
          (_LIST, "18650 1S6P 3.7V", "18650 2S3P 3.7V")),
    _one("five cells are bought, and six reckoned with", _LIST, "pack: 6 cells", "pack: 5 cells"),
    _one("three cells are reckoned with", "hardware/power.py", "CELLS: Final = 6 ", "CELLS: Final = 3 "),
    _one("a full cell has 4.35 V", "hardware/cell.py", "(0.9548, 4.112), (1.0, 4.200)",
         "(0.9548, 4.112), (1.0, 4.350)"),
    _one("a third of the battery's voltage is reckoned with", _BOARD, "DIVIDER = 2 ", "DIVIDER = 3 "),
    _one("the warning of a low battery comes at 3.3 V", "firmware/lib/moveclock/box.py", "LOW_BATTERY_MV = 3800",
         "LOW_BATTERY_MV = 3300"),
    _one("a battery below 3.3 V is not believed", _DEVICES, "_LEAST_MV = 2500", "_LEAST_MV = 3300"),
    _one("two cells in series are believed", _DEVICES, "_MOST_MV = 5600", "_MOST_MV = 8400"),
    _one("a full battery is not believed", _DEVICES, "_MOST_MV = 5600", "_MOST_MV = 4150"),
    # the firmware
    _one("the bus at 400 kHz", _DEVICES, "_I2C_HZ = 100000", "_I2C_HZ = 400000"),
    _one("the bus at 400 kHz where the firmware fails", _DEVICES, "freq=100000)", "freq=400000)"),
    _one("the buzzer sounds from power-on", _DEVICES, "freq=1000, duty_u16=0)", "freq=1000, duty_u16=32768)"),
    _one("the buzzer goes on after a sound", _DEVICES,
         "            self._playing = -1\n            self._pwm.duty_u16(0)\n",
         "            self._playing = -1\n            self._pwm.duty_u16(65535)\n"),
    _one("the buzzer sounds in a rest", _DEVICES, "self._duty if hertz else 0", "self._duty"),
    _one("buttons A and C exchanged in the firmware", _BOARD, "(32, 33, 25, 26, 27, 14, 13, 23)",
         "(27, 14, 25, 26, 32, 33, 13, 23)"),
    _one("SDA and SCL exchanged in the firmware", _BOARD, "(21, 22, 18, 4)", "(22, 21, 18, 4)"),
    _one("Kostka and battery exchanged in the firmware of the S3", _BOARD, "21, 10, (), (8, 9, 14, 13), 1)",
         "21, 1, (), (8, 9, 14, 13), 10)"),
    _one("the displays' oscillator stays off", _DEVICES, r'_SYSTEM_ON = b"\x21"', r'_SYSTEM_ON = b"\x20"'),
    _one("the displays blink", _DEVICES, r'_DISPLAY_ON = b"\x81"', r'_DISPLAY_ON = b"\x83"'),
    _one("the displays' digits follow each other in their memory", _DEVICES, "_PLACES = (0, 2, 6, 8)",
         "_PLACES = (0, 2, 4, 6)"),
    _one("2 and 3 exchanged on the displays", _DEVICES, r"\x3f\x06\x5b\x4f", r"\x3f\x06\x4f\x5b"),
)  # fmt: skip

TOGETHER: Final = (
    "input and enable of the buffer's gate exchanged in its pins and in the circuit",
    "the buzzer's diode is turned round, its names with it",
    "the board's capacitor turned round on the carrier",
    "the transistor turned round on the carrier",
    "the pull-ups of the bus ten times too large",
    "green and yellow of the buttons' leads exchanged",
    "the cells are bought in series",
    "two cells in series are believed",
    "the bus at 400 kHz",
    "the buzzer sounds from power-on",
)
"""Ten that are found by nothing but the tests of data sheets, once the pictures are drawn anew."""
