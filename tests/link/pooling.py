"""Pools for tests: boxes by number, all heard just now."""

from __future__ import annotations

from dalej.link.pool import Connect, Need, Pool


def uid(number: int) -> bytes:
    return number.to_bytes(6, "big")


def pool(boxes: int, links: int = 3, now_ms: int = 0) -> Pool:
    """So many boxes, all heard just now."""
    made = Pool(links)
    for number in range(boxes):
        made.know(uid(number), now_ms)
        made.heard(uid(number), now_ms)
    return made


def linked(boxes: int, *numbers: int) -> Pool:
    """These boxes had something to tell, have their links and are still telling."""
    made = pool(boxes)
    for number in numbers:
        made.needs(uid(number), Need.FACTS, 0)
        assert made.decide(0) == Connect(uid(number))
        made.connected(uid(number), 0)
    return made
