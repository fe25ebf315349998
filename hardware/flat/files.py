"""Write all that a board house and whoever repairs a flat box need: KiCad's project, what is ordered from, to read.

kicad/      the project, for KiCad 9: schematic, board, the library of what KiCad lacks
order/      gerber.zip with copper, mask, print, outline and drill; bom.csv for the assembly; placement.csv with KiCad's
            angles and anchors, placement-jlcpcb.csv with those of that house
read/       the schematic and the board as PDF, pictures, and the interactive list of parts
"""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hardware.drawing import written
from hardware.flat import assembly, board, bodies, kicad, schematic
from hardware.flat.circuit import circuit

NAME: Final = "dalej-flat"
_LIBRARY: Final = "Dalej.pretty"
_GERBERS: Final = "F.Cu,In1.Cu,In2.Cu,B.Cu,F.Paste,B.Paste,F.Silkscreen,B.Silkscreen,F.Mask,B.Mask,Edge.Cuts"
_ZIPPED: Final = (1980, 1, 1, 0, 0, 0)  # so that equal files make an equal archive
INTERACTIVE: Final = Path(__file__).parents[2] / ".venv" / "ibom"
"""Where the Makefile puts InteractiveHtmlBom, which runs under KiCad's Python."""


def write(folder: Path) -> Iterator[Path]:
    """Each file, when it is written; the board takes minutes. NoKicad if KiCad is not there."""
    kicad.command("version")
    project = folder / "kicad"
    yield from write_project(project)
    panel = project / f"{NAME}.kicad_pcb"
    yield from write_order(panel, folder / "order")
    yield from write_reading(panel, folder / "read")


def write_project(folder: Path) -> Iterator[Path]:
    """Schematic, board and their libraries. NoKicad, Unrouted."""
    yield from schematic.write(folder)
    shutil.copytree(kicad.OWN / _LIBRARY, folder / _LIBRARY, dirs_exist_ok=True)
    yield written(folder / "fp-lib-table", _table())
    yield from bodies.write(folder)
    panel = folder / f"{NAME}.kicad_pcb"
    board.write(panel)
    yield panel
    yield panel.with_suffix(".kicad_pro")


def _table() -> str:
    """Where KiCad finds the footprints: its own beside itself, ours beside the board."""
    used = {"Fiducial", *(part.kind.footprint.partition(":")[0] for part in circuit().parts)}
    lines = []
    for name in sorted(used):
        uri = "${KIPRJMOD}" if f"{name}.pretty" == _LIBRARY else "${KICAD9_FOOTPRINT_DIR}"
        lines.append(f'  (lib (name "{name}")(type "KiCad")(uri "{uri}/{name}.pretty")(options "")(descr ""))\n')
    return f"(fp_lib_table\n  (version 7)\n{''.join(lines)})\n"


def write_order(panel: Path, folder: Path) -> Iterator[Path]:
    """What a board house takes."""
    plots = folder / "gerber"
    shutil.rmtree(plots, ignore_errors=True)
    plots.mkdir(parents=True)
    _export(panel, "gerbers", f"{plots}/", "--layers", _GERBERS, "--subtract-soldermask", "--no-protel-ext")
    _export(panel, "drill", f"{plots}/", "--excellon-separate-th")
    archive = folder / "gerber.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        for file in sorted(plots.iterdir()):
            zipped.writestr(zipfile.ZipInfo(file.name, _ZIPPED), file.read_bytes(), zipfile.ZIP_DEFLATED)
    yield archive
    yield from sorted(plots.iterdir())
    exported = folder / "placement.csv"
    _export(panel, "pos", str(exported), "--format", "csv", "--units", "mm", "--exclude-dnp")
    placed = assembly.placement(exported.read_text("utf-8"))
    yield written(exported, placed)
    yield written(folder / "placement-jlcpcb.csv", assembly.for_jlcpcb(placed, board.centres()))
    yield written(folder / "bom.csv", assembly.bom())


def write_reading(panel: Path, folder: Path) -> Iterator[Path]:
    """What a person looks at. Without InteractiveHtmlBom its page is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = folder / "schematic.pdf"
    kicad.command("sch", "export", "pdf", "-o", str(drawn), str(panel.with_suffix(".kicad_sch")))
    yield drawn
    for side, letter in (("top", "F"), ("bottom", "B")):
        page = folder / f"board-{side}.pdf"
        mirrored = ("--mirror",) if side == "bottom" else ()
        layers = ",".join((f"{letter}.Fab", f"{letter}.Silkscreen", f"{letter}.Mask", "Edge.Cuts"))
        _export(panel, "pdf", str(page), "--mode-single", *mirrored, "--layers", layers)
        yield page
        yield _rendered(panel, folder / f"board-{side}.png", "--side", side, "--zoom", "1.3")
    yield _rendered(panel, folder / "board-3d.png", "--rotate", "-45,0,30", "--perspective")
    if INTERACTIVE.is_dir():
        kicad.under_python(
            *("-m", "InteractiveHtmlBom.generate_interactive_bom", "--no-browser", "--name-format", "parts"),
            *("--dest-dir", str(folder.resolve()), "--blacklist", "MB*,H*", "--dnp-field", "kicad_dnp"),
            str(panel.resolve()),
            environment={**os.environ, "PYTHONPATH": str(INTERACTIVE), "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"},
        )
        yield folder / "parts.html"


def _export(panel: Path, what: str, to: str, *words: str) -> None:
    kicad.command("pcb", "export", what, *words, "-o", to, str(panel))


def _rendered(panel: Path, picture: Path, *words: str) -> Path:
    size = ("--background", "opaque", "--width", "2000", "--height", "1350")
    kicad.command("pcb", "render", *size, *words, "-o", str(picture), str(panel))
    return picture
