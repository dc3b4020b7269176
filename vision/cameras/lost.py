"""The picture that is shown while a camera is lost."""

import cv2
import numpy as np

from calibration.photo import Image

_GROUND, _INK, _RED = (46, 42, 40), (235, 235, 235), (70, 70, 220)


def lost_picture(words: str, size: tuple[int, int] = (1280, 720)) -> Image:
    """(H, W, 3) uint8: a crossed-out camera and the words, one line each, under it."""
    width, height = size
    image = np.full((height, width, 3), _GROUND, np.uint8)
    unit = min(width, height * 16 // 9) / 160
    x, y = width / 2, height * 0.4
    _box(image, x - 17 * unit, y - 10 * unit, x + 17 * unit, y + 10 * unit, unit)
    cv2.circle(image, _at(x, y), round(6 * unit), _INK, max(2, round(unit)), cv2.LINE_AA)
    start, end = _at(x - 22 * unit, y + 14 * unit), _at(x + 22 * unit, y - 14 * unit)
    cv2.line(image, start, end, _RED, max(2, round(1.8 * unit)), cv2.LINE_AA)
    for row, line in enumerate(words.splitlines()):
        _write(image, line, y + (24 + 9 * row) * unit, 0.2 * unit)
    return image


def _box(image: Image, x0: float, y0: float, x1: float, y1: float, unit: float) -> None:
    thick = max(2, round(unit))
    cv2.rectangle(image, _at(x0, y0), _at(x1, y1), _INK, thick, cv2.LINE_AA)
    cv2.rectangle(image, _at(x0 + 4 * unit, y0 - 3 * unit), _at(x0 + 12 * unit, y0), _INK, thick)


def _write(image: Image, line: str, y: float, scale: float) -> None:
    # The font of cv2 knows ASCII only.
    text = line.encode("ascii", "replace").decode()
    thick = max(1, round(scale * 1.6))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    fit = min(1.0, 0.9 * image.shape[1] / max(w, 1))
    place = _at((image.shape[1] - w * fit) / 2, y + h * fit / 2)
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale * fit, _INK, thick, cv2.LINE_AA)


def _at(x: float, y: float) -> tuple[int, int]:
    return round(x), round(y)
