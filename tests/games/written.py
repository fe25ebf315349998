"""Reads written games: scripts for `dalej play` whose comments set the table and say which facts must follow.

    # "tap Już, active seat, running: move over, tiles laid"   what is shown, in the comments at the top
    # draw: off                                                a setting of the table, see `_SETTINGS`
    6000 A.juz down
    6080 A.juz up
    # => 6000 move_ended seat=A move=1 how=juz                 a fact: script time, name, the fields to compare
    # => ruling undone seat=A tiles=1 provisional=true         a ruling that holds when the game is over

Exactly the facts that are written follow, in that order. Those in `UNSAID` may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from dalej.clock import ManualClock
from dalej.domain.game.facts import Fact, Value
from dalej.domain.game.rulings import Ruling
from dalej.domain.game.tablesettings import Choices
from dalej.domain.rules.rulesets import Ruleset
from dalej.event.ledger import Ledger
from dalej.rulesets.rulebook import load
from dalej.simulator.writtengame import Line, Played, parse

FOLDER: Final = Path(__file__).parent
UNSAID: Final = ("booted", "configured", "command_applied")
RULING: Final = "ruling"

_SETTINGS: Final[Mapping[str, tuple[str, ...]]] = {  # what may follow; nothing: anything
    "ruleset": (),
    "seats": (),
    "first": (),
    "draw": ("off", "flag", "block"),
    "on-expiry": ("hold", "advance"),
    "on-bank-empty": ("final_lap", "play_on", "end_at_once"),
    "box": ("no kostka", "shared buttons"),
    "presses": ("taps only",),
}


@dataclass(frozen=True, slots=True)
class Said:
    """What a game says must happen. `at_ms` is None for a ruling, `fields` as they are printed."""

    line: int
    at_ms: int | None
    name: str
    fields: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return _written(self.at_ms, self.name, self.fields)


@dataclass(frozen=True, slots=True)
class Game:
    """A written game: what it shows, its table, its lines and what must come of them."""

    path: Path
    title: str
    settings: Mapping[str, str]
    lines: tuple[Line, ...]
    said: tuple[Said, ...]

    @property
    def ruleset(self) -> Ruleset:
        rules = load(self.settings.get("ruleset", "school-league"))
        on_bank_empty = self.settings.get("on-bank-empty", rules.on_bank_empty)
        return replace(rules, on_bank_empty=on_bank_empty)

    def play(self, ledger: Ledger) -> Played:
        """Play it through debounce, clock, journal, link, session and this new ledger."""
        first = self.settings.get("first", "A")
        choices = Choices(
            seats=self.settings.get("seats", "ABCD"),
            first=None if first == "none" else first,
            draw=self.settings.get("draw"),
            on_expiry=self.settings.get("on-expiry"),
            taps_only="presses" in self.settings,
        )
        played = Played(ledger, self.ruleset, choices, ManualClock(), **_built(self.settings))
        played.play(list(self.lines))
        return played

    def expected(self) -> list[str]:
        """The facts it says, then the rulings."""
        return [str(said) for said in self.said if said.name != RULING] + [
            str(said) for said in self.said if said.name == RULING
        ]

    def found(self, played: Played, facts: Iterable[Fact], rulings: Iterable[Ruling]) -> list[str]:
        """What came of it, with the fields that the game compares; what it does not expect has all of them."""
        waiting = [said for said in self.said if said.name != RULING]
        found = []
        for fact in facts:
            at_ms = played.box.world_ms(fact.boot, fact.uptime_ms)
            said = waiting[0] if waiting else None
            if said is not None and _is(said, at_ms, fact.name, fact.fields()):
                found.append(str(waiting.pop(0)))
            elif fact.name not in UNSAID:
                found.append(_written(at_ms, fact.name, _fields(fact.fields())))
                del waiting[:1]
        waiting = [said for said in self.said if said.name == RULING]
        for ruling in rulings:
            fields = ruling.fields()
            said = waiting.pop(0) if waiting else None
            if said is not None and _is(said, None, RULING, fields):
                found.append(str(said))
            else:
                found.append(_written(None, RULING, _fields(fields)))
        return found


def games() -> list[Path]:
    """All written games, in the order of their names."""
    return sorted(FOLDER.glob("*.game"))


def read(path: Path) -> Game:
    """One written game; ValueError names the file and the line that is none."""
    text = path.read_text(encoding="utf-8")
    title: list[str] = []
    settings: dict[str, str] = {}
    said: list[Said] = []
    for number, line in enumerate(text.splitlines(), 1):
        comment = line.removeprefix("#").strip() if line.startswith("#") else ""
        key, _, value = (part.strip() for part in comment.partition(":"))
        if comment.startswith("=>"):
            said.append(_said(path, number, comment.removeprefix("=>").split()))
        elif key in _SETTINGS:
            if _SETTINGS[key] and value not in _SETTINGS[key]:
                raise ValueError(f"{path.name}, line {number}: {key} is one of {_SETTINGS[key]}, found {value}")
            settings[key] = value
        elif comment and not said:
            title.append(comment)
    if not title:
        raise ValueError(f"{path.name}: expected a comment at the top that says what the game shows")
    return Game(path, " ".join(title), settings, tuple(parse(text, path.name, **_built(settings))), tuple(said))


def _built(settings: Mapping[str, str]) -> dict[str, bool]:
    box = settings.get("box")
    return {"kostka": box != "no kostka", "shared": box == "shared buttons"}


def _said(path: Path, number: int, words: list[str]) -> Said:
    at_ms = int(words.pop(0)) if words and words[0].isdigit() else None
    if len(words) > 1 and words[0] == RULING:
        words[1] = f"{RULING}={words[1]}"
    if not words or (at_ms is None) != (words[0] == RULING) or not all("=" in word for word in words[1:]):
        raise ValueError(f"{path.name}, line {number}: expected a time, a fact and its fields, or a ruling")
    return Said(number, at_ms, words[0], tuple(_pair(word) for word in words[1:]))


def _pair(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def _is(said: Said, at_ms: int | None, name: str, fields: Mapping[str, Value]) -> bool:
    found = dict(_fields(fields))
    return said.at_ms == at_ms and said.name == name and all(found.get(key) == value for key, value in said.fields)


def _fields(fields: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        yield name, str(value).lower() if isinstance(value, bool) else "unknown" if value is None else str(value)


def _written(at_ms: int | None, name: str, fields: Iterable[tuple[str, str]]) -> str:
    words = [] if at_ms is None else [str(at_ms)]
    return " ".join([*words, name, *(value if key == RULING else f"{key}={value}" for key, value in fields)])
