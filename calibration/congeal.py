"""Bring taught cards into one position: all the same way up, aligned to each other."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.align import align, make_templates
from calibration.deck import split_name
from calibration.locate import edges, pose_matrices
from calibration.looks import predict
from calibration.photo import Image
from calibration.warp import Bools, Crops, Floats, take, turned

_WIDE = 40  # pixels of card width at which cards are compared with each other
# Correlation that a turn by a radian and a shift by a width must gain: a whole rank could
# otherwise wander off together.
_TURN_COST, _OFF_COST = 0.6, 0.2
_OFF = 0.2  # of the width: how far a first guess may lie beside the card


def same_way_up(crops: Crops, names: Sequence[str]) -> Bools:
    """(n,) bool: which crops must be turned upside down so that all lie the same way."""
    small = np.stack([cv2.resize(c, (20, 30), interpolation=cv2.INTER_AREA) for c in crops])
    marks = np.concatenate(list(edges(small)), axis=2)
    looks = np.stack([cv2.GaussianBlur(m, (0, 0), 1.0) for m in marks])
    upright = _unit(looks)
    half = looks.shape[2] // 2
    over = np.concatenate([looks[:, ::-1, :half][..., ::-1], looks[:, ::-1, half:][..., ::-1]], 2)
    lean = upright @ _unit(looks).T - upright @ _unit(over).T
    kin = np.array([[_kin(a, b) for b in names] for a in names])
    lean = lean * kin
    np.fill_diagonal(lean, 0)
    vector = np.ones(len(crops))
    vector[lean.sum(axis=1) < 0] = -1
    shifted = lean + np.eye(len(crops)) * np.abs(lean).sum(axis=1).max()
    for _ in range(60):
        vector = shifted @ vector
        vector /= np.linalg.norm(vector) + 1e-12
    if np.count_nonzero(vector < 0) * 2 > len(crops):
        vector = -vector
    return vector < 0


def _kin(one: str, other: str) -> float:
    """Cards of one rank share their drawing, cards of one colour their ground."""
    (colour, rank), (colour2, rank2) = split_name(one), split_name(other)
    return 1.0 + 15.0 * (rank == rank2) + 1.0 * (colour == colour2)


def _unit(looks: Floats) -> Floats:
    flat = looks.reshape(len(looks), -1)
    flat = flat - flat.mean(axis=0)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6))


def congeal(
    pictures: Sequence[Image], frames: Floats, names: Sequence[str], size: tuple[int, int]
) -> Floats:
    """Frames (n, 3, 3) of cards of `size` (w, h), moved until all cards lie alike in them."""
    small = (_WIDE, round(_WIDE * size[1] / size[0]))
    scale = np.diag([size[0] / small[0], size[1] / small[1], 1.0]).astype(np.float32)
    frames = frames @ scale
    over = same_way_up(take_each(pictures, frames, small), names)
    frames = np.where(over[:, None, None], turned(frames), frames)
    steep = np.radians(np.arange(-12, 13, 3.0))
    either = np.array([0.0, np.pi])
    # Which way up is best told by the same rank alone, once all lie straight.
    for turns, kin in (
        (np.concatenate([steep, steep + np.pi]), 0.5),
        (steep / 4, 0.5),
        (either, 1.0),
        (either, 1.0),
        (steep[2:-2] / 4, 0.5),
    ):
        frames = _by_edges(pictures, frames, names, small, turns, kin)
    for _ in range(2):
        frames = _by_looks(pictures, frames, names, small)
    return frames @ np.linalg.inv(scale)


def take_each(pictures: Sequence[Image], frames: Floats, size: tuple[int, int]) -> Crops:
    """(n, h, w, 3): crop i of picture i."""
    crops = [take(p, frames[i : i + 1], size) for i, p in enumerate(pictures)]
    return np.concatenate(crops)


def _by_edges(
    pictures: Sequence[Image],
    frames: Floats,
    names: Sequence[str],
    size: tuple[int, int],
    turns: Floats,
    share: float,
) -> Floats:
    """Slide and turn each card until its edges lie where those of the others do.

    Cards of the same rank have that `share` in what is wanted.
    """
    off = round(_OFF * size[0])
    wide = (size[0] + 2 * off, size[1] + 2 * off)
    marks = np.sqrt((edges(take_each(pictures, frames, wide)) ** 2).sum(axis=0))
    marks = np.stack([cv2.GaussianBlur(m, (0, 0), 1.0) for m in marks])
    inner = marks[:, off:-off, off:-off].copy()
    out = frames.copy()
    at_middle = np.eye(3, dtype=np.float32)
    at_middle[:2, 2] = (wide[0] - 1) / 2, (wide[1] - 1) / 2
    far = np.abs(np.arange(-off, off + 1)) / size[0]
    costs = (_OFF_COST * (far[:, None] + far)).astype(np.float32)
    for i, name in enumerate(names):
        others = np.arange(len(names)) != i
        if not others.any():
            continue
        rank = split_name(name)[1]
        kin = others & np.array([split_name(other)[1] == rank for other in names])
        wanted = inner[others].mean(axis=0)
        if kin.any():
            wanted = (1 - share) * wanted + share * inner[kin].mean(axis=0)
        best, chosen = -2.0, inner[i]
        for turn in turns:
            spun = pose_matrices(np.array([[0, 0, turn]], np.float32))
            view = take(marks[i], at_middle @ spun, wide)[0]
            match = cv2.matchTemplate(view, wanted.astype(np.float32), cv2.TM_CCOEFF_NORMED)
            match -= costs + _TURN_COST * abs(float(np.sin(turn)))
            _, value, _, (x, y) = cv2.minMaxLoc(match)
            if value > best:
                best = value
                slid = pose_matrices(np.array([[x - off, y - off, 0]], np.float32))
                out[i] = frames[i] @ spun[0] @ slid[0]
                chosen = view[y : y + size[1], x : x + size[0]]
        inner[i] = chosen
    return out


def _by_looks(
    pictures: Sequence[Image], frames: Floats, names: Sequence[str], size: tuple[int, int]
) -> Floats:
    """Fit each card onto what the other cards say it looks like."""
    crops = take_each(pictures, frames, size).astype(np.float32)
    own = {}
    for name in dict.fromkeys(names):
        own[name] = crops[[i for i, other in enumerate(names) if other == name]].mean(axis=0)
    guesses, _ = predict(own)
    out = frames.copy()
    for i, name in enumerate(names):
        others = [crops[j] for j, other in enumerate(names) if other == name and j != i]
        wanted = others + ([guesses[name]] if name in guesses else [])
        if wanted:
            templates = make_templates(np.mean(wanted, axis=0)[None])
            one = np.zeros(1, np.intp)
            out[i] = align(pictures[i], frames[i : i + 1], templates, one, 3)[0]
    return out
