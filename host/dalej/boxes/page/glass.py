"""The edge of a box that is a page: what MicroPython's own machine runs in a browser, where a script is the hardware.

The script hands over edges with their stamps and asks for turns; each turn says what is to be shown and what is to be
kept. What is kept is in memory at once, and the script writes it down: a fact has to be told to nobody before that.
"""

import binascii
import hashlib
import json
import struct

from moveclock import settings as rules
from moveclock.box import Box
from moveclock.secure import Seal, derive
from moveclock.segments import Flash
from moveclock.upkeep import Board
from moveclock.wire import WireError

_SETTINGS = "settings"
_LINK = 0  # there is one desk, and one socket to it
_MTU = 247  # the longest frame of moveclock.wire, whose constants are compiled away, and ATT's own three bytes
_FRAMES_MOST = 16  # in one turn
_EXPIRED, _NOBODY = 3, 255  # of moveclock.facts, likewise
_PROOF = 16
_FOLDER = "/"  # ends the path of a folder, whose file is empty


class Kept(Flash):
    """Files by their paths. `changed`: what the script has to write down, None: to remove."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.changed: dict[str, bytes | None] = {}

    def names(self, folder: str) -> list[str]:
        start = folder + "/"
        inside = [path[len(start) :].rstrip("/") for path in self.files if path.startswith(start)]
        return [name for name in inside if name and "/" not in name]

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def write(self, path: str, data: bytes) -> None:
        self.files[path] = self.changed[path] = bytes(data)

    def append(self, path: str, data: bytes) -> None:
        self.write(path, self.files.get(path, b"") + bytes(data))

    def remove(self, path: str) -> None:
        if path not in self.files:
            raise OSError(2)
        del self.files[path]
        self.changed[path] = None

    def make(self, folder: str) -> None:
        if folder + _FOLDER not in self.files:
            self.write(folder + _FOLDER, b"")

    def remove_folder(self, folder: str) -> None:
        if self.names(folder):
            raise OSError(39)
        self.remove(folder + _FOLDER)


class Forgetful(Board):
    """A page that goes away keeps no memory: it always begins as after a power cut. `seed`: 32 bytes that nobody else
    knows, from the browser's own source.
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._drawn = 0

    def load(self) -> bytes:
        return b""

    def save(self, data: bytes) -> None:
        pass

    def random(self, count: int) -> bytes:
        found = b""
        while len(found) < count:
            self._drawn += 1
            found += hashlib.sha256(self._seed + struct.pack("<I", self._drawn)).digest()
        return found[:count]


