"""Plain SVG: curves on a logarithmic axis, and a map of a section; no library, no script."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from acclimate.workflows.reporting.gate_report import Section

_WIDTH, _HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 16, 40
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Line:
    """Values by step; `kind` is the class that gives it its look: "run", "member" or "lost"."""

    name: str
    kind: str
    values: Mapping[int, float]


def curves(lines: Sequence[Line], what: str, mark: int | None = None) -> str:
    """Values by step, a logarithmic axis; `mark` is a step with a vertical line, the horizon."""
    points = [
        (s, v) for line in lines for s, v in line.values.items() if v > 0 and math.isfinite(v)
    ]
    if not points:
        return ""
    first, last = min(s for s, _ in points), max(s for s, _ in points)
    low = math.floor(min(math.log10(v) for _, v in points))
    high = max(low + 1, math.ceil(max(math.log10(v) for _, v in points)))

    def x(step: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (step - first) / max(1, last - first)

    def y(power: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - power) / (high - low)

    body = []
    for power in range(low, high + 1, max(1, (high - low) // _MOST_TICKS)):
        body.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" '
                    f'y1="{y(power):.1f}" y2="{y(power):.1f}"/>')  # fmt: skip
        body.append(_text(_LEFT - 6, y(power) + 4, f"1e{power}", "end"))
    for step in range(first, last + 1, max(1, (last - first) // _MOST_TICKS)):
        body.append(_text(x(step), _HEIGHT - _BOTTOM + 18, str(step), "middle"))
    body.append(_text((_LEFT + _WIDTH) / 2, _HEIGHT - 4, "time step", "middle"))
    if mark is not None and first <= mark <= last:
        body.append(f'<line class="mark" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{_TOP}" '
                    f'y2="{_HEIGHT - _BOTTOM}"/>')  # fmt: skip
    for line in lines:
        shown = [
            f"{x(step):.1f},{y(math.log10(value)):.1f}"
            for step, value in sorted(line.values.items())
            if value > 0 and math.isfinite(value)
        ]
        name = f"<title>{escape(line.name)}</title>"
        body.append(f'<polyline class="{line.kind}" points="{" ".join(shown)}">{name}</polyline>')
    return _svg(_WIDTH, _HEIGHT, what, body)


def field_map(section: Section) -> str:
    """A section as coloured cells, on a logarithmic scale of twelve powers of ten."""
    rows, columns = len(section.values), len(section.values[0])
    side = max(4, min(18, 640 // max(rows, columns)))
    finite = [v for row in section.values for v in row if math.isfinite(v)]
    top = max(finite, default=0.0)
    body = []
    for i, row in enumerate(section.values):
        for j, value in enumerate(row):
            colour = _colour(value, top)
            place = f"({i + 1},{j + 1}) {value:.3g}"
            body.append(
                f'<rect x="{i * side}" y="{(columns - 1 - j) * side}" width="{side}" '
                f'height="{side}" fill="{colour}"><title>{place}</title></rect>'
            )
    i, j = section.at
    body.append(
        f'<rect class="at" x="{i * side}" y="{(columns - 1 - j) * side}" width="{side}" '
        f'height="{side}"/>'
    )
    name = f"differences of {section.variable}; {section.axes[0]} to the right,"
    return _svg(rows * side, columns * side, f"{name} {section.axes[1]} upwards", body)


def _colour(value: float, top: float) -> str:
    """White for no difference, dark for the largest; magenta where there is no number."""
    if not math.isfinite(value):
        return "#c2185b"
    if value <= 0 or top <= 0:
        return "#f4f6f8"
    share = max(0.0, 1.0 + math.log10(value / top) / 12.0)
    light = round(92 - 62 * share)
    return f"hsl({round(210 - 190 * share)} 70% {light}%)"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(width: float, height: float, what: str, body: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(what)}"'
    return f'{head} xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(body) + "\n</svg>\n"
