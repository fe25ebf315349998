"""Documents as files beside the event: score sheets, the seating, standings. Nothing that was printed is replaced.

The desk writes them, whoever asks for them and from where: a screen over the web has no folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dalej.domain.game.sentences import local
from dalej.domain.tournament.tournament import Round, Seating, Tournament
from dalej.errors import WrongInput
from dalej.event.event import Event
from dalej.office import results, rounds
from dalej.office.acts.catalogue import FORMS, PRINTED
from dalej.office.acts.wishes import Args, Done, Wish
from dalej.words import N_

if TYPE_CHECKING:
    from dalej.office.paper.formats import Formats


def print_file(event: Event, wish: Wish) -> Done:
    """{"what", "form"}; of score sheets and the seating a "round" other than the one at work, of sheets a "table" and
    whether "filled"; of standings a "stage" and whether with "groups".
    """
    args = Args(wish)
    what, form = args.one_of("what", PRINTED), args.one_of("form", FORMS)
    state = event.state()
    formats = _formats(event, state, args, what, form)
    if f".{form}" not in formats:
        raise WrongInput(N_("{what} cannot be printed as {form}, expected one of {forms}"), what=what, form=form,
                         forms=", ".join(suffix.removeprefix(".") for suffix in formats))  # fmt: skip
    from dalej.office.paper.formats import free_beside, save  # noqa: PLC0415 -- as `_formats` says

    path = free_beside(event.ledger.path, what, f".{form}")
    save(path, formats)
    return Done(N_("{file} is written, beside the event."), {"file": path.name})


def _formats(event: Event, state: Tournament, args: Args, what: str, form: str) -> Formats:
    from dalej.office.paper import documents  # noqa: PLC0415 -- typesetting loads longer than all other acts together

    if what == "standings":
        groups = args.flag("groups")
        if form == "html":
            return documents.page(state, local(event.wall_ms()), groups=groups)
        return documents.standings_of(state, args.text("stage", "") or None, groups=groups)
    of, seated = _seated(state, args)
    if what == "seating":
        return documents.seating(state, of, seated)
    return documents.sheets(state, of, seated, args.maybe("table", 1), filled=args.flag("filled"))


def _seated(state: Tournament, args: Args) -> tuple[Round, Seating]:
    one = results.which(state, args.text("round", "") or None)
    return one, rounds.seating_of(one)


HANDLERS: Final = {"print": print_file}
