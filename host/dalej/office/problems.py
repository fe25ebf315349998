"""Everything that is wrong with a list, said at once: whoever corrects it need not read it in again for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dalej.errors import Counted, DalejError, Refused, WrongInput

SAID_MOST: Final = 100


def expect_none(problems: Sequence[DalejError]) -> None:
    """Raises them as one error, a line each; Refused if all of them are."""
    if not problems:
        return
    if len(problems) == 1:
        raise problems[0]
    family = Refused if all(isinstance(problem, Refused) for problem in problems) else WrongInput
    said: dict[str, DalejError] = {f"p{place}": one for place, one in enumerate(problems[:SAID_MOST], start=1)}
    template = "\n".join(["{count}", *(f"{{{name}}}" for name in said)])
    count = Counted("{count} place is wrong:", "{count} places are wrong:", count=len(problems))
    if len(problems) > SAID_MOST:
        template += "\n…"
    raise family(template, count=count, **said)
