"""Backs of cards: light, dark, bordered, or nearly plain."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.palette import Ink, blend, hsv_ink

Image = npt.NDArray[np.uint8]


def print_back(rng: np.random.Generator, size: tuple[int, int], rim: Ink | None) -> Image:
    """(h, w, 3) uint8; `rim` is the paper that shows around the print, if any."""
    w, h = size
    ground = hsv_ink(rng.uniform(0, 360), rng.uniform(0.05, 0.9), rng.uniform(0.15, 0.92))
    line = hsv_ink(rng.uniform(0, 360), rng.uniform(0.05, 0.9), rng.uniform(0.15, 0.95))
    line = blend(line, ground, float(rng.uniform(0, 0.6)))
    back = np.full((h, w, 3), ground, np.uint8)
    kind = int(rng.integers(7))
    step = int(rng.integers(18, 70))
    if kind == 0:
        _hatch(back, line, step, 1)
        _hatch(back, line, step, -1)
    elif kind == 1:
        _hatch(back, line, step, 1)
    elif kind == 2:
        for y in range(0, h + step, step):
            for x in range(0, w + step, step):
                cv2.circle(
                    back, (x + (y // step % 2) * step // 2, y), step // 4, line, -1, cv2.LINE_AA
                )
    elif kind == 3:
        for r in range(max(w, h), 0, -step):
            ink = line if r // step % 2 else ground
            cv2.circle(back, (w // 2, h // 2), r, ink, -1, cv2.LINE_AA)
    elif kind == 4:
        knot = np.round(_knot(rng, w, h)).astype(np.int32)
        cv2.polylines(back, [knot], True, line, max(4, step // 4), cv2.LINE_AA)
    elif kind == 5:
        rough = np.asarray(
            cv2.resize(rng.normal(0, 1, (9, 6)), (w, h), interpolation=cv2.INTER_CUBIC)
        )
        part = np.clip(rough * 3 + 0.5, 0, 1)[:, :, None]
        back[:] = np.round(back * (1 - part) + np.array(line) * part).astype(np.uint8)
    if rng.random() < 0.5:
        inset = round(w * rng.uniform(0.06, 0.14))
        cv2.rectangle(back, (inset, inset), (w - 1 - inset, h - 1 - inset), line, round(w * 0.02))
    if rim is not None:
        cv2.rectangle(back, (0, 0), (w - 1, h - 1), rim, round(w * rng.uniform(0.06, 0.14)))
    return back


def _hatch(back: Image, line: Ink, step: int, lean: int) -> None:
    h, w = back.shape[:2]
    for k in range(-h - w, h + w, step):
        ends = ((0, k), (w, k + lean * w))
        cv2.line(back, ends[0], ends[1], line, max(3, step // 5), cv2.LINE_AA)


def _knot(rng: np.random.Generator, w: int, h: int) -> npt.NDArray[np.float64]:
    a, b = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    t = np.linspace(0, 2 * math.pi, 400)
    x = np.sin(a * t + rng.uniform(0, 3)) * w * 0.38 + w / 2
    y = np.sin(b * t) * h * 0.4 + h / 2
    return np.column_stack([x, y])
