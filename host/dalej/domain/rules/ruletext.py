"""From the text of a ruleset file to a `Ruleset`, or to one sentence: file, line, key, what is there, what is
allowed.

On which line something stands is found statement by statement: the TOML parser keeps no positions.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar

from dalej.domain.rules.rulesets import LATER, TOPICS, Rule, Ruleset, Shape, Text, schema
from dalej.domain.rules.values import ID, inconsistent, listed, shown, value_of
from dalej.errors import Sayable, WrongInput
from dalej.words import N_

Path = tuple[str | int, ...]

_DEPTH: Final = 4  # as deep as a ruleset goes
# A string or a comment, in which a bracket is no bracket; a bracket; a new line. A string that nobody closes is one to
# its end: else each quote in it would begin another search for that end.
_TOKEN: Final = re.compile(
    r'"""(?:[^\\]|\\[\s\S])*?(?:"{3,5}|\\?\Z)|\'\'\'[\s\S]*?(?:\'{3,5}|\Z)|"(?:\\.|[^"\\\n])*+"?|\'[^\'\n]*+\'?'
    r"|#[^\n]*|[{}\[\]\n]"
)
# A string or a comment; a bare key; a dot; blanks, which may stand around one; anything else.
_KEYS: Final = re.compile(_TOKEN.pattern.rsplit("|", 1)[0] + r"|[\w-]+|\.|[ \t]+|[\s\S]")
_LARGEST: Final = 128 * 1024  # characters; those that ship have about 20 000
_DEEPEST: Final = 8  # keys with dots between them


class Lines:
    """The lines of one text that is valid TOML."""

    def __init__(self, text: str) -> None:
        self._lines = _lines(text)

    def of(self, path: Path) -> int:
        """The 1-based line where the path, or what there is of it, begins."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 1


def too_much(text: str) -> int:
    """The 1-based line on which the text is deeper or larger than any ruleset, before anything tries to read it, which
    would take minutes; 0: it is neither.
    """
    line, dots = 1, 0
    for match in _KEYS.finditer(text):
        token = match[0]
        if token == ".":
            dots += 1
        elif not (token[0] in " \t\"'_-" or token[0].isalnum()):
            dots = 0
        if dots >= _DEEPEST or match.end() > _LARGEST:
            return line
        line += token.count("\n")
    return 0


def _lines(text: str) -> dict[Path, int]:
    """Each statement is parsed alone."""
    lines: dict[Path, int] = {}
    counts: Counter[Path] = Counter()  # of the tables met so far in each list of tables
    header: Path = ()
    for first, pending in _statements(text):
        try:
            statement = tomllib.loads(pending)
        except ValueError:  # cut where it should not be: what stands there is found by what stands around it
            continue
        found = _paths(statement)
        if pending.lstrip().startswith("["):
            header = max(found, key=len, default=())
            for path in found:
                lines.setdefault(path, first)
            if pending.lstrip().startswith("[["):
                counts[header] += 1
                header = (*header, counts[header])
                lines[header] = first
        else:
            for path in found:
                lines.setdefault(header + path, first)
            for path in found:
                _add_elements(lines, header + path, _value_at(statement, path), pending, first)
    return lines


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each with the line where it begins: it ends with a line in which no bracket and no string is open."""
    begin, depth, line, first = 0, 0, 1, 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        depth += (token in "[{") - (token in "]}")
        line += token.count("\n")
        if token == "\n" and not depth:
            yield first, text[begin : match.end()]
            begin, first = match.end(), line
    yield first, text[begin:]


def _paths(table: dict[str, Any], depth: int = _DEPTH) -> list[Path]:
    """The key paths in a table."""
    paths: list[Path] = []
    for key, value in table.items():
        paths.append((key,))
        if isinstance(value, dict) and depth > 1:
            paths.extend((key, *path) for path in _paths(value, depth - 1))
    return paths


def _value_at(table: dict[str, Any], path: Path) -> Any:
    found: Any = table
    for key in path:
        found = found[key]
    return found


def _add_elements(lines: dict[Path, int], path: Path, value: Any, statement: str, first: int) -> None:
    """Where the tables of a list begin that is written with braces."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        return
    line, depth, place = first, 0, 0
    for token in _TOKEN.findall(statement):
        if token == "{":
            depth += 1
            if depth == 1:
                place += 1
                lines[(*path, place)] = line
        elif token == "}":
            depth -= 1
        line += token.count("\n")


_NAMES: Final = ("id", "title", "language", "source")
_ATTRIBUTES: Final = (
    "value", "clause", "ours", "why", "quote", "allows", "modifiable", "allows_clause", "allows_quote",
)  # fmt: skip
_TEXT: Final = ("clause", "topic", "quote")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")

Read = TypeVar("Read")


def parse(text: str, file: str) -> Ruleset:
    """The ruleset that `text` holds; `file` is the name that messages give. WrongInput if anything cannot be right."""
    return _parsed(text, file)


@lru_cache(maxsize=8)
def _parsed(text: str, file: str) -> Ruleset:
    """An event is folded before and after every change, always by the same text."""
    reader = _Reader(text, file)
    ruleset = reader.ruleset()
    if ruleset is None:
        raise reader.faults[0]
    return ruleset


def faults(text: str, file: str) -> list[WrongInput]:
    """Everything about the text that cannot be right, by line; none: `parse` reads it."""
    try:
        reader = _Reader(text, file)
    except WrongInput as error:
        return [error]
    reader.ruleset()
    return sorted(reader.faults, key=lambda fault: int(str(fault.data["line"])))


class _Reader:
    """Reads on after a fault, so that somebody who writes a file hears of all of them at once."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.faults: list[WrongInput] = []
        line = too_much(text)
        if line:
            raise WrongInput(
                N_("{file}, line {line}: it is larger or deeper than a ruleset can be, expected about 20 000 "
                   "characters and keys such as clock.limit_ms"),
                file=file, line=line,
            )  # fmt: skip
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # plain ValueError: a number of thousands of digits
            raise self.not_toml(error) from error

    def ruleset(self) -> Ruleset | None:
        """What was read; None if there are `faults`."""
        shapes = schema()
        sections = tuple(dict.fromkeys(shape.section for shape in shapes.values()))
        self.known((), (*_NAMES, *sections, "texts"))
        names: dict[str, Any] = {name: self.tried(self.name, name) for name in _NAMES}
        for section in sections:
            keys = [key for key, shape in shapes.items() if shape.section == section]
            if section in self.data or not LATER.keys() >= set(keys):
                self.known((section,), keys)
        rules = [self.tried(self.rule, key, shape) for key, shape in shapes.items()]
        values: dict[str, Any] = {rule.key: rule.value for rule in rules if rule is not None}
        self.fit_together(values)
        texts = self.tried(self.texts) or ()
        if self.faults:
            return None
        return Ruleset(rules=tuple(rule for rule in rules if rule is not None), texts=texts, **names, **values)

    def tried(self, read: Callable[..., Read], *arguments: object) -> Read | None:
        """What was read; None, and a fault more, if it is wrong."""
        try:
            return read(*arguments)
        except WrongInput as fault:
            self.fault(fault)
            return None

    def fault(self, fault: WrongInput) -> None:
        if str(fault) not in map(str, self.faults):  # of a section that is missing every value is
            self.faults.append(fault)

    def fit_together(self, values: dict[str, Any]) -> None:
        shapes = schema()
        for fault in inconsistent(values):
            at = (shapes[str(fault.data["key"])].section, str(fault.data["key"]), "value")
            self.fault(self.placed(WrongInput(fault.template, **{**fault.data, "key": _key(at)}), at))

    # --- values ---

    def format_shape(self) -> str:
        """The kind of tournament that the file names, "" if none."""
        try:
            return str(self.data["format"]["shape"]["value"])
        except (KeyError, TypeError):
            return ""

    def rule(self, key: str, shape: Shape) -> Rule:
        at = (shape.section, key)
        if key in LATER and not self.holds(at):
            later = LATER[key]
            beside = (schema()[later.beside].section, later.beside)
            value, why = later.of_shape.get(self.format_shape(), (later.value, later.why))
            return Rule(key, value, self.words((*beside, "clause")), ours=True, why=why)
        table = self.table(at)
        self.known(at, _ATTRIBUTES)
        found = len(self.faults)
        rule: dict[str, Any] = {
            "value": self.tried(self.value, (*at, "value"), shape),
            "clause": self.tried(self.words, (*at, "clause")),
            "ours": self.tried(self.flag, (*at, "ours")),
            "why": self.tried(self.words, (*at, "why")) if "why" in table else "",
            "quote": self.tried(self.words, (*at, "quote")) if "quote" in table else "",
            "allows": self.tried(self.others, (*at, "allows"), shape) if "allows" in table else (),
            "modifiable": self.tried(self.flag, (*at, "modifiable")),
            "allows_clause": self.tried(self.words, (*at, "allows_clause")) if "allows_clause" in table else "",
            "allows_quote": self.tried(self.words, (*at, "allows_quote")) if "allows_quote" in table else "",
        }
        if len(self.faults) > found:
            raise self.faults[-1]
        if rule["ours"] and not rule["why"]:
            raise self.wrong(
                N_("{file}, line {line}: {key} is ours and not the text's, expected a sentence under why"),
                (*at, "ours"),
            )
        if rule["why"] and not rule["ours"]:
            raise self.wrong(
                N_("{file}, line {line}: {key} explains a choice of ours, expected ours = true"), (*at, "why")
            )
        for name in ("allows_clause", "allows_quote"):
            if rule[name] and not (rule["allows"] or rule["modifiable"]):
                raise self.wrong(
                    N_("{file}, line {line}: {key} permits nothing, expected allows or modifiable beside it"),
                    (*at, name),
                )
        return Rule(key, **rule)

    def value(self, at: Path, shape: Shape) -> Any:
        return self.shaped(self.get(at), at, shape)

    def others(self, at: Path, shape: Shape) -> tuple[Any, ...]:
        found = self.get(at)
        if not isinstance(found, list):
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected a list of values"), at)
        return tuple(self.shaped(one, at, shape) for one in found)

    def shaped(self, found: object, at: Path, shape: Shape) -> Any:
        try:
            return value_of(_key(at), found, shape)
        except WrongInput as fault:
            place = fault.data.get("place")
            raise self.placed(fault, (*at, place) if isinstance(place, int) else at) from fault

    # --- passages ---

    def texts(self) -> tuple[Text, ...]:
        if "texts" not in self.data:
            return ()
        found = self.get(("texts",))
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected tables [[{key}]]"), ("texts",))
        read = [self.tried(self.passage, ("texts", place)) for place in range(1, len(found) + 1)]
        return tuple(text for text in read if text is not None)

    def passage(self, at: Path) -> Text:
        self.known(at, _TEXT)
        clause, topic, quote = (self.words((*at, name)) for name in _TEXT)
        if topic not in TOPICS:
            raise self.wrong(
                N_("{file}, line {line}: {key} is {found}, expected one of {allowed}"),
                (*at, "topic"), allowed=listed(TOPICS),
            )  # fmt: skip
        return Text(clause, topic, quote)

    # --- what a value is made of ---

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
        if name == "id" and not ID.fullmatch(found):
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

    def holds(self, at: Path) -> bool:
        above = self.data.get(str(at[0]), {})
        return not isinstance(above, dict) or at[1] in above

    def get(self, at: Path) -> Any:
        found: Any = self.data
        for depth, key in enumerate(at):
            if isinstance(key, int):
                found = found[key - 1]
            elif not isinstance(found, dict):
                above = at[:depth]
                raise self.wrong(N_("{file}, line {line}: {key} is {found}, expected a table [{key}]"), above)
            elif key not in found:
                raise self.missing(at[: depth + 1])
            else:
                found = found[key]
        return found

    def known(self, at: Path, keys: Iterable[str]) -> None:
        """A fault for every key of the table that none of `keys` is."""
        allowed = tuple(keys)
        for key in self.tried(self.table, at) or ():
            if key not in allowed:
                self.fault(
                    self.wrong(
                        N_("{file}, line {line}: {key} is unknown, expected one of {allowed}"),
                        (*at, key),
                        allowed=listed(allowed),
                    )
                )

    # --- sentences ---

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    def wrong(self, template: str, at: Path, **data: Sayable) -> WrongInput:
        line = self.lines.of(at)
        return WrongInput(template, file=self.file, line=line, key=_key(at), found=shown(self.get(at)), **data)

    def missing(self, at: Path) -> WrongInput:
        return WrongInput(
            N_("{file}, line {line}: {key} is missing"), file=self.file, line=self.lines.of(at), key=_key(at)
        )

    def placed(self, fault: WrongInput, at: Path) -> WrongInput:
        """The fault with the place where it stands."""
        return WrongInput(N_("{file}, line {line}: {problem}"), file=self.file, line=self.lines.of(at), problem=fault)

    def not_toml(self, error: Exception) -> WrongInput:
        place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", str(error))
        problem = str(error)[: place.start()] if place else str(error)
        return WrongInput(
            N_("{file}, line {line}: expected TOML, but the reader says: {problem}"),
            file=self.file,
            line=int(place[1]) if place and place[1] else self.text.rstrip().count("\n") + 1,
            problem=problem,
        )


def _key(at: Path) -> str:
    return ".".join(map(str, at))
