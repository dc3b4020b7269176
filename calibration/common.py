"""The part that all cards of a deck share: paper, frame. It tells the light on each card."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.deck import split_name
from calibration.warp import Floats

_DARK = 6.0
_FIRST, _LAST = 0.3, 0.1  # log ratio within which a pixel counts as shared, at first and last
_MOST = 0.8  # of all cards must share a pixel
_LEAST = 0.04  # of a card's pixels must be shared for them to tell the light
_ENOUGH = 500  # shared pixels are enough to tell the light by
_APART = 22.0  # grey levels by which colours must still differ beside the shared part


@dataclass(frozen=True)
class Common:
    """`mask`: (h, w) bool, the shared pixels; `look`: (h, w, 3) float32, what they look like."""

    mask: npt.NDArray[np.bool_]
    look: Floats

    def gains(self, patches: Floats, weight: Floats | None = None) -> Floats:
        """(n, 3) the light on patches (n, h, w, 3) against the deck's own."""
        n = len(patches)
        some = np.flatnonzero(self.mask)
        some = some[:: max(1, len(some) // _ENOUGH)]
        seen = np.maximum(patches.reshape(n, -1, 3)[:, some], 0) + _DARK
        ratio = seen / (self.look.reshape(-1, 3)[some] + _DARK)
        left = np.full(n, len(some))
        if weight is not None:
            shown = weight.reshape(n, -1)[:, some] > 0.5
            left = shown.sum(axis=1)
            ratio[~shown] = np.inf
        order = np.sort(ratio.transpose(0, 2, 1), axis=2)
        middle = order[np.arange(n), :, np.maximum(left - 1, 0) // 2]
        return np.where(left[:, None] > 0, middle, 1.0).astype(np.float32)


def find_common(names: Sequence[str], samples: Floats) -> Common | None:
    """The shared part of samples (n, h, w, 3), or None if colours would be lost with it."""
    colours = [split_name(name)[0] for name in names]
    if len(set(colours)) < 3 or len(set(names)) < 6:
        return None
    logs = np.log(np.maximum(samples, 0) + _DARK)
    # Whole cards may lie in shadow or glare: first compare them as if equally bright.
    dim = np.median((logs - np.median(logs, axis=0)).mean(axis=3), axis=(1, 2))
    gains = np.repeat(dim[:, None], 3, axis=1)
    mask = np.zeros(samples.shape[1:3], bool)
    for reach in (_FIRST, (_FIRST + _LAST) / 2, _LAST, _LAST):
        lit = logs - gains[:, None, None]
        middle = np.median(lit, axis=0)
        near = (np.abs(lit - middle) < reach).all(axis=3)
        mask = near.mean(axis=0) > _MOST
        # Near black even other inks look alike.
        mask &= middle.mean(axis=2) > np.log(45.0)
        if mask.mean() < _LEAST:
            return None
        gains = np.median((logs - middle)[:, mask], axis=1)
    evened = samples / np.exp(gains)[:, None, None]
    if _least_gap(colours, evened) < _APART:
        return None
    look = np.exp(np.median(logs - gains[:, None, None], axis=0)) - _DARK
    return Common(mask, np.asarray(look, np.float32))


def _least_gap(colours: Sequence[str], samples: Floats) -> float:
    """Grey levels between the two most alike colours, where these differ most."""
    means = {
        colour: np.mean([s for s, c in zip(samples, colours, strict=True) if c == colour], axis=0)
        for colour in dict.fromkeys(colours)
    }
    looks = list(means.values())
    gaps = [
        float(np.quantile(np.abs(one - other).max(axis=2), 0.985))
        for i, one in enumerate(looks)
        for other in looks[:i]
    ]
    return min(gaps)
