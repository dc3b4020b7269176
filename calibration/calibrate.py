"""From photographs of this table to its Table, with all that is wrong said in words."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.drawing import draw_slots
from calibration.errors import BadInput
from calibration.layout import Layout, Points
from calibration.photo import Image
from calibration.table import Table


@dataclass(frozen=True)
class Calibration:
    """The table, what is wrong with the photographs, and a picture with the slots drawn in."""

    table: Table
    problems: list[str]
    picture: Image


def calibrate_from_corners(empty: Image, corners: Points, layout: Layout) -> Calibration:
    """Slots from the (4, 2) picture points of the layout's (0,0) (w,0) (w,h) (0,h)."""
    corners = np.asarray(corners, np.float32)
    _check_corners(corners, empty)
    width, height = layout.size
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_picture = cv2.getPerspectiveTransform(flat, corners)
    outlines: Mapping[str, Points] = {
        slot: cv2.perspectiveTransform(shape.corners()[None], to_picture)[0]
        for slot, shape in layout.slots.items()
    }
    table = Table(
        layout=layout,
        size=(empty.shape[1], empty.shape[0]),
        outlines=outlines,
        empty=empty,
        light={slot: np.ones(3, np.float32) for slot in outlines},
    )
    return Calibration(table, [], draw_slots(empty, outlines, layout.slots))


def _check_corners(corners: Points, photo: Image) -> None:
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise BadInput("corners: expected four points, clockwise from the layout's top left")
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
        raise BadInput("corners: they run anticlockwise; give them clockwise from the top left")
    if (turns < 1e-4 * width * height).any():
        raise BadInput(
            "corners: their lines cross or form no four-sided shape; "
            "give them clockwise from the top left"
        )
