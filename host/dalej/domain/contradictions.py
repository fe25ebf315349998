"""What about a sheet cannot be right, because no game ends like that: errors that name the seat and the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dalej.domain.penalties import must_be_counted
from dalej.domain.racks import NUMBER_MOST, OF_EACH_NUMBER, POINTS_MOST, SEATS, Rack, Sheet
from dalej.domain.rulesets import Ruleset
from dalej.errors import WrongInput
from dalej.words import N_


def impossible(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    """What no ruling can let stand, because there would be nothing to score."""
    yield from _table(sheet, ruleset)
    for rack in sheet.racks:
        yield from _rack(rack, sheet, ruleset)


def doubtful(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    """What cannot be right unless a referee rules that it stands."""
    yield from _ending(sheet)
    for rack in sheet.racks:
        yield from _flags(rack)
        yield from _sum(rack)
    yield from _set(sheet, ruleset)


def _table(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    racks = len(sheet.racks)
    if racks < 2:
        yield WrongInput(
            N_("racks on the sheet: {racks}, expected at least 2; a game that one player is left for is not played"),
            racks=racks,
        )
    if racks > ruleset.seats_max:
        yield WrongInput(
            N_("racks on the sheet: {racks}, expected at most {most}: {over} too many"),
            racks=racks, most=ruleset.seats_max, over=racks - ruleset.seats_max,
        )  # fmt: skip
    if sheet.started and not 2 <= sheet.started <= ruleset.seats_max:
        yield WrongInput(
            N_("the table started with {started} seats, expected 2 to {most}"),
            started=sheet.started, most=ruleset.seats_max,
        )  # fmt: skip
    elif sheet.started and racks > sheet.started:
        yield WrongInput(
            N_("racks on the sheet: {racks}, but the table started with {started} seats: {over} too many"),
            racks=racks, started=sheet.started, over=racks - sheet.started,
        )  # fmt: skip
    known = SEATS[: ruleset.seats_max]
    for seat, times in Counter(rack.seat for rack in sheet.racks).items():
        if len(seat) != 1 or seat not in known:
            yield WrongInput(
                N_("seat {seat} is not at the table, expected one of {known}"), seat=seat, known=", ".join(known)
            )
        if times > 1:
            yield WrongInput(N_("seat {seat} is on the sheet {times} times, expected once"), seat=seat, times=times)


def _rack(rack: Rack, sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    for tile in dict.fromkeys(rack.tiles or ()):
        if not 1 <= tile <= NUMBER_MOST:
            yield WrongInput(
                N_("seat {seat}: there is no tile {tile}, expected 1 to {most}"),
                seat=rack.seat, tile=tile, most=NUMBER_MOST,
            )  # fmt: skip
    if (rack.points or 0) < 0:
        yield WrongInput(N_("seat {seat}: points is {points}, expected 0 or more"), seat=rack.seat, points=rack.points)
    if rack.jokers < 0:
        yield WrongInput(N_("seat {seat}: jokers is {jokers}, expected 0 or more"), seat=rack.seat, jokers=rack.jokers)
    if rack.ruled_place is not None and not 1 <= rack.ruled_place <= sheet.seats:
        yield WrongInput(
            N_("seat {seat}: ruled place {place}, expected 1 to {seats}"),
            seat=rack.seat, place=rack.ruled_place, seats=sheet.seats,
        )  # fmt: skip
    if rack.numbered is None and must_be_counted(rack, sheet.ended, ruleset):
        template = (
            N_("seat {seat}: the rack is not counted, expected its tiles or points (none of them, 0: it is empty)")
            if rack.opened
            else N_("seat {seat}: never opened, but here the rack counts all the same: expected its tiles or points, "
                    "typed as -:30 for 30 points")
        )  # fmt: skip
        yield WrongInput(template, seat=rack.seat)


def _ending(sheet: Sheet) -> Iterator[WrongInput]:
    for rack in sheet.racks:
        if rack.withdrawn and rack.empty:
            yield WrongInput(
                N_("seat {seat}: left the game with an empty rack, expected at least one tile on it"), seat=rack.seat
            )
    if sheet.ended == "went_out":
        yield from _going_out(sheet)
        return
    for rack in sheet.staying:
        if rack.empty and sheet.ended != "last_seat":
            yield WrongInput(
                N_("seat {seat}: the rack is empty, but nobody went out; expected at least one tile on it"),
                seat=rack.seat,
            )
    left = sheet.staying
    if not left:
        yield WrongInput(N_("every seat has left the game, expected one that has won it"))
    if sheet.ended == "last_seat" and len(left) > 1:
        yield WrongInput(
            N_("seats that have not left the game: {seats}; expected one, so {over} too many"),
            seats=", ".join(rack.seat for rack in left), over=len(left) - 1,
        )  # fmt: skip


def _going_out(sheet: Sheet) -> Iterator[WrongInput]:
    out = [rack for rack in sheet.staying if rack.empty]
    if not out:
        lowest = min((rack for rack in sheet.staying if rack.numbered is not None), key=_size, default=None)
        if lowest is None:
            yield WrongInput(N_("somebody went out, but no rack is empty"))
        else:
            template = (
                N_("somebody went out, but no rack is empty: the smallest, of seat {seat}, should be empty and holds "
                   "jokers: {jokers}, points besides: {points}")
                if lowest.jokers
                else N_("somebody went out, but no rack is empty: the smallest, of seat {seat}, should be 0 and is "
                        "{points}")
            )  # fmt: skip
            yield WrongInput(template, seat=lowest.seat, points=lowest.numbered, jokers=lowest.jokers)
    if len(out) > 1:
        yield WrongInput(
            N_("racks that are empty: those of seats {seats}; only one can go out, so {over} too many"),
            seats=", ".join(rack.seat for rack in out), over=len(out) - 1,
        )  # fmt: skip
    for rack in out:
        if not rack.opened:
            yield WrongInput(
                N_("seat {seat}: the rack is empty, but it never opened; nobody goes out without opening"),
                seat=rack.seat,
            )


def _size(rack: Rack) -> tuple[int, int]:
    return rack.jokers, rack.numbered or 0


def _flags(rack: Rack) -> Iterator[WrongInput]:
    # An announcement is no contradiction: whoever announces and then opens has done as announced.
    if rack.opened and rack.could_have_opened:
        yield WrongInput(
            N_("seat {seat}: opened, and never opened though it could have; expected one of the two"), seat=rack.seat
        )


def _sum(rack: Rack) -> Iterator[WrongInput]:
    if rack.tiles is None or rack.points is None or rack.points == sum(rack.tiles):
        return
    difference = rack.points - sum(rack.tiles)
    template = (
        N_("seat {seat}: points says {points}, the tiles add up to {tiles}: {difference} too many")
        if difference > 0
        else N_("seat {seat}: points says {points}, the tiles add up to {tiles}: {difference} too few")
    )
    yield WrongInput(template, seat=rack.seat, points=rack.points, tiles=sum(rack.tiles), difference=abs(difference))


def _set(sheet: Sheet, ruleset: Ruleset) -> Iterator[WrongInput]:
    """More on the racks than the set holds."""
    numbers = Counter(tile for rack in sheet.racks for tile in rack.tiles or ())
    for number, count in sorted(numbers.items()):
        if count > OF_EACH_NUMBER:
            yield WrongInput(
                N_("tiles {number} on the racks of seats {seats}: {count}, the set holds {most}: {over} too many"),
                number=number, seats=", ".join(rack.seat for rack in sheet.racks if number in (rack.tiles or ())),
                count=count, most=OF_EACH_NUMBER, over=count - OF_EACH_NUMBER,
            )  # fmt: skip
    jokers = sum(rack.jokers for rack in sheet.racks)
    if jokers > ruleset.jokers:
        yield WrongInput(
            N_("jokers on the racks of seats {seats}: {count}, the set holds {most}: {over} too many"),
            seats=", ".join(rack.seat for rack in sheet.racks if rack.jokers),
            count=jokers, most=ruleset.jokers, over=jokers - ruleset.jokers,
        )  # fmt: skip
    points = sum(rack.numbered or 0 for rack in sheet.racks)
    if points > POINTS_MOST:
        yield WrongInput(
            N_("points on the racks of seats {seats}: {count}, all tiles of the set hold {most}: {over} too many"),
            seats=", ".join(rack.seat for rack in sheet.racks if rack.numbered),
            count=points, most=POINTS_MOST, over=points - POINTS_MOST,
        )  # fmt: skip
