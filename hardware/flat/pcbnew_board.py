"""Runs under KiCad's own Python: makes a board of the plain data on standard input and writes what is asked for.

It imports nothing of ours, since KiCad's Python knows nothing of our environment. Input is one JSON object:
`footprints`, `lines`, `holes`, `fiducials`, `zones`, `tracks`, `vias`, `texts`, `libraries`, `nets`, `rules` (by
KiCad's names, mm), `corner` (where the panel lies on its paper), and `board`, the .kicad_pcb to write. All other places
are counted from the panel's corner.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pcbnew

LAYERS = {"F": pcbnew.F_Cu, "1": pcbnew.In1_Cu, "2": pcbnew.In2_Cu, "B": pcbnew.B_Cu}
RULES = {
    "min_clearance": "m_MinClearance",
    "min_copper_edge_clearance": "m_CopperEdgeClearance",
    "min_hole_clearance": "m_HoleClearance",
    "min_hole_to_hole": "m_HoleToHoleMin",
    "min_through_hole_diameter": "m_MinThroughDrill",
    "min_track_width": "m_TrackMinWidth",
    "min_via_diameter": "m_ViasMinSize",
}
FIDUCIAL = "Fiducial:Fiducial_1mm_Mask2mm"


def _mm(value: Any) -> int:
    return int(pcbnew.FromMM(float(value)))


def _point(x: float, y: float) -> Any:
    return pcbnew.VECTOR2I(_mm(x), _mm(y))


def main() -> None:
    """Read, make, write; what is not there is said on standard error."""
    wanted = json.load(sys.stdin)
    board = pcbnew.NewBoard(wanted["board"])
    board.SetCopperLayerCount(4)
    settings = board.GetDesignSettings()
    settings.SetBoardThickness(_mm(1.6))
    for rule, name in RULES.items():
        setattr(settings, name, _mm(wanted["rules"][rule]))
    nets = {}
    for name in wanted["nets"]:
        net = pcbnew.NETINFO_ITEM(board, name)
        board.Add(net)
        nets[name] = net
    for each in wanted["footprints"]:
        _add_footprint(board, nets, wanted, each)
    for x1, y1, x2, y2 in wanted["lines"]:
        line = pcbnew.PCB_SHAPE(board, pcbnew.SHAPE_T_SEGMENT)
        line.SetStart(_point(x1, y1))
        line.SetEnd(_point(x2, y2))
        line.SetLayer(pcbnew.Edge_Cuts)
        line.SetWidth(_mm(0.1))
        board.Add(line)
    for name, x, y, drill in wanted["holes"]:
        _add_hole(board, name, x, y, drill)
    for name, x, y, back in wanted["fiducials"]:
        _add_fiducial(board, wanted, name, x, y, back)
    for zone in wanted["zones"]:
        _add_zone(board, nets, zone)
    for net, layer, width, x1, y1, x2, y2 in wanted["tracks"]:
        track = pcbnew.PCB_TRACK(board)
        track.SetStart(_point(x1, y1))
        track.SetEnd(_point(x2, y2))
        track.SetLayer(LAYERS[layer])
        track.SetWidth(_mm(width))
        track.SetNet(nets[net])
        board.Add(track)
    for net, x, y, size, drill in wanted["vias"]:
        via = pcbnew.PCB_VIA(board)
        via.SetPosition(_point(x, y))
        via.SetWidth(_mm(size))
        via.SetDrill(_mm(drill))
        via.SetNet(nets[net])
        board.Add(via)
    for text, x, y, angle, height, back in wanted["texts"]:
        _add_text(board, text, x, y, angle, height, back)
    pads = _pads(board)
    board.Move(_point(*wanted["corner"]))
    board.BuildConnectivity()
    pcbnew.SaveBoard(wanted["board"], board)
    if wanted["zones"]:  # a board that was read knows its rules, one in the making does not keep away from holes
        board = pcbnew.LoadBoard(wanted["board"])
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pcbnew.SaveBoard(wanted["board"], board)
    json.dump({"pads": pads}, sys.stdout)


def _pads(board: Any) -> list[list[Any]]:
    """Where each pad came to lie: ref, number, x, y, width, height, angle, layers."""
    found = []
    for footprint in board.GetFootprints():
        for pad in footprint.Pads():
            at, size = pad.GetPosition(), pad.GetSize()
            found.append(
                [
                    footprint.GetReference(),
                    pad.GetNumber(),
                    pcbnew.ToMM(at.x),
                    pcbnew.ToMM(at.y),
                    pcbnew.ToMM(size.x),
                    pcbnew.ToMM(size.y),
                    pad.GetOrientationDegrees(),
                    "".join(name for name, layer in LAYERS.items() if pad.IsOnLayer(layer)),
                    pad.GetNetname(),
                    pcbnew.ToMM(pad.GetDrillSize().x),
                ]
            )
    return found


def _add_footprint(board: Any, nets: dict[str, Any], wanted: dict[str, Any], each: dict[str, Any]) -> None:
    footprint = _loaded(wanted, each["footprint"])
    footprint.SetReference(each["ref"])
    footprint.SetValue(each["value"])
    footprint.SetPath(pcbnew.KIID_PATH(each["path"]))
    footprint.SetSheetname(each["sheet"][0])
    footprint.SetSheetfile(each["sheet"][1])
    footprint.SetDNP(not each["fitted"])
    footprint.Models().clear()
    if each["body"]:
        model = pcbnew.FP_3DMODEL()
        model.m_Filename = each["body"]
        footprint.Add3DModel(model)
    board.Add(footprint)
    footprint.SetPosition(_point(each["x"], each["y"]))
    if each["back"]:
        footprint.Flip(footprint.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
    footprint.SetOrientationDegrees(each["angle"])
    for pad in footprint.Pads():
        if pad.GetAttribute() == pcbnew.PAD_ATTRIB_PTH and 0 < pad.GetDrillSize().x < _mm(0.3):
            pad.SetDrillSize(pcbnew.VECTOR2I(_mm(0.3), _mm(0.3)))  # no board house's extra for 0.2 mm
        if pad.GetNumber():
            pad.SetNet(nets[each["nets"][pad.GetNumber()]])
    reference = footprint.Reference()
    reference.SetTextSize(pcbnew.VECTOR2I(_mm(0.8), _mm(0.8)))
    reference.SetTextThickness(_mm(0.12))
    if not each["named"]:
        reference.SetLayer(pcbnew.B_Fab if each["back"] else pcbnew.F_Fab)
    footprint.Value().SetVisible(False)
    fab = {pcbnew.F_SilkS: pcbnew.F_Fab, pcbnew.B_SilkS: pcbnew.B_Fab}
    for item in footprint.GraphicalItems():
        if item.GetLayer() in fab and (each["bare"] or item.GetClass() == "PCB_TEXT"):
            item.SetLayer(fab[item.GetLayer()])


def _loaded(wanted: dict[str, Any], named: str) -> Any:
    library, _, name = named.partition(":")
    folders = (Path(folder, f"{library}.pretty") for folder in wanted["libraries"])
    footprint = next((pcbnew.FootprintLoad(str(folder), name) for folder in folders if folder.is_dir()), None)
    if footprint is None:
        raise SystemExit(f"KiCad has no footprint {named}.")
    footprint.SetFPIDAsString(named)
    return footprint


def _add_fiducial(board: Any, wanted: dict[str, Any], name: str, x: float, y: float, back: bool) -> None:
    footprint = _loaded(wanted, FIDUCIAL)
    footprint.SetReference(name)
    footprint.Reference().SetVisible(False)
    footprint.SetAttributes(pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES | pcbnew.FP_BOARD_ONLY)
    for item in footprint.GraphicalItems():
        if item.GetClass() == "PCB_TEXT":
            item.SetVisible(False)
    board.Add(footprint)
    footprint.SetPosition(_point(x, y))
    if back:
        footprint.Flip(footprint.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)


def _add_hole(board: Any, name: str, x: float, y: float, drill: float) -> None:
    footprint = pcbnew.FOOTPRINT(board)
    footprint.SetReference(name)
    footprint.Reference().SetVisible(False)
    footprint.Value().SetVisible(False)
    footprint.SetAttributes(
        pcbnew.FP_EXCLUDE_FROM_BOM
        | pcbnew.FP_EXCLUDE_FROM_POS_FILES
        | pcbnew.FP_BOARD_ONLY
        | pcbnew.FP_ALLOW_MISSING_COURTYARD
    )
    pad = pcbnew.PAD(footprint)
    pad.SetAttribute(pcbnew.PAD_ATTRIB_NPTH)
    pad.SetShape(pcbnew.PAD_SHAPE_CIRCLE)
    pad.SetSize(pcbnew.VECTOR2I(_mm(drill), _mm(drill)))
    pad.SetDrillSize(pcbnew.VECTOR2I(_mm(drill), _mm(drill)))
    pad.SetLayerSet(pad.UnplatedHoleMask())
    footprint.Add(pad)
    board.Add(footprint)
    footprint.SetPosition(_point(x, y))


def _add_zone(board: Any, nets: dict[str, Any], each: dict[str, Any]) -> None:
    zone = pcbnew.ZONE(board)
    zone.SetLayer(LAYERS[each["layer"]])
    zone.SetNet(nets[each["net"]])
    zone.SetLocalClearance(_mm(0.2))
    zone.SetMinThickness(_mm(0.2))
    zone.SetThermalReliefGap(_mm(0.25))
    zone.SetThermalReliefSpokeWidth(_mm(0.3))
    zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
    zone.SetAssignedPriority(each.get("priority", 0))
    if each.get("solid"):
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL)
    shape = zone.Outline()
    shape.NewOutline()
    for x, y in each["corners"]:
        at = _point(x, y)
        shape.Append(at.x, at.y)
    board.Add(zone)


def _add_text(board: Any, words: str, x: float, y: float, angle: float, height: float, back: bool) -> None:
    text = pcbnew.PCB_TEXT(board)
    text.SetText(words)
    text.SetPosition(_point(x, y))
    text.SetTextAngleDegrees(angle)
    text.SetTextSize(pcbnew.VECTOR2I(_mm(height), _mm(height)))
    text.SetTextThickness(_mm(height * 0.15))
    text.SetLayer(pcbnew.B_SilkS if back else pcbnew.F_SilkS)
    text.SetMirrored(back)
    board.Add(text)


if __name__ == "__main__":
    main()
