"""Power on paper: what the box takes, how long its battery lasts, whether the warning comes 10 hours before the end.

`python -m hardware.power` prints what hardware/power.md shows; `--update` writes that page anew. Sums and rules are
here, numbers in `hardware.figures`, what is lit in `hardware.modes`, the battery in `hardware.cell`.

The rule is FIDE's "Standards of Chess Equipment", requirements for electronic chess clocks: there must be a low-battery
indication, and from it on the clock must work without a flaw for at least 10 hours.
"""

from __future__ import annotations

import argparse
import sys
from math import sqrt
from typing import Final, NamedTuple

from hardware import cell, figures
from hardware.figures import Case
from hardware.modes import MODES, Taken, taken
from moveclock.box import LOW_BATTERY_MV

RULE_HOURS: Final = 10.0
CELLS: Final = 6  # 18650, in parallel
CONVERTER_MA: Final = 2000  # what it must be sold for, at 5 V
CHARGING_A: Final = 2.0
FUSE_A: Final = 3.15
WIRE_A: Final = 3.5  # what 0.25 mm² carries for ever in free air; an estimate on the careful side
SLEEPS_BELOW_MA: Final = 50  # a power bank's converter switches itself off at less, after half a minute
PRINTED_UF: Final = 1000
MONTH_HOURS: Final = 730
DAY: Final = {"idle": 0.20, "ready": 0.05, "running": 0.65, "expired": 0.02, "stopped": 0.08}
"""A tournament day: the share of each mode in the time for which a box is on. A guess."""

DOUBTS: Final = ("load", "converter", "cells", "resistance", "empty", "reading")


class Setting(NamedTuple):
    """What is worse than typical: any of `DOUBTS`. `brightness` replaces the firmware's, in sixteenths."""

    chip: str
    build: str = "full"
    mode: str = "running"
    cells: float = CELLS
    curve: cell.Curve = cell.ROUND
    worst: frozenset[str] = frozenset()
    brightness: int | None = None

    def case(self, doubt: str) -> Case:
        """Which end of the ranges that this doubt is about."""
        return "worst" if doubt in self.worst else "typical"

    def taken(self) -> Taken:
        """Milliamperes at 5 V in the mode, or the mean of a tournament day."""
        if self.mode == "day":
            each = [(share, self._replace(mode=mode).taken()) for mode, share in DAY.items()]
            return Taken(*(sum(share * one[part] for share, one in each) for part in range(len(Taken._fields))))
        return taken(
            self.mode, self.case("load"), build=self.build, chip=self.chip, brightness=self.brightness
        )  # fmt: skip

    def watts(self) -> float:
        """What the converter takes from the battery for it."""
        volts = figures.CONVERTER_VOLTS.at(self.case("converter"))
        return sum(self.taken()) / 1000 * volts / figures.EFFICIENCY.at(self.case("converter"))

    def own(self) -> float:
        """Amperes from the battery besides."""
        return (figures.CONVERTER_OWN.at(self.case("converter")) + figures.DIVIDER.typical) / 1000

    def pack(self) -> cell.Pack:
        """The battery."""
        return cell.Pack(
            self.curve,
            self.cells * figures.CELL.at(self.case("cells")),
            figures.RESISTANCE.at(self.case("resistance")),
            figures.EMPTY.at(self.case("empty")),
        )

    def hours(self) -> float:
        """From a full battery to none."""
        return self.pack().hours(self.watts(), self.own())

    def left_at(self, millivolts: int) -> float:
        """The share of the charge that is left when the box reads so much; a bad reading is too high."""
        read = millivolts / 1000 - (figures.READING.worst if "reading" in self.worst else 0)
        return self.pack().left_at(read, self.watts(), self.own())

    def hours_at(self, millivolts: int) -> float:
        """From such a reading to none."""
        return self.pack().hours(self.watts(), self.own(), self.left_at(millivolts))


def losses(setting: Setting, millivolts: int) -> dict[str, float]:
    """By how many hours each doubt alone shortens what is left at that reading; less than 0 if it lengthens it."""
    typical = setting.hours_at(millivolts)
    return {doubt: typical - setting._replace(worst=frozenset({doubt})).hours_at(millivolts) for doubt in DOUBTS}


def promised(setting: Setting, millivolts: int = LOW_BATTERY_MV) -> float:
    """Hours left at the warning of which one can be sure: doubts are independent, so their losses add as squares."""
    lost = sqrt(sum(max(0.0, loss) ** 2 for loss in losses(setting, millivolts).values()))
    return setting.hours_at(millivolts) - lost


def least_warning(setting: Setting) -> int:
    """The lowest threshold in steps of 50 mV that keeps the rule; 4200 if none does."""
    return next((mv for mv in range(3300, 4200, 50) if promised(setting, mv) >= RULE_HOURS), 4200)


def reserve_ms(chip: str, case: Case, diodes: int = 1) -> float:
    """For how long the capacitor behind its diode holds the board up so far that flash can be written.

    `diodes` from the converter to the board's regulator: a second one where an S3 board's bridge IN-OUT is open.
    """
    begin = figures.CONVERTER_VOLTS.typical - diodes * figures.DIODE.at(case)
    end = figures.FLASH_RAIL.at(case) + figures.REGULATOR.at(case)
    drawn = figures.CHIP[chip].at(case) + figures.BOARD.at(case)
    return figures.RESERVE.at(case) * max(0.0, begin - end) / drawn


def cell_amperes(milliamperes: float, case: Case) -> float:
    """What the battery gives at its lowest voltage for so much at 5 V."""
    volts = figures.CONVERTER_VOLTS.at(case) / figures.EFFICIENCY.at(case)
    return milliamperes / 1000 * volts / figures.EMPTY.at(case)


def days_off(case: Case, cells: float = CELLS) -> float:
    """How long a full battery lasts with the main switch off: the converter and the divider stay connected."""
    ampere_hours = cells * figures.CELL.at(case)
    own = (figures.STANDBY.at(case) + figures.DIVIDER.at(case)) / 1000
    return ampere_hours / (own + ampere_hours * figures.SELF_DISCHARGE.at(case) / 100 / MONTH_HOURS) / 24


def smallest(chip: str) -> float:
    """The least that a box which is on takes: mA at 5 V, typical."""
    return min(sum(taken(mode, "typical", build="small", chip=chip)) for mode in MODES)


def main(arguments: list[str]) -> int:
    """Print the page, or write it."""
    from hardware import power_page  # noqa: PLC0415 -- it is made of what is here

    parser = argparse.ArgumentParser(prog="python -m hardware.power", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write hardware/power.md anew")
    if parser.parse_args(arguments).update:
        power_page.PAGE.write_text(power_page.page(), "utf-8", newline="\n")
    else:
        print(power_page.page(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
