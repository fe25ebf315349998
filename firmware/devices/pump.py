"""The pump around a Box: what came in goes to it, what it says goes out, in the order that `moveclock.box` asks for.

It decides nothing about the game. An idle turn looks at the pins and at the port and allocates nothing to speak of; the
box is called when something came, when it asked to be, and every 50 ms for its displays. Nothing that takes over 2 ms
is begun in the last 300 ms before a limit. Whatever keeps the interpreter is called by way of `devices.stalls`, which
tells the box: a press that came meanwhile is dated by it, and none is lost.
"""

import gc

from devices.counter import ticks_ms
from devices.edge import Edge
from devices.radio import CONNECTED, DISCONNECTED, FIRST_MTU, MTU_AGREED, WRITTEN
from devices.wired import Wired
from moveclock import cable
from moveclock import facts as k
from moveclock.box import Box

TURN_MS = 12  # the longest sleep; up to 10 the port only spins (a tick is 10 ms), and the radio's task waits for it
BUSY_MS = 2  # ... while a note sounds or bytes wait for the port
_SHOW_MS = 50
_BATTERY_MS = 10000
_WAKE_MS = 500  # a display after the other, and the lamps: 5 V can dip while the chip lives on (a charger that comes)
_COLLECT_MS = 150  # 70 KB of garbage a second: before the 16 KB are full at which a collection comes untold
_CYCLES_MOST = 3  # of a radio that does not come back; then a reset, when no game is on
_FRAMES_MOST = 4  # to one link in one turn
_LONG_MS = 60000
_SAYING = 1  # the detail of E_PUMP: what failed
_SHOWING = 2
_REPORTING = 3
_KEEPING_HOUSE = 4


class Pump:
    """`troubles`: codes of the self-test still to be shown. `hopeless`: only a reset can help, and may come now."""

    def __init__(self, edge: Edge, box: Box, troubles: list) -> None:
        self.hopeless = False
        self.edge = edge
        self.box = box
        self._troubles = troubles
        self._wired = Wired(edge.port, box, edge.persona)
        self._wake = 0  # uptime of the next whole turn
        self._shown_at = 0
        self._measured_at = -_BATTERY_MS
        self._woken_at = 0
        self._waking = 0
        self._collected_at = 0
        self._lost = [0, 0, 0]  # edges, frames and faults of the radio that were reported
        edge.stalls.tell = box.stalled
        if edge.radio is not None:
            edge.radio.introduce(box.info(), box.uid)

    def turn(self) -> int:
        """One turn, whatever happens in it; how many ms to sleep."""
        try:
            return self._turn()
        except Exception:
            self.box.fault(k.E_PUMP, 0)
            return TURN_MS

    def _turn(self) -> int:
        edge, box = self.edge, self.box
        raw = ticks_ms()
        now = box.uptime.advance(raw)
        edge.buttons.look()
        came = edge.buttons.ring.waits() or (edge.radio is not None and edge.radio.events.waits())
        if self._wired.take() or came or now >= self._wake:
            self._work(raw)
        else:
            edge.watchdog.feed()
        edge.buzzer.go_on(now)
        if edge.port.waits():
            edge.stalls.during(edge.port.flush)
        if edge.buzzer.sounds() or edge.port.waits():
            return BUSY_MS
        return max(1, min(TURN_MS, self._wake - now))

    def _work(self, raw: int) -> None:
        """A whole turn with the counter at `raw`."""
        edge, box = self.edge, self.box
        ring = edge.buttons.ring
        while ring.waits():
            contact, down, stamp = ring.take()
            box.edge(contact, down, stamp)
        self._hear()
        box.tick(raw)
        box.work(ticks_ms())
        edge.watchdog.feed()  # the game goes on, whatever comes of lamps and links
        self._try(self._keep_house, _KEEPING_HOUSE)
        self._try(self._show, _SHOWING)
        self._try(self._say, _SAYING)
        self._try(self._report, _REPORTING)
        self._wake = min(box.wake_at(), self._shown_at + _SHOW_MS)

    def _try(self, part: object, number: int) -> None:
        """A part that fails keeps nobody from his: a link that stumbles must not freeze the displays."""
        try:
            part()  # type: ignore[operator]  # there is no Callable on a board to say it with
        except Exception:
            self.box.fault(k.E_PUMP, number)

    def _hear(self) -> None:
        radio, box = self.edge.radio, self.box
        while radio is not None and radio.events.waits():
            kind, link, number, data = radio.take()
            if kind == WRITTEN:
                box.receive(link, data, ticks_ms())
            elif kind == CONNECTED:
                box.opened(link, FIRST_MTU, ticks_ms())
            elif kind == DISCONNECTED:
                box.closed(link)
            elif kind == MTU_AGREED:
                box.negotiated(link, number)

    def _keep_house(self) -> None:
        """What takes its time, and may now: lamps and garbage."""
        edge, box = self.edge, self.box
        now = box.uptime.now
        if not box.clock.may_stall(now):
            return
        if now - self._woken_at >= _WAKE_MS:
            self._woken_at = now
            self._waking = (self._waking + 1) & 3
            edge.displays.wake(self._waking)
            edge.lamps.changed = True
        if edge.lamps.changed:
            edge.lamps.refresh()
        if now - self._collected_at >= _COLLECT_MS:
            self._collected_at = now
            edge.stalls.during(gc.collect)

    def _say(self) -> None:
        edge, box = self.edge, self.box
        radio = edge.radio
        for link in box.to_close(ticks_ms()):
            if link == cable.LINK:
                self._wired.close()
            elif radio is None or not radio.disconnect(link):
                box.closed(link)
        self._wired.send()
        if radio is None:
            return
        for link in radio.links:
            for _ in range(_FRAMES_MOST):
                frame = box.send(link, ticks_ms())
                if frame is None:
                    break
                if not radio.notify(link, frame):
                    box.not_sent(link, ticks_ms())
                    break
        limit = box.clock.deadline()
        radio.advertise(box.advertisement(), _LONG_MS if limit is None else limit - box.uptime.now)
        resting = box.clock.state in (k.IDLE, k.READY, k.OVER)
        self.hopeless = radio.cycles >= _CYCLES_MOST and resting and box.settled()

    def _show(self) -> None:
        edge, box = self.edge, self.box
        now = box.uptime.advance(ticks_ms())
        for sound in box.sounds:
            edge.buzzer.play(sound, box.clock.settings.sound, now)
        box.sounds.clear()
        if now - self._shown_at >= _SHOW_MS:
            self._shown_at = now
            view = box.view(now)
            edge.displays.show(view.displays, box.clock.may_stall(now))
            edge.lamps.set(view, now)
        if now - self._measured_at >= _BATTERY_MS:
            self._measured_at = now
            box.battery(edge.battery.millivolts())

    def _report(self) -> None:
        """What went wrong out of the box's sight; and what the self-test found, one after the other."""
        edge, box = self.edge, self.box
        radio = edge.radio
        self._grown(0, edge.buttons.ring.lost, k.E_EDGES_LOST)
        if radio is not None:
            self._grown(1, radio.events.lost, k.E_FRAMES_LOST)
            self._grown(2, radio.faults, k.E_RADIO_HANDLER)
        seat = edge.displays.fallen()
        if seat is not None:
            box.fault(k.E_DISPLAY + seat, seat)
        now = box.uptime.now
        if self._troubles and not box.faults.shown(now):
            box.faults.show(self._troubles.pop(0), now)

    def _grown(self, place: int, count: int, code: int) -> None:
        if count != self._lost[place]:
            box = self.box
            box.fault(code, count - self._lost[place])
            self._lost[place] = count
