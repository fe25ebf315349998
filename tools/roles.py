"""What each role may do, made of the catalogue: `python -m tools.roles` prints the page, `--update` writes it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import ROLES

PAGE: Final = Path(__file__).parents[1] / "docs" / "roles.md"
HEAD: Final = """\
# What each role may do

Every screen, in a terminal or in a browser, does what it does by the same acts. Before an act is done the desk asks
whether the role may do it: over the web the role that the person logged in as, at a terminal on the desk itself always
organiser. What a screen offers is only a courtesy. This page is made by `python -m tools.roles --update`.

An act with a reason is kept with the reason; one that is asked about names what it touches and waits for a yes. An act
that is not on offer takes another one back, of tables and of one's own decisions, is done by a screen that opens what
waits or shows a closed round, or is of a file that only a command reads.

"""


def page() -> str:
    """The whole page."""
    lines = [f"| act | about | {' | '.join(ROLES)} | reason | asked about |", "|---|---|" + "---|" * (len(ROLES) + 2)]
    return HEAD + "\n".join([*lines, *map(_row, ACTS.values())]) + "\n"


def _row(act: type[Act]) -> str:
    title = act.title if act.offered else f"{act.title} (not on offer)"
    marks = ["yes" if role in act.roles else "–" for role in ROLES]
    return f"| {title} | {act.about} | {' | '.join(marks)} | {_yes(act.why)} | {_yes(act.destroys())} |"


def _yes(is_so: bool) -> str:
    return "yes" if is_so else ""


if __name__ == "__main__":
    if "--update" in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
