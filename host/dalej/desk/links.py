"""Which boxes the desk's links are given to: what each of them needs one for, told to the pool that deals them out.

A box on a cable takes no turns. Nothing here has I/O of its own; all times are ms of the desk's monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dalej.desk.hearing import Hearing, Line, in_reach
from dalej.link.pool import Connect, Leave, Need, Pool
from moveclock.clock import QUIET


class Turns:
    """`lines`: the boxes that are served; `asked(line)`: whether the box has not answered something it was asked;
    `opened(line)`: whether a person waits for what it has to tell.

    `links`: how many the adapters hold (or who tells that), None: whoever drives the adapter connects to every box, and
    everything here says that nothing is to be done. `connects`: how many may be under way at a time (or who tells
    that). `listens_until_ms`: before that a box may be in reach that nobody has heard yet.
    """

    def __init__(
        self,
        lines: Mapping[bytes, Line],
        hearing: Hearing,
        asked: Callable[[Line], bool],
        opened: Callable[[Line], bool],
        *,
        links: int | Callable[[], int] | None,
        connects: int | Callable[[], int],
        listens_until_ms: int,
    ) -> None:
        self._lines = lines
        self._hearing = hearing
        self._asked = asked
        self._opened = opened
        self._holds = links if callable(links) else None
        first = links() if callable(links) else links
        self._connects = connects if callable(connects) else lambda: connects
        self._pool = None if first is None else Pool(first, self._connects())
        self._listens_until_ms = listens_until_ms
        self._wired: set[bytes] = set()

    # --- boxes that come and go -----

    def know(self, uid: bytes, now_ms: int) -> None:
        """One more takes turns, unless it is on a cable already."""
        if self._pool is not None:
            self._pool.know(uid, now_ms)
            if uid in self._wired:
                self._pool.plugged(uid, now_ms)

    def forget(self, uid: bytes, now_ms: int) -> None:
        """It takes no more turns; its link counts until it is gone."""
        if self._pool is not None:
            self._pool.forget(uid, now_ms)

    def plugged(self, uid: bytes, now_ms: int) -> None:
        """The box, known or not, has a cable now."""
        self._wired.add(uid)
        if self._pool is not None and uid in self._lines:
            self._pool.plugged(uid, now_ms)

    def unplugged(self, uid: bytes, now_ms: int) -> None:
        """It waits for its turn like any other again."""
        self._wired.discard(uid)
        if self._pool is not None and uid in self._lines:
            self._pool.unplugged(uid, now_ms)

    # --- what boxes need -----

    def heard(self, line: Line, now_ms: int) -> None:
        """It advertised."""
        if self._pool is not None:
            self._pool.heard(line.uid, now_ms)
            self.mind(line, now_ms)

    def mind(self, line: Line, now_ms: int) -> None:
        """What the box needs a link for may have changed."""
        if self._pool is not None and self._lines.get(line.uid) is line:
            calls = line.told is not None and line.told.alarm != QUIET
            self._pool.needs(line.uid, self._need(line, calls=calls), now_ms, calls=calls)

    def can_wait(self, line: Line, now_ms: int) -> bool:
        """Whether the box is heard and will have a link; a desk that has just begun waits until it may have heard."""
        return self._pool is not None and (in_reach(line, now_ms) or now_ms < self._listens_until_ms)

    def _need(self, line: Line, *, calls: bool) -> Need:
        backlog = line.backlog
        if self._opened(line):
            return Need.OPENED
        if backlog and calls:
            return Need.ALARM
        if self._asked(line):
            return Need.COMMAND
        arriving = line.session is not None and (line.live is None or line.catch_up is not None)
        return Need.FACTS if backlog or arriving or self._hearing.unsure(line) else Need.NOTHING

    # --- links -----

    def decide(self, now_ms: int) -> tuple[list[bytes], bytes | None]:
        """The boxes to be linked now, and the one whose link is to be ended, None: none."""
        if self._pool is None:
            return [], None
        if self._holds is not None:
            self._pool.holds(self._holds(), now_ms, self._connects())
        chosen: list[bytes] = []
        while isinstance(step := self._pool.decide(now_ms), Connect):
            chosen.append(step.uid)
        return chosen, step.uid if isinstance(step, Leave) else None

    def failed(self, uid: bytes, now_ms: int) -> None:
        """A connect came to nothing."""
        if self._pool is not None:
            self._pool.failed(uid, now_ms)

    def connected(self, uid: bytes, now_ms: int) -> None:
        """The box has its link."""
        if self._pool is not None:
            self._pool.connected(uid, now_ms)

    def disconnected(self, uid: bytes, now_ms: int, *, served: bool) -> None:
        """The link is gone; `served`: on it the box had accepted this desk, or nothing more is wanted of it."""
        if self._pool is not None:
            self._pool.disconnected(uid, now_ms, served=served)

    def next_timer(self) -> int | None:
        """When to ask again what is to be done."""
        return None if self._pool is None else self._pool.next_timer()
