"""All links of one box: which desk is served, what its frames ask for, who is turned away.

Only one authenticated desk is served. The same desk coming back takes the place of its stale link; another one is refused
with the first one's name. A stranger costs a slot for 3 s and nothing else.
"""

from moveclock import secure, wire
from moveclock.desk_commands import Commands
from moveclock.journal import Journal
from moveclock.peer import TRUSTED, Peer

LINKS_MOST = 3


class Links:
    """The links of the box `uid`. `refused` counts frames that were not what they should be.

    After `receive`: `face_wanted` asks the box to `tell` its state; a desk in `newcomer` is trusted but knows more of this
    journal than the journal does (the flash is a copy of an older day), and waits until a new epoch is there for `serve`.
    """

    def __init__(self, uid: bytes, secret: bytes, journal: Journal, commands: Commands) -> None:
        self.peers: list[Peer] = []
        self.refused = 0
        self.face_wanted = False
        self.newcomer: Peer | None = None
        self._uid = uid
        self._secret = secret
        self._journal = journal
        self._commands = commands

    def opened(self, link: int, mtu: int, now: int) -> None:
        """A central connected; `mtu` as it was negotiated."""
        peer = Peer(link, mtu - 3, now)
        if len(self.peers) >= LINKS_MOST:
            peer.dismiss(wire.NO_BUSY, "")
        self.peers.append(peer)

    def closed(self, link: int) -> None:
        self.peers = [peer for peer in self.peers if peer.link != link]

    def peer(self, link: int) -> Peer | None:
        for peer in self.peers:
            if peer.link == link:
                return peer
        return None

    def desk(self, now: int) -> Peer | None:
        """The link of the desk that is served, if it is in contact."""
        for peer in self.peers:
            if peer.state == TRUSTED and not peer.is_over(now):
                return peer
        return None

    def receive(self, link: int, frame: bytes, nonce: bytes, now: int) -> None:
        """Bytes from a central; `nonce` is fresh. Counts and forgets what is not genuine."""
        peer = self.peer(link)
        if peer is None:
            return
        try:
            if not frame or len(frame) > wire.FRAME_MOST:
                raise wire.WireError(f"a frame of {len(frame)} bytes")
            if frame[0] == wire.HELLO and peer.state < TRUSTED:
                journal = self._journal
                stream = (journal.epoch, journal.boot, journal.oldest, journal.head, now)
                peer.greet(frame, self._uid, self._secret, nonce, stream)
            elif frame[0] == wire.AUTH and peer.greeted:
                self._admit(peer, frame, now)
            else:
                self._heed(peer, peer.open(frame, now), now)
        except wire.WireError:
            self.refused += 1

    def serve(self, peer: Peer, now: int) -> None:
        """Begin to send what `peer` does not have yet."""
        journal = self._journal
        known = min(peer.known_seq, journal.head) if peer.known_epoch == journal.epoch else 0
        journal.acknowledge(known)
        peer.accept(journal.epoch, max(known, journal.oldest - 1), now)
        self.newcomer = None
        self.face_wanted = True

    def tell(self, face: bytes, now: int) -> None:
        """The box's packed state, for the desk."""
        self.face_wanted = False
        desk = self.desk(now)
        if desk is not None:
            desk.tell(face)

    def _admit(self, peer: Peer, frame: bytes, now: int) -> None:
        if not peer.proves(frame):
            self.refused += 1
            peer.dismiss(wire.NO_AUTH, "")
            return
        other = self.desk(now)
        if other is not None and other.desk != peer.desk:
            peer.dismiss(wire.NO_BUSY, other.name)
            return
        if other is not None:
            other.dismiss(wire.NO_BUSY, peer.name)
        self.newcomer = peer
        if peer.known_epoch != self._journal.epoch or peer.known_seq <= self._journal.head:
            self.serve(peer, now)

    def _heed(self, peer: Peer, body: bytes, now: int) -> None:
        kind = body[0]
        if kind == wire.ACK:
            epoch, seq = wire.numbers(body, 2)
            if epoch == self._journal.epoch and seq <= self._journal.head:
                self._journal.acknowledge(seq)
                peer.acknowledged(seq, now)
        elif kind == wire.PING:
            peer.pong(wire.numbers(body, 1)[0], now)
        elif kind == wire.COMMAND:
            self._commands.take(wire.unpack_command(body), now)
        elif kind == wire.BYE:
            peer.leave()
        else:
            raise wire.WireError(f"a frame of kind {kind}")
