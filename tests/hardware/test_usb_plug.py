"""The USB plug that stays in the development board has room beside all that is around it, and lists say how much."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest

from hardware import bom, bom_polish
from hardware.circuit.box import CHIPS
from hardware.enclosure import SIZES
from hardware.enclosure.layout import Layout
from hardware.enclosure.sizes import USB_PLUGS, UsbPlug
from tests.hardware.clash import clashes

if TYPE_CHECKING:
    from tests.hardware.modelling import Bought, Piece, Solid, on_carrier, usb_plugs

pytestmark = pytest.mark.usefixtures("modeller")
LAYOUT: Final = Layout(SIZES)


@pytest.fixture(scope="module")
def around(made: dict[str, Piece], parts: list[Bought]) -> dict[str, list[tuple[str, Solid]]]:
    """For each chip what a plug could meet: base, deck, clamps, what is on the carrier, the bay, side C's buttons."""
    near = [part for part in parts if part.place in ("side C", "battery bay") and part.kind != "display"]
    fixed = [(name, made[name].solid.moved(place)) for name in ("base", "deck", "clamp") for place in made[name].places]
    fixed += [(part.kind, part.solid) for part in near]
    return {chip: fixed + [(part.kind, part.solid) for part in on_carrier(SIZES, LAYOUT, chip)] for chip in CHIPS}


def met(around: list[tuple[str, Solid]], chip: str, plug: UsbPlug) -> set[str]:
    """What straight plugs of this kind, one in each socket of the board, take the room of."""
    plugs = [("plug", one) for one in usb_plugs(LAYOUT, chip, plug)]
    return {name for pair in clashes([*plugs, *around]) for name in pair[:2]} - {"plug"}


@pytest.mark.parametrize("chip", CHIPS)
def test_a_plug_of_the_length_that_is_listed_stays_in_the_board_and_a_longer_one_does_not(
    chip: str, around: dict[str, list[tuple[str, Solid]]]
) -> None:
    """A longer one meets the microswitch of side C's Dalej or Już."""
    longest = USB_PLUGS[chip]

    assert met(around[chip], chip, longest) == set()
    assert met(around[chip], chip, replace(longest, length=longest.length + 2.0)) == {"button-green"}


def test_the_usual_straight_plug_fits_an_esp32_and_no_s3(around: dict[str, list[tuple[str, Solid]]]) -> None:
    assert USB_PLUGS["esp32"] == UsbPlug()
    assert met(around["esp32s3"], "esp32s3", UsbPlug()) == {"button-green"}


def test_both_lists_say_how_long_a_plug_may_be() -> None:
    esp32, s3 = (f"{USB_PLUGS[chip].length + USB_PLUGS[chip].bend:g} mm" for chip in ("esp32", "esp32s3"))
    (english,) = [row.look_for for row in bom.rows() if row.kind == "usb-cable"]
    polish = bom_polish.words()["usb-cable", ""].look_for

    assert f"with the bend of the cable at most {esp32} long, on an S3 {s3}, else an angled plug" in english
    assert f"wtyk ze zgięciem kabla najwyżej {esp32}, przy S3 {s3}, inaczej wtyk kątowy" in polish


@pytest.mark.parametrize("chip", CHIPS)
def test_the_board_stands_on_its_sockets_and_on_the_insulators_of_its_pins(chip: str) -> None:
    (kit,) = [part.solid.bounding_box() for part in on_carrier(SIZES, LAYOUT, chip) if part.kind == "devkit"]
    over = LAYOUT.carrier_under + SIZES.carrier.board

    assert SIZES.carrier.insulator == 2.5
    assert pytest.approx(over) == kit.min.Z
    assert pytest.approx(over + 8.5 + 2.5 + 1.6 + 3.2) == kit.max.Z
