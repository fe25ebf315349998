"""Names taken apart into first name and surname: as the sign-up list said it, else told by first names that are known,
or by the order of the list. In public it is the surname that is shortened. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final, Literal, NamedTuple

from dalej.office.players import folded
from dalej.words import alphabetical

Order = Literal["first", "surname"]  # what stands first
FIRST_NAME_FIRST: Final = "first"
SURNAME_FIRST: Final = "surname"

_TOLD_LEAST: Final = 3  # names that say it
_TO_ONE: Final = 4  # so many for it to one against it
_SORTED_LEAST: Final = 8  # names whose order says something

# As `folded` has them: frequent in Poland, as Polish schools spell Ukrainian ones, in Italy, in English.
_FREQUENT: Final = """
ada adam adrian adrianna agata agnieszka aleks aleksander aleksandra aleksy alicja alina amelia anastazja andrzej
angelika aniela anita anna antoni antonina apolonia arkadiusz artur augustyn aurelia barbara bartlomiej bartosz beata
beniamin blanka blazej bogdan bogna bogumil boguslaw borys bozena bronislaw bruno cecylia celina cezary czeslaw
dagmara damian daniel daria dariusz dawid dominik dominika dorota edward edyta eliza elzbieta emil emilia ernest ewa
ewelina fabian felicja feliks filip franciszek franciszka fryderyk gabriel gabriela gaja genowefa grazyna grzegorz
gustaw halina hanna helena henryk honorata hubert ida iga ignacy igor ilona inga irena ireneusz iwo iwona iza izabela
izabella jacek jadwiga jagna jagoda jakub jan janina janusz jaroslaw jasmina jedrzej jerzy joanna jolanta jozef
jozefina julia julian julianna julita justyna kacper kaja kajetan kalina kamil kamila karina karol karolina kasper
katarzyna kazimierz kinga klara klaudia konrad konstanty kordian kornel kornelia krystian krystyna krzysztof ksawery
laura lech lena leon leonard leszek lew lidia lila liliana lilianna liwia lucja lucjan luiza lukasz maciej magda
magdalena maja maksym maksymilian malgorzata malwina marcel marcelina marcin marek maria marianna mariola mariusz
marlena marta martyna maryla marzena mateusz matylda mieczyslaw mieszko mikolaj milena milosz mira miroslaw monika
nadia nadzieja natalia natan natasza nel nela nikodem nikola nikolas nina norbert olaf olga oliwer oliwia oliwier
oskar otylia patrycja patryk paulina pawel piotr pola przemyslaw rafal remigiusz renata robert roksana roman roza
rozalia ryszard sandra sara sebastian seweryn slawomir sonia stanislaw stefan stefania stella sylwester sylwia
szczepan szymon tadeusz tamara teodor teresa tobiasz tola tomasz tosia tymon tymoteusz urszula waclaw waldemar wanda
weronika wieslaw wiktor wiktoria wincenty wioletta wit witold wladyslaw wlodzimierz wojciech zaneta zbigniew zdzislaw
zofia zoja zosia zuzanna zuzia zygmunt

anastasiia andrii bohdan bohdana danylo daryna denys dmytro kateryna kyrylo mariia matvii mykhailo mykola mykyta nazar
oksana oleh oleksandr oleksandra oleksii olena olha polina ruslan serhii sofiia svitlana taras tetiana tymofii
veronika viktoriia vladyslav volodymyr yaroslav yaroslava yelyzaveta yevhen yuliia yurii zlata

alessandra alessandro alessia alessio alice ambra andrea angela angelo antonella antonio arianna asia aurora azzurra
beatrice benedetta bianca camilla carla carlo carlotta caterina chiara christian claudia claudio cristian cristina
daniela daniele davide diana diego domenico edoardo elena eleonora elia elisa elisabetta emanuele emma enea enrico
ettore eva fabio federica federico filippo flavia francesca francesco gabriele gaia giacomo giada gianluca ginevra
gioia giorgia giorgio giovanni giulia giulio giuseppe gloria greta ilaria irene isabel jacopo leonardo letizia lorenzo
luca lucia ludovica luigi manuel marco margherita mario martina massimo matilde matteo mattia mia michele miriam
nicola nicole nicolo noemi olivia paola paolo pietro rebecca riccardo rita roberto rocco salvatore samuel samuele
sofia stefano susanna tommaso valentina valerio vincenzo viola virginia vittoria vittorio

