"""Follow the picture when the camera or the table is knocked, from how it looked before."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image

Floats = npt.NDArray[np.float64]

_WIDE = 960
_POINTS = 300
_NEAR = 1.2  # pixels at that width within which a point agrees with the others
_CORNERS = 1500  # that are compared when the picture has moved far
_LEAST_ALIKE, _LEAST_PART = 40, 0.25  # of them that must agree


@dataclass(frozen=True)
class Shift:
    """`move`: (3, 3) from the remembered picture to this one. `held`: the part of points agreed."""

    move: Floats
    held: float


class Anchor:
    """A remembered picture, and how a later one has moved against it."""

    def __init__(self, image: Image, outlines: Points) -> None:
        self._scale = min(1.0, _WIDE / image.shape[1])
        self._outlines = outlines
        self._grey = self._small(image)

    @cached_property
    def _points(self) -> npt.NDArray[np.float32]:
        """(n, 1, 2) corners on and around the tiles; found only when they are needed."""
        found = cv2.goodFeaturesToTrack(self._grey, _POINTS, 0.01, 8, mask=self._mask)
        return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)

    @cached_property
    def _mask(self) -> Image:
        """(h, w): 255 on and around the tiles."""
        mask = np.zeros_like(self._grey)
        low, high = self._outlines.min(axis=(0, 1)), self._outlines.max(axis=(0, 1))
        room = (high - low).max() * 0.08
        x0, y0 = np.maximum((low - room) * self._scale, 0).astype(int)
        x1, y1 = ((high + room) * self._scale).astype(int)
        mask[y0:y1, x0:x1] = 255
        return mask

    def shift(self, image: Image) -> Shift | None:
        """How the picture has moved, turned and grown; None if too few points agree."""
        if len(self._points) < 12:
            return None
        grey = self._small(image)
        start = self._points + self._guess(grey)
        window, level = (17, 17), 3
        there, ok, _ = cv2.calcOpticalFlowPyrLK(
            *(self._grey, grey, self._points, start.copy()),
            winSize=window,
            maxLevel=level,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        back, ok_back, _ = cv2.calcOpticalFlowPyrLK(
            *(grey, self._grey, there, self._points.copy()),
            winSize=window,
            maxLevel=level,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        same = np.linalg.norm((back - self._points).reshape(-1, 2), axis=1) < _NEAR
        good = (ok.ravel() > 0) & (ok_back.ravel() > 0) & same
        if good.sum() < 12:
            return None
        move, _ = cv2.estimateAffinePartial2D(self._points[good], there[good], method=cv2.LMEDS)
        if move is None:
            return None
        rest = there[good].reshape(-1, 2) - (
            self._points[good].reshape(-1, 2) @ move[:, :2].T + move[:, 2]
        )
        agreed = np.linalg.norm(rest, axis=1) < _NEAR
        full = np.vstack([move, [0, 0, 1]])
        full[:2, 2] /= self._scale
        return Shift(full, float(agreed.sum() / len(self._points)))

    def search(self, image: Image) -> Floats | None:
        """(3, 3) from the remembered picture to one that may have moved and turned far; or None.

        Corners are compared by how they look, wherever they are; then followed closely.
        """
        grey = self._small(image)
        orb = cv2.ORB.create(nfeatures=_CORNERS, fastThreshold=8)
        here, looks = orb.detectAndCompute(self._grey, self._mask)
        there, others = orb.detectAndCompute(grey, None)
        if min(len(here), len(there)) < _LEAST_ALIKE:
            return None
        pairs = cv2.BFMatcher.create(cv2.NORM_HAMMING, crossCheck=True).match(looks, others)
        if len(pairs) < _LEAST_ALIKE:
            return None
        one = np.array([here[p.queryIdx].pt for p in pairs], np.float32)
        two = np.array([there[p.trainIdx].pt for p in pairs], np.float32)
        move, alike = cv2.findHomography(one, two, cv2.RANSAC, 3.0)
        if np.shape(move) != (3, 3) or alike.sum() < max(_LEAST_ALIKE, _LEAST_PART * len(pairs)):
            return None
        scale = np.diag([self._scale, self._scale, 1.0])
        full = np.linalg.inv(scale) @ move @ scale
        size = (image.shape[1], image.shape[0])
        back = cv2.warpPerspective(image, full, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR)
        rest = self.shift(np.asarray(back, np.uint8))
        return None if rest is None else np.asarray(full @ rest.move)

    def _guess(self, grey: Image) -> npt.NDArray[np.float32]:
        """A first shift of the whole picture."""
        step = 4
        size = (self._grey.shape[1] // step, self._grey.shape[0] // step)
        one, two = (
            cv2.Laplacian(cv2.resize(g, size, interpolation=cv2.INTER_AREA), cv2.CV_32F, ksize=3)
            for g in (self._grey, grey)
        )
        window = cv2.createHanningWindow(size, cv2.CV_32F)
        (dx, dy), _ = cv2.phaseCorrelate(one, two, window)
        reach = size[0] / 3
        if max(abs(dx), abs(dy)) > reach:
            return np.zeros(2, np.float32)
        return np.array([dx, dy], np.float32) * step

    def _small(self, image: Image) -> Image:
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        size = (round(grey.shape[1] * self._scale), round(grey.shape[0] * self._scale))
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def moved(outlines: Points, move: Floats) -> Points:
    """(n, 4, 2) outlines after a (3, 3) move."""
    flat = np.asarray(outlines, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, move).reshape(outlines.shape), np.float32)
