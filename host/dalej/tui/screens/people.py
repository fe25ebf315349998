"""The players: who signed up, who plays, who is absent or has left, who was warned; and what is done about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from dalej.domain.tournament import Player
from dalej.errors import Refused
from dalej.office import attendance, registering
from dalej.office.players import namesake, proper_group, proper_name
from dalej.quoting import quoted
from dalej.tui.room import Room
from dalej.tui.screens.peoplelist import PeopleList
from dalej.tui.widgets.actionbar import Button
from dalej.tui.widgets.headline import Outcome
from dalej.tui.widgets.question import Answers, Blank, Question, why_question
from dalej.words import N_, _, ngettext, readable

# Reasons that a digit puts in; they are kept with the decision as the referee's own words.
WARNINGS: Final = (
    N_("talked about the game while it went on"), N_("touched tiles after the time was over"),
    N_("did not follow the referee"), N_("disturbed another table"),
)  # fmt: skip
LEAVINGS: Final = (N_("did not appear"), N_("is ill"), N_("had to go home"))


class PeopleScreen(PeopleList):
    """A list that typing narrows down, and the acts on whoever the cursor is on."""

    CSS = """
    PeopleScreen #search-line { height: 1; }
    PeopleScreen #search-label { width: auto; padding: 0 1; }
    PeopleScreen #search { width: 1fr; height: 1; border: none; padding: 0; background: $boost; }
    PeopleScreen #group { width: auto; max-width: 40%; padding: 0 1; }
    PeopleScreen #players { height: 1fr; min-height: 4; }
    PeopleScreen #about { height: 3; padding: 0 1; background: $surface; color: $foreground; }
    """

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        for key, action, words in (
            ("i", "sign_up", _("sign up")), ("a", "away", _("absent, present")),
            ("w", "warn", _("warn")), ("x", "exclude", _("exclude")), ("u", "withdraw", _("withdraws")),
            ("r", "back", _("is back")), ("e", "change", _("name, group")),
        ):  # fmt: skip
            self._bindings.bind(key, action, words)

    def buttons(self) -> Sequence[Button]:
        """What can be done with the chosen one."""
        player = self._chosen
        shown = [Button("/", _("search"), "search"), Button("g", _("group"), "group")]
        if self.may("sign_up"):
            shown.append(Button("i", _("sign up"), "sign_up"))
        if player is not None and player.gone is None:
            offered = (
                ("a", self._away_words(player), "away", "absent"), ("w", _("warn"), "warn", "warn"),
                ("x", _("exclude"), "exclude", "exclude"), ("u", _("withdraws"), "withdraw", "withdraw"),
                ("e", _("name, group"), "change", "change_player"),
            )  # fmt: skip
            shown += [Button(key, words, action) for key, words, action, act in offered if self.may(act)]
        elif player is not None and self.may("back"):
            shown.append(Button("r", _("is back"), "back"))
        return [*shown, *self.common_buttons()]

    def help_text(self) -> str:
        """The page of this screen."""
        return "\n".join([
            _("PLAYERS"),
            _("● plays   ○ absent this round   ✗ has left for good   ! was warned"),
            _("/ goes to the search: type a part of a name, a number or a group; ↓ or Enter goes to the list. g shows "
              "one class, club or town after the other."),
            "",
            _("WHAT CAN BE DONE"),
            _("i signs somebody up. a: misses this round, or is there after all; who sits at a table leaves the chair. "
              "w warns, x excludes (where the regulation asks for a warning, knowingly without one), u: leaves for "
              "good; the box of the table then skips the seat. r: is back. e corrects name or group."),
        ])  # fmt: skip

    def action_sign_up(self) -> None:
        """Somebody new."""
        if not self._allowed("sign_up"):
            return
        blanks = [
            Blank("name", _("name"), needed=True), Blank("group", _("class, club or town (may stay empty)")),
            Blank("anyway", _("let in, nevertheless, because (only beyond the number of places; else they wait)")),
        ]  # fmt: skip

        def check(answers: Answers) -> str:
            return self._check_name(answers, 0)

        def sign_up(answers: Answers) -> None:
            self.act("sign_up", {name: value for name, value in answers.items() if value})

        self.ask(Question(_("Sign up a player"), [], blanks, yes=_("sign up"), check=check), sign_up)

    def step_here(self) -> None:
        """Sign somebody up."""
        self.action_sign_up()

    def action_change(self) -> None:
        """Correct a name or a group."""
        player = self._meant("change_player")
        if player is None:
            return
        blanks = [
            Blank("name", _("name"), player.name, needed=True), Blank("group", _("class, club or town"), player.group),
        ]  # fmt: skip

        def check(answers: Answers) -> str:
            return self._check_name(answers, player.number)

        title = _("Player {number}: name and group").format(number=player.number)
        self.ask(
            Question(title, [], blanks, yes=_("write it so"), check=check),
            lambda answers: self.act("change_player", {"player": player.number, **answers}),
        )

    def action_away(self) -> None:
        """Misses the round to work on, or does not after all."""
        player, state = self._meant("absent"), self.state
        if player is None or state is None:
            return
        one = state.current
        if one is None:
            self.query_one(Outcome).warn(_("No round is under way."))
        elif player.number in one.absent:
            self.act("present", {"player": player.number})
        else:
            sits = one.seating is not None and one.seating.place_of(player.number) is not None
            self.act("unseat" if sits else "absent", {"player": player.number})

    def action_warn(self) -> None:
        """A warning, with its reason."""
        player = self._meant("warn")
        if player is None:
            return
        lines = [_("{name} is warned; it is the warning number {count}.").format(
            name=readable(player.name), count=len(player.warnings) + 1)]  # fmt: skip
        self._with_reason(
            _("Warn a player"), lines, WARNINGS, _("warn"),
            lambda why: self.act("warn", {"player": player.number}, why),
        )  # fmt: skip

    def action_exclude(self) -> None:
        """Out for good; where the regulation asks for a warning, without one only knowingly."""
        player, state = self._meant("exclude"), self.state
        if player is None or state is None:
            return
        lines = [_("{name} leaves the tournament, excluded; the seat is skipped from now on.").format(
            name=readable(player.name))]  # fmt: skip
        unwarned = attendance.lacks_warning(state, player)
        if unwarned:
            lines.append(_("! Nobody has warned {name}: the regulation asks for a warning first.").format(
                name=readable(player.name)))  # fmt: skip
        clause, quote = state.ruleset.rule("exclusion").citation
        if quote:
            quote = quoted(quote, state.ruleset.language)
            lines.append(_("The regulation, {clause}: {quote}").format(clause=readable(clause), quote=readable(quote)))
        args = {"player": player.number, **({"unwarned": True} if unwarned else {})}
        self._with_reason(
            _("Exclude a player"), lines, WARNINGS, _("exclude"), lambda why: self.act("exclude", args, why)
        )

    def action_withdraw(self) -> None:
        """Leaves for good."""
        player = self._meant("withdraw")
        if player is None:
            return
        lines = [_("{name} leaves the tournament for good; the seat is skipped from now on.").format(
            name=readable(player.name))]  # fmt: skip
        self._with_reason(
            _("A player withdraws"), lines, LEAVINGS, _("withdraws"),
            lambda why: self.act("withdraw", {"player": player.number}, why),
        )  # fmt: skip

    def action_back(self) -> None:
        """Takes part again."""
        player = self._chosen
        if player is None or player.gone is None:
            self.query_one(Outcome).warn(_("Choose somebody who has left."))
        elif self._allowed("back"):
            self.act("back", {"player": player.number})

    # --- within -----

    def _with_reason(
        self, title: str, lines: Sequence[str], ready: Sequence[str], yes: str, then: Callable[[str], None]
    ) -> None:
        question = why_question(title, lines, [_(one) for one in ready], yes)
        self.ask(question, lambda answers: then(answers["why"]))

    def _check_name(self, answers: Answers, number: int) -> str:
        """What is wrong with it; who bears it already."""
        state = self.state
        if not answers["name"] or state is None:
            return ""
        name = proper_name(answers["name"])
        proper_group(answers.get("group", ""))
        other = namesake(state, name)
        if other is not None and other.number != number:
            raise Refused(
                N_("{name} is player {number} already: put class or initial behind a namesake's name"),
                name=other.name, number=other.number,
            )  # fmt: skip
        if number:
            return ""
        late = registering.joins(state)
        if not late.missed:
            return ""
        return ngettext(
            "play has begun: has missed {count} round", "play has begun: has missed {count} rounds", late.missed
        ).format(count=late.missed)

    def _meant(self, act: str) -> Player | None:
        """Whom it is about; None, and said, if nobody is chosen, has left, or the role may not."""
        player = self._chosen
        if not self._allowed(act):
            return None
        if player is None:
            self.query_one(Outcome).warn(_("Choose a player first."))
            return None
        if player.gone is not None:
            self.query_one(Outcome).warn(_("{name} has left.").format(name=readable(player.name)))
            return None
        return player

    def _allowed(self, act: str) -> bool:
        if self.may(act):
            return True
        self.query_one(Outcome).warn(_("That is not for the role you sit here with."))
        return False

    def _away_words(self, player: Player) -> str:
        one = None if self.state is None else self.state.current
        return _("is there") if one is not None and player.number in one.absent else _("absent")
