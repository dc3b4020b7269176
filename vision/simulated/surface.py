"""The table top and the loose tiles on it, painted flat."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import SlotShape
from vision.simulated.camera import unproject
from vision.simulated.ground import paint_ground, smooth_noise
from vision.simulated.palette import Ink, blend, hsv_ink
from vision.simulated.scene import Camera, Points

Image = npt.NDArray[np.uint8]
MOST_PIXELS = 12_000_000


@dataclass(frozen=True)
class Surface:
    """The table top seen from straight above: (h, w, 3) uint8 BGR.

    `origin` is the table point of the first pixel, `scale` its pixels per unit.
    """

    image: Image
    origin: tuple[float, float]
    scale: float


def paint_surface(
    panels: Mapping[str, Points],
    slots: Mapping[str, SlotShape],
    camera: Camera,
    rng: np.random.Generator,
    near_to: Ink | None = None,
) -> Surface:
    """All that the camera can see and that never moves; tiles may be printed `near_to` an ink."""
    width, height = camera.size
    rim = unproject(camera, [[0, 0], [width, 0], [width, height], [0, height]])
    low, high = rim.min(0) - 20, rim.max(0) + 20
    span = high - low
    scale = min(camera.scale * 1.2, float(np.sqrt(MOST_PIXELS / (span[0] * span[1]))))
    size = (int(np.ceil(span[0] * scale)), int(np.ceil(span[1] * scale)))
    image = paint_ground(size, scale, rng)
    if panels:
        _lay_tiles(image, panels, slots, low, scale, rng, near_to)
    return Surface(image, (float(low[0]), float(low[1])), scale)


def _lay_tiles(
    image: Image,
    panels: Mapping[str, Points],
    slots: Mapping[str, SlotShape],
    low: Points,
    scale: float,
    rng: np.random.Generator,
    near_to: Ink | None,
) -> None:
    ink = hsv_ink(rng.uniform(0, 360), rng.uniform(0.05, 0.6), rng.uniform(0.2, 0.95))
    if near_to is not None:
        ink = blend(near_to, ink, float(rng.uniform(0.05, 0.25)))
    print_ink = blend(ink, (20, 20, 20) if sum(ink) > 300 else (240, 240, 240), 0.5)
    faint = rng.uniform(0.05, 0.45)
    mark = str(rng.choice(["none", "line", "line", "filled", "double"]))
    art = rng.random() < 0.55
    thick = rng.uniform(0.3, 2.0) * scale
    for outline in panels.values():
        corners = (outline - low) * scale
        _shadow(image, corners, thick)
        _panel(image, corners, ink, print_ink, faint if art else 0.0, scale, rng)
    for slot in slots.values():
        _mark_slot(image, slot, mark, blend(ink, print_ink, faint), low, scale)


def _panel(
    image: Image,
    corners: Points,
    ink: Ink,
    print_ink: Ink,
    faint: float,
    scale: float,
    rng: np.random.Generator,
) -> None:
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - 2, 0)
    x1, y1 = np.ceil(corners.max(0)).astype(int) + 3
    view = image[y0:y1, x0:x1]
    if view.size == 0:
        return
    h, w = view.shape[:2]
    sheet = np.full((h, w, 3), blend(ink, (128, 128, 128), float(rng.uniform(0, 0.06))), np.uint8)
    if faint:
        blots = smooth_noise(w, h, scale * 25, rng) + 0.5 * smooth_noise(w, h, scale * 6, rng)
        part = np.clip(blots * 0.8, 0, 1)[:, :, None] * faint
        sheet = np.round(sheet * (1 - part) + np.array(print_ink) * part).astype(np.uint8)
        centre = (w // 2, h // 2)
        fire = blend(ink, (30, 90, 220), faint)
        cv2.circle(sheet, centre, round(scale * 12), fire, max(1, round(scale * 2)), cv2.LINE_AA)
    mask = np.zeros((h, w), np.uint8)
    local = np.round((corners - (x0, y0)) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, local, 255, cv2.LINE_AA, 4)
    cv2.polylines(sheet, [local], True, blend(ink, (0, 0, 0), 0.25), 2, cv2.LINE_AA, 4)
    alpha = (mask.astype(np.float32) / 255)[:, :, None]
    view[:] = np.round(view * (1 - alpha) + sheet * alpha).astype(np.uint8)


def _shadow(image: Image, corners: Points, thick: float) -> None:
    margin = int(thick * 4) + 3
    x0, y0 = np.maximum(np.floor(corners.min(0)).astype(int) - margin, 0)
    x1, y1 = np.ceil(corners.max(0)).astype(int) + margin
    view = image[y0:y1, x0:x1]
    if view.size == 0:
        return
    mask = np.zeros(view.shape[:2], np.uint8)
    cv2.fillConvexPoly(
        mask, np.round(corners - (x0, y0) + thick).astype(np.int32), 140, cv2.LINE_AA
    )
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, thick))
    keep = cv2.bitwise_not(cv2.merge([soft, soft, soft]))
    view[:] = cv2.multiply(view, keep, scale=1 / 255)


def _mark_slot(
    image: Image, slot: SlotShape, mark: str, ink: Ink, low: Points, scale: float
) -> None:
    outline = np.round((slot.corners() - low) * scale * 16).astype(np.int32)
    if mark == "filled":
        cv2.fillConvexPoly(image, outline, ink, cv2.LINE_AA, 4)
    elif mark in ("line", "double"):
        cv2.polylines(image, [outline], True, ink, max(1, round(scale * 0.7)), cv2.LINE_AA, 4)
    if mark == "double":
        middle = outline.mean(0)
        inner = np.round((outline - middle) * 0.88 + middle).astype(np.int32)
        cv2.polylines(image, [inner], True, ink, 1, cv2.LINE_AA, 4)
