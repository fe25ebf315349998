"""When each box's session wants to be called, and the earliest of all."""

from __future__ import annotations

import heapq
from collections.abc import Iterator


class Due:
    """One instant for every uid; setting another one puts the call off or forward."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, bytes]] = []
        self._at: dict[bytes, int] = {}

    def set(self, uid: bytes, at_ms: int | None) -> None:
        """Call it then; None leaves what was set."""
        if at_ms is not None and at_ms != self._at.get(uid):
            self._at[uid] = at_ms
            heapq.heappush(self._heap, (at_ms, uid))

    def next_ms(self) -> int | None:
        """When the next one is due."""
        heap, at = self._heap, self._at
        while heap and at.get(heap[0][1]) != heap[0][0]:
            heapq.heappop(heap)  # put off since
        return heap[0][0] if heap else None

    def take(self, now_ms: int) -> Iterator[bytes]:
        """Those due by now, in order; each is taken off before it is handed out."""
        while self._heap and self._heap[0][0] <= now_ms:
            at_ms, uid = heapq.heappop(self._heap)
            if self._at.get(uid) == at_ms:
                del self._at[uid]
                yield uid
