"""The last act: what was done, what became of it at the boxes, for how long it is news."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dalej.acts.waiting import itself
from dalej.acts.wishes import Done
from dalej.domain.rulings import Ahead
from dalej.hall.asked import Asked
from dalej.telling import word
from dalej.words import _, ngettext

SHOWN_MS: Final = 45_000  # it is shown for so long, longer while a box is silent about what matters
_SAYS_SO: Final = "Taken back:"  # how a sentence begins that needs no such word before it
_TABLES_MOST: Final = 6  # that are named


@dataclass(frozen=True, slots=True)
class LastAct:
    """`since_ms`: of the screen's own time. `trouble`: why it was refused, "" if it was not. `back`: it took back what
    had been done before it. `said`: in better words than the desk's, "" for those.
    """

    since_ms: int
    done: Done | None = None
    trouble: str = ""
    back: bool = False
    said: str = ""

    def waits(self, asked: Sequence[Asked]) -> bool:
        """Whether a box still has to answer."""
        wanted = () if self.done is None else self.done.requests
        return len(asked) < len(wanted) or any(one.result in ("waiting", "no_link") for one in asked)

    def is_shown(self, now_ms: int, asked: Sequence[Asked], ahead: Sequence[Ahead] = ()) -> bool:
        """Whether it is still news; a ruling that came to nothing is until something else is done."""
        if "astray" in ahead or "overtaken" in ahead:
            return True
        waits = self.waits(asked) or "waits" in ahead
        waited_for = self.done is not None and self.done.undo is not None and waits
        return now_ms - self.since_ms < (10 * SHOWN_MS if waited_for else SHOWN_MS)

    def sentence(self) -> str:
        """What was done, "" if nothing was."""
        if self.done is None:
            return ""
        words = self.said or str(self.done)
        says_so = self.said or itself(self.done).template.startswith(_SAYS_SO)
        return words if says_so or not self.back else _("Taken back:") + f" {words}"

    def words(self, asked: Sequence[Asked], ahead: Sequence[Ahead] = ()) -> str:
        """In one sentence or two, with what the boxes made of it. `ahead`: what became of a ruling that was made before
        the facts of its time-out were there.
        """
        if self.done is None:
            return f"✗ {self.trouble}"
        came = [*outcome_words(self.done, asked), *ahead_words(ahead)]
        return " ".join((["↶"] if self.back else []) + [self.sentence(), *came])


def outcome_words(done: Done, asked: Sequence[Asked]) -> list[str]:
    """What the boxes made of it; of several, how many have answered and which have not."""
    count = len(done.requests)
    if not count:
        return []
    by: dict[str, list[Asked]] = {}
    for one in asked:
        by.setdefault(one.result, []).append(one)
    if count == 1:
        return [_one(asked[0] if asked else None)]
    ready = len(by.get("applied", ()))
    said = ["{mark} {words}".format(
        mark="✓" if ready == count else "…",
        words=_("{ready} of {count} boxes have done it.").format(ready=ready, count=count),
    )]  # fmt: skip
    if refused := by.get("refused"):
        said.append("✗ " + ngettext("refused at table {tables}.", "refused at tables {tables}.", len(refused)).format(
            tables=_tables(refused)))  # fmt: skip
    if far := by.get("no_link"):
        said.append("◌ " + ngettext("no link to table {tables}.", "no link to tables {tables}.", len(far)).format(
            tables=_tables(far)))  # fmt: skip
    if (waits := count - sum(map(len, by.values())) + len(by.get("waiting", ()))) and ready < count:
        said.append(ngettext("{count} is waited for.", "{count} are waited for.", waits).format(count=waits))
    return said


def ahead_words(ahead: Sequence[Ahead]) -> list[str]:
    """What became of a ruling that came before its facts."""
    said = {
        "waits": "… " + _("one moment: it holds as soon as the box has told."),
        "holds": "✓ " + _("the box has told of it: the ruling holds."),
        "overtaken": "✗ "
        + _("it does not hold: the table had settled it otherwise before; look at it, then rule again."),
        "astray": "✗ " + _("it rules nothing: by what its box has told, no time-out waited there; look at the table."),
    }
    return [said[one] for one in ahead]


def _one(asked: Asked | None) -> str:
    match None if asked is None else asked.result:
        case "applied":
            return "✓ " + _("the box has done it.")
        case "refused":
            return "✗ " + _("the box refused: {reason}.").format(reason=word(asked.reason) if asked else "")
        case "no_link":
            return "◌ " + _("no link to the box yet.")
    return "… " + _("waiting for the box.")


def _tables(asked: Sequence[Asked]) -> str:
    named = ", ".join(str(one.table) for one in asked[:_TABLES_MOST])
    return named + (" …" if len(asked) > _TABLES_MOST else "")
