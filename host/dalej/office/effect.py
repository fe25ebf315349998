"""What a tournament would be otherwise by a change, in sentences: who plays, who sits, what is closed, places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dalej.domain.scoring.points import total
from dalej.domain.tournament.fold import standings
from dalej.domain.tournament.stages import round_name, stage_name
from dalej.domain.tournament.tournament import Player, Round, RoundKey, Tournament
from dalej.event.boxplaces import BoxPlace
from dalej.office.decisionwords import game_words, option_words
from dalej.office.seating import moving_up
from dalej.words import _, day_shown, ngettext, readable, said


def effect(before: Tournament, after: Tournament) -> list[str]:
    """A sentence for everything that changes; empty if nothing that a person would notice does."""
    return [
        *_event(before, after),
        *_players(before, after),
        *_rounds(before, after),
        *_stages(before, after),
        *places(before, after),
    ]


def boxes_moved(before: Sequence[BoxPlace], after: Sequence[BoxPlace]) -> Iterator[str]:
    """A sentence for every table whose box changes."""
    was, becomes = ({one.table: one for one in places} for places in (before, after))
    for table in sorted(was.keys() | becomes.keys()):
        old, new = was.get(table), becomes.get(table)
        if old is not None and new is None:
            yield _("table {table} has no box").format(table=table)
        elif new is not None and (old is None or old.box != new.box):
            yield _("box {box} stands on table {table}").format(box=readable(new.called), table=table)
        elif new != old:
            yield _("table {table}: it keeps its box, but other facts of that box count").format(table=table)


def _event(before: Tournament, after: Tournament) -> Iterator[str]:
    for was, becomes in (
        (before.name, after.name),
        (before.town, after.town),
        (day_shown(before.date), day_shown(after.date)),
    ):
        if was != becomes:
            yield _("the event: {before} → {after}").format(before=_text(was), after=_text(becomes))
    for at in dict.fromkeys((*before.dates, *after.dates)):
        was, becomes = (day_shown(state.dates.get(at, "")) for state in (before, after))
        if was != becomes:
            yield _("{round}: {change}").format(round=round_name(*at), change=f"{_text(was)} → {_text(becomes)}")
    if before.ruleset.id != after.ruleset.id:
        yield _("the ruleset: {before} → {after}").format(
            before=readable(before.ruleset.id), after=readable(after.ruleset.id)
        )
    for key in dict.fromkeys((*before.options, *after.options)):
        was, becomes = (_option(state, key) for state in (before, after))
        if was != becomes:
            yield _("{key}: {before} → {after}").format(key=readable(key), before=was, after=becomes)


def _option(state: Tournament, key: str) -> str:
    return option_words(key, state.options[key]) if key in state.options else _("as the ruleset says")


def _players(before: Tournament, after: Tournament) -> Iterator[str]:
    for number in dict.fromkeys((*before.players, *after.players)):
        was, becomes = before.players.get(number), after.players.get(number)
        if becomes is None and was is not None:
            yield _("{player} is no longer signed up").format(player=_person(was))
        elif was is None and becomes is not None:
            yield _("{player} is signed up").format(player=_person(becomes))
        elif was is not None and becomes is not None:
            yield from _player(was, becomes)
    up = [
        one for number, one in after.players.items()
        if number in before.players and before.players[number].waits is not None and one.waits is None
    ]  # fmt: skip
    yield from (said(one.told) for one in moving_up(after, up))


def _player(was: Player, becomes: Player) -> Iterator[str]:
    if was.name != becomes.name:
        yield _("{player}: the name becomes {name}").format(player=_person(was), name=readable(becomes.name))
    if was.group != becomes.group:
        yield _("{player}: {before} → {after}").format(
            player=_person(was), before=_text(was.group), after=_text(becomes.group)
        )
    if (was.qualified, was.consent) != (becomes.qualified, becomes.consent):
        yield _("{player}: what is on file changes").format(player=_person(was))
    if was.gone is not None and becomes.gone is None:
        yield _("{player} plays on").format(player=_person(was))
    elif becomes.gone is not None and (was.gone is None or was.gone.how != becomes.gone.how):
        excluded = becomes.gone.how == "excluded"
        template = _("{player} is excluded") if excluded else _("{player} withdraws")
        yield template.format(player=_person(was))
    if was.waits is None and becomes.waits is not None:
        yield _("{player} waits for a place").format(player=_person(was))
    if len(was.warnings) != len(becomes.warnings):
        yield _("{player}: warnings {before} → {after}").format(
            player=_person(was), before=len(was.warnings), after=len(becomes.warnings)
        )


def _rounds(before: Tournament, after: Tournament) -> Iterator[str]:
    for key in dict.fromkeys((*before.rounds, *after.rounds)):
        was, becomes = before.rounds.get(key), after.rounds.get(key)
        if was == becomes:
            continue
        yield from (
            _("{round}: {change}").format(round=round_name(*key), change=change)
            for change in (*_seating(was, becomes), *_state(was, becomes), *_absent(was, becomes, before))
        )
        yield from _results(key, was, becomes)


def _seating(was: Round | None, becomes: Round | None) -> Iterator[str]:
    sat, sits = (
        {} if one is None or one.seating is None else {table.table: table.players for table in one.seating.tables}
        for one in (was, becomes)
    )
    changed = sum(sat.get(table) != sits.get(table) for table in sat.keys() | sits.keys())
    if changed and not sits:
        yield ngettext("{count} table is no longer seated", "{count} tables are no longer seated", changed).format(
            count=changed
        )
    elif changed:
        yield ngettext("{count} table is seated otherwise", "{count} tables are seated otherwise", changed).format(
            count=changed
        )
    was_locked, is_locked = (
        one is not None and one.seating is not None and one.seating.locked is not None for one in (was, becomes)
    )
    if sits and was_locked != is_locked:
        yield _("the seating is locked") if is_locked else _("the seating is not locked")


def _state(was: Round | None, becomes: Round | None) -> Iterator[str]:
    closed, closes = (one is not None and one.closed is not None for one in (was, becomes))
    if closed != closes:
        yield _("closed") if closes else _("open again")
    ran, runs = (None if one is None else one.clock for one in (was, becomes))
    if ran != runs:
        yield _("no round clock runs") if runs is None else _("the round clock is another")
    ruled, rules = (() if one is None else one.rulings for one in (was, becomes))
    if ruled != rules:
        yield _("a referee's ruling changes")


def _absent(was: Round | None, becomes: Round | None, state: Tournament) -> Iterator[str]:
    missed, misses = (frozenset() if one is None else one.absent for one in (was, becomes))
    for player in sorted(missed ^ misses):
        template = _("{player} is absent") if player in misses else _("{player} is not marked absent")
        yield template.format(player=_number(state, player))


def _results(key: RoundKey, was: Round | None, becomes: Round | None) -> Iterator[str]:
    stood, stand = ({} if one is None else one.results for one in (was, becomes))
    unconfirmed = set()
    for at in sorted(stood.keys() | stand.keys()):
        old, new = stood.get(at), stand.get(at)
        game = game_words(*key, *at)
        if new is None:
            yield _("{game}: no result").format(game=game)
        elif old is None or (old.sheet, old.scores) != (new.sheet, new.scores):
            yield _("{game}: another result").format(game=game)
        if old is not None and old.confirmed is not None and (new is None or new.confirmed is None):
            unconfirmed.add(at.table)
    for table in sorted(unconfirmed):
        yield _("{round}: the results of table {table} are not confirmed").format(round=round_name(*key), table=table)


def _stages(before: Tournament, after: Tournament) -> Iterator[str]:
    for stage in dict.fromkeys((*before.entrants, *after.entrants)):
        if stage == after.plan[0].id:
            continue
        count = len(after.entrants.get(stage, ()))
        if before.entrants.get(stage) != after.entrants.get(stage):
            yield ngettext("{stage}: {count} player takes part", "{stage}: {count} players take part", count).format(
                stage=stage_name(stage), count=count
            )


def places(before: Tournament, after: Tournament, stage: str | None = None) -> Iterator[str]:
    """Lines of the standings, or of those of one stage, that move or have other points."""
    was, becomes = ({line.player: line for line in standings(state, stage)} for state in (before, after))
    for player, line in was.items():
        new = becomes.get(player)
        if new is None:
            continue
        changes = [
            template.format(before=total(old), after=total(now))
            for template, old, now in (
                (_("place {before} → {after}"), line.place, new.place),
                (_("big points {before} → {after}"), line.big or 0, new.big or 0),
                (_("small points {before} → {after}"), line.small, new.small),
            ) if old != now
        ]  # fmt: skip
        if changes:
            yield _("{player}: {changes}").format(player=_number(before, player), changes=", ".join(changes))


def counted_apart(state: Tournament, key: RoundKey) -> str | None:
    """The stage of that round, once another one has begun at zero after it and the standings show that one's points."""
    return key.stage if [*state.entrants][-1] != key.stage else None


def _person(player: Player) -> str:
    return _("{name} ({number})").format(name=readable(player.name), number=player.number)


def _number(state: Tournament, player: int) -> str:
    known = state.players.get(player)
    return str(player) if known is None else _person(known)


def _text(text: str) -> str:
    return readable(text) or "–"
