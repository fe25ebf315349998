"""Faults of the flat box's circuit, parts and layout, and of the firmware, each of which some check must find.

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


_PARTS: Final = "hardware/flat/parts.py"
_BOX: Final = "hardware/flat/circuit.py"
_LAYOUT: Final = "hardware/flat/layout.py"
_ORDER: Final = "hardware/flat/order.csv"
_BOARD: Final = "firmware/board.py"
_DEVICES: Final = "firmware/devices/*.py"
_CORE: Final = "firmware/lib/moveclock/*.py"


def _one(name: str, files: str, old: str, new: str) -> Mutant:
    return Mutant(name, (Change(files, old, new),))


def _many(name: str, *changes: tuple[str, str, str]) -> Mutant:
    return Mutant(name, tuple(Change(*change) for change in changes))


_FET_PINS: Final = '"Package_TO_SOT_SMD:SOT-23",\n    (("1", "G", IN), ("2", "S", PASSIVE), ("3", "D", PASSIVE))'
_SWITCH_PINS: Final = f'"mosfet-p", "AO3401A", {_FET_PINS}'
_SHIFTER_PINS: Final = f'"mosfet-n", "BSS138", {_FET_PINS}'
_TRANSISTOR_PINS: Final = '(("1", "B", PASSIVE), ("2", "E", PASSIVE), ("3", "C", PASSIVE))'

MUTANTS: Final = (
    # pins, each exchanged in parts and circuit, so that the two agree
    _one("the switch's drain and source exchanged in its pins", _PARTS, _SWITCH_PINS,
         _SWITCH_PINS.replace('"S"', '"X"').replace('"D"', '"S"').replace('"X"', '"D"')),
    _many("the switch's gate and source exchanged in its pins and in the circuit",
          (_PARTS, _SWITCH_PINS, _SWITCH_PINS.replace('"1", "G"', '"1", "S"').replace('"2", "S"', '"2", "G"')),
          (_BOX, '"SLOW", "VBUS_FUSED", "+5V")', '"VBUS_FUSED", "SLOW", "+5V")')),
    _many("the shifters' gate and source exchanged in their pins and in the circuit",
          (_PARTS, _SHIFTER_PINS, _SHIFTER_PINS.replace('"1", "G"', '"1", "S"').replace('"2", "S"', '"2", "G"')),
          (_BOX, 'kinds.MOSFET_N, "+3V3", line,', 'kinds.MOSFET_N, line, "+3V3",')),
    _one("the shifters' drain and source exchanged", _BOX, '"+3V3", line, f"{line}_5V")',
         '"+3V3", f"{line}_5V", line)'),
    _many("base and emitter of the transistor exchanged in its pins and in the circuit",
          (_PARTS, _TRANSISTOR_PINS, '(("1", "E", PASSIVE), ("2", "B", PASSIVE), ("3", "C", PASSIVE))'),
          (_BOX, '"BUZZER_BASE", "GND", "BUZZER_LOW")', '"GND", "BUZZER_BASE", "BUZZER_LOW")')),
    _one("collector and emitter of the transistor exchanged", _BOX, '"BUZZER_BASE", "GND", "BUZZER_LOW")',
         '"BUZZER_BASE", "BUZZER_LOW", "GND")'),
    _many("input and ground of the regulator exchanged in its pins and in the circuit",
          (_PARTS, '("1", "GND", SUPPLIED), ("2", "OUT", SUPPLY), ("3", "IN", SUPPLIED)',
           '("1", "IN", SUPPLIED), ("2", "OUT", SUPPLY), ("3", "GND", SUPPLIED)'),
          (_BOX, 'kinds.REGULATOR, "GND", "+3V3", "+5V"', 'kinds.REGULATOR, "+5V", "+3V3", "GND"')),
    _one("input and output of the regulator exchanged", _BOX, 'kinds.REGULATOR, "GND", "+3V3", "+5V"',
         'kinds.REGULATOR, "GND", "+5V", "+3V3"'),
    _many("enable and input of the buffer exchanged in its pins and in the circuit",
          (_PARTS, '("1", "OE", IN), ("2", "A", IN)', '("1", "A", IN), ("2", "OE", IN)'),
          (_BOX, 'kinds.BUFFER, "GND", "LAMPS", "GND"', 'kinds.BUFFER, "LAMPS", "GND", "GND"')),
    _many("supply and ground of the buffer exchanged in its pins and in the circuit",
          (_PARTS, '("3", "GND", SUPPLIED), ("4", "Y", OUT), ("5", "VCC", SUPPLIED)',
           '("3", "VCC", SUPPLIED), ("4", "Y", OUT), ("5", "GND", SUPPLIED)'),
          (_BOX, '"LAMPS", "GND", "LAMPS_BUFFERED", "+5V")', '"LAMPS", "+5V", "LAMPS_BUFFERED", "GND")')),
    _many("supply and ground of the lamps exchanged in their pins and in the circuit",
          (_PARTS, '("1", "VDD", SUPPLIED), ("2", "DOUT", OUT), ("3", "VSS", SUPPLIED)',
           '("1", "VSS", SUPPLIED), ("2", "DOUT", OUT), ("3", "VDD", SUPPLIED)'),
          (_BOX, 'kinds.LAMP, "+5V", after, "GND", data', 'kinds.LAMP, "GND", after, "+5V", data')),
    _many("data in and out of the lamps exchanged in their pins and in the circuit",
          (_PARTS, '("2", "DOUT", OUT), ("3", "VSS", SUPPLIED), ("4", "DIN", IN)',
           '("2", "DIN", IN), ("3", "VSS", SUPPLIED), ("4", "DOUT", OUT)'),
          (_BOX, 'kinds.LAMP, "+5V", after, "GND", data', 'kinds.LAMP, "+5V", data, "GND", after')),
    _many("the guard's channels exchanged in its pins and in the circuit",
          (_PARTS, '("3", "I/O2", PASSIVE),\n        ("4", "I/O2", PASSIVE)',
           '("3", "I/O2", PASSIVE),\n        ("4", "I/O1", PASSIVE)'),
          (_PARTS, '("5", "VBUS", SUPPLIED), ("6", "I/O1", PASSIVE)',
           '("5", "VBUS", SUPPLIED), ("6", "I/O2", PASSIVE)'),
          (_BOX, '"USB_N", "GND", "USB_P", "USB_P", "VBUS", "USB_N")',
           '"USB_N", "GND", "USB_P", "USB_N", "VBUS", "USB_P")')),
    _one("the guard's supply and ground exchanged", _BOX, '"USB_N", "GND", "USB_P", "USB_P", "VBUS", "USB_N")',
         '"USB_N", "VBUS", "USB_P", "USB_P", "GND", "USB_N")'),
    _one("D+ and D- exchanged in the socket", _PARTS,
         '("A6", "D+", BOTH), ("A7", "D-", BOTH)', '("A6", "D-", BOTH), ("A7", "D+", BOTH)'),
    _one("CC2 and D+ exchanged in the socket", _PARTS,
         '("B5", "CC2", BOTH), ("B6", "D+", BOTH)', '("B5", "D+", BOTH), ("B6", "CC2", BOTH)'),
    _one("D+ and D- exchanged at the chip", _BOX, '19: "USB_N", 20: "USB_P"', '19: "USB_P", 20: "USB_N"'),
    _one("the driver's rows counted the other way round", _PARTS, 'f"ROW{15 - step}"', 'f"ROW{step}"'),
    _one("the driver's columns begin at pin 3", _PARTS, 'str(2 + com), f"COM{com}"',
         'str(2 + com), f"COM{com - 1 & 7}"'),
    _many("SDA and SCL of the driver exchanged in its pins",
          (_PARTS, '("26", "SCL", IN), ("27", "SDA", BOTH)', '("26", "SDA", BOTH), ("27", "SCL", IN)')),
    _one("pins 4 and 5 of the module exchanged", _PARTS, '"GND", "3V3", "EN", "IO4", "IO5"',
         '"GND", "3V3", "EN", "IO5", "IO4"'),
    _one("EN and 3V3 of the module exchanged", _PARTS, '"GND", "3V3", "EN", "IO4"', '"GND", "EN", "3V3", "IO4"'),
    _one("pins 1 and 2 of the module exchanged", _PARTS, '"TXD0", "IO2", "IO1"', '"TXD0", "IO1", "IO2"'),
    _one("8 and 18 of the module exchanged", _PARTS, '"IO18", "IO8", "IO19"', '"IO8", "IO18", "IO19"'),
    # which way round
    _many("the diodes' poles exchanged in their names and in the circuit",
          (_PARTS, '"Diode_SMD:D_SOD-123", "K", "A")', '"Diode_SMD:D_SOD-123", "A", "K")'),
          (_BOX, 'kinds.DIODE, "+5V", "BUZZER_LOW")', 'kinds.DIODE, "BUZZER_LOW", "+5V")'),
          (_BOX, 'kinds.DIODE, "SLOW", "GND")', 'kinds.DIODE, "GND", "SLOW")'),
          (_BOX, 'kinds.DIODE, "ADDRESS", "COM0")', 'kinds.DIODE, "COM0", "ADDRESS")')),
    _one("the buzzer's diode conducts", _BOX, 'kinds.DIODE, "+5V", "BUZZER_LOW")', 'kinds.DIODE, "BUZZER_LOW", "+5V")'),
    _one("the slow start's diode conducts", _BOX, 'kinds.DIODE, "SLOW", "GND")', 'kinds.DIODE, "GND", "SLOW")'),
    _one("the address's diode blocks", _BOX, 'kinds.DIODE, "ADDRESS", "COM0")', 'kinds.DIODE, "COM0", "ADDRESS")'),
    _many("the LEDs' poles exchanged in their names",
          (_PARTS, '"LED_SMD:LED_0805_2012Metric", "K", "A")', '"LED_SMD:LED_0805_2012Metric", "A", "K")')),
    _one("the segments' LEDs lead from column to row", _BOX, 'kinds.LED, f"COM{com}", f"ROW{row}"',
         'kinds.LED, f"ROW{row}", f"COM{com}"'),
    _one("the points lead from column to row", _BOX, 'kinds.LED, f"COM{com}", "POINTS"',
         'kinds.LED, "POINTS", f"COM{com}"'),
    _many("the reserve's poles exchanged in their names and in the circuit",
          (_PARTS, '"Capacitor_SMD:CP_Elec_8x10", "+", "-")', '"Capacitor_SMD:CP_Elec_8x10", "-", "+")'),
          (_BOX, 'kinds.CAPACITOR_470U, "+5V", "GND")', 'kinds.CAPACITOR_470U, "GND", "+5V")')),
    _one("the reserve is the wrong way round", _BOX, 'kinds.CAPACITOR_470U, "+5V", "GND")',
         'kinds.CAPACITOR_470U, "GND", "+5V")'),
    _one("the switch conducts backwards", _BOX, '"SLOW", "VBUS_FUSED", "+5V")', '"SLOW", "+5V", "VBUS_FUSED")'),
    _one("lamps that have their first pad elsewhere", _PARTS, "LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
         "LED_SK6812_PLCC4_5.0x5.0mm_P3.2mm"),
    _one("a regulator whose tab is ground", _PARTS, "SOT-223-3_TabPin2", "SOT-223"),
    # values
    _one("the divider is not in halves", _BOX, '"R8", kinds.RESISTOR_100K', '"R8", kinds.RESISTOR_10K'),
    _one("the divider's halves ten times too large", _PARTS, '_resistor("100k", "100 kΩ")',
         '_resistor("100k", "1000 kΩ")'),
    _one("1 kΩ ten times too large", _PARTS, '_resistor("1k", "1 kΩ")', '_resistor("1k", "10 kΩ")'),
    _one("CC says nothing that a source knows", _PARTS, '_resistor("5k1", "5.1 kΩ")', '_resistor("5k1", "51 kΩ")'),
    _one("one resistor for both CC", _BOX, '"R2", kinds.RESISTOR_5K1, "CC2", "GND"',
         '"R2", kinds.RESISTOR_5K1, "CC1", "GND"'),
    _one("10 kΩ at CC1", _BOX, '"R1", kinds.RESISTOR_5K1', '"R1", kinds.RESISTOR_10K'),
    _one("the pull-ups at 5 V are too weak for the bus", _BOX, 'f"R{25 + number}", kinds.RESISTOR_4K7',
         'f"R{25 + number}", kinds.RESISTOR_10K'),
    _one("the pull-ups at 5 V are too strong for a driver", _BOX, 'f"R{25 + number}", kinds.RESISTOR_4K7',
         'f"R{25 + number}", kinds.RESISTOR_1K'),
    _one("a plug that charges 22 µF", _BOX, '"C1", kinds.CAPACITOR_10U', '"C1", kinds.CAPACITOR_22U'),
    _one("a start that is ten times too fast", _BOX, '"C2", kinds.CAPACITOR_1U', '"C2", kinds.CAPACITOR_100N'),
    _one("a start without its resistor's nought", _BOX, '"R3", kinds.RESISTOR_470K', '"R3", kinds.RESISTOR_39K'),
    _one("the slow start's capacitor leads to ground", _BOX, 'kinds.CAPACITOR_1U, "VBUS_FUSED", "SLOW")',
         'kinds.CAPACITOR_1U, "GND", "SLOW")'),
    _one("the reserve ten times too small", _PARTS, '"470 µF", "Capacitor_SMD', '"47 µF", "Capacitor_SMD'),
    _one("the reserve stands before the switch", _BOX, 'kinds.CAPACITOR_470U, "+5V"',
         'kinds.CAPACITOR_470U, "VBUS_FUSED"'),
    _one("keys' capacitors a hundred times too large", _BOX, 'f"C{10 + number}", kinds.CAPACITOR_100N',
         'f"C{10 + number}", kinds.CAPACITOR_10U'),
    _one("no resistor before the lamps", _BOX, '"R6", kinds.RESISTOR_330, "LAMPS_BUFFERED", "LAMPS_5V"',
         '"R6", kinds.RESISTOR_330, "LAMPS_5V", "LAMPS_5V"'),
    _one("the lamps' resistor too large", _BOX, '"R6", kinds.RESISTOR_330', '"R6", kinds.RESISTOR_4K7'),
    _one("a base resistor that leaves the transistor half open", _BOX, '"R23", kinds.RESISTOR_330',
         '"R23", kinds.RESISTOR_4K7'),
    _one("a loudspeaker of 8 Ω for the buzzer", _PARTS, "passive, 5 V, 42 Ω", "passive, 5 V, 8 Ω"),
    _one("an active buzzer", _PARTS, '"passive, 5 V, 42 Ω"', '"active, 5 V, 42 Ω"'),
    _one("an HC buffer, which does not take 3.3 V", _PARTS, '"74AHCT1G125"', '"74HC1G125"'),
    _one("a regulator of another kind, which a weak bank does not feed", _PARTS, '"TLV1117LV33"', '"AMS1117-3.3"'),
    _one("a fuse that never trips", _PARTS, "1.5 A, resettable", "5 A, resettable"),
    _one("straps of 3.9 kΩ", _PARTS, '_resistor("39k", "39 kΩ")', '_resistor("39k", "3.9 kΩ")'),
    # nets
    _one("the bus is pulled up to 5 V at the chip", _BOX, 'kinds.RESISTOR_4K7, "+3V3", line)',
         'kinds.RESISTOR_4K7, "+5V", line)'),
    _one("nothing holds the transistor's base down", _BOX, '"BUZZER_BASE", "GND")  #', '"BUZZER_BASE", "+3V3")  #'),
    _one("nothing holds the buffer's input down", _BOX, '"LAMPS", "GND")  #', '"LAMPS", "+3V3")  #'),
    _one("the fuse is bridged", _BOX, '"F1", kinds.FUSE, "VBUS", "VBUS_FUSED"', '"F1", kinds.FUSE, "VBUS", "VBUS"'),
    _one("the switch is fed past the fuse", _BOX, 'kinds.MOSFET_P, "SLOW", "VBUS_FUSED"',
         'kinds.MOSFET_P, "SLOW", "VBUS"'),
    _one("the regulator is fed past the switch", _BOX, 'kinds.REGULATOR, "GND", "+3V3", "+5V"',
         'kinds.REGULATOR, "GND", "+3V3", "VBUS_FUSED"'),
    _one("the divider reads before the switch", _BOX, 'kinds.RESISTOR_100K, "+5V", "BATTERY_HALF"',
         'kinds.RESISTOR_100K, "VBUS_FUSED", "BATTERY_HALF"'),
    _one("Kostka is pulled up to 5 V", _BOX, 'kinds.RESISTOR_10K, "+3V3", "KOSTKA"',
         'kinds.RESISTOR_10K, "+5V", "KOSTKA"'),
    _one("EN has no pull-up", _BOX, 'kinds.RESISTOR_10K, "+3V3", "EN"', 'kinds.RESISTOR_10K, "EN", "EN"'),
    _one("BOOT is pulled down", _BOX, 'kinds.RESISTOR_10K, "+3V3", "BOOT"', 'kinds.RESISTOR_10K, "GND", "BOOT"'),
    _one("keys close to 3.3 V", _BOX, 'kinds.KEY, f"{name}_KEY", "GND"', 'kinds.KEY, f"{name}_KEY", "+3V3"'),
    _one("keys without their resistor", _BOX, 'kinds.RESISTOR_1K, f"{name}_KEY", name',
         'kinds.RESISTOR_1K, name, name'),
    _one("Dalej before Już in the keys", _BOX, 'for button in ("JUZ", "DALEJ"))\n',
         'for button in ("DALEJ", "JUZ"))\n'),
    _one("data runs backwards through the lamps", _BOX, 'kinds.LAMP, "+5V", after, "GND", data',
         'kinds.LAMP, "+5V", data, "GND", after'),
    _one("Sędzia's lamp before the keys'", _BOX, '*BUTTONS, "SEDZIA"]', '"SEDZIA", *BUTTONS]'),
    _one("a capacitor less for each lamp", _BOX, 'f"C{50 + number}", kinds.CAPACITOR_100N, "+5V", "GND"',
         'f"C{50 + number}", kinds.CAPACITOR_100N, "GND", "GND"'),
    _one("displays' plugs with SDA and SCL exchanged on the main board", _BOX, '"GND", "SCL_5V", "SDA_5V", "+5V")',
         '"GND", "SDA_5V", "SCL_5V", "+5V")'),
    _many("poles of the displays' plugs the other way round in one half",
          (_BOX, '"GND", "SCL_5V", "SDA_5V", "+5V")', '"+5V", "SDA_5V", "SCL_5V", "GND")')),
    _one("the displays' addresses run from D to A", _BOX, "place >> bit & 1", "3 - place >> bit & 1"),
    _one("A0 and A1 of the displays exchanged", _BOX, "((0, 2), (1, 1))", "((0, 1), (1, 2))"),
    _one("no strap is fitted", _BOX, "fitted=bool(place >> bit & 1)", "fitted=False"),
    _many("the displays' addresses begin at 0x74, in the firmware too",
          (_BOX, "ADDRESS: Final = 0x70", "ADDRESS: Final = 0x74"),
          (_DEVICES, "ADDRESS = 0x70", "ADDRESS = 0x74")),
    _one("columns of the digits follow each other", _BOX, "DIGIT_COMS: Final = (0, 1, 3, 4)",
         "DIGIT_COMS: Final = (0, 1, 2, 3)"),
    _one("the colon is at segment a", _BOX, 'SEGMENTS.index("b")', 'SEGMENTS.index("a")'),
    _one("segments counted the other way round", _BOX, 'SEGMENTS: Final = "abcdefg"', 'SEGMENTS: Final = "afedcbg"'),
    # the board
    _one("the module's antenna looks inwards", _LAYOUT, '"U1": (0, CORNER - 12.75, 180)',
         '"U1": (0, CORNER - 12.75, 0)'),
    _one("the socket's mouth looks inwards", _LAYOUT, '"J1": (0, 84.6, 0)', '"J1": (0, 84.6, 180)'),
    _one("the Kostka's plug looks aside", _LAYOUT, '"J6": (-1.25, CORNER - 9.2, 0)', '"J6": (-1.25, CORNER - 9.2, 90)'),
    _one("the displays' pins are the other way round", _LAYOUT, "_at(frame, 3.81, PINS_OUT, -90)",
         "_at(frame, -3.81, PINS_OUT, 90)"),
    _one("the displays' pins begin at the other end", _LAYOUT, "_at(frame, 3.81, PINS_OUT, -90)",
         "_at(frame, -3.81, PINS_OUT, -90)"),
    _one("the displays' sockets are turned round", _LAYOUT, "Place(0, -SOCKET_UP, 90, True)",
         "Place(0, -SOCKET_UP, -90, True)"),
    _one("the displays' sockets are in front", _LAYOUT, "Place(0, -SOCKET_UP, 90, True)", "Place(0, -SOCKET_UP, 90)"),
    _one("b and f exchanged on the displays", _LAYOUT, '"b": (width / 2, -height / 4)',
         '"b": (-width / 2, -height / 4)'),
    _one("a and d exchanged on the displays", _LAYOUT, '"a": (0, -height / 2)', '"a": (0, height / 2)'),
    _one("digits from right to left", _LAYOUT, "(-28.5, -11.0, 11.0, 28.5)", "(28.5, 11.0, -11.0, -28.5)"),
    _one("LEDs that stand are turned round", _LAYOUT, "0 if lies else 90)", "0 if lies else -90)"),
    _one("the ring runs counter-clockwise", _LAYOUT, "/ 2 - place)", "/ 2 + place)"),
    _one("the ring begins a quarter later", _LAYOUT, "((RING // len(SIDES) - 1) / 2 - place)",
         "((RING // len(SIDES) - 1) / 2 - place - 6)"),
    _one("Już on its player's left", _LAYOUT, "enumerate((KEYS, -KEYS))", "enumerate((-KEYS, KEYS))"),
    _one("sides run counter-clockwise", _LAYOUT, "frame = -90.0 * place\n        found[f\"J",
         "frame = 90.0 * place\n        found[f\"J"),
    _one("a lamp's capacitor far from it", _LAYOUT, "_at(frame, 0, RING_RADIUS - 4.1)",
         "_at(frame, 0, RING_RADIUS - 14.1)"),
    # the list to order
    _one("a narrow driver is ordered", _ORDER, "HT16K33A-28SOP", "HT16K33A-28SSOP"),
    _one("an HC buffer is ordered", _ORDER, "SN74AHCT1G125DBVR", "SN74AHC1G125DBVR"),
    _one("33 kΩ are ordered for 330 Ω", _ORDER, "0603WAF3300T5E", "0603WAF3302T5E"),
    _one("a reserve of 6.3 V is ordered", _ORDER, "VZH471M1CTR-0810", "VZH471M0JTR-0810"),
    _one("a fuse of 0.5 A is ordered", _ORDER, "SMD1812P150TF/8", "SMD1812P050TF/8"),
    _one("a module for another antenna is ordered", _ORDER, "ESP32-S3-WROOM-1-N8", "ESP32-S3-WROOM-1U-N8"),
    # the firmware
    _one("a third of the supply is reckoned with", _BOARD, "DIVIDER = 2 ", "DIVIDER = 3 "),
    _one("buttons A and C exchanged in the firmware", _BOARD, "(4, 5, 6, 7, 15, 16, 17, 18)",
         "(15, 16, 6, 7, 4, 5, 17, 18)"),
    _one("buttons A and C exchanged in the firmware of the ESP32", _BOARD, "(32, 33, 25, 26, 27, 14, 13, 23)",
         "(27, 14, 25, 26, 32, 33, 13, 23)"),
    _one("SDA and SCL exchanged in the firmware", _BOARD, "(8, 9, 14, 13)", "(9, 8, 14, 13)"),
    _one("SDA and SCL exchanged in the firmware of the ESP32", _BOARD, "(21, 22, 18, 4)", "(22, 21, 18, 4)"),
    _one("Kostka and the divider exchanged in the firmware", _BOARD, "21, 10, (), (8, 9, 14, 13), 1)",
         "21, 1, (), (8, 9, 14, 13), 10)"),
    _one("Sędzia on a strapping pin", _BOARD, "_ESP32_S3_BUTTONS, 21,", "_ESP32_S3_BUTTONS, 45,"),
    _one("the warning comes at 4.6 V", _CORE, "LOW_BATTERY_MV = 3800", "LOW_BATTERY_MV = 4600"),
    _one("the warning comes when the regulator has given up", _CORE, "LOW_BATTERY_MV = 3800", "LOW_BATTERY_MV = 3300"),
    _one("a rail below 4 V is not believed", _DEVICES, "_LEAST_MV = 2500", "_LEAST_MV = 4000"),
    _one("a divider without its lower half is believed", _DEVICES, "_MOST_MV = 5600", "_MOST_MV = 8400"),
    _one("5.5 V are not believed", _DEVICES, "_MOST_MV = 5600", "_MOST_MV = 5200"),
    _one("the bus at 400 kHz", _DEVICES, "_I2C_HZ = 100000", "_I2C_HZ = 400000"),
    _one("the bus at 400 kHz where the firmware fails", _DEVICES, "freq=100000)", "freq=400000)"),
    _one("the buzzer sounds from power-on", _DEVICES, "freq=1000, duty_u16=0)", "freq=1000, duty_u16=32768)"),
    _one("the buzzer goes on after a sound", _DEVICES,
         "            self._playing = -1\n            self._pwm.duty_u16(0)\n",
         "            self._playing = -1\n            self._pwm.duty_u16(65535)\n"),
    _one("the buzzer sounds in a rest", _DEVICES, "self._duty if hertz else 0", "self._duty"),
    _one("the displays' oscillator stays off", _DEVICES, r'_SYSTEM_ON = b"\x21"', r'_SYSTEM_ON = b"\x20"'),
    _one("the displays blink", _DEVICES, r'_DISPLAY_ON = b"\x81"', r'_DISPLAY_ON = b"\x83"'),
    _one("the displays' digits follow each other in their memory", _DEVICES, "_PLACES = (0, 2, 6, 8)",
         "_PLACES = (0, 2, 4, 6)"),
    _one("2 and 3 exchanged on the displays", _DEVICES, r"\x3f\x06\x5b\x4f", r"\x3f\x06\x4f\x5b"),
)  # fmt: skip

TOGETHER: Final = (
    "the switch's gate and source exchanged in its pins and in the circuit",
    "the diodes' poles exchanged in their names and in the circuit",
    "enable and input of the buffer exchanged in its pins and in the circuit",
    "pins 4 and 5 of the module exchanged",
    "the pull-ups at 5 V are too weak for the bus",
    "the displays' sockets are turned round",
    "Już on its player's left",
    "a divider without its lower half is believed",
    "the bus at 400 kHz",
    "the buzzer sounds from power-on",
)
"""Ten that agree with themselves: data sheets alone find them."""
