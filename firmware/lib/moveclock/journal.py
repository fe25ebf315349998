"""Numbered facts on flash: kept until acknowledged and for the day, whole after any power cut.

`journal/head` holds the newest batch of facts and the state that they led to. Writing it is the commit:

    version u8 | count u8 | boot u16 | epoch u32 | first seq u32 | acked u32 | count x 21-byte fact | state | crc u32

Little-endian. Up to 128 bytes (two facts with 66 bytes of state, three with 45) littlefs needs no block of its own for
it. The CRC-32 continues that of the box's uid, so that a copy of another box's flash is not taken for one's own.

Order of writes: the head, then the segments; a further head carries again what the segments do not have yet. So a mount
finds at most one batch that is in the head alone, and puts it into its segments. In the middle of a move, while anybody
may press, the head alone is written as long as it stays small: its writing is short, and an erase of it is had early,
while a segment's can be neither foreseen nor helped. Nothing newer than the head is ever in a segment. A head that is
missing, damaged or another box's, or that its segments contradict, is no power cut's work: the epoch is over and a new
one begins, because a number that the desk may have seen is never given again.

Every write of the head adds to a block of 4 KB, and the one that finds it full makes littlefs read the block through
over and over and erase another, which stops the box for 170 ms and more. The journal cannot see that, but its caller
can, by the clock: told by `stalled` how long each call of the flash took, it says when the block is `worn`, so that an
erase can be had early, by checkpoints that change nothing, while nobody is going to press.
"""

import binascii
import struct

from moveclock.segments import FOLDER, IN_FOLDER, ROOT, Flash, Segments
from moveclock.wire import pack_record

VERSION = 1
BATCH = 12  # facts in one commit, at most
STATE_MOST = 255  # bytes
CAPACITY = 8192  # facts: up to two thirds of the 2 MB that a stock board has for files
CHUNK = FOLDER  # facts: what a full flash gives up at once

_HEAD = "journal/head"
_HEADER = "<BBHIII"
_HEADER_SIZE = 16
_FACT = "<BIHHBBIIH"
_FACT_SIZE = 21
_SMALL = 128  # bytes of a head that needs no block of its own
_RTC = "<IIH"
_RTC_SIZE = 10
_U32 = 0xFFFFFFFF
_ENOSPC = 28
_BLOCK = 4096  # bytes, MicroPython's littlefs on an ESP32
_LASTS = 3700  # of these for heads, at least: 3776 to 3968 were measured without MicroPython's time stamps
_COMMIT = 58  # what littlefs adds to a head: tags, checksums, a time stamp, and on average half of 32 bytes of padding
_ERASE_MS = 60  # a head's call takes up to 25 without an erase; with one, 45 at least and as much again for reading
_UNKNOWN = 2 * _BLOCK
_UNSEEN = 4 * _BLOCK  # so much without an erase that was noticed: none ever will be


