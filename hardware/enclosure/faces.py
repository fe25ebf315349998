"""A solid's surface as triangles, straight from the modeller and always made anew.

Otherwise it would hand over finer ones that it has from before, and a picture would depend on what was asked earlier.
"""

from __future__ import annotations

import numpy as np
from build123d import Compound, Solid
from OCP.BRep import BRep_Tool
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.TopAbs import TopAbs_Orientation
from OCP.TopLoc import TopLoc_Location

from hardware.enclosure.raster import Reals, Whole


def surface(solid: Solid | Compound, tolerance: float, turn: float) -> tuple[Reals, Whole]:
    """Corners (n x 3) and triangles (m x 3 numbers of corners), outside to the right; each face has its own corners."""
    BRepTools.Clean_s(solid.wrapped)
    BRepMesh_IncrementalMesh(solid.wrapped, tolerance, True, turn, True)
    points: list[Reals] = []
    faces: list[Whole] = []
    first = 0
    for face in solid.faces():
        place = TopLoc_Location()
        made = BRep_Tool.Triangulation_s(face.wrapped, place)
        move = place.Transformation()
        corners = [made.Node(number).Transformed(move).Coord() for number in range(1, made.NbNodes() + 1)]
        points.append(np.array(corners))
        three = np.array([made.Triangle(number).Get() for number in range(1, made.NbTriangles() + 1)])
        over = face.wrapped.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
        faces.append(three[:, ::-1] + first - 1 if over else three + first - 1)
        first += len(corners)
    return np.concatenate(points), np.concatenate(faces)
