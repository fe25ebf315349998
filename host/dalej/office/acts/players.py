"""Acts about players: warned, excluded, gone, back, taken off a chair, given one late, signed up, renamed. Where one
of them sits in a game, the box skips the seat or lets it in again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.tournament import Player, Tournament
from dalej.event.event import Change, Event, queue
from dalej.event.ledger import Decision
from dalej.event.roundgames import games_of_round
from dalej.office import attendance, signups
from dalej.office.acts.act import About, Act, Anyway, Asked, Count, PlayerNumber, missing
from dalej.office.acts.attable import TableNow, ask, table_at
from dalej.office.acts.games import stopped
from dalej.office.acts.restoring import as_it_was, let_in_again, own_undo
from dalej.office.acts.roles import REFEREES
from dalej.office.acts.undoing import undoable
from dalej.office.acts.wishes import Done, Wish, cursors, done, taken_back
from dalej.office.players import find, proper_group, proper_name
from dalej.office.publicnames import public_names
from dalej.office.signups import SignUp
from dalej.words import N_

Group = Annotated[str, Asked("text", N_("class, club or town"))]

_HAS_LEFT: Final = N_("{name} has left.")
_EXCLUDED: Final = N_("{name} is excluded.")


_CONDUCT: Final = (
    N_("talked about the game while it went on"),
    N_("touched tiles after the time was over"),
    N_("did not follow the referee"),
    N_("disturbed another table"),
    N_("touches others' tiles"),
    N_("comes late"),
    N_("disturbs the game"),
    N_("argues with the referee"),
)


class OfPlayer(Act, frozen=True):
    """An act about one player. `seated`: of a table it is about one of those who sit there."""

    about: ClassVar[About] = "player"
    seated: ClassVar[bool] = True
    player: PlayerNumber

    def found(self, state: Tournament) -> Player:
        """Whom it is about; WrongInput if there is nobody of that number."""
        return find(state, str(self.player))


class Warn(OfPlayer, frozen=True):
    """A warning, counted."""

    name = "warn"
    title = N_("warn a player")
    reasons = _CONDUCT
    roles = REFEREES
    why = True
    topics = ("conduct",)

    def do(self, event: Event, wish: Wish) -> Done:
        made = event.change(lambda state: attendance.warn(self.found(state), wish.why))
        player = event.state().players[self.player]
        said = N_("{name} is warned; warnings by now: {count}.")
        return done(said, name=player.name, count=len(player.warnings), decisions=cursors(made),
                    undo=own_undo(made, wish))  # fmt: skip


class Exclude(OfPlayer, frozen=True):
    """Out for good."""

    name = "exclude"
    title = N_("exclude a player")
    reasons = _CONDUCT
    roles = REFEREES
    why = True
    topics = ("conduct",)
    confirm = N_("{name} leaves the tournament, excluded; the seat is skipped from now on.")
    unwarned: Annotated[bool, Asked("flag", N_("without warning"))] = False

    @classmethod
    def means(cls, name: str, args: Mapping[str, object], state: Tournament | None) -> bool:
        """Where no warning is asked for, nobody asks about one."""
        return name != "unwarned" or state is None or state.ruleset.exclusion != attendance.OUTRIGHT

    def do(self, event: Event, wish: Wish) -> Done:
        def plan(state: Tournament, player: Player) -> Change:
            return attendance.exclude(state, player, wish.why, without_warning=self.unwarned)

        return _goes(event, self, wish, _EXCLUDED, plan)


class Withdraw(OfPlayer, frozen=True):
    """Leaves for good, at any moment. Of one who has left already a box that still counts the seat is told."""

    name = "withdraw"
    title = N_("a player withdraws")
    keeps_why = True
    reasons = (N_("did not appear"), N_("is ill"), N_("had to go home"))
    roles = REFEREES
    topics = ("withdrawal",)
    confirm = N_("{name} leaves the tournament for good; the seat is skipped from now on.")

    def do(self, event: Event, wish: Wish) -> Done:
        why = wish.why or None
        return _goes(event, self, wish, _HAS_LEFT, lambda _state, player: attendance.withdraw(player, why))


class Back(OfPlayer, frozen=True):
    """A withdrawal is taken back."""

    name = "back"
    title = N_("a player is back")
    keeps_why = True
    seated = False
    topics = ("withdrawal",)

    def do(self, event: Event, wish: Wish) -> Done:
        number = self.found(event.state()).number
        with event.together():
            made = event.change(lambda state: attendance.back(state, state.players[number], wish.why or None))
            state = event.state()
            name, at = state.players[number].name, _seat_in_game(event, state, number)
            requests = [] if at is None else let_in_again(event, at[0], at[1], wish.why)
            waits = state.players[number].waits is not None
        undo = Withdraw(number).wish(taken_back(wish.why))
        if waits:
            return done(N_("{name} is back and waits for a place."), name=name, decisions=cursors(made), undo=undo)
        if not requests or at is None:
            return done(N_("{name} plays on."), name=name, decisions=cursors(made), undo=undo)
        said = N_("{name} plays on; the box of table {table} is asked to let seat {seat} in again, its clock stands.")
        return done(said, name=name, table=at[0].table, seat=SEATS[at[1]], decisions=cursors(made),
                    requests=requests, undo=undo)  # fmt: skip


def _goes(event: Event, act: OfPlayer, wish: Wish, template: str, plan: Callable[[Tournament, Player], Change]) -> Done:
    player = act.found(event.state())
    at = _seat_in_game(event, event.state(), player.number)
    skips = at is not None and bool((at[0].at.seats & ~at[0].at.out) >> at[1] & 1)
    made: list[Decision] = []
    requests: list[int] = []
    with event.together():
        if player.gone is None or not skips:
            made = event.change(lambda state: plan(state, state.players[player.number]))
        if at is not None and skips:
            requests = [*stopped(event, at[0], wish.why),
                        ask(event, at[0], "withdraw", {"seat": SEATS[at[1]]}, wish.why)]  # fmt: skip
    numbers = cursors(made)
    if at is None or not skips:
        return done(template, name=player.name, decisions=numbers, undo=own_undo(made, wish))
    now, seat = at
    said = N_("{name} has left; the box of table {table} is asked to skip seat {seat}, its clock stands.")
    return done(said, name=player.name, table=now.table, seat=SEATS[seat], decisions=numbers, requests=requests,
                undo=as_it_was(now, wish, numbers) or own_undo(made, wish))  # fmt: skip


def _seat_in_game(event: Event, state: Tournament, player: int) -> tuple[TableNow, int] | None:
    """The table with a game of this round under way at which the player sits, and the seat 0..3; None also where a
    table still plays the round before, in which others sit there.
    """
    current = state.current
    place = None if current is None or current.seating is None else current.seating.place_of(player)
    if current is None or place is None:
        return None
    table, seat = place
    now = table_at(event.read(), table)
    if now is None or not now.plays:
        return None
    games = games_of_round(event.read(), state, current.key, [table]).values()
    return (now, seat) if any(game.holds(now.box, now.at.epoch, now.at.dealt_seq) for game in games) else None


class SignUpOne(Act, frozen=True, rename={"full_name": "name"}):
    """One player; the next number is theirs. `qualified`: for the final already; `consent`: of a parent, on file."""

    name = "sign_up"
    title = N_("sign up a player")
    topics = ("form",)
    full_name: Annotated[str, Asked("text", N_("name"))]
    group: Group = ""
    anyway: Anyway = ""
    qualified: bool = False
    consent: bool | None = None

    def do(self, event: Event, wish: Wish) -> Done:
        wanted = SignUp(0, proper_name(self.full_name), proper_group(self.group), self.qualified, self.consent)
        made = event.change(lambda state: signups.enter(state, [wanted], anyway=self.anyway))
        number, waits = int(str(made[-1].body["player"])), [one.number for one in queue(event.state())]
        place = waits.index(number) + 1 if number in waits else 0
        said = N_("{name} is player {number}.")
        if place:
            said = N_("{name} is player {number} and waits for a place: {place} on the waiting list.")
        return undoable(said, made, wish, name=wanted.name, number=number, place=place)


class SignUpList(Act, frozen=True):
    """A whole list, all of it or nothing; `new_only` passes over whoever is there already, `file`: where it stands."""

    name = "sign_up_list"
    title = N_("sign up a list")
    offered = False
    topics = ("form",)
    players: Annotated[tuple[SignUp, ...], Meta(min_length=1)]
    anyway: str = ""
    new_only: bool = False
    file: str = ""

    def do(self, event: Event, wish: Wish) -> Done:
        proper = [
            replace(
                one, name=proper_name(one.name), group=proper_group(one.group), surname=proper_group(one.surname),
                town=proper_group(one.town),
            ) for one in self.players
        ]  # fmt: skip

        def plan(state: Tournament) -> Change:
            return signups.enter(state, proper, file=self.file, anyway=self.anyway, new_only=self.new_only)

        made = event.change(plan)
        if not made:
            return done(N_("Nobody new: all of them were signed up already."))
        said = N_("One player is signed up.") if len(made) == 1 else N_("{count} players are signed up.")
        return done(said, count=len(made), decisions=cursors(made), undo=own_undo(made, wish))


class Consent(Act, frozen=True):
    """A parent's consent of these players is on file, or it is not after all."""

    name = "consent"
    title = N_("a parent's consent")
    topics = ("form",)
    players: Annotated[tuple[Count, ...], Meta(min_length=1), Asked("players", N_("players"))]
    missing: Annotated[bool, Asked("flag", N_("it is not on file after all"))] = False

    def do(self, event: Event, wish: Wish) -> Done:
        numbers = [*dict.fromkeys(self.players)]

        def plan(state: Tournament) -> Change:
            return signups.consent([find(state, str(one)) for one in numbers], on_file=not self.missing)

        made = event.change(plan)
        names = ", ".join(event.state().players[one].name for one in numbers)
        said = N_("A parent's consent is on file: {name}.")
        if self.missing:
            said = N_("A parent's consent is not on file: {name}.")
        if len(made) == 1:
            return undoable(said, made, wish, name=names)
        return done(said, name=names, decisions=cursors(made), undo=own_undo(made, wish))  # all of them, not the last


