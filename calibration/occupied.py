"""Which slots of a photograph that should be empty are not."""

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.layout import Points
from calibration.photo import Image
from calibration.warp import frames_of, take

SIZE = (16, 24)
UNLIKE = 22.0  # how far a slot's colours must lie from the usual slot's, in Lab


def find_occupied(photo: Image, outlines: Mapping[str, Points]) -> list[str]:
    """Slots that look quite unlike most slots; none if slots are too few or all look different."""
    slots = list(outlines)
    if len(slots) < 8:
        return []
    crops = take(photo, frames_of([outlines[slot] for slot in slots], SIZE), SIZE)
    lab = cv2.cvtColor(crops.reshape(-1, SIZE[0], 3), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab = lab.reshape(len(slots), -1, 3)
    looks = np.concatenate([np.quantile(lab, q, axis=1) for q in (0.25, 0.5, 0.75)], axis=1)
    usual = np.median(looks, axis=0)
    away = np.sqrt(((looks - usual) ** 2).reshape(len(slots), 3, 3).sum(axis=2)).max(axis=1)
    ordinary = float(np.median(away))
    bar = max(UNLIKE, 4 * ordinary)
    if (away > bar).any():
        # What is printed on some slots differs less from the others than what lies on them.
        bar = max(bar, 0.45 * float(np.quantile(away[away > bar], 0.8)))
    unlike = away > bar
    return [slot for slot, is_unlike in zip(slots, unlike, strict=True) if is_unlike]
