"""Signing up for an event: a list, as a form or a spreadsheet writes it, with columns named in Polish, English or
Italian; who comes in, under which name, and what the regulation has against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from dalej.domain.rules.clauses import cited, quoted
from dalej.domain.rules.rulesets import PLAYERS_MOST
from dalej.domain.tournament.stages import stage_said
from dalej.domain.tournament.tournament import PLAYER, Player, RoundKey, Tournament
from dalej.errors import DalejError, Refused, WrongInput
from dalej.event.event import Change, free_places
from dalej.event.ledger import Decision, Draft
from dalej.event.ledger.entries import Json
from dalej.hints import EVENT, once_more, typed
from dalej.office.nameorder import FIRST_NAME_FIRST, SURNAME_FIRST, Order, order_in, order_of, plain, surname_in
from dalej.office.players import folded, group_key, namesake, proper_group, proper_name
from dalej.office.problems import expect_none
from dalej.office.seating import can_come_in
from dalej.office.spreadsheets import DELIMITERS, Table, letter, table
from dalej.words import N_, language

Field = Literal["name", "first", "surname", "group", "qualified", "consent"]
NAME: Final = "name"
FIRST: Final = "first"
SURNAME: Final = "surname"
GROUP: Final = "group"
QUALIFIED: Final = "qualified"
CONSENT: Final = "consent"

_KNOWN: Final[Mapping[Field, frozenset[str]]] = {
    NAME: frozenset({
        "imie i nazwisko", "nazwisko i imie", "imie nazwisko", "nazwisko imie", "imiona i nazwisko",
        "nazwisko i imiona",
        "uczestnik", "uczestniczka", "uczestnik uczestniczka", "uczen", "uczennica", "uczen uczennica", "gracz",
        "zawodnik", "zawodniczka", "zawodnik zawodniczka", "name", "full name", "first name and surname",
        "first and last name", "name and surname", "first name and last name", "player", "student", "pupil",
        "participant", "nome e cognome", "cognome e nome", "nome cognome", "cognome nome", "nominativo", "giocatore",
        "giocatrice", "partecipante", "alunno", "alunna", "studente",
    }),
    FIRST: frozenset({"imie", "imiona", "first name", "firstname", "given name", "given names", "forename", "nome"}),
    SURNAME: frozenset({"nazwisko", "surname", "last name", "lastname", "family name", "cognome"}),
    GROUP: frozenset({
        "klasa", "szkola", "nazwa szkoly", "klasa i szkola", "szkola i klasa", "klub", "nazwa klubu", "miasto",
        "miejscowosc", "druzyna", "grupa", "class", "school", "school class", "club", "town", "city", "team", "group",
        "klasa lub klub", "class or club", "classe o circolo", "kl", "oddzial",
        "classe", "scuola", "citta", "squadra", "gruppo", "circolo", "associazione",
    }),
    QUALIFIED: frozenset({
        "qualified", "already qualified", "zakwalifikowany", "zakwalifikowana", "zakwalifikowany a", "kwalifikacja",
        "zakwalifikowany do finalu", "zakwalifikowany a do finalu", "qualificato", "qualificata", "gia qualificato",
    }),
    CONSENT: frozenset({
        "zgoda", "zgoda rodzica", "zgoda rodzicow", "zgoda opiekuna", "zgoda opiekuna prawnego",
        "zgoda rodzica opiekuna", "zgoda rodzica opiekuna prawnego", "zgoda rodzica lub opiekuna", "consent",
        "parental consent", "parent consent", "parent s consent", "parents consent", "consent on file", "consenso",
        "consenso dei genitori", "consenso del genitore", "autorizzazione",
    }),
}  # fmt: skip

_SURNAME_FIRST: Final = frozenset({
    "nazwisko i imie", "nazwisko imie", "nazwisko i imiona", "cognome e nome", "cognome nome",
})  # fmt: skip
_SURNAME_LAST: Final = frozenset({
    "imie i nazwisko", "imie nazwisko", "imiona i nazwisko", "first name and surname", "first and last name",
    "name and surname", "first name and last name", "nome e cognome", "nome cognome",
})  # fmt: skip
_TOWN: Final = frozenset({"miasto", "miejscowosc", "town", "city", "citta"})

# Whose name or class it is, as forms put it behind the heading.
_WHOSE: Final = frozenset({
    "ucznia", "uczennicy", "uczestnika", "uczestniczki", "gracza", "zawodnika", "zawodniczki", "dziecka", "twoje",
    "twoja", "of", "the", "your", "player", "players", "student", "students", "pupil", "participant", "child", "s",
    "del", "della", "dell", "giocatore", "partecipante", "alunno", "alunna", "studente", "bambino",
})  # fmt: skip

_EXPECTED: Final = ("imię i nazwisko", "name", "nome e cognome")
_YES: Final = frozenset({
    "tak", "t", "yes", "y", "si", "s", "1", "x", "+", "true", "prawda", "vero", "wyrazam zgode", "tak wyrazam zgode",
    "zgadzam sie", "tak zgadzam sie", "i agree", "acconsento",
})  # fmt: skip
_NO: Final = frozenset({
    "nie", "n", "no", "0", "-", "false", "falsz", "falso", "nie wyrazam zgody", "nie zgadzam sie", "i do not agree",
    "non acconsento",
})  # fmt: skip


def field_of(heading: str) -> Field | None:
    """What the column holds, None if it is not one that is read."""
    for spelled in _spelled(heading):
        for field, known in _KNOWN.items():
            if spelled in known:
                return field
    return None


def _spelled(heading: str) -> tuple[str, str]:
    """The heading as the sets have it, and without whose it is."""
    words = re.findall(r"\w+", folded(heading))
    return " ".join(words), " ".join(word for word in words if word not in _WHOSE)


def score(header: Sequence[str]) -> int:
    """How many columns would be read; 0 if a player's name is not among them."""
    fields = [field_of(heading) for heading in header]
    return sum(field is not None for field in fields) if {NAME, FIRST, SURNAME} & set(fields) else 0


