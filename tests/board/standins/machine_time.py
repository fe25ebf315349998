# mypy: ignore-errors
# ruff: noqa: A002, RUF012
"""What outlives a reset and what makes one: `machine.RTC`, `WDT`; and `Timer`."""

import outside
from machine_parts import part
from outside import hear, now, say


class RTC:
    """2048 bytes that survive a reset, and a clock that nobody has set."""

    def __init__(self, id: int = 0, *, datetime: object = None) -> None:
        pass

    def memory(self, *data: bytes) -> bytes | None:
        if not data:
            return bytes.fromhex(part["memory"])
        if len(data[0]) > 2048:
            raise ValueError("buffer too long")
        part["memory"] = bytes(data[0]).hex()
        say("memory", part["memory"])
        return None

    def datetime(self, *what: object) -> tuple | None:
        return None if what else (2000, 1, 1, 5, 0, 0, now() // 1000000, 0)

    init = datetime


class WDT:
    """Once made it must be fed for ever; making it again only changes the limit."""

    _state = {"limit": 0, "alarm": None}

    def __init__(self, id: int = 0, timeout: int = 5000) -> None:
        if id != 0:
            raise ValueError
        if timeout < 1000:
            raise ValueError("WDT timeout too short")
        self._state["limit"] = timeout
        outside.ask("watchdog", timeout)
        say("watchdog_ms", timeout)
        self.feed()

    def feed(self) -> None:
        state = self._state
        if state["alarm"] is None:
            state["alarm"] = outside.alarm(0, self._bite)
        state["alarm"][0] = now() + state["limit"] * 1000

    @staticmethod
    def _bite() -> None:
        outside.ask("reset", "watchdog")


hear("hang", outside.stand_still)


class Timer:
    """A timer; its callbacks wait in the scheduler like those of pins."""

    ONE_SHOT = 0
    PERIODIC = 1

    def __init__(self, id: int = -1, **what: object) -> None:
        if not -1 <= id <= 3:
            raise ValueError("invalid Timer number")
        self._alarm = None
        if what:
            self.init(**what)

    def init(
        self,
        *,
        mode: int = 1,
        callback: object = None,
        period: int = 0xFFFFFFFF,
        tick_hz: int = 1000,
        freq: int = 0,
        hard: bool = False,
    ) -> None:
        if hard:
            raise ValueError("hard Timers are not implemented")
        self.deinit()
        self._span = 1000000 // freq if freq else period * 1000000 // tick_hz
        self._again = mode == self.PERIODIC
        self._callback = callback
        self._alarm = outside.alarm(now() + self._span, self._due)

    def deinit(self) -> None:
        if self._alarm is not None:
            outside.no_alarm(self._alarm)
            self._alarm = None

    def _due(self) -> None:
        self._alarm = outside.alarm(now() + self._span, self._due) if self._again else None
        if self._callback is not None:
            outside.schedule(self._callback, self)
