"""Standings as a screen shows them: place, how it changed since the round before, who is level, sums; and a player's
rounds in words. Pure but for the widths of words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from dalej.domain.eventstandings import standings
from dalej.domain.stagewords import round_name
from dalej.domain.standings import Line as Standing
from dalej.domain.tournament import RoundKey, Tournament
from dalej.office.players import folded
from dalej.points import gained, total
from dalej.tui.widgets.grid import Cell, Line, Place
from dalej.words import _, ngettext, readable

UP, DOWN, SAME, NEW = "▲", "▼", "·", "+"
LEVEL: Final = "="
_NAME_LEAST: Final = 14


@dataclass(frozen=True, slots=True)
class Listed:
    """A line; `moved`: places won since the round before, None: was not in it; `open`: the head referee decides."""

    line: Standing
    name: str
    group: str
    moved: int | None
    open: bool
    gone: bool


def stages(state: Tournament) -> list[str | None]:
    """What there are standings of: the whole event if it has several stages, and every stage that was reached."""
    reached: list[str | None] = [one.id for one in state.plan if one.id in state.entrants]
    return [None, *reached] if len(state.plan) > 1 else reached


def groups(state: Tournament) -> list[str]:
    """Classes, clubs or towns, in their order."""
    return sorted({player.group for player in state.players.values() if player.group}, key=folded)


def listed(state: Tournament, stage: str | None) -> list[Listed]:
    """All lines, best first."""
    now = standings(state, stage)
    before = _places_before(state, stage)
    return [
        Listed(
            line, readable(state.players[line.player].name), readable(state.players[line.player].group),
            before[line.player] - line.place if line.player in before else None,
            line.level and not line.absent and state.players[line.player].gone is None and bool(line.games),
            state.players[line.player].gone is not None,
        )
        for line in now
    ]  # fmt: skip


def before_words(state: Tournament, stage: str | None) -> str:
    """Since when the places have changed; "" if there is nothing before."""
    key = _before(state, stage)
    return "" if key is None else round_name(*key)


def _before(state: Tournament, stage: str | None) -> RoundKey | None:
    """The round before the latest one with results."""
    last = [name for name in state.entrants if name in {one.id for one in state.plan}][-1]
    played = [key for key, one in state.rounds.items() if one.results and key.stage == (stage or last)]
    return RoundKey(played[-1].stage, played[-1].round - 1) if played and played[-1].round > 1 else None


def _places_before(state: Tournament, stage: str | None) -> Mapping[int, int]:
    key = _before(state, stage)
    if key is None:
        return {}
    return {line.player: line.place for line in standings(state, stage, through=key.round)}


def chosen(lines: Sequence[Listed], group: str, search: str) -> list[Listed]:
    """Those of a group ("": any) whose name has every word of what is searched for."""
    words = folded(search).split()
    return [
        one for one in lines
        if (not group or one.group == readable(group)) and all(word in folded(one.name) for word in words)
    ]  # fmt: skip


def level_with(lines: Sequence[Listed], player: int, asked: Collection[int] = ()) -> list[Listed]:
    """Everybody who shares the place of that player and has not left; one alone is level with nobody. `asked`: whom the
    cut waits for; on their place it is for them alone, whoever is level with them at another table.
    """
    place = next((one.line.place for one in lines if one.line.player == player), 0)
    waits = [one for one in lines if one.line.player in asked]
    if any(one.line.place == place for one in waits):
        return waits
    return [one for one in lines if one.line.place == place and one.open]


def moved_mark(one: Listed) -> str:
    """`▲2`, `▼1`, `·`, and `+` for who is new; "" where there is nothing before."""
    if one.moved is None:
        return NEW
    return f"{UP}{one.moved}" if one.moved > 0 else f"{DOWN}{-one.moved}" if one.moved else SAME


def moved_words(one: Listed) -> str:
    """The same in words."""
    if one.moved is None:
        return _("new in the list")
    if one.moved == 0:
        return _("same place")
    count = abs(one.moved)
    if one.moved > 0:
        return ngettext("{count} place up", "{count} places up", count).format(count=count)
    return ngettext("{count} place down", "{count} places down", count).format(count=count)


def note(one: Listed) -> str:
    """Why a place is not settled, or who has left."""
    if one.gone:
        return _("left the event")
    if one.open:
        return _("level: o orders them")
    return _("no game yet") if one.line.absent else ""


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns there is room for, in order: `names` of them, and where they stand."""

    names: tuple[str, ...]
    places: tuple[Place, ...]


