"""A sentence that no reader's language has fails the test that meets it: it was made from a template that nobody
marked for the catalogues, or that is none of theirs.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.mofile import read_mo

import dalej
from dalej import errors
from dalej.domain.game.verify import Problem
from dalej.errors import Counted, DalejError, Sayable
from dalej.office.acts import wishes
from dalej.office.acts.wishes import Done

HOST: Final = Path(dalej.__file__).parent
MADE_IN: Final = str(HOST / "domain")
DONE_IN: Final = str(HOST / "office" / "acts")
"""Elsewhere errors are sent, received, renamed and made of what people typed, whoever wrote the sentence."""
PASSED_ON_BY: Final = str(errors.__file__), str(wishes.__file__)
"""What others have worded: a hint, and what an act has done."""
CATALOGUE: Final = Path(HOST, "locale", "pl", "LC_MESSAGES", "dalej.mo")
WORD: Final = re.compile(r"(?<!\w)[^\W\d]+(?!\w|})")
"""Outside of a field's braces."""


def watch() -> None:
    """All errors and problems that the domain makes from now on, in this process, and what acts say that they did."""
    of_error, of_counted, of_problem = DalejError.__init__, Counted.__init__, Problem.__init__
    of_done = Done.__init__

    def error(self: DalejError, template: str, /, **data: Sayable) -> None:
        if not isinstance(self, Counted):
            _expect(template)
        of_error(self, template, **data)

    def counted(self: Counted, one: str, many: str, /, *, count: int, **data: Sayable) -> None:
        _expect(one)
        _expect(many)
        of_counted(self, one, many, count=count, **data)

    def problem(self: Problem, *fields: Any) -> None:
        _expect(fields[4])
        of_problem(self, *fields)

    def done(self: Done, template: str, *fields: Any, **named: Any) -> None:
        _expect(template, DONE_IN)
        of_done(self, template, *fields, **named)

    Done.__init__ = done  # type: ignore[method-assign]
    DalejError.__init__ = error  # type: ignore[method-assign]
    Counted.__init__ = counted  # type: ignore[method-assign]
    Problem.__init__ = problem  # type: ignore[assignment, method-assign]


def _expect(template: str, made_in: str = MADE_IN) -> None:
    maker = sys._getframe(2)
    while maker.f_code.co_filename in PASSED_ON_BY and maker.f_back is not None:
        maker = maker.f_back
    file = maker.f_code.co_filename
    ours = file.startswith(made_in)
    if ours and template not in _known() and WORD.search(template):
        pytest.fail(f"{template!r} is in no catalogue, see {file}:{maker.f_lineno}")


@cache
def _known() -> frozenset[str]:
    with CATALOGUE.open("rb") as file:
        messages = [one.id for one in read_mo(file)]
    return frozenset(text for one in messages for text in ((one,) if isinstance(one, str) else one))
