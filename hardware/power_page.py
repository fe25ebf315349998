"""hardware/power.md: every number on it is computed here and now, so that the page is never older than the firmware."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import Final

from hardware import cell, figures, firmware, power
from hardware.figures import CASES, Case
from hardware.modes import MODES, peak, taken
from hardware.power import CELLS, RULE_HOURS, Setting
from moveclock.box import LOW_BATTERY_MV

PAGE: Final = Path(__file__).parent / "power.md"
NAMES: Final = {"esp32": "ESP32", "esp32s3": "ESP32-S3"}
BOXES: Final = tuple(Setting(chip) for chip in NAMES)
USUAL_MV: Final = 3500  # where many devices warn
HALF: Final = 8  # sixteenths: the brightness to try
EVERYTHING: Final = frozenset(power.DOUBTS) - {"reading"}
FLAT_AH: Final = 10  # what flat packs are mostly sold with
COLUMNS: Final = 120
PACK_AH: Final = CELLS * figures.CELL.typical
WARNING: Final = f"{LOW_BATTERY_MV / 1000:.2f} V"


def page() -> str:
    """The whole of it, in Markdown."""
    parts = (*_head(), *_modes(), *_battery(), *_warning(), *_limits(), *_sources())
    return "\n\n".join(parts) + "\n"


def _head() -> Iterable[str]:
    yield "# Power, on paper"
    yield _text(
        """`python -m hardware.power` computes this page from the firmware's colours, texts and sounds and from the
        figures at its end (`--update` writes it, a test compares). **No box has been measured yet**: lines 21
        and 23 of [acceptance.md](acceptance.md) say what to measure; the results go into `hardware/figures.py`."""
    )
    rows = (
        ("a game runs: at 5 V", *(f"{sum(box.taken()):.0f} mA" for box in BOXES)),
        ("from the battery", *(f"{box.watts():.1f} W" for box in BOXES)),
        (f"full battery ({PACK_AH:.1f} Ah), a game always on", *(f"{box.hours():.0f} h" for box in BOXES)),
        ("the same, a tournament day's mixture", *(f"{box._replace(mode='day').hours():.0f} h" for box in BOXES)),
        ("from full to the warning, a game always on", *(f"{_until(box):.0f} h" for box in BOXES)),
        (f"left at the warning ({WARNING}), typical", *(f"{box.hours_at(LOW_BATTERY_MV):.0f} h" for box in BOXES)),
        (
            f"**the same, surely** (the rule: {RULE_HOURS:.0f} h)",
            *(f"**{power.promised(box):.1f} h**" for box in BOXES),
        ),
    )
    yield _table(("", *NAMES.values()), rows)


def _modes() -> Iterable[str]:
    full, small = (sum(taken("running", "typical", build=build)) for build in ("full", "small"))
    yield "## What each mode takes"
    yield _text(
        f"""In mA at 5 V, mean of the mode, full build; the small build takes {full - small:.0f} mA less while a
        game runs. "Worst" is every figure at its worst at once. Displays are at {firmware.dimming()} of 16 of their
        brightness (`_BRIGHTNESS` in [display.py](../firmware/devices/display.py))."""
    )
    rows = []
    for mode in MODES:
        for chip, name in NAMES.items():
            each = taken(mode, "typical", chip=chip)
            worst = sum(taken(mode, "worst", chip=chip))
            rows.append((mode, name, *(f"{one:.0f}" for one in each), f"**{sum(each):.0f}**", f"{worst:.0f}"))
    yield _table(("mode", "chip", "chip, board", "displays", "lamps", "buzzer", "rest", "typical", "worst"), rows)
    mixture = ", ".join(f"{mode} {share:.0%}" for mode, share in power.DAY.items())
    yield _text(
        f"""Running is the mean over a whole move of 60 s; expired that of its first 20 s. The self-test lights one
        side after the other. A tournament day is taken to be: {mixture}."""
    )


def _battery() -> Iterable[str]:
    box = BOXES[0]
    few = box._replace(cells=FLAT_AH / figures.CELL.typical)
    flat, misread = box._replace(curve=cell.FLAT), frozenset({"reading"})
    yield "## The battery"
    yield _text(
        f"""**{CELLS} round cells of the size 18650 in parallel, {PACK_AH:.1f} Ah, ready-made with a protection
        board.** Why not a flat pack of {FLAT_AH} Ah:"""
    )
    yield "\n".join(
        _text(point, "- ")
        for point in (
            f"It holds {few.hours():.0f} h of a game: the rule's {RULE_HOURS:.0f} h alone are more than half of it.",
            f"""The voltage of a flat (polymer) pack hardly falls between 60 and 10 % of its charge. If a box reads
            {figures.READING.worst} V too much, then at {WARNING} a flat pack of the same size has
            {flat._replace(worst=misread).hours_at(LOW_BATTERY_MV):.0f} h left instead of
            {flat.hours_at(LOW_BATTERY_MV):.0f} h, round cells
            {box._replace(worst=misread).hours_at(LOW_BATTERY_MV):.0f} h instead of
            {box.hours_at(LOW_BATTERY_MV):.0f} h.""",
            "Round cells have steel cans.",
        )
    )
    yield _text(
        f"""Off: converter and divider stay connected, so a full battery is empty after {_months("typical"):.0f}
        months, and after {_months("worst"):.0f} if the converter never sleeps: charge a stored box every two
        months. Charging takes about {_charging(2.0):.0f} h at 2 A and {_charging(1.0):.0f} h at 1 A."""
    )


def _warning() -> Iterable[str]:
    yield "## The warning"
    yield _text(
        f"""The chess federation asks of electronic clocks that there is a low-battery indication, and that from it
        on the clock works without a flaw for at least 10 hours (FIDE, Standards of Chess Equipment, requirements
        for electronic chess clocks, f and g). A box tells its desk `battery_low` when the cell, under load, reads
        less than `LOW_BATTERY_MV` = {LOW_BATTERY_MV} (`firmware/lib/moveclock/box.py`), and again only after it was
        {LOW_BATTERY_MV + 100}. So much is left then, with a game always on:"""
    )
    levels = sorted({USUAL_MV, *range(LOW_BATTERY_MV - 150, LOW_BATTERY_MV + 1, 50)})
    rows = [(f"{level / 1000:.2f} V", *(text for box in BOXES for text in _left(box, level))) for level in levels]
    heads = [f"{name}, {what}" for name in NAMES.values() for what in ("typical", "surely")]
    yield _table(("threshold", *heads), rows)
    yield _text(
        """"Surely" takes off what each doubt costs by itself, added as squares, as doubts have nothing to do with
        each other. On an ESP32-S3:"""
    )
    lost = power.losses(BOXES[1], LOW_BATTERY_MV)
    yield _table(
        ("at its worst", "hours left change by"), [(doubt, f"{-hours:+.1f} h") for doubt, hours in lost.items()]
    )
    worst = min(box._replace(worst=EVERYTHING).hours_at(LOW_BATTERY_MV) for box in BOXES)
    half = max(power.least_warning(box._replace(brightness=HALF)) for box in BOXES)
    yield _text(
        f"""With everything but the reading at its worst at once, {worst:.1f} h would be left. The price of a sure
        warning is an early one; {USUAL_MV / 1000:.1f} V, where many devices warn, are far too low for the rule. Two
        things would let it come later: displays at {HALF} of 16 of their brightness ({half / 1000:.2f} V would do;
        line 7 of [acceptance.md](acceptance.md) will tell whether they are still read at 3 m), and a measured box."""
    )


def _limits() -> Iterable[str]:
    yield "## Limits"
    yield _text(
        f"""The most at any moment: the brightest picture, while the chip sends and a note is loud. The converter is
        to be sold for {power.CONVERTER_MA} mA at 5 V: one for 1000 mA has nothing to spare, and little boards
        seldom give what they are sold for."""
    )
    rows = [(name, *(text for case in CASES for text in _peak(chip, case))) for chip, name in NAMES.items()]
    yield _table(("chip", "at 5 V, typical", "from the cell", "at 5 V, worst", "from the cell"), rows)
    yield _text(
        f"""The fuse in the cell's plus lead is of {power.FUSE_A} A, slow: more than charging ({power.CHARGING_A:g} A)
        and the worst of the table, less than the leads of 0.25 mm² bear. It is for the day on which the charger
        board is shorted and the pack's own protection does not open; it is not a resettable one, as a tripped one
        stays at over 100 °C, beside the cells."""
    )
    yield _text(
        f"""A power bank's converter switches itself off when less than about {power.SLEEPS_BELOW_MA} mA are drawn
        for half a minute: a box that is on takes {min(power.smallest(chip) for chip in NAMES):.0f} mA or more."""
    )
    yield _text(
        f"""When the 5 V fail, {power.PRINTED_UF} µF behind the Schottky diode feed the board alone. Flash can be
        written for so long:"""
    )
    rows = [(name, *(f"{power.reserve_ms(chip, case):.1f} ms" for case in CASES)) for chip, name in NAMES.items()]
    yield _table(("chip", *CASES), rows)
    bridged = " and ".join(f"{power.reserve_ms('esp32s3', case, diodes=2):.1f} ms ({case})" for case in CASES)
    yield _text(
        f"""Many S3 boards have a diode of their own behind their 5 V pin, beside a solder bridge marked IN-OUT. While
        the bridge is open, two diodes lie in a row, and the same is {bridged}: at worst
        nothing is left. So it is to be closed
        ([section 4](guide/en.md#4-try-the-bare-board-first) of the guide)."""
    )
    yield _text(
        f"""A page of flash takes {_range(figures.PAGE_MS)}: that is mostly saved. Erasing a sector takes
        {_range(figures.SECTOR_MS)}: no capacitor of this size saves that, and none has to, as the journal survives
        a cut at any moment (`tests/journal`). The capacitor is for dips."""
    )


def _sources() -> Iterable[str]:
    yield "## Figures and sources"
    yield "Currents are at 5 V if nothing else is said. Sources of the cells' curves are in `hardware/cell.py`."
    rows = [(one.what, f"{one.typical:g}", f"{one.worst:g}", one.unit, one.source) for one in figures.FIGURES]
    yield _table(("what", "typical", "worst", "unit", "source"), rows)


def _text(words: str, begin: str = "") -> str:
    """A paragraph, its lines filled anew."""
    return fill(
        " ".join(words.split()),
        COLUMNS,
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    first = tuple(heads)
    lines = [first, ("---",) * len(first), *(tuple(row) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _until(box: Setting) -> float:
    return box.hours() - box.hours_at(LOW_BATTERY_MV)


def _left(box: Setting, level: int) -> tuple[str, str]:
    return f"{box.hours_at(level):.1f} h", f"{power.promised(box, level):.1f} h"


def _peak(chip: str, case: Case) -> tuple[str, str]:
    most = peak(case, chip=chip)
    return f"{most:.0f} mA", f"{power.cell_amperes(most, case):.1f} A"


def _months(case: Case) -> float:
    return power.days_off(case) * 24 / power.MONTH_HOURS


def _charging(amperes: float) -> float:
    return 1.15 * PACK_AH / amperes  # the last fifth comes ever slower


def _range(figure: figures.Figure) -> str:
    return f"{figure.typical:g} to {figure.worst:g} {figure.unit}"