def shape(room: int, lines: Sequence[Listed], *, changes: bool, stage_column: bool) -> Shape:
    """Places, then names as wide as there is room; group and notes where there is any."""
    noted = max((cell_len(note(one)) for one in lines), default=0)
    wanted = [("place", _("place"), 6, True)]
    wanted += [("moved", _("chg"), 4, False)] if changes else []
    wanted += [("big", _("big"), 5, True)] if any(one.line.big is not None for one in lines) else []
    wanted += [("small", _("small"), 6, True), ("games", _("games"), 6, True)]
    wanted += [("note", _("note"), max(20, noted), False)] if noted else []
    wanted += [("stage", _("stage"), 14, False)] if stage_column else []
    columns = [(name, title, max(width, cell_len(title)), right) for name, title, width, right in wanted]
    gap = 2 if _rest(room, columns, 2) >= _NAME_LEAST else 1
    rest = _rest(room, columns, gap)
    named = [("name", _("player"), rest, False)]
    if any(one.group for one in lines) and rest >= _NAME_LEAST + 10:
        width = min(18, rest - _NAME_LEAST - gap)
        named = [("name", _("player"), rest - width - gap, False), ("group", _("group"), width, False)]
    longest = max([_NAME_LEAST, cell_len(_("player")), *(cell_len(one.name) for one in lines)]) + 2
    named[0] = ("name", _("player"), max(4, min(longest, named[0][2])), False)
    before = 2 if changes else 1  # the place, and how it has changed
    at, places, order = 1, [], [*columns[:before], *named, *columns[before:]]
    for _name, title, width, right in order:
        places.append(Place(title, at, width, right))
        at += width + gap
    return Shape(tuple(name for name, *_rest_of in order), tuple(places))


def _rest(room: int, columns: Sequence[tuple[str, str, int, bool]], gap: int) -> int:
    """What these columns leave for the name."""
    return room - 1 - sum(width + gap for _name, _title, width, _right in columns) - gap


def as_line(one: Listed, shape: Shape) -> Line:
    """The player's line."""
    return Line(one.line.player, tuple(_cell(one, name) for name in shape.names))


def _cell(one: Listed, name: str) -> Cell:
    line = one.line
    match name:
        case "place":
            return Cell(f"{LEVEL if one.open else ''}{line.place}.", "table")
        case "moved":
            look = "quiet" if not one.moved else "runs" if one.moved > 0 else "patient"
            return Cell(moved_mark(one), look)
        case "name":
            return Cell(one.name, "quiet" if one.gone else "player")
        case "group":
            return Cell(one.group)
        case "big":
            return Cell("" if line.big is None else str(line.big), "table")
        case "small":
            return Cell(total(line.small))
        case "games":
            return Cell(str(line.games), "quiet")
        case "stage":
            return Cell(line.stage, "quiet")
        case _:
            return Cell(note(one), "urgent" if one.open else "quiet")


def player_words(state: Tournament, one: Listed, since: str) -> str:
    """The chosen player in words: change and rounds."""
    parts = [one.name]
    if since:
        parts.append(_("{change} since {round}").format(change=moved_words(one), round=since))
    rounds = [f"{round_name(*key)}: {said}" for key, said in _rounds(state, one.line.player)]
    return " · ".join([*parts, *rounds[-4:]])


def _rounds(state: Tournament, player: int) -> Iterator[tuple[RoundKey, str]]:
    for key, one in state.rounds.items():
        scores = [
            score
            for result in one.results.values() for score in result.scores
            if result.players.get(score.seat) == player
        ]  # fmt: skip
        if not scores:
            continue
        small = gained(sum(score.small for score in scores))
        big = [score.big for score in scores if score.big is not None]
        yield key, f"{sum(big)} / {small}" if big else small
