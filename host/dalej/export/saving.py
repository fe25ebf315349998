"""Documents as files: which formats there are, where the file goes, and that it appears complete or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

from dalej import drafts
from dalej.errors import Refused, WrongInput
from dalej.words import N_

Formats = Mapping[str, Callable[[], bytes]]  # by the suffix of the file


def beside(source: Path, what: str, suffix: str) -> Path:
    """The file of that document beside the event."""
    return source.with_name(f"{source.stem}-{what}{suffix}")


def free_beside(source: Path, what: str, suffix: str) -> Path:
    """The same with a number where there is one already: nothing that was printed is replaced."""
    names = (beside(source, what if number == 1 else f"{what}-{number}", suffix) for number in count(1))
    return next(path for path in names if not path.exists())


def save(path: Path, formats: Formats, *, overwrite: bool = False, mode: int = drafts.OPEN) -> None:
    """Makes the document in the format that the name asks for. WrongInput if there is none of that name, or it cannot
    be written; Refused if something is there already.
    """
    make = formats.get(path.suffix.lower())
    if make is None:
        raise WrongInput(
            N_("{file} cannot be written: expected a name that ends in {suffixes}"),
            file=str(path), suffixes=_either(list(formats)),
        )  # fmt: skip
    _expect_free(path, overwrite)
    _write_whole(path, make(), overwrite, mode)


def _either(suffixes: Sequence[str]) -> str:
    return ", ".join(suffixes)


def _expect_free(path: Path, overwrite: bool) -> None:
    if path.is_dir() or not path.parent.is_dir():
        raise WrongInput(N_("{file} cannot be written: expected a file name in an existing folder"), file=str(path))
    if path.exists() and not overwrite:
        raise _taken(path)


def _write_whole(path: Path, content: bytes, overwrite: bool, mode: int) -> None:
    try:
        drafts.write(path, content, mode, replace=overwrite)
    except FileExistsError:  # it took a while
        raise _taken(path) from None
    except OSError as error:
        raise WrongInput(
            N_("{file} cannot be written: {problem}"), file=str(path), problem=error.strerror or str(error)
        ) from error


def _taken(path: Path) -> Refused:
    return Refused(N_("{file} already exists: expected --overwrite or a name that is free"), file=str(path))
