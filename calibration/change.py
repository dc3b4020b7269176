"""What changed between two photographs of one view, whatever the light did meanwhile."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.photo import Image

Floats = npt.NDArray[np.float32]

_DARK, _BRIGHT = 6, 249
_PULL = 4.0
_LOCAL = 10  # how far light may change within a picture of 240 pixels, in pixels
_NOISE = 3.0
_NUDGE, _KEPT = 0.5, 0.3


@dataclass(frozen=True)
class Change:
    """The empty and the filled photograph, brought to one light.

    `before`: (H, W, 3) float32, the empty photograph in the light of the other. `after`: the
    filled one, float32. `changed`: (H, W) float32, 1 where something new lies, 0 where not.
    """

    before: Floats
    after: Floats
    changed: Floats


def compare(empty: Image, filled: Image) -> Change:
    """Fit the change of light as a smooth gain and see what it does not explain."""
    before, after = empty.astype(np.float32), filled.astype(np.float32)
    before = np.clip((before + _PULL) * _gain(before, after) - _PULL, 0, 255)
    difference = cv2.GaussianBlur(after - before, (0, 0), 1.2)
    distance = np.sqrt((difference**2).sum(axis=2))
    # Beside an edge a nudge of a fraction of a pixel makes a difference too.
    distance = np.maximum(distance - _NUDGE * _steepness(before), 0)
    distance = distance / max(float(np.median(distance)), 1.0)
    return Change(before, after, _changed(np.asarray(distance, np.float32)))


def new_edges(now: Floats, then: Floats) -> Floats:
    """(...) how steep a picture is where it was not, from slopes (..., channels) now and then.

    An edge that only the light or a nudge made stronger is not new.
    """
    new = np.sqrt(((now - then) ** 2).sum(axis=-1)) - _KEPT * np.sqrt((then**2).sum(axis=-1))
    return np.asarray(np.clip(new, 0, np.sqrt((now**2).sum(axis=-1))), np.float32)


def _steepness(picture: Floats) -> Floats:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
    dx, dy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    return np.asarray(np.sqrt((dx**2 + dy**2).sum(axis=2)) / 8, np.float32)


def _changed(distance: Floats) -> Floats:
    """0 to 1; the bar lies between the two heaps that noise and cards make."""
    level = np.clip(np.log2(distance + 1) * 32, 0, 255).astype(np.uint8)
    least = np.log2(_NOISE + 1) * 32
    split, _ = cv2.threshold(level[level > least].reshape(1, -1), 0, 255, cv2.THRESH_OTSU)
    # Cards split once more (glare on some) must not lift the bar far above the noise.
    bar = float(np.clip((2 ** (split / 32) - 1) / 2, _NOISE, 4 * _NOISE))
    return np.asarray(np.clip(distance / bar - 0.5, 0, 1), np.float32)


def _gain(before: Floats, after: Floats) -> Floats:
    """(H, W, 3) how many times brighter: a smooth surface a channel, then shadows for all alike.

    Worked out on a small picture: light has no fine detail.
    """
    height, width = before.shape[:2]
    small = (max(2, width * 240 // max(height, width)), max(2, height * 240 // max(height, width)))
    one = np.asarray(cv2.resize(before, small, interpolation=cv2.INTER_AREA), np.float32)
    two = np.asarray(cv2.resize(after, small, interpolation=cv2.INTER_AREA), np.float32)
    log = np.log((two + _PULL) / (one + _PULL))
    usable = ((one > _DARK) & (one < _BRIGHT) & (two > _DARK) & (two < _BRIGHT)).all(axis=2)
    terms = _terms(small[1], small[0])
    gain = np.zeros_like(log)
    if usable.sum() > 100:
        for channel in range(3):
            answer = _robust_surface(terms[usable], log[..., channel][usable])
            gain[..., channel] = terms @ answer
    for _ in range(3):
        gain += _shadows(log - gain)[..., None]
    return np.exp(np.asarray(cv2.resize(gain, (width, height)), np.float32))


def _shadows(log: Floats) -> Floats:
    """(h, w) smooth change of brightness; pixels of another colour (cards) count almost nothing."""
    weight = 1 / (1 + (np.abs(log).max(axis=2) / 0.12) ** 2) ** 2 + 1e-4
    total = cv2.GaussianBlur(weight, (0, 0), _LOCAL)
    return np.asarray(cv2.GaussianBlur(weight * log.mean(axis=2), (0, 0), _LOCAL) / total)


def _robust_surface(terms: Floats, values: Floats) -> Floats:
    """Least squares that forgets what lies far off: the part of the picture with cards on."""
    counts, edges = np.histogram(values, 120)
    peak = int(np.convolve(counts, np.hanning(9), mode="same").argmax())
    guess = np.full(len(values), (edges[peak] + edges[peak + 1]) / 2)
    steady = 1e-3 * len(values) * np.diag(np.arange(terms.shape[1]) > 0)
    answer = np.zeros(terms.shape[1])
    for width in (0.3, 0.2, 0.12, 0.12, 0.08, 0.08):
        weight = 1 / (1 + ((values - guess) / width) ** 2) ** 2
        square = terms.T @ (terms * weight[:, None]) + steady
        answer = np.linalg.solve(square, terms.T @ (weight * values))
        guess = terms @ answer
    return np.asarray(answer, np.float32)


def _terms(height: int, width: int) -> Floats:
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2)
