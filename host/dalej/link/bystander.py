"""Bluetooth beside a desk that may run on the same computer: its links are left alone."""

from __future__ import annotations

from typing import Any

from dalej.link.adapters import Adapter
from dalej.link.ble import BleAir


class Bystander(BleAir):
    """A `BleAir` that ends no links but its own: those that are up are a running desk's, not a killed one's."""

    async def _take_over(self, adapter: Adapter[Any]) -> None:
        """Nothing is taken over."""
