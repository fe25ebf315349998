"""From the text of a ruleset file to a `Ruleset`, or to one sentence: file, line, key, what is there, what is allowed.

A file holds the names of the regulation and one table a value:

    id = "school-league"
    title = "…"
    language = "pl"
    source = "…"

    [clock.limit_ms]
    value = 40_000
    clause = "6h"
    quote = "…"          # optional: the regulation's words
    allows = [60_000]    # optional: other values the text permits; `modifiable = true`: any value

    [clock.grace_ms]
    value = 10_000
    clause = "6h"
    ours = true          # the text leaves it open …
    why = "…"            # … and this is the organiser's sentence
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any, Final

from dalej.domain.format import BY, GAMES_MOST, METHODS, PLAYERS_MOST, ROUNDS_MOST, STAGES_MOST, Stage
from dalej.domain.rulesets import NONE, TOPICS, Rule, Ruleset, Text, Value, schema
from dalej.domain.shapes import OneOf, Scale, Shape, Stages, Whole
from dalej.errors import WrongInput
from dalej.words import N_

Path = tuple[str, ...]

_NAMES: Final = ("id", "title", "language", "source")
_ATTRIBUTES: Final = ("value", "clause", "ours", "why", "quote", "allows", "modifiable")
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_SHOWN: Final = 60  # characters of a wrong value that a message repeats


def parse(text: str, file: str) -> Ruleset:
    """The ruleset that `text` holds; `file` is the name that messages give. WrongInput if anything cannot be right."""
    return _Reader(text, file).ruleset()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # plain ValueError: a number of thousands of digits
            raise self.not_toml(error) from error

    def ruleset(self) -> Ruleset:
        shapes = schema()
        sections = tuple(dict.fromkeys(shape.section for shape in shapes.values()))
        self.known((), self.data, (*_NAMES, *sections, "texts"))
        names: dict[str, Any] = {name: self.name(name) for name in _NAMES}
        for section in sections:
            keys = [key for key, shape in shapes.items() if shape.section == section]
            self.known((section,), self.table((section,)), keys)
        rules = tuple(self.rule(key, shape) for key, shape in shapes.items())
        values: dict[str, Any] = {rule.key: rule.value for rule in rules}
        if values["seats_min"] > values["seats_max"]:
            raise self.wrong(
                N_("{file}, line {line}: {key} is {found}, expected no more than seats_max, which is {seats_max}"),
                ("table", "seats_min", "value"),
                seats_max=values["seats_max"],
            )
        return Ruleset(rules=rules, texts=self.texts(), **names, **values)

    def rule(self, key: str, shape: Shape) -> Rule:
        at = (shape.section, key)
        table = self.table(at)
        self.known(at, table, _ATTRIBUTES)
        rule = Rule(
            key,
            value=self.value((*at, "value"), shape),
            clause=self.words((*at, "clause")),
            ours=self.flag((*at, "ours")),
            why=self.words((*at, "why")) if "why" in table else "",
            quote=self.words((*at, "quote")) if "quote" in table else "",
            allows=self.others((*at, "allows"), shape) if "allows" in table else (),
            modifiable=self.flag((*at, "modifiable")),
        )
        if rule.ours and not rule.why:
            raise self.wrong(
                N_("{file}, line {line}: {key} is ours and not the text's, expected a sentence under why"),
                (*at, "ours"),
            )
        if rule.why and not rule.ours:
            raise self.wrong(
                N_("{file}, line {line}: {key} explains a choice of ours, expected ours = true"), (*at, "why")
            )
        return rule

    def value(self, at: Path, shape: Shape) -> Value:
        return self.shaped(self.get(at), at, shape)

    def others(self, at: Path, shape: Shape) -> tuple[Value, ...]:
        found = self.get(at)
        if not isinstance(found, list):
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected a list of values"), at)
        return tuple(self.shaped(one, at, shape) for one in found)

    def shaped(self, found: object, at: Path, shape: Shape) -> Value:
        if isinstance(shape, OneOf):
            if isinstance(found, str) and found in shape.words:
                return found
            raise self.wrong(
                N_("{file}, line {line}: {key} is {found}, expected one of {allowed}"),
                at,
                found=found,
                allowed=_listed(shape.words),
            )
        if isinstance(shape, Whole):
            if shape.word and found == shape.word:
                return None
            if isinstance(found, int) and not isinstance(found, bool) and shape.low <= found <= shape.high:
                return found
            template = N_("{file}, line {line}: {key} is {found}, expected a whole number from {low} to {high}")
            if shape.word:
                template = N_(
                    '{file}, line {line}: {key} is {found}, expected a whole number from {low} to {high} or "{word}"'
                )
            raise self.wrong(template, at, found=found, low=shape.low, high=shape.high, word=shape.word)
        if isinstance(shape, Scale):
            return self.scale(found, at, shape)
        if isinstance(shape, Stages):
            return self.stages(found, at)
        if isinstance(found, bool):
            return found
        raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected true or false"), at, found=found)

    def scale(self, found: object, at: Path, shape: Scale) -> tuple[int, ...] | None:
        if found == NONE:
            return None
        if isinstance(found, list) and len(found) == shape.seats:
            numbers = [one for one in found if isinstance(one, int) and not isinstance(one, bool)]
            if len(numbers) == shape.seats and all(0 <= one <= shape.high for one in numbers):
                return tuple(numbers)
        raise self.wrong(
            N_('{file}, line {line}: {key} is {found}, expected {seats} whole numbers from 0 to {high}, or "none"'),
            at,
            found=found,
            seats=shape.seats,
            high=shape.high,
        )

    def stages(self, found: object, at: Path) -> tuple[Stage, ...]:
        if not isinstance(found, list) or not 1 <= len(found) <= STAGES_MOST:
            raise self.wrong(
                N_("{file}, line {line}: {key} is {found}, expected a list of one to {most} stages"),
                at, found=found, most=STAGES_MOST,
            )  # fmt: skip
        plan = tuple(self.stage(one, at, place) for place, one in enumerate(found, start=1))
        ids = [stage.id for stage in plan]
        for place, stage in enumerate(plan, start=1):
            if ids.index(stage.id) != place - 1:
                raise self.not_a_stage(at, place, "id", stage.id, N_("an id that no stage before has"))
        return plan

    def stage(self, found: object, at: Path, place: int) -> Stage:
        if not isinstance(found, dict):
            raise self.wrong(
                N_("{file}, line {line}: stage {place} of {key} is {found}, expected {{ id = …, rounds = …, games = … }}"),
                at, found=found, place=place,
            )  # fmt: skip
        checks: dict[str, tuple[bool, str]] = {
            "id": (isinstance(found.get("id"), str) and bool(_ID.fullmatch(str(found["id"]))),
                   N_("small letters and digits joined by hyphens")),
            "rounds": (_whole(found.get("rounds", 1), ROUNDS_MOST), N_("a whole number from 1 to 50")),
            "games": (_whole(found.get("games", 2), GAMES_MOST), N_("a whole number from 1 to 20")),
            "first": (found.get("first", "lot") in METHODS, _listed(METHODS)),
            "later": (found.get("later", "rank") in METHODS, _listed(METHODS)),
            "takes": ("takes" not in found or _whole(found["takes"], PLAYERS_MOST), N_("a whole number from 1 to 5000")),
            "by": (found.get("by", "rank") in BY, _listed(BY)),
        }  # fmt: skip
        for name, value in found.items():
            if name not in checks:
                raise self.not_a_stage(at, place, name, value, _listed(checks))
        for name, (right, expected) in checks.items():
            if not right:
                raise self.not_a_stage(at, place, name, found.get(name), expected)
        return Stage(**found)

    def not_a_stage(self, at: Path, place: int, name: str, found: object, expected: str) -> WrongInput:
        return self.wrong(
            N_("{file}, line {line}: {name} of stage {place} in {key} is {found}, expected {expected}"),
            at, found=found, name=name, place=place, expected=expected,
        )  # fmt: skip

    def texts(self) -> tuple[Text, ...]:
        found = self.data.get("texts", [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected a table [[{key}]]"), ("texts",))
        return tuple(self.text_of(one) for one in found)

    def text_of(self, found: dict[str, Any]) -> Text:
        if set(found) != {"clause", "topic", "quote"} or not all(
            isinstance(one, str) and one.strip() for one in found.values()
        ):
            raise self.wrong(
                N_("{file}, line {line}: {key} holds {found}, expected clause, topic and quote, none of them empty"),
                ("texts",), found=_listed(found),
            )  # fmt: skip
        if found["topic"] not in TOPICS:
            raise self.wrong(
                N_("{file}, line {line}: topic of {key} is {found}, expected one of {allowed}"),
                ("texts",), found=found["topic"], allowed=_listed(TOPICS),
            )  # fmt: skip
        return Text(**found)

    def flag(self, at: Path) -> bool:
        found = self.get(at) if at[-1] in self.table(at[:-1]) else False
        if not isinstance(found, bool):
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected true or false"), at)
        return found

    def words(self, at: Path) -> str:
        found = self.get(at)
        if not isinstance(found, str) or not found.strip():
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected a text that is not empty"), at)
        return found

    def name(self, name: str) -> str:
        found = self.words((name,))
        if name == "id" and not _ID.fullmatch(found):
            raise self.wrong(
                N_("{file}, line {line}: {key} is {found}, expected small letters and digits joined by hyphens"),
                (name,),
            )
        if name == "language" and not _LANGUAGE.fullmatch(found):
            raise self.wrong(
                N_("{file}, line {line}: {key} is {found}, expected two small letters such as pl"), (name,)
            )
        return found

    def table(self, at: Path) -> dict[str, Any]:
        found = self.get(at)
        if not isinstance(found, dict):
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected a table [{key}]"), at)
        return found

    def get(self, at: Path) -> Any:
        found: Any = self.data
        for depth, key in enumerate(at):
            if key not in found:
                raise self.wrong(N_("{file}, line {line}: {key} is missing"), at[: depth + 1], found=None)
            found = found[key]
        return found

    def known(self, at: Path, table: dict[str, Any], keys: Iterable[str]) -> None:
        allowed = tuple(keys)
        for key in table:
            if key not in allowed:
                raise self.wrong(
                    N_("{file}, line {line}: {key} is unknown, expected one of {allowed}"),
                    (*at, key),
                    allowed=_listed(allowed),
                )

    def wrong(self, template: str, at: Path, **data: object) -> WrongInput:
        found = data.pop("found") if "found" in data else self.get(at)
        return WrongInput(
            template,
            file=self.file,
            line=_line_of(self.text, at),
            key=".".join(at),
            found=_shown(found),
            **data,
        )

    def not_toml(self, error: Exception) -> WrongInput:
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        problem = str(error)[: place.start()] if place else str(error)
        return WrongInput(
            N_("{file}, line {line}: expected TOML, but the reader says: {problem}"),
            file=self.file,
            line=int(place[1]) if place and place[1] else self.text.rstrip().count("\n") + 1,
            problem=problem,
        )


def _whole(found: object, most: int) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and 1 <= found <= most


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _shown(found: object) -> str:
    """A wrong value as a file would write it, on one line and not too long."""
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, dict):
        return "{…}"
    if isinstance(found, list):
        return "[…]"
    shown = " ".join((f'"{found}"' if isinstance(found, str) else str(found)).split())
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"


def _line_of(text: str, at: Path) -> int:
    """The 1-based line where the key path, or what there is of it, begins in a text that is valid TOML."""
    lines = _lines(text)
    for length in range(len(at), 0, -1):
        if at[:length] in lines:
            return lines[at[:length]]
    return 1


def _lines(text: str) -> dict[Path, int]:
    """Key paths of a valid TOML text -> the line of the header or statement that first names them.

    The parser keeps no positions, so each statement is parsed alone, with as many lines as it needs to be whole.
    """
    lines: dict[Path, int] = {}
    header: Path = ()
    first, pending = 1, ""
    for number, line in enumerate(text.split("\n"), start=1):
        if not pending:
            first = number
        pending += line + "\n"
        try:
            statement = tomllib.loads(pending)
        except ValueError:
            continue
        if line_is_header := pending.lstrip().startswith("["):
            header = ()
        for path in _paths(statement):
            lines.setdefault(header + path, first)
        if line_is_header:
            header = max(_paths(statement), key=len)
        pending = ""
    return lines


def _paths(table: dict[str, Any], depth: int = 3) -> list[Path]:
    """The key paths in a table, as deep as a ruleset goes."""
    paths: list[Path] = []
    for key, value in table.items():
        paths.append((key,))
        inner = value[-1] if isinstance(value, list) and value else value
        if isinstance(inner, dict) and depth > 1:
            paths.extend((key, *path) for path in _paths(inner, depth - 1))
    return paths
