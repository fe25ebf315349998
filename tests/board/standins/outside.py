# mypy: ignore-errors
# ruff: noqa: BLE001, RUF005, T201
"""What is outside of the virtual board, as the stand-ins see it: time, sleeps, events, and callbacks that wait.

All of it is behind one function, `bridge.swap(text) -> text`; node/board.mjs says what it understands. Times are
microseconds since power-on. Events come in while the board sleeps (as if every interrupt had waited for that): each is
handled at its own stamp, or at the last time that the program has seen if that is later.
"""

import json
import sys

from bridge import swap

SCHEDULER_DEPTH = 8

_heard = {}  # kind of event -> function of what it carries
_waiting = []  # callbacks that the scheduler holds, with their arguments
_state = {"locked": 0, "stamp": None, "seen": 0, "dropped": 0, "running": False}
_alarms = []  # [time, function]: timers and the watchdog


def now() -> int:
    """Microseconds since power-on; while an event is handled, its stamp."""
    stamp = _state["stamp"]
    if stamp is None:
        stamp = _state["seen"] = int(swap(""))
    return stamp


def say(kind: str, *rest: object) -> None:
    """Tell the outside."""
    swap(json.dumps([kind] + list(rest)))


def ask(kind: str, *rest: object) -> str:
    """Ask what is between the board and the outside, see node/board.mjs."""
    return swap(json.dumps([kind] + list(rest)))


def hear(kind: str, function: object) -> None:
    """From now on `function` is given what events of this kind carry."""
    _heard[kind] = function


def alarm(at: int, function: object) -> list:
    """Call `function()` at that time, unless the entry is taken from `_alarms` before; answers the entry."""
    entry = [at, function]
    _alarms.append(entry)
    return entry


def no_alarm(entry: list) -> None:
    """Forget an alarm; nothing happens if it is over."""
    if entry in _alarms:
        _alarms.remove(entry)


def sleep(microseconds: int) -> None:
    """Let time go on; events and alarms that are due in it are handled at their time."""
    left = max(0, microseconds)
    while True:
        due = min(_alarms, key=_time_of) if _alarms else None
        span = left if due is None else min(left, max(0, due[0] - _state["seen"]))
        answer = swap(str(span))
        if answer[0] == "[":
            time, events, rest = json.loads(answer)
            left -= span - rest
            deliver(events)
        else:
            time = int(answer)
            left -= span
        _state["seen"] = max(_state["seen"], time)
        if due is not None and due[0] <= time and due in _alarms:
            _ring(due)
        if left <= 0:
            return


def stand_still() -> None:
    """The program stands still, as in a driver that waits for ever; the watchdog does not."""
    lock()  # nor does an interrupt bring anything to pass
    sleep(1 << 40)


def _time_of(entry: list) -> int:
    return entry[0]


def deliver(events: list | str) -> None:
    """Handle events `[[stamp, kind, ...], ...]`, or their JSON."""
    if isinstance(events, str):
        events = json.loads(events)
    for stamp, kind, *rest in events:
        _at(stamp, _heard[kind], rest)


def _ring(entry: list) -> None:
    _alarms.remove(entry)
    _at(entry[0], entry[1], ())


def _at(stamp: int, function: object, arguments: object) -> None:
    before = _state["stamp"]
    _state["stamp"] = max(stamp, _state["seen"])
    try:
        function(*arguments)
        _run_waiting()
    finally:
        _state["seen"] = max(_state["seen"], _state["stamp"])
        _state["stamp"] = before


# --- MicroPython's scheduler: eight callbacks at most, run one after the other when nothing has locked it -----


def schedule(function: object, argument: object) -> bool:
    """Take a callback to the queue; False, and dropped, if it is full."""
    if len(_waiting) >= SCHEDULER_DEPTH:
        _state["dropped"] += 1
        say("dropped", _state["dropped"])
        return False
    _waiting.append((function, argument))
    return True


def lock() -> None:
    """Callbacks wait until `unlock`."""
    _state["locked"] += 1


def unlock() -> None:
    """Let callbacks run again."""
    _state["locked"] -= 1
    _run_waiting()


def _run_waiting() -> None:
    if _state["running"]:
        return
    _state["running"] = True
    try:
        while _waiting and not _state["locked"]:
            function, argument = _waiting.pop(0)
            try:
                function(argument)
            except Exception as error:
                trouble("callback", error)
    finally:
        _state["running"] = False


def trouble(where: str, error: BaseException) -> None:
    """An exception that the interpreter prints and forgets; the outside is told, so that a test can fail with it."""
    from io import StringIO

    text = StringIO()
    sys.print_exception(error, text)
    print(text.getvalue())
    say("trouble", where, text.getvalue())
