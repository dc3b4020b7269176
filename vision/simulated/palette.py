"""Inks: what red, yellow or white looks like in one printed deck."""

from collections.abc import Sequence

import cv2
import numpy as np

Ink = tuple[int, int, int]

# Hue in degrees, saturation and value in parts of one.
_KNOWN = {
    "red": (356, 0.85, 0.80),
    "orange": (26, 0.88, 0.94),
    "yellow": (50, 0.80, 0.96),
    "green": (130, 0.70, 0.60),
    "blue": (212, 0.80, 0.75),
    "purple": (288, 0.60, 0.55),
    "white": (45, 0.04, 0.95),
    "black": (0, 0.05, 0.12),
    "pink": (330, 0.45, 0.95),
    "brown": (22, 0.65, 0.45),
    "grey": (210, 0.05, 0.55),
    "turquoise": (178, 0.70, 0.72),
}
LEAST_APART = 17.0


def mix_inks(colours: Sequence[str], rng: np.random.Generator) -> dict[str, Ink]:
    """An ink for each colour name: a deck's own palette, sometimes with two that are close."""
    spread = float(rng.choice([1.0, 1.0, 2.0]))
    mood = (rng.uniform(0.65, 1.1), rng.uniform(0.8, 1.04))
    while True:
        inks = {name: _mix(name, k, rng, spread, mood) for k, name in enumerate(colours)}
        if _least_distance(list(inks.values())) >= LEAST_APART:
            return inks


def lab(ink: Ink) -> tuple[float, float, float]:
    """CIE L, a, b of a BGR ink."""
    pixel = np.array([[ink]], np.float32) / 255
    values = cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0]
    return float(values[0]), float(values[1]), float(values[2])


def contrast(ink: Ink, other: Ink) -> float:
    """How far apart two inks look, in Lab units."""
    return float(np.linalg.norm(np.array(lab(ink)) - np.array(lab(other))))


def blend(ink: Ink, other: Ink, part: float) -> Ink:
    """`ink` with a part of `other` in it."""
    mixed = [round(a * (1 - part) + b * part) for a, b in zip(ink, other, strict=True)]
    return (mixed[0], mixed[1], mixed[2])


def hsv_ink(hue: float, saturation: float, value: float) -> Ink:
    """An ink from hue in degrees, saturation and value in 0 to 1."""
    pixel = np.array([[[hue % 360, saturation, value]]], np.float32)
    bgr = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255
    return (round(float(bgr[0])), round(float(bgr[1])), round(float(bgr[2])))


def _mix(
    name: str, index: int, rng: np.random.Generator, spread: float, mood: tuple[float, float]
) -> Ink:
    hue, saturation, value = _KNOWN.get(name, (index * 137.5, 0.75, 0.75))
    hue += rng.normal(0, 5) * spread
    saturation = float(np.clip(saturation * mood[0] * rng.uniform(0.92, 1.08), 0, 0.95))
    value = float(np.clip(value * mood[1] * rng.uniform(0.95, 1.05), 0.1, 0.97))
    return hsv_ink(hue, saturation, value)


def _least_distance(inks: Sequence[Ink]) -> float:
    pairs = [contrast(a, b) for k, a in enumerate(inks) for b in inks[k + 1 :]]
    return min(pairs, default=1000.0)
