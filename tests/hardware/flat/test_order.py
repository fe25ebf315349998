"""What to order for a flat box: every part has a row, counted from the circuit, and the pages say what the sums say."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from typing import Final

import pytest

from dalej.words import ngettext, speak
from hardware import bank
from hardware.flat import budget, currents, layout, order
from hardware.flat.circuit import circuit
from hardware.shopping import LANGUAGES
from moveclock.box import LOW_BATTERY_MV
from tests.firmware.errorcodes import shown

BOX: Final = circuit()
FITTED: Final = [part for part in BOX.parts if part.fitted]


def page(language: str) -> str:
    return order.PAGES[language].read_text("utf-8")


def numbers(text: str, language: str) -> Counter[str]:
    """Every number of the page's own words: tables of the order and sums are compared with what makes them."""
    for made in (order.cost_table, order.shopping_table, order.confirm_table):
        text = text.replace(made(language), "")
    plain = re.sub(r"\]\([^)]*\)|\d+ (?:€|zł)", "]", text)
    return Counter(number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d+)?", plain))


def test_every_kind_that_is_fitted_has_a_row_and_no_row_is_for_another() -> None:
    rows = [row.kind for row in order.rows()]
    of_panel = [row.kind for row in order.rows() if row.place != order.YOU]

    assert len(rows) == len(set(rows))
    assert set(of_panel) == {part.kind.name for part in FITTED}
    assert [row.kind for row in order.rows() if row.place == order.COPPER] == ["test-point"]


def test_a_box_has_as_many_of_each_as_its_circuit_fits() -> None:
    assert {row.kind: order.pieces(row) for row in order.rows() if row.place != order.YOU} == Counter(
        part.kind.name for part in FITTED
    )
    assert sum(order.counts().values()) == len(FITTED)
    assert order.counts()["led"] == 4 * (4 * 7 * 2 + 4 + 2)


def test_what_is_bought_follows_from_the_board_where_it_can() -> None:
    bought = {one.row.kind: one for one in order.bought(1)}
    assert bought["key-switch"].pieces == order.counts()["key-socket"] == 9
    assert bought["screw"].pieces == len(layout.holes())
    for kind in ("key-switch", "screw"):
        assert bought[kind].row.pieces is None


def test_numbers_of_shops_have_their_form_and_say_how_sure_they_are() -> None:
    lcsc = [row.lcsc.number for row in order.rows() if row.lcsc.number]
    tme = [row.tme.number for row in order.rows() if row.tme.number]

    assert all(re.fullmatch(r"C\d+", number) for number in lcsc)
    assert all(re.fullmatch(r"[A-Z0-9.-]+", number) for number in tme)
    for named in (lcsc, tme, [row.number for row in order.rows() if row.number]):
        assert len(named) == len(set(named))
    for row in order.rows():
        for shop in (row.lcsc, row.tme):
            assert (shop.lists in ("1", "2")) == bool(shop.number), row.kind


def test_a_row_says_all_that_its_place_asks() -> None:
    for row in order.rows():
        house = row.place == order.HOUSE
        assert row.place in (order.HOUSE, order.YOU, order.COPPER)
        assert bool(row.maker and row.number and row.stock in ("basic", "extended")) == house
        assert (row.mount in ("smd", "through")) == house
        assert (row.eur > 0) == (row.place != order.COPPER)
        for words in row.words.values():
            assert words.what
            assert bool(words.typed and words.where) == (row.place == order.YOU)


def test_what_goes_through_the_board_is_what_its_footprint_says() -> None:
    through = {row.kind for row in order.rows() if row.mount == "through"}
    footprints = {part.kind.name: part.kind.footprint for part in FITTED}
    assert through == {
        kind for kind, footprint in footprints.items() if re.match(r"Buzzer|Connector.*_Horizontal$", footprint)
    }


def test_both_languages_look_at_the_same_numbers() -> None:
    for row in order.rows():
        told = [re.findall(r"\d+(?:[.,]\d+)?", f"{one.what} {one.typed} {one.look}") for one in row.words.values()]
        first, second = (Counter(number.replace(",", ".") for number in found) for found in told)
        assert first == second, row.kind


def test_what_is_not_fitted_is_not_ordered() -> None:
    left_out = BOX.swapped(replace(BOX.by_ref["LS1"], fitted=False))
    assert order.counts()["buzzer"] == 1
    assert order.counts(left_out)["buzzer"] == 0


def test_packs_are_bought_whole() -> None:
    switches = {n: next(one for one in order.bought(n) if one.row.kind == "key-switch") for n in (1, 5, 10)}
    assert {n: (one.pieces, one.packs) for n, one in switches.items()} == {1: (9, 1), 5: (45, 5), 10: (90, 9)}
    assert switches[5].eur == 5 * switches[1].eur


def test_the_sum_is_that_of_its_parts() -> None:
    """By another way than the program's: part by part, then what an order and what a joint costs."""
    boxes = 25
    spent = order.cost(boxes)
    value = {name: one.value for name, one in order.ASSUMED.items()}
    known = order.of_house()
    placed = [part for part in FITTED if part.kind.name in known]
    prices = dict.fromkeys(known, 0.0)
    for part in placed:
        prices[part.kind.name] += boxes * known[part.kind.name].eur * (1 + value["lost in the machine"])
    parts = sum(max(value["a kind costs at least"], price) for price in prices.values())
    assert spent.parts == pytest.approx(parts)

    hand = sum(len(part.kind.pins) for part in placed if known[part.kind.name].mount == "through")
    machine = sum(len(part.kind.pins) for part in placed) - hand
    order_fees = sum(
        value[one] for one in ("setup, both sides", "stencils, both sides", "joints by hand, an order")
    ) + value["a kind that is fetched"] * len([row for row in known.values() if row.stock == "extended"])
    assert spent.placing == pytest.approx(
        order_fees + boxes * (machine * value["a joint"] + hand * value["a joint by hand"])
    )

    panel = 2.32 * 1.74
    assert order.area() == pytest.approx(panel)
    assert spent.bare == pytest.approx(
        value["bare, an order"] + boxes * panel * value["layers"] * value["bare, dm² and layer"]
    )
    goods = (spent.bare + spent.parts + spent.placing + spent.freight) * (1 + value["duty"])
    assert goods * (1 + value["VAT"]) + spent.bought == pytest.approx(spent.total)
    assert spent.each == spent.total / boxes


