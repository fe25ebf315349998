"""The shape of a tournament: its stages, how many play in each, who goes on; and what stages and rounds are called
where people read of them. Programs, files and the command line keep the ids. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from dalej.domain.rules.clauses import Reason
from dalej.domain.rules.rulesets import Ruleset, Stage
from dalej.domain.tournament.seating import Tables
from dalej.domain.tournament.standings import Line
from dalej.domain.tournament.tournament import Tournament
from dalej.errors import DalejError, Refused, Sayable
from dalej.words import N_, _, said

_STAGES: Final = {
    "league": N_("League"), "preliminaries": N_("Preliminaries"), "semifinal": N_("Semifinal"), "final": N_("Final"),
    "series": N_("Series"),
}  # fmt: skip


def stage_said(stage: str) -> DalejError:
    """A stage as a part of an error's sentence, which `dalej.words.said` puts into the reader's language."""
    return DalejError(_STAGES[stage]) if stage in _STAGES else DalejError("{stage}", stage=stage)


def round_said(stage: str, number: int) -> DalejError:
    """A round as a part of an error's sentence."""
    return DalejError(N_("{stage}, round {round}"), stage=stage_said(stage), round=number)


def stage_name(stage: str) -> str:
    """A stage as people call it; one that an organiser named keeps its name."""
    return said(stage_said(stage))


def round_name(stage: str, number: int) -> str:
    """Stage and round, both in the reader's words."""
    return said(round_said(stage, number))


def corrections(state: Tournament, stage: str | None) -> list[str]:
    """A sentence for each closed round, of that stage or of any, that counts other numbers than when it was closed."""
    return [
        _("{round} was corrected after it was closed: {games}.").format(
            round=round_name(*one.key),
            games=", ".join(_("table {table}, game {game}").format(table=at.table, game=at.game) for at in games),
        )
        for one in state.rounds.values() if stage in (None, one.key.stage) and (games := one.corrected())
    ]  # fmt: skip


SEMIFINAL: Final = "semifinal"


def plan(ruleset: Ruleset, players: int, entered: Collection[str] = ()) -> tuple[Stage, ...]:
    """The stages for so many players, their numbers settled (8 or 16 to the semifinal).

    A later stage that would leave nobody out is not played: up to 8 players go from the preliminaries to the final, up
    to 4 play the preliminaries alone. The stage after one not played takes the best of the whole stage before it.
    Before anybody has signed up all are planned. `players`: of an event see `tournamentfold`; `entered`: later stages
    that are played already, which stay in the plan, as those passed over on the way to them stay out.
    """
    ids = [stage.id for stage in ruleset.stages]
    settled = max((place for place, stage in enumerate(ids) if stage in entered), default=0)
    planned: list[Stage] = []
    come_in, dropped = players, False
    for place, stage in enumerate(ruleset.stages):
        takes = _semifinalists(ruleset, players) if stage.id == SEMIFINAL and stage.takes is None else stage.takes
        leaves_nobody_out = bool(players) and takes is not None and takes >= come_in
        if planned and (stage.id not in entered if place <= settled else leaves_nobody_out):
            dropped = True
            continue
        planned.append(replace(stage, takes=takes, by="rank" if dropped else stage.by))
        come_in, dropped = come_in if takes is None else takes, False
    return tuple(planned)


def remarks(ruleset: Ruleset, players: int, *, closed: bool) -> list[Reason]:
    """What the organiser must know before the first draw with so many players: too few, too many, each with its
    clause. Going on is allowed, knowingly. `players`: as many as count by `players_counted`.
    """
    if ruleset.players_counted == "signed_up":
        return _remarks(ruleset, players, closed, (
            N_("players signed up: {players}, expected at least {least}; going on is the organiser's decision"),
            N_("players signed up: {players}, expected at least {least} in a closed event; going on is the organiser's "
               "decision"),
            N_("players signed up: {players}, expected at most {most}; going on is the organiser's decision"),
        ))  # fmt: skip
    return _remarks(ruleset, players, closed, (
        N_("players here: {players}, expected at least {least}; going on is the organiser's decision"),
        N_("players here: {players}, expected at least {least} in a closed event; going on is the organiser's "
           "decision"),
        N_("players here: {players}, expected at most {most}; going on is the organiser's decision"),
    ))  # fmt: skip


