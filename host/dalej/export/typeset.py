"""Data and a template -> a PDF.

The data travel as JSON beside the markup and are never pasted into it, so a name is only ever a name. The fonts are
those inside the typesetter, so that paper looks the same on every computer, and no time of making goes into the file:
the same data give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

import typst

from dalej.words import language

_TEMPLATES: Final = files("dalej.export") / "templates"
_COMMON: Final = "common.typ"


def pdf(template: str, title: str, data: Mapping[str, object]) -> bytes:
    """The PDF that `templates/TEMPLATE.typ` makes of the data, in the reader's language."""
    source = b"\n".join((_TEMPLATES / name).read_bytes() for name in (_COMMON, f"{template}.typ"))
    whole = json.dumps({"language": language(), "title": title, **data}, ensure_ascii=False)
    return typst.compile(source, format="pdf", ignore_system_fonts=True, sys_inputs={"data": whole})
