"""The rules of one table as bytes: what goes in comes out, what cannot be played is refused in words."""

from moveclock import settings as rules
from moveclock.facts import NOBODY, SEAT_C, SEAT_D
from moveclock.wire import WireError

NUMBERS = (
    "limit_ms", "grace_ms", "guard_ms", "shared_guard_ms", "claim_ms", "dispute_ms", "withdraw_ms", "late_tile_ms",
    "alert_ms", "countdown_ms", "seats", "first", "draw", "on_expiry", "on_bank_empty", "on_round_time",
    "next_starter", "tiles", "hand", "taps_only", "sound",
)  # fmt: skip


def values(settings: rules.Settings) -> list[int]:
    return [getattr(settings, name) for name in NUMBERS]


def changed(**values: int) -> rules.Settings:
    new = rules.Settings()
    for name in NUMBERS:
        if name in values:
            setattr(new, name, values[name])
    return new


def refusal(data: bytes) -> str:
    try:
        rules.unpack(data)
    except WireError as error:
        return str(error)
    return ""


def test_a_table_set_up_without_a_desk_can_be_played() -> None:
    settings = rules.Settings()
    assert rules.fault_in(settings) == ""
    assert values(rules.unpack(settings.pack())) == values(settings)
    assert values(settings) == [
        60000, 10000, 300, 1000, 10000, 5000, 3000, 5000, 20000, 3000, 0b1111, NOBODY, rules.DRAW_OFF,
        rules.HOLD_TABLE, rules.FINAL_LAP, rules.FINAL_LAP, rules.CLOCKWISE, 106, 14, False, rules.LOUD,
    ]  # fmt: skip


def test_every_value_survives_the_bytes() -> None:
    settings = changed(
        limit_ms=40001, grace_ms=1, guard_ms=2, shared_guard_ms=3, claim_ms=4, dispute_ms=5, withdraw_ms=6,
        late_tile_ms=7, alert_ms=8, countdown_ms=9, seats=0b1101, first=SEAT_C, draw=rules.DRAW_FLAG,
        on_expiry=rules.ADVANCE, on_bank_empty=rules.END_WITH_MOVE, on_round_time=rules.PLAY_ON,
        next_starter=rules.TABLE_NAMES, tiles=104, hand=13, taps_only=True, sound=rules.SOFT,
    )  # fmt: skip
    read = rules.unpack(settings.pack())
    assert values(read) == values(settings)
    assert read.taps_only is True and values(rules.Settings()) != values(read)


def test_the_size_is_fixed_and_any_other_is_refused() -> None:
    data = rules.Settings().pack()
    assert len(data) == len(changed(limit_ms=3600000, grace_ms=65535, taps_only=True).pack()) == 35
    for wrong in (b"", data[:-1], data + b"\x00", bytes(len(data))):
        assert refusal(wrong) == "these bytes are not the settings of a table"


def test_another_version_is_refused() -> None:
    data = bytearray(rules.Settings().pack())
    data[0] += 1
    assert refusal(bytes(data)) == "these bytes are not the settings of a table"


def test_what_cannot_be_played_is_refused_in_words() -> None:
    for settings, words in (
        (changed(limit_ms=999), "limit_ms is 999, allowed are 1000 to 3600000"),
        (changed(limit_ms=3600001), "limit_ms is 3600001, allowed are 1000 to 3600000"),
        (changed(limit_ms=2000, guard_ms=2000), "must be below limit_ms 2000"),
        (changed(limit_ms=2000, shared_guard_ms=2000), "must be below limit_ms 2000"),
        (changed(seats=0), "seats is 0, a table has 2 to 4 of the seats A to D"),
        (changed(seats=0b0100), "seats is 4, a table has 2 to 4 of the seats A to D"),
        (changed(seats=0b10001), "seats is 17, a table has 2 to 4 of the seats A to D"),
        (changed(first=4), "first is 4, the starter must be a seat in play"),
        (changed(seats=0b0111, first=SEAT_D), "first is 3, the starter must be a seat in play"),
        (changed(draw=3), "draw, on_expiry or next_starter is not one of its settings"),
        (changed(on_expiry=2), "draw, on_expiry or next_starter is not one of its settings"),
        (changed(next_starter=2), "draw, on_expiry or next_starter is not one of its settings"),
        (changed(on_bank_empty=3), "on_bank_empty or on_round_time is not one of its settings"),
        (changed(on_round_time=3), "on_bank_empty or on_round_time is not one of its settings"),
        (changed(tiles=55), "55 tiles do not give 14 to each of 4 seats"),
        (changed(sound=3), "sound is 3, allowed are 0 to 2"),
    ):
        assert rules.fault_in(settings).endswith(words), rules.fault_in(settings)
        assert refusal(settings.pack()) == rules.fault_in(settings)


def test_the_edges_of_what_can_be_played_are_allowed() -> None:
    for settings in (
        changed(limit_ms=3600000),
        changed(limit_ms=1000, guard_ms=999, shared_guard_ms=999),
        changed(seats=0b1010, first=SEAT_D, tiles=28),
        changed(first=NOBODY, guard_ms=0, shared_guard_ms=0, grace_ms=0, countdown_ms=0),
        changed(tiles=255, hand=0, sound=rules.SILENT, draw=rules.DRAW_BLOCK, on_round_time=rules.END_WITH_MOVE),
    ):
        assert refusal(settings.pack()) == "" and values(rules.unpack(settings.pack())) == values(settings)


def test_every_byte_of_garbage_is_settings_or_a_refusal() -> None:
    data = rules.Settings().pack()
    for place in range(1, len(data)):
        for byte in (0, 1, 127, 128, 255):
            garbage = data[:place] + bytes([byte]) + data[place + 1 :]
            assert refusal(garbage) or rules.fault_in(rules.unpack(garbage)) == ""


def test_seats_are_counted() -> None:
    assert [rules.count(mask) for mask in (0, 1, 0b1010, 0b0111, 15)] == [0, 1, 2, 3, 4]