def columns(header: Sequence[str], file: str, line: int) -> dict[Field, list[int]]:
    """Where what is read stands, from 0; WrongInput, naming the columns found, if there is no name or something twice.

    "name" beside "surname" is the first name. Of groups there may be several.
    """
    found: dict[Field, list[int]] = {}
    for place, heading in enumerate(header):
        if (field := field_of(heading)) is not None:
            found.setdefault(field, []).append(place)
    if SURNAME in found and FIRST not in found and NAME in found:
        found[FIRST] = found.pop(NAME)
    if not {NAME, FIRST, SURNAME} & found.keys():
        raise WrongInput(
            N_("{file}, line {line}: no column holds the name, expected one called {expected}; found: {columns}"),
            file=file, line=line, columns=_listed(header), expected=_listed(_EXPECTED),
        )  # fmt: skip
    for field, places in found.items():
        if len(places) > 1 and field != GROUP:
            raise WrongInput(
                N_("{file}, line {line}: the columns {columns} say the same, expected one of them"),
                file=file, line=line, columns=_listed([header[place] for place in places]),
            )  # fmt: skip
    return found


def yes_or_no(cell: str) -> bool | None:
    """What a cell says; ValueError if it is neither. None: it is empty."""
    said = " ".join(re.findall(r"[\w+-]+", folded(cell)))
    if said in _YES or said in _NO:
        return said in _YES
    if cell.strip():
        raise ValueError(cell)
    return None


def _order_said(heading: str) -> Order | None:
    for spelled in _spelled(heading):
        if spelled in _SURNAME_FIRST or spelled in _SURNAME_LAST:
            return SURNAME_FIRST if spelled in _SURNAME_FIRST else FIRST_NAME_FIRST
    return None


def _listed(header: Sequence[str]) -> str:
    return ", ".join(quoted(heading.strip()[:40], language()) for heading in header)


_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class SignUp:
    """One player of the list. `line` from 1; `surname`, `town`: as of `Player`."""

    line: int
    name: str
    group: str = ""
    qualified: bool = False
    consent: bool | None = None
    surname: str = ""
    town: str = ""


