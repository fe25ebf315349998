"""What an act would touch, in words, before it is done: the same on every screen and at the command line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from dalej.domain.game.sentences import choice, seconds
from dalej.domain.tournament.stages import round_name
from dalej.domain.tournament.tournament import Round, Tournament
from dalej.event.ledger import Decision
from dalej.office.history import names_in, tell
from dalej.words import _, readable, said

if TYPE_CHECKING:
    from dalej.office.acts.act import Act

_UNKNOWN: Final = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSight:
    """A table as its box told. `whose`: whose move it is, in words; `limit_ms` None: not known."""

    table: int
    game: int
    move: int
    whose: str
    limit_ms: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What is known before something is done. `plays`: the tables at which a game is under way, each with its state
    (`moveclock.facts`); `here`: those of them whose game is of the round at work; `table`: the one that it is about.
    """

    state: Tournament | None = None
    decisions: Sequence[Decision] = ()
    plays: Mapping[int, int] = field(default_factory=dict)
    here: Collection[int] = ()
    table: TableSight | None = None

    @property
    def round(self) -> Round | None:
        """The round at work."""
        return None if self.state is None else self.state.current

    @property
    def earlier(self) -> list[int]:
        """Tables at which a game goes on that began before the round at work was seated."""
        return [table for table in self.plays if table not in self.here]


class _Known(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return _UNKNOWN


def question(act: type[Act], args: Mapping[str, object], sight: Sight) -> str:
    """What the act with these arguments touches; "" if it destroys nothing. What nobody knows yet is “…”."""
    known: dict[str, object] = {"count": sum(state in act.states() for state in sight.plays.values()), **args}
    known |= {ask.name: said(choice(str(args[ask.name]))) for ask in act.asks()
              if ask.kind == "choice" and ask.name in args}  # fmt: skip
    if (table := sight.table) is not None:
        limit = _UNKNOWN if table.limit_ms is None else seconds(table.limit_ms)
        known |= {"table": table.table, "game": table.game, "move": table.move, "name": table.whose, "seconds": limit}
        known |= {name: args[name] for name in ("game", "move") if name in args}
    if (state := sight.state) is not None:
        player = args.get("player")
        if isinstance(player, int) and player in state.players:
            known["name"] = state.players[player].name
        if state.current is not None:
            known["round"] = round_name(*state.current.key)
    known |= act.touched(args, sight)
    shown = {name: readable(value) if isinstance(value, str) else value for name, value in known.items()}
    return _(act.confirm).format_map(_Known(shown)) if act.confirm else ""


def decision_named(args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
    """The decision of that number, and whose it is."""
    found = next((one for one in sight.decisions if one.cursor == args.get("number")), None)
    return {} if found is None else {"decision": tell(found, names_in(sight.decisions)), "who": found.who}
