"""What to order for flat boxes, from whom, and what it costs: the files a board house takes, the list of what a person
buys, the sums. Kinds, numbers and prices are in order.csv; how many of each a box has is counted from its circuit.

Numbers of LCSC and TME are those that public lists of parts name (`lists`: one, or two and more); nobody has ordered by
them yet. Prices are estimates in euros.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

from hardware import shopping
from hardware.flat import layout
from hardware.flat.circuit import Circuit, Part, circuit
from hardware.shopping import Words

PARTS: Final = Path(__file__).with_name("order.csv")
PAGES: Final = {"en": PARTS.parents[1] / "flat.md", "pl": PARTS.parents[1] / "flat-pl.md"}
"""Run as a program, this file writes its tables into them anew."""
HOUSE: Final = "house"
YOU: Final = "you"
COPPER: Final = "copper"
"""Who places a kind: the board house, you; a pad of copper nobody does."""
BOXES: Final = (1, 5, 12, 25, 60)
_ONE: Final = "1"
"""In `lists`: a single public list names the number."""


class Assumed(NamedTuple):
    """A figure that the sums begin with; one dollar is taken for one euro."""

    value: float
    unit: str
    source: str


JLC: Final = "JLCPCB, price list of its assembly (support.jlcpcb.com, article 83)"
ASSUMED: Final = {
    "layers": Assumed(4, "layers", "hardware/flat/board.py"),
    "bare, an order": Assumed(30, "€", "estimate: engineering of four layers, a panel that is the customer's own"),
    "bare, dm² and layer": Assumed(0.45, "€", "estimate: 1.6 mm, HASL without lead, small numbers"),
    "bare, at least": Assumed(5, "panels", "the least that most houses make"),
    "placed, at least": Assumed(2, "panels", "the least that most houses assemble"),
    "setup, both sides": Assumed(50, "€", f"estimate; 8 € in {JLC}, for its cheapest service, which is one side"),
    "stencils, both sides": Assumed(16, "€", f"estimate; 1.50 € in {JLC}, for the same"),
    "a kind that is fetched": Assumed(3, "€", "estimate; that list says only that there is such a fee"),
    "a joint": Assumed(0.0017, "€", JLC),
    "joints by hand, an order": Assumed(3.5, "€", JLC),
    "a joint by hand": Assumed(0.0173, "€", JLC),
    "a kind costs at least": Assumed(0.5, "€", "estimate: nobody sells five resistors"),
    "lost in the machine": Assumed(0.03, "of the parts", "estimate"),
    "freight, an order": Assumed(20, "€", "estimate: a courier from China"),
    "freight, a panel": Assumed(1.2, "€", "estimate: 0.15 kg"),
    "clearance, an order": Assumed(15, "€", "estimate: what a courier asks"),
    "duty": Assumed(0.037, "of the price", "estimate: on the safe side for boards with parts on them"),
    "VAT": Assumed(0.23, "of the price", "Poland; a club that is no business does not get it back"),
    "zloty": Assumed(4.3, "zł", "estimate: of one euro"),
}
PARTS_AT: Final = {1: 1.6, 5: 1.3, 25: 1.0, 60: 0.85}
"""What a part costs from so many boxes on, compared with its price at 25: an estimate."""


class Shop(NamedTuple):
    """A shop's number, `""` if none is known; `lists`: how many public lists name it, `1`, or `2` for two and more."""

    number: str
    lists: str


@dataclass(frozen=True)
class Row:
    """A kind of part. `mount`: `smd` or `through`; `stock`: `basic` is in a house's machines, `extended` is fetched.

    `eur`: of one piece at 25 boxes, of what you buy that of a pack; `pieces` of a box, None where they are counted.
    """

    kind: str
    place: str
    mount: str
    stock: str
    maker: str
    number: str
    lcsc: Shop
    tme: Shop
    eur: float
    pieces: int | None
    pack: int
    optional: bool
    words: dict[str, Words]


