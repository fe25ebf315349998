"""Why something is as it is, in a sentence that quotes the regulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reason:
    """An English template with `{named}` fields, the clause it rests on, and the regulation's own words if they are known."""

    template: str
    clause: str
    quote: str = ""
    data: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The reason in English with its clause, as programs get it."""
        quote = f": {self.quote}" if self.quote else ""
        return f"{self.template.format(**self.data)} [{self.clause}{quote}]"
