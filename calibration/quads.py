"""Card-like quadrilaterals anywhere in a picture, on any ground."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.edges import clockwise, snap_quads
from calibration.layout import Points
from calibration.photo import Image
from calibration.splitting import choose_cards

WORK = 960
LEVELS = 14
LEAST_AREA, MOST_AREA = 0.0008, 0.7
LEAST_ASPECT, MOST_ASPECT = 1.18, 2.4
MOST = 300

Contour = npt.NDArray[np.int32]


def find_quads(image: Image) -> list[Points]:
    """Outer (4, 2) float32 corners, clockwise, of every card-like thing in the picture."""
    scale = min(1.0, WORK / max(image.shape[:2]))
    shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = np.asarray(cv2.GaussianBlur(shrunk, (0, 0), 1.0), np.uint8)
    rough: dict[tuple[int, ...], Points] = {}
    for contour in _contours(small):
        quad = _quad_of(contour)
        if quad is not None:
            # Many levels see one outline: keep it once.
            rough.setdefault(tuple(np.round(np.sort(quad.ravel()) / 3).astype(int).tolist()), quad)
    if not rough:
        return []
    quads = (np.stack(list(rough.values())) + 0.5) / scale - 0.5
    quads, strength = snap_quads(image, quads.astype(np.float32), reach=3.0 / scale + 2.0)
    score = np.minimum(strength.mean(axis=1), 2 * strength.min(axis=1))
    score[[not _card_like(quad) for quad in quads]] = 0
    clearest = np.argsort(-score, kind="stable")[:MOST]
    clearest = clearest[score[clearest] > 0]
    return choose_cards(image, quads[clearest], score[clearest]) if len(clearest) else []


def _contours(small: Image) -> list[Contour]:
    """Outlines of everything that stands out at some level of some channel, or by its edges."""
    height, width = small.shape[:2]
    masks = []
    for channel in cv2.split(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)):
        low, high = np.percentile(channel, [0.5, 99.5])
        for level in np.linspace(low, high, LEVELS + 2)[1:-1]:
            masks.append(np.asarray(channel > level, np.uint8))
    edges = _edge_strength(small)
    for part in (60, 75, 85, 90, 94):
        masks.append(np.asarray(edges > np.percentile(edges, part), np.uint8))
    found = []
    least, most = LEAST_AREA * height * width, MOST_AREA * height * width
    for mask in masks:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
            if len(contour) > 3 * np.sqrt(least) and least < cv2.contourArea(contour) < most:
                found.append(np.asarray(contour.reshape(-1, 2), np.int32))
    return found


def _edge_strength(small: Image) -> npt.NDArray[np.float32]:
    signed = small.astype(np.float32)
    dx, dy = cv2.Sobel(signed, cv2.CV_32F, 1, 0), cv2.Sobel(signed, cv2.CV_32F, 0, 1)
    return np.asarray(np.sqrt((dx**2 + dy**2).sum(axis=2)), np.float32)


def _quad_of(contour: Contour) -> Points | None:
    """Four fitted sides if the contour is nearly a rectangle seen by a camera, else None."""
    rect = cv2.minAreaRect(contour)
    long, short = max(rect[1]), min(rect[1])
    if short < 8 or long > MOST_ASPECT * short:
        return None
    if cv2.contourArea(contour) < 0.8 * long * short:
        return None
    box = clockwise(np.asarray(cv2.boxPoints(rect), np.float32))
    points = contour.astype(np.float32)
    lines = []
    for start, end in zip(box, np.roll(box, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        place = (points - start) @ along / np.linalg.norm(end - start)
        away = np.abs((points - start) @ np.array([along[1], -along[0]]))
        near = points[(place > 0.15) & (place < 0.85) & (away < 0.12 * short)]
        if len(near) < 5:
            return None
        lines.append(np.ravel(cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01)))
    quad = _meeting_points(np.array(lines))
    if not _card_like(quad):
        return None
    few = points[:: max(1, len(points) // 60)]
    away = np.array([cv2.pointPolygonTest(quad, (float(x), float(y)), True) for x, y in few])
    return quad if np.percentile(np.abs(away), 85) < 0.03 * short + 0.7 else None


def _meeting_points(lines: npt.NDArray[np.float64]) -> Points:
    corners = []
    for one, two in zip(np.roll(lines, 1, axis=0), lines, strict=True):
        matrix = np.array([one[:2], -two[:2]]).T
        if abs(np.linalg.det(matrix)) < 1e-3:
            return np.zeros((4, 2), np.float32)
        corners.append(one[2:] + one[:2] * np.linalg.solve(matrix, two[2:] - one[2:])[0])
    return np.array(corners, np.float32)


def _card_like(quad: Points) -> bool:
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 6 or lengths.max() > MOST_ASPECT * lengths.min():
        return False
    aspect = (lengths[0] + lengths[2]) / (lengths[1] + lengths[3])
    if max(aspect, 1 / aspect) < LEAST_ASPECT:
        return False
    if max(lengths[0] / lengths[2], lengths[2] / lengths[0]) > 1.3:
        return False
    if max(lengths[1] / lengths[3], lengths[3] / lengths[1]) > 1.3:
        return False
    after = np.roll(sides, -1, axis=0)
    cross = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    return bool((cross / (lengths * np.roll(lengths, -1)) > 0.94).all())
