"""The templates of pages: whole ones, and parts that are drawn alone. Words in them go through gettext as everywhere,
in the language of whoever the page is for.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from dalej.words import _, ngettext, readable, who_said


class Templates:
    """What `host/dalej/web/templates` holds."""

    def __init__(self, href: Callable[[str], str] = str) -> None:
        """`href`: what a page's link to that path of the server is."""
        self._made = Environment(
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False,
            loader=FunctionLoader(lambda name: (files("dalej.web") / "templates" / name).read_text(encoding="utf-8")),
        )  # fmt: skip
        self._made.globals |= {"_": _, "ngettext": ngettext, "href": href}
        self._made.filters |= {"readable": readable, "who_said": who_said}

    def page(self, name: str, **fields: object) -> str:
        """The whole page."""
        return self._made.get_template(name).render(**fields)

    def block(self, name: str, block: str, **fields: object) -> str:
        """The block of that name, of a whole page, alone."""
        made = self._made.get_template(name)
        return "".join(made.blocks[block](made.new_context(fields)))

    def part(self, name: str, macro: str, **fields: Any) -> str:
        """The part of a page that is the template's macro of that name."""
        return str(getattr(self._made.get_template(name).module, macro)(**fields)).strip()