class Glass:
    """A box behind glass. `raw`: of the script's counter, in ms; bytes come and go in hex, the rest as JSON.

    `shared`: one Już and one Dalej for all seats; `desk`: it is a club's box, and its desk says by which rules.
    """

    def __init__(self, uid: str, secret: str, files: str, seed: str, raw: int, shared: bool, desk: bool) -> None:
        kept = json.loads(files)
        self._flash = Kept({path: binascii.unhexlify(kept[path]) for path in kept})
        self._uid = binascii.unhexlify(uid)
        self._secret = binascii.unhexlify(secret)
        self._board = Forgetful(binascii.unhexlify(seed))
        self._desk = desk
        self._words = self._said = Seal(bytes(32))
        self._begin(raw, shared, False)

    def _begin(self, raw: int, shared: bool, anew: bool) -> None:
        stored = self._flash.read(_SETTINGS)
        kostka = self._desk or (stored is not None and rules.unpack(stored).draw > 0)
        self._shared = shared
        self.box = Box(self._uid, self._secret, self._flash, self._board, raw, kostka=kostka, shared=shared, anew=anew)

    def set_up(self, limit_ms: int, seats: int, draw: int, sound: int, taps_only: bool, shared: bool, raw: int) -> str:
        """A game by these rules, numbers as in `moveclock.settings`; what is wrong with them, in a sentence, or ""."""
        new = rules.Settings()
        new.limit_ms, new.seats, new.draw, new.sound, new.taps_only = limit_ms, seats, draw, sound, taps_only
        problem = rules.fault_in(new)
        if not problem:
            self._flash.write(_SETTINGS, new.pack())
            self._begin(raw, shared, True)
        return problem

    def cut(self, raw: int) -> None:
        """The page slept, or stood still: as without power, nobody knows for how long. Its link is gone with it."""
        self._begin(raw, self._shared, False)

    def lay(self, shared: bool, raw: int) -> None:
        """The device lies otherwise from now on: as a box that is built so, and switched on."""
        self._begin(raw, shared, False)

    # --- the desk -----

    def prove(self, nonce: str, device: str) -> str:
        """What opens a socket: the uid, the device, and that the secret is here, as `dalej.boxes.phones.proof` says."""
        said, asked = binascii.unhexlify(device), binascii.unhexlify(nonce)
        proof = derive(self._secret, b"phone", asked, said)[:_PROOF]
        self._words, self._said = (Seal(derive(self._secret, label, asked, said)) for label in (b"words", b"said"))
        return binascii.hexlify(self._uid + said + proof).decode()

    def opened(self, raw: int) -> None:
        """The desk has let this box in."""
        self.box.opened(_LINK, _MTU, raw)

    def closed(self) -> None:
        """The socket is gone."""
        self.box.closed(_LINK)

    def receive(self, frame: str, raw: int) -> None:
        """One frame of the desk's."""
        self.box.receive(_LINK, binascii.unhexlify(frame), raw)

    def words(self, sealed: str) -> str:
        """What the desk tells the table beside the game, as JSON; "" if that was not the desk."""
        try:
            return self._words.open(binascii.unhexlify(sealed)).decode()
        except (WireError, ValueError):
            return ""

    def says(self, words: str) -> str:
        """What the table says beside the game, as it travels."""
        return binascii.hexlify(self._said.seal(words.encode())).decode()

    def _frames(self, raw: int) -> list[str]:
        """What the desk is told now: only once everything is written down that was to be before."""
        out: list[str] = []
        while len(out) < _FRAMES_MOST:
            frame = self.box.send(_LINK, raw)
            if frame is None:
                break
            out.append(binascii.hexlify(frame).decode())
        return out

    def edge(self, contact: int, down: bool, raw: int) -> None:
        """A finger was put down on a contact, or lifted, at that instant."""
        self.box.edge(contact, down, raw)

    def turn(self, raw: int) -> str:
        """Settle what is due. What is to be shown, sounded and written down; `wait`: ms until the next turn; `frames`:
        for the desk, once that is written; `hang_up`: the socket is to be closed after them.
        """
        box = self.box
        box.tick(raw)
        box.work(raw)
        frames, hang_up = self._frames(raw), _LINK in box.to_close(raw)
        now, clock = box.uptime.now, box.clock
        view = box.view(now)
        changed, self._flash.changed = self._flash.changed, {}
        sounds, box.sounds = box.sounds, []
        return json.dumps({
            "displays": view.displays, "ring": view.ring, "lit": view.lit, "blinking": view.blinking, "sounds": sounds,
            "state": clock.state, "seat": clock.seat, "game": clock.game, "move": clock.move, "bank": clock.bank,
            "starter": clock.starter, "following": clock.next_seat() if clock.state == _EXPIRED else _NOBODY,
            "drawn": clock.drawn, "pending": clock.pending,
            "seats": clock.settings.seats, "limit_ms": clock.settings.limit_ms, "draw": clock.settings.draw,
            "sound": clock.settings.sound, "taps_only": clock.settings.taps_only, "reason": clock.reason,
            "claim": clock.claim, "settled": box.settled(), "wait": box.wake_at() - now, "frames": frames,
            "hang_up": hang_up, "linked": box.links.in_contact(now), "backlog": box.journal.backlog,
            "changed": {path: None if data is None else binascii.hexlify(data).decode() for path, data in
                        changed.items()},
        })  # fmt: skip
