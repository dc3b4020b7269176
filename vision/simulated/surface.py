"""The table top and the tiles on it, painted flat."""

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.layout import Layout, SlotShape
from vision.simulated.camera import unproject
from vision.simulated.render import Surface
from vision.simulated.scene import Camera
from vision.simulated.sensor import to_linear


def paint_surface(
    layout: Layout, slots: Mapping[str, SlotShape], camera: Camera, rng: np.random.Generator
) -> Surface:
    """Everything the camera can see that never moves."""
    width, height = camera.size
    rim = unproject(camera, [[0, 0], [width, 0], [width, height], [0, height]])
    low, high = rim.min(0) - 40, rim.max(0) + 40
    scale = camera.scale * 1.2
    w, h = (int(v) for v in np.ceil((high - low) * scale))
    colour = rng.uniform(40, 200, 3)
    grain = cv2.resize(rng.normal(0, 8, (h // 4, w // 30)), (w, h), interpolation=cv2.INTER_CUBIC)
    top = np.clip(colour + grain[:, :, None], 0, 255).astype(np.uint8)
    tile_colour = tuple(int(v) for v in rng.uniform(60, 230, 3))
    line = tuple(int(v * 0.8) for v in tile_colour)
    for names in layout.tiles.values():
        corners = np.concatenate([slots[name].corners() for name in names])
        box = cv2.boxPoints(cv2.minAreaRect((corners).astype(np.float32)))
        box = (box - box.mean(0)) * 1.03 + box.mean(0)
        cv2.fillPoly(top, [np.round((box - low) * scale).astype(np.int32)], tile_colour)
    for slot in slots.values():
        outline = np.round((slot.corners() - low) * scale).astype(np.int32)
        cv2.polylines(top, [outline], True, line, 2, cv2.LINE_AA)
    return Surface(to_linear(top), (float(low[0]), float(low[1])), scale)
