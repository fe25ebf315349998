"""Leads as a picture: what WireViz is told, and what it draws, freed from what another machine would draw otherwise.

WireViz (GPL) and Graphviz are started as programs. WireViz writes the graph; its cells get sizes here, because Graphviz
would measure texts in whatever font a machine has.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from hardware.circuit.netlist import Part, Pin, netlist
from hardware.drawing import Drawing
from hardware.harness import End, Lead, Wire, joint, leads

CAPITAL, LETTER, BROAD = 11, 9, 14  # points: more than a letter of a usual font takes at size 14
MARGIN: Final = 9
HEIGHT: Final = 24
BASELINE: Final = 5  # below a cell's middle
APART: Final = 0.6  # inches between columns


class NotDrawn(RuntimeError):
    """A program that draws is missing or failed; the message is one sentence."""


def drawings() -> Iterable[Drawing]:
    """One picture for each part of the box that is wired the same way."""
    full, small = leads(netlist("full", "esp32")), leads(netlist("small", "esp32"))
    return [
        Drawing("harness-side", lambda: picture(full, "display A", "buttons A")),
        Drawing("harness-top", lambda: picture(full, "top")),
        Drawing("harness-tray", lambda: picture(full, "kostka")),
        Drawing("harness-battery", lambda: picture(full, "power")),
        Drawing("harness-small", lambda: picture(small, "buttons", "top")),
    ]


def picture(of: tuple[Lead, ...], *names: str) -> str:
    """The SVG of the leads with these names; NotDrawn without WireViz or Graphviz."""
    return _svg(graph(document([lead for lead in of if lead.name in names])))


def document(drawn: list[Lead]) -> dict[str, Any]:
    """WireViz's description of these leads; it reads JSON, which is YAML."""
    connectors: dict[str, Any] = {}
    cables: dict[str, Any] = {}
    connections: list[list[dict[str, Any]]] = []
    for lead in drawn:
        for part in (lead.plug, *lead.parts):
            connectors[part.ref] = _connector(part, plug=part is lead.plug)
        for name, wires in _bundles(lead).items():
            cables[name] = {
                "category": "bundle", "wirecount": len(wires), "colors": [wire.colour for wire in wires],
            }  # fmt: skip
            if wires[0].length:
                cables[name]["length"] = f"{wires[0].length} mm"
            for number, wire in enumerate(wires, 1):
                ends = [{end.ref: _pin(end, lead)} for end in (wire.begin, wire.end)]
                connections.append([ends[0], {name: number}, ends[1]])
        connections += _mates(lead)
    return {"connectors": connectors, "cables": cables, "connections": connections}


def _mates(lead: Lead) -> list[list[Any]]:
    """Halves of a plug that fit each other: an arrow, not a wire."""
    return [[part.ref, "==>", part.fields["mates"]] for part in lead.parts if "mates" in part.fields]


def _connector(part: Part, *, plug: bool) -> dict[str, Any]:
    """A plug's poles have numbers and names, a part's pins names; below them what it is for, and how it is joined."""
    title = part.fields.get("lead") or part.fields.get("lights") or part.fields.get("address") or _own(part)
    if not plug:
        title = f"{title} · {' '.join(joint(part))}"
    names = [_name(pin) for pin in part.pins]
    pins = {"pinlabels": names} if plug else {"pins": names}
    return {"type": part.kind, "notes": str(title).replace("_", " "), "show_pincount": False} | pins


def _own(part: Part) -> str:
    """What a button is for; of anything else its value."""
    return next((net.removesuffix("_LEAD") for net in part.nets if net.endswith("_LEAD")), part.value)


def _pin(end: End, lead: Lead) -> int | str:
    """As WireViz is told of it: a plug's pole by its place from 1, a part's pin by its name."""
    part = next(part for part in (lead.plug, *lead.parts) if part.ref == end.ref)
    place = [pin.number for pin in part.pins].index(end.pin)
    return place + 1 if part is lead.plug else _name(part.pins[place])


def _name(pin: Pin) -> int | str:
    return int(pin.name) if pin.name.isdigit() else pin.name  # WireViz makes a number of "1"


