"""What a stranger knows of a box and its desk, and what he says with it: the source, all names, uids and addresses,
and each frame that was on the air, but no secret. Said are frames of before, as they were, in another order, altered
and cut up; handshakes of his own, under keys that were guessed; and what would change something if it were believed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Sequence
from random import Random
from typing import Final, NamedTuple

from moveclock import facts as k
from moveclock import secure, wire
from moveclock.settings import Settings
from tests.link.rig import UID, Rig, Shelf

MOVES: Final = (2, 8)

Saying = Generator[bytes, list[bytes], None]  # frames of a stranger; what was answered to each


class Lore(NamedTuple):
    """What was on the air: all that `desk` and `box` have said, and how far the journal is."""

    desk: Sequence[bytes]
    box: Sequence[bytes]
    epoch: int
    head: int

    def turned(self) -> Lore:
        """As the other end knows it: whose frames it would be."""
        return self._replace(desk=self.box, box=self.desk)


Manner = Callable[[Random, Lore], Saying]  # `lore.desk`: of whom the stranger says that it is


class OverheardDesk(Shelf):
    """A desk near which somebody records."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.lore: tuple[list[bytes], list[bytes]] = [], []

    def frames(self, uid: bytes) -> list[bytes]:
        said = super().frames(uid)
        self.lore[0].extend(said)
        return said

    def receive(self, uid: bytes, frame: bytes, now_ms: int) -> None:
        self.lore[1].append(frame)
        super().receive(uid, frame, now_ms)


def conversation(seed: int) -> tuple[Rig, Lore]:
    """A table in the midst of a game, and what was to be heard of it until now; the same of the same seed."""
    shelf = OverheardDesk(seed)
    rig = Rig(shelf=shelf, seed=seed)
    rig.configured()
    rig.moves(Random(seed).randint(*MOVES), every_ms=1_500)
    rig.settle()
    assert rig.sim.box is not None
    journal = rig.sim.box.journal
    return rig, Lore([*shelf.lore[0]], [*shelf.lore[1]], journal.epoch, journal.head)


# --- what a stranger says, whoever it says that it is -----


def again(_lot: Random, lore: Lore) -> Saying:
    """As it was."""
    yield from _each(lore.desk)


def in_another_order(lot: Random, lore: Lore) -> Saying:
    """All that was said."""
    yield from _each(lot.sample(lore.desk, len(lore.desk)))


def altered(lot: Random, lore: Lore) -> Saying:
    """Each with another bit or two."""
    for frame in lore.desk:
        yield flipped(lot, frame)


def cut_up(lot: Random, lore: Lore) -> Saying:
    """Beginnings, and ends of others."""
    for frame in lot.sample(lore.desk, min(8, len(lore.desk))):
        place = lot.randrange(len(frame) + 1)
        yield frame[:place]
        yield frame + lot.choice(lore.desk)[place:]


def reflected(lot: Random, lore: Lore) -> Saying:
    """What the one end says is said to itself, the newest first."""
    heard: list[bytes] = []
    for frame in lot.sample(lore.box, len(lore.box)):
        heard += yield heard.pop() if heard else frame


def unsealed(lot: Random, lore: Lore) -> Saying:
    """After a handshake's beginning, in clear and with seals that are none."""
    yield lore.desk[0]
    for body in (*orders(lot, lore), *tales(lot, lore)):
        yield body
        yield forged(lot, body, lot.randrange(1 << 32))


def _each(frames: Sequence[bytes]) -> Saying:
    for frame in frames:  # noqa: UP028  # a list takes no answers
        yield frame


def flipped(lot: Random, frame: bytes) -> bytes:
    """One bit of it, two or three."""
    bits = int.from_bytes(frame, "little")
    for place in lot.sample(range(8 * len(frame)), lot.randint(1, 3)):
        bits ^= 1 << place
    return bits.to_bytes(len(frame), "little")


def forged(lot: Random, body: bytes, counter: int) -> bytes:
    """As if it were sealed."""
    return bytes([wire.SEALED]) + struct.pack("<I", counter & 0xFFFFFFFF) + body + lot.randbytes(secure.FRAME_TAG)


# --- as the desk -----


def orders(lot: Random, lore: Lore) -> list[bytes]:
    """What would change a box if its desk said so: each command, and leave to forget."""
    other = Settings()
    other.limit_ms = 1_000
    arguments = {k.C_CONFIGURE: bytes([9, 0]) + other.pack(), k.C_GIVE_TIME: struct.pack("<I", 50_000)}
    bodies = [
        wire.pack_command(lot.randrange(1, 1 << 31), what, 0, 0, 0, 0, arguments.get(what, b""))
        for what in range(k.C_CONFIGURE, k.C_BLINK + 1)
    ]
    bodies += [struct.pack("<BII", wire.ACK, lore.epoch, lore.head + more) for more in (-1, 0, 1, 2, 3, 5, 1_000)]
    bodies += [struct.pack("<BI", wire.PING, 1), bytes([wire.BYE])]
    return lot.sample(bodies, len(bodies))


