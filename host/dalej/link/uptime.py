"""How a box's uptime relates to the desk's monotonic clock: an offset per boot, from round trips; the smallest wins.

Used to say when a fact happened and to send instants ahead, never to decide anything: durations come from the box
alone, so neither a jump of the desk's clock nor a drifting box changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_WRAP: Final = 1 << 32
_EVERY_MS: Final = 60_000  # of the round trips of a minute the smallest is kept
_FRESH_MS: Final = 600_000
_KEEP: Final = 12
_BOOTS: Final = 64
_PPM: Final = 1_000_000
_WORST_PPM: Final = 500  # no crystal is further off
_SURE_PPM: Final = 20  # measured drift is used when the round trips leave no more doubt than that

Boot = tuple[int, int]  # epoch and number: a journal that begins anew counts its boots from 1 again


@dataclass(frozen=True, slots=True)
class _Sample:
    desk_ms: int  # middle of the round trip
    uptime_ms: int
    error_ms: int  # half of the round trip


class UptimeMap:
    """One box. Knows only the boots it has measured: the time of other boots' facts is unknown, not invented."""

    def __init__(self) -> None:
        self._samples: dict[Boot, list[_Sample]] = {}
        self._heard: dict[Boot, tuple[int, int]] = {}  # the last uptime that was heard, and when

    def measured(self, boot: Boot, sent_ms: int, received_ms: int, uptime_ms: int) -> None:
        """A round trip: sent and received by the desk's clock, and the box's uptime (modulo 2**32) in between."""
        if boot not in self._samples and len(self._samples) >= _BOOTS:
            del self._samples[next(iter(self._samples))]
        samples = self._samples.setdefault(boot, [])
        new = _Sample((sent_ms + received_ms) // 2, uptime_ms, (received_ms - sent_ms + 1) // 2)
        if samples and not _agree(samples[-1], new):
            samples.clear()  # the desk's clock stood still, as in a computer that was asleep
        if not samples or new.desk_ms // _EVERY_MS != samples[-1].desk_ms // _EVERY_MS:
            samples.append(new)
            if len(samples) > _KEEP:
                del samples[1]  # the first stays: the longer the span, the better the drift is known
        elif new.error_ms <= samples[-1].error_ms:
            samples[-1] = new

    def heard(self, boot: Boot, uptime_ms: int, now_ms: int) -> None:
        """The box has said that this is its uptime (modulo 2**32), at whatever instant before now."""
        self._heard.pop(boot, None)
        if len(self._heard) >= _BOOTS:
            del self._heard[next(iter(self._heard))]
        self._heard[boot] = uptime_ms, now_ms

    def latest_ms(self, boot: Boot, uptime_ms: int) -> int | None:
        """The desk's time of a stamp of this boot by round trips; without any the latest that it can have been, by what
        was heard last. None if the box was never heard in this boot.
        """
        measured_ms = self.desk_ms(boot, uptime_ms)
        if measured_ms is not None or boot not in self._heard:
            return measured_ms
        heard_uptime_ms, at_ms = self._heard[boot]
        return at_ms + _ahead(heard_uptime_ms, uptime_ms)

    def desk_ms(self, boot: Boot, uptime_ms: int) -> int | None:
        """The desk's time of a stamp of this boot; None if the boot was never met."""
        best = self._best(boot)
        if best is None:
            return None
        ahead = _ahead(best.uptime_ms, uptime_ms)
        return best.desk_ms + ahead - ahead * (self.drift_ppm(boot) or 0) // _PPM

    def uptime_at(self, boot: Boot, desk_ms: int) -> int | None:
        """The uptime of this boot at the desk's time, to send instants ahead; None if the boot was never met."""
        best = self._best(boot)
        if best is None:
            return None
        ahead = desk_ms - best.desk_ms
        return (best.uptime_ms + ahead + ahead * (self.drift_ppm(boot) or 0) // _PPM) % _WRAP

    def error_ms(self, boot: Boot) -> int | None:
        """How far off `desk_ms` may be near the last round trips; None if the boot was never met."""
        best = self._best(boot)
        return None if best is None else best.error_ms

    def drift_ppm(self, boot: Boot) -> int | None:
        """How much faster the box's clock runs than the desk's, in parts per million; None while that is not known."""
        samples = self._samples.get(boot, [])
        if len(samples) < 2:
            return None
        first, last = samples[0], samples[-1]
        span = last.desk_ms - first.desk_ms
        if span <= 0 or (first.error_ms + last.error_ms) * _PPM > span * _SURE_PPM:
            return None
        drift = (_ahead(first.uptime_ms, last.uptime_ms) - span) * _PPM // span
        return drift if abs(drift) <= _WORST_PPM else None

    def _best(self, boot: Boot) -> _Sample | None:
        """The smallest round trip of the last ten minutes that were measured, the later one of equals."""
        samples = self._samples.get(boot)
        if not samples:
            return None
        since = samples[-1].desk_ms - _FRESH_MS
        return min((one for one in reversed(samples) if one.desk_ms >= since), key=lambda sample: sample.error_ms)


def _agree(before: _Sample, after: _Sample) -> bool:
    """Whether one clock can have shown both, give or take the worst drift."""
    span = after.desk_ms - before.desk_ms
    apart = abs(_ahead(before.uptime_ms, after.uptime_ms) - span)
    return apart <= before.error_ms + after.error_ms + span * _WORST_PPM // _PPM + 2


def _ahead(from_ms: int, to_ms: int) -> int:
    """Ms from one uptime to another, the shorter way round."""
    return (to_ms - from_ms + _WRAP // 2) % _WRAP - _WRAP // 2
