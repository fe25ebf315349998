"""A wrapping hardware counter made into milliseconds that only grow. Nothing else in Dalej knows that counters wrap.

MicroPython's `ticks_ms` counts modulo 2**30, 12.4 days. `Uptime` must be advanced at least once in half a period; a
period is a power of two.
"""

PERIOD = 1 << 30


class Uptime:
    """Milliseconds since `raw` was first read; `now` never goes back."""

    def __init__(self, raw: int, period: int = PERIOD) -> None:
        self.now = 0
        self._raw = raw
        self._mask = period - 1  # modulo by a mask: the period itself is no small int on a box
        self._half = period >> 1

    def advance(self, raw: int) -> int:
        """Take a fresh reading of the counter, return uptime in ms. One older than the last reading changes nothing."""
        step = raw - self._raw & self._mask
        if step < self._half:
            self._raw = raw
            self.now += step
        return self.now

    def date(self, raw: int) -> int:
        """Uptime in ms of a stamp taken within half a period of the last reading, before or after it; never below 0."""
        step = raw - self._raw & self._mask
        if step >= self._half:
            step = -(self._raw - raw & self._mask)
        return max(0, self.now + step)

    def until(self, at: int) -> int:
        """Raw counter value at uptime `at`, which must lie within half a period of the last reading."""
        return self._raw + at - self.now & self._mask