class Bought(NamedTuple):
    """What a person orders of a row: pieces that are needed, packs, their price in euros."""

    row: Row
    pieces: int
    packs: int
    eur: float


class Cost(NamedTuple):
    """In euros, for all boxes: bare panels, their parts, the placing, freight and clearance, duty and VAT, the rest."""

    boxes: int
    bare: float
    parts: float
    placing: float
    freight: float
    taxes: float
    bought: float

    @property
    def total(self) -> float:
        return sum(self[1:])

    @property
    def each(self) -> float:
        return self.total / self.boxes


@cache
def rows() -> tuple[Row, ...]:
    """All of order.csv."""
    with PARTS.open(encoding="utf-8", newline="") as file:
        return tuple(_row(line) for line in csv.DictReader(file))


def _row(line: dict[str, str]) -> Row:
    return Row(
        kind=line["kind"],
        place=line["place"],
        mount=line["mount"],
        stock=line["stock"],
        maker=line["maker"],
        number=line["number"],
        lcsc=Shop(line["lcsc"], line["lcsc_lists"]),
        tme=Shop(line["tme"], line["tme_lists"]),
        eur=float(line["eur"] or 0),
        pieces=int(line["pieces"]) if line["pieces"] else None,
        pack=int(line["pack"] or 1),
        optional=bool(line["optional"]),
        words=shopping.words(line),
    )


def fitted(of: Circuit | None = None) -> list[Part]:
    """The parts that are put on a panel, test points too."""
    return [part for part in (of or circuit()).parts if part.fitted]


def counts(of: Circuit | None = None) -> Counter[str]:
    """How many of each kind a box has."""
    return Counter(part.kind.name for part in fitted(of))


_COUNTED: Final[dict[str, Callable[[], int]]] = {
    "key-switch": lambda: counts()["key-socket"],
    "screw": lambda: len(layout.holes()),  # each goes through base, board and deck
}
"""Pieces of a box that are bought beside its parts and follow from them."""


def pieces(row: Row) -> int:
    """Of one box. KeyError for a row of which neither the circuit nor the list knows how many."""
    if row.place != YOU:
        return counts()[row.kind]
    return _COUNTED[row.kind]() if row.pieces is None else row.pieces


def of_house() -> dict[str, Row]:
    """What the board house places, by kind."""
    return {row.kind: row for row in rows() if row.place == HOUSE}


def bought(tables: int, *, optional: bool = True) -> list[Bought]:
    """What a person buys for so many boxes. `optional`: with what a box does without."""
    found = []
    for row in rows():
        if row.place == YOU and (optional or not row.optional):
            needed = tables * pieces(row)
            packs = ceil(needed / row.pack)
            found.append(Bought(row, needed, packs, packs * row.eur))
    return found


def cost(boxes: int) -> Cost:
    """What so many boxes cost together, without what is optional."""
    made = max(boxes, int(_of("bare, at least")))
    placed = max(boxes, int(_of("placed, at least")))
    bare = _of("bare, an order") + made * area() * _of("layers") * _of("bare, dm² and layer")
    parts = sum(_parts(row, placed) for row in of_house().values())
    placing = _placing(placed)
    freight = _of("freight, an order") + made * _of("freight, a panel") + _of("clearance, an order")
    duty = (bare + parts + placing + freight) * _of("duty")
    taxes = duty + (bare + parts + placing + freight + duty) * _of("VAT")
    beside = sum(one.eur for one in bought(boxes, optional=False))
    return Cost(boxes, bare, parts, placing, freight, taxes, beside)


def area() -> float:
    """Of the whole panel, dm²."""
    lines = layout.outline().lines
    across = [x for x1, _, x2, _ in lines for x in (x1, x2)]
    along = [y for _, y1, _, y2 in lines for y in (y1, y2)]
    return (max(across) - min(across)) * (max(along) - min(along)) / 10_000


def joints(mount: str) -> int:
    """Of one panel, of parts that are mounted so; pads of one number are one joint."""
    known = of_house()
    return sum(
        len(part.kind.pins) for part in fitted() if part.kind.name in known and known[part.kind.name].mount == mount
    )


