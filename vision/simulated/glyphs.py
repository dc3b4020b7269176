"""Ranks in many hands of lettering, and the symbols that go with colours, as masks."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.uint8]
Stroke = list[tuple[float, float]]

SYMBOLS = ("star", "diamond", "heart", "drop", "cross", "moon", "leaf", "ring", "bars", "arrow")
_FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_SIMPLEX)


@dataclass(frozen=True)
class Lettering:
    """How a deck writes its ranks: a family of shapes and the pen that draws them."""

    family: str
    pen: float
    flatness: float
    pen_turn: float
    slant: float
    stretch: float


def choose_lettering(rng: np.random.Generator) -> Lettering:
    """A random hand of lettering, never too thin to be read from above."""
    return Lettering(
        family=str(rng.choice(["round", "square", "segments", "font"])),
        pen=rng.uniform(0.13, 0.24),
        flatness=float(rng.choice([1.0, 1.0, 0.5, 0.35])),
        pen_turn=rng.uniform(0, 60),
        slant=float(rng.choice([0.0, 0.0, 0.12, 0.2])),
        stretch=rng.uniform(0.75, 1.1),
    )


def rank_mask(rank: str, lettering: Lettering, height: int) -> Mask:
    """(height, w) uint8: the rank's shape, cut tight."""
    if lettering.family != "font" and rank.isdigit():
        big = _drawn_digits(rank, lettering)
    else:
        big = _typed(rank, lettering)
    lean = np.array([[1, -lettering.slant, 60 + lettering.slant * 100], [0, 1, 0]], np.float32)
    big = np.asarray(cv2.warpAffine(big, lean, (big.shape[1] + 120, big.shape[0])), np.uint8)
    x, y, w, h = cv2.boundingRect(big)
    width = max(3, round(w * height / h * lettering.stretch))
    tight = np.ascontiguousarray(big[y : y + h, x : x + w])
    return np.asarray(cv2.resize(tight, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def symbol_mask(kind: str, size: int) -> Mask:
    """(size, size) uint8: one of SYMBOLS, filled."""
    canvas = np.zeros((200, 200), np.uint8)
    if kind == "ring":
        cv2.circle(canvas, (100, 100), 72, 255, 36, cv2.LINE_AA)
    elif kind == "moon":
        cv2.circle(canvas, (95, 100), 90, 255, -1, cv2.LINE_AA)
        cv2.circle(canvas, (135, 85), 75, 0, -1, cv2.LINE_AA)
    elif kind == "bars":
        for y in (30, 100, 170):
            cv2.rectangle(canvas, (15, y - 20), (185, y + 20), 255, -1)
    elif kind == "heart":
        cv2.circle(canvas, (58, 65), 48, 255, -1, cv2.LINE_AA)
        cv2.circle(canvas, (142, 65), 48, 255, -1, cv2.LINE_AA)
        _polygon(canvas, [(14, 85), (186, 85), (100, 192)])
    elif kind == "drop":
        cv2.circle(canvas, (100, 130), 62, 255, -1, cv2.LINE_AA)
        _polygon(canvas, [(100, 5), (155, 103), (45, 103)])
    elif kind == "leaf":
        cv2.ellipse(canvas, (100, 100), (95, 42), 45, 0, 360, 255, -1, cv2.LINE_AA)
        cv2.ellipse(canvas, (100, 100), (95, 42), 135, 0, 360, 255, -1, cv2.LINE_AA)
    else:
        _polygon(canvas, _POLYGONS[kind])
    return np.asarray(cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def _star(points: int, inner: float) -> Stroke:
    reach = [95 if k % 2 == 0 else 95 * inner for k in range(points * 2)]
    return [
        (100 + r * math.sin(math.pi * k / points), 100 - r * math.cos(math.pi * k / points))
        for k, r in enumerate(reach)
    ]


_POLYGONS: dict[str, Stroke] = {
    "star": _star(5, 0.45),
    "diamond": [(100, 5), (170, 100), (100, 195), (30, 100)],
    "cross": [
        *((70, 10), (130, 10), (130, 70), (190, 70), (190, 130), (130, 130)),
        *((130, 190), (70, 190), (70, 130), (10, 130), (10, 70), (70, 70)),
    ],
    "arrow": [(100, 5), (190, 100), (135, 100), (135, 195), (65, 195), (65, 100), (10, 100)],
}


def _polygon(canvas: Mask, points: Stroke) -> None:
    cv2.fillPoly(canvas, [np.round(np.array(points)).astype(np.int32)], 255, cv2.LINE_AA)


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, stop: float) -> Stroke:
    steps = np.radians(np.linspace(start, stop, 20))
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in steps]


_ROUND: dict[str, list[Stroke]] = {
    "0": [_arc(0.5, 0.5, 0.42, 0.5, 0, 360)],
    "1": [[(0.2, 0.22), (0.55, 0), (0.55, 1)]],
    "2": [[*_arc(0.5, 0.3, 0.4, 0.3, 180, 385), (0.05, 1), (0.95, 1)]],
    "3": [_arc(0.48, 0.25, 0.38, 0.25, 200, 450), _arc(0.48, 0.74, 0.44, 0.26, 270, 520)],
    "4": [[(0.72, 1), (0.72, 0), (0.02, 0.7), (1.0, 0.7)]],
    "5": [[(0.88, 0), (0.2, 0), (0.14, 0.44), *_arc(0.48, 0.66, 0.42, 0.34, 225, 500)]],
    "6": [[(0.75, 0), *_arc(0.55, 0.62, 0.5, 0.6, 235, 180)], _arc(0.5, 0.68, 0.42, 0.32, 0, 360)],
    "7": [[(0.05, 0), (0.95, 0), (0.4, 1)]],
    "8": [_arc(0.5, 0.24, 0.34, 0.24, 0, 360), _arc(0.5, 0.74, 0.43, 0.26, 0, 360)],
    "9": [[(0.25, 1), *_arc(0.45, 0.38, 0.5, 0.6, 55, 0)], _arc(0.5, 0.32, 0.42, 0.32, 0, 360)],
}
_SQUARE: dict[str, list[Stroke]] = {
    "0": [
        [
            (0.2, 0),
            (0.8, 0),
            (1, 0.15),
            (1, 0.85),
            (0.8, 1),
            (0.2, 1),
            (0, 0.85),
            (0, 0.15),
            (0.2, 0),
        ]
    ],
    "1": [[(0.2, 0.2), (0.5, 0), (0.5, 1)], [(0.15, 1), (0.85, 1)]],
    "2": [[(0, 0.2), (0.2, 0), (0.8, 0), (1, 0.15), (1, 0.35), (0, 1), (1, 1)]],
    "3": [[(0, 0), (1, 0), (0.45, 0.42), (0.8, 0.42), (1, 0.58), (1, 0.85), (0.8, 1), (0, 1)]],
    "4": [[(0.75, 1), (0.75, 0.3)], [(0.4, 0), (0, 0.68), (1, 0.68)]],
    "5": [[(1, 0), (0, 0), (0, 0.42), (0.8, 0.42), (1, 0.56), (1, 0.85), (0.8, 1), (0, 1)]],
    "6": [
        [
            (0.9, 0),
            (0.2, 0),
            (0, 0.15),
            (0, 0.85),
            (0.2, 1),
            (0.8, 1),
            (1, 0.85),
            (1, 0.6),
            (0.8, 0.45),
            (0, 0.45),
        ]
    ],
    "7": [[(0, 0.12), (0, 0), (1, 0), (1, 0.15), (0.35, 1)]],
    "8": [
        [
            (0.2, 0),
            (0.8, 0),
            (1, 0.12),
            (1, 0.36),
            (0.8, 0.48),
            (0.2, 0.48),
            (0, 0.36),
            (0, 0.12),
            (0.2, 0),
        ],
        [(0.2, 0.48), (0, 0.62), (0, 0.88), (0.2, 1), (0.8, 1), (1, 0.88), (1, 0.62), (0.8, 0.48)],
    ],
    "9": [
        [
            (0.1, 1),
            (0.8, 1),
            (1, 0.85),
            (1, 0.15),
            (0.8, 0),
            (0.2, 0),
            (0, 0.15),
            (0, 0.4),
            (0.2, 0.55),
            (1, 0.55),
        ]
    ],
}
_SEGMENTS = {
    "a": ((0, 0), (1, 0)),
    "b": ((1, 0), (1, 0.5)),
    "c": ((1, 0.5), (1, 1)),
    "d": ((0, 1), (1, 1)),
    "e": ((0, 0.5), (0, 1)),
    "f": ((0, 0), (0, 0.5)),
    "g": ((0, 0.5), (1, 0.5)),
}
_LIT = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abcdfg",
}


