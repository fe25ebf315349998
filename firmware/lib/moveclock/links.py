"""All links of one box: which desk is served, what its frames ask for, who is turned away.

Only one authenticated desk is served. The same desk coming back takes the place of its stale link; another one is
refused with the first one's name. A stranger costs a slot for 8 s, or until somebody else needs it, and nothing else;
from its hello to the end of the 3 s in which it must prove itself nobody takes a link's slot.

A desk whose id is 0 is a reader: a tool that looks at the journal. What it knows and acknowledges moves its own window
and nothing on the box, and the real desk takes its place whenever it comes.
"""

from moveclock import wire
from moveclock.desk_commands import Commands
from moveclock.journal import Journal
from moveclock.peer import CLOSE_AGAIN_MS, FRESH, GONE, GREETED, TRUSTED, Peer

LINKS_MOST = 3


class Links:
    """The links of the box `uid`. `refused` counts frames that were not what they should be.

    After `receive`: `face_wanted` asks the box to tell its state, `pinged` to do so if a clock runs. A desk in
    `newcomer` is trusted but knows more of this journal than the journal does (the flash is a copy of an older day),
    and waits for `renewed`.
    """

    def __init__(self, uid: bytes, secret: bytes, journal: Journal, commands: Commands) -> None:
        self.peers: list[Peer] = []
        self.refused = 0
        self.face_wanted = False
        self.pinged = False
        self.newcomer: Peer | None = None
        self._proof = b""  # what the newcomer said
        self._uid = uid
        self._secret = secret
        self._journal = journal
        self._commands = commands

    def opened(self, link: int, mtu: int, now: int) -> None:
        """A central connected; `mtu` as it is so far. If all slots are taken, the one that has gone longest without
        a hello makes room; if all have said one, the newcomer is turned away: it might be a stranger, and one of them
        the desk.
        """
        self.closed(link)
        peer = Peer(link, mtu, now)
        here = [other for other in self.peers if other.state != GONE]
        if len(here) >= LINKS_MOST:
            silent = [other for other in here if other.state == FRESH]
            if silent:
                silent[0].leave(now)
            else:
                peer.dismiss(wire.NO_BUSY, "", now)
        self.peers.append(peer)

    def closed(self, link: int) -> None:
        """The link is gone."""
        self.peers = [peer for peer in self.peers if peer.link != link]

    def peer(self, link: int) -> Peer | None:
        """The link of that number."""
        for peer in self.peers:
            if peer.link == link:
                return peer
        return None

    def desk(self, now: int) -> Peer | None:
        """The link of the desk or reader that is served, if it is in contact."""
        for peer in self.peers:
            if peer.serves(now):
                return peer
        return None

    def in_contact(self, now: int) -> bool:
        """Whether a desk is on the line that may answer what the table asks: no reader."""
        peer = self.desk(now)
        return peer is not None and peer.desk != wire.READER

    def to_close(self, now: int) -> list:
        """Numbers of the links that the radio should close now; one that stays open is named again a second later."""
        over = [peer for peer in self.peers if now >= peer.drop_at]
        for peer in over:
            peer.leave(now + CLOSE_AGAIN_MS)
        return [peer.link for peer in over]

    def receive(self, link: int, frame: bytes, nonce: bytes, now: int) -> None:
        """Bytes from a central; `nonce` is fresh if they begin a session. Counts and forgets what is not genuine."""
        peer = self.peer(link)
        if peer is None:
            return
        try:
            if not frame or len(frame) > wire.FRAME_MOST:
                raise wire.WireError(f"a frame of {len(frame)} bytes")
            if peer.state == GONE or now >= peer.drop_at:
                raise wire.WireError("a frame on a link that is over")
            if peer.repeats(frame):
                return
            if frame[0] == wire.HELLO and peer.state < TRUSTED:
                journal = self._journal
                stream = (journal.epoch, journal.boot, journal.oldest, journal.head)
                peer.greet(frame, self._uid, nonce, stream, now)
            elif frame[0] == wire.AUTH and peer.state == GREETED:
                self._admit(peer, frame, now)
            else:
                self._heed(peer, peer.open(frame, now), now)
        except wire.WireError:
            self.refused += 1

    def overtaken(self, now: int) -> bool:
        """Whether a desk waits that knows later facts of this very epoch: its numbers are taken."""
        peer = self.newcomer
        if peer is None or peer.state != GREETED or now >= peer.drop_at:
            self.newcomer = None
            return False
        if peer.desk == wire.READER:
            return False
        return peer.known_epoch == self._journal.epoch and peer.known_seq > self._journal.head

    def renewed(self, now: int) -> None:
        """A new epoch is there: begin to serve the desk that waited for it."""
        peer, self.newcomer = self.newcomer, None
        if peer is not None:
            self._serve(peer, self._proof, now)

    def _admit(self, peer: Peer, frame: bytes, now: int) -> None:
        if not peer.proves(frame, self._secret):
            self.refused += 1
            peer.disbelieve(now)
            return
        other = self.desk(now)
        if other is not None and other.desk != peer.desk and other.desk != wire.READER:
            peer.dismiss(wire.NO_BUSY, other.name, now, self._secret)
            return
        if other is not None:
            other.dismiss(wire.NO_BUSY, peer.name, now)
        self.newcomer = peer
        self._proof = bytes(frame)
        if not self.overtaken(now):
            self.renewed(now)

    def _serve(self, peer: Peer, proof: bytes, now: int) -> None:
        journal = self._journal
        known = min(peer.known_seq, journal.head) if peer.known_epoch == journal.epoch else 0
        if journal.oldest > max(peer.oldest, known + 1):
            peer.leave(now)  # room was made since the hello: what this desk was told is no longer so
            return
        if peer.desk != wire.READER:
            journal.acknowledge(known)
        peer.accept(proof, self._uid, self._secret, journal.epoch, max(known, journal.oldest - 1), now)
        self.face_wanted = True

    def _heed(self, peer: Peer, body: bytes, now: int) -> None:
        kind = body[0]
        if kind == wire.ACK:
            epoch, seq = wire.numbers(body, 2)
            if epoch == self._journal.epoch and seq <= self._journal.head:
                if peer.desk != wire.READER:
                    self._journal.acknowledge(seq)
                peer.acknowledged(seq, now)
        elif kind == wire.PING:
            peer.pong(wire.numbers(body, 1)[0], now)
            self.pinged = True
        elif kind == wire.COMMAND:
            self._commands.take(wire.unpack_command(body), now)
        elif kind == wire.BYE:
            peer.leave(now)
        else:
            raise wire.WireError(f"a frame of kind {kind}")
