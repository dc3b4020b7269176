"""How this camera and light turn the deck's colours into the picture's: all cards together."""

import numpy as np

from calibration.warp import Floats

_STEP = 4  # pixels between the samples
_OFF = 25.0  # grey levels from which a sample is not believed
# So many samples' worth of belief that colours are as taught.
_AS_TAUGHT = 1500.0


def even_colours(patches: Floats, wanted: Floats, mask: Floats, trust: Floats) -> Floats:
    """Patches (n, h, w, 3) in the deck's colours, from what all of them ought to be.

    One linear change of colours for the whole picture is fitted; cards count by `trust` (n,).
    """
    seen = patches[:, ::_STEP, ::_STEP].reshape(-1, 3)
    aim = wanted[:, ::_STEP, ::_STEP].reshape(-1, 3)
    start = mask[:, ::_STEP, ::_STEP] * trust[:, None, None]
    start = start.reshape(-1)
    to_seen = np.vstack([np.eye(3), np.zeros(3)])
    x = np.c_[aim, np.full(len(aim), 64.0)]
    ridge = np.eye(4) * _AS_TAUGHT * 64.0**2
    weight = start
    for _ in range(4):
        weighted = x * weight[:, None]
        to_seen = np.linalg.solve(
            x.T @ weighted + ridge, weighted.T @ seen + ridge @ np.vstack([np.eye(3), np.zeros(3)])
        )
        away = np.abs(seen - x @ to_seen).max(axis=1) / _OFF
        weight = start / (1 + away**2) ** 2
    back = np.linalg.inv(to_seen[:3])
    return np.asarray((patches - 64.0 * to_seen[3]) @ back, np.float32)
