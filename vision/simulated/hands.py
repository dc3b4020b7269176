"""Hands and arms that reach over the table."""

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.camera import project
from vision.simulated.scene import Hand, Points, Scene

Floats = npt.NDArray[np.float32]


def draw_hand(
    picture: Floats, gloss: Floats, hidden: npt.NDArray[np.uint8], hand: Hand, scene: Scene
) -> None:
    """Draw a hand with its shadow and add it to `hidden`."""
    mask = np.zeros(picture.shape[:2], np.uint8)
    sleeve = np.zeros(picture.shape[:2], np.uint8)
    for points in _parts(hand):
        _fill(mask, project(scene.camera, points))
    _fill(sleeve, project(scene.camera, _arm(hand)))
    shadow = cv2.GaussianBlur(cv2.bitwise_or(mask, sleeve), (0, 0), 6 * scene.camera.scale)
    away = np.array(scene.light.shadow_offset) * 10 * scene.camera.scale
    move = np.array([[1, 0, away[0]], [0, 1, away[1]]], np.float32)
    shadow = cv2.warpAffine(shadow, move, shadow.shape[::-1])
    picture *= (1 - 0.5 * shadow.astype(np.float32) / 255)[:, :, None]
    for shape, colour in ((mask, hand.skin), (sleeve, hand.sleeve)):
        alpha = (shape.astype(np.float32) / 255)[:, :, None]
        picture *= 1 - alpha
        picture += alpha * np.array(colour, np.float32)
    covered = cv2.bitwise_or(mask, sleeve)
    gloss[covered > 0] = 0
    np.maximum(hidden, covered, out=hidden)


def _parts(hand: Hand) -> list[Points]:
    size = hand.length
    palm = _ellipse(hand, 0, 0, 0.30, 0.24, 0)
    fingers = [
        _ellipse(hand, -0.45, offset, 0.25, 0.055, spread)
        for offset, spread in ((-0.18, -8), (-0.06, -3), (0.06, 3), (0.18, 8))
    ]
    thumb = _ellipse(hand, -0.1, 0.30, 0.2, 0.06, 40)
    assert size > 0
    return [palm, *fingers, thumb]


def _arm(hand: Hand) -> Points:
    along = np.array([[0.25, -0.2], [8, -0.35], [8, 0.35], [0.25, 0.2]])
    return _place(hand, along)


def _ellipse(hand: Hand, x: float, y: float, a: float, b: float, turn: float) -> Points:
    angle = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    flat = np.column_stack([a * np.cos(angle), b * np.sin(angle)])
    return _place(hand, flat @ np.array([[c, s], [-s, c]]) + (x, y))


def _place(hand: Hand, points: npt.NDArray[np.float64]) -> Points:
    c, s = math.cos(math.radians(hand.direction)), math.sin(math.radians(hand.direction))
    turned = points @ np.array([[c, s], [-s, c]])
    return np.asarray(turned * hand.length + (hand.x, hand.y), np.float32)


def _fill(mask: npt.NDArray[np.uint8], outline: Points) -> None:
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
