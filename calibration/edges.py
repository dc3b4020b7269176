"""Straight edges to a fraction of a pixel: pull a rough quadrilateral onto what it outlines."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image

Floats = npt.NDArray[np.float32]

SAMPLES = 33
STEP = 0.5
OUTER = 0.45
_EDGE = cv2.BORDER_REPLICATE


@dataclass(frozen=True)
class Sides:
    """Strips of picture across the sides of n quads.

    `place`: (samples,) where along the side, from -0.5 to 0.5. `across`: (count,) pixels outward.
    `colours`: (n, 4, samples, count, channels) float32.
    """

    quads: Floats
    place: Floats
    across: Floats
    colours: Floats

    def steepness(self) -> Floats:
        """(n, 4, samples, count) how fast the colour changes outward, in levels a pixel."""
        return np.asarray(np.sqrt((self.change() ** 2).sum(axis=-1)), np.float32)

    def change(self) -> Floats:
        """(n, 4, samples, count, 3) the change of colour outward, in levels a pixel."""
        wide = round(1 / STEP)
        change = np.zeros(self.colours.shape, np.float32)
        later, earlier = self.colours[..., 2 * wide :, :], self.colours[..., : -2 * wide, :]
        change[..., wide:-wide, :] = (later - earlier) / 2
        return change

    def moved(self, offset: Floats, slope: Floats) -> Floats:
        """The quads with each side moved outward by (n, 4) pixels and leaning by as many."""
        ends = np.roll(self.quads, -1, axis=1)
        along = ends - self.quads
        normal = _normals(along)
        middle = (self.quads + ends) / 2 + normal * offset[..., None]
        return _meet(middle, along + normal * slope[..., None])


def look_across_sides(image: Image | Floats, quads: Floats, reach: float) -> Sides:
    """Sample the picture in strips along the sides of (n, 4, 2) clockwise quads."""
    along = np.roll(quads, -1, axis=1) - quads
    normal = _normals(along)
    place = np.linspace(0.12, 0.88, SAMPLES, dtype=np.float32)
    across = np.arange(-reach, reach + STEP / 2, STEP, dtype=np.float32)
    base = quads[:, :, None] + along[:, :, None] * place[:, None]
    points = base[:, :, :, None] + normal[:, :, None, None] * across[:, None]
    flat = np.ascontiguousarray(points.reshape(-1, len(across), 2), np.float32)
    colours = np.concatenate(
        [
            cv2.remap(image, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=_EDGE)
            for part in np.array_split(flat, -(-len(flat) // 16384))  # remap takes 32767 rows
        ]
    )
    shape = (*points.shape[:-1], -1)
    return Sides(quads, place - 0.5, across, colours.reshape(shape).astype(np.float32))


def snap_quads(image: Image, quads: Floats, reach: float) -> tuple[Floats, Floats]:
    """Move each side of the (n, 4, 2) clockwise quads onto the outermost strong edge near it.

    `reach` is how far from the rough side an edge is looked for, in pixels. Returns the quads
    and (n, 4) how strong the edge along each side is, in grey levels a pixel.
    """
    if len(quads) == 0:
        return quads.reshape(0, 4, 2), np.zeros((0, 4), np.float32)
    sides = look_across_sides(image, quads, reach)
    steepness = capped(sides.steepness())
    score, slopes = line_scores(steepness, sides)
    offset, slope, strength = _outermost(score, slopes, sides.across)
    offset, slope = settle_lines(steepness, sides, offset, slope)
    return sides.moved(offset, slope), strength


def capped(steepness: Floats) -> Floats:
    """The same, no single sample much above the usual best: one bright speck is no edge."""
    usual = np.median(steepness.max(axis=3), axis=2)[..., None, None]
    return np.asarray(np.minimum(steepness, 3 * usual), np.float32)


def line_scores(steepness: Floats, sides: Sides) -> tuple[Floats, Floats]:
    """(n, 4, slopes, count) mean steepness along every straight line, and the slopes."""
    n, four, _, count = steepness.shape
    reach = float(sides.across[-1])
    slopes = np.linspace(-reach, reach, 2 * int(reach) + 1, dtype=np.float32)
    index = np.round(sides.place[:, None] * slopes / STEP).astype(np.int64)
    score = np.zeros((n, four, len(slopes), count), np.float32)
    for number in range(len(slopes)):
        at = np.clip(np.arange(count) + index[:, number, None], 0, count - 1)
        score[:, :, number] = np.take_along_axis(steepness, at[None, None], axis=3).mean(axis=2)
    return score, slopes


def _outermost(score: Floats, slopes: Floats, across: Floats) -> tuple[Floats, Floats, Floats]:
    """Offset, slope and steepness of the outermost line that is nearly as steep as any."""
    best = score.max(axis=2)
    beside = np.pad(best, ((0, 0), (0, 0), (1, 1)))
    local = (best >= beside[..., :-2]) & (best >= beside[..., 2:])
    local &= best >= OUTER * best.max(axis=2, keepdims=True)
    at = best.shape[2] - 1 - local[..., ::-1].argmax(axis=2)
    chosen = np.take_along_axis(score, at[..., None, None], axis=3)[..., 0]
    return across[at], slopes[chosen.argmax(axis=2)], chosen.max(axis=2)


def settle_lines(
    steepness: Floats, sides: Sides, offset: Floats, slope: Floats
) -> tuple[Floats, Floats]:
    """Lines through the centre of the steepness within a pixel or two of rough ones."""
    place = sides.place
    for width in (2.0, 1.5):
        line = offset[..., None] + slope[..., None] * place
        away = sides.across - line[..., None]
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
    return offset, slope


def _normals(along: Floats) -> Floats:
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    return np.asarray(normal / np.maximum(length, 1e-6), np.float32)


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
