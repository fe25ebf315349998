"""Where rulesets come from: the five that ship with Dalej, by id, and an organiser's own files, by path."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.rules.ruletext import Lines, parse
from dalej.errors import WrongInput
from dalej.words import N_, cause

_SHIPPED: Final = files("dalej") / "rulesets"
_SUFFIX: Final = ".toml"
_LARGEST: Final = 256 * 1024  # bytes; a ruleset has a few thousand


def available() -> list[str]:
    """The ids of the rulesets that ship with Dalej, in alphabetical order."""
    return sorted(entry.name.removesuffix(_SUFFIX) for entry in _SHIPPED.iterdir() if entry.name.endswith(_SUFFIX))


@cache
def title(ruleset: str) -> str:
    """Of a ruleset that ships with Dalej; of any other its id."""
    return load(ruleset).title if ruleset in available() else ruleset


def load(id_or_path: str | Path) -> Ruleset:
    """The shipped ruleset of that id, else the one in that file; WrongInput, one sentence, if there is no right one."""
    return parse(*source(id_or_path))


def source(id_or_path: str | Path) -> tuple[str, str]:
    """A ruleset's text and the name of its file; WrongInput if there is none."""
    name = str(id_or_path)
    if name in available():
        return (_SHIPPED / f"{name}{_SUFFIX}").read_text(encoding="utf-8"), f"{name}{_SUFFIX}"
    path = Path(id_or_path)
    if path.is_file():
        return _text(path), name
    if name.endswith(_SUFFIX) or path.name != name:
        raise WrongInput(
            N_("{file} is not a file, expected a ruleset file or one of {known}"), file=name, known=_known()
        )
    raise WrongInput(N_("{id} is not a ruleset, expected a file or one of {known}"), id=name, known=_known())


def copy(id_or_path: str | Path, file: str | Path) -> Ruleset:
    """Writes the ruleset to a new file, under an id made of the file's name; WrongInput if that cannot be done."""
    text, name = source(id_or_path)
    parse(text, name)
    lines = text.split("\n")
    lines[Lines(text).of(("id",)) - 1] = f'id = "{_id_for(Path(file))}"'
    copied = "\n".join(lines)
    ruleset = parse(copied, str(file))
    try:
        with Path(file).open("x", encoding="utf-8", newline="\n") as new:
            new.write(copied)
    except FileExistsError as error:
        raise WrongInput(N_("{file} is there already, expected a new file"), file=file) from error
    except OSError as error:
        raise WrongInput(N_("{file} cannot be written: {problem}"), file=file, problem=cause(error)) from error
    return ruleset


def _id_for(path: Path) -> str:
    """`nasza-liga` of `Nasza Liga.toml`; never that of a ruleset which ships, so that both can be told apart."""
    letters = unicodedata.normalize("NFKD", path.stem.lower().replace("ł", "l")).encode("ascii", "ignore").decode()
    name = "-".join(re.findall("[a-z0-9]+", letters)) or "own"
    return f"{name}-own" if name in available() else name


def _known() -> str:
    return ", ".join(available())


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise WrongInput(N_("{file} cannot be read: {problem}"), file=path, problem=cause(error)) from error
    if len(data) > _LARGEST:
        raise WrongInput(N_("{file} is larger than the {largest} bytes of a ruleset file"), file=path, largest=_LARGEST)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongInput(
            N_("{file}, line {line}: expected text in UTF-8"), file=path, line=data.count(b"\n", 0, error.start) + 1
        ) from error