class ChangePlayer(OfPlayer, frozen=True, rename={"full_name": "name"}):
    """The same player under another name, or in another class, club or town, or with another word for the surname; what
    is left out stays.
    """

    name = "change_player"
    title = N_("correct a name or a group")
    keeps_why = True
    full_name: Annotated[str, Asked("text", N_("name"))] | None = None
    group: Group | None = None
    surname: Annotated[str, Asked("text", N_("surname, as it stands in the name"))] | None = None

    def do(self, event: Event, wish: Wish) -> Done:
        if self.full_name is None and self.group is None and self.surname is None:
            raise missing(self, "name")
        before = self.found(event.state())

        def plan(state: Tournament) -> Change:
            player = self.found(state)
            name = player.name if self.full_name is None else self.full_name
            group = player.group if self.group is None else self.group
            return signups.change_player(state, player, name, group, wish.why or None, self.surname or "")

        made = event.change(plan)
        player = event.state().players[self.player]
        if not made:
            return done(N_("{name} is written so already."), name=player.name)
        if player.surname != before.surname:
            called = public_names(event.state())[self.player]
            return undoable(N_("Player {number}, {name}: the surname is {surname} (in public {called})."), made, wish,
                            number=self.player, name=player.name, surname=player.surname, called=called)  # fmt: skip
        if player.name == before.name:
            return undoable(N_("Player {number}, {name}: {old} → {new}."), made, wish, number=self.player,
                            name=player.name, old=before.group or "–", new=player.group or "–")  # fmt: skip
        called = public_names(event.state())[self.player]
        said = N_("Player {number}, {old}, is written {name} now.")
        if called != player.name:
            said = N_("Player {number}, {old}, is written {name} now (in public {called}).")
        return undoable(said, made, wish, number=self.player, old=before.name, name=player.name, called=called)
