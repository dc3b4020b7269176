"""Fit cards onto templates to a fraction of a pixel (Gauss-Newton, light fitted alongside)."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.photo import Image
from calibration.warp import Floats, Indices, grid, take_points

# Grey levels at which half a pixel's say is gone: glare and things lying over the card.
_OUTLIER = 30.0
# How freely a card may be larger, smaller or skewed against its slot: one part in twenty-five.
_STRETCH = 0.04
_NOISE = 12.0
_STEADY = 100.0  # grey levels squared


@dataclass(frozen=True)
class Templates:
    """Card pictures and how they change when the card moves.

    `points`: (m, 3, p) float32, pixels from the card's centre; `looks`: (m, 3, p) what is there;
    `slopes`: (m, 6, 3 * p): affine motions (x by x, y, 1, then y alike); `size`: width and height
    in pixels.
    """

    points: Floats
    looks: Floats
    slopes: Floats
    size: tuple[int, int]


def make_templates(looks: Floats, part: float = 1.0) -> Templates:
    """Templates of (m, h, w, 3) card pictures, by that `part` of the pixels that tells most."""
    m, h, w = looks.shape[:3]
    points = grid((w, h)).reshape(3, 1, h, w)
    slopes = np.zeros((m, 6, 3, h, w), np.float32)
    for i, look in enumerate(looks.astype(np.float32)):
        slopes[i, :3] = (cv2.Scharr(look, cv2.CV_32F, 1, 0) / 32).transpose(2, 0, 1) * points
        slopes[i, 3:] = (cv2.Scharr(look, cv2.CV_32F, 0, 1) / 32).transpose(2, 0, 1) * points
    flat = looks.transpose(0, 3, 1, 2).reshape(m, 3, h * w).astype(np.float32)
    each = slopes.reshape(m, 6, 3, -1)
    # Where a card is plain, nothing changes when it moves.
    steep = (each[:, [2, 5]] ** 2).sum(axis=(1, 2))
    kept = np.sort(np.argsort(-steep, axis=1)[:, : round(part * h * w)], axis=1)
    return Templates(
        points.reshape(3, -1)[:, kept].transpose(1, 0, 2),
        np.take_along_axis(flat, kept[:, None], axis=2),
        np.take_along_axis(each, kept[:, None, None], axis=3).reshape(m, 6, -1),
        (w, h),
    )


def align(
    image: Image, frames: Floats, templates: Templates, which: Indices, rounds: int
) -> Floats:
    """Move the (n, 3, 3) frames so that each shows template `which` (n,) best."""
    w, h = templates.size
    n = len(frames)
    if n == 0:
        return frames
    shape = np.tile(np.eye(3, dtype=np.float32), (n, 1, 1))
    slopes, looks, points = (
        each[which] for each in (templates.slopes, templates.looks, templates.points)
    )
    stiff = _stiffness()
    limit = np.array([0.06, 0.06, 0.06 * w, 0.06, 0.06, 0.06 * w], np.float32)
    flat = np.eye(3, dtype=np.float32)[:2]
    seen, normal = np.ones_like(looks), np.empty(0)
    for round_ in range(rounds):
        crops = take_points(image, frames @ shape @ points)
        patches = crops.transpose(0, 2, 1).astype(np.float32, order="C")
        # What lies over a card was found in the first round, as near as makes no difference.
        away, seen, gain = _compare(patches, looks, seen, 1 if round_ else 2)
        if not round_:
            normal = (slopes * seen.reshape(n, 1, -1)) @ slopes.transpose(0, 2, 1) + stiff
            normal[:, np.arange(6), np.arange(6)] += 1e-3 * h * w
        pull = (slopes @ (seen * away).reshape(n, -1, 1))[..., 0] / gain[:, None]
        bent = (shape[:, :2] - flat).reshape(n, 6)
        pull += bent @ stiff
        step = np.linalg.solve(normal, pull[..., None])[..., 0].clip(-limit, limit)
        move = np.tile(np.eye(3, dtype=np.float32), (n, 1, 1))
        move[:, :2] += step.reshape(n, 2, 3)
        shape = (shape @ np.linalg.inv(move)).astype(np.float32)
    return frames @ shape


def _compare(
    patches: Floats, looks: Floats, seen: Floats, rounds: int
) -> tuple[Floats, Floats, Floats]:
    """What patches (n, 3, p) differ by from looks in their light, weights alike, gains (n,).

    `seen` (n, 3, p) are the weights to begin with.
    """
    lit = (patches < 250).astype(np.float32)
    weight = lit * seen
    for left in range(rounds - 1, -1, -1):
        total = weight.sum(axis=2) + 1e-3
        weighted = weight * looks
        look_mean = weighted.sum(axis=2) / total
        patch_mean = np.einsum("ncp,ncp->nc", weight, patches) / total
        square = np.einsum("ncp,ncp->nc", weighted, looks) - total * look_mean**2
        both = np.einsum("ncp,ncp->nc", weighted, patches) - total * look_mean * patch_mean
        # One gain for all channels steadies those that hardly vary on this card.
        whole = both.sum(axis=1) / (square.sum(axis=1) + 1e-3)
        gain = (both + _STEADY * total * whole[:, None]) / (square + _STEADY * total)
        gain = gain.clip(0.15, 4.0)
        away = patches - looks * gain[..., None] - (patch_mean - gain * look_mean)[..., None]
        if left:
            weight = lit / (1 + (away * (1 / _OUTLIER)) ** 2)
    return away, weight, whole.clip(0.15, 4.0)


def _stiffness() -> Floats:
    """(6, 6) cost of stretching and skewing a card; shifting and turning it are free."""
    stretch = np.array([[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 1, 0, 1, 0, 0]], np.float32)
    return stretch.T @ stretch * (_NOISE / _STRETCH) ** 2
