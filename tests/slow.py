"""What `make test` leaves to `make test-all`.

`make test` is for somebody who has just cloned: it needs Python, make and a minute or two of downloads, and
plays all that says whether the core is right: clock, journal, link, ledger, rules, office. These need tools that a
clone does not bring, or take longer than what they add is worth to somebody who waits.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]

SLOW: Final = (
    # more than a gigabyte of modellers; KiCad
    "tests/hardware",
    # Chromium, Firefox, WebKit
    "tests/web/test_accessible.py",
    "tests/web/test_box_page.py",
    "tests/web/test_browser.py",
    "tests/web/test_days.py",
    "tests/web/test_trouble_in_the_browser.py",
    "tests/web/test_page_core.py",
    "tests/web/test_page_pictures.py",
    "tests/web/test_phone_boxes.py",
    "tests/web/test_phone_pages.py",
    # a PostgreSQL
    "tests/centre",
    "tests/proof/test_building.py",
    "tests/proof/test_forwarding.py",
    # a dbus-daemon
    "tests/bluez",
    # evenings, cables and whole commands in real time, with processes of their own
    "tests/air",
    "tests/cli/test_box_desk.py",
    "tests/cli/test_box_keys.py",
    "tests/cli/test_box_measure.py",
    "tests/cli/test_box_pair.py",
    "tests/cli/test_box_talk.py",
    "tests/cli/test_gateway.py",
    "tests/cli/test_run.py",
    "tests/gate/test_overdue.py",
    "tests/proof/test_day.py",
    "tests/proof/test_intruders.py",
    "tests/proof/test_stories.py",
    "tests/phones/test_an_hour.py",
    "tests/phones/test_at_one_desk.py",
    "tests/phones/test_faults.py",
    "tests/phones/test_league_evening.py",
    "tests/phones/test_mixed_hall.py",
    "tests/phones/test_racks.py",
    "tests/phones/test_words.py",
    "tests/test_guides.py",
    "tests/test_readme.py",
    "tests/web/test_floods.py",
    "tests/web/test_referee_in_the_browser.py",
    "tests/web/test_serve_command.py",
    "tests/whole/test_box_pages.py",
    "tests/whole/test_boxes_that_move.py",
    "tests/whole/test_carried_boxes.py",
    "tests/whole/test_empty_board_to_hall.py",
    "tests/whole/test_final_lap_ahead.py",
    "tests/whole/test_installed.py",
    "tests/whole/test_pulled_cable.py",
    "tests/whole/test_referee_first_time.py",
    "tests/whole/test_round_with_boxes.py",
    "tests/whole/test_run_with_cabled_boxes.py",
    # the firmware on a board that is emulated to its flash and radio; `make test` plays its core on both interpreters,
    # and one file of games with fingers
    "tests/board",
    "tests/firmware/test_air.py",
    "tests/firmware/test_blocked.py",
    "tests/firmware/test_cable.py",
    "tests/firmware/test_heap.py",
    "tests/firmware/test_radio_hangs.py",
    "tests/firmware/test_screen.py",
    "tests/firmware/test_trouble.py",
    "tests/boxes/firmware",
    "tests/test_firmware_build.py",
    # the registry, for the wheels of another system
    "tests/whole/test_windows_zip.py",
    "tests/whole/test_written_games.py",
    # measures
    "tests/bench",
    # every scene, every act, every key in every order: what they show is painted hundreds of times
    "tests/office/paper/test_card.py",
    "tests/tui/test_acting_keys.py",
    "tests/tui/test_answers_offered.py",
    "tests/tui/test_decided_by_keys.py",
    "tests/tui/test_entry_screen.py",
    "tests/tui/test_entry_seating.py",
    "tests/tui/test_every_act.py",
    "tests/tui/test_few_links.py",
    "tests/tui/test_leaving_meanwhile.py",
    "tests/tui/test_one_after_another.py",
    "tests/tui/test_people_screen.py",
    "tests/tui/test_pictures.py",
    "tests/tui/test_quitting.py",
    "tests/tui/test_results_screen.py",
    "tests/tui/test_round_asks.py",
    "tests/tui/test_seating_screen.py",
    "tests/tui/test_settings_screen.py",
    "tests/tui/test_table_played.py",
    "tests/tui/test_taking_back.py",
    "tests/tui/test_typed_ahead.py",
    "tests/tui/test_typed_ahead_in_sheets.py",
)

# What is played on a file with the quick ones, and once more on a PostgreSQL with the slow ones.
TWICE: Final = ("tests/event/ledger",)


def is_slow(path: Path) -> bool:
    """Whether that file or folder is one of them, or in one."""
    return any(path.is_relative_to(ROOT / name) for name in SLOW)


def is_played_twice(path: Path) -> bool:
    """Whether some of that file or folder is quick and some slow."""
    return any(path.is_relative_to(ROOT / name) for name in TWICE)
