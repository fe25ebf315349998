"""Facts, rulings and names in whole sentences, as people read them in two languages."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

import pytest

from dalej.domain.game.facts import NAMES, Fact
from dalej.domain.game.rulings import Ruling
from dalej.domain.game.sentences import (
    choice,
    command_said,
    contact_called,
    instant,
    local,
    tell,
    tell_ruling,
    tell_tiles,
    word,
    word_said,
)
from dalej.domain.rules.clauses import cited
from dalej.words import said, speaking
from moveclock import facts as k
from tests.domain.tables import A, B, C, D, Journal


@pytest.mark.parametrize(
    ("quote", "language", "says"),
    [("Gra trwa 40 minut.", "pl", "[4.6: „Gra trwa 40 minut.”]"), ("A game.", "en", "[4.6: “A game.”]"),
     ("", "pl", "[4.6]")],
)  # fmt: skip
def test_a_clause_is_cited_with_the_regulations_words_in_the_marks_of_its_language(
    quote: str, language: str, says: str
) -> None:
    assert said(cited("4.6", quote, language)) == says


TOLD: Final[list[tuple[int, dict[str, int], str, str]]] = [
    (k.BOOTED, {"move": 0, "seat": k.NOBODY, "code": k.WATCHDOG, "a": 1},
     "the box started (watchdog)", "stoper uruchomiony (samoczynny restart po zawieszeniu)"),
    (k.BOOTED, {"move": 0, "seat": k.NOBODY, "code": 9, "a": 1},
     "the box started (unknown_9)", "stoper uruchomiony (unknown_9)"),
    (k.CONFIGURED, {"move": 0, "code": k.DESK, "a": 40_000, "b": 0b1011, "c": 64},
     "ready for game 2: 40.0 s a move, seats ABD, 64 in the bank",
     "stoper gotowy do gry 2: 40,0 s na ruch, gracze ABD, kostki w banku: 64"),
    (k.GAME_STARTED, {"move": 0, "code": k.TABLE, "a": 40_000, "c": 64}, "B starts the game", "B rozpoczyna grę"),
    (k.MOVE_STARTED, {"a": 39_999, "c": 64}, "B to move, 39.9 s", "B ma ruch, 39,9 s"),
    (k.TILE_DRAWN, {"code": 1, "a": 5_000, "c": 63}, "B draws a tile, 63 left", "B pobiera kostkę, w banku: 63"),
    (k.MOVE_ENDED, {"code": k.BY_JUZ, "a": 6_099, "b": 0, "c": 64}, "B: Już after 6.0 s", "B: „Już” po 6,0 s"),
    (k.MOVE_ENDED, {"code": k.BY_EMPTY_RACK, "a": 600_100, "b": 0, "c": 64},
     "B: empty rack after 600.1 s", "B: pusta tabliczka po 600,1 s"),
    (k.TIME_RAN_OUT, {"a": 40_000, "b": 0, "c": 64}, "B: time is over", "B: czas minął"),
    (k.TABLE_RESTORED, {"code": k.STANDS, "a": 2_345, "b": 0, "c": 64},
     "B: it stands, 2.3 s after the limit", "B: ruch uznany, 2,3 s po czasie"),
    (k.TABLE_RESTORED, {"code": k.UNDONE, "a": 99, "b": 1, "c": 63},
     "B: undone, 0.0 s after the limit", "B: ruch cofnięty, 0,0 s po czasie"),
    (k.CLICKED_BEFORE_DRAWING, {}, "B clicked before drawing", "B: kliknięcie przed pobraniem kostki"),
    (k.DALEJ_REFUSED, {}, "B: Dalej refused, no tile was drawn", "B: „Dalej” nieprzyjęte, nie pobrano kostki"),
    (k.RESTART_CLAIMED, {"seat": C},
     "C claims the move again: the one before clicked too early",
     "C żąda ruchu od nowa: poprzedni gracz kliknął za wcześnie"),
    (k.CLAIM_DENIED, {}, "B: claim denied", "B: żądanie odrzucone"),
    (k.MOVE_RESTARTED, {"code": k.DESK, "a": 40_000}, "B: the move starts again, 40.0 s", "B: ruch od nowa, 40,0 s"),
    (k.OPENING_ANNOUNCED, {"seat": D}, "D: „Wyłożę się w następnej rundzie”", "D: „Wyłożę się w następnej rundzie”"),
    (k.DISPUTE_RAISED, {"code": 1}, "dispute about the move of B", "sytuacja sporna, ruch gracza B"),
    (k.CALL_WITHDRAWN, {}, "call withdrawn", "odwołano wezwanie sędziego"),
    (k.REFEREE_CALLED, {}, "referee called", "wezwano sędziego"),
    (k.CLOCK_STOPPED, {"code": k.BOX_LOST_POWER, "a": 37_500, "b": k.BOX},
     "clock stopped (the box lost power), 37.5 s left", "czas zatrzymany (stoper stracił zasilanie), zostało 37,5 s"),
    (k.CLOCK_RESUMED, {"code": k.TABLE, "a": 10_500, "b": 37_500},
     "clock resumed by the table after 10.5 s", "czas wznowiony (gracze) po 10,5 s przerwy"),
    (k.TIME_CORRECTED, {"a": 9_000}, "B: time corrected to 9.0 s", "B: czas poprawiony na 9,0 s"),
    (k.EXTRA_TIME_GIVEN, {"a": 45_000, "b": 5_000}, "B: 5.0 s more, 45.0 s left", "B: dodano 5,0 s, zostało 45,0 s"),
    (k.SEAT_CHANGED, {"seat": A, "a": B}, "A is to move now", "A ma teraz ruch"),
    (k.SEAT_WITHDRAWN, {}, "B withdraws", "B rezygnuje z gry"),
    (k.BANK_CORRECTED, {"a": 50, "c": 49}, "bank corrected to 49", "stan banku poprawiony na 49"),
    (k.FINAL_LAP_BEGUN, {"code": k.ROUND_TIME}, "final lap (round time)", "ostatnia kolejka (koniec czasu rundy)"),
    (k.GAME_ENDED, {"seat": k.NOBODY, "code": k.BANK_EMPTY}, "game over (bank empty)", "koniec gry (pusty bank)"),
    (k.GAME_ENDED, {"code": k.WENT_OUT}, "game over (went out)", "koniec gry (wyłożone wszystkie kostki)"),
    (k.GAME_REOPENED, {"code": k.SAME_SEAT, "a": 20_000}, "game reopened", "koniec gry cofnięty"),
    (k.GAME_REDEALT, {"move": 0, "seat": k.NOBODY, "c": 64}, "tiles dealt anew", "ponowne rozdanie kostek"),
    (k.STRAY_TAP, {"code": 5}, "C Dalej changes nothing now", "C „Dalej” niczego teraz nie zmienia"),
    (k.STRAY_TAP, {"code": k.SEDZIA}, "Sędzia changes nothing now", "Sędzia niczego teraz nie zmienia"),
    (k.STRAY_TAP, {"code": 99}, "contact 99 changes nothing now", "contact 99 niczego teraz nie zmienia"),
    (k.BATTERY_LOW, {"move": 0, "seat": k.NOBODY, "a": 3_310}, "supply low (3310 mV)", "słabe zasilanie (3310 mV)"),
    (k.COMMAND_APPLIED, {"code": k.C_SET_REMAINING, "a": 7},
     "the box carried out: set the time left", "stoper wykonał: ustaw pozostały czas"),
    (k.COMMAND_REFUSED, {"code": k.C_REOPEN, "a": 8, "c": k.R_GUARD},
     "the box refused: reopen the game (the table has moved on)",
     "stoper odmówił: cofnij koniec gry (gra poszła już naprzód)"),
    (k.COMMAND_REFUSED, {"code": 77, "a": 8, "c": k.R_UNKNOWN},
     "the box refused: unknown_77 (not known to this firmware)",
     "stoper odmówił: unknown_77 (ten stoper tego nie zna)"),
    (k.RECORDS_LOST, {"move": 0, "seat": k.NOBODY, "a": 11, "b": 19},
     "facts 11 to 19 are lost", "utracono zapisy od 11 do 19"),
    (k.FAULT, {"move": 0, "seat": k.NOBODY, "code": k.E_STUCK + 3, "a": 1},
     "fault E13: a contact is stuck", "usterka E13: zacięty przycisk"),
    (k.FAULT, {"move": 0, "seat": k.NOBODY, "code": 250}, "fault E250: unknown", "usterka E250: unknown"),
]  # fmt: skip


def told_by_a_box(kind: int, data: dict[str, int]) -> Fact:
    """A fact of game 2, of B's move 3 unless the data say otherwise."""
    return Journal(game=2).write(kind, 0, **{"move": 3, "seat": B, **data})


