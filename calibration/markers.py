"""Printed ArUco markers lying in view: used when there, never needed."""

import cv2
import numpy as np

from calibration.layout import Points
from calibration.photo import Image

_KINDS = (
    cv2.aruco.DICT_4X4_50,
    cv2.aruco.DICT_5X5_50,
    cv2.aruco.DICT_6X6_50,
    cv2.aruco.DICT_ARUCO_ORIGINAL,
    cv2.aruco.DICT_APRILTAG_36h11,
)


def find_markers(photo: Image) -> dict[int, Points]:
    """Marker id -> (4, 2) float32 corners; of the first kind of marker that is in view."""
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    for kind in _KINDS:
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(kind))
        corners, ids, _ = detector.detectMarkers(grey)
        if ids is not None and len(ids):
            # Versions of OpenCV differ in the shapes: (1, 4, 2) or (4, 1, 2), and (n, 1) or (n,).
            return {
                int(number): np.asarray(points, np.float32).reshape(4, 2)
                for number, points in zip(np.ravel(ids), corners, strict=True)
            }
    return {}
