"""What lies about on a table besides cards: shields, cups, dice, phones, a printed marker."""

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.palette import Ink, blend
from vision.simulated.sensor import to_linear

Floats = npt.NDArray[np.float32]

KINDS = ("shield", "disc", "cup", "bowl", "phone", "die", "pen", "paper", "marker", "pile")
SIZE = {
    "shield": 16.0,
    "disc": 13.0,
    "cup": 75.0,
    "bowl": 120.0,
    "phone": 150.0,
    "die": 16.0,
    "pen": 140.0,
    "paper": 190.0,
    "marker": 45.0,
}
HEIGHT = {"cup": 20.0, "bowl": 14.0, "die": 8.0, "phone": 5.0}


@lru_cache(maxsize=256)
def thing_texture(kind: str, ink: Ink, pixels: int) -> Floats:
    """(n, n, 4) float32 premultiplied linear light of a thing seen from above, clear around it."""
    n = 240
    colour = np.full((n, n, 3), ink, np.uint8)
    alpha = np.zeros((n, n), np.uint8)
    _DRAW[kind](colour, alpha, ink)
    small = max(6, pixels)
    shrunk = np.asarray(cv2.resize(colour, (small, small), interpolation=cv2.INTER_AREA), np.uint8)
    cover = cv2.resize(alpha, (small, small), interpolation=cv2.INTER_AREA) / np.float32(255)
    texture = np.dstack([to_linear(shrunk) * cover[:, :, None], cover]).astype(np.float32)
    return np.asarray(cv2.copyMakeBorder(texture, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0))


Canvas = npt.NDArray[np.uint8]


def _shield(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    top = [(30, 20), (120, 35), (210, 20)]
    low = [
        (120 + 95 * math.cos(t) * (1 - t / 4), 110 + 115 * math.sin(t))
        for t in np.linspace(0.1, math.pi - 0.1, 20)
    ]
    outline = np.round(np.array(top + low)).astype(np.int32)
    cv2.fillPoly(alpha, [outline], 255, cv2.LINE_AA)
    cv2.polylines(colour, [outline], True, blend(ink, (255, 255, 255), 0.5), 14, cv2.LINE_AA)
    cv2.line(colour, (120, 40), (120, 200), blend(ink, (0, 0, 0), 0.4), 16, cv2.LINE_AA)


def _disc(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.circle(alpha, (120, 120), 112, 255, -1, cv2.LINE_AA)
    cv2.circle(colour, (120, 120), 80, blend(ink, (255, 255, 255), 0.35), 8, cv2.LINE_AA)
    cv2.circle(colour, (115, 115), 60, blend(ink, (0, 0, 0), 0.2), -1, cv2.LINE_AA)


def _cup(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.rectangle(alpha, (180, 105), (236, 135), 255, -1)
    cv2.circle(alpha, (110, 120), 92, 255, -1, cv2.LINE_AA)
    cv2.circle(colour, (110, 120), 92, blend(ink, (255, 255, 255), 0.5), 8, cv2.LINE_AA)
    cv2.circle(colour, (110, 120), 78, (20, 35, 60), -1, cv2.LINE_AA)
    cv2.ellipse(colour, (85, 95), (22, 10), -40, 0, 360, (170, 190, 205), -1, cv2.LINE_AA)


def _bowl(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.circle(alpha, (120, 120), 116, 255, -1, cv2.LINE_AA)
    cv2.circle(colour, (120, 120), 98, blend(ink, (0, 0, 0), 0.3), -1, cv2.LINE_AA)
    rng = np.random.default_rng(sum(ink))
    for x, y in rng.uniform(60, 180, (40, 2)):
        crumb = (
            int(rng.integers(40, 120)),
            int(rng.integers(120, 190)),
            int(rng.integers(190, 240)),
        )
        axes = (int(rng.integers(8, 20)), int(rng.integers(5, 14)))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(colour, (round(x), round(y)), axes, turn, 0, 360, crumb, -1, cv2.LINE_AA)


def _phone(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.rectangle(alpha, (64, 8), (176, 232), 255, -1)
    colour[:] = (28, 26, 25)
    cv2.rectangle(colour, (70, 20), (170, 220), blend((12, 12, 14), ink, 0.15), -1)


def _die(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.rectangle(alpha, (20, 20), (220, 220), 255, -1)
    for x in (70, 170):
        for y in (70, 120, 170):
            cv2.circle(colour, (x, y), 20, blend((255, 255, 255), ink, 0.1), -1, cv2.LINE_AA)


def _pen(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.rectangle(alpha, (113, 5), (127, 215), 255, -1)
    cv2.fillPoly(alpha, [np.array([(113, 215), (127, 215), (120, 236)], np.int32)], 255)
    cv2.line(colour, (117, 5), (117, 215), blend(ink, (255, 255, 255), 0.5), 3)
    cv2.rectangle(colour, (110, 5), (130, 60), blend(ink, (0, 0, 0), 0.5), -1)


def _paper(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    cv2.rectangle(alpha, (50, 20), (190, 220), 255, -1)
    colour[:] = (236, 240, 242)
    for y in range(45, 210, 16):
        cv2.line(colour, (65, y), (65 + 30 + (y * 37) % 80, y), (90, 80, 80), 2, cv2.LINE_AA)


def _marker(colour: Canvas, alpha: Canvas, ink: Ink) -> None:
    alpha[:] = 255
    colour[:] = (240, 242, 243)
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    printed = cv2.aruco.generateImageMarker(words, sum(ink) % 50, 180)
    colour[30:210, 30:210] = printed[:, :, None]


_DRAW = {
    "shield": _shield,
    "disc": _disc,
    "cup": _cup,
    "bowl": _bowl,
    "phone": _phone,
    "die": _die,
    "pen": _pen,
    "paper": _paper,
    "marker": _marker,
}