abigail aiden alan albert alex alexander alexandra alfie amanda amber amy andrew anthony archie arthur ava benjamin
caleb catherine charles charlie charlotte chloe christopher claire david dylan edith eleanor elizabeth ella ellie
emily ethan evan evelyn evie finley florence freddie freya george grace hannah harriet harry hazel heidi henry holly
hugo isaac isabella isla ivy jack jacob james jane jasmine jennifer jessica john jonathan joseph joshua katie kevin
layla leo liam lily logan louis louise lucas lucy luke madison martin mary mason matilda matthew max michael millie
molly naomi nathan nicholas noah oliver oscar owen patrick paul penelope peter phoebe poppy reuben richard rosie ruby
ryan samantha sarah scarlett sienna simon sophia sophie stephen susan theo theodore thomas toby victoria william
willow zachary zoe
"""
_FIRST_NAMES: Final = frozenset(_FREQUENT.split())


class Name(NamedTuple):
    """A player's name taken apart; `sure`: the sign-up list said which word is which."""

    first: str
    surname: str
    sure: bool


def apart(name: str, surname: str) -> Name:
    """First name and surname, `surname` as the sign-up list told it, "" if it did not; else as first names are known,
    else the last word is taken for the surname.
    """
    bare = plain(name)
    if surname and bare.endswith(f" {surname}"):
        return Name(bare.removesuffix(surname).strip(), surname, sure=True)
    if surname and bare.startswith(f"{surname} "):
        return Name(bare.removeprefix(surname).strip(), surname, sure=True)
    words = bare.split() or [bare]
    if _order(words) == SURNAME_FIRST:
        surname = surname_in(bare, SURNAME_FIRST)
        return Name(bare.removeprefix(surname).strip(), surname, sure=False)
    *first, last = words
    return Name(" ".join(first), last, sure=False) if first else Name(last, "", sure=False)


def is_first_name(word: str) -> bool:
    """Whether it is known to be one; of "Anna-Maria" the first half is asked."""
    return folded(word).partition("-")[0] in _FIRST_NAMES


def order_of(names: Sequence[str]) -> Order | None:
    """What stands first in these names, None if they do not say. Of a list that goes by the alphabet in its first words
    but not in its last ones the first are the surnames.
    """
    taken_apart = [words for name in names if len(words := plain(name).split()) > 1]
    said = [order for words in taken_apart if (order := _order(words)) is not None]
    surname, first = said.count(SURNAME_FIRST), said.count(FIRST_NAME_FIRST)
    enough = max(1, min(_TOLD_LEAST, len(taken_apart) // 2))
    if surname >= enough and surname >= _TO_ONE * first:
        return SURNAME_FIRST
    if first >= enough and first >= _TO_ONE * surname:
        return FIRST_NAME_FIRST
    if surname or first or len(taken_apart) < _SORTED_LEAST:
        return None
    by_first, by_last = (_in_order([words[place] for words in taken_apart]) for place in (0, -1))
    return None if by_first == by_last else SURNAME_FIRST if by_first else FIRST_NAME_FIRST


def order_in(name: str) -> Order | None:
    """What stands first in this name alone: None unless one end of it is a known first name and the other is none."""
    words = plain(name).split()
    return _order(words) if len(words) > 1 else None


def surname_in(name: str, order: Order) -> str:
    """The words of it that are the surname, "" if it has but one word. Known first names beside each other are all
    first names; one word is left for each. Where "Anna Xyz Nowak" begins with the first name nobody knows: "".
    """
    words = plain(name).split()
    if order == SURNAME_FIRST:
        return " ".join(words[: len(words) - _first_names(words[::-1])])
    left = words[_first_names(words) :]
    return left[0] if len(left) == 1 else ""


def plain(name: str) -> str:
    """Without what tells namesakes apart."""
    return re.sub(r"\s*\([^()]*\)$", "", name)


def _first_names(words: Sequence[str]) -> int:
    """How many of the words are, from the first on."""
    known = sum(1 for _word in takewhile(is_first_name, words))
    return min(max(known, 1), len(words) - 1) if len(words) > 1 else len(words)


def _order(words: Sequence[str]) -> Order | None:
    if words[0].endswith(","):
        return SURNAME_FIRST
    first, last = is_first_name(words[0]), is_first_name(words[-1])
    return None if first == last else FIRST_NAME_FIRST if first else SURNAME_FIRST


def _in_order(words: Sequence[str]) -> bool:
    keys = [alphabetical(word, "pl") for word in words]
    return all(one <= other for one, other in pairwise(keys)) and len(set(keys)) > 1
