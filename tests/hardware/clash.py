"""Which solids take up the same room."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from build123d import Solid

    from hardware.enclosure.raster import Reals


NUDGE: Final = np.array([0.002, 0.002, 0.002] * 2)  # mm; so that faces which only lie on each other part or cross


def clashes(solids: list[tuple[str, Solid]]) -> list[tuple[str, str, float]]:
    """Pairs that take up the same room, with the cubic millimetres that both want."""
    found = []
    faces = [_face_bounds(solid) for _, solid in solids]
    whole = [np.append(each[:, :3].min(axis=0), each[:, 3:].max(axis=0)) for each in faces]
    for one, two in combinations(range(len(solids)), 2):
        (name, first), (other, second) = solids[one], solids[two]
        if not _near(whole[one], whole[two]):
            continue
        if not (_near(faces[one][:, None], faces[two][None]) or _within(first, second) or _within(second, first)):
            continue
        both = first.intersect(second)
        volume = sum(solid.volume for shape in both or [] for solid in shape.solids())
        if volume > 0.01:
            found.append((name, other, round(volume, 1)))
    return found


def _face_bounds(solid: Solid) -> Reals:
    """Of each face: least x, y, z, then greatest. Most pairs are told apart by these, and an intersection is dear."""
    return np.array([(*bounds.min, *bounds.max) for bounds in (face.bounding_box() for face in solid.faces())])


def _near(one: Reals, two: Reals) -> bool:
    """Whether any of the one bounds meet any of the others, these nudged up and aside."""
    two = two + NUDGE
    meet = (one[..., :3] < two[..., 3:] - 0.001) & (two[..., :3] < one[..., 3:] - 0.001)
    return bool(meet.all(axis=-1).any())


def _within(outer: Solid, inner: Solid) -> bool:
    """Whether the inner one lies in the outer one's material, given that their faces do not cross."""
    a, b = outer.bounding_box(), inner.bounding_box()
    if any(low > high + 0.01 for low, high in zip((*a.min, *b.max), (*b.min, *a.max), strict=True)):
        return False
    face = inner.faces()[0]
    return bool(outer.is_inside(face.center() - face.normal_at(face.center()) * 0.05))
