"""What the tests notice: mutants of `moveclock`, of `dalej.domain` and of the office's acts, made and tried by mutmut.

A mutant is the code with one thing changed: a number, a comparison, a name. One that neither mypy nor any test refuses
is one that nobody would notice. Those that need not be noticed stand in `survivors.toml`, each with its reason. They
are tried in a copy of the source, where `mutmut browse` shows those that lived, and `unexplained.txt` what they change
if nobody has given a reason yet.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from proof.campaign import FOREIGN, KEPT, ROOT, Outcome, code, share
from tests.processes import bounded

MANY: Final = 125
"""Mutants of a story."""
TELLING: Final = 20  # of a place: among fewer a single one that lives would be more than one in twenty
SURVIVORS: Final = Path(__file__).with_name("survivors.toml")
CODE: Final = {"src/moveclock": "firmware/lib/moveclock", "src/dalej": "host/dalej"}
BESIDE: Final = ("tests", "tools", "examples", "docs", "bench", "firmware")
"""What tests read or import."""
LONGEST_S: Final = 3 * 3_600.0
NONE_TRIED: Final = "no.such.mutant"
"""By the time that mutmut refuses it, it has made them all and knows which tests reach which."""
SPINNING: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"  # while it works
LIVED: Final = "that lived"
FOR_A_REASON: Final = f"{LIVED} for a reason"
UNNOTICED: Final = f"{LIVED} and should not"
ENDED: Final = {
    "killed": "that died", "timeout": "that died", "suspicious": "that died", "segfault": "that died",
    "caught by type check": "that mypy refuses", "survived": LIVED, "no tests": LIVED,
}  # fmt: skip
TYPES: Final = """[mypy]
strict = True
warn_unused_ignores = False
# what a method looks like that stands there a hundred times
disable_error_code = no-redef, has-type, var-annotated, attr-defined
mypy_path = src:tools/typings
namespace_packages = True
explicit_package_bases = True

[mypy-moveclock.*]
disallow_any_generics = False
"""


class Workshop(NamedTuple):
    """A copy of the source in which some of it is changed. `where`: names of what is counted apart, and what a mutant's
    name begins with there; `tests`: the folders whose tests are played; `expected`: what part of a place's mutants must
    be noticed, or live for a reason.
    """

    name: str
    where: Mapping[str, str]
    tests: Sequence[str]
    expected: float = 0.0

    @property
    def folder(self) -> Path:
        return KEPT / self.name

    @property
    def source(self) -> list[str]:
        return [f"src/{begins.strip('.').replace('.', '/')}" for begins in self.where.values()]

    def settings(self) -> str:
        """What mutmut reads of the copy's `pyproject.toml`."""
        return f"""
[tool.mutmut]
source_paths = ["src"]
only_mutate = {[f"{one}/*" for one in self.source]}
pytest_add_cli_args_test_selection = {[f"tests/{name}" for name in self.tests]}
pytest_add_cli_args = [
    "-n0", "-k", "not micropython", "--only=quick", "--hypothesis-profile=mutants", "-ofaulthandler_timeout=0",
    "--ignore=tests/rulesets/test_shipped.py", "--ignore=tests/office/acts/test_roles.py", # they look at pages at home
]
also_copy = {[name for name in BESIDE if name != "tests"]}
timeout_multiplier = 5.0
timeout_constant = 2.0
process_isolation = "forkserver"
type_check_command = {[sys.executable, "-m", "mypy", "--config-file", "../types.ini", "--output", "json", *self.source]}
"""


CORE: Final = Workshop(
    "mutants",
    {"moveclock": "moveclock.", "domain": "dalej.domain."},
    ("core", "domain", "rulesets", "secure", "journal", "properties", "event", "link", "desk", "simulator", "views"),
    expected=0.95,
)
ACTS: Final = Workshop("acts", {"the office's acts": "dalej.office.acts."}, ("office",))


class Reason(NamedTuple):
    """Why a mutant need not be noticed. `function`: `moveclock.peer.Peer.greet`, or what that begins with; `was`,
    `became`: what each line matches which the mutant takes away, or puts in its place.
    """

    function: str
    was: re.Pattern[str]
    became: re.Pattern[str]
    why: str


def reasons(text: str) -> list[Reason]:
    """Of a file such as `survivors.toml`."""
    return [
        Reason(one["function"], re.compile(one["was"]), re.compile(one["became"]), one["why"])
        for one in tomllib.loads(text)["survivor"]
    ]


