"""The papers that are written beside an event, by the names that people look for; which screen's key writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from dalej.words import N_


class Paper(NamedTuple):
    """`args`: of the act that writes it. `key_of`: the screens where `p` offers it. `grouped`: by class, club or town;
    `final`: only where there is a final form.
    """

    words: str
    args: Mapping[str, object]
    key_of: Sequence[str]
    grouped: bool = False
    final: bool = False


def _pdf(what: str, **args: object) -> Mapping[str, object]:
    return {"what": what, "form": "pdf", **args}


BLANK_RESULTS: Final = Paper(
    N_("a list of the results that are missing, to be filled in (XLSX)"), {"what": "list", "form": "xlsx"}, ["results"]
)
BLANK_SIGNUPS: Final = Paper(
    N_("an empty sign-up list, to be filled in (XLSX)"), {"what": "signups", "form": "xlsx"}, []
)
SHEETS: Final = Paper(N_("empty score sheets for every table"), _pdf("sheets"), ["seating", "results"])
PAPERS: Final[Sequence[Paper]] = (
    BLANK_SIGNUPS,
    Paper(N_("who sits where, by table and by name"), _pdf("seating"), ["seating"]),
    Paper(N_("by name in large letters, for a wall"), _pdf("wall"), ["seating"]),
    Paper(N_("a number to stand on each table"), _pdf("numbers"), ["seating"]),
    SHEETS,
    Paper(N_("score sheets with the results that are in"), _pdf("sheets", filled=True), ["results"]),
    BLANK_RESULTS,
    Paper(N_("the points of the round, to be hung up"), _pdf("results"), ["results"]),
    Paper(N_("the standings, to be hung up"), _pdf("standings"), []),
    Paper(N_("the final form of the finalists (PDF)"), _pdf("form"), ["standings"], final=True),
    Paper(N_("prizes, also by class or club, to be read aloud"), _pdf("prizes"), ["standings"]),
    Paper(N_("diplomas for the first three places"), _pdf("diplomas"), ["standings"]),
    Paper(N_("diplomas for everybody"), _pdf("diplomas", taking_part=True), ["standings"]),
    Paper(N_("diplomas for the best three of each class or club"), _pdf("diplomas", groups=True), ["standings"],
          grouped=True),
)  # fmt: skip


def of(screen: str) -> list[Paper]:
    """Those that this screen's key offers, in their order."""
    return [one for one in PAPERS if screen in one.key_of]