def _of(name: str) -> float:
    return ASSUMED[name].value


def _parts(row: Row, placed: int) -> float:
    share = PARTS_AT[max(boxes for boxes in PARTS_AT if boxes <= placed)]
    price = pieces(row) * placed * (1 + _of("lost in the machine")) * row.eur * share
    return max(_of("a kind costs at least"), price)


def _placing(placed: int) -> float:
    fetched = sum(row.stock == "extended" for row in of_house().values())
    return (
        _of("setup, both sides")
        + _of("stencils, both sides")
        + fetched * _of("a kind that is fetched")
        + placed * joints("smd") * _of("a joint")
        + _of("joints by hand, an order")
        + placed * joints("through") * _of("a joint by hand")
    )


_LOOKED_AT: Final = {
    "en": ("part", "on a panel", "its names there", "LCSC", "what to look at"),
    "pl": ("część", "na panelu", "nazwy na płytce", "LCSC", "na co zwrócić uwagę"),
}
_SUMS: Final = {
    "en": ("boxes", "bare panels", "parts", "placing", "freight", "duty, VAT", "bought beside", "together", "a box"),
    "pl": (
        "stoperów",
        "gołe panele",
        "części",
        "montaż",
        "przesyłka",
        "cło, VAT",
        "dokupione",
        "razem",
        "za jeden",
    ),
}
_ALL: Final = {
    "en": ("part", "who", "on a panel", "maker's number", "LCSC", "TME", "€ a piece at 25 boxes", "what to look at"),
    "pl": ("część", "kto", "na panelu", "numer producenta", "LCSC", "TME", "€ za sztukę przy 25 stoperach", "uwagi"),
}
_WHO: Final = {
    "en": {HOUSE: "board house", YOU: "you", COPPER: "nobody"},
    "pl": {HOUSE: "fabryka płytek", YOU: "Ty", COPPER: "nikt"},
}
_LISTS: Final = {
    "en": (
        "# What to order for {tables} of the flat box",
        (
            "Together about {total}: {each} a box. Prices are estimates; check each number against the shop's page "
            "before you order. A number with * is named by one public list alone."
        ),
        "## What the board house places",
        "## What you buy",
        "## What it costs",
    ),
    "pl": (
        "# Co zamówić: płaski stoper, sztuk: {tables}",
        (
            "Razem około {total}: {each} za stoper. Ceny są szacunkowe; każdy numer porównaj ze stroną sklepu, zanim "
            "zamówisz. Numer z * podaje tylko jeden publiczny spis."
        ),
        "## Co montuje fabryka płytek",
        "## Co kupujesz",
        "## Ile to kosztuje",
    ),
}


def priced(eur: float, language: str) -> str:
    """A sum in euros, or zloty in Polish: whole ones, from a hundred on tens, as no estimate knows more."""
    amount = eur if language == "en" else eur * _of("zloty")
    return f"{round(amount, -1 if amount >= 100 else None)} {'€' if language == 'en' else 'zł'}".replace(".0", "")


def shopping_table(language: str, tables: int = 1) -> str:
    """What a person buys, as Markdown."""
    lines = []
    for row, needed, packs, eur in bought(tables):
        words = row.words[language]
        many = f"{needed} ({packs} × {row.pack})" if row.pack > 1 else str(needed)
        lines.append((words.what, many, words.told, words.where, priced(eur, language)))
    return shopping.as_table(shopping.HEAD[language], lines)


def names(kind: str) -> str:
    """Of all fitted parts of a kind: `C1, C4`, and three and more that follow each other as `LP1–LP33`."""
    told = sorted(_numbered(part.ref) for part in fitted() if part.kind.name == kind)
    runs: list[list[tuple[str, int]]] = []
    for letters, number in told:
        if runs and runs[-1][-1] == (letters, number - 1):
            runs[-1].append((letters, number))
        else:
            runs.append([(letters, number)])
    shown = []
    for run in runs:
        refs = [f"{letters}{number}" for letters, number in run]
        shown += [f"{refs[0]}–{refs[-1]}"] if len(refs) > 2 else refs
    return ", ".join(shown)


