"""How steep pictures are, and where one is steep that another was not."""

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

KEPT = 0.3  # how much stronger light or a nudge makes an edge that was there, as a part


def new_edges(now: Floats, then: Floats) -> Floats:
    """(...) how steep a picture is where it was not, from slopes (..., channels) now and then.

    An edge that only the light or a nudge made stronger is not new.
    """
    return np.clip(length(now - then) - KEPT * length(then), 0, length(now))


def length(vectors: cv2.typing.MatLike) -> Floats:
    """(...) lengths of (..., n) vectors; far faster than a sum over the last axis."""
    return np.asarray(np.sqrt(np.einsum("...k,...k->...", vectors, vectors)), np.float32)


def shrunk_slopes(picture: Floats, longest: int, soft: float) -> Floats:
    """(h, w, 6) slopes of a picture (H, W, 3) made small enough that no side is longer."""
    height, width = picture.shape[:2]
    scale = min(1.0, longest / max(height, width))
    size = (round(width * scale), round(height * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return slopes(np.asarray(small, np.float32), soft)


def slopes(picture: Floats, soft: float) -> Floats:
    """(H, W, 6) slopes across and down of the three channels."""
    smooth = cv2.GaussianBlur(picture, (0, 0), soft)
    across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    return np.concatenate([across, down], axis=2)
