"""Calls that keep the interpreter: flash, radio, a bus, a collection. Each goes by way of here; its span is told.

A pin's handler is Python's: it runs when such a call is over, and stamps then. MicroPython runs one that waits at each
turn of a loop (py/scheduler.c), so a loop as long as its queue comes before the end is read: whatever was stamped in
the span happened in the call, and what comes later did not. What Python does between two calls belongs to neither.
"""

from devices.counter import ticks_ms

QUEUE = 8  # handlers that can wait (ports/esp32/mpconfigport.h)


class Stalls:
    """`tell(start, end)`, counter values, is called after each call, once somebody listens."""

    def __init__(self) -> None:
        self.tell: object = None

    def during(self, call: object, *arguments: object) -> object:
        """What `call(*arguments)` answers or raises."""
        begun = ticks_ms()
        try:
            return call(*arguments)  # type: ignore[operator]  # there is no Callable on a board to say it with
        finally:
            self.over(begun)

    def over(self, begun: int) -> None:
        """A call that was made directly, to leave less garbage, is over."""
        let_handlers_run()
        if self.tell is not None:
            self.tell(begun, ticks_ms())  # type: ignore[operator]  # the same


def let_handlers_run() -> None:
    """Those that wait have stamped when this returns."""
    for _ in range(QUEUE + 1):
        pass
