"""Card-like quadrilaterals anywhere in a picture, on any ground."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image


def find_quads(image: Image) -> list[Points]:
    """Outer (4, 2) float32 corners, clockwise, of every card-like thing in the picture."""
    blurred = cv2.GaussianBlur(image, (5, 5), 0)
    found: list[Points] = []
    for channel in cv2.split(cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB)):
        _, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            if cv2.contourArea(contour) < 0.002 * image.shape[0] * image.shape[1]:
                continue
            box = cv2.boxPoints(cv2.minAreaRect(contour))
            if not any(_overlap(box, other) for other in found):
                found.append(np.asarray(box, np.float32))
    return found


def _overlap(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> bool:
    area, _ = cv2.intersectConvexConvex(one, other)
    return float(area) > 0.5 * min(cv2.contourArea(one), cv2.contourArea(other))
