"""The faces of a deck, one drawing function a print style."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulated.figures import draw_figure
from vision.simulated.glyphs import Lettering, rank_mask, symbol_mask
from vision.simulated.palette import Ink, blend, contrast, lab

Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.uint8]

FACE = (264, 408)


@dataclass(frozen=True)
class Design:
    """What all cards of a deck share; sizes in parts of the card."""

    lettering: Lettering
    paper: Ink
    ink: Ink
    rim: float
    outlined: bool
    art: str
    art_seed: int
    art_tinted: bool
    art_inks: tuple[Ink, ...]
    symbols: Mapping[str, str]
    index: float
    both_corners: bool


def draw_face(style: str, design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    """(h, w, 3) uint8 of one card; `number` counts the deck's ranks from 0."""
    return _DRAW[style](design, ink, colour, rank, number)


def _full_centre(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, ink)
    _number(face, design, rank, (0.5, 0.5), 0.5, _against(ink, design), ink)
    _symbols(face, design, colour, _against(ink, design), 0.13)
    return face


def _full_corner(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, ink)
    _art(face, design, number, ink, (0.2, 0.22, 0.8, 0.78), ink)
    _corners(face, design, rank, _against(ink, design), ink)
    return face


def _border_centre(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    _frame(face, design, ink, 0.09)
    _number(face, design, rank, (0.5, 0.5), 0.5, design.ink, design.paper)
    return face


def _border_corner(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    _frame(face, design, ink, 0.07)
    _art(face, design, number, ink, (0.28, 0.25, 0.72, 0.75), design.paper)
    _corners(face, design, rank, design.ink, design.paper, inset=0.12)
    return face


def _disc_centre(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    _number(face, design, rank, (0.5, 0.52), 0.42, design.ink, design.paper)
    for x, y in ((0.17, 0.12), (0.83, 0.88)):
        _disc(face, x, y, 0.095, ink, design)
    return face


def _disc_corner(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    _art(face, design, number, design.ink, (0.3, 0.2, 0.95, 0.8), design.paper)
    _corners(face, design, rank, design.ink, design.paper)
    for x, y in ((0.16, 0.34), (0.84, 0.66)):
        _disc(face, x, y, 0.09, ink, design)
    return face


def _oval(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = np.full((FACE[1], FACE[0], 3), design.paper, np.uint8)
    _rounded(face, (0.06, 0.04, 0.94, 0.96), ink, 24)
    w, h = FACE
    edge = design.paper if contrast(ink, design.paper) > 25 else design.ink
    cv2.ellipse(
        face,
        (w // 2, h // 2),
        (round(h * 0.42), round(w * 0.36)),
        -62,
        0,
        360,
        edge,
        8,
        cv2.LINE_AA,
    )
    _number(face, design, rank, (0.5, 0.5), 0.42, _against(ink, design), ink)
    _corners(face, design, rank, _against(ink, design), ink, inset=0.11)
    return face


def _band(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    _art(face, design, number, ink, (0.1, 0.27, 0.9, 0.95), design.paper)
    cv2.rectangle(face, _px(0, 0), _px(1, 0.24), ink, -1)
    _number(face, design, rank, (0.27, 0.12), 0.2, _against(ink, design), ink)
    mask = symbol_mask(design.symbols[colour], round(FACE[0] * 0.22))
    _stamp(face, mask, (0.74, 0.12), _against(ink, design))
    return face


def _dark(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    _number(face, design, rank, (0.5, 0.45), 0.5, ink, design.paper)
    mask = symbol_mask(design.symbols[colour], round(FACE[0] * 0.2))
    _stamp(face, mask, (0.5, 0.86), ink)
    return face


def _pips(design: Design, ink: Ink, colour: str, rank: str, number: int) -> Image:
    face = _sheet(design, design.paper)
    shade = ink if contrast(ink, design.paper) > 22 else design.ink
    mask = symbol_mask(design.symbols[colour], round(FACE[0] * 0.17))
    count = int(rank) if rank.isdigit() and int(rank) <= 12 else number + 2
    for k in range(count):
        column, row = k % 2, k // 2
        rows = (count + 1) // 2
        x = 0.5 if k == count - 1 and count % 2 else 0.38 + 0.24 * column
        _stamp(face, mask, (x, 0.2 + 0.6 * (row + 0.5) / rows), ink, shade)
    _corners(face, design, rank, shade, design.paper)
    return face


_DRAW = {
    "full-centre": _full_centre,
    "full-corner": _full_corner,
    "border-centre": _border_centre,
    "border-corner": _border_corner,
    "disc-centre": _disc_centre,
    "disc-corner": _disc_corner,
    "oval": _oval,
    "band": _band,
    "dark": _dark,
    "pips": _pips,
}


def _sheet(design: Design, ground: Ink) -> Image:
    face = np.full((FACE[1], FACE[0], 3), ground, np.uint8)
    if design.rim and ground != design.paper:
        cv2.rectangle(
            face, (0, 0), (FACE[0] - 1, FACE[1] - 1), design.paper, round(design.rim * FACE[0])
        )
    return face


def _frame(face: Image, design: Design, ink: Ink, width: float) -> None:
    edge = design.rim * 0.5
    corners = (_px(edge, edge * 0.65), _px(1 - edge, 1 - edge * 0.65))
    thick = round(width * 2 * FACE[0]) if not edge else round(width * FACE[0])
    cv2.rectangle(face, corners[0], corners[1], ink, thick)
    if contrast(ink, design.paper) < 25:
        # A white or pale border is fenced in, or nobody could tell it from the paper.
        inner = edge + width * (0.5 if edge else 1.0)
        lines = (_px(inner, inner * 0.65), _px(1 - inner, 1 - inner * 0.65))
        cv2.rectangle(face, lines[0], lines[1], design.ink, 3)


def _number(
    face: Image,
    design: Design,
    rank: str,
    place: tuple[float, float],
    height: float,
    ink: Ink,
    ground: Ink,
) -> None:
    mask = rank_mask(rank, design.lettering, round(FACE[1] * height))
    if mask.shape[1] > FACE[0] * 0.8:
        mask = np.asarray(cv2.resize(mask, (round(FACE[0] * 0.8), mask.shape[0])), np.uint8)
    edge = None
    if design.outlined:
        edge = (20, 20, 24) if lab(ink)[0] > 50 else (245, 246, 247)
        if contrast(edge, ground) < 12:
            edge = blend(edge, ink, 0.5)
    _stamp(face, mask, place, ink, edge)


def _corners(
    face: Image, design: Design, rank: str, ink: Ink, ground: Ink, inset: float = 0.08
) -> None:
    mask = rank_mask(rank, design.lettering, round(FACE[1] * design.index))
    x = inset + mask.shape[1] / FACE[0] / 2
    y = inset * 0.7 + design.index / 2
    _stamp(face, mask, (x, y), ink)
    if design.both_corners:
        _stamp(face, np.ascontiguousarray(mask[::-1, ::-1]), (1 - x, 1 - y), ink)


def _art(
    face: Image,
    design: Design,
    number: int,
    ink: Ink,
    box: tuple[float, float, float, float],
    ground: Ink,
) -> None:
    (x0, y0), (x1, y1) = _px(box[0], box[1]), _px(box[2], box[3])
    inks = list(design.art_inks)
    if design.art_tinted:
        inks = [blend(shade, ink, 0.6) for shade in inks]
    panel = blend(ground, design.paper, 0.25)
    drawn = draw_figure(design.art, design.art_seed + number, (x1 - x0, y1 - y0), panel, inks)
    face[y0:y1, x0:x1] = drawn


def _symbols(face: Image, design: Design, colour: str, ink: Ink, size: float) -> None:
    mask = symbol_mask(design.symbols[colour], round(FACE[0] * size))
    _stamp(face, mask, (0.17, 0.12), ink)
    _stamp(face, np.ascontiguousarray(mask[::-1, ::-1]), (0.83, 0.88), ink)


def _disc(face: Image, x: float, y: float, radius: float, ink: Ink, design: Design) -> None:
    r = round(radius * FACE[0])
    cv2.circle(face, _px(x, y), r, ink, -1, cv2.LINE_AA)
    if contrast(ink, design.paper) < 30:
        cv2.circle(face, _px(x, y), r, design.ink, 4, cv2.LINE_AA)


def _stamp(
    face: Image, mask: Mask, place: tuple[float, float], ink: Ink, edge: Ink | None = None
) -> None:
    pad = 9
    grown = cv2.copyMakeBorder(mask, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    h, w = grown.shape
    cx, cy = _px(*place)
    x0, y0 = max(0, cx - w // 2), max(0, cy - h // 2)
    view = face[y0 : y0 + h, x0 : x0 + w]
    grown = grown[: view.shape[0], : view.shape[1]]
    layers = [(grown, ink)]
    if edge is not None:
        round_nib = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (11, 11))
        layers.insert(0, (np.asarray(cv2.dilate(grown, round_nib), np.uint8), edge))
    for shape, shade in layers:
        alpha = (shape.astype(np.float32) / 255)[:, :, None]
        view[:] = np.round(view * (1 - alpha) + np.array(shade) * alpha).astype(np.uint8)


def _rounded(face: Image, box: tuple[float, float, float, float], ink: Ink, r: int) -> None:
    (x0, y0), (x1, y1) = _px(box[0], box[1]), _px(box[2], box[3])
    cv2.rectangle(face, (x0 + r, y0), (x1 - r, y1), ink, -1)
    cv2.rectangle(face, (x0, y0 + r), (x1, y1 - r), ink, -1)
    for x in (x0 + r, x1 - r):
        for y in (y0 + r, y1 - r):
            cv2.circle(face, (x, y), r, ink, -1, cv2.LINE_AA)


def _against(ground: Ink, design: Design) -> Ink:
    light, dark = (242, 244, 246), (24, 22, 26)
    return light if lab(ground)[0] < 66 else dark


def _px(x: float, y: float) -> tuple[int, int]:
    return round(x * FACE[0]), round(y * FACE[1])


STYLES = tuple(_DRAW)
