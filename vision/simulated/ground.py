"""What a table top is made of: wood, cloth, plain, stone or a pattern."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.palette import blend, hsv_ink

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

KINDS = ("wood", "wood", "cloth", "plain", "stone", "checks", "stripes", "dots")


def paint_ground(size: tuple[int, int], unit: float, rng: np.random.Generator) -> Image:
    """(h, w, 3) uint8 of a random table top; `unit` is pixels per unit of length."""
    kind = str(rng.choice(KINDS))
    w, h = size
    if kind == "wood":
        return _wood(w, h, unit, rng)
    base = hsv_ink(rng.uniform(0, 360), rng.uniform(0, 0.75), rng.uniform(0.12, 0.92))
    other = hsv_ink(rng.uniform(0, 360), rng.uniform(0, 0.75), rng.uniform(0.12, 0.92))
    other = blend(other, base, float(rng.uniform(0.3, 0.8)))
    top = np.full((h, w, 3), base, np.uint8)
    step = max(6, round(unit * rng.uniform(12, 60)))
    if kind == "checks":
        part = _bands(w, step)[None, :] + _bands(h, step)[:, None]
        top = _mix(top, other, part * np.float32(0.5))
    elif kind == "stripes":
        top = _mix(top, other, np.broadcast_to(_bands(h, step)[:, None], (h, w)))
    elif kind == "dots":
        for y in range(0, h + step, step):
            for x in range(0, w + step, step):
                cv2.circle(
                    top, (x + (y // step % 2) * step // 2, y), step // 6, other, -1, cv2.LINE_AA
                )
    if kind == "stone":
        speckle = smooth_noise(w, h, unit * 1.5, rng) + smooth_noise(w, h, unit * 9, rng)
        top = _mix(top, other, np.clip(speckle * 0.6 + 0.3, 0, 1))
    weave = {"cloth": 9.0, "checks": 7.0, "stripes": 6.0}.get(kind, 2.0)
    return _shade(top, smooth_noise(w, h, unit * 0.8, rng) * weave + _soil(w, h, unit, rng))


def smooth_noise(w: int, h: int, blur: float, rng: np.random.Generator) -> Floats:
    """(h, w) float32 of unit strength, its grains about `blur` pixels wide."""
    step = max(1.0, blur)
    small = rng.standard_normal((int(h / step) + 3, int(w / step) + 3), np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)


def _wood(w: int, h: int, unit: float, rng: np.random.Generator) -> Image:
    hue, depth, value = rng.uniform(12, 32), rng.uniform(0.2, 0.7), rng.uniform(0.25, 0.85)
    light, dark = hsv_ink(hue, depth, value), hsv_ink(hue - 6, depth * 1.1, value * 0.6)
    along, across = (h, w) if rng.random() < 0.3 else (w, h)
    plank = max(20, round(unit * rng.uniform(60, 160)))
    grain = np.zeros((across, along), np.float32)
    seam = np.zeros((across, along), np.float32)
    for y in range(0, across, plank):
        rows = min(plank, across - y)
        fine = cv2.resize(
            rng.standard_normal((max(2, rows // 2), max(2, along // 90)), np.float32),
            (along, rows),
            interpolation=cv2.INTER_CUBIC,
        )
        wide = cv2.resize(
            rng.standard_normal((max(2, rows // 14), max(2, along // 300)), np.float32),
            (along, rows),
            interpolation=cv2.INTER_CUBIC,
        )
        grain[y : y + rows] = 0.35 + 0.12 * fine + 0.22 * wide + rng.normal(0, 0.12)
        seam[y : y + 2] = 1.0
        for _ in range(int(rng.integers(0, 3))):
            x = int(rng.integers(along))
            seam[y : y + rows, x : x + 2] = 1.0
    if along == h:
        grain, seam = grain.T, seam.T
    top = _mix(np.full((h, w, 3), light, np.uint8), dark, np.clip(grain, 0, 1))
    top = _mix(top, (15, 20, 25), np.ascontiguousarray(seam) * rng.uniform(0.2, 0.7))
    return _shade(top, _soil(w, h, unit, rng))


def _soil(w: int, h: int, unit: float, rng: np.random.Generator) -> Floats:
    return smooth_noise(w, h, unit * 80, rng) * 3


def _bands(length: int, step: int) -> Floats:
    return np.asarray((np.arange(length) // step) % 2, np.float32)


def _mix(image: Image, ink: tuple[int, int, int], part: npt.NDArray[np.float32]) -> Image:
    part8 = (np.clip(part, 0, 1) * 255).astype(np.uint8)
    alpha = cv2.merge([part8, part8, part8])
    layer = np.empty_like(image)
    layer[:] = ink
    mixed = cv2.add(
        cv2.multiply(layer, alpha, scale=1 / 255),
        cv2.multiply(image, cv2.bitwise_not(alpha), scale=1 / 255),
    )
    return np.asarray(mixed, np.uint8)


def _shade(image: Image, level: Floats) -> Image:
    delta = np.clip(level, -60, 60).astype(np.int16)
    shaded = cv2.add(image, cv2.merge([delta, delta, delta]), dtype=cv2.CV_8U)
    return np.asarray(shaded, np.uint8)
