"""The menu of set-up mode on both interpreters."""

from moveclock import facts as k
from moveclock import settings as rules
from moveclock.setup import LIMITS, SEATS, Setup
from moveclock.view import time_text

JUZ = 0
DALEJ = 1


def walked(menu: Setup, contact: int, times: int) -> list[str]:
    texts = [menu.text()]
    for _ in range(times):
        assert menu.press(contact)
        texts.append(menu.text())
    return texts


def test_dalej_walks_through_the_items_and_after_the_last_one_it_is_time_to_play() -> None:
    menu = Setup(rules.Settings())

    assert walked(menu, DALEJ, 5) == ["L 60", "AbCd", "drOF", "SoHi", "HoLd", "PLAY"]
    assert menu.over


def test_juz_shows_the_next_value_and_begins_again_after_the_last() -> None:
    menu = Setup(rules.Settings())

    assert walked(menu, JUZ, 3) == ["L 60", "L120", "L 40", "L 60"]
    menu.press(DALEJ)
    assert walked(menu, JUZ, 11) == [
        "AbCd", "AbC ", "Ab d", "A Cd", " bCd", "A C ", " b d", "Ab  ", " bC ", "  Cd", "A  d", "AbCd",
    ]  # fmt: skip
    menu.press(DALEJ)
    assert walked(menu, JUZ, 3) == ["drOF", "drFL", "drbL", "drOF"]
    menu.press(DALEJ)
    assert walked(menu, JUZ, 3) == ["SoHi", "SoOF", "SoLo", "SoHi"]
    menu.press(DALEJ)
    assert walked(menu, JUZ, 2) == ["HoLd", "tAPS", "HoLd"]


def test_sedzia_saves_at_any_item_and_then_nothing_changes_any_more() -> None:
    menu = Setup(rules.Settings())
    menu.press(JUZ)

    assert menu.press(k.SEDZIA)
    assert menu.over
    assert not menu.press(JUZ)
    assert menu.settings.limit_ms == 120000


def test_every_seats_buttons_and_the_shared_ones_serve_the_menu_but_a_tile_does_not() -> None:
    for contact in (0, 2, 4, 6, k.SHARED_JUZ):
        menu = Setup(rules.Settings())
        menu.press(contact)
        assert menu.settings.limit_ms == 120000, contact
    for contact in (1, 3, 5, 7, k.SHARED_DALEJ):
        menu = Setup(rules.Settings())
        menu.press(contact)
        assert menu.text() == "AbCd", contact
    assert not Setup(rules.Settings()).press(k.KOSTKA)


def test_a_limit_that_a_desk_had_set_is_where_the_menu_starts_and_may_be_chosen_again() -> None:
    stored = rules.Settings()
    stored.limit_ms = 90000
    menu = Setup(stored)

    assert walked(menu, JUZ, 4) == ["L 90", "L 40", "L 60", "L120", "L 90"]


def test_a_starter_who_is_no_longer_in_play_is_forgotten_and_the_rest_is_kept() -> None:
    stored = rules.Settings()
    stored.first = k.SEAT_D
    stored.grace_ms = 7000
    menu = Setup(stored)
    menu.press(DALEJ)
    menu.press(JUZ)

    assert menu.settings.first == k.NOBODY
    assert menu.settings.grace_ms == 7000


def test_whatever_is_chosen_can_be_played_and_is_read_back_as_it_was_saved() -> None:
    assert len(SEATS) == 11 and rules.count(SEATS[0]) == 4
    for limit in range(len(LIMITS)):
        for seats in range(len(SEATS)):
            menu = Setup(rules.Settings())
            for _ in range(limit):
                menu.press(JUZ)
            menu.press(DALEJ)
            for _ in range(seats):
                menu.press(JUZ)
            menu.press(k.SEDZIA)
            kept = rules.unpack(menu.settings.pack())
            assert (kept.limit_ms, kept.seats) == (menu.settings.limit_ms, SEATS[seats])


def test_every_text_of_the_menu_has_four_characters() -> None:
    menu = Setup(rules.Settings())
    while not menu.over:
        for _ in range(12):
            assert len(menu.text()) == 4, menu.text()
            menu.press(JUZ)
        menu.press(DALEJ)
    assert time_text(60000) == " 1:00"
