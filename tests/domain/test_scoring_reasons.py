"""What a score says for itself: each sentence in order, with its clause and the first words that are quoted for it."""

from __future__ import annotations

import pytest

from dalej.domain.rules.options import with_option
from dalej.domain.rules.rulesets import Ruleset
from dalej.domain.scoring.points import Sheet, gained, score, total
from tests.domain.score_sheets import OUT, regulation, sheet

NEVER = {"opened": False}
COULD_HAVE = {**NEVER, "could_have_opened": True}
ANNOUNCED = {**COULD_HAVE, "announced": True}
LEFT = {"withdrawn": True}

LEAGUE = regulation()
ELIMINATIONS = regulation("pl-eliminations")
ITALIAN = regulation("it-classic")

Told = dict[str, list[str]]

WENT_OUT: dict[str, tuple[Sheet, Ruleset, Told]] = {
    "a joker and penalties in place of racks": (
        sheet("went_out", OUT, {"points": 12, "jokers": 2}, COULD_HAVE, ANNOUNCED),
        LEAGUE,
        {
            "A": [
                "went out and wins [6q: Gra kończy się,]",
                "the sum of what the others lose: +412 [6q: Inni gracze liczą]",
                "place 1 at a table of 4, big points: 1 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "B": [
                "points on the rack: 12 [6q: Inni gracze liczą]",
                "jokers on the rack: 2, each -50 [6m: Jeżeli w chwili]",
                "place 3 at a table of 4, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "C": [
                "never opened and could have: -200 [6n: Jeżeli jednak okaże]",
                "this stands in place of the rack and its jokers [6n]",
                "place 4 at a table of 4, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "D": [
                "never opened: -100 [6n: zapisuje mu się]",
                "the opening was announced, which lifts the higher penalty [6n: (gracz może uniknąć]",
                "this stands in place of the rack and its jokers [6n]",
                "place 2 at a table of 4, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "penalties on top of racks, which go to nobody": (
        sheet("went_out", OUT, {"points": 12, **NEVER}, {"points": 7, "jokers": 1, **COULD_HAVE}),
        regulation(never_opened_counts="on_top", winner_takes_penalties=False),
        {
            "A": [
                "went out and wins [6q: Gra kończy się,]",
                "the sum of what the others lose: +69 [6q: Inni gracze liczą]",
                "penalties for never having opened go to nobody [6q: Inni gracze liczą]",
                "place 1 at a table of 3, big points: 1 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "B": [
                "points on the rack: 12 [6q: Inni gracze liczą]",
                "never opened: -100 [6n: zapisuje mu się]",
                "the rack and its jokers count as well [6n]",
                "place 2 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "C": [
                "points on the rack: 7 [6q: Inni gracze liczą]",
                "jokers on the rack: 1, each -50 [6m: Jeżeli w chwili]",
                "never opened and could have: -200 [6n: Jeżeli jednak okaże]",
                "the rack and its jokers count as well [6n]",
                "place 3 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "no penalty goes to nobody where there is none": (
        sheet("went_out", OUT, {"points": 5}),
        regulation(winner_takes_penalties=False),
        {
            "A": [
                "went out and wins [6q: Gra kończy się,]",
                "the sum of what the others lose: +5 [6q: Inni gracze liczą]",
                "place 1 at a table of 2, big points: 1 [6p]",
            ],
        },
    ),
    "the plain rack of who never opened, and no big points": (
        sheet("went_out", OUT, {"points": 12, **NEVER}, {"points": 7, "jokers": 1, **COULD_HAVE}),
        ITALIAN,
        {
            "A": [
                "went out and wins [Fine del gioco: Non appena un]",
                "the sum of what the others lose: +44 [Punteggio: Dopo che un]",
            ],
            "B": [
                "points on the rack: 12 [Punteggio: Dopo che un]",
                "never opened: the rack counts as any other [Punteggio: i giocatori perdenti]",
            ],
            "C": [
                "points on the rack: 7 [Punteggio: Dopo che un]",
                "jokers on the rack: 1, each -25 [Fine del gioco: Gli altri giocatori]",
                "never opened: the rack counts as any other [Punteggio: i giocatori perdenti]",
            ],
        },
    ),
    "the plain rack by the organiser's word, who could have opened by the text's": (
        sheet("went_out", OUT, {"points": 12, **NEVER}, COULD_HAVE),
        with_option(LEAGUE, "never_opened_points", "rack"),
        {
            "B": [
                "points on the rack: 12 [6q: Inni gracze liczą]",
                "never opened: the rack counts as any other [6n]",
                "place 2 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "C": [
                "never opened and could have: -200 [6n: Jeżeli jednak okaże]",
                "this stands in place of the rack and its jokers [6n]",
                "place 3 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "who left, with a rack and with a penalty": (
        sheet("went_out", {"points": 12, **LEFT}, OUT, {**NEVER, **LEFT}),
        ELIMINATIONS,
        {
            "A": [
                "left the game: loses the own rack or penalty in full [ORGANIZACJA 15: Uczestnik może w]",
                "points on the rack: 12 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "who left the game ranks last of the table [ORGANIZACJA 15: Uczestnik może w]",
                "place 2 at a table of 3, big points: 0 [PUNKTACJA: Przy stoliku 2-4]",
            ],
            "C": [
                "left the game: loses the own rack or penalty in full [ORGANIZACJA 15: Uczestnik może w]",
                "never opened: -100 [ZAKOŃCZENIE GRY: Jeżeli gracz nie]",
                "this stands in place of the rack and its jokers [ZAKOŃCZENIE GRY]",
                "who left the game ranks last of the table [ORGANIZACJA 15: Uczestnik może w]",
                "place 3 at a table of 3, big points: 0 [PUNKTACJA: Przy stoliku 2-4]",
            ],
        },
    ),
    "who left may rank by points": (
        sheet("went_out", OUT, {"points": 9, **LEFT}, {"points": 19}),
        regulation("pl-eliminations", withdrawn_ranks="by_points"),
        {
            "B": [
                "left the game: loses the own rack or penalty in full [ORGANIZACJA 15: Uczestnik może w]",
                "points on the rack: 9 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "place 2 at a table of 3, big points: 0 [PUNKTACJA: Przy stoliku 2-4]",
            ],
        },
    ),
    "the last seat": (
        sheet("last_seat", {}, {"points": 12, **LEFT}),
        ELIMINATIONS,
        {
            "A": [
                "the last seat left wins [ORGANIZACJA 15: Uczestnik może w]",
                "the sum of what the others lose: +12 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "place 1 at a table of 2, big points: 1 [PUNKTACJA: Przy stoliku 2-4]",
            ],
        },
    ),
    "level seats that get the lower place's big points": (
        sheet("went_out", OUT, {"points": 9}, {"points": 9}, {"points": 10}),
        regulation("pl-championship", level_big_points="lower"),
        {
            "B": [
                "points on the rack: 9 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "seats level in place 2: 2; they share it and the next is skipped [PUNKTACJA: W przypadku remisów]",
                (
                    "level seats get the big points of the lower place, 3 at a table of 4: 1 "
                    "[PUNKTACJA: Graczowi wygrywającemu zapisujemy]"
                ),
            ],
            "D": [
                "points on the rack: 10 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "place 4 at a table of 4, big points: 0 [PUNKTACJA: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "a ruling that nobody explained": (
        sheet(
            "went_out", {**OUT, "ruled_small": 5}, {"points": 9, "ruled_small": -50, "ruled_place": 3}, {"points": 9}
        ),
        LEAGUE,
        {
            "A": [
                "went out and wins [6q: Gra kończy się,]",
                "the referee ruled +5 in place of the count [6s: Jeżeli w trakcie]",
                "place 1 at a table of 3, big points: 1 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "B": [
                "the referee ruled -50 in place of the count [6s: Jeżeli w trakcie]",
                "the referee ruled place 3 [6s: Jeżeli w trakcie]",
                "place 3 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "who left, put in another place by the referee, for a reason": (
        sheet("went_out", OUT, {"points": 9, "ruled_place": 2, **LEFT}, {"points": 5}, ruling="taken ill"),
        ELIMINATIONS,
        {
            "B": [
                "left the game: loses the own rack or penalty in full [ORGANIZACJA 15: Uczestnik może w]",
                "points on the rack: 9 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "the referee ruled place 2: taken ill [PUNKTACJA]",
                "place 2 at a table of 3, big points: 0 [PUNKTACJA: Przy stoliku 2-4]",
            ],
        },
    ),
}

NOBODY_WENT_OUT: dict[str, tuple[Sheet, Ruleset, Told]] = {
    "the bank was empty": (
        sheet("bank_empty", {"points": 20, "jokers": 1}, {"points": 30, "jokers": 1}, {"points": 100, **COULD_HAVE}),
        LEAGUE,
        {
            "A": [
                "the bank was empty: the lowest rack, 70, wins [6o: Jeżeli zabraknie kostek]",
                "the sum of what the others lose: +40 [6o: Jeżeli zabraknie kostek]",
                "place 1 at a table of 3, big points: 1 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "B": [
                "points on the rack: 30 [6q: Inni gracze liczą]",
                "jokers on the rack: 1, each -50 [6m: Jeżeli w chwili]",
                "80 against the 70 of the lowest rack: -10 [6o: Jeżeli zabraknie kostek]",
                "place 2 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
            "C": [
                "points on the rack: 100 [6q: Inni gracze liczą]",
                "100 against the 70 of the lowest rack: -30 [6o: Jeżeli zabraknie kostek]",
                "never opened, but nobody went out: the rack counts as any other [6o: Pozostali gracze zapisują]",
                "place 3 at a table of 3, big points: 0 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "the round time was over": (
        sheet("round_time", {"points": 20}, {"points": 30}),
        regulation("pl-championship"),
        {
            "A": [
                "the round time was over: the lowest rack, 20, wins [ZAKOŃCZENIE GRY: Czasami może się]",
                "the sum of what the others lose: +10 [ZAKOŃCZENIE GRY: Czasami może się]",
                "place 1 at a table of 2, big points: 4 [PUNKTACJA]",
            ],
            "B": [
                "points on the rack: 30 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "30 against the 20 of the lowest rack: -10 [ZAKOŃCZENIE GRY: Czasami może się]",
                "place 2 at a table of 2, big points: 0 [PUNKTACJA]",
            ],
        },
    ),
    "who left loses all of the rack": (
        sheet("bank_empty", {"points": 20}, {"points": 90, **LEFT}),
        ELIMINATIONS,
        {
            "B": [
                "left the game: loses the own rack or penalty in full [ORGANIZACJA 15: Uczestnik może w]",
                "points on the rack: 90 [ZAKOŃCZENIE GRY: Inni gracze liczą]",
                "who left the game ranks last of the table [ORGANIZACJA 15: Uczestnik może w]",
                "place 2 at a table of 2, big points: 0 [PUNKTACJA: Przy stoliku 2-4]",
            ],
        },
    ),
    "a penalty all the same": (
        sheet("bank_empty", {"points": 20}, {"points": 100, **NEVER}),
        regulation(penalties_without_winner=True),
        {
            "B": [
                "never opened: -100 [6n: zapisuje mu się]",
                "this stands in place of the rack and its jokers [6n]",
                "place 2 at a table of 2, big points: 0 [6p]",
            ],
        },
    ),
    "level racks, each with the full sum": (
        sheet("bank_empty", {"points": 8}, {"points": 20}, {"points": 8}),
        LEAGUE,
        {
            "C": [
                "the bank was empty: the lowest rack, 8, wins [6o: Jeżeli zabraknie kostek]",
                "lowest racks: 2; each scores the full sum of what the others lose: +12 [6o: W tym przypadku]",
                (
                    "seats level in place 1: 2; they share it and the next is skipped "
                    "[6p: Graczowi wygrywającemu zapisujemy]"
                ),
                "place 1 at a table of 3, big points: 1 [6p: Graczowi wygrywającemu zapisujemy]",
            ],
        },
    ),
    "level racks that share what divides": (
        sheet("bank_empty", {"points": 8}, {"points": 20}, {"points": 8}),
        ITALIAN,
        {
            "C": [
                "the bank was empty: the lowest rack, 8, wins [Punteggio: Nel raro caso]",
                "lowest racks: 2; they share the sum of what the others lose: +6 each [Punteggio: Come aiuto per]",
                "seats level in place 1: 2; they share it and the next is skipped [Punteggio]",
            ],
        },
    ),
    "level racks and a point left over for the first": (
        sheet("bank_empty", {"points": 8}, {"points": 21}, {"points": 8}),
        ITALIAN,
        {
            "A": [
                "the bank was empty: the lowest rack, 8, wins [Punteggio: Nel raro caso]",
                "lowest racks: 2; they share +13, the sum of what the others lose: +7 [Punteggio: Come aiuto per]",
                "it does not divide: a point left over goes to the seat that comes first [Punteggio]",
                "seats level in place 1: 2; they share it and the next is skipped [Punteggio]",
            ],
        },
    ),
    "level racks and a point left over for the last": (
        sheet("bank_empty", {"points": 8}, {"points": 21}, {"points": 8}),
        regulation("it-classic", odd_points="last_seat"),
        {
            "A": [
                "the bank was empty: the lowest rack, 8, wins [Punteggio: Nel raro caso]",
                "lowest racks: 2; they share +13, the sum of what the others lose: +6 [Punteggio: Come aiuto per]",
                "it does not divide: a point left over goes to the seat that comes last [Punteggio]",
                "seats level in place 1: 2; they share it and the next is skipped [Punteggio]",
            ],
        },
    ),
}  # fmt: skip


def told(game: Sheet, ruleset: Ruleset) -> Told:
    """Of each quote only the first words."""
    return {
        one.seat: [
            reason.sentence.replace(reason.quote, " ".join(reason.quote.split()[:3])) if reason.quote
            else reason.sentence
            for reason in one.reasons
        ]
        for one in score(game, ruleset)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("game", "ruleset", "expected"), [*WENT_OUT.values(), *NOBODY_WENT_OUT.values()], ids=[*WENT_OUT, *NOBODY_WENT_OUT]
)
def test_a_score_gives_its_reasons_one_by_one(game: Sheet, ruleset: Ruleset, expected: Told) -> None:
    said = told(game, ruleset)

    assert {seat: said[seat] for seat in expected} == expected


def test_points_are_written_with_the_minus_that_people_write() -> None:
    assert [gained(points) for points in (34, 0, -12)] == ["+34", "0", "−12"]
    assert [total(points) for points in (34, 0, -12)] == ["34", "0", "−12"]
