"""How a box's uptime relates to the desk's monotonic clock: an offset per boot, from round trips; the smallest wins.

Used to say when a fact happened, never to decide anything: durations come from the box alone, so neither a jump of the
desk's clock nor a drifting box changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_WRAP: Final = 1 << 32
_KEEP: Final = 32
FRESH_MS: Final = 600_000


@dataclass(frozen=True, slots=True)
class _Sample:
    desk_ms: int  # middle of the round trip
    uptime_ms: int
    error_ms: int  # half of the round trip


class UptimeMap:
    """One box. Knows only the boots it has measured: the time of other boots' facts is unknown, not invented."""

    def __init__(self) -> None:
        self._samples: dict[int, list[_Sample]] = {}

    def measured(self, boot: int, sent_ms: int, received_ms: int, uptime_ms: int) -> None:
        """A round trip: sent and received by the desk's clock, and the box's uptime in between."""
        samples = self._samples.setdefault(boot, [])
        samples.append(_Sample((sent_ms + received_ms) // 2, uptime_ms, (received_ms - sent_ms) // 2))
        if len(samples) > _KEEP:
            # the widest round trip says least; of equals the oldest, but keep the first for the drift
            samples.remove(max(samples[1:-1], key=lambda sample: sample.error_ms))

    def desk_ms(self, boot: int, uptime_ms: int) -> int | None:
        """The desk's time of a stamp of this boot; None if the boot was never met."""
        samples = self._samples.get(boot)
        if not samples:
            return None
        near = [s for s in samples if samples[-1].desk_ms - s.desk_ms <= FRESH_MS]
        best = min(near, key=lambda sample: sample.error_ms)
        ahead = (uptime_ms - best.uptime_ms + _WRAP // 2) % _WRAP - _WRAP // 2
        return best.desk_ms + ahead - ahead * (self.drift_ppm(boot) or 0) // 1_000_000

    def uptime_at(self, boot: int, desk_ms: int) -> int | None:
        """The uptime of this boot at the desk's time, for instants that are sent ahead; None if the boot was never met."""
        samples = self._samples.get(boot)
        if not samples:
            return None
        best = min(samples, key=lambda sample: sample.error_ms)
        return best.uptime_ms + desk_ms - best.desk_ms

    def drift_ppm(self, boot: int) -> int | None:
        """How much faster the box's clock runs than the desk's, in parts per million; None while that is not known."""
        samples = self._samples.get(boot, [])
        if len(samples) < 2:
            return None
        first, last = samples[0], samples[-1]
        span = last.desk_ms - first.desk_ms
        if span < 60_000:
            return None
        return ((last.uptime_ms - first.uptime_ms - span) * 1_000_000) // span