@dataclass(frozen=True, slots=True)
class SignUps:
    """The list in its order; `unread`: columns that were passed over; `table`: where it stood. `order`: of the words of
    a name, None: nobody can tell, or the words stand apart; `guessed`: by the names alone. `otherwise`: names that read
    the other way round: if the order is guessed they are taken so, a heading counts more than they do.
    """

    players: tuple[SignUp, ...]
    unread: tuple[str, ...]
    table: Table
    order: Order | None = None
    guessed: bool = False
    otherwise: tuple[str, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether somebody has a name of two words or more, and nobody knows which one is the surname."""
        return self.order is None and any(not one.surname and " " in one.name for one in self.players)


def read(
    data: bytes, file: str, encoding: str | None = None, sheet: str | None = None, order: Order | None = None
) -> SignUps:  # fmt: skip
    """The list in those bytes; WrongInput with every line in which anything is not certain. `file` as messages name it,
    `sheet`: of a workbook, None: the first that has a list; `order`: of the words of a name, None: as the heading says
    it, else as the names themselves do.
    """
    found = table(data, file, score, encoding, sheet)
    file, header = found.file, found.header
    places = columns(header, file, found.line)
    reader = _Reader(file, header, places)
    read_columns = {place for places in places.values() for place in places}
    players: list[SignUp] = []
    wrong: list[DalejError] = []
    for line, cells in found.rows:
        if _only_counted(cells, read_columns):
            continue
        try:
            if found.encoding:
                _expect_whole(cells, header, line, file)
            if score(cells) >= score(header):
                raise WrongInput(N_("{file}, line {line}: headings once more, expected a player"), file=file, line=line)
            players.append(reader.player(line, cells))
        except WrongInput as problem:
            wrong.append(problem)
    expect_none([*wrong, *_twice(players, file)])
    if len(players) > PLAYERS_MOST:
        raise WrongInput(N_("{file} holds {count} players, expected no more than {most}"),
                         file=file, count=len(players), most=PLAYERS_MOST)  # fmt: skip
    if SURNAME in places or NAME not in places:
        return SignUps(tuple(players), found.unread(read_columns), found)
    said = order or _order_said(header[places[NAME][0]])
    known = said or order_of([one.name for one in players])
    if known is None:
        return SignUps(tuple(players), found.unread(read_columns), found)
    otherwise = tuple(one.name for one in players if order_in(one.name) not in (None, known))
    in_row = {name: order_in(name) or known for name in otherwise} if said is None else {}
    players = [replace(one, surname=proper_group(surname_in(one.name, in_row.get(one.name, known)))) for one in players]
    return SignUps(tuple(players), found.unread(read_columns), found, known, said is None, otherwise)


def _only_counted(cells: Sequence[str], read_columns: AbstractSet[int]) -> bool:
    """Whether nothing but numbers stands in the row, beside the columns that are read: a line that nobody filled in."""
    filled = [place for place, cell in enumerate(cells) if cell.strip()]
    return not read_columns & set(filled) and all(cells[place].strip(" .)").isdecimal() for place in filled)


def _expect_whole(cells: Sequence[str], header: Sequence[str], line: int, file: str) -> None:
    """A row that is shorter than the header, and that another delimiter would cut elsewhere, is cut wrong."""
    if len(cells) < len(header) and any(sign in cell for cell in cells for sign in DELIMITERS):
        raise WrongInput(
            N_("{file}, line {line}: {count} columns, expected {most} as in the first line, parted in the same way"),
            file=file, line=line, count=len(cells), most=len(header),
        )  # fmt: skip


class _Reader:
    """Rows -> players, by what the header says."""

    def __init__(self, file: str, header: Sequence[str], columns: Mapping[Field, Sequence[int]]) -> None:
        self.file = file
        self.header = header
        self.columns = columns

    def player(self, line: int, cells: Sequence[str]) -> SignUp:
        name = " ".join(part for field in (NAME, FIRST, SURNAME) for part in self.cells(field, cells))
        try:
            return SignUp(
                line, proper_name(name), proper_group(", ".join(self.cells(GROUP, cells))),
                self.answer(QUALIFIED, cells, line) or False, self.answer(CONSENT, cells, line), self.surname(cells),
                self.town(cells),
            )  # fmt: skip
        except WrongInput as problem:
            raise WrongInput(N_("{file}, line {line}: {problem}"), file=self.file, line=line, problem=problem) from None

    def surname(self, cells: Sequence[str]) -> str:
        """What stands in a column of its own."""
        return proper_group(" ".join(self.cells(SURNAME, cells))) if {FIRST, SURNAME} <= self.columns.keys() else ""

    def town(self, cells: Sequence[str]) -> str:
        """Where they are from, if a column is headed so."""
        for place in self.columns.get(GROUP, ()):
            if place < len(cells) and _TOWN & set(_spelled(self.header[place])):
                return proper_group(cells[place])
        return ""

    def cells(self, field: Field, cells: Sequence[str]) -> list[str]:
        """What stands in the columns of that field, empty cells left out."""
        there = (cells[place].strip() for place in self.columns.get(field, ()) if place < len(cells))
        return [cell for cell in there if cell]

    def answer(self, field: Field, cells: Sequence[str], line: int) -> bool | None:
        for cell in self.cells(field, cells):
            try:
                return yes_or_no(cell)
            except ValueError:
                raise WrongInput(
                    N_("under the heading {heading} (cell {cell}): “{found}”, expected yes, no, x or nothing"),
                    heading=self.header[self.columns[field][0]].strip(),
                    cell=f"{letter(self.columns[field][0])}{line}", found=cell[:_SHOWN],
                ) from None  # fmt: skip
        return None


def _twice(players: Sequence[SignUp], file: str) -> list[DalejError]:
    """Whose name is there twice, and nothing tells them apart: not two classes, clubs or towns."""
    earlier: dict[str, list[SignUp]] = {}
    found: list[DalejError] = []
    for player in players:
        bearers = earlier.setdefault(folded(player.name), [])
        same = next((other for other in bearers if not _told_apart(other.group, player.group)), None)
        if same is None:
            bearers.append(player)
            continue
        if player.group and group_key(same.group) == group_key(player.group):
            found.append(
                WrongInput(
                    N_("{file}, lines {first} and {second}: “{name}” twice, both in {group}: if that is one person "
                       "delete one of the lines, if they are two put an initial behind a name"),
                    file=file, first=same.line, second=player.line, name=player.name, group=player.group,
                )
            )  # fmt: skip
            continue
        found.append(
            WrongInput(
                N_("{file}, lines {first} and {second}: “{name}” twice; put class or initial behind a namesake's name"),
                file=file, first=same.line, second=player.line, name=player.name,
            )
        )  # fmt: skip
    return found


def _told_apart(group: str, other: str) -> bool:
    """Whether these are two classes, clubs or towns for sure: 4b and 4 B are one."""
    one, two = group_key(group), group_key(other)
    return bool(one and two) and one != two


SIGNED_UP: Final = N_("signed up")
RENAMED: Final = N_("renamed")
CONSENTED: Final = N_("a parent's consent is on file")
NOT_CONSENTED: Final = N_("a parent's consent is not on file")
ELIMINATIONS: Final = "eliminations"
_ENTRY_CLAUSE: Final = "ORGANIZACJA 14"
_ENTRY_QUOTE: Final = "o ile już nie zakwalifikowała się już do finału"


class Joins(NamedTuple):
    """Where somebody who signs up now comes in: in `round` of the first stage, after having missed so many."""

    round: RoundKey
    missed: int


def joins(state: Tournament) -> Joins:
    """The round that is seated as long as it can take one more, else the next; Refused once there is none."""
    first = state.plan[0]
    for number in range(1, first.rounds + 1):
        key = RoundKey(first.id, number)
        seen = state.rounds.get(key)
        if seen is None or (seen.closed is None and (seen.seating is None or can_come_in(state, key))):
            return Joins(key, number - 1)
    last = state.rounds[RoundKey(first.id, first.rounds)]
    told = N_("{stage}: the last round is seated and no table can take one more, nobody can come in any more")
    if last.closed is not None:
        told = N_("{stage}: the last round is closed, nobody can come in any more")
    raise Refused(told, stage=stage_said(first.id))


def enter(
    state: Tournament, wanted: Sequence[SignUp], *, file: str = "", anyway: str = "", new_only: bool = False
) -> Change:
    """Players signed up in their order, numbered on from the last number that anybody had, whose sign-up was taken back
    included: it may be on paper. `new_only` passes over who is there already.

    Whoever comes when all places are taken waits for one, unless `anyway` says why they are let in all the same.
    Refused, and nobody is in, if a name is taken or somebody may not play here.
    """
    spelled = as_first_written(state, wanted)
    named = _with_hints(state, spelled) if file else spelled
    known = {folded(player.name): player for player in state.players.values()}
    bare = {} if file else {folded(plain(player.name)): player for player in state.players.values()}
    new = [one for one in named if not (new_only and folded(one.name) in known)]
    if not new:
        return Change([], SIGNED_UP)
    wrong: list[DalejError] = []
    for one in new:
        if (other := known.get(folded(one.name)) or bare.get(folded(one.name))) is not None:
            wrong.append(_there(other, one, file) if file else _taken(other))
        elif (problem := _not_allowed(state, one, file)) is not None:
            wrong.append(problem)
    expect_none(wrong)
    joins(state)
    free = free_places(state)
    beyond = free is not None and len(new) > free
    let_in = len(new) if free is None or anyway else free
    first = _last_number(state) + 1
    drafts = [_draft(first + place, one, waits=place >= let_in) for place, one in enumerate(new)]
    return Change(drafts, f"{SIGNED_UP}, beyond the limit: {anyway}" if beyond and anyway else SIGNED_UP)


def signed_up(made: Iterable[Decision]) -> list[int]:
    """Who has signed up by these decisions, by number."""
    found = [one.body.get("player") for one in made if one.kind == PLAYER and one.why.startswith(SIGNED_UP)]
    return [number for number in found if isinstance(number, int)]


def as_first_written(state: Tournament, wanted: Iterable[SignUp]) -> list[SignUp]:
    """The sign-ups with each class, club or town spelled as it was first, in the event or else in the list."""
    first: dict[str, str] = {}
    for player in state.players.values():
        first.setdefault(group_key(player.group), player.group)
    return [replace(one, group=first.setdefault(group_key(one.group), one.group)) for one in wanted]


def _with_hints(state: Tournament, wanted: Sequence[SignUp]) -> list[SignUp]:
    """The list with class, club or town behind the names of those who have a namesake of another one, in the list or in
    the event. Who is there already keeps the name that they have there.
    """
    bearers: dict[str, list[str]] = {}
    for one in wanted:
        bearers.setdefault(folded(one.name), []).append(one.group)
    there = {folded(player.name): player for player in state.players.values()}
    return [_with_hint(one, bearers[folded(one.name)], there) for one in wanted]


def _with_hint(one: SignUp, groups: Sequence[str], there: Mapping[str, Player]) -> SignUp:
    hinted = f"{one.name} ({one.group})"
    namesake = there.get(folded(one.name))
    if namesake is not None and not _told_apart(namesake.group, one.group):
        return one
    if namesake is not None or folded(hinted) in there or any(_told_apart(one.group, group) for group in groups):
        return replace(one, name=proper_name(hinted))
    return one


def _last_number(state: Tournament) -> int:
    ever = (subject.removeprefix(f"{PLAYER}:") for subject in state.latest if subject.startswith(f"{PLAYER}:"))
    return max(state.players.keys() | {int(number) for number in ever if number.isdecimal()}, default=0)


def change_player(
    state: Tournament, player: Player, name: str, group: str, why: str | None = None, surname: str = ""
) -> Change:  # fmt: skip
    """The same player, written so: name, class, club or town, and which words of the name are the surname, "": those
    that were; no drafts if it is written so already.
    """
    name, group = proper_name(name), proper_group(group)
    surname = _surname_of(name, surname) if surname else _surname_kept(player, name)
    other = namesake(state, name)
    if other is not None and other.number != player.number:
        taken = _taken(other)
        if other.gone is None:
            taken.hinted(
                N_("{command} takes one that nobody has"),
                command=typed("players", "rename", EVENT, player.number, "NAME"),
            )
        raise taken
    if (name, group, surname) == (player.name, player.group, player.surname):
        return Change([], why or RENAMED)
    written = replace(_signed_up(player), name=name, group=group, surname=surname)
    if folded(group) != folded(player.group):
        written = replace(written, town="")
    return Change([_draft(player.number, written, waits=player.waits is not None)], why or RENAMED)


def _surname_kept(player: Player, name: str) -> str:
    """Which words are the surname once the name is written so: those that were, unless the words have changed places
    and what was taken for the surname is a first name.
    """
    moved = name != player.name and sorted(folded(name).split()) == sorted(folded(player.name).split())
    order = order_in(name) if moved else None
    return player.surname if order is None else surname_in(name, order)


def _surname_of(name: str, surname: str) -> str:
    """As it stands in the name; WrongInput if the name neither begins nor ends with it."""
    wanted, words = folded(surname).split(), name.split()
    for part in (words[: len(wanted)], words[len(words) - len(wanted) :]):
        if len(wanted) < len(words) and folded(" ".join(part)).split() == wanted:
            return " ".join(part)
    raise WrongInput(
        N_("“{text}” is not the surname in “{name}”, expected words with which the name begins or ends"),
        text=surname, name=name,
    )  # fmt: skip


def consent(players: Iterable[Player], *, on_file: bool) -> Change:
    """A parent's consent of these players is on file, or is not; no drafts for those of whom that is known already."""
    changed = [
        _draft(player.number, replace(_signed_up(player), consent=on_file), waits=player.waits is not None)
        for player in players if player.consent is not on_file
    ]  # fmt: skip
    return Change(changed, CONSENTED if on_file else NOT_CONSENTED)


def _signed_up(player: Player) -> SignUp:
    return SignUp(0, player.name, player.group, player.qualified, player.consent, player.surname, player.town)


def _not_allowed(state: Tournament, one: SignUp, file: str) -> Refused | None:
    if not one.qualified or state.ruleset.shape != ELIMINATIONS:
        return None
    problem = Refused(
        N_("{name} has already qualified for the final and may not enter another elimination {citation}"),
        name=one.name, citation=cited(_ENTRY_CLAUSE, _ENTRY_QUOTE),
    )  # fmt: skip
    return Refused(N_("{file}, line {line}: {problem}"), file=file, line=one.line, problem=problem) if file else problem


def _there(other: Player, one: SignUp, file: str) -> Refused:
    return Refused(
        N_("{file}, line {line}: {name} is player {number} already"),
        file=file, line=one.line, name=one.name, number=other.number,
    ).hinted(N_("{command} passes over everybody who is"), command=once_more("--new-only"))  # fmt: skip


def _taken(other: Player) -> Refused:
    if other.gone is not None:
        return Refused(
            N_("{name} is player {number}, who has left and may come back before the next draw"),
            name=other.name, number=other.number,
        ).hinted(N_("{command} takes that back"), command=typed("players", "back", EVENT, other.number))  # fmt: skip
    return Refused(
        N_("{name} is player {number} already: put class or initial behind a namesake's name"),
        name=other.name, number=other.number,
    ).hinted(N_("{command} takes it"), command=once_more("--namesake", "HINT"))  # fmt: skip


def limit_cited(state: Tournament) -> DalejError:
    """The clause that limits the places, with its words."""
    rule = state.ruleset.rule("players_max")
    return cited(rule.clause, rule.quote, state.ruleset.language)


def _draft(number: int, one: SignUp, *, waits: bool) -> Draft:
    body: dict[str, Json] = {
        "player": number, "name": one.name, "group": one.group, "qualified": one.qualified, "consent": one.consent,
    }  # fmt: skip
    body |= {name: told for name, told in (("surname", one.surname), ("town", one.town)) if told}
    if waits:
        body["waits"] = True
    return Draft(PLAYER, body, f"{PLAYER}:{number}")