def explained(name: str, diff: str, known: Sequence[Reason]) -> bool:
    """Whether one of them is that mutant's; `diff` as mutmut shows it."""
    function = re.sub(r"xǁ(\w+)ǁ|(?<=\.)x_", lambda found: f"{found[1]}." if found[1] else "", name)
    was, became = (
        [line[1:].strip() for line in diff.splitlines() if line.startswith(sign) and not line.startswith(3 * sign)]
        for sign in "-+"
    )
    return bool(was) and any(
        function.startswith(one.function) and all(map(one.was.search, was)) and all(map(one.became.search, became))
        for one in known
    )


def of_the_core(seed: int) -> Outcome:
    """So many of all mutants of `moveclock` and the domain; a fault if more than one in twenty of either lived without
    a reason. AssertionError if mutmut could not try them.
    """
    return _of_a_sample(CORE, seed)


def of_the_acts(seed: int) -> Outcome:
    """The same of the office's acts."""
    return _of_a_sample(ACTS, seed)


def _of_a_sample(shop: Workshop, seed: int) -> Outcome:
    _laid_out(shop)
    known = _known(shop)
    drawn = share(sorted(known), seed, MANY)
    if untried := [name for name in drawn if known[name] not in ENDED]:
        _mutmut(shop, "run", "--max-children", str(os.cpu_count() or 1), *untried)
    return counted(shop, drawn, _known(shop), partial(_explained_here, shop))


def counted(
    shop: Workshop, drawn: Sequence[str], known: Mapping[str, str], is_explained: Callable[[str], bool]
) -> Outcome:
    """Of those drawn, by what became of each, in mutmut's word; of which place too many live is found."""
    counts: Counter[str] = Counter()
    drawn_of: Counter[str] = Counter()
    for name in drawn:
        where = next(where for where, begins in shop.where.items() if name.startswith(begins))
        assert known[name] in ENDED, f"mutmut did not try {name}: {known[name]}"
        ended = ENDED[known[name]]
        if ended == LIVED:
            ended = FOR_A_REASON if is_explained(name) else UNNOTICED
        counts[f"... of {where} {ended}"] += 1
        drawn_of[where] += 1
    unnoticed = {where: counts[f"... of {where} {UNNOTICED}"] for where in sorted(drawn_of)}
    found = "; ".join(
        f"of {drawn_of[where]} mutants of {where} {lived} lived that should not"
        for where, lived in unnoticed.items()
        if drawn_of[where] >= TELLING and lived > (1 - shop.expected) * drawn_of[where]
    )
    return Outcome({"mutants": len(drawn), **dict(sorted((+counts).items()))}, found=found)


def _explained_here(shop: Workshop, name: str) -> bool:
    diff = _mutmut(shop, "show", name)
    if explained(name, diff, reasons(SURVIVORS.read_text("utf-8"))):
        return True
    with (shop.folder / "unexplained.txt").open("a", encoding="utf-8") as file:
        file.write(f"{name}\n{diff}\n")
    return False


def _laid_out(shop: Workshop) -> None:
    """The copy and its mutants, anew if the code is not what they are of; what `proof` does changes none of them."""
    project = (ROOT / "pyproject.toml").read_text("utf-8") + shop.settings()
    folder, this = shop.folder, code([*CODE.values(), *BESIDE]) + TYPES + project
    mark = folder / "code"
    if mark.exists() and mark.read_text("utf-8") == this:
        return
    shutil.rmtree(folder, ignore_errors=True)
    unwanted = shutil.ignore_patterns("__pycache__", FOREIGN, ".hypothesis")
    for into, of in {**CODE, **{name: name for name in BESIDE}}.items():
        shutil.copytree(ROOT / of, folder / into, ignore=unwanted)
    (folder / "pyproject.toml").write_text(project, "utf-8")
    (folder / "types.ini").write_text(TYPES, "utf-8")
    _mutmut(shop, "run", NONE_TRIED, but=NONE_TRIED)
    assert _known(shop), "mutmut makes no mutants"
    mark.write_text(this, "utf-8")


def _known(shop: Workshop) -> dict[str, str]:
    """What became of each mutant, by its name."""
    lines = (line.strip().partition(": ") for line in _mutmut(shop, "results", "--all", "true").splitlines())
    return {name: what for name, found, what in lines if found and "__mutmut_" in name}


def _mutmut(shop: Workshop, *words: str, but: str = "") -> str:
    """What it printed. AssertionError with its last lines if it fails, unless the last one is about `but`."""
    program = Path(sys.executable).with_name("mutmut")
    with subprocess.Popen(
        [program, *words], cwd=shop.folder, encoding="utf-8", errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as running, bounded(running, LONGEST_S):  # fmt: skip
        told, errors = running.communicate()
    said = [line for line in (told + errors).splitlines() if line.strip() and line[0] not in SPINNING]
    expected = running.returncode == 0 or bool(but and said and but in said[-1])
    assert expected, f"mutmut {words[0]}: {chr(10).join(said[-30:])}"
    return told
