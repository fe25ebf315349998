"""Who gets a prize: the best of the whole event and of each class, club or town: to be read aloud, and as files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dalej.domain.scoring.points import total
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import corrections, stage_name
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import Refused
from dalej.office.paper.formats import Cell, Sheet, csv_bytes, pdf, xlsx_bytes
from dalej.office.paper.naming import latest_heading
from dalej.office.paper.standings import StandingsOf, played_through
from dalej.words import N_, _, alphabetical, ngettext, readable


@dataclass(frozen=True, slots=True)
class Placed:
    """A player among those compared. `place` from 1; `shared`: with others of them, and the next is skipped."""

    place: int
    shared: bool
    line: Line


@dataclass(frozen=True, slots=True)
class Placing:
    """Everybody of a class, club or town, best first; `group` None: everybody there is."""

    group: str | None
    players: Sequence[Placed]

    @property
    def title(self) -> str:
        """What it is called."""
        return _("The whole event") if self.group is None else readable(self.group)

    def best(self, places: int) -> list[Placed]:
        """Those at the first so many places; more of them where the last is shared."""
        return [one for one in self.players if one.place <= places]


def everybody(state: Tournament) -> Placing:
    """Who has played and was not excluded, at their places in the standings. Refused while nobody has."""
    played = {
        player for one in state.rounds.values() for result in one.results.values() for player in result.players.values()
    }
    lines = [line for line in standings(state) if line.player in played and not _excluded(state, line.player)]
    if not lines:
        raise Refused(N_("nobody has played yet: expected results before prizes"))
    at = [line.place for line in lines]
    return Placing(None, [Placed(line.place, at.count(line.place) > 1, line) for line in lines])


def by_group(state: Tournament) -> list[Placing]:
    """The same for each class, club or town, in their order, the places counted anew; none where nobody has one."""
    spelled: dict[str, str] = {}
    members: dict[str, list[Line]] = {}
    for one in everybody(state).players:
        group = " ".join(state.players[one.line.player].group.split())
        if group:
            key = group.casefold()
            spelled.setdefault(key, group)
            members.setdefault(key, []).append(one.line)
    ordered = sorted(members, key=lambda key: _in_order(key, state.ruleset.language))
    return [Placing(spelled[key], _placed(members[key])) for key in ordered]


def bare_name(state: Tournament, player: int) -> str:
    """The name without the class behind it that tells namesakes apart, where the class is said beside it."""
    one = state.players[player]
    behind = f" ({one.group})"
    return readable(one.name.removesuffix(behind) if one.group else one.name)


def _excluded(state: Tournament, player: int) -> bool:
    gone = state.players[player].gone
    return gone is not None and gone.how == "excluded"


def _in_order(group: str, language: str) -> tuple[object, ...]:
    """4b stands before 10a."""
    parts = [part for part in re.split(r"([0-9]+)", group) if part]
    return tuple((0, int(part), ()) if part.isdecimal() else (1, 0, alphabetical(part, language)) for part in parts)


def _placed(lines: Sequence[Line]) -> list[Placed]:
    at = [line.place for line in lines]
    return [Placed(at.index(line.place) + 1, at.count(line.place) > 1, line) for line in lines]


def prizes_pdf(state: Tournament, places: int) -> bytes:
    """A card for the whole event and one for each class, club or town."""
    whole = everybody(state)
    groups = by_group(state)
    alone = [one.line.player for one in whole.players if not state.players[one.line.player].group.strip()]
    names = sorted((readable(state.players[player].name) for player in alone), key=alphabetical)
    return pdf(
        "prizes",
        _("Prizes"),
        {
            **latest_heading(state), "prizes": _("Prizes"),
            "after": "" if state.over else played_through(state, StandingsOf(None, [])),
            "points": _points_heading(state, whole), "shared": _("shared place"),
            "corrections": corrections(state, None),
            "cards": [
                {
                    "title": one.title,
                    "players": ngettext("{count} player", "{count} players", len(one.players)).format(
                        count=len(one.players)
                    ),
                    "rows": [_row(state, one, winner) for winner in one.best(places)],
                }
                for one in (whole, *groups)
            ],
            "others": _("Without a class or club: {names}.").format(names=", ".join(names)) if names and groups else "",
        },
    )  # fmt: skip


def _row(state: Tournament, of: Placing, one: Placed) -> dict[str, object]:
    player = state.players[one.line.player]
    return {
        "place": one.place, "shared": one.shared, "points": _points(state, one.line),
        "name": readable(player.name) if of.group is None else bare_name(state, player.number),
        "group": readable(player.group) if of.group is None and not player.name.endswith(f"({player.group})") else "",
    }  # fmt: skip


def _points_heading(state: Tournament, whole: Placing) -> str:
    if len(state.plan) > 1:
        return _("Stage reached")
    return _("Small points") if whole.players[0].line.big is None else _("Big and small points")


def _points(state: Tournament, line: Line) -> str:
    """Of different stages they cannot be compared."""
    if len(state.plan) > 1:
        return stage_name(line.stage)
    return total(line.small) if line.big is None else f"{line.big} / {total(line.small)}"


def prizes_csv(state: Tournament, places: int, delimiter: str | None = None) -> bytes:
    """A row for each prize, the whole event first."""
    headings, rows = _columns(state, places)
    return csv_bytes(headings, [["" if cell is None else cell for cell in row] for row in rows], delimiter)


def prizes_xlsx(state: Tournament, places: int) -> bytes:
    """The same rows on one sheet."""
    headings, rows = _columns(state, places)
    return xlsx_bytes(state.name, [Sheet(_("Prizes"), headings, rows)])


def _columns(state: Tournament, places: int) -> tuple[list[str], list[list[Cell]]]:
    headings = [_("Group"), _("Place"), _("Player"), _("Stage reached"), _("Big points"), _("Small points"), _("Note")]
    rows: list[list[Cell]] = [
        [
            of.title, one.place, state.players[one.line.player].name, stage_name(one.line.stage), one.line.big,
            one.line.small, _("shared place") if one.shared else "",
        ]
        for of in (everybody(state), *by_group(state)) for one in of.best(places)
    ]  # fmt: skip
    return headings, rows


def prizes_fields(state: Tournament, places: int) -> list[dict[str, object]]:
    """A record for each prize under its JSON names, which never translate; `group` None: of the whole event."""
    return [
        {
            "group": of.group, "place": one.place, "shared": one.shared, "player": one.line.player,
            "name": state.players[one.line.player].name, "stage": one.line.stage, "big": one.line.big,
            "small": one.line.small,
        }
        for of in (everybody(state), *by_group(state)) for one in of.best(places)
    ]  # fmt: skip
