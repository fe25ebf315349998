"""The public's picture: how large its digits are, and that no name is lost between its pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dalej.tui.screens.public import DWELL_MOST_MS, dwell_ms
from dalej.tui.widgets.poster import PAGES_MOST, ROOMY, Said, drawn, frame, leaves, page_room, painted
from dalej.views.publiclists import Entry, Topic

ALARM = ("DESK SILENT FOR 14 s: calls of tables are not shown", "DESK SILENT FOR 14 s")
CALLS = ("Referee called: tables 2, 4, 7, 9", "Referee called: tables 2, 4, 7 +1")
SIZES = st.tuples(st.integers(80, 250), st.integers(24, 80))
NAMES = st.lists(st.text(alphabet="aąćęłńóśźżBGLW 2狐", min_size=1, max_size=40), min_size=1, max_size=260)


def digits(lines: list[str]) -> int:
    """Rows from the first to the last that the clock fills."""
    filled = [y for y, line in enumerate(lines) if "█" in line]
    return filled[-1] - filled[0] + 1


@given(SIZES, st.booleans(), st.sampled_from(["0:47", "9:59", "73:20", "90:00"]))
def test_digits_are_a_quarter_of_the_screen_wherever_its_width_allows_it(
    size: tuple[int, int], pages: bool, time: str
) -> None:
    width, height = size
    said = Said("jesień", "10:00", "q", "League, round 2", time, False, (), False, (), ())

    shown = frame(said, width, height, pages=pages)

    clock = [line.text for line in shown.above if line.look == "clock"]
    square_would_fit = width - 4 >= 25 * height / 14 + 25  # as wide as it is tall, a step larger
    assert digits(clock) >= height / 4 - 0.5 or not square_would_fit
    assert all(cell_len(line) <= width for line in clock)


@given(
    SIZES, st.booleans(), st.booleans(), st.booleans(), st.booleans(),
    st.sampled_from([(), ("not started yet",), ("FINAL LAP: one more move for each", "FINAL LAP")]),
)  # fmt: skip
def test_the_picture_is_as_large_as_the_screen_whatever_is_to_be_said(
    size: tuple[int, int], timed: bool, called: bool, alarmed: bool, pages: bool, words: tuple[str, ...]
) -> None:
    width, height = size
    said = Said(
        "jesień" * 30, "10:00", "q: leave", "League, round 2", "73:20" if timed else "", False, words,
        words != () and timed, CALLS if called else (), ALARM if alarmed else (),
    )  # fmt: skip

    lines = painted(frame(said, width, height, pages=pages), None)

    assert len(lines) == height
    assert all(cell_len(line.text) <= width for line in lines)
    assert any(line.look == "alarm" and "░" in line.text for line in lines) == alarmed


@given(NAMES, SIZES, st.booleans())
def test_every_name_has_its_place_on_some_page_and_no_page_is_larger_than_its_room(
    names: list[str], size: tuple[int, int], big: bool
) -> None:
    width, height = size
    topic = Topic("Find your table", tuple(Entry("", f"{at}", f"{at} A") for at, _ in enumerate(names)), named=True)

    pages = leaves([topic], width, height, big=big)

    assert sum(page.entries for page in pages) == len(names)
    for page in pages:
        assert len(page.title) + len(page.lines) <= height
        assert all(cell_len(line) <= width for line in page.lines)
        assert dwell_ms(page) <= DWELL_MOST_MS
    if not big:
        text = "\n".join(line for page in pages for line in page.lines)
        assert all(f"{at} A" in text for at in range(len(names)))


@given(NAMES, SIZES, st.booleans())
def test_whatever_people_are_called_lines_keep_to_their_room(
    names: list[str], size: tuple[int, int], big: bool
) -> None:
    width, height = size
    topic = Topic("Standings", tuple(Entry(f"{at}.", name, f"{at} / −42") for at, name in enumerate(names, 1)))

    for page in leaves([topic], page_room(width), height, big=big):
        assert all(cell_len(line) <= width for line in page.lines)


def test_sixty_tables_come_round_within_three_minutes_on_a_projector_of_every_size() -> None:
    topic = Topic("Find your table", tuple(Entry("", f"Wiewiórka {at}", f"{at} A") for at in range(240)), named=True)

    for width, height in ((80, 24), (120, 40), (200, 60)):
        pages = leaves([topic], page_room(width), height - 2, big=height >= ROOMY)
        assert len(pages) <= PAGES_MOST
        assert sum(map(dwell_ms, pages)) <= 180_000


def test_a_capital_of_a_name_is_a_sixteenth_of_a_tall_screen() -> None:
    entries = tuple(Entry("", "WILK", f"{at} A") for at in range(20))

    page = leaves([Topic("Find your table", entries)], 196, 58, big=True)[0]

    first = (drawn("WILK") or [])[1]
    assert any(line.startswith(first.rstrip()) for line in page.lines)


@given(st.integers(1, 80), st.integers(1, 24), st.booleans(), st.booleans())
def test_on_a_screen_too_small_for_anything_there_is_still_a_picture(
    width: int, height: int, alone: bool, big: bool
) -> None:
    said = Said("jesień", "10:00", "q", "League, round 2", "0:00", True, ("FINAL LAP",), True, CALLS, ALARM)
    entries = tuple(Entry(f"{at}.", "Wiewiórka", "12 / −140") for at in range(1, 9))

    shown = frame(said, width, height, pages=not alone)
    pages = leaves([Topic("Standings", entries)], page_room(width), shown.room, big=big)

    assert painted(shown, pages[0] if pages else None)
