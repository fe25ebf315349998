"""How many links an adapter really holds, without I/O: learnt from connects that failed while other links stood.

Some systems say that there is no link left, which counts at once; others let the connect fail like any other, which
counts when it has happened a few times. Of such a suspicion nothing stays when the box that caused it cannot be linked
with fewer links either: then it is the box, and its failures say nothing more until it has had a link.
"""

from __future__ import annotations

from typing import Final

AGAIN_MS: Final = 300_000  # so long after it was full, one link more is tried
DOUBTS_MOST: Final = 3  # unexplained failures in a row


class Room:
    """Room for `places` links, as people say; for fewer, once that has shown. Times are the desk's ms."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._found: int | None = None
        self._again_ms = 0
        self._doubts = 0
        self._suspects: set[bytes] = set()  # boxes whose failures made it smaller, and that had no link since

    def links(self, now_ms: int) -> int:
        """How many to count with now, at least 1."""
        if self._found is None:
            return self._places
        return min(self._places, self._found + (now_ms >= self._again_ms))

    def took(self, uid: bytes, held: int, now_ms: int) -> None:
        """A link to the box is up, one of so many that are `held`."""
        self._doubts = 0
        self._suspects.discard(uid)
        if self._found is not None and held > self._found:
            self._found = held if held < self._places else None
            self._again_ms = now_ms

    def failed(self, uid: bytes, others: int, now_ms: int, *, full: bool) -> bool:
        """A connect to the box failed for no reason of its own while so many `others` were held; `full`: for want of
        a link, the system says. Whether it is news that there is no room for more than these.
        """
        if not others or others >= self._places:
            return False
        if self._found is not None and others >= self._found:  # one more was tried, in vain
            self._again_ms = now_ms + AGAIN_MS
            return False
        if not full and uid in self._suspects:
            self._found = None
            return False
        self._doubts += 1
        if not full and self._doubts < DOUBTS_MOST:
            return False
        if not full:
            self._suspects.add(uid)
        self._doubts = 0
        self._found = others
        self._again_ms = now_ms + AGAIN_MS
        return True
