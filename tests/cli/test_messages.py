"""What is wrong with a command is said in the reader's words, never by the names of its arguments.

What may be chosen is what people type.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dalej.event.event import Event
from dalej.office.acts.act import Act
from dalej.office.acts.catalogue import ACTS
from tests.cli.conftest import Program
from tests.office.acts.arguments import ARGUMENTS, named_in
from tests.world import late_in_the_first_move

TABLE_ACTS = sorted(
    act.name for act in ACTS.values() if act.about == "table" and act.offered and act.name not in
    ("rule", "grant_claim", "deny_claim")
)  # fmt: skip
WHY = ("--why", "seen from close by", "--who", "Puchacz")


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Event]:
    """e.dalej: eight are seated, a box counts at table 1."""
    with late_in_the_first_move(tmp_path, file="e.dalej") as event:
        yield event


def wrong_words(act: type[Act]) -> Iterator[tuple[str, ...]]:
    """After the table: nothing, too much, and what cannot be."""
    yield ()
    yield from (("x",), ("-1",), ("99999999999",), ("x", "y"))
    yield from ((*(choice for choice in ask.choices[:1]), *WHY) for ask in act.asks() if ask.choices)


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("name", TABLE_ACTS)
def test_no_message_of_a_command_for_a_table_shows_the_name_of_an_argument(
    dalej: Program, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "pl")
    said = []
    for table in ("1", "9", "x", "0"):
        for words in wrong_words(ACTS[name]):
            done = dalej("--lang", "pl", "table", name.replace("_", "-"), "e.dalej", table, *words)
            assert done.code in (1, 2)
            said.append(done.err.splitlines()[-1])
    assert not [sentence for sentence in said if named_in(sentence, ARGUMENTS)]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    "words",
    [
        ("ruling", "decide", "e.dalej", "1", "1", "2", "stands", *WHY), ("ruling", "decide", "e.dalej", *WHY),
        ("ruling", "decide", "e.dalej", "1", "1", "x", "stands", *WHY), ("ruling", "decide", "e.dalej", "1", "1", "1"),
        ("ruling", "decide", "e.dalej", "1", "1", "1", "x", *WHY), ("ruling", "decide", "e.dalej", "2", "1", "1",
        "stands", *WHY), ("ruling", "claim", "e.dalej", "1", "1", "2", "granted", *WHY),
        ("ruling", "claim", "e.dalej", "1", "1", "2", "x", *WHY), ("ruling", "revoke", "e.dalej", "x", *WHY),
        ("ruling", "revoke", "e.dalej", "1", *WHY), ("ruling", "tie", "e.dalej", "Lis", *WHY),
        ("undo", "e.dalej", "x"), ("undo", "e.dalej", "999"),
    ],
)  # fmt: skip
def test_no_message_on_a_ruling_shows_the_name_of_an_argument(dalej: Program, words: tuple[str, ...]) -> None:
    done = dalej("--lang", "pl", *words)

    assert done.code in (1, 2)
    assert not named_in(done.err.splitlines()[-1], ARGUMENTS), done.err
