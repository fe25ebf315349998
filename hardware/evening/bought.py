"""Stand-ins for what is bought, as large as it may be, where it sits in the printed stand."""

from __future__ import annotations

from typing import NamedTuple

from build123d import Solid

from hardware.enclosure.shapes import Span, box, join, less, rod
from hardware.evening.sizes import Sizes
from hardware.evening.stand import front, notch_middle


class Bought(NamedTuple):
    """`kind` is its key in the list of what to order."""

    kind: str
    solid: Solid


def bought(sizes: Sizes) -> list[Bought]:
    """The board with its screen, both buttons, the speaker, the plug at any place of the board's edge, the levers."""
    home = front(sizes)
    parts = [Bought("board", board(sizes)), Bought("screen", screen(sizes)), Bought("cable", plug(sizes))]
    parts += [Bought(f"button-{name}", button(sizes, at)) for name, at in sizes.front.buttons.items()]
    parts.append(Bought("speaker", speaker(sizes)))
    return [Bought(kind, solid.moved(home)) for kind, solid in parts] + [Bought("lever", one) for one in levers(sizes)]


def board(sizes: Sizes) -> Solid:
    """On the front: the board, its parts behind it, the card's socket below. Its screen is a part of its own."""
    part, (x, y) = sizes.board, sizes.board_middle
    across, up = part.width / 2 + part.tolerance, part.height / 2 + part.tolerance
    free = 2 * part.corner  # nothing but the holes is in the corners
    face = -sizes.board_face
    back = face - part.thickness
    solid = join(
        box((x - across, x + across), (y - up, y + up), (back, face)),
        box((x - across + free, x + across - free), (y - up, y + up), (back - part.behind, back + 0.1)),
        box((x - across, x + across), (y - up + free, y + up - free), (back - part.behind, back + 0.1)),
        box((x - 8, x + 8), (y - up - part.card, y - up + 2), (back - 3.0, back + 0.1)),
    )
    return less(solid, *[rod(at, part.hole / 2, (back - 1.0, face + 1.0)) for at in sizes.holes()])


def screen(sizes: Sizes) -> Solid:
    """Frame and glass before the board."""
    part, (x, y) = sizes.board, sizes.board_middle
    across, up = part.module[0] / 2 + part.tolerance, part.module[1] / 2 + part.tolerance
    face = -sizes.board_face
    return box((x - across, x + across), (y - up, y + up), (face, face + part.glass))


def picture(sizes: Sizes) -> Solid:
    """A sheet on the glass as large as what it shows, where it should be."""
    part, y = sizes.board, sizes.front.window_up
    across, up = part.picture[0] / 2, part.picture[1] / 2
    glass = part.glass - sizes.board_face
    return box((-across, across), (y - up, y + up), (glass, glass + 0.05))


def plug(sizes: Sizes) -> Solid:
    """The room behind the board's right edge in which a plug of either board sits, and its cable turns aside."""
    part, board, (x, y) = sizes.plug, sizes.board, sizes.board_middle
    edge = x + board.width / 2
    half = board.height / 2 - 2 * board.corner
    back = -sizes.board_face - board.thickness
    middle = back - 1.5  # of a socket on the board's back
    return box(
        (edge + board.tolerance, edge + part.length + part.bend),
        (y - half, y + half),
        (middle - part.height / 2, middle + part.height / 2),
    )


def button(sizes: Sizes, at: Span) -> Solid:
    """Flange on the front, thread and nut behind it, then its switch with the wires."""
    part, face = sizes.button, sizes.stand.face
    return join(
        rod(at, part.flange / 2, (0.0, part.flange_height)),
        rod(at, 12.0, (0.0, part.height)),
        rod(at, part.hole / 2 - 0.1, (-face - part.nut_height, 0.5)),
        rod(at, part.nut / 2, (-face - part.nut_height, -face)),
        rod(at, part.switch, (-part.depth, 0.0)),
    )


def speaker(sizes: Sizes) -> Solid:
    """Stuck behind the holes for its sound."""
    part, (x, y), face = sizes.speaker, sizes.front.speaker, sizes.stand.face
    across, up = part.width / 2, part.height / 2
    return box((x - across, x + across), (y - up, y + up), (-face - 0.3 - part.depth, -face - 0.3))


def levers(sizes: Sizes) -> list[Solid]:
    """Three, side by side on the base, left of the middle and behind."""
    part, y = sizes.lever, sizes.depth - 40.0
    left = -sizes.front.width / 2 + 18.0
    places = [left + (part.width + 2.0) * place for place in range(3)]
    return [box((x, x + part.width), (y, y + part.length), (0.05, part.height)) for x in places]


def cable(sizes: Sizes) -> Solid:
    """Where it leaves, through the back wall."""
    x, part = notch_middle(sizes), sizes.plug
    return box((x - part.cable / 2, x + part.cable / 2), (sizes.depth - 30.0, sizes.depth + 30.0), (0.1, part.cable))


def screws(sizes: Sizes) -> list[Solid]:
    """Those that hold the board, heads included; the base's are under it."""
    under = -sizes.board_face - sizes.board.thickness
    made = [join(rod(at, 3.0, (under - 3.0, under)), rod(at, 1.5, (under - 0.1, under + 8.0))) for at in sizes.holes()]
    return [one.moved(front(sizes)) for one in made]


def feet(sizes: Sizes) -> list[Solid]:
    """Of rubber, higher than the screws' heads."""
    under, half = -sizes.stand.base, sizes.front.width / 2
    at = [(side * (half - 24.0), y) for side in (-1, 1) for y in (9.0, sizes.depth - 9.0)]
    return [rod(one, 6.0, (under - 4.0, under)) for one in at]
