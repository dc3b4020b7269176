"""Hands and arms that reach over the table."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.camera import project
from vision.simulated.ground import smooth_noise
from vision.simulated.scene import Hand, Points, Scene

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

HEIGHT = 14.0  # how far above the table a hand's shadow makes it look, in units


def draw_hand(picture: Floats, gloss: Floats, hidden: Mask, hand: Hand, scene: Scene) -> None:
    """Draw a hand with its shadow and add it to `hidden`."""
    rng = np.random.default_rng([hand.seed, 6])
    scale = scene.camera.scale
    arm, sleeve = _arm(hand, rng)
    skin = [arm, *_fingers(hand, rng)]
    parts = [project(scene.camera, part) for part in (*skin, *([] if sleeve is None else [sleeve]))]
    low, high = np.min([p.min(0) for p in parts], 0), np.max([p.max(0) for p in parts], 0)
    room = 4 * HEIGHT * scale
    x0, y0 = np.maximum(np.floor(low - room).astype(int), 0)
    x1, y1 = np.minimum(np.ceil(high + room).astype(int), (picture.shape[1], picture.shape[0]))
    if x0 >= x1 or y0 >= y1:
        return
    window = (slice(y0, y1), slice(x0, x1))
    masks = [_fill(part - (x0, y0), (x1 - x0, y1 - y0)) for part in parts]
    whole = np.maximum.reduce(masks)
    view = picture[window]
    _cast_shadow(view, whole, scene)
    for k, mask in enumerate(masks):
        bare = k < len(skin)
        _paint_part(view, mask, hand.skin if bare else hand.sleeve, bare, scale, rng)
    gloss[window][whole > 127] = 0
    np.maximum(hidden[window], whole, out=hidden[window])


def _paint_part(
    view: Floats,
    mask: Mask,
    colour: tuple[float, float, float],
    bare: bool,
    scale: float,
    rng: np.random.Generator,
) -> None:
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0:
        return
    shape = np.ascontiguousarray(mask[y : y + h, x : x + w])
    # Round things fall off towards their edges.
    deep = cv2.distanceTransform(shape, cv2.DIST_L2, 3)
    round_off = 0.55 + 0.45 * np.sqrt(np.clip(deep / max(1.0, float(deep.max())), 0, 1))
    rough = smooth_noise(w, h, (3 if bare else 9) * scale, rng) * (0.05 if bare else 0.14)
    level = np.asarray(round_off * (1 + rough), np.float32)
    alpha = (shape.astype(np.float32) / 255)[:, :, None]
    target = view[y : y + h, x : x + w]
    target *= 1 - alpha
    target += alpha * level[:, :, None] * np.array(colour, np.float32)


def _cast_shadow(view: Floats, whole: Mask, scene: Scene) -> None:
    scale = scene.camera.scale
    away = np.array(scene.light.shadow_offset) * HEIGHT * scale
    quarter = (max(1, whole.shape[1] // 4), max(1, whole.shape[0] // 4))
    small = cv2.resize(whole, quarter, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), max(1.0, HEIGHT * scale * 0.12))
    move = np.array([[1, 0, away[0] / 4], [0, 1, away[1] / 4]], np.float32)
    small = cv2.warpAffine(small, move, (small.shape[1], small.shape[0]))
    soft = cv2.resize(small, (whole.shape[1], whole.shape[0]), interpolation=cv2.INTER_LINEAR)
    view *= (1 - 0.55 * soft.astype(np.float32) / 255)[:, :, None]


def _fingers(hand: Hand, rng: np.random.Generator) -> list[Points]:
    # Along x from the tips at 0 to the wrist at 1, in parts of the hand's length.
    palm = np.array(
        [[0.48, -0.2], [0.62, -0.23], [1.0, -0.14], [1.0, 0.14], [0.62, 0.22], [0.48, 0.2]]
    )
    parts = [_smooth(palm)]
    curl = rng.uniform(0.0, 0.35)
    spread = rng.uniform(2, 9)
    for k, reach in enumerate((0.40, 0.50, 0.47, 0.38)):
        y = (k - 1.5) * 0.105
        turn = (k - 1.5) * spread + rng.normal(0, 2)
        long = reach * (1 - curl * rng.uniform(0.6, 1.2))
        parts.append(_capsule((0.54, y), 180 - turn, long, 0.058, 0.046))
    side = 1 if rng.random() < 0.5 else -1
    parts.append(_capsule((0.78, side * 0.16), 180 - side * rng.uniform(25, 55), 0.36, 0.07, 0.05))
    return [_place(hand, part) for part in parts]


def _arm(hand: Hand, rng: np.random.Generator) -> tuple[Points, Points | None]:
    # The bare forearm, and the sleeve that begins `cuff` beyond the wrist if there is one.
    elbow = rng.uniform(0.2, 0.28)
    bare = np.array(
        [[0.9, -0.135], [1.3, -0.15], [9, -elbow], [9, elbow], [1.3, 0.15], [0.9, 0.135]]
    )
    if hand.cuff == 0:
        return _place(hand, bare), None
    start, loose = 0.93 + hand.cuff, rng.uniform(1.15, 1.5)
    sleeve = np.array([[start, -0.17], [9, -elbow], [9, elbow], [start, 0.17]]) * (1, loose)
    return _place(hand, bare), _place(hand, sleeve)


def _capsule(
    root: tuple[float, float], turn: float, length: float, thick: float, thin: float
) -> npt.NDArray[np.float64]:
    angle = math.radians(turn)
    ahead = np.array([math.cos(angle), math.sin(angle)])
    tip = np.array(root) + ahead * length
    ends = []
    for centre, radius, start in ((np.array(root), thick, 90), (tip, thin, -90)):
        around = np.radians(turn + np.linspace(start, start + 180, 10))
        ends.append(centre + radius * np.column_stack([np.cos(around), np.sin(around)]))
    return np.vstack(ends)


def _smooth(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    for _ in range(3):
        ahead = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * ahead, 0.25 * points + 0.75 * ahead], 1)
        points = points.reshape(-1, 2)
    return points


def _place(hand: Hand, points: npt.NDArray[np.float64]) -> Points:
    c, s = math.cos(math.radians(hand.direction)), math.sin(math.radians(hand.direction))
    turned = points @ np.array([[c, s], [-s, c]])
    return np.asarray(turned * hand.length + (hand.x, hand.y), np.float32)


def _fill(outline: Points, size: tuple[int, int]) -> Mask:
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask
