"""What is known before an act is done, of which it says what it would touch: the same for every screen and the command
line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from dalej.domain.tournament.tournament import Round, Tournament
from dalej.event.ledger import Decision
from dalej.office.decisionwords import names_in, tell


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


def decision_named(args: Mapping[str, object], sight: Sight) -> Mapping[str, object]:
    """The decision of that number, and whose it is."""
    found = next((one for one in sight.decisions if one.cursor == args.get("number")), None)
    return {} if found is None else {"decision": tell(found, names_in(sight.decisions)), "who": found.who}