@pytest.mark.parametrize(
    ("kind", "data", "english", "polish"), TOLD, ids=[f"{NAMES[kind]}-{line}" for line, (kind, *_) in enumerate(TOLD)]
)
def test_every_fact_is_one_sentence_in_the_readers_language(
    kind: int, data: dict[str, int], english: str, polish: str
) -> None:
    fact = told_by_a_box(kind, data)

    with speaking("en"):
        assert tell(fact) == english
    with speaking("pl"):
        assert tell(fact) == polish


def test_no_kind_of_fact_is_missing_from_that_table() -> None:
    assert {NAMES[kind] for kind, *_ in TOLD} == set(NAMES) - {""}


def test_a_fact_of_a_newer_firmware_keeps_its_name() -> None:
    assert tell(told_by_a_box(len(NAMES), {})) == f"unknown_{len(NAMES)}"


def test_a_fact_that_names_neither_seat_nor_game_is_a_sentence_all_the_same() -> None:
    nowhere = Journal(game=0)

    with speaking("en"):
        assert tell(nowhere.write(k.OPENING_ANNOUNCED, 0, 0)) == "?: „Wyłożę się w następnej rundzie”"
        ready = tell(nowhere.write(k.CONFIGURED, 0, 0, a=40_000, b=0b1111, c=50))
        assert ready == "ready for game 0: 40.0 s a move, seats ABCD, 50 in the bank"


