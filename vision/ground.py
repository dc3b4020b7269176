"""The ground around the slots: an arm over a slot comes from somewhere, and crosses it."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image
from calibration.warp import brightest
from vision.glance import Floats

Flags = npt.NDArray[np.bool_]

_CELLS = 240  # across the picture
_INNER, _OUTER = 1.2, 2.0  # the surroundings of a slot, in sizes of the slot
_DARK = 8
_LOG = np.log(np.arange(256) + _DARK).astype(np.float32)
_BRIGHT, _COLOUR = 0.3, 0.12  # log brightness that a shadow and its tint may make
_STILL = 0.06
_FEWEST = 12


class Ground:
    """What the picture looks like around the slots while nobody is there."""

    def __init__(self, outlines: Points, size: tuple[int, int]) -> None:
        self._step = max(1, size[0] // _CELLS)
        width, height = (len(range(self._step // 2, side, self._step)) for side in size)
        slots = _fill(outlines, _INNER, self._step, (height, width)).any(axis=0)
        self._around = _fill(outlines, _OUTER, self._step, (height, width)) & ~slots
        self._count = self._around.sum(axis=(1, 2))
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
        self._terms = np.stack([np.ones(x.size), x.ravel(), y.ravel()], axis=1)
        self._known: Floats | None = None
        self._before: Floats | None = None

    def rest(self, image: Image) -> None:
        """Nobody is at the slots: learn how the ground looks where it does not change."""
        now = self._look(image)
        if self._known is None or self._before is None:
            self._known = now
        else:
            moved = brightest(cv2.absdiff(now, self._before))
            cv2.copyTo(now, (moved < _STILL).astype(np.uint8), self._known)
        self._before = now

    def disturbed(self, image: Image) -> Floats:
        """(n,) the part of each slot's surroundings that something has come to lie over."""
        if self._known is None:
            return np.zeros(len(self._around), np.float32)
        change = (self._look(image) - self._known).reshape(-1, 3)
        bright = change.mean(axis=1)
        tint = change - bright[:, None]
        bright = bright - self._light(bright)
        away = np.abs(bright) > _BRIGHT
        away |= np.abs(tint - np.median(tint, axis=0)).max(axis=1) > _COLOUR
        over = (self._around.reshape(len(self._around), -1) & away).sum(axis=1)
        part = over / np.maximum(self._count, 1)
        return np.where(self._count >= _FEWEST, part, 0.0).astype(np.float32)

    def _light(self, bright: Floats) -> Floats:
        """A slope through the change of brightness, whatever has come to lie there."""
        answer = np.array([float(np.median(bright)), 0.0, 0.0])
        for _ in range(3):
            weight = 1 / (1 + ((bright - self._terms @ answer) / 0.1) ** 2) ** 2
            weighted = self._terms * weight[:, None]
            steady = 1e-3 * len(bright) * np.eye(3)
            answer = np.linalg.solve(
                self._terms.T @ weighted + steady, weighted.T @ bright + steady @ answer
            )
        return np.asarray(self._terms @ answer, np.float32)

    def _look(self, image: Image) -> Floats:
        half = self._step // 2
        cells = cv2.blur(
            np.ascontiguousarray(image[half :: self._step, half :: self._step]), (3, 3)
        )
        return np.asarray(_LOG[cells])


def _fill(outlines: Points, grown: float, step: int, shape: tuple[int, int]) -> Flags:
    """(n, h, w) the cells inside each outline, grown about its middle."""
    masks = np.zeros((len(outlines), *shape), np.uint8)
    for mask, outline in zip(masks, outlines, strict=True):
        middle = outline.mean(axis=0)
        corners = (middle + (outline - middle) * grown) / step
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return masks.astype(bool)
