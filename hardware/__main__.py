"""Write what a maker needs of one build into dist/hardware: what to order, files for board house and printer, pictures.

`python -m hardware BUILD` writes all of that build and nothing of another; without a name it says which there are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from hardware.drawing import PICTURES, Drawing
from hardware.evening import order as evening_order
from hardware.flat import order as flat_order


class Build(NamedTuple):
    """`costs` says in a few words what it is and what a box costs; `main` takes the rest of the command line."""

    costs: Callable[[], str]
    main: Callable[[list[str]], int]


def _evening_costs() -> str:
    euros = evening_order.total(evening_order.rows(), "cardboard", "en")
    return f"two buttons and a screen, an evening without solder, about {euros} € a box"


def _evening(arguments: list[str]) -> int:
    from hardware.evening import making  # noqa: PLC0415 -- a modeller takes seconds to come in

    return making.main(arguments)


def _flat_costs() -> str:
    return f"four sides, ordered from a board house, about {flat_order.cost(25).each:.0f} € a box if 25 are made"


def _flat(arguments: list[str]) -> int:
    from hardware.flat import making  # noqa: PLC0415 -- the same

    return making.main(arguments)


BUILDS: Final[dict[str, Build]] = {
    "evening": Build(_evening_costs, _evening),
    "flat": Build(_flat_costs, _flat),
}


def kept() -> Iterator[Drawing]:
    """Every picture of hardware/pictures."""
    from hardware.evening import pictures as evening  # noqa: PLC0415 -- the same
    from hardware.flat.case import pictures as flat  # noqa: PLC0415 -- the same

    yield from evening.drawings()
    yield from flat.drawings()


def stale() -> Iterator[tuple[Drawing, str]]:
    """Those that the repository does not hold as the code draws them, and how it draws them."""
    for drawing in kept():
        file, drawn = PICTURES / f"{drawing.name}.svg", drawing.svg()
        if not file.exists() or file.read_text("utf-8") != drawn:
            yield drawing, drawn


def strays() -> list[str]:
    """Pictures that nothing draws."""
    return sorted({file.stem for file in PICTURES.iterdir()} - {drawing.name for drawing in kept()})


def main(arguments: list[str]) -> int:
    """Exit code: 1 if asked to compare and a picture is not what the code draws, 2 if what draws it is not here."""
    try:
        return _run(arguments)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("hardware"):
            raise
        print(f"There is no {missing.name} here, which this draws with: type `make hardware`, which brings it.",
              file=sys.stderr)  # fmt: skip
        return 2


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in BUILDS:
        return BUILDS[arguments[0]].main(arguments[1:])
    wanted = _parser().parse_args(arguments)
    if wanted.pictures or wanted.update:
        return _compare(update=wanted.update)
    print(f"Name the build that you want: {said()}.")
    return 0


def said() -> str:
    """The builds, each with what it costs."""
    return "; ".join(f"{name} ({build.costs()})" for name, build in BUILDS.items())


def _compare(*, update: bool) -> int:
    problems = 0
    for (name, _), drawn in stale():
        problems += 1
        print(f"{name}.svg {'is drawn anew' if update else 'is not what the code draws'}")
        if update:
            (PICTURES / f"{name}.svg").write_text(drawn, "utf-8", newline="\n")
    for name in strays():
        problems += 1
        print(f"{name}.svg {'is deleted: ' if update else ''}nothing draws it")
        if update:
            (PICTURES / f"{name}.svg").unlink()
    return 0 if update else min(1, problems)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hardware", description=__doc__, epilog=f"builds: {said()}", usage="%(prog)s BUILD [--help] ..."
    )
    parser.add_argument("--pictures", action="store_true", help="only say which of hardware/pictures are out of date")
    parser.add_argument("--update", action="store_true", help="draw those anew")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
