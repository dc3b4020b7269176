"""What lies between straight new lines: cards, even in the colour of what is under them."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.slopes import KEPT, Floats, length, shrunk_slopes

Mask = npt.NDArray[np.uint8]

WIDE = 640  # long side of the picture in which lines are sought
LENGTH = 15  # pixels of a line there
TURNS = 12  # directions tried
ASKEW = (-5.0, 0.0, 5.0)
CLEAR, SURE = 1.7, 2.3  # how many times stronger than usual lines are
MOST = 14.0  # a line clearer than this says no more about directions
DENSE = 0.3


def between_lines(before: Floats, after: Floats, slots: int) -> Mask:
    """(H, W) 1 where new lines along the cards' sides lie on at least three sides.

    A line's slopes are summed with their sign before their length is taken, so that noise
    cancels out; glare and shadows have no straight lines.
    """
    height, width = before.shape[:2]
    now, then = (shrunk_slopes(picture, WIDE, 0.8) for picture in (after, before))
    new = _New(now, then)
    turns = [180.0 * k / TURNS for k in range(TURNS)]
    heap, turn = _where(np.max([new.lines(turn) for turn in turns], axis=0))
    card = np.sqrt(float(heap.sum()) / slots)
    hits, drawn = np.zeros_like(heap), np.zeros_like(heap)
    for rough in (turn, turn + 90):
        normal = _settled(new, heap, rough)
        lines = heap * _sure(np.max([new.lines(normal + lean) for lean in ASKEW], axis=0))
        drawn |= lines
        for way in (normal, normal + 180):
            hits += _seen_from(lines, way, round(1.3 * card))
    inside = np.asarray((hits >= 3) | (drawn > 0), np.uint8)
    wide = max(3, round(0.2 * card))
    whole = cv2.morphologyEx(inside, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8))
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


class _New:
    """New slopes, from (h, w, 6) slopes now and then, summed along lines of any direction."""

    def __init__(self, now: Floats, then: Floats) -> None:
        new = now - then
        # Glare and shadows slope widely, lines do not.
        self._new = new - cv2.blur(new, (LENGTH, LENGTH))
        old = length(then)
        self._old = KEPT * np.maximum(old - np.median(old), 0)

    def lines(self, normal: float) -> Floats:
        """(h, w) how clear a line with this normal, in degrees, is, 1 being usual there."""
        x, y = float(np.cos(np.radians(normal))), float(np.sin(np.radians(normal)))
        line = np.maximum(_ray(normal + 90, LENGTH // 2), _ray(normal - 90, LENGTH // 2))
        along = self._new[..., :3] * np.float32(x) + self._new[..., 3:] * np.float32(y)
        mean = cv2.filter2D(along, -1, line.astype(np.float32) / line.sum())
        strength = length(mean)
        wide = max(strength.shape) // 6 | 1
        usual = cv2.blur(np.minimum(strength, 2 * float(np.median(strength))), (wide, wide))
        return np.asarray((strength - self._old) / (usual + 1e-3), np.float32)


def _where(lines: Floats) -> tuple[Mask, float]:
    """The part of the picture where lines are densest, and the degrees in which it stretches."""
    strongest = np.clip(lines - SURE, 0, 0.7)
    wide = max(lines.shape) / 60
    dense = np.asarray(cv2.GaussianBlur(strongest, (0, 0), wide), np.float32)
    usual, most = np.quantile(dense, [0.5, 0.96])
    above = np.asarray(dense > usual + DENSE * (most - usual), np.uint8)
    solid = cv2.morphologyEx(above, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    joined = cv2.dilate(solid, np.ones((2 * round(wide) + 1,) * 2, np.uint8))
    _, labels = cv2.connectedComponents(np.asarray(joined, np.uint8))
    sums = np.bincount(labels.ravel(), (dense * solid).ravel())
    sums[0] = 0
    heap = np.asarray((labels == sums.argmax()) & (solid > 0), np.uint8)
    moments = cv2.moments(dense * heap)
    turn = 0.5 * np.arctan2(2 * moments["mu11"], moments["mu20"] - moments["mu02"])
    return heap, float(np.degrees(turn))


def _settled(new: _New, heap: Mask, rough: float) -> float:
    """The normal near a rough one along which there are most lines in the heap."""
    around = np.arange(-9.0, 9.1, 3.0)
    much = np.array(
        [float((np.clip(new.lines(rough + by), 0, MOST) ** 4 * heap).sum()) for by in around]
    )
    best = int(np.clip(much.argmax(), 1, len(around) - 2))
    low, top, high = much[best - 1 : best + 2]
    # The top of the parabola through three values, at most a step away.
    beside = 0.5 * (low - high) / min(low - 2 * top + high, -1e-6)
    return rough + float(around[best] + 3.0 * np.clip(beside, -1, 1))


def _sure(lines: Floats) -> Mask:
    """(h, w) 1 on lines that are sure somewhere and clear everywhere."""
    count, labels = cv2.connectedComponents(np.asarray(lines > CLEAR, np.uint8))
    sure = np.zeros(count, bool)
    sure[np.unique(labels[lines > SURE])] = True
    sure[0] = False
    return np.asarray(sure[labels], np.uint8)


def _seen_from(lines: Mask, degrees: float, far: int) -> Mask:
    """(h, w) 1 where a line is met when going at most so far in a direction."""
    return np.asarray(cv2.dilate(lines, _ray(degrees, far) // 128), np.uint8)


def _ray(degrees: float, length: int) -> npt.NDArray[np.uint8]:
    kernel = np.zeros((2 * length + 1,) * 2, np.uint8)
    x, y = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    end = (round(256 * length * (1 + x)), round(256 * length * (1 + y)))
    cv2.line(kernel, (256 * length, 256 * length), end, [255], 1, cv2.LINE_AA, 8)
    return kernel
