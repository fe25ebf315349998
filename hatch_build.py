"""Build hook: the compiled catalogues, which git does not hold, and in a wheel the firmware tree as data."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> list[Path]:
    """Put a `.mo` beside every `.po` under `root`; returns what was put. Fuzzy translations are left out.

    Each appears whole: programs of the same tree may be reading the one before, and another build be packing it.
    """
    written = []
    with TemporaryDirectory(dir=root, prefix=".catalogues-") as aside:
        for source in sorted(root.glob("host/dalej/locale/*/LC_MESSAGES/*.po")):
            language = source.parent.parent.name
            with source.open("rb") as po:
                catalogue = read_po(po, locale=language)
            made = Path(aside) / f"{language}-{source.stem}.mo"
            with made.open("wb") as mo:
                write_mo(mo, catalogue)
            written.append(made.replace(source.with_suffix(".mo")))
    return written


def stage_firmware(source: Path, target: Path) -> None:
    """Copy the sources alone; were they mapped where they lie, `moveclock` would lose its other place in the wheel."""
    for file in sorted(source.rglob("*.py")):
        copy = target / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copyfile(file, copy)


class DalejHook(BuildHookInterface[Any]):
    """Runs before every wheel, editable (`version` is "editable") or not ("standard")."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and ship the results although git ignores them; an editable install finds firmware/ in place."""
        root = Path(self.root)
        build_data["artifacts"].extend(f"/{path.relative_to(root).as_posix()}" for path in compile_catalogues(root))
        if version == "standard":
            self._staged = TemporaryDirectory(prefix="dalej-")
            build_data["force_include"][self._staged.name] = "dalej/firmware"
            stage_firmware(root / "firmware", Path(self._staged.name))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 -- Hatch's
        """The wheel is written."""
        if version == "standard":
            self._staged.cleanup()


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent)
