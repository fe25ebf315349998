"""What a list of players or of results would come to, as a person looks at it before it is done. Nothing is decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dalej.domain.tournament.tournament import Round, Tournament
from dalej.errors import DalejError, Refused
from dalej.event.event import imagined
from dalej.office import results, signups
from dalej.office.listfiles import Filed, filed, of_game
from dalej.office.spreadsheets import Table
from dalej.views.book import Page
from dalej.views.signupwords import listed, remarks
from dalej.words import N_, _, ngettext, readable, said

NAMED_MOST: Final = 8  # of a list, to be looked at


@dataclass(frozen=True)
class Planned:
    """A list, and who of it would be signed up: the bodies of these decisions. `new_only`: others are already."""

    found: signups.SignUps
    new: Sequence[Mapping[str, object]]
    new_only: bool

    @property
    def players(self) -> tuple[signups.SignUp, ...]:
        """Everybody in it."""
        return self.found.players

    def lines(self) -> list[str]:
        """What a person looks at before it is done."""
        count, waits = len(self.new), sum(bool(one.get("waits")) for one in self.new)
        lines = [
            ngettext("{count} player would be signed up: number {first}",
                     "{count} players would be signed up: numbers {first} to {last}", count).format(
                count=count, first=self.new[0]["player"], last=self.new[-1]["player"]),
            listed([str(one["name"]) for one in self.new], NAMED_MOST),
        ]  # fmt: skip
        if waits:
            lines.append(
                ngettext("{count} of them waits for a place", "{count} of them wait for a place", waits).format(
                    count=waits
                )
            )
        return [*lines, *remarks(self.found, self.new, NAMED_MOST), *told(self.found.table, self.found.unread)]


def planned_signups(state: Tournament | None, data: bytes, file: str) -> Planned:
    """What the list would come to as the event is seen; who is signed up already is passed over."""
    found = signups.read(data, file)
    if state is None:
        raise Refused(N_("nobody has said yet by which ruleset it is played"))
    try:
        change, new_only = signups.enter(state, found.players, file=file), False
    except DalejError:
        change, new_only = signups.enter(state, found.players, file=file, new_only=True), True
        if len(change.drafts) == len(found.players):
            raise
    return Planned(found, [one.body for one in change.drafts], new_only)


def planned_results(page: Page, one: Round | None, data: bytes, file: str) -> tuple[Filed, list[str]]:
    """What the list would come to as the event is seen, and what a person looks at before it is done."""
    seen = page.seen
    if seen is None or one is None or one.seating is None:
        raise Refused(N_("Nobody is seated yet: there are no results to enter."))
    found = filed(data, file, seen.state, one, lambda _tables: page.boxes)
    if not found.entries and found.same:
        raise Refused(N_("every game of the list is entered already, just so: {count}"), count=len(found.same))
    after = imagined(seen, results.enter(seen.state, one.key, found.entries).drafts)
    remarks: list[DalejError] = [*found.doubts, *found.remarks]
    for at in sorted(found.entries):
        remarks += [of_game(at, told) for told in results.remarks(after, after.rounds[one.key], at)]
    count = len(found.entries)
    words = [ngettext("{count} game would be entered.", "{count} games would be entered.", count).format(count=count)]
    if found.same:
        words.append(_("Unchanged: {count}").format(count=len(found.same)))
    if blank := [at for at in found.file.blank if at not in one.results]:
        words.append(_("Not filled in: {games}").format(games=results.games_words(blank)))
    return found, [*words, *told(found.file.table, found.file.unread), *map(said, remarks)]


def told(table: Table, unread: Sequence[str]) -> list[str]:
    """How it was read: which sheet and columns were not, what stands above the headings, in which encoding."""
    lines = []
    if unread:
        columns = ", ".join(map(readable, unread))
        lines.append(_("not read, and not kept: {columns}").format(columns=columns))
    if table.others:
        lines.append(_("read: the sheet “{sheet}”").format(sheet=readable(table.sheet)))
    if table.above:
        above = " / ".join(map(readable, table.above))
        lines.append(_("headings: line {line}; above them, and not read: {above}").format(line=table.line, above=above))
    if table.encoding and not table.encoding.startswith("utf"):
        lines.append(_("read as {encoding}; look whether the names are right").format(encoding=table.encoding))
    return lines
