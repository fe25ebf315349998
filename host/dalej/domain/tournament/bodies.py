"""Bodies of the tournament's decisions, read key by key; which keys a kind has is in
`dalej.domain.tournament.tournament`.

A body that does not hold what its kind needs says nothing, and an event that holds such a one is damaged: whoever wrote
it did not check it. What a later version may add beside the known keys is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, Protocol

from dalej.domain.game.facts import SEATS
from dalej.domain.tournament.tournament import GameAt, Mark, RoundKey, TableSeats, Tie
from dalej.errors import Damaged
from dalej.words import N_

_SHOWN: Final = 80  # characters of a wrong value that a message repeats
_MISSING: Final = object()


class Decided(Protocol):
    """What the fold needs of a decision in the ledger."""

    @property
    def cursor(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def subject(self) -> str | None: ...
    @property
    def body(self) -> Mapping[str, object]: ...
    @property
    def who(self) -> str: ...
    @property
    def when_ms(self) -> int: ...
    @property
    def why(self) -> str: ...
    @property
    def revokes(self) -> int | None: ...
    @property
    def revoked_by(self) -> int | None: ...


class Body:
    """The body of one decision. Every method reads one key and raises Damaged if its value cannot be right."""

    def __init__(self, decision: Decided) -> None:
        self.decision = decision
        self._body = decision.body

    @property
    def mark(self) -> Mark:
        """Who decided it, when and why."""
        return Mark(self.decision.cursor, self.decision.who, self.decision.when_ms, self.decision.why)

    def number(self, key: str, low: int = 1) -> int:
        """A whole number from `low` on."""
        found = self._body.get(key)
        return found if _whole(found, low) and isinstance(found, int) else self._says_nothing(key)

    def text(self, key: str, default: str | None = None) -> str:
        """A text; `default` where the key may be left out."""
        found = self._body.get(key, default)
        return found if isinstance(found, str) else self._says_nothing(key)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Yes or no; `default` where the key may be left out."""
        found = self._body.get(key, default)
        return found if isinstance(found, bool) else self._says_nothing(key)

    def maybe(self, key: str) -> bool | None:
        """Yes, no or, left out or null, None."""
        found = self._body.get(key)
        return found if found is None or isinstance(found, bool) else self._says_nothing(key)

    def maybe_number(self, key: str, low: int = 0) -> int | None:
        """A whole number from `low` on or, left out or null, None."""
        return None if self._body.get(key) is None else self.number(key, low)

    def anything(self, key: str) -> object:
        """Whatever it says under a key that it must have."""
        found = self._body.get(key, _MISSING)
        return self._says_nothing(key) if found is _MISSING else found

    def one_of(self, key: str, words: Sequence[str]) -> str:
        """One of these words."""
        found = self.text(key)
        return found if found in words else self._says_nothing(key)

    def numbers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers from 1 on, none twice."""
        found = self._body.get(key)
        if isinstance(found, list | tuple) and all(_whole(one, 1) for one in found) and len(set(found)) == len(found):
            return tuple(found)
        return self._says_nothing(key)

    def texts(self, key: str) -> frozenset[str]:
        """A list of texts."""
        found = self._body.get(key)
        if isinstance(found, list | tuple) and all(isinstance(one, str) for one in found):
            return frozenset(found)
        return self._says_nothing(key)

    def tie(self) -> Tie:
        """The order among players level, and the points on which they were; an early one does not say those."""
        found = self._body.get("points")
        if found is None:
            return Tie(self.numbers("order"))
        if not isinstance(found, list | tuple) or len(found) != len(("big", "small")):
            return self._says_nothing("points")
        big, small = found
        if not (big is None or _is_number(big)) or not _is_number(small):
            return self._says_nothing("points")
        return Tie(self.numbers("order"), (big, small))

    def objects(self, key: str) -> list[Mapping[str, object]]:
        """A list of objects."""
        found = self._body.get(key)
        if isinstance(found, list | tuple) and all(isinstance(one, Mapping) for one in found):
            return list(found)
        return self._says_nothing(key)

    def round_key(self) -> RoundKey:
        """The round that it is about."""
        return RoundKey(self.text("stage"), self.number("round"))

    def game_at(self) -> GameAt:
        """The game that it is about."""
        return GameAt(self.number("table"), self.number("game"))

    def tables(self) -> tuple[TableSeats, ...]:
        """The tables of a seating, by number; nobody sits twice, no table is there twice."""
        tables = sorted((self._table(one) for one in self.objects("tables")), key=lambda one: one.table)
        seated = [player for one in tables for player in one.seated]
        if len({one.table for one in tables}) != len(tables) or len(set(seated)) != len(seated):
            return self._says_nothing("tables")
        return tuple(tables)

    def _table(self, found: Mapping[str, object]) -> TableSeats:
        table, players = found.get("table"), found.get("players")
        chairs = players if isinstance(players, list | tuple) and len(players) == len(SEATS) else ()
        if isinstance(table, int) and _whole(table, 1) and chairs and all(_whole(player, 0) for player in chairs):
            a, b, c, d = chairs
            return TableSeats(table, (a, b, c, d))
        return self._says_nothing("tables")

    def seat_players(self) -> dict[str, int]:
        """Of a result: who sat at which seat."""
        players: dict[str, int] = {}
        for rack in self.objects("racks"):
            seat, player = rack.get("seat"), rack.get("player")
            if seat not in SEATS or not _whole(player, 1) or seat in players or player in players.values():
                return self._says_nothing("racks")
            players[str(seat)] = int(str(player))
        return players

    def _says_nothing(self, key: str) -> NoReturn:
        raise self.wrong(key)

    def wrong(self, key: str) -> Damaged:
        """The error that names the decision, the key and what is there."""
        found = self._body.get(key, _MISSING)
        shown = "–" if found is _MISSING else repr(found)
        return Damaged(
            N_("decision {cursor} ({kind}) says nothing: {key} is {found}"),
            cursor=self.decision.cursor, kind=self.decision.kind, key=key,
            found=shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…",
        )  # fmt: skip


def _is_number(found: object) -> bool:
    return isinstance(found, int) and not isinstance(found, bool)


def _whole(found: object, low: int) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found >= low