def introduced(lot: Random, lore: Lore) -> Saying:
    """Hellos of whoever one likes, which know of more than there is, and proofs that were right at another time."""
    recorded = [frame for frame in lore.desk if frame[0] == wire.AUTH]
    for _ in range(lot.randint(1, 6)):
        known = lore.epoch + lot.choice((0, 0, 0, 1)), max(0, lore.head + lot.choice((-1, 0, 1, 3, 1_000)))
        yield wire.pack_hello(lot.randbytes(16), lot.choice((0, 1, 1, 2)), *known, lot.choice(("first laptop", "x")))
        yield lot.choice([*recorded, bytes([wire.AUTH]) + lot.randbytes(16), bytes([wire.AUTH])])
    yield from _each([frame for frame in lore.desk if frame[0] == wire.SEALED])


def as_a_desk_of_another_secret(lot: Random, lore: Lore) -> Saying:
    """All as a desk does it, under a key that was guessed."""
    secret, nonce = lot.randbytes(32), lot.randbytes(16)
    hello = wire.pack_hello(nonce, 1, lore.epoch, lore.head, "first laptop")
    for welcome in (yield hello):
        if welcome[0] == wire.WELCOME:
            _, _, epoch, *_, theirs = wire.unpack_welcome(welcome)
            yield bytes([wire.AUTH]) + secure.handshake_tag(secret, secure.DESK, hello + welcome)
            seal = secure.Seal(secure.session_keys(secret, UID, epoch, nonce, theirs)[0])
            for body in orders(lot, lore):
                yield bytes([wire.SEALED]) + seal.seal(body)


# --- as a box -----


def tales(lot: Random, lore: Lore) -> list[bytes]:
    """What a desk would write down if its box said so."""
    bodies = []
    for _ in range(4):
        seq = max(1, lore.head + lot.randint(-3, 3))
        fact = (lot.choice((k.MOVE_STARTED, k.COMMAND_APPLIED, k.FAULT)), lot.randrange(1 << 20), 1, lot.randrange(99),
                lot.randrange(4), 0, lot.randrange(9), 0, 0)  # fmt: skip
        bodies.append(bytes([wire.RECORDS]) + wire.pack_record(seq, 1, fact))
    state = (k.OVER, 0, 1, 1, 0, lot.randrange(1 << 20), 0, 0, 0, 0, 0, 0, 0, lore.epoch, lore.head)
    return [*bodies, wire.pack_state(state), struct.pack("<BII", wire.PONG, 1, 1)]


def welcomed(lot: Random, lore: Lore) -> Saying:
    """A box that is behind or ahead, and then proofs that were right at another time, or refusals."""
    recorded = [frame for frame in lore.desk if frame[0] == wire.ACCEPTED]
    for _ in range(lot.randint(1, 6)):
        epoch, head = lore.epoch + lot.choice((0, 0, 0, 1)), max(0, lore.head + lot.choice((-3, -1, 0, 2, 1_000)))
        yield wire.pack_welcome(UID, epoch, 1, 1, head, 5, lot.randbytes(16))
        yield lot.choice([*recorded, bytes([wire.ACCEPTED]) + struct.pack("<I", epoch) + lot.randbytes(16),
                          wire.pack_refusal(lot.randint(1, 4), lot.randbytes(16), b"x")])  # fmt: skip
    yield from _each([frame for frame in lore.desk if frame[0] == wire.SEALED])


def as_a_box_of_another_secret(lot: Random, lore: Lore) -> Saying:
    """All as a box does it, under a key that was guessed."""
    secret, nonce = lot.randbytes(32), lot.randbytes(16)
    welcome = wire.pack_welcome(UID, lore.epoch, 1, 1, lore.head, 5, nonce)
    stream = struct.pack("<I", lore.epoch)
    for hello in (yield lore.desk[0]):
        if hello[0] == wire.HELLO:
            theirs = wire.unpack_hello(hello)[1]
            yield welcome
            tag = secure.handshake_tag(secret, secure.BOX, hello + welcome + stream)
            yield bytes([wire.ACCEPTED]) + stream + tag
            seal = secure.Seal(secure.session_keys(secret, UID, lore.epoch, theirs, nonce)[1])
            for body in tales(lot, lore):
                yield bytes([wire.SEALED]) + seal.seal(body)


ANYBODY: Final[Sequence[Manner]] = (again, in_another_order, altered, cut_up, reflected, unsealed)
DESKS: Final[Sequence[Manner]] = (*ANYBODY, introduced, as_a_desk_of_another_secret)
BOXES: Final[Sequence[Manner]] = (*ANYBODY, welcomed, as_a_box_of_another_secret)
