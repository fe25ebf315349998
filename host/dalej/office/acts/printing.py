"""Documents as files beside the event: score sheets, the seating, standings, diplomas, the final form, a list of
results to be filled in. Nothing that was printed is replaced.

The desk writes them, whoever asks for them and from where: a screen over the web has no folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta

from dalej import drafts
from dalej.domain.tournament.stages import round_said
from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.errors import Refused, WrongInput
from dalej.event.event import Event
from dalej.office import results, rounds
from dalej.office.acts.act import Act, Asked
from dalej.office.acts.roles import REFEREES
from dalej.office.acts.wishes import Done, Wish
from dalej.words import N_

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dalej.office.finalists import Asked as PersonAsked
    from dalej.office.paper.formats import Formats

_OF_A_ROUND: Final = ("sheets", "seating", "wall", "results", "list")  # numbers stay on their tables


class Print(Act, frozen=True):
    """Of what is about a round a `round` other than the one at work (of results: the last that has some), of sheets one
    `table` and whether `filled`; of standings a `stage` and whether with `groups`; of diplomas whether for each of the
    `groups`, and also for `taking_part`. The final form can be read by its owner alone.
    """

    name = "print"
    title = N_("write a paper")
    roles = REFEREES
    what: Annotated[
        Literal[
            "sheets",
            "seating",
            "wall",
            "numbers",
            "results",
            "standings",
            "prizes",
            "diplomas",
            "form",
            "list",
            "signups",
        ],
        Asked("choice", N_("what")),
    ]
    form: Annotated[Literal["pdf", "csv", "xlsx"], Asked("choice", N_("as"))]
    round: str = ""
    table: Annotated[int, Meta(ge=1)] | None = None
    stage: str = ""
    filled: bool = False
    groups: bool = False
    taking_part: bool = False

    def do(self, event: Event, wish: Wish) -> Done:
        state = event.state()
        formats = self.formats(state, event.wall_ms(), event.ledger.personal)
        if f".{self.form}" not in formats:
            raise WrongInput(
                N_("{what} cannot be printed as {form}, expected one of {forms}"), what=self.what, form=self.form,
                forms=", ".join(suffix.removeprefix(".") for suffix in formats),
            )  # fmt: skip
        from dalej.office.paper.formats import diplomas_named, free_beside, save  # noqa: PLC0415 -- as `formats` says
        from dalej.office.paper.naming import round_in_file_name  # noqa: PLC0415 -- slow to load

        about = round_in_file_name(state, self.round_of(state).key) if self.what in _OF_A_ROUND else ""
        named: str = self.what
        if named == "diplomas":
            named = diplomas_named(groups=self.groups, taking_part=self.taking_part)
        path = free_beside(event.ledger.path, named, f".{self.form}", about)
        save(path, formats, mode=drafts.OWNER if self.what == "form" else drafts.OPEN)
        return Done(N_("{file} is written, beside the event."), {"file": path.name})

    def formats(self, state: Tournament, now_ms: int, personal: Callable[[], Mapping[int, PersonAsked]]) -> Formats:
        """What is written, in each format that there is of it; Refused if it cannot be yet. `personal`: what is known
        of people for the final form.
        """
        from dalej.office.paper import documents  # noqa: PLC0415 -- typesetting loads longer than all acts together

        if self.what == "standings":
            return documents.standings_of(state, self.stage or None, groups=self.groups)
        if self.what == "form":
            return documents.form(state, personal())
        if self.what == "signups":
            from dalej.office.paper.blanklists import players_list  # noqa: PLC0415 -- as above

            return players_list()
        if self.what == "prizes":
            return documents.prizes(state)
        if self.what == "diplomas":
            return documents.diplomas(state, groups=self.groups, taking_part=self.taking_part)
        return self._of_round(state)

    def _of_round(self, state: Tournament) -> Formats:
        from dalej.office.paper import documents  # noqa: PLC0415 -- as above

        of, seated = self.round_of(state), self.seats_of(state)
        if self.what == "sheets":
            return documents.sheets(state, of, seated, self.table, filled=self.filled)
        if self.what == "list":
            if not of.missing():
                raise Refused(N_("{round}: every result is in"), round=round_said(*of.key))
            from dalej.office.paper.blanklists import results_list  # noqa: PLC0415 -- as above

            return results_list(state, of)
        if self.what == "numbers":
            return documents.numbers(state, [one.table for one in seated.tables])
        made = {"seating": documents.seating, "wall": documents.wall, "results": documents.results}[self.what]
        return made(state, of, seated)

    def seats_of(self, state: Tournament) -> Seating:
        """Who sits where in that round; Refused while nobody does."""
        return rounds.seating_of(self.round_of(state))

    def round_of(self, state: Tournament) -> Round:
        """The round that it is about."""
        from dalej.office.paper import roundresults  # noqa: PLC0415 -- as above

        told = roundresults.latest(state) if self.what == "results" and not self.round else None
        return told or results.which(state, self.round or None)
