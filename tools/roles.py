"""What each role may do, made of the catalogue: `python -m tools.roles` prints the page in English, `--update` writes
it in every language that has pages (`PAGES`); an act's title is what its catalogue says.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, NamedTuple, get_args

from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from dalej.office.acts.roles import Role
from tools.words import read

DOCS: Final = Path(__file__).parents[1] / "docs"
PAGES: Final = {"en": DOCS / "roles.md", "pl": DOCS / "pl" / "roles.md"}


class Words(NamedTuple):
    """What of the page is in no catalogue; `about` and `roles`: as they are called in the table."""

    head: str
    columns: tuple[str, str, str, str]  # act, about, reason, asked about
    yes: str
    not_on_offer: str
    about: dict[str, str]
    roles: dict[str, str]


WORDS: Final = {
    "en": Words(
        """\
# What each role may do

[po polsku](pl/roles.md)

Every screen, in a terminal or in a browser, does what it does by the same acts. Before an act is done the desk asks
whether the role may do it: over the web the role that the person logged in as, at a terminal on the desk itself always
organiser. What a screen offers is only a courtesy. This page is made by `python -m tools.roles --update`.

An act with a reason is kept with the reason; one that is asked about names what it touches and waits for a yes. An act
that is not on offer takes another one back, of tables and of one's own decisions, is done by a screen that opens what
waits or shows a closed round, or is of a file that only a command reads.

""",
        ("act", "about", "reason", "asked about"), "yes", "{title} (not on offer)", {}, {},
    ),
    "pl": Words(
        """\
# Co komu wolno

[in English](../roles.md)

Każdy ekran, w terminalu i w przeglądarce, robi to, co robi, przez te same czynności. Przed każdą program sprawdza, czy
rola na nią pozwala: w przeglądarce rola, w której ktoś się zalogował, w terminalu na samej centrali zawsze
organizator. To, co podsuwa ekran, jest tylko ułatwieniem. Tę stronę robi `python -m tools.roles --update`.

Czynność z powodem jest zapisywana razem z powodem; ta, o którą program pyta, wymienia, czego dotyczy, i czeka na „tak”.
Czynności poza menu to te, które cofają inną (przy stoliku albo własną decyzję), które ekran robi sam, gdy otwiera to,
co czeka, albo pokazuje zamkniętą rundę, i te, które dotyczą pliku czytanego tylko przez polecenie.

""",
        ("czynność", "dotyczy", "powód", "pytanie"), "tak", "{title} (poza menu)",
        {
            "hall": "sali", "table": "stolika", "player": "gracza", "game": "gry", "round": "rundy",
            "event": "turnieju", "decision": "decyzji", "sessions": "sesji",
        },
        {"public": "publiczność", "referee": "sędzia", "organiser": "organizator", "table": "telefon stolika"},
    ),
}  # fmt: skip


def page(language: str = "en") -> str:
    """The whole page."""
    words = WORDS[language]
    titles = {str(one.id): str(one.string) for one in read(language) if isinstance(one.id, str)}
    roles = [words.roles.get(role, role) for role in get_args(Role)]
    act, about, reason, asked = words.columns
    lines = [f"| {act} | {about} | {' | '.join(roles)} | {reason} | {asked} |", "|---|---|" + "---|" * (len(roles) + 2)]
    return words.head + "\n".join([*lines, *(_row(one, words, titles) for one in ACTS.values())]) + "\n"


def _row(act: type[Act], words: Words, titles: dict[str, str]) -> str:
    title = titles.get(act.title, act.title)
    if not act.offered:
        title = words.not_on_offer.format(title=title)
    marks = [words.yes if role in act.roles else "–" for role in get_args(Role)]
    why, sure = (words.yes if is_so else "" for is_so in (act.why, act.destroys()))
    return f"| {title} | {words.about.get(act.about, act.about)} | {' | '.join(marks)} | {why} | {sure} |"


if __name__ == "__main__":
    if "--update" in sys.argv[1:]:
        for language, file in PAGES.items():
            file.write_text(page(language), encoding="utf-8")
    else:
        print(page(), end="")
