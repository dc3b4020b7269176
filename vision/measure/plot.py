"""A small line plot as SVG text."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Points = Sequence[tuple[float, float]]

_INKS = ("#1f5fa8", "#c0392b", "#2e7d32", "#8e44ad", "#b9770e")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 560, 300, 72, 46, 34, 90


@dataclass(frozen=True)
class _Frame:
    """What the axes span; across they are logarithmic, for sizes that double and redouble."""

    x: tuple[float, float]
    ticks: tuple[float, ...]

    def place(self, x: float, y: float) -> tuple[float, float]:
        low, high = math.log(self.x[0]), math.log(self.x[1])
        across = (math.log(x) - low) / (high - low) if high > low else 0.5
        up = (y - self.ticks[0]) / (self.ticks[-1] - self.ticks[0])
        return (
            _LEFT + across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM),
        )


def draw_plot(title: str, across: str, up: str, lines: Mapping[str, Points]) -> str:
    """SVG of named lines over one pair of axes; all x must be above 0."""
    points = [point for line in lines.values() for point in line]
    if not points:
        raise ValueError(f"{title}: a plot needs at least one point")
    xs, ys = sorted({x for x, _ in points}), [y for _, y in points]
    frame = _Frame((xs[0], xs[-1]), _ticks(min(ys), max(ys)))
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">'
        f"{escape(across)}</text>",
        f'<text transform="translate(16 {middle}) rotate(-90)" text-anchor="middle">'
        f"{escape(up)}</text>",
        *_axes(xs, frame),
    ]
    for number, (name, line) in enumerate(lines.items()):
        parts += _line(name, line, frame, _INKS[number % len(_INKS)])
    return "\n".join([*parts, "</svg>", ""])


def _ticks(low: float, high: float) -> tuple[float, ...]:
    # Round steps of 1, 2 or 5 times a power of ten, about four of them.
    span = (high - low) or abs(high) or 1.0
    size = 10 ** math.floor(math.log10(span / 3))
    step = size * min((m for m in (1, 2, 5, 10) if span / (size * m) <= 4.5), default=10)
    first, last = math.floor(low / step), math.ceil(high / step)
    return tuple(k * step for k in range(first, max(last, first + 1) + 1))


def _axes(xs: Sequence[float], frame: _Frame) -> list[str]:
    foot, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for y in frame.ticks:
        at = frame.place(xs[0], y)[1]
        parts.append(f'<path d="M{_LEFT} {at:.1f} H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in xs:
        at = frame.place(x, frame.ticks[0])[0]
        parts.append(f'<text x="{at:.1f}" y="{foot + 16}" text-anchor="middle">{x:g}</text>')
    return [*parts, f'<path d="M{_LEFT} {_TOP} V{foot} H{right}" fill="none" stroke="#444"/>']


def _line(name: str, line: Points, frame: _Frame, ink: str) -> list[str]:
    places = [frame.place(*point) for point in line]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    end = places[-1]
    return [
        f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>' for x, y in places),
        f'<text x="{end[0] + 8:.1f}" y="{end[1] + 4:.1f}" fill="{ink}">{escape(name)}</text>',
    ]