def _bundles(lead: Lead) -> dict[str, list[Wire]]:
    """Wires of the same length, from the plug or between the same places: W, the plug's number and a letter."""
    groups: dict[tuple[str, str, int], list[Wire]] = {}
    for wire in lead.wires:
        inner = wire.begin.ref != lead.plug.ref
        begin, end = (_beside(lead, one.ref) if inner else "" for one in (wire.begin, wire.end))
        groups.setdefault((begin, end, wire.length), []).append(wire)
    number = lead.plug.ref.removeprefix("J")
    return {f"W{number}{'abcdefgh'[place]}": groups[key] for place, key in enumerate(sorted(groups))}


def _beside(lead: Lead, ref: str) -> str:
    """The lamp beside which a button sits, for what does: they are wired as one."""
    refs = [part.ref for part in lead.parts]
    place = refs.index(ref)
    return refs[place - 1] if lead.parts[place].kind.startswith("button") else ref


def graph(described: dict[str, Any]) -> str:
    """What WireViz makes of it, in Graphviz' language."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "harness.yml")
        source.write_text(json.dumps(described), "utf-8")
        _run([sys.executable, "-m", "wireviz.wv_cli", "-f", "g", str(source)], "WireViz")
        return source.with_suffix(".gv").read_text("utf-8")


def _svg(text: str) -> str:
    """The graph as Graphviz draws it, without what depends on fonts, versions and the day."""
    text = re.sub(r"(<tr>\s*<td>)[^<>]*:[^<>]*(</td>)", r"\1&nbsp;\2", text)  # where a wire comes from can be seen
    text = re.sub(r"<td((?: [a-z]+=\"[^\"]*\")*)>([^<>]*[^<>\s][^<>]*)</td>", _cell, text)
    text = re.sub(r"^(\s*graph \[.*ranksep=)2", rf"\g<1>{APART}", text, flags=re.MULTILINE)
    return _tidy(_run(["dot", "-Tsvg"], "Graphviz' program dot", text))


def _cell(found: re.Match[str]) -> str:
    """A cell that no text makes larger, and with a ground, so that its text can be put into its middle."""
    words = found[2].strip().replace(".0 mm", " mm")
    width = MARGIN + sum(map(_width, words.replace("&nbsp;", " ")))
    return f'<td{found[1]} bgcolor="#FFFFFF" width="{width}" height="{HEIGHT}">{words}</td>'


def _width(letter: str) -> int:
    return BROAD if letter in "MWmw" else CAPITAL if letter.isupper() else LETTER


def _tidy(svg: str) -> str:
    """Texts in the middle of their cells, whatever Graphviz thought of their width."""
    lines: list[str] = []
    middle = (0.0, 0.0)
    for line in svg[svg.index("<svg") :].splitlines():
        ground = line.startswith('<polygon fill="#ffffff" stroke="transparent"') and any(
            "<polygon" in one for one in lines
        )
        if shape := re.match(r'<polygon .*points="([^"]*)"', line):
            middle = _middle(shape[1])
        if words := re.match(r"<text .*>(.*)</text>", line):
            if words[1] != "&#160;":
                lines.append(f'<text x="{middle[0]:g}" y="{middle[1] + BASELINE:g}">{words[1]}</text>')
        elif not ground:
            lines.append(line)
    text = re.sub(r"<!--.*?-->\n|<title>.*?</title>\n", "", "\n".join(lines) + "\n", flags=re.DOTALL)
    text = re.sub(r'<svg width="(\d+)pt" height="(\d+)pt"', r'<svg width="\1" height="\2"', text)
    text = text.replace('stroke="transparent"', 'stroke="none"')
    style = 'font-family="sans-serif" font-size="14" text-anchor="middle"'
    return text.replace('<g id="graph0" class="graph"', f"<g {style}", 1)


def _middle(points: str) -> tuple[float, float]:
    """Of a polygon's box."""
    xs, ys = zip(*(map(float, point.split(",")) for point in points.split()), strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _run(command: list[str], name: str, given: str = "") -> str:
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False, encoding="utf-8")
    except FileNotFoundError:
        raise NotDrawn(f"{name} is not installed, and the harness cannot be drawn without it.") from None
    if done.returncode:
        reason = done.stderr.strip() or "no reason given"
        raise NotDrawn(f"{name} failed: {reason.splitlines()[-1]}.")
    return done.stdout
