"""The evening box's page: what it prints is what the program prints, and both languages hold the same numbers."""

from __future__ import annotations

import os
import re
import threading
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from dalej.boxes.paired import OwnBox, OwnBoxes
from dalej.boxes.secret import ClubKeys
from dalej.domain.game.facts import contact_name
from dalej.words import _, speak
from hardware.evening import order
from hardware.shopping import LANGUAGES
from moveclock import facts as k
from moveclock.box import Box
from moveclock.identity import SHARED
from moveclock.settings import Settings
from moveclock.setup import Setup
from tests.cli.club import at_home
from tests.cli.conftest import program
from tests.documents import ROOT
from tests.link.cablebox import CableBox, PtyBox
from tests.link.rig import UID

PAGES: Final = {"en": ROOT / "hardware" / "evening.md", "pl": ROOT / "hardware" / "evening-pl.md"}
CONTACTS: Final = (k.SHARED_JUZ, k.SHARED_DALEJ, k.SEDZIA)
PLUGGED_MV: Final = 5_000  # what such a box says of its battery, which it has not


class EveningBox(CableBox):
    """Two buttons for all seats, no Kostka, a screen that is touched for Sędzia."""

    def power_on(self) -> None:
        super().power_on()
        self.box = Box(self.uid, self.secret, self.flash, self._board, self._raw(), kostka=False, shared=True)
        self.box.battery(PLUGGED_MV)


def fence(page: Path, kind: str) -> list[str]:
    """The lines of its one fence of that kind."""
    found: list[str] = re.findall(rf"(?ms)^```text {kind}\n(.*?)^```$", page.read_text("utf-8"))
    (inside,) = found
    return inside.splitlines()


def numbers(text: str) -> Counter[str]:
    """Every number, however the language writes its decimals; prices have a currency of their own, and shops words."""
    for language in LANGUAGES:
        text = text.replace(order.table(order.rows(), language), "")
    plain = re.sub(r"\]\([^)]*\)|\d+ (?:€|zł)", "]", text)
    return Counter(number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)?", plain))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")
@pytest.mark.parametrize("language", PAGES)
def test_the_page_prints_what_a_box_that_passes_is_told(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given box 7 with two buttons for all seats; at a terminal a key ends the test, here the time."""
    club = at_home(tmp_path / "club", monkeypatch)
    monkeypatch.setenv("LANGUAGE", language)
    speak()
    keys = ClubKeys(club, os.urandom)
    keys.make()
    OwnBoxes(club).keep(OwnBox(UID.hex(), "7", SHARED, 1_700_000_000_000))

    with PtyBox(EveningBox(secret=keys.of_box(UID))) as box:
        thread = threading.Thread(target=press, args=(box,))
        thread.start()
        done = program(capsys)("box", "test", box.device, "--seconds", "20")
        thread.join()

    assert (done.code, done.err) == (0, "")
    ends = _("The test ends by itself after {seconds} s.").format(seconds=20)
    assert done.out.replace(ends, _("q ends the test.")).splitlines() == fence(PAGES[language], "test")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals to put a box behind")
@pytest.mark.parametrize("state", [k.IDLE, k.OVER], ids=["--", "End"])
def test_without_a_game_each_press_is_one_line_of_the_log(
    state: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the page counts before a tournament, and the bench on each box."""
    club = at_home(tmp_path / "club", monkeypatch)
    keys = ClubKeys(club, os.urandom)
    keys.make()
    OwnBoxes(club).keep(OwnBox(UID.hex(), "7", SHARED, 1_700_000_000_000))
    pressed = [k.SHARED_JUZ] * 4 + [k.SHARED_DALEJ] * 3 + [k.SEDZIA] * 5
    told: list[tuple[str, str | None]] = [("stray_tap", contact_name(contact)) for contact in pressed]
    if state == k.OVER:
        told[-5:] = [("referee_called", None)] * 5

    with PtyBox(EveningBox(secret=keys.of_box(UID))) as box:
        with box.at_rest() as one:
            assert one.box is not None
            one.box.clock.state = state
        for contact in pressed:
            box.tap(contact)
        done = program(capsys)("box", "log", box.device, "--last", str(len(pressed)), "--json")

    assert [(one["fact"], one.get("contact")) for one in done.objects] == told


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.stem)
def test_the_page_has_every_item_of_set_up_mode_and_its_values(page: Path) -> None:
    rows = re.findall(r"(?m)^\| `(.{4})` \|.*\| (.+) \|$", page.read_text("utf-8"))
    menu, items = Setup(Settings()), []
    while not menu.over:
        items.append([menu.text()])
        for _turn in range(20):
            menu.press(k.SHARED_JUZ)
            items[-1].append(menu.text())
        menu.press(k.SHARED_DALEJ)

    assert len(rows) == len(items)
    for (shown, values), texts in zip(rows, items, strict=True):
        assert shown in texts
        if shown.startswith("L"):
            assert {f"L{int(value):3d}" for value in re.findall(r"\d+", values)} == set(texts)
        elif shown != "AbCd":
            assert set(re.findall(r"`(.{4})`", values)) == set(texts)


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.stem)
def test_who_has_nothing_but_the_page_is_told_before_the_first_command(page: Path) -> None:
    """Where it is typed and what PORT is; one form of the command that makes files; `--kostka` before the install."""
    text = page.read_text("utf-8")
    first = text.index("`dalej box")
    assert max(text.index("Terminal"), text.index("PORT"), text.index("docs/")) < first
    assert text.count("make hardware") == text.count("make hardware ARGS=evening") == 1
    assert "python -m hardware" not in text, "it brings no tools"
    assert text.index("`--kostka`") < text.index("dalej box install --board")


@pytest.mark.parametrize("page", PAGES.values(), ids=lambda page: page.stem)
def test_what_is_measured_on_the_page_is_what_is_drawn(page: Path) -> None:
    from hardware.evening.sizes import SIZES

    text = page.read_text("utf-8")
    (thick,) = re.findall(r"\*\*10\*\*\) [^.]*?(\d+) mm", text)
    assert int(thick) == SIZES.cardboard.roll
    (tie,) = re.findall(r"(?:cable tie|opaska zaciskowa)[^,;]*?(\d[.,]\d) mm", text)
    assert float(tie.replace(",", ".")) < SIZES.stand.tie[0]


def press(box: PtyBox) -> None:
    """Each contact once, as soon as the box blinks."""
    while True:
        with box.at_rest() as one:
            if one.box is not None and one.box.commands.blink_until:
                break
    for contact in CONTACTS:
        box.tap(contact)


def test_both_languages_hold_the_same_numbers() -> None:
    english, polish = (numbers(page.read_text("utf-8")) for page in PAGES.values())

    assert english - polish == polish - english == Counter()
