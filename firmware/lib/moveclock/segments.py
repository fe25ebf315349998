"""Records as files: four to a segment, twelve segments to a folder, and each old folder made into one file.

    journal/<epoch, 8 hex digits>/<folder>/<0..11>    segments
    journal/<epoch, 8 hex digits>/old/<folder>        48 records

A segment's 128 bytes are as much as littlefs stores inside the folder's own blocks, so that a record costs no block of
its own, and twelve of them fit one pair of blocks even with a time stamp on each. But every search for free blocks
reads all folders through: with a day's worth of them that takes seconds, so old ones are made into files while no clock
runs. Then the folders of the next game are made, too: making one takes up to half a second. Every seq has its place:
what was lost of a segment are zeros. `journal.py` says when and why; here is only where.
"""

from moveclock.wire import RECORD_SIZE, WireError, unpack_record

ROOT = "journal"
SLOTS = 4
IN_FOLDER = 12
FOLDER = SLOTS * IN_FOLDER  # records
_AHEAD = 10  # folders: 480 records, a game of 160 moves with a tile taken in each
_TAIL = 16  # records kept in RAM: the largest batch (12) and the segment that it continues
_BLANK = bytes(RECORD_SIZE)
_EMPTY = bytes(SLOTS * RECORD_SIZE)


class Flash:
    """What the journal asks of its storage. Paths are `journal/...`; every call may raise OSError.

    `write` replaces a file at once or not at all, though a power cut may leave a new one empty; what `write` and
    `append` return from is on flash. The call after an OSError must find working storage: littlefs is to be mounted
    anew when the chip itself has failed.
    """

    def names(self, folder: str) -> list:
        """Names of what is in a folder, in any order; [] if there is no such folder."""
        raise NotImplementedError  # to find nothing would begin a second journal under the first one's numbers

    def read(self, path: str) -> bytes | None:
        """A whole file; None if there is none."""
        raise NotImplementedError  # to read nothing would take every record for lost

    def write(self, path: str, data: bytes) -> None:
        """Replace a file, or make it in an existing folder."""
        raise NotImplementedError  # a write that does nothing would acknowledge facts that are nowhere

    def append(self, path: str, data: bytes) -> None:
        """Add to the end of an existing file."""
        raise NotImplementedError  # the same, for a record

    def remove(self, path: str) -> None:
        """Remove a file."""
        raise NotImplementedError  # a file that stays would fill the flash without a word

    def make(self, folder: str) -> None:
        """Make a folder in an existing one (or at the top); nothing happens if it is there."""
        raise NotImplementedError  # a folder that is not made would fail at the next write, far from the cause

    def remove_folder(self, folder: str) -> None:
        """Remove an empty folder."""
        raise NotImplementedError  # as for remove