OF: Final = ("a0b1c2d3e4f5", 7, 12)


@pytest.mark.parametrize(
    ("ruling", "english", "polish"),
    [
        (
            Ruling("undone", OF, 1, 2, B, 1, True, "6h", "default"),
            "  for now, until somebody rules: undone, 1 tile (regulation, 6h)",
            "  na razie, póki nikt nie rozstrzygnie: ruch cofnięty, 1 kostka (regulamin, 6h)",
        ),
        (
            Ruling("stands", OF, 1, 2, B, 0, False, "6h", "table"),
            "  the table ruled: it stands, 0 tiles (regulation, 6h)",
            "  decyzja graczy przy stoliku: ruch uznany, 0 kostek (regulamin, 6h)",
        ),
        (
            Ruling("takes_invalid", OF, 1, 2, B, 3, False, "Tempo limite", "referee", decision=9),
            "  the referee ruled: takes what is in no valid set, 3 tiles (regulation, Tempo limite)",
            "  decyzja sędziego: bierze kostki spoza prawidłowych układów, 3 kostki (regulamin, Tempo limite)",
        ),
    ],
    ids=["default", "table", "referee"],
)
def test_a_ruling_says_who_ruled_what_it_costs_and_where_that_is_written(
    ruling: Ruling, english: str, polish: str
) -> None:
    with speaking("en"):
        assert tell_ruling(ruling) == english
    with speaking("pl"):
        assert tell_ruling(ruling) == polish


def test_tiles_are_counted_in_as_many_forms_as_the_language_has() -> None:
    with speaking("en"):
        assert [tell_tiles(count) for count in (None, 0, 1, 2)] == [
            "tiles not counted yet", "0 tiles", "1 tile", "2 tiles"
        ]  # fmt: skip
    with speaking("pl"):
        assert [tell_tiles(count) for count in (None, 1, 2, 5, 22)] == [
            "kostki jeszcze niepoliczone", "1 kostka", "2 kostki", "5 kostek", "22 kostki"
        ]  # fmt: skip


def test_a_contact_is_called_as_it_is_written_on_the_box() -> None:
    with speaking("en"):
        assert [contact_called(name) for name in ("A.juz", "D.dalej", "kostka", "sedzia", "B.lever", "lever")] == [
            "A Już", "D Dalej", "Kostka", "Sędzia", "B lever", "lever"
        ]  # fmt: skip


def test_names_that_programs_use_are_words_and_one_that_nobody_knows_stays() -> None:
    with speaking("pl"):
        assert [word(name) for name in ("undone", "hovering")] == ["ruch cofnięty", "hovering"]
        assert [said(word_said(name)) for name in ("undone", "hovering")] == ["ruch cofnięty", "hovering"]
        assert [said(choice(name)) for name in ("touched", "undone", "hovering")] == [
            "kostki dotknięte po czasie", "ruch cofnięty", "hovering"
        ]  # fmt: skip
        assert [said(command_said(name)) for name in ("set_bank", "hovering")] == [
            "ustaw liczbę kostek w banku",
            "hovering",
        ]


def test_an_instant_is_told_by_the_clock_on_this_computers_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    new_year_in_poland = 1_798_758_000_000  # 23:00 UTC of the day before

    with monkeypatch.context() as here:
        here.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        assert local(new_year_in_poland) == datetime(2026, 12, 31, 23, 0, tzinfo=UTC)
        with speaking("en"):
            assert instant(new_year_in_poland) == "2027-01-01 00:00"
        with speaking("pl"):
            assert instant(new_year_in_poland) == "01.01.2027 00:00"
    time.tzset()
