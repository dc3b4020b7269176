"""How well each card explains what a slot shows, whatever the light."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.warp import Floats

_NOISE = 8.0  # grey levels, besides what the deck's own edges and doubts add
_SHAKE = 0.35  # pixels of misalignment that must cost nothing
_PIXELS = 150.0  # neighbouring pixels err together: so many count as one


@dataclass(frozen=True)
class Spread:
    """How far light may differ from what is expected: log brightness, log tint, grey veil."""

    bright: float
    tint: float
    veil: float


USUAL_SPREAD = Spread(0.3, 0.06, 10.0)


@dataclass(frozen=True)
class Fit:
    """For n patches and m cards: `score` (n, m) log likelihood, `light` (n, m, 4) gains, offset."""

    score: Floats
    light: Floats


class Scorer:
    """Made once for card pictures (m, h, w, 3)."""

    def __init__(self, pictures: Floats) -> None:
        m, self.h, self.w = pictures.shape[:3]
        slope = np.zeros((self.h, self.w), np.float32)
        for picture in pictures:
            dx = cv2.Scharr(picture, cv2.CV_32F, 1, 0) / 32
            dy = cv2.Scharr(picture, cv2.CV_32F, 0, 1) / 32
            slope += (dx * dx + dy * dy).mean(axis=2) / m
        variance = _NOISE**2 + _SHAKE**2 * slope
        edge = np.ones((self.h, self.w), np.float32)
        rim = max(1, round(self.w / 48))
        edge[:rim] = edge[-rim:] = edge[:, :rim] = edge[:, -rim:] = 0.1
        self.weight = (edge / variance).astype(np.float32)
        flat = pictures.reshape(m, -1, 3)
        self.flat = np.ascontiguousarray(flat.transpose(2, 1, 0))  # (3, p, m)
        # (p, 6 * m): the squares of every channel, then the channels themselves.
        self.sums = np.concatenate([*self.flat**2, *self.flat], axis=1)

    def fit(
        self, patches: Floats, mask: Floats, expected: Floats, spread: Spread = USUAL_SPREAD
    ) -> Fit:
        """Score patches (n, h, w, 3) with mask (n, h, w), in expected light (n, 4)."""
        n, m = len(patches), self.flat.shape[2]
        weight = (mask * self.weight).reshape(n, -1)
        whole = weight.sum(axis=1)
        scale = self.h * self.w / _PIXELS / np.maximum(whole, 1e-6) * self.weight.mean()
        weight *= scale[:, None]
        normal = np.zeros((n, m, 4, 4), np.float32)
        pull = np.zeros((n, m, 4), np.float32)
        total = np.zeros(n, np.float32)
        sums = (weight @ self.sums).reshape(n, 6, m)
        normal[:, :, 3, 3] = (3 * whole * scale)[:, None]
        for c, seen in enumerate(cv2.split(patches.reshape(n, -1, 3))):
            weighted = weight * seen
            total += np.einsum("np,np->n", weighted, seen)
            normal[:, :, c, c] = sums[:, c]
            normal[:, :, c, 3] = normal[:, :, 3, c] = sums[:, 3 + c]
            pull[:, :, c] = weighted @ self.flat[c]
            pull[:, :, 3] += weighted.sum(axis=1)[:, None]
        prior = _prior(expected, spread)
        start = np.einsum("nij,nj->ni", prior, expected)
        aim = pull + start[:, None]
        light = np.linalg.solve(normal + prior[:, None], aim[..., None])[..., 0]
        left = total[:, None] - (aim * light).sum(axis=2)
        left += np.einsum("ni,ni->n", start, expected)[:, None]
        return Fit(-0.5 * left, light)


def _prior(expected: Floats, spread: Spread) -> Floats:
    """(n, 4, 4) precision of gains and offset around the expected light."""
    bright, tint, veil = spread.bright, spread.tint, spread.veil
    n = len(expected)
    one = np.full((3, 1), 1 / np.sqrt(3))
    along = one @ one.T
    log = along / bright**2 + (np.eye(3) - along) / tint**2
    out = np.zeros((n, 4, 4), np.float32)
    inverse = 1 / np.maximum(expected[:, :3], 0.05)
    out[:, :3, :3] = log * inverse[:, :, None] * inverse[:, None, :]
    out[:, 3, 3] = 1 / veil**2
    return out
