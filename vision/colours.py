"""How this camera and light turn the deck's colours into the picture's: all cards together."""

import numpy as np

from calibration.warp import Floats, brightest

_STEP = 2  # pixels between the samples
_OFF = 25.0  # grey levels from which a sample is not believed
# So many samples' worth of belief that colours are as taught.
_AS_TAUGHT = 1500.0


def even_colours(
    patches: Floats, wanted: Floats, mask: Floats, score: Floats
) -> tuple[Floats, Floats]:
    """How to bring patches (n, h, w, 3) into the deck's colours: a (3, 3) and an offset (3,).

    One linear change for the whole picture is fitted to what the cards ought to be, `wanted`;
    they count by how far ahead of all others their `score` (n, m) is. Apply it as
    (patches - offset) @ change.
    """
    seen = patches[:, ::_STEP, ::_STEP].reshape(-1, 3)
    aim = wanted[:, ::_STEP, ::_STEP].reshape(-1, 3)
    start = (mask[:, ::_STEP, ::_STEP] * _trust(score)[:, None, None]).reshape(-1)
    x = np.c_[aim, np.full(len(aim), 64.0, np.float32)]
    as_taught = np.vstack([np.eye(3), np.zeros(3)]).astype(np.float32)
    ridge = np.eye(4, dtype=np.float32) * _AS_TAUGHT * 64.0**2
    to_seen, weight = as_taught, start
    for _ in range(3):
        weighted = x * weight[:, None]
        to_seen = np.linalg.solve(x.T @ weighted + ridge, weighted.T @ seen + ridge @ as_taught)
        away = brightest(np.abs(seen - x @ to_seen)) / _OFF
        weight = start / (1 + away**2) ** 2
    change = np.linalg.inv(to_seen[:3])
    return np.asarray(change, np.float32), np.asarray(64.0 * to_seen[3], np.float32)


def _trust(score: Floats) -> Floats:
    """(n,) 0 to 1: how far ahead of all others the best card is."""
    if score.shape[1] < 2:
        return np.ones(len(score), np.float32)
    first, second = np.partition(score, -2, axis=1)[:, [-1, -2]].T
    return np.asarray(1 - np.exp(-(first - second) / 20.0), np.float32)
