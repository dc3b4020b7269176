"""Straight edges to a fraction of a pixel: pull a rough quadrilateral onto what it outlines."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image

Floats = npt.NDArray[np.float32]

SAMPLES = 33
STEP = 0.5
OUTER = 0.45


def snap_quads(image: Image, quads: Floats, reach: float) -> tuple[Floats, Floats]:
    """Move each side of the (n, 4, 2) clockwise quads onto the outermost strong edge near it.

    `reach` is how far from the rough side an edge is looked for, in pixels. Returns the quads
    and (n, 4) how strong the edge along each side is, in grey levels a pixel.
    """
    if len(quads) == 0:
        return quads.reshape(0, 4, 2), np.zeros((0, 4), np.float32)
    ends = np.roll(quads, -1, axis=1)
    along = ends - quads
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)
    place = np.linspace(0.12, 0.88, SAMPLES, dtype=np.float32)
    across = np.arange(-reach, reach + STEP / 2, STEP, dtype=np.float32)
    base = quads[:, :, None] + along[:, :, None] * place[:, None]
    points = base[:, :, :, None] + normal[:, :, None, None] * across[:, None]
    steepness = _steepness(image, points)
    offset, slope, strength = _best_lines(steepness, place - 0.5, across)
    middle = (quads + ends) / 2 + normal * offset[..., None]
    direction = along + normal * slope[..., None]
    return _meet(middle, direction), strength


def _steepness(image: Image, points: Floats) -> Floats:
    """(n, 4, samples, across) how fast the colour changes across the side at every point."""
    n, sides, samples, count, _ = points.shape
    flat = points.reshape(n * sides * samples, count, 2)
    rows = []
    for start in range(0, len(flat), 16384):  # remap takes at most 32767 rows
        part = np.ascontiguousarray(flat[start : start + 16384])
        rows.append(cv2.remap(image, part, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    colours = np.concatenate(rows).astype(np.float32)
    wide = round(1 / STEP)
    change = np.zeros(colours.shape, np.float32)
    change[:, wide:-wide] = (colours[:, 2 * wide :] - colours[:, : -2 * wide]) / 2
    steep = np.sqrt((change**2).sum(axis=-1)).reshape(n, sides, samples, count)
    return np.asarray(steep, np.float32)


def _best_lines(steepness: Floats, place: Floats, across: Floats) -> tuple[Floats, Floats, Floats]:
    """The outermost line of near-greatest mean steepness: offset, slope and that steepness."""
    n, sides, _, count = steepness.shape
    reach = float(across[-1])
    slopes = np.linspace(-reach, reach, 2 * int(reach) + 1, dtype=np.float32)
    index = np.round((place[:, None] * slopes) / STEP).astype(np.int64)
    score = np.zeros((n, sides, len(slopes), count), np.float32)
    columns = np.arange(count)
    capped = np.minimum(steepness, 3 * np.median(steepness.max(axis=3), axis=2)[..., None, None])
    for number in range(len(slopes)):
        at = np.clip(columns + index[:, number, None], 0, count - 1)
        score[:, :, number] = np.take_along_axis(capped, at[None, None], axis=3).mean(axis=2)
    best = score.max(axis=2)
    peak = best.max(axis=2, keepdims=True)
    inner = np.pad(best, ((0, 0), (0, 0), (1, 1)))
    local = (best >= inner[..., :-2]) & (best >= inner[..., 2:]) & (best >= OUTER * peak)
    offset_index = count - 1 - local[..., ::-1].argmax(axis=2)
    chosen = np.take_along_axis(score, offset_index[..., None, None], axis=3)[..., 0]
    slope = slopes[chosen.argmax(axis=2)]
    return _fine(capped, place, across, across[offset_index], slope, chosen.max(axis=2))


def _fine(
    steepness: Floats, place: Floats, across: Floats, offset: Floats, slope: Floats, best: Floats
) -> tuple[Floats, Floats, Floats]:
    """Centre of the steepness within a pixel or two of the line, fitted by weighted squares."""
    for width in (2.0, 1.5):
        line = offset[..., None] + slope[..., None] * place
        away = across - line[..., None]
        weight = steepness * np.exp(-((away / width) ** 2))
        mass = weight.sum(axis=3)
        centre = (weight * away).sum(axis=3) / np.maximum(mass, 1e-6)
        middle = np.median(centre, axis=2, keepdims=True)
        mass = np.minimum(mass, 2 * np.median(mass, axis=2, keepdims=True))
        mass = mass * np.exp(-((centre - middle) ** 2) / 2) + 1e-6
        total = mass.sum(axis=2)
        mean_p = (mass * place).sum(axis=2) / total
        mean_c = (mass * centre).sum(axis=2) / total
        spread = (mass * (place - mean_p[..., None]) ** 2).sum(axis=2)
        lean = (mass * (place - mean_p[..., None]) * (centre - mean_c[..., None])).sum(axis=2)
        lean = lean / np.maximum(spread, 1e-6)
        slope = (slope + lean).astype(np.float32)
        offset = (offset + mean_c - lean * mean_p).astype(np.float32)
    return offset, slope, best


def _meet(middle: Floats, direction: Floats) -> Floats:
    """Corners (n, 4, 2) where each side's line meets the one before it."""
    before, toward = np.roll(middle, 1, axis=1), np.roll(direction, 1, axis=1)
    gap = middle - before
    cross = toward[..., 0] * direction[..., 1] - toward[..., 1] * direction[..., 0]
    cross = np.where(np.abs(cross) < 1e-6, 1e-6, cross)
    reach = (gap[..., 0] * direction[..., 1] - gap[..., 1] * direction[..., 0]) / cross
    return np.asarray(before + toward * reach[..., None], np.float32)


def clockwise(corners: Points) -> Points:
    """The same corners, clockwise as seen in the picture."""
    after = np.roll(corners, -1, axis=0)
    area = float((corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0]).sum())
    return corners if area > 0 else corners[::-1].copy()