def test_a_single_box_pays_for_the_least_that_a_house_makes() -> None:
    assert order.cost(1).bare == order.cost(5).bare < order.cost(6).bare
    assert order.cost(1).placing == order.cost(2).placing < order.cost(3).placing
    each = [order.cost(boxes).each for boxes in order.BOXES]
    assert each == sorted(each, reverse=True)


def test_every_figure_that_the_sums_begin_with_has_its_source() -> None:
    assert [name for name, one in order.ASSUMED.items() if len(one.source) < 5 or one.value <= 0] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_holds_the_sums_and_lists_as_they_are_made(language: str) -> None:
    text = page(language)
    for made in (order.cost_table, order.shopping_table, order.confirm_table):
        assert made(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_is_behind_is_renewed_and_nothing_else_of_it(language: str) -> None:
    text = page(language)
    behind = text.replace(order.cost_table(language), order.cost_table(language, (2, 3)))
    assert behind != text
    assert order.renewed(behind, language) == text
    with pytest.raises(ValueError, match="no table"):
        order.renewed("# Nothing", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_what_a_box_costs_and_of_what(language: str) -> None:
    text = page(language)
    spent = order.cost(25)
    bought = {one.row.kind: one for one in order.bought(1)}
    bank = bought["power-bank"].eur + bought["cable"].eur
    box, tray = map(int, re.findall(r"(\d+) g\b", bought["filament"].row.words["en"].look))
    kostka = bought["kostka-switch"].eur + bought["kostka-lead"].eur + bought["filament"].eur * tray / box
    head, costs = text.split("\n## ")[:2]

    told = re.findall(r"\d+ (?:€|zł)", costs.replace(order.cost_table(language), ""))
    sums = (order.cost(1).total, spent.total, spent.each, bank, spent.taxes / 25, spent.each - bank, kostka)
    wanted = [order.priced(eur, language) for eur in sums]
    assert order.priced(spent.each, language) in head
    assert [one for one in told if one in wanted] == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_what_the_cart_says_and_what_comes_at_the_door(language: str) -> None:
    spent = order.cost(1)
    courier = order.ASSUMED["clearance, an order"].value
    cart = sum(spent[1:5]) - courier
    (said,) = re.findall(r"(?m)^3\. .*$", page(language))
    told = re.findall(r"\d+ (?:€|zł)", said)
    assert told == [order.priced(eur, language) for eur in (cart, spent.taxes + courier)]


def test_parts_are_named_as_on_the_board() -> None:
    assert order.names("lamp") == "LP1–LP33"
    assert order.names("capacitor-10u") == "C1, C4, C102, C202, C302, C402"
    assert order.names("board-button") == "S11, S12"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_that_nobody_has_built_one_and_that_numbers_are_to_be_checked(language: str) -> None:
    said = {
        "en": ("**Nobody has built one yet.**", "Check each number against the shop's page before you order"),
        "pl": ("**Nikt go jeszcze nie zbudował.**", "Każdy numer porównaj ze stroną sklepu, zanim zamówisz"),
    }
    assert [one in page(language) for one in said[language]] == [True, True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_says_of_power_is_what_the_circuit_takes(language: str) -> None:
    text = page(language).replace(",", ".")
    game, most = budget.game(), budget.most()
    idle = sum(currents.taken("idle", "typical"))

    assert f"{game:.2f} A" in text
    assert f"{most:.2f} A" in text
    assert f"{round(idle / 10) * 10} mA" in text
    assert f"{LOW_BATTERY_MV / 1000} V" in text
    hours = bank.hours(10, game * budget.VOLTS)
    assert re.search(rf"\b{round(hours)} (hours|godzin)", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_prints_what_a_box_that_passes_is_told(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", language)
    speak()
    count = 10
    said = ngettext("Box {box} passes: {count} contact works.", "Box {box} passes: all {count} contacts work.", count)
    assert f"```text test\n{said.format(box=7, count=count)}\n```" in page(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_steps_have_a_picture_each_and_every_code_is_one_that_a_box_shows(language: str) -> None:
    text = page(language)
    assert re.findall(r"(?m)^### (\d+) ", text) == [str(step) for step in range(1, 11)]
    assert re.findall(r"\(pictures/flat-(?:step-)?(\w+)\.svg\)", text) == ["box", "exploded", *map(str, range(1, 11))]
    assert {int(one) for one in re.findall(r"\bE (\d+)", text)} <= shown()


def test_both_languages_hold_the_same_numbers() -> None:
    english, polish = (numbers(page(language), language) for language in LANGUAGES)
    assert english - polish == polish - english == Counter()


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_for_eight_tables_are_eight_boxes(language: str) -> None:
    made = order.as_markdown(8, language)
    assert order.priced(order.cost(8).total, language) in made
    assert order.shopping_table(language, 8) in made
    rows = {row["kind"]: row for row in csv.DictReader(io.StringIO(order.as_csv(8)))}
    assert {kind: int(row["pieces"]) for kind, row in rows.items()} == {
        row.kind: 8 * order.pieces(row) for row in order.rows()
    }
