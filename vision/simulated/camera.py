"""From points on the table to points in the picture and back: a pinhole and a bent lens."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.scene import Camera, Points

Floats = npt.NDArray[np.float64]


def plane_to_picture(camera: Camera) -> Floats:
    """(3, 3) homography from the table to the picture before the lens bends it, middle at 0, 0."""
    tilt, azimuth, roll = (math.radians(a) for a in (camera.tilt, camera.azimuth, camera.roll))
    turn_to = _about_z(azimuth)
    lean = np.array(
        [
            [1, 0, 0],
            [0, math.cos(tilt), -math.sin(tilt)],
            [0, math.sin(tilt), math.cos(tilt)],
        ]
    )
    rotation = _about_z(roll) @ turn_to.T @ lean @ turn_to
    focal = camera.scale * camera.distance
    extrinsic = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, camera.distance]])
    intrinsic = np.diag([focal, focal, 1.0])
    move = np.array([[1, 0, -camera.look[0]], [0, 1, -camera.look[1]], [0, 0, 1]])
    return np.asarray(intrinsic @ extrinsic @ move)


def project(camera: Camera, points: npt.ArrayLike) -> Points:
    """Picture points of table points: (n, 2) to (n, 2) float32."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    straight = cv2.perspectiveTransform(flat, plane_to_picture(camera)).reshape(-1, 2)
    r2 = (straight**2).sum(1, keepdims=True) / _half_diagonal(camera) ** 2
    bent = straight * (1 + camera.k1 * r2)
    return _knock(camera, bent).astype(np.float32)


def unproject(camera: Camera, points: npt.ArrayLike) -> Points:
    """Table points of picture points: (n, 2) to (n, 2) float32."""
    bent = _unknock(camera, np.asarray(points, np.float64).reshape(-1, 2))
    straight = bent.copy()
    for _ in range(8):
        r2 = (straight**2).sum(1, keepdims=True) / _half_diagonal(camera) ** 2
        straight = bent / (1 + camera.k1 * r2)
    back = np.linalg.inv(plane_to_picture(camera))
    return (
        cv2.perspectiveTransform(straight.reshape(-1, 1, 2), back).reshape(-1, 2).astype(np.float32)
    )


def picture_map(camera: Camera, step: int = 8) -> npt.NDArray[np.float32]:
    """(H, W, 2) float32: the table point that each pixel sees."""
    width, height = camera.size
    xs = np.arange(0, width + 2 * step, step)
    ys = np.arange(0, height + 2 * step, step)
    grid = np.stack(np.meshgrid(xs, ys), -1).astype(np.float64)
    coarse = unproject(camera, grid).reshape(len(ys), len(xs), 2)
    # The map is smooth: exact on a grid and straight between its points is exact enough.
    fine_x, fine_y = np.meshgrid(
        np.arange(width, dtype=np.float32) / step, np.arange(height, dtype=np.float32) / step
    )
    return np.asarray(cv2.remap(coarse, fine_x, fine_y, cv2.INTER_LINEAR), np.float32)


def _middle(camera: Camera) -> Floats:
    width, height = camera.size
    return np.array(
        [width * (0.5 + camera.centre[0]) - 0.5, height * (0.5 + camera.centre[1]) - 0.5]
    )


def _half_diagonal(camera: Camera) -> float:
    return math.hypot(*camera.size) / 2


def _knock(camera: Camera, points: Floats) -> Floats:
    return np.asarray(points @ _spin(camera.turn).T + _middle(camera) + camera.shift)


def _unknock(camera: Camera, points: Floats) -> Floats:
    return np.asarray((points - _middle(camera) - camera.shift) @ _spin(camera.turn))


def _spin(degrees: float) -> Floats:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _about_z(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
