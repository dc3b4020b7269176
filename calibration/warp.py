"""Upright crops: slots and cards taken out of a picture, all of one size.

A *frame* is a (3, 3) matrix from card pixels, counted from the card's centre, to the picture.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar, cast

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]
Crops = npt.NDArray[np.uint8]
T = TypeVar("T", bound=np.generic)

# cv2.remap counts rows in 16 bits.
_MOST_ROWS = 30_000


def frames_of(outlines: Sequence[Points], size: tuple[int, int]) -> Floats:
    """(n, 3, 3): for each (4, 2) outline the frame of a card of `size` (w, h) pixels."""
    w, h = size
    flat = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32) / 2
    frames = [cv2.getPerspectiveTransform(flat, np.asarray(o, np.float32)) for o in outlines]
    return np.array(frames, np.float32).reshape(-1, 3, 3)


@cache
def grid(size: tuple[int, int]) -> Floats:
    """(3, h * w) pixel centres of a crop of `size` (w, h), counted from its centre."""
    w, h = size
    x, y = np.meshgrid(np.arange(w) + (0.5 - w / 2), np.arange(h) + (0.5 - h / 2))
    points = np.stack([x.ravel(), y.ravel(), np.ones(w * h)]).astype(np.float32)
    points.flags.writeable = False
    return points


def take(image: npt.NDArray[T], frames: Floats, size: tuple[int, int]) -> npt.NDArray[T]:
    """(n, h, w, channels) crops of `size` (w, h) around the centre of each frame."""
    w, h = size
    n = len(frames)
    channels = image.shape[2:]
    crops = np.empty((n, h, w, *channels), image.dtype)
    points = grid(size)
    step = max(1, _MOST_ROWS // h)
    for first in range(0, n, step):
        some = np.asarray(frames[first : first + step], np.float32) @ points
        out = take_points(image, some.reshape(len(some), 3, h, w))
        crops[first : first + step] = out
    return crops


def take_points(image: npt.NDArray[T], points: Floats) -> npt.NDArray[T]:
    """(n, ..., channels) what the picture shows at (n, 3, ...) points; at most 30000 rows."""
    over = 1 / points[:, 2]
    x, y = points[:, 0] * over, points[:, 1] * over
    wide = (-1, points.shape[-1])
    out: Any = cv2.remap(
        *(cast(Any, image), x.reshape(wide), y.reshape(wide), cv2.INTER_LINEAR),
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cast(npt.NDArray[T], out.reshape(*x.shape, *image.shape[2:]))


class Halves:
    """A picture, half of it and half of that: crops are taken from what has just their detail."""

    def __init__(self, image: Image) -> None:
        self.levels = [image]
        for _ in range(2):
            h, w = self.levels[-1].shape[:2]
            half = cv2.resize(self.levels[-1], (w // 2, h // 2), interpolation=cv2.INTER_AREA)
            self.levels.append(np.asarray(half, np.uint8))

    def fitting(self, frames: Floats) -> tuple[Image, Floats]:
        """The picture whose pixels are about as large as those of crops at frames (n, 3, 3).

        With it comes a (3, 3) from the whole picture's places to places in this one.
        """
        if not len(frames):
            return self.levels[0], np.eye(3, dtype=np.float32)
        turn = frames[:, :2, :2] / frames[:, 2:, 2:]
        pitch = np.sqrt(np.abs(np.median(np.linalg.det(turn))))
        level = int(np.clip(np.log2(max(1.0, 1.15 * float(pitch))), 0, len(self.levels) - 1))
        part = 0.5**level
        off = (part - 1) / 2
        return self.levels[level], np.array([[part, 0, off], [0, part, off], [0, 0, 1]], np.float32)

    def take(self, frames: Floats, size: tuple[int, int]) -> Crops:
        """(n, h, w, 3) crops of `size` (w, h) around the centre of each frame."""
        image, smaller = self.fitting(frames)
        return take(image, smaller @ frames, size)


def take_each(pictures: Sequence[Image], frames: Floats, size: tuple[int, int]) -> Crops:
    """(n, h, w, 3): crop i of picture i."""
    crops = [take(p, frames[i : i + 1], size) for i, p in enumerate(pictures)]
    return np.concatenate(crops)


def turned(frames: Floats) -> Floats:
    """The same frames upside down."""
    return frames * np.array([-1, -1, 1], np.float32)


def corners_of(frames: Floats, size: tuple[int, int]) -> Floats:
    """(n, 4, 2) picture corners, clockwise from top left, of cards of `size` in the frames."""
    w, h = size
    flat = np.array([[-w, w, w, -w], [-h, -h, h, h], [2, 2, 2, 2]], np.float32) / 2
    place = frames @ flat
    return np.ascontiguousarray((place[:, :2] / place[:, 2:]).transpose(0, 2, 1))


def brightest(pictures: npt.NDArray[T]) -> npt.NDArray[T]:
    """The greatest of the three channels of (..., 3); far faster than max(axis=-1)."""
    most = np.maximum(np.maximum(pictures[..., 0], pictures[..., 1]), pictures[..., 2])
    return cast(npt.NDArray[T], most)


def shrink(pictures: npt.NDArray[T], step: int) -> npt.NDArray[T]:
    """Means of `step` by `step` pixels of (n, h, w, ...); what is left over is cut off."""
    n, h, w, *channels = pictures.shape
    small = (w // step, h // step)
    kept = np.ascontiguousarray(pictures[:, : small[1] * step, : small[0] * step])
    stack = cast(Any, kept.reshape(n * small[1] * step, small[0] * step, *channels))
    out: Any = cv2.resize(stack, (small[0], n * small[1]), interpolation=cv2.INTER_AREA)
    return cast(npt.NDArray[T], out.reshape(n, small[1], small[0], *channels))