def _strokes(digit: str, family: str) -> list[Stroke]:
    if family == "round":
        return _ROUND[digit]
    if family == "square":
        return _SQUARE[digit]
    return [list(_SEGMENTS[segment]) for segment in _LIT[digit]]


def _drawn_digits(rank: str, lettering: Lettering) -> Mask:
    wide, high, gap = 120, 200, 60
    canvas = np.zeros((high + 120, (wide + gap) * len(rank) + 120), np.uint8)
    for k, digit in enumerate(rank):
        for stroke in _strokes(digit, lettering.family):
            points = np.array(stroke) * (wide, high) + (60 + k * (wide + gap), 60)
            cv2.polylines(canvas, [np.round(points).astype(np.int32)], False, 255, 3, cv2.LINE_AA)
    # A flat pen held at an angle makes thick and thin strokes; a round one makes them even.
    size = max(5, round(lettering.pen * high)) | 1
    nib = np.zeros((size, size), np.uint8)
    across = (size // 2, max(2, round(size * lettering.flatness / 2)))
    cv2.ellipse(nib, (size // 2, size // 2), across, lettering.pen_turn, 0, 360, 1, -1)
    return np.asarray(cv2.dilate(canvas, nib), np.uint8)


def _typed(rank: str, lettering: Lettering) -> Mask:
    font = _FONTS[int(lettering.pen_turn) % len(_FONTS)]
    thick = round(10 + lettering.pen * 70)
    (w, h), _ = cv2.getTextSize(rank, font, 8, thick)
    canvas = np.zeros((h * 2 + 120, w + 200), np.uint8)
    cv2.putText(canvas, rank, (80, h + 90), font, 8, 255, thick, cv2.LINE_AA)
    return canvas
