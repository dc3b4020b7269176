"""The four corners of the layout in the picture, as somebody gave them."""

import math

import cv2
import numpy as np

from calibration.errors import BadInput
from calibration.layout import Layout, Points
from calibration.photo import Image

AGAIN = "give them clockwise from the layout's top left"


def parse_corners(text: str) -> Points:
    """(4, 2) float32 from "x,y x,y x,y x,y"."""
    try:
        points = [[float(number) for number in point.split(",")] for point in text.split()]
    except ValueError:
        points = []
    if not all(math.isfinite(number) for point in points for number in point):
        raise BadInput(f'corners: expected numbers in pixels, got "{text}"')
    if len(points) != 4 or any(len(point) != 2 for point in points):
        raise BadInput(
            f'corners: expected four points like "10,20 900,22 910,480 8,470", got "{text}"'
        )
    return np.array(points, np.float32)


def outlines_from_corners(photo: Image, corners: Points, layout: Layout) -> dict[str, Points]:
    """Slot -> (4, 2) picture corners, the layout's rectangle being seen flat at the corners."""
    _check(corners, photo)
    width, height = layout.size
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_picture = cv2.getPerspectiveTransform(flat, corners)
    return {
        slot: np.asarray(cv2.perspectiveTransform(shape.corners()[None], to_picture)[0], np.float32)
        for slot, shape in layout.slots.items()
    }


def _check(corners: Points, photo: Image) -> None:
    if corners.shape != (4, 2):
        raise BadInput(f"corners: expected four points; {AGAIN}")
    if not np.isfinite(corners).all():
        raise BadInput(f"corners: expected numbers in pixels; {AGAIN}")
    height, width = photo.shape[:2]
    slack = 0.1 * max(width, height)
    if (corners < -slack).any() or (corners > np.array([width, height]) + slack).any():
        raise BadInput(
            f"corners: they lie outside the picture of {width} x {height} pixels; "
            "read them off the photograph again"
        )
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if (turns < 0).all():
        raise BadInput(f"corners: they run anticlockwise; {AGAIN}")
    if (turns <= 1e-4 * width * height).any():
        raise BadInput(f"corners: their lines cross or make no four-sided shape; {AGAIN}")