class Journal:
    """One box's facts `oldest`..`head`; the desk has those up to `acked`. Usable after `mount` has returned.

    `boot` counts this power-on, `snapshot` is the state that goes with `head`, `torn` counts the records that `mount`
    dropped as damaged. `lost` is the range `(first, last)` that a full flash gave up when a power cut kept the caller
    from recording it, or None.
    """

    def __init__(self, flash: Flash, uid: bytes, new_epoch: int, capacity: int = CAPACITY) -> None:
        self.epoch = 0
        self.boot = 0
        self.acked = 0
        self.torn = 0
        self.snapshot = b""
        self.lost: tuple[int, int] | None = None
        self._flash = flash
        self._segments = Segments(flash)
        self._seed = binascii.crc32(uid) & _U32
        self._new_epoch = new_epoch
        self._capacity = capacity
        self._acked_on_flash = 0
        self._litter = True  # other epochs, or segments that are in a file, may lie about
        self._no_space = False  # the last commit met a filesystem without a free block
        self._written = _UNKNOWN  # bytes into the head's block since it was new
        self._lasts = _LASTS  # how many the last block took
        self._waiting = b""  # packed facts that are in the head alone
        self._writing = 0  # bytes of the head that is being written
        self._timed = False  # whether anybody says how long calls take: if not, an erase cannot be noticed

    @property
    def head(self) -> int:
        """The newest fact's seq; 0 if there is none."""
        return self._segments.newest

    @property
    def oldest(self) -> int:
        """The oldest seq held; head + 1 if there is none."""
        return self._segments.oldest

    @property
    def fresh(self) -> bool:
        """Whether this epoch has no fact yet: the flash was new, or an old stream was given up."""
        return self.head == 0

    @property
    def backlog(self) -> int:
        """How many facts the desk has not acknowledged."""
        return self.head - self.acked

    @property
    def full(self) -> bool:
        """Whether it is time to `make_room`: all the facts it may hold, or no free block for the last commit."""
        return self._no_space or self.head - self.oldest + 1 >= self._capacity

    def worn(self, checkpoints: int, known: bool = False) -> bool:
        """Whether one of so many checkpoints may come upon an erase, as far as `stalled` is told of them.

        `known`: not merely because no erase was noticed since power-on.
        """
        least = self._lasts * 9 // 10 - checkpoints * self._checkpoint_cost()
        return self._timed and least < self._written < (_UNKNOWN if known else _UNSEEN)

    def stalled(self, ms: int) -> None:
        """A call, of the flash or not, took so long; it is told of before the journal's next one."""
        self._timed = True
        if not self._writing or ms < _ERASE_MS:
            return
        took = self._written - self._writing
        if _LASTS * 3 // 4 < took < _LASTS * 3 // 2:  # else an erase before this one went unnoticed
            self._lasts = took
        self._written = self._writing

    def mount(self) -> None:
        """Take up what is on flash, or format it. OSError: flash cannot be read or written now; mount again."""
        self.torn = 0
        self.lost = None
        data = self._flash.read(_HEAD)
        if data is None or not self._sound(data, _HEADER_SIZE) or not self._load(data):
            self.boot = max(self.boot, 1)
            self.snapshot = b""
            self.new_epoch(self._new_epoch)

    def commit(self, facts: list, snapshot: bytes, brief: bool = False) -> None:
        """Make up to 12 fact tuples durable under the numbers after `head`, with the state that they led to.

        `brief`: their segments can wait, if the head has room for them. OSError: nothing has advanced. They may be on
        flash all the same: commit them again, or a later mount has them.
        """
        if len(facts) > BATCH or len(snapshot) > STATE_MOST:
            raise ValueError(f"a commit has at most {BATCH} facts and {STATE_MOST} bytes of state")
        first = seq = self.head + 1
        records = []
        packed = b""
        for fact in facts:
            kind, at, game, move, seat, code, a, b, c = fact
            records.append(pack_record(seq, self.boot, fact))
            packed += struct.pack(_FACT, kind, at & _U32, game, move, seat, code, a & _U32, b & _U32, c)
            seq += 1
        try:
            if not brief or _HEADER_SIZE + len(self._waiting) + len(packed) + len(snapshot) + 4 > _SMALL:
                self._settle()
            packed = self._waiting + packed
            count = len(packed) // _FACT_SIZE
            self.write_head(self.epoch, first + len(facts) - count, self.acked, packed, count, snapshot)
        except OSError as error:
            self._no_space = error.errno == _ENOSPC
            raise
        self._no_space = False
        self.snapshot = snapshot
        for record in records:
            self._segments.add(record)
        self._waiting = packed
        if brief:
            return
        try:
            self._settle()
        except OSError as error:
            self._no_space = error.errno == _ENOSPC  # the head file has them; the next commit or mount settles them

    def checkpoint(self, snapshot: bytes) -> None:
        """Make the state durable without a fact. OSError: nothing has advanced."""
        self.commit([], snapshot, True)

    def record(self, seq: int) -> bytes | None:
        """The 32 bytes under a number; None if it is no longer held, not given yet, or damaged."""
        return self._segments.read(seq)

    def acknowledge(self, seq: int) -> None:
        """The desk has everything up to `seq`; a number never given changes nothing. Durable with the next commit."""
        if self.acked < seq <= self.head:
            self.acked = seq

    def compact(self, keep: int) -> bool:
        """One step of tidying, while no clock runs: at most one file is removed, or one folder made into a file.

        Facts go only if acknowledged and older than the newest `keep`. False if there was nothing to do.
        """
        if self._litter:
            self._litter = self._segments.sweep()
        elif 0 < self._segments.end_of_oldest() <= min(self.acked, self.head - keep):
            if self._acked_on_flash < self._segments.end_of_oldest():
                self.checkpoint(self.snapshot)  # else a power cut would make what is gone look lost
            self._segments.drop_oldest()
        elif self._segments.archive():
            self._litter = True
        else:
            return False
        return True

    def prepare(self) -> bool:
        """One step towards folders for a whole game: making one takes half a second. False if they are there."""
        return self._segments.prepare()

    def make_room(self) -> tuple[int, int] | None:
        """If full, remove an old epoch's folder, else the oldest of this one's.

        `(first, last)` of what was lost before the desk had it, for the caller to record; None if nothing was.
        """
        if not self.full:
            return None
        self._no_space = False
        steps = 0
        while self._litter and steps <= IN_FOLDER:
            self._litter = self._segments.sweep()
            steps += self._litter
        if steps:
            return None
        begin = self.oldest
        end = (begin - 1) // CHUNK * CHUNK + CHUNK
        try:
            if self._acked_on_flash < self.acked:
                self.checkpoint(self.snapshot)
        except OSError:
            pass  # without it a power cut makes more look lost than is; without room nothing goes on
        try:
            while self.oldest <= end and self._segments.end_of_oldest():
                self._segments.drop_oldest()
        except OSError:
            if self.oldest == begin:
                raise
        first, last = max(begin, self.acked + 1), self.oldest - 1
        if first > last:
            return None
        self.acked = last
        return first, last

    def new_epoch(self, epoch: int) -> None:
        """Begin a new stream at seq 1, boot and state as they are; `compact` removes the old. OSError: as before."""
        self._flash.make(ROOT)
        taken = self._flash.names(ROOT)
        while epoch in (0, self.epoch) or f"{epoch:08x}" in taken:
            epoch = epoch + 1 & _U32
        self.write_head(epoch, 1, 0, b"", 0, self.snapshot)
        self._segments.begin(epoch)
        self._waiting = b""
        self.epoch = epoch
        self.acked = 0
        self.lost = None
        self._litter = True

    def rtc_pack(self, snapshot: bytes) -> bytes:
        """For memory that outlives a reset: the state now, later than the last commit's but with no fact of its own."""
        data = struct.pack(_RTC, self.epoch, self.head, self.boot) + snapshot
        return data + struct.pack("<I", self._crc(data))

    def rtc_unpack(self, data: bytes) -> bytes | None:
        """The state in that memory, right after `mount`; None if it is damaged or of another epoch or head."""
        if not self._sound(data, _RTC_SIZE):
            return None
        epoch, head, _ = struct.unpack(_RTC, data[:_RTC_SIZE])
        return bytes(data[_RTC_SIZE:-4]) if epoch == self.epoch and head == self.head else None

    def _settle(self) -> None:
        self._segments.settle()
        self._waiting = b""

    def _load(self, data: bytes) -> bool:
        """Take over a sound head file; False if it is of another version or its segments contradict it."""
        version, count, boot, self.epoch, first, self.acked = struct.unpack(_HEADER, data[:_HEADER_SIZE])
        if version != VERSION:
            return False
        self.boot = boot + 1 & 0xFFFF
        self._waiting = b""
        batch = []
        end = _HEADER_SIZE
        for number in range(count):
            batch.append(pack_record(first + number, boot, struct.unpack(_FACT, data[end : end + _FACT_SIZE])))
            end += _FACT_SIZE
        self.torn = self._segments.load(self.epoch, first, batch)
        if self.torn < 0:
            self.torn = 0
            return False
        self.snapshot = bytes(data[end:-4])
        self._acked_on_flash = self.acked
        self._litter = True
        if self.oldest > self.acked + 1:
            self.lost = self.acked + 1, self.oldest - 1
            self.acked = self.oldest - 1
        return True

    def write_head(self, epoch: int, first: int, acked: int, facts: bytes, count: int, snapshot: bytes) -> None:
        """Put down what a mount begins with: the stream from `first` on, `count` packed facts not yet in a segment."""
        data = struct.pack(_HEADER, VERSION, count, self.boot, epoch, first, acked) + facts + snapshot
        self._writing = len(data) + 4 + _COMMIT
        self._written += self._writing
        try:
            self._flash.write(_HEAD, data + struct.pack("<I", self._crc(data)))
        finally:
            self._writing = 0
        self._acked_on_flash = acked

    def _checkpoint_cost(self) -> int:
        return _HEADER_SIZE + len(self.snapshot) + 4 + _COMMIT

    def _crc(self, data: bytes) -> int:
        return binascii.crc32(data, self._seed) & _U32

    def _sound(self, data: bytes, least: int) -> bool:
        return len(data) >= least + 4 and struct.unpack("<I", data[-4:])[0] == self._crc(data[:-4])
