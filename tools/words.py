"""The words a person reads: `python -m tools.words` collects them from the source into the catalogues.

A catalogue has no line numbers and no dates, so that its diff shows words and nothing else. What click itself says
(usage, headings, errors) is in there too, since it asks the same catalogue. English is what the source says: its
catalogue is a header, by which gettext knows the language and does not go on to the next one that a person reads.
"""

from __future__ import annotations

import io
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Formatter

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "host" / "dalej"
LOCALE = SOURCE / "locale"
ORIGINAL = "en"
NAMES = {"pl": "Polish", "en": "English", "it": "Italian"}
KEYWORDS = {**DEFAULT_KEYWORDS, "Counted": (1, 2)}
CLICK = ("core.py", "decorators.py", "exceptions.py", "formatting.py", "parser.py", "types.py")
HEADER = """\
# Dalej in {name}. `make words` {how}.
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural_forms}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def collected() -> Catalog:
    """Every message in the source, in the order of the files."""
    catalogue = Catalog()
    written = [("python", file) for file in sorted(SOURCE.rglob("*.py"))]
    written += [("jinja2", file) for file in sorted(SOURCE.rglob("web/templates/*.html"))]
    written += [("python", Path(click.__file__).with_name(name)) for name in CLICK]
    for method, file in written:
        found = extract_from_file(method, file, keywords=KEYWORDS, comment_tags=("Translators:",))
        for _, message, comments, context in found:
            catalogue.add(message, auto_comments=comments, context=context)
    for sentence in _of_rulesets():
        catalogue.add(sentence)
    return catalogue


def _of_rulesets() -> Iterator[str]:
    """Why a value of a shipped ruleset is as it is, where its text leaves that open."""
    for file in sorted(SOURCE.glob("rulesets/*.toml")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("why = "):
                yield tomllib.loads(line)["why"]


def po_file(language: str) -> Path:
    """Where a language's catalogue lies."""
    return LOCALE / language / "LC_MESSAGES" / "dalej.po"


def read(language: str) -> Catalog:
    """The catalogue as it lies there; an empty one if there is none yet."""
    if not po_file(language).exists():
        return Catalog(locale=language)
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def text(catalogue: Catalog, language: str) -> str:
    """The file of a catalogue: one line a string, no places, no dates."""
    body = io.BytesIO()
    write_po(body, catalogue, width=0, no_location=True, omit_header=True, ignore_obsolete=True)
    how = "writes this header; the messages are the source's" if language == ORIGINAL else "collects new messages here"
    header = HEADER.format(name=NAMES[language], how=how, language=language, plural_forms=catalogue.plural_forms)
    return (header + body.getvalue().decode("utf-8").strip()).rstrip() + "\n"


def update(language: str) -> None:
    """Add what is new, drop what is gone; a guess at a changed message is marked fuzzy and counts as missing."""
    catalogue = read(language)
    catalogue.update(Catalog() if language == ORIGINAL else collected(), update_creation_date=False)
    po_file(language).parent.mkdir(parents=True, exist_ok=True)
    po_file(language).write_text(text(catalogue, language), encoding="utf-8", newline="\n")


def problems(language: str, source: Catalog) -> Iterator[str]:
    """What is wrong with a catalogue, one sentence each; the English one holds no messages."""
    catalogue = read(language)
    if language == ORIGINAL:
        source = Catalog()
    for message in source:
        known = message.id and catalogue.get(message.id, message.context)
        if message.id and not known:
            yield f"{language}: {_first(message.id)!r} is missing, run `make words`"
        elif known and known.fuzzy:
            yield f"{language}: {_first(message.id)!r} is marked fuzzy"
        elif known and not all(_strings(known.string)):
            yield f"{language}: {_first(message.id)!r} is not translated"
        elif known and any(_strings(known.string)) and not _same_fields(known):
            yield f"{language}: {_first(message.id)!r} is translated with other {{fields}}"
    yield from (
        f"{language}: {_first(message.id)!r} is no longer in the source, run `make words`"
        for message in catalogue
        if message.id and not source.get(message.id, message.context)
    )


def _first(message: str | Iterable[str]) -> str:
    return message if isinstance(message, str) else next(iter(message))


def _strings(message: str | Iterable[str] | None) -> list[str]:
    return [message or ""] if message is None or isinstance(message, str) else list(message)


def _fields(template: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:  # braces that are not fields, as in an example
        return set()


def _same_fields(message: Message) -> bool:
    """Every field of the original is used and no other; a plural form may leave some out."""
    original = set().union(*map(_fields, _strings(message.id)))
    translated = [_fields(string) for string in _strings(message.string) if string]
    if message.pluralizable:
        return all(fields <= original for fields in translated)
    return all(fields == original for fields in translated)


def main() -> int:
    """Update every catalogue and say what is left to translate."""
    source = collected()
    left: list[str] = []
    for language in NAMES:
        update(language)
        left += problems(language, source)
    print("\n".join(left) or "every message is translated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
