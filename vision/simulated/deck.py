"""Printed decks: faces for every card, and a back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white")
RANKS = ("3", "4", "5", "6", "7", "8")
FACE = (264, 408)
_INK = {
    "red": (40, 35, 200),
    "orange": (30, 120, 240),
    "yellow": (50, 215, 245),
    "green": (60, 150, 50),
    "blue": (190, 90, 30),
    "purple": (140, 50, 120),
    "white": (235, 238, 240),
}


@dataclass(frozen=True)
class PrintedDeck:
    """`faces`: card name to (h, w, 3) uint8 BGR; `back` alike; `radius` in parts of the width."""

    faces: Mapping[str, Image]
    back: Image
    radius: float
    gloss: float


def print_deck(
    seed: int,
    style: str | None = None,
    colours: Sequence[str] = COLOURS,
    ranks: Sequence[str] = RANKS,
) -> PrintedDeck:
    """A deck of colours times ranks; the seed decides all that the style leaves open."""
    rng = np.random.default_rng([seed, 1])
    fonts = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
    font = int(rng.choice(fonts))
    faces = {}
    for colour in colours:
        ink = _INK.get(colour, tuple(int(v) for v in rng.integers(30, 230, 3)))
        for rank in ranks:
            faces[f"{colour}-{rank}"] = _face(ink, rank, font)
    back = np.full((FACE[1], FACE[0], 3), rng.integers(30, 220, 3), np.uint8)
    line = tuple(int(v) for v in rng.integers(30, 220, 3))
    for k in range(-FACE[1], FACE[1], 40):
        cv2.line(back, (0, k), (FACE[0], k + FACE[0]), line, 6, cv2.LINE_AA)
    cv2.rectangle(back, (0, 0), (FACE[0] - 1, FACE[1] - 1), line, 24)
    return PrintedDeck(MappingProxyType(faces), back, 0.07, 1.0)


def _face(ink: Sequence[int], rank: str, font: int) -> Image:
    w, h = FACE
    face = np.full((h, w, 3), (240, 242, 244), np.uint8)
    cv2.rectangle(face, (16, 16), (w - 17, h - 17), list(ink), -1)
    (tw, th), _ = cv2.getTextSize(rank, font, 6, 18)
    place = ((w - tw) // 2, (h + th) // 2)
    cv2.putText(face, rank, place, font, 6, (20, 20, 20), 30, cv2.LINE_AA)
    cv2.putText(face, rank, place, font, 6, (245, 245, 245), 16, cv2.LINE_AA)
    return face