class Segments:
    """The records `oldest`..`newest` of one epoch; the newest 16 are in RAM too, and may be ahead of their files."""

    def __init__(self, flash: Flash) -> None:
        self.newest = 0
        self.oldest = 1
        self._flash = flash
        self._folder = ROOT
        self._tail = bytearray(_TAIL * RECORD_SIZE)
        self._tail_from = 1  # no older record is in the tail
        self._placed = 0  # the newest seq that is in its file
        self._whole = True  # False: the newest segment may be half-written
        self._made = 0  # folders below this are known to be there, or to have been
        self._archived = 0  # folders below this are files in `old`
        self._cached = ""  # the file that is in _cache, until the next record comes
        self._cache = b""

    def begin(self, epoch: int) -> None:
        """An empty stream, nothing written."""
        self._folder = f"{ROOT}/{epoch:08x}"
        self.newest = self._placed = 0
        self.oldest = self._tail_from = 1
        self._whole = True
        self._made = 0
        self._archived = 0
        self._cached = ""

    def load(self, epoch: int, first: int, batch: list) -> int:
        """Take up what is on flash and settle what it lacks of `batch`, the newest records, from seq `first` on.

        How many records were damaged and are dropped; -1 if the files contradict the batch or hold anything newer.
        """
        self.begin(epoch)
        self.newest = self._placed = first - 1 + len(batch)
        last = (self.newest - 1) // SLOTS
        lowest, highest = self._span((first - 1) // SLOTS)
        if highest > last:
            return -1
        self.oldest = lowest * SLOTS + 1
        lowest = max(lowest, last + 1 - _TAIL // SLOTS)
        self._tail_from = lowest * SLOTS + 1
        torn = 0
        for index in range(lowest, last + 1):
            held = self._stored(index)
            right = b""
            for place in range(0, max(len(held), SLOTS * RECORD_SIZE), RECORD_SIZE):
                seq = index * SLOTS + place // RECORD_SIZE + 1
                record = held[place : place + RECORD_SIZE]
                known = batch[seq - first] if first <= seq <= self.newest else None
                if _is(record, seq):
                    if seq > self.newest or known not in (None, record):
                        return -1
                else:
                    torn += record not in (b"", _BLANK)
                    record = known or _BLANK
                if seq <= self.newest and place < SLOTS * RECORD_SIZE:
                    right += record
                    self._keep(seq, record)
            if right != held and self._whole:
                self._whole = False
                self._placed = index * SLOTS
        try:
            self.settle()
        except OSError:
            pass  # a full flash must not keep the box from starting
        return torn

    def add(self, record: bytes) -> None:
        """The next record, in RAM until `settle`."""
        self.newest += 1
        self._keep(self.newest, record)
        self._cached, self._cache = "", b""

    def settle(self) -> None:
        """Write what is only in RAM. OSError: not all of it; call again before more than 12 records wait."""
        while self._placed < self.newest:
            index = self._placed // SLOTS
            begin = index * SLOTS + 1
            start = self._placed + 1 if self._whole else begin
            end = min(self.newest, index * SLOTS + SLOTS)
            data = b"".join([self._recent(start + number) for number in range(end + 1 - start)])
            folder = index // IN_FOLDER
            if start == begin and (index % IN_FOLDER == 0 or not self._whole) and folder >= self._made:
                self._make(folder)
            self._whole = False
            if start == begin:
                self._flash.write(self._path(index), data)
            else:
                self._flash.append(self._path(index), data)
            self._whole = True
            self._placed = end

    def read(self, seq: int) -> bytes | None:
        """The 32 bytes under a number; None if it is not held, or damaged."""
        if not self.oldest <= seq <= self.newest:
            return None
        if seq > self.newest - _TAIL and seq >= self._tail_from:
            record = self._recent(seq)
            return record if record != _BLANK else None
        place = (seq - 1) % SLOTS * RECORD_SIZE
        record = self._stored((seq - 1) // SLOTS)[place : place + RECORD_SIZE]
        return record if _is(record, seq) else None

    def end_of_oldest(self) -> int:
        """The last seq of the oldest file; 0 if that is the newest, which stays."""
        file = SLOTS if self.oldest > self._archived * FOLDER else FOLDER
        end = (self.oldest - 1) // file * file + file
        return end if end <= (self.newest - 1) // SLOTS * SLOTS else 0

    def drop_oldest(self) -> None:
        """Remove the oldest file, which must not be the newest; nothing may be left to `sweep`."""
        end = self.end_of_oldest()
        folder = (self.oldest - 1) // FOLDER
        path = self._old(folder) if folder < self._archived else self._path((self.oldest - 1) // SLOTS)
        try:
            self._flash.remove(path)
        except OSError:
            if self._flash.read(path) is not None:
                raise
        self.oldest = end + 1
        if folder >= self._archived and end % FOLDER == 0:
            self._remove_empty(folder)

    def archive(self) -> bool:
        """Make the oldest folder of segments into one file and leave the folder to `sweep`; False if it is in use."""
        folder = max((self.oldest - 1) // FOLDER, self._archived)
        first = folder * IN_FOLDER
        if (first + IN_FOLDER) * SLOTS > self._placed - _TAIL:
            return False
        segments = [self._stored(index) for index in range(first, first + IN_FOLDER)]
        self._flash.make(f"{self._folder}/old")
        self._flash.write(self._old(folder), b"".join([(segment + _EMPTY)[: len(_EMPTY)] for segment in segments]))
        self._archived = folder + 1
        return True

    def prepare(self) -> bool:
        """Make one of the folders that a game to come will need; False if all are there."""
        next_one = (self.newest + FOLDER - 1) // FOLDER
        folder = max(self._made, next_one)
        if not self.newest or folder >= next_one + _AHEAD:
            return False
        self._make(folder)
        self._made = folder + 1
        return True

    def sweep(self) -> bool:
        """Remove one file or folder of another epoch or of what is in `old`; False if there is none left."""
        for name in self._flash.names(ROOT):
            epoch = f"{ROOT}/{name}"
            if epoch == self._folder:
                for folder in _numbers(self._flash.names(epoch)):
                    if folder < self._archived:
                        self._strip(f"{epoch}/{folder}")
                        return True
            elif len(name) == 8:
                inside = self._flash.names(epoch)
                if inside:
                    self._strip(f"{epoch}/{inside[0]}")
                else:
                    self._flash.remove_folder(epoch)
                return True
        return False

    def _make(self, folder: int) -> None:
        self._flash.make(self._folder)
        self._flash.make(f"{self._folder}/{folder}")

    def _strip(self, folder: str) -> None:
        names = self._flash.names(folder)
        if names:
            self._flash.remove(f"{folder}/{names[0]}")
        else:
            self._flash.remove_folder(folder)

    def _span(self, if_none: int) -> tuple[int, int]:
        """The oldest and the newest segment on flash (-1: none); empty folders before the oldest go."""
        old = sorted(_numbers(self._flash.names(f"{self._folder}/old")))
        if old and not self._flash.read(self._old(old[-1])):
            old.pop()  # power went before it was written: its segments are all there
        lowest = highest = -1
        if old:
            self._archived = old[-1] + 1
            lowest = old[0] * IN_FOLDER
            highest = self._archived * IN_FOLDER - 1
            while lowest < highest and self._stored(lowest) in (b"", _EMPTY):
                lowest += 1
        folders = sorted(_numbers(self._flash.names(self._folder)))
        inside: list = []
        while folders:
            inside = self._inside(folders[0])
            if inside:
                break
            self._remove_empty(folders.pop(0))
        if not folders:
            return (if_none if lowest < 0 else lowest), highest
        if lowest < 0:
            lowest = min(inside)
        inside = self._inside(folders[-1])
        while not inside:
            folders.pop()
            inside = self._inside(folders[-1])
        return lowest, max(inside)

    def _inside(self, folder: int) -> list:
        return [folder * IN_FOLDER + number for number in _numbers(self._flash.names(f"{self._folder}/{folder}"))]

    def _stored(self, index: int) -> bytes:
        """Four records as they are on flash."""
        old = index < self._archived * IN_FOLDER
        path = self._old(index // IN_FOLDER) if old else self._path(index)
        if path != self._cached:
            self._cached, self._cache = "", b""  # not two files in memory
            self._cache = self._flash.read(path) or b""
            self._cached = path
        if not old:
            return self._cache
        start = index % IN_FOLDER * len(_EMPTY)
        return self._cache[start : start + len(_EMPTY)]

    def _old(self, folder: int) -> str:
        return f"{self._folder}/old/{folder}"

    def _path(self, index: int) -> str:
        return f"{self._folder}/{index // IN_FOLDER}/{index % IN_FOLDER}"

    def _remove_empty(self, folder: int) -> None:
        try:
            self._flash.remove_folder(f"{self._folder}/{folder}")
        except OSError:
            pass  # in nobody's way; `load` tries again

    def _keep(self, seq: int, record: bytes) -> None:
        place = seq % _TAIL * RECORD_SIZE
        self._tail[place : place + RECORD_SIZE] = record

    def _recent(self, seq: int) -> bytes:
        place = seq % _TAIL * RECORD_SIZE
        return bytes(self._tail[place : place + RECORD_SIZE])


def _is(record: bytes, seq: int) -> bool:
    try:
        return unpack_record(record)[0] == seq
    except WireError:
        return False


def _numbers(names: list) -> list:
    return [int(name) for name in names if name.isdigit()]
