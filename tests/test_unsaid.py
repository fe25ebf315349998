"""What every test is looked at for: sentences that are in no catalogue."""

from __future__ import annotations

import pytest

from dalej import words
from dalej.errors import Refused
from dalej.office.acts.wishes import done
from tests.documents import ROOT


def makes(template: str, file: str = "host/dalej/domain/rules/clauses.py") -> None:
    """As code of that file would."""
    exec(
        compile("raise Refused(template, where=1)", str(ROOT / file), "exec"),
        {"Refused": Refused, "template": template},
    )


def test_a_sentence_that_no_catalogue_has_fails_whoever_meets_it() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"'nobody says {where}' is in no catalogue, see .*clauses.py:1"):
        makes("nobody says {where}")


def test_what_an_act_says_that_it_did_is_in_words_that_readers_have() -> None:
    acts = {"done": done}
    act = compile("done('Nobody did it.')", str(ROOT / "host/dalej/office/acts/clocks.py"), "exec")

    with pytest.raises(pytest.fail.Exception, match=r"'Nobody did it\.' is in no catalogue, see .*clocks.py:1"):
        exec(act, acts)
    assert str(done("Nobody did it.")) == "Nobody did it.", "what a test makes up is its own"


@pytest.mark.parametrize("template", [words.N_("there is no such file or folder"), "{where}", "{where}: {where}"])
def test_one_that_they_have_is_raised_and_so_is_one_without_words(template: str) -> None:
    with pytest.raises(Refused):
        makes(template)


@pytest.mark.parametrize("file", ["tests/test_unsaid.py", "host/dalej/office/reasons.py"])
def test_what_a_test_or_a_person_says_is_their_own(file: str) -> None:
    with pytest.raises(Refused):
        makes("nobody says {where}", file)
