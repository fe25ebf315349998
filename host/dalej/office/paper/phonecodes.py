"""A sheet for each table whose box is a phone: the code that makes it one, and how the device is laid down."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Final

import segno

from dalej.office.paper.formats import pdf
from dalej.words import N_, _

STEPS: Final = (
    N_("Turn the automatic lock of this phone or tablet off, and plug it in if you can."),
    N_("Connect it to the network of the desk, and scan this code with its camera. It counts once."),
    N_("Lay it where everybody reaches it; on a tablet choose four sides, or one pair of buttons."),
    N_("The game is set up within seconds: whoever's letter is shown begins, and presses Już."),
)


def phone_codes(addresses: Mapping[int, str]) -> bytes:
    """A PDF. `addresses`: the whole address with its secret, by table; whoever has the sheet can take that table."""
    pictures = {f"table-{table}.svg": _drawn(address) for table, address in addresses.items()}
    data = {
        "table": _("Table"), "tables": [{"number": str(table), "code": f"table-{table}.svg"} for table in addresses],
        "steps": [_(step) for step in STEPS],
        "keep": _("Whoever has this sheet can take this table: keep it, and destroy it after the tournament."),
    }  # fmt: skip
    return pdf("phonecodes", _("Codes for phones"), data, pictures)


def _drawn(address: str) -> bytes:
    out = BytesIO()
    segno.make(address, error="m").save(out, kind="svg", border=2, dark="#000", light="#fff", scale=4)
    return out.getvalue()
