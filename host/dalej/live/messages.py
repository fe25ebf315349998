"""What desk and screen say to each other over the loopback socket: one JSON object a line, `say` names the message.

Nothing here needs to arrive: facts are in the ledger. A screen that connects is told everything at once, then changes.
Instants (`now_ms`) are ms of the desk's monotonic clock, which a simulated hall runs faster than life if asked to.
"""

from __future__ import annotations

from dataclasses import dataclass

from dalej.domain.heard import Heard
from dalej.live.parts import Fields

PROTOCOL = 2  # sentences carry parts with templates of their own


# --- what the desk says -----


@dataclass(frozen=True, slots=True)
class Welcome:
    """The first line to a screen that showed the right token. `simulated`: its boxes can be played from the screen."""

    protocol: int
    name: str
    simulated: bool


@dataclass(frozen=True, slots=True)
class Pulse:
    """The desk is alive: its clock, Unix time, how many of its ms pass in one of ours, and the ledger's head.

    Said every second, and at once when the ledger has grown.
    """

    now_ms: int
    wall_ms: int
    speed: float
    cursor: int


@dataclass(frozen=True, slots=True)
class TableHeard:
    """What is known of one box now."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class NoticeTold:
    """Something a person should read: an English template with its fields (see `dalej.notices.Notice`)."""

    kind: str
    box: str
    template: str
    data: Fields


@dataclass(frozen=True, slots=True)
class Inside:
    """What a simulated box knows and does not show. Numbers are those of `moveclock.facts`, NOBODY for none.

    `following`: who speaks for a late move, before a game who begins. `playing`: mask of the seats in play. `bank`: -1
    if not known. `reason`: why the clock stands or the game is over; `by_desk`: a desk stopped it. `about`: whose move
    a dispute or an early click is about, at the end the winner. `drawn`: a tile was taken in this move, `further`: more
    than one. `clicked`: the move before ended without its tile. `pending`: a dispute waits for the end of the move.
    `called`: a referee was called, in a running move: before it began. `claim_s`, `withdraw_s`: for how many seconds,
    begun ones counted, a claim still counts and a call can be taken back. `holds`: a contact that is held, for how long
    and how long it must be, in ms. `stray`: number of the last fact of a press that changed nothing, its contact, and
    the kind of that fact.
    """

    state: int
    seat: int
    following: int
    playing: int
    game: int
    bank: int
    reason: int
    by_desk: bool
    about: int
    drawn: bool
    further: bool
    clicked: bool
    pending: bool
    called: bool
    announced: bool
    final_lap: bool
    claim_s: int
    withdraw_s: int
    holds: tuple[int, int, int]
    stray: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Face:
    """A simulated box as it looks: what `moveclock.view.View` says, whether it has power and is in reach of the radio.

    `displays`: four strings A..D; `ring`: `(colour, pixels lit, seat)`; `lit`, `blinking`: masks of contacts;
    `down`: mask of contacts that are pressed; `sound`: number of the last sound, 0 for none; `mine`: the screen that
    is told plays this table; `taken`: some screen does; `inside`: None without power.
    """

    table: int
    powered: bool
    in_reach: bool
    displays: tuple[str, str, str, str]
    ring: tuple[int, int, int]
    lit: int
    blinking: int
    down: int
    sound: int
    taken: bool
    mine: bool
    inside: Inside | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A wish that was not granted, in words."""

    template: str
    data: Fields


# --- what a screen says -----


@dataclass(frozen=True, slots=True)
class Open:
    """The first line: the token from the file beside the event."""

    token: str
    protocol: int


@dataclass(frozen=True, slots=True)
class Look:
    """Tell me the face of the box at this table whenever it changes; table 0: no more."""

    table: int


@dataclass(frozen=True, slots=True)
class Take:
    """I play this table (its simulated players lift their hands), or I give it back to them."""

    table: int
    on: bool


@dataclass(frozen=True, slots=True)
class Finger:
    """A contact of a table that I play goes down or up."""

    table: int
    contact: int
    down: bool


@dataclass(frozen=True, slots=True)
class Tap:
    """A contact of a table that I play is tapped, or held for as long as that contact's longest hold takes."""

    table: int
    contact: int
    held: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """The box of this table is carried out of the radio's reach, or back."""

    table: int
    on: bool


@dataclass(frozen=True, slots=True)
class Power:
    """The box of this table loses its power, or gets it back."""

    table: int
    on: bool


@dataclass(frozen=True, slots=True)
class Speed:
    """Let the simulated hall run so many times as fast as life."""

    times: float


ToScreen = Welcome | Pulse | TableHeard | NoticeTold | Face | Refusal
FromScreen = Open | Look | Take | Finger | Tap | Reach | Power | Speed
