"""The art of a card: a procedural person, beast or ornament that belongs to a rank."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.palette import Ink, blend

Image = npt.NDArray[np.uint8]

KINDS = ("person", "ornament", "inkblot", "landscape")


def draw_figure(kind: str, seed: int, size: tuple[int, int], paper: Ink, inks: list[Ink]) -> Image:
    """(h, w, 3) uint8 on `paper`: the same seed gives the same shapes in whatever inks."""
    rng = np.random.default_rng([seed, 5])
    canvas = np.full((size[1], size[0], 3), paper, np.uint8)
    if kind == "person":
        _person(canvas, rng, inks)
    elif kind == "ornament":
        _ornament(canvas, rng, inks)
    elif kind == "inkblot":
        _inkblot(canvas, rng, inks)
    else:
        _landscape(canvas, rng, paper, inks)
    return canvas


def _person(canvas: Image, rng: np.random.Generator, inks: list[Ink]) -> None:
    w = canvas.shape[1]
    coat, trim, hair = (inks[int(k)] for k in rng.permutation(len(inks))[:3])
    skin = blend((140, 170, 225), (60, 80, 120), float(rng.uniform(0, 0.8)))
    cx, head_y = 0.5 + rng.uniform(-0.06, 0.06), rng.uniform(0.27, 0.36)
    head = rng.uniform(0.13, 0.17)
    if rng.random() < 0.6:
        cv2.circle(canvas, _at(canvas, cx, head_y + 0.1), round(w * 0.42), trim, -1, cv2.LINE_AA)
    shoulder, hem = rng.uniform(0.2, 0.32), rng.uniform(0.3, 0.46)
    body = [(cx - 0.08, head_y + 0.1), (cx + 0.08, head_y + 0.1), (cx + shoulder, head_y + 0.25)]
    body += [(cx + hem, 1.0), (cx - hem, 1.0), (cx - shoulder, head_y + 0.25)]
    _fill(canvas, body, coat)
    for k in range(int(rng.integers(1, 5))):
        x = cx + (k - 1.5) * 0.12
        stripe = [(x, head_y + 0.27), (x + 0.04, head_y + 0.27), (x + 0.06, 1.0), (x - 0.02, 1.0)]
        _fill(canvas, stripe, blend(coat, trim, 0.6))
    _tool(canvas, rng, cx + shoulder + 0.06, head_y, trim, hair)
    cv2.ellipse(
        canvas,
        _at(canvas, cx, head_y),
        (round(w * head), round(w * head * rng.uniform(1.1, 1.35))),
        0,
        0,
        360,
        skin,
        -1,
        cv2.LINE_AA,
    )
    _hat(canvas, rng, cx, head_y - head * 0.55, head, hair, trim)
    for side in (-1, 1):
        eye = _at(canvas, cx + side * head * 0.4, head_y + 0.01)
        cv2.circle(canvas, eye, max(2, round(w * 0.016)), (30, 30, 35), -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        beard = [(cx - head, head_y + 0.03), (cx + head, head_y + 0.03)]
        beard += [(cx + 0.05, head_y + rng.uniform(0.12, 0.26)), (cx - 0.05, head_y + 0.2)]
        _fill(canvas, beard, hair)


def _hat(
    canvas: Image, rng: np.random.Generator, x: float, y: float, r: float, ink: Ink, trim: Ink
) -> None:
    kind = int(rng.integers(5))
    if kind == 0:
        _fill(
            canvas, [(x - r * 1.2, y), (x + r * 1.2, y), (x + rng.uniform(-1, 1) * r, y - 0.2)], ink
        )
    elif kind == 1:
        crown = [(x - r, y), (x + r, y), (x + r * 1.1, y - 0.12), (x + r * 0.5, y - 0.05)]
        crown += [(x, y - 0.14), (x - r * 0.5, y - 0.05), (x - r * 1.1, y - 0.12)]
        _fill(canvas, crown, trim)
    elif kind == 2:
        cv2.ellipse(
            canvas,
            _at(canvas, x, y + r * 0.3),
            (round(canvas.shape[1] * r * 1.15),) * 2,
            0,
            180,
            360,
            ink,
            -1,
            cv2.LINE_AA,
        )
        for side in (-1, 1):
            horn = [
                (x + side * r, y),
                (x + side * r * 1.9, y - 0.13),
                (x + side * r * 1.3, y + 0.03),
            ]
            _fill(canvas, horn, trim)
    elif kind == 3:
        _fill(
            canvas, [(x - r * 1.8, y), (x + r * 1.8, y), (x + r, y - 0.03), (x - r, y - 0.03)], ink
        )
        _fill(
            canvas, [(x - r, y), (x + r, y), (x + r * 0.8, y - 0.13), (x - r * 0.8, y - 0.13)], ink
        )
    else:
        for k in range(5):
            lock = _at(canvas, x + (k - 2) * r * 0.55, y + abs(k - 2) * 0.02)
            cv2.circle(canvas, lock, round(canvas.shape[1] * r * 0.5), ink, -1, cv2.LINE_AA)


def _tool(canvas: Image, rng: np.random.Generator, x: float, y: float, ink: Ink, dark: Ink) -> None:
    top = y - rng.uniform(0.05, 0.2)
    thick = max(3, round(canvas.shape[1] * 0.03))
    cv2.line(canvas, _at(canvas, x, 0.98), _at(canvas, x, top), dark, thick, cv2.LINE_AA)
    kind = int(rng.integers(4))
    if kind == 0:
        _fill(canvas, [(x, top - 0.1), (x + 0.05, top), (x, top + 0.06), (x - 0.05, top)], ink)
    elif kind == 1:
        cv2.circle(canvas, _at(canvas, x, top), round(canvas.shape[1] * 0.07), ink, -1, cv2.LINE_AA)
    elif kind == 2:
        _fill(
            canvas, [(x, top), (x + 0.16, top - 0.05), (x + 0.16, top + 0.12), (x, top + 0.08)], ink
        )
    else:
        _fill(canvas, [(x, top), (x + 0.2, top + 0.04), (x, top + 0.13)], ink)


def _ornament(canvas: Image, rng: np.random.Generator, inks: list[Ink]) -> None:
    h, w = canvas.shape[:2]
    petals, rings = int(rng.integers(3, 10)), int(rng.integers(2, 4))
    for ring in range(rings):
        reach = 0.46 * (1 - ring / rings) * min(w, h)
        ink = inks[(ring + petals) % len(inks)]
        inner = rng.uniform(0.3, 0.85)
        phase = rng.uniform(0, math.pi)
        angle = np.linspace(0, 2 * math.pi, 121)
        wave = inner + (1 - inner) * np.abs(np.cos(petals * angle / 2 + phase)) ** rng.uniform(
            0.5, 3
        )
        points = np.column_stack([np.cos(angle), np.sin(angle)]) * (reach * wave)[:, None]
        cv2.fillPoly(
            canvas, [np.round(points + np.array([w / 2, h / 2])).astype(np.int32)], ink, cv2.LINE_AA
        )


def _inkblot(canvas: Image, rng: np.random.Generator, inks: list[Ink]) -> None:
    h, w = canvas.shape[:2]
    rough = rng.normal(0, 1, (6, 4))
    smooth = np.asarray(cv2.resize(rough, (w // 2 + 1, h), interpolation=cv2.INTER_CUBIC))
    both = np.hstack([smooth, smooth[:, ::-1]])[:, :w]
    y, x = np.mgrid[0:h, 0:w]
    both -= 2.2 * (((x / w - 0.5) / 0.5) ** 4 + ((y / h - 0.5) / 0.5) ** 4)
    for level, ink in zip((-0.1, 0.45, 0.9), inks, strict=False):
        edge = np.clip((both - level) * 12 + 0.5, 0, 1)[:, :, None]
        canvas[:] = np.round(canvas * (1 - edge) + np.array(ink) * edge).astype(np.uint8)


def _landscape(canvas: Image, rng: np.random.Generator, paper: Ink, inks: list[Ink]) -> None:
    h, w = canvas.shape[:2]
    sun = (round(w * rng.uniform(0.2, 0.8)), round(h * rng.uniform(0.15, 0.4)))
    cv2.circle(canvas, sun, round(w * rng.uniform(0.1, 0.2)), inks[0], -1, cv2.LINE_AA)
    for k in range(4):
        base = 0.4 + 0.15 * k
        knots = base + rng.uniform(-0.16, 0.16, int(rng.integers(3, 9)))
        ridge = np.interp(np.linspace(0, len(knots) - 1, w), np.arange(len(knots)), knots) * h
        points = np.column_stack([np.arange(w), ridge])
        outline = np.vstack([points, [(w, h), (0, h)]])
        ink = blend(inks[k % len(inks)], paper, 0.5 - 0.15 * k)
        cv2.fillPoly(canvas, [np.round(outline).astype(np.int32)], ink, cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 6))):
        x, y, s = rng.uniform(0.1, 0.9), rng.uniform(0.6, 0.95), rng.uniform(0.06, 0.14)
        _fill(canvas, [(x - s, y), (x + s, y), (x, y - s * 2)], inks[-1])


def _at(canvas: Image, x: float, y: float) -> tuple[int, int]:
    return round(x * canvas.shape[1]), round(y * canvas.shape[0])


def _fill(canvas: Image, points: list[tuple[float, float]], ink: Ink) -> None:
    outline = np.round(np.array(points) * (canvas.shape[1], canvas.shape[0])).astype(np.int32)
    cv2.fillPoly(canvas, [outline], ink, cv2.LINE_AA)
