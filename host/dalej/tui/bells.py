"""When the terminal's bell rings: once for whatever becomes urgent, never for what was so when a screen was opened."""

from __future__ import annotations

from collections.abc import Sequence

from dalej.hall.seen import Alert


class Bells:
    """`on`: whether they ring at all, for this run."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on
        self._known: set[tuple[int, str, int]] | None = None

    def rings(self, alerts: Sequence[Alert]) -> bool:
        """Whether something among these is urgent and new."""
        urgent: set[tuple[int, str, int]] = {(alert.table, alert.kind, alert.move) for alert in alerts if alert.urgent}
        new = self._known is not None and bool(urgent - self._known)
        self._known = urgent
        return new and self.on
