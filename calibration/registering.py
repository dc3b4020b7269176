"""Do two photographs show the same view, and if the camera was nudged, by how much?"""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image

_WIDE = 640
_SURE = 0.08  # how clear the peak must be to believe in a shift


def nudge(first: Image, second: Image) -> tuple[float, float]:
    """Pixels (x, y) that the second photograph's view lies from the first's; (0, 0) if unclear."""
    scale = min(1.0, _WIDE / max(first.shape[:2]))
    one, two = (_fine_detail(photo, scale) for photo in (first, second))
    window = cv2.createHanningWindow(one.shape[::-1], cv2.CV_32F)
    (x, y), clear = cv2.phaseCorrelate(one, two, window)
    far = 0.05 * max(one.shape)
    if clear < _SURE or abs(x) > far or abs(y) > far or float(np.hypot(x, y)) < 0.35:
        return 0.0, 0.0
    return float(x) / scale, float(y) / scale


def nudge_of_markers(first: dict[int, Points], second: dict[int, Points]) -> Points | None:
    """The same from markers seen in both, more exact; None without one."""
    both = first.keys() & second.keys()
    if not both:
        return None
    moves = np.concatenate([second[number] - first[number] for number in both])
    return np.asarray(np.median(moves, axis=0), np.float32)


def move_back(photo: Image, by: tuple[float, float]) -> Image:
    """The photograph as the camera would have taken it before the nudge."""
    matrix = np.array([[1, 0, -by[0]], [0, 1, -by[1]]], np.float32)
    size = (photo.shape[1], photo.shape[0])
    moved = cv2.warpAffine(photo, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def kept_detail(first: Image, second: Image) -> float:
    """The part of the first photograph's edges that the second has at the same place, 0 to 1."""
    scale = min(1.0, _WIDE / max(first.shape[:2]))
    one, two = (_slopes(photo, scale) for photo in (first, second))
    strength = (one**2).sum(axis=0)
    strong = strength > np.percentile(strength, 90)
    agree = (one * two).sum(axis=0) / np.maximum(np.sqrt(strength * (two**2).sum(axis=0)), 1e-3)
    return float((agree[strong] > 0.7).mean())


def _fine_detail(photo: Image, scale: float) -> npt.NDArray[np.float32]:
    dx, dy = _slopes(photo, scale)
    size = np.hypot(dx, dy)
    return np.asarray(size / (size + 2 * np.median(size) + 1), np.float32)


def _slopes(photo: Image, scale: float) -> npt.NDArray[np.float32]:
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    slopes = np.stack([cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)])
    return np.asarray(slopes, np.float32)
