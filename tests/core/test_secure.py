"""Keys, tags and counters: what a stranger can and cannot do, and the bytes both ends agree on."""

from moveclock import secure
from moveclock.wire import WireError
from vectors import in_hex, load, of_hex

CLUB = bytes(range(32))
UID = b"\x24\x6f\x28\x01\x02\x03"
DESK_NONCE = bytes(range(16))
BOX_NONCE = bytes(range(16, 32))
NUMBER = bytes(range(32, 48))


def pair() -> tuple[secure.Seal, secure.Seal]:
    return secure.Seal(b"k" * 32), secure.Seal(b"k" * 32)


def refused(seal: secure.Seal, data: bytes) -> bool:
    counter = seal.counter
    try:
        seal.open(data)
    except WireError as error:
        assert isinstance(error, secure.SecureError) and seal.counter == counter
        return True
    return False


def test_hmac_is_that_of_rfc_4231() -> None:
    for key, data, digest in (
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            b"\xaa" * 131,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
    ):
        mac = secure.Mac(key)
        assert in_hex(mac.digest(data)) == digest
        assert in_hex(mac.digest(data[:3], data[3:])) == digest


def test_keys_tags_and_frames_are_the_pinned_bytes() -> None:
    pinned = load("secure.json")
    given = [of_hex(pinned[name]) for name in ("club_secret", "uid", "pairing_number")]
    secret = secure.box_secret(given[0], given[1], given[2])
    nonces = of_hex(pinned["desk_nonce"]), of_hex(pinned["box_nonce"])
    desk, box = secure.session_keys(secret, of_hex(pinned["uid"]), pinned["epoch"], nonces[0], nonces[1])
    transcript = of_hex(pinned["transcript"])
    advert_key = secure.advert_key(secret, of_hex(pinned["uid"]))
    assert in_hex(secret) == pinned["box_secret"]
    assert (in_hex(desk), in_hex(box)) == (pinned["desk_key"], pinned["box_key"])
    assert in_hex(secure.handshake_tag(secret, secure.DESK, transcript)) == pinned["desk_handshake_tag"]
    assert in_hex(secure.handshake_tag(secret, secure.BOX, transcript)) == pinned["box_handshake_tag"]
    refusal = secure.refusal_tag(secret, transcript, pinned["refusal_why"], of_hex(pinned["refusal_text"]))
    assert in_hex(refusal) == pinned["refusal_tag"]
    assert in_hex(advert_key) == pinned["advert_key"]
    assert in_hex(secure.advert_tag(advert_key, of_hex(pinned["advert"]))) == pinned["advert_tag"]
    seal = secure.Seal(desk)
    assert [in_hex(seal.seal(of_hex(body))) for body in pinned["bodies"]] == pinned["sealed_by_desk"]


def test_a_frame_opens_once_and_tells_its_body() -> None:
    sender, receiver = pair()
    for body in (b"", b"x", bytes(200)):
        data = sender.seal(body)
        assert len(data) == len(body) + secure.OVERHEAD
        assert receiver.open(data) == body
        assert refused(receiver, data)
    assert sender.counter == receiver.counter == 3


def test_a_replayed_or_reordered_frame_is_refused_a_lost_one_is_not_missed() -> None:
    sender, receiver = pair()
    frames = [sender.seal(bytes([number])) for number in range(6)]
    assert receiver.open(frames[0]) == b"\x00" and receiver.open(frames[4]) == b"\x04"
    for frame in frames[:5]:
        assert refused(receiver, frame)
    assert receiver.open(frames[5]) == b"\x05"


def test_every_flipped_bit_and_every_cut_is_refused() -> None:
    sender, receiver = pair()
    data = sender.seal(b"stop the clock")
    for place in range(len(data)):
        for bit in range(8):
            altered = bytearray(data)
            altered[place] ^= 1 << bit
            assert refused(receiver, bytes(altered))
        assert refused(receiver, data[:place]) and refused(receiver, data[place + 1 :])
    assert refused(receiver, data + b"\x00") and receiver.open(data) == b"stop the clock"


def test_a_reflected_frame_is_refused() -> None:
    desk, box = secure.session_keys(secure.box_secret(CLUB, UID, NUMBER), UID, 1, DESK_NONCE, BOX_NONCE)
    assert refused(secure.Seal(box), secure.Seal(desk).seal(b"resume"))
    assert refused(secure.Seal(desk), secure.Seal(box).seal(b"resume"))


def test_any_other_secret_uid_epoch_or_nonce_makes_other_keys() -> None:
    secret = secure.box_secret(CLUB, UID, NUMBER)
    keys: list[bytes] = []
    for arguments in (
        (secret, UID, 1, DESK_NONCE, BOX_NONCE),
        (secure.box_secret(CLUB, UID[:5] + b"\x04", NUMBER), UID, 1, DESK_NONCE, BOX_NONCE),
        (secure.box_secret(CLUB, UID, NUMBER[:15] + b"\x00"), UID, 1, DESK_NONCE, BOX_NONCE),
        (secret, UID[:5] + b"\x04", 1, DESK_NONCE, BOX_NONCE),
        (secret, UID, 2, DESK_NONCE, BOX_NONCE),
        (secret, UID, 1, BOX_NONCE, DESK_NONCE),
        (secret, UID, 1, DESK_NONCE, bytes(16)),
    ):
        keys.extend(secure.session_keys(*arguments))
    keys.extend((secret, secure.advert_key(secret, UID)))
    assert len(set(keys)) == len(keys)


def test_parts_cannot_be_moved_across_their_borders() -> None:
    keys = [
        secure.derive(b"s", b"label", b"ab", b"c"),
        secure.derive(b"s", b"label", b"a", b"bc"),
        secure.derive(b"s", b"label", b"abc"),
        secure.derive(b"s", b"label", b"abc", b""),
        secure.derive(b"s", b"labela", b"bc"),
    ]
    assert len(set(keys)) == len(keys)


def test_a_handshake_tag_proves_role_secret_and_every_byte_of_the_transcript() -> None:
    transcript = b"hello" + DESK_NONCE + b"welcome" + BOX_NONCE
    tag = secure.handshake_tag(CLUB, secure.DESK, transcript)
    assert len(tag) == secure.HANDSHAKE_TAG
    others = [
        secure.handshake_tag(CLUB, secure.BOX, transcript),
        secure.handshake_tag(CLUB[1:], secure.DESK, transcript),
    ]
    for place in range(len(transcript)):
        altered = bytearray(transcript)
        altered[place] ^= 1
        others.append(secure.handshake_tag(CLUB, secure.DESK, bytes(altered)))
    for other in others:
        assert not secure.same(tag, other)
    assert secure.same(tag, secure.handshake_tag(CLUB, secure.DESK, transcript))


def test_tags_of_different_length_are_not_the_same() -> None:
    assert secure.same(b"", b"") and secure.same(b"abc", b"abc")
    assert not secure.same(b"abc", b"ab") and not secure.same(b"", b"a") and not secure.same(b"abc", b"abd")


def test_counters_beyond_a_small_integer_grow_on_and_never_wrap() -> None:
    sender, receiver = pair()
    for counter in (0x3FFFFFFE, 0x7FFFFFFE, 0xFFFFFFFC):
        sender.counter = counter
        for number in range(3):
            assert receiver.open(sender.seal(b"body")) == b"body"
            assert receiver.counter == counter + number + 1
    try:
        sender.seal(b"one too many")
    except secure.SecureError:
        return
    raise AssertionError("the counter has wrapped")
