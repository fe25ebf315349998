# mypy: ignore-errors
"""Runs in MicroPython's virtual machine: a desk and two strangers in the air of a whole box, and a game on it.

The box is what firmware/main.py makes; its radio is the idle one of tests/firmware, whose `sent` keeps what it was to
notify. Time goes on as far as `Air` says.
"""

from moveclock import secure, wire

UID = b"\x02bench"
SECRET = bytes(range(32))
CONNECTED = 1
WRITTEN = 3
MTU_AGREED = 21
COMMANDS = 3  # the handle that the idle radio gives to what is written
MTU = 247
TURN_MS = 10
STRANGERS = (1, 2)


class Air:
    """Centrals around the box's radio."""

    def __init__(self, ble: object, pump: object, time: object) -> None:
        self.ble = ble
        self.ring = pump.edge.buttons.ring
        self.pump = pump
        self.time = time
        self.flight = 0

    def turns(self, ms: int) -> None:
        """The pump runs for so long."""
        until = self.time.now + ms
        while self.time.now < until:
            self.pump.turn()
            self.time.now += TURN_MS

    def tap(self, contact: int) -> None:
        self.ring.put(contact | 128, self.time.now)
        self.turns(100)
        self.ring.put(contact, self.time.now)
        self.turns(100)

    def connect(self, link: int) -> None:
        self.ble.handler(CONNECTED, (link, 0, b"centra"))
        self.ble.handler(MTU_AGREED, (link, MTU))
        self.turns(TURN_MS)

    def write(self, link: int, frame: bytes) -> bytes:
        """A central writes; what the box answers within 50 ms."""
        self.ble.written = frame
        self.ble.handler(WRITTEN, (link, COMMANDS))
        self.ble.sent.clear()
        self.turns(50)
        return self.ble.sent[0]

    def greet(self, link: int) -> tuple[bytes, bytes]:
        """Connect and say hello: the hello and the welcome."""
        self.connect(link)
        hello = wire.pack_hello(bytes(16), 1 + link, 0, 0, "A desk with a long name")
        return hello, self.write(link, hello)

    def trust(self, link: int) -> None:
        """The desk that proves the secret, and never acknowledges anything."""
        hello, welcome = self.greet(link)
        tag = secure.handshake_tag(SECRET, secure.DESK, hello + welcome)
        if self.write(link, bytes([wire.AUTH]) + tag)[0] != wire.ACCEPTED:
            raise wire.WireError("the box does not trust this desk")

    def play(self, moves: int) -> None:
        """A game without a desk: A begins, B follows."""
        self.tap(0)
        self.tap(0)
        for move in range(moves):
            self.turns(1000)
            self.tap(2 * (move & 3) + (move & 1))

    def crowd(self) -> None:
        """Every link taken: a desk with a full window, and strangers that have said hello."""
        self.trust(0)
        self.turns(500)
        self.flight = len([frame for frame in self.ble.sent if len(frame) > 200])
        self.ble.sent.clear()
        for link in STRANGERS:
            self.greet(link)

    def full(self) -> tuple[int, ...]:
        """How many frames of the desk are in flight, how many links there are, the clock's state, the code shown."""
        box = self.pump.box
        return self.flight, len(box.links.peers), box.clock.state, box.faults.shown(box.uptime.now)
