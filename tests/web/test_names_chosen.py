"""An organiser chooses in the browser how everybody is called there; the public reads it so at once."""

from __future__ import annotations

import re
from pathlib import Path

from dalej.office import signups
from dalej.office.acts.performer import Performer
from dalej.office.acts.roles import Actor
from dalej.office.acts.wishes import Wish
from dalej.views.book import Page
from dalej.views.publiclists import topics
from tests.web.rig import Rig, play
from tests.world import an_event, draw

AGREED, SILENT = "Jan Nowak", "Ewa Lis"


def event(folder: Path) -> Path:
    with an_event(folder, 0, seated=False) as made:
        people = (AGREED, SILENT, "Adam Kos", "Ola Żuk")
        made.change(lambda state: signups.enter(state, [signups.SignUp(at, one) for at, one in enumerate(people, 1)]))
        Performer(made.by, lambda _line: None).do(
            Actor("Borsuk", "organiser"), Wish("consent", {"players": [1]}, "as the parents say")
        )
        draw(made)
        return made.ledger.path


def test_names_stand_in_full_where_that_is_chosen_and_a_consent_is_on_file(tmp_path: Path) -> None:
    async def story(rig: Rig) -> None:
        async with rig.browser() as organiser, rig.browser() as public:
            await organiser.log_in("organiser", "Borsuk")
            await public.log_in("public", "")
            paths = ("/find", "/me/1", "/standings", "/wall")
            for path in paths:
                assert AGREED not in await public.page(path), path
            assert "names that everybody reads" in await organiser.page("/settings")
            form = await organiser.page('/act/set_option?args={"key":"public_names"}')
            assert set(re.findall(r'type="radio" name="value" value="(\w+)"', form)) == {"short", "in_full"}
            done = await organiser.act("set_option", {"key": "public_names"}, {"value": "in_full"}, sure="yes")
            assert done.status < 400
            for path in ("/find", "/me/1", "/wall"):
                assert AGREED in await public.page(path), path
            for path in paths:
                assert SILENT not in await public.page(path), path
            state = rig.watch.page.state
            assert state is not None
            poster = {entry.name for one in topics(Page(state=state), fresh=True) for entry in one.entries}
            assert {AGREED, "Ewa L."} <= poster

    play(tmp_path, story, event=event(tmp_path))