def _numbered(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref.removeprefix(letters))


def confirm_table(language: str) -> str:
    """What to look at before a board house begins: its parts of which there is something to say, or one list alone."""
    lines = [
        (row.words[language].what, str(pieces(row)), names(row.kind), _shown(row.lcsc), row.words[language].look)
        for row in of_house().values()
        if row.words[language].look
    ]
    return shopping.as_table(_LOOKED_AT[language], lines)


def cost_table(language: str, numbers: Iterable[int] = BOXES) -> str:
    """A line for each number of boxes, in whole euros or zloty."""
    lines = []
    for each in map(cost, numbers):
        sums = [priced(eur, language) for eur in (*each[1:], each.total)]
        lines.append((str(each.boxes), *sums, f"**{priced(each.each, language)}**"))
    return shopping.as_table(_SUMS[language], lines)


def parts_table(language: str) -> str:
    """Every kind of a panel."""
    lines = []
    for row in rows():
        if row.place != YOU:
            words = row.words[language]
            made = " ".join(part for part in (row.maker, row.number) if part)
            price = f"{row.eur:.3f}" if row.eur else ""
            cells = (words.what, _WHO[language][row.place], str(pieces(row)), made)
            lines.append((*cells, _shown(row.lcsc), _shown(row.tme), price, words.look))
    return shopping.as_table(_ALL[language], lines)


def renewed(page: str, language: str) -> str:
    """A page with the tables of this file as they are now, found by their heads. ValueError if one is missing."""
    for made in (cost_table(language), confirm_table(language), shopping_table(language)):
        head, _, _ = made.partition("\n")
        before, found, after = page.partition(f"{head}\n")
        if not found:
            raise ValueError(f"The page has no table that begins with {head}")
        rest = after.splitlines(keepends=True)
        length = next((number for number, line in enumerate(rest) if not line.startswith("|")), len(rest))
        page = f"{before}{made}\n{''.join(rest[length:])}"
    return page


def as_markdown(tables: int, language: str) -> str:
    """All there is to order for so many boxes, and what it costs."""
    title, about, house, you, sums = _LISTS[language]
    spent = cost(tables)
    said = about.format(total=priced(spent.total, language), each=priced(spent.each, language))
    parts = (
        title.format(tables=tables), said, house, parts_table(language), you, shopping_table(language, tables), sums,
        cost_table(language, (tables,)),
    )  # fmt: skip
    return "\n\n".join(parts) + "\n"


def as_csv(tables: int) -> str:
    """The same for a spreadsheet: how many of each for so many boxes, both languages beside each other."""
    head = (
        "kind", "who", "pieces", "packs", "maker", "number", "LCSC", "LCSC lists", "TME", "TME lists", "eur", "what",
        "type", "look at", "where", "co", "wpisać", "zwrócić uwagę", "gdzie",
    )  # fmt: skip
    packed = {one.row.kind: one for one in bought(tables)}
    lines = []
    for row in rows():
        one = packed.get(row.kind)
        packs, eur = (str(one.packs), one.eur) if one else ("", row.eur * pieces(row) * tables)
        texts = [shopping.plain(text) for words in row.words.values() for text in vars(words).values()]
        lines.append((
            row.kind, row.place, str(tables * pieces(row)), packs, row.maker, row.number, *row.lcsc, *row.tme,
            f"{eur:.2f}" if eur else "", *texts,
        ))  # fmt: skip
    return shopping.as_csv(head, lines)


def _shown(shop: Shop) -> str:
    return f"{shop.number}*" if shop.lists == _ONE else shop.number


if __name__ == "__main__":
    for language, file in PAGES.items():
        file.write_text(renewed(file.read_text("utf-8"), language), "utf-8", newline="\n")
