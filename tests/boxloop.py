"""A box as the firmware's loop turns it, whatever carries what it sends."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from moveclock.box import Box


def turn(
    box: Box, raw: int, links: Iterable[int], send: Callable[[int, bytes], bool], close: Callable[[int], object]
) -> float:
    """One turn of the loop; in how many seconds the box asks for the next. `send`: whether there was room for it."""
    box.tick(raw)
    box.work(raw)
    for link in list(links):
        while (frame := box.send(link, raw)) is not None:
            if not send(link, frame):
                box.not_sent(link, raw)
    for link in box.to_close(raw):
        close(link)
    return max(1, box.wake_at() - box.uptime.now) / 1_000
