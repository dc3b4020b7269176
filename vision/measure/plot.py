"""A small line plot as SVG text."""

from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

_INKS = ("#1f5fa8", "#c0392b", "#2e7d32", "#8e44ad", "#b9770e")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 560, 300, 64, 46, 34, 120


def draw_plot(title: str, across: str, up: str, lines: Mapping[str, Points]) -> str:
    """SVG of named lines over one pair of axes; numbers stand at the points' own places."""
    points = [point for line in lines.values() for point in line]
    if not points:
        raise ValueError(f"{title}: a plot needs at least one point")
    xs, ys = sorted({x for x, _ in points}), [y for _, y in points]
    low, high = min(ys), max(ys)
    room = (high - low) * 0.12 or max(abs(high) * 0.1, 1.0)
    bounds = (xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1, low - room, high + room)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
        f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 8}" text-anchor="middle">'
        f"{escape(across)}</text>",
        f'<text transform="translate(14 {(_TOP + _HEIGHT - _BOTTOM) / 2}) rotate(-90)" '
        f'text-anchor="middle">{escape(up)}</text>',
    ]
    parts += _axes(xs, bounds)
    for number, (name, line) in enumerate(lines.items()):
        parts += _line(name, line, bounds, _INKS[number % len(_INKS)])
    return "\n".join([*parts, "</svg>", ""])


Bounds = tuple[float, float, float, float]


def _axes(xs: Sequence[float], bounds: Bounds) -> list[str]:
    x0, y0 = _LEFT, _HEIGHT - _BOTTOM
    x1, y1 = _WIDTH - _RIGHT, _TOP
    parts = [f'<path d="M{x0} {y1} V{y0} H{x1}" fill="none" stroke="#444"/>']
    for x in xs:
        at = _place((x, bounds[2]), bounds)[0]
        parts.append(f'<text x="{at:.1f}" y="{y0 + 16}" text-anchor="middle">{x:g}</text>')
    for step in range(5):
        y = bounds[2] + (bounds[3] - bounds[2]) * step / 4
        at = _place((bounds[0], y), bounds)[1]
        parts.append(f'<path d="M{x0} {at:.1f} H{x1}" stroke="#ddd"/>')
        parts.append(f'<text x="{x0 - 6}" y="{at + 4:.1f}" text-anchor="end">{y:.4g}</text>')
    return parts


def _line(name: str, line: Points, bounds: Bounds, ink: str) -> list[str]:
    places = [_place(point, bounds) for point in line]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    end = places[-1]
    return [
        f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ink}"/>' for x, y in places),
        f'<text x="{end[0] + 8:.1f}" y="{end[1] + 4:.1f}" fill="{ink}">{escape(name)}</text>',
    ]


def _place(point: tuple[float, float], bounds: Bounds) -> tuple[float, float]:
    x0, x1, y0, y1 = bounds
    across, up = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    x = _LEFT + (point[0] - x0) / (x1 - x0) * across
    return x, _HEIGHT - _BOTTOM - (point[1] - y0) / (y1 - y0) * up