def advancing(
    stage: Stage, into: Stage, lines: Sequence[Line], last_round: Tables, gone: frozenset[int],
    among: Callable[[Collection[int]], Sequence[Line]] | None = None, *, unplayed_last: bool = True,
) -> list[int]:  # fmt: skip
    """Players who go on, best first; whoever has left is passed over. Refused if a tie at the cut is undecided: the
    message names who is level. `among(players)`: their lines, ranked among themselves; None: as they are in `lines`.

    By table, equally many of each; places left over, because they cannot be shared out equally or a table has too few
    left, go to the best of all others. `unplayed_last`: whoever has not played in the stage goes on only
    after everybody who has.
    """
    staying = [line for line in lines if line.player not in gone]
    if into.takes is None:
        return [line.player for line in staying]

    def ranked(players: Collection[int]) -> Sequence[Line]:
        return among(players) if among is not None else [line for line in staying if line.player in players]

    played = frozenset(line.player for line in staying if not (unplayed_last and line.absent))
    unplayed = frozenset(line.player for line in staying) - played
    chosen: set[int] = set()
    cuts: list[list[Line]] = []

    def take(count: int, best_first: Sequence[Line]) -> None:
        chosen.update(line.player for line in best_first[:count])
        cuts.append(_level_at(count, best_first))

    if into.by == "table" and last_round:
        each = into.takes // len(last_round)
        for table in last_round:
            take(each, ranked(played.intersection(table)))
    for group in (played, unplayed):
        take(max(0, into.takes - len(chosen)), ranked(group - chosen))
    for level in cuts:
        if len({line.player in chosen for line in level}) > 1:
            raise _undecided(stage, into, level)
    return [line.player for line in staying if line.player in chosen]


def _semifinalists(ruleset: Ruleset, players: int) -> int | None:
    up_to = ruleset.semifinal_small_up_to
    small, large = ruleset.semifinal_small, ruleset.semifinal_large
    if small is None or large is None:
        return large if small is None else small
    return small if up_to is None or players <= up_to else large


def _remarks(ruleset: Ruleset, players: int, closed: bool, words: tuple[str, str, str]) -> list[Reason]:
    """`words`: for too few, too few in a closed event, too many."""
    too_few, too_few_closed, too_many = words
    found: list[Reason] = []
    least, closed_least, most = ruleset.players_min, ruleset.closed_players_min, ruleset.players_max
    if least is not None and players < least:
        found.append(_remark(ruleset, "players_min", too_few, players=players, least=least))
    if closed and closed_least is not None and players < closed_least:
        found.append(_remark(ruleset, "closed_players_min", too_few_closed, players=players, least=closed_least))
    if most is not None and players > most:
        found.append(_remark(ruleset, "players_max", too_many, players=players, most=most))
    tables, most_tables = -(-players // ruleset.seats_max), ruleset.tables_max
    if most_tables is not None and tables > most_tables:
        told = N_("players: {players}, who need {tables} tables, expected at most {most}; going on is the organiser's "
                  "decision")  # fmt: skip
        found.append(_remark(ruleset, "tables_max", told, players=players, tables=tables, most=most_tables))
    return found


def _remark(ruleset: Ruleset, key: str, template: str, **data: Sayable) -> Reason:
    rule = ruleset.rule(key)
    return Reason(template, rule.clause, rule.quote, data)


def _level_at(cut: int, lines: Sequence[Line]) -> list[Line]:
    """Those of the lines who share the place of the last one before the cut."""
    return [line for line in lines if line.place == lines[cut - 1].place] if 0 < cut < len(lines) else []


def _undecided(stage: Stage, into: Stage, level: Iterable[Line]) -> Refused:
    players = tuple(line.player for line in level)
    return Refused(
        N_("{stage}: players {level} are level for the last places in {into}; the head referee decides their order"),
        level=", ".join(map(str, players)),
        stage=stage_said(stage.id),
        into=stage_said(into.id),
        players=players,
    )
