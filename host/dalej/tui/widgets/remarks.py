"""Why a key or a finger changed nothing: one short sentence, for the line over what may be done instead."""

from __future__ import annotations

from collections.abc import Sequence

from dalej.live.messages import Face, Inside
from dalej.tui.words import seat_words
from dalej.words import _
from moveclock import facts as k


def not_ours(face: Face) -> str:
    """The table is not played from this screen."""
    if face.taken:
        return _("Another screen plays this table.")
    return _("Press t first: then you play this table.")


def no_power() -> str:
    """Nothing counts at a box that is dark."""
    return _("The box has no power: p first.")


def no_seat(kind: int) -> str:
    """Już (0) or Dalej (1) where no seat's counts."""
    return _("Nobody's {button} counts now.").format(button=_button(kind))


def chosen(seat: int, names: Sequence[str]) -> str:
    """The next j or d is this seat's."""
    return _("{player} is chosen: j or d (Shift: hold) presses that seat's button; Esc lets go.").format(
        player=seat_words(seat, names[seat])
    )


def changed_nothing(inside: Inside, names: Sequence[str]) -> str:
    """What the box itself recorded as a press that changed nothing."""
    _number, contact, kind = inside.stray
    if kind == k.DALEJ_REFUSED:
        return _("No tile is taken yet: k, then d.")
    if contact == k.SEDZIA:
        return _("Sędzia changes nothing now.")
    if contact == k.KOSTKA:
        return _("There is no tile to take now.")
    if contact > k.KOSTKA:
        return _("That changes nothing now.")
    seat = contact >> 1
    pressed = seat_words(seat, names[seat])
    if inside.state == k.RUNNING:
        if seat == inside.seat:
            return _("Too soon: the move has only just begun.")
        return _("It is the move of {player}, not of {other}.").format(
            player=_player(inside.seat, names), other=pressed
        )
    if inside.state == k.EXPIRED and inside.following <= k.SEAT_D:
        return _("{player} speaks for the table, not {other}.").format(
            player=_player(inside.following, names), other=pressed
        )
    if inside.state == k.READY and inside.following <= k.SEAT_D:
        return _("{player} begins, not {other}.").format(player=_player(inside.following, names), other=pressed)
    return no_seat(contact & 1)


def _button(kind: int) -> str:
    return "Dalej" if kind else "Już"


def _player(seat: int, names: Sequence[str]) -> str:
    return seat_words(seat, names[seat] if seat <= k.SEAT_D else "")
