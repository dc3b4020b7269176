"""Printed decks: a face for every card, and a back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.backs import print_back
from vision.simulated.faces import FACE, STYLES, Design, draw_face
from vision.simulated.figures import KINDS
from vision.simulated.glyphs import SYMBOLS, choose_lettering
from vision.simulated.palette import hsv_ink, mix_inks

Image = npt.NDArray[np.uint8]

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "white")
RANKS = ("3", "4", "5", "6", "7", "8")


@dataclass(frozen=True)
class PrintedDeck:
    """`faces`: card name to (h, w, 3) uint8 BGR; `back` alike; `radius` in parts of the width."""

    style: str
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
    chosen = str(rng.choice(STYLES)) if style is None else style
    if chosen not in STYLES:
        raise ValueError(f"style {style!r}: expected one of {', '.join(STYLES)}")
    inks = mix_inks(colours, rng)
    design = _choose_design(chosen, colours, rng)
    faces = {}
    for colour in colours:
        for number, rank in enumerate(ranks):
            face = draw_face(chosen, design, inks[colour], colour, rank, number)
            faces[f"{colour}-{rank}"] = _cut(face, rng)
    rim = design.paper if design.rim else None
    return PrintedDeck(
        chosen,
        MappingProxyType(faces),
        print_back(rng, FACE, rim),
        radius=rng.uniform(0.0, 0.11),
        gloss=rng.uniform(0.3, 1.0),
    )


def _choose_design(style: str, colours: Sequence[str], rng: np.random.Generator) -> Design:
    dark = style == "dark" or (style.startswith("disc") and rng.random() < 0.25)
    paper = hsv_ink(rng.uniform(20, 60), rng.uniform(0, 0.12), rng.uniform(0.88, 0.98))
    if dark:
        paper = hsv_ink(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0.08, 0.22))
    ink = (235, 238, 240) if dark else hsv_ink(rng.uniform(0, 360), 0.3, rng.uniform(0.05, 0.2))
    shapes = rng.permutation(SYMBOLS)
    return Design(
        lettering=choose_lettering(rng),
        paper=paper,
        ink=ink,
        rim=float(rng.choice([0.0, 0.05, 0.08])),
        outlined=bool(rng.random() < 0.5),
        art=str(rng.choice(KINDS)),
        art_seed=int(rng.integers(2**31)),
        art_tinted=bool(rng.random() < 0.4),
        art_inks=tuple(
            hsv_ink(rng.uniform(0, 360), rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.9))
            for _ in range(4)
        ),
        symbols={colour: str(shapes[k % len(shapes)]) for k, colour in enumerate(colours)},
        index=rng.uniform(0.15, 0.21),
        both_corners=bool(rng.random() < 0.85),
    )


def _cut(face: Image, rng: np.random.Generator) -> Image:
    # No two cards of a box are cut at quite the same place, and ink varies a little.
    dx, dy = rng.normal(0, 0.006 * FACE[0], 2)
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    cut = cv2.warpAffine(face, move, FACE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.convertScaleAbs(cut, alpha=rng.uniform(0.98, 1.02)), np.uint8)
