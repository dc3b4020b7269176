"""A picture for people: the slots drawn into the photograph and named."""

from collections.abc import Collection, Mapping

import cv2
import numpy as np

from calibration.layout import Points
from calibration.photo import Image

FOUND, INFERRED, MARKED = (80, 220, 60), (0, 170, 255), (60, 60, 255)


def draw_slots(
    photo: Image,
    outlines: Mapping[str, Points],
    found: Collection[str],
    marked: Collection[str] = (),
) -> Image:
    """A copy of the photo with every slot: green if found, orange if inferred, red if marked."""
    picture = photo.copy()
    if not outlines:
        return picture
    width = float(np.median([_short_side(corners) for corners in outlines.values()]))
    line = max(1, round(width / 35))
    for slot, corners in outlines.items():
        colour = MARKED if slot in marked else FOUND if slot in found else INFERRED
        points = np.round(corners * 16).astype(np.int32)
        cv2.polylines(picture, [points], True, (0, 0, 0), line + 2, cv2.LINE_AA, shift=4)
        cv2.polylines(picture, [points], True, colour, line, cv2.LINE_AA, shift=4)
    for slot, corners in outlines.items():
        _write(picture, slot, corners.mean(axis=0), width)
    return picture


def _write(picture: Image, word: str, centre: Points, width: float) -> None:
    """Centred, as wide as the slot allows, white with a dark rim: readable on any card."""
    font, reference = cv2.FONT_HERSHEY_SIMPLEX, 1.0
    (wide, _), _ = cv2.getTextSize("0N0", font, reference, 2)
    scale = max(0.3, 0.72 * width / wide)
    stroke = max(1, round(scale * 1.8))
    (wide, high), _ = cv2.getTextSize(word, font, scale, stroke)
    at = (round(float(centre[0]) - wide / 2), round(float(centre[1]) + high / 2))
    cv2.putText(picture, word, at, font, scale, (0, 0, 0), stroke + 3, cv2.LINE_AA)
    cv2.putText(picture, word, at, font, scale, (255, 255, 255), stroke, cv2.LINE_AA)


def _short_side(corners: Points) -> float:
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return float(min(sides[0::2].mean(), sides[1::2].mean()))
