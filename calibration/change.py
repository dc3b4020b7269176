"""What changed between two photographs of one view, whatever the light did meanwhile."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lines import between_lines
from calibration.photo import Image
from calibration.slopes import Floats, length, new_edges, shrunk_slopes, slopes

Mask = npt.NDArray[np.uint8]

_DARK, _BRIGHT = 6, 249
_PULL = 4.0
_LIGHT = 240  # long side of the small picture on which light is worked out
_LOCAL = 10  # how far light may change within it, in pixels
_OUTLINE = 960  # long side of the picture in which closed outlines are sought
_NOISE = 3.0
_NUDGE = 0.5
_BARE = 0.25
_MOSTLY = 0.55


@dataclass(frozen=True)
class Change:
    """The empty and the filled photograph, brought to one light.

    `before`: (H, W, 3) float32, the empty photograph in the light of the other. `after`: the
    filled one, float32. `changed`: (H, W) float32, 1 where something new lies, 0 where not,
    whole but not exact at its rim. `differs`: (H, W) float32, 1 where the colour is another, exact
    but with holes where a card looks like what is under it.
    """

    before: Floats
    after: Floats
    changed: Floats
    differs: Floats


class Comparison:
    """Two photographs of one view: the change of light is fitted once, then what it leaves."""

    def __init__(self, empty: Image, filled: Image) -> None:
        self._before, self._after = empty.astype(np.float32), filled.astype(np.float32)
        self._light = _Light(self._before, self._after)
        self._gain = self._light.everywhere()
        self._lit = _lit(self._before, self._gain)

    def by_outlines(self, edge: float) -> Change:
        """Find things by closed outlines of new edges and measure the light beside them.

        `edge`: how many times steeper than usual such edges are.
        """
        return self._around(_enclosed(self._lit, self._after, edge))

    def by_lines(self, slots: int) -> Change:
        """The same by straight lines that need not close: cards hardly unlike what is under them.

        `slots`: how many cards lie there, roughly.
        """
        inside = between_lines(self._lit, self._after, slots)
        change = self._around(inside)
        differs = cv2.blur(change.differs, (15, 15))
        if inside.any() and float(differs[inside > 0].mean()) > _MOSTLY:
            # Most of it looks different, so what does not is the room between the cards.
            return self._around(inside * np.asarray(differs > 0.4, np.uint8))
        return change

    def _around(self, inside: Mask) -> Change:
        lit = _lit(self._before, self._light.beside(self._gain, inside))
        near = cv2.dilate(inside, np.ones((9, 9), np.uint8))
        core = cv2.erode(inside, np.ones((9, 9), np.uint8))
        differs = _differing(lit, self._after) * (0.5 + 0.5 * near)
        changed = np.maximum(differs, core.astype(np.float32))
        return Change(lit, self._after, changed, differs)

    def by_colour(self) -> Change:
        """Find things by colour alone, in pictures too noisy for outlines."""
        differs = _differing(self._lit, self._after)
        return Change(self._lit, self._after, differs, differs)


def _lit(before: Floats, gain: Floats) -> Floats:
    return np.asarray(np.clip((before + _PULL) * gain - _PULL, 0, 255), np.float32)


def _differing(before: Floats, after: Floats) -> Floats:
    """(H, W) 0 to 1; the bar lies between the two heaps that noise and cards make."""
    distance = length(cv2.GaussianBlur(after - before, (0, 0), 1.2))
    # Beside an edge a nudge of a fraction of a pixel makes a difference too.
    half = cv2.resize(before, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    steep = length(slopes(np.asarray(half, np.float32), 0.6)) / 16
    steep = np.asarray(cv2.resize(steep, distance.shape[::-1]), np.float32)
    distance = np.maximum(distance - _NUDGE * steep, 0)
    distance = distance / max(float(np.median(distance)), 1.0)
    level = np.clip(np.log2(distance + 1) * 32, 0, 255).astype(np.uint8)
    least = np.log2(_NOISE + 1) * 32
    above = level[level > least].reshape(1, -1)
    split = cv2.threshold(above, 0, 255, cv2.THRESH_OTSU)[0] if above.size else least
    # Cards split once more (glare on some) must not lift the bar far above the noise.
    bar = float(np.clip((2 ** (split / 32) - 1) / 2, _NOISE, 4 * _NOISE))
    return np.asarray(np.clip(distance / bar - 0.5, 0, 1), np.float32)


def _enclosed(before: Floats, after: Floats, edge: float) -> Mask:
    """(H, W) 1 in things with a closed outline of new edges; light has no sharp outline."""
    height, width = before.shape[:2]
    then, now = (shrunk_slopes(picture, _OUTLINE, 2.0) for picture in (before, after))
    steep = new_edges(now, then)
    usual = max(0.3, float(np.median(steep[steep > 0]))) if (steep > 0).any() else 1.0
    count, labels = cv2.connectedComponents(np.asarray(steep > edge * usual, np.uint8))
    clear = np.zeros(count, bool)
    clear[np.unique(labels[steep > 2 * edge * usual])] = True
    clear[0] = False
    lines = np.pad(clear[labels].astype(np.uint8), 8)
    lines = cv2.morphologyEx(lines, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    cv2.floodFill(lines, None, (0, 0), [2])
    lines = lines[8:-8, 8:-8]
    solid = np.asarray(lines != 2, np.uint8)
    solid[
        _kept_bare(lines == 0, cv2.resize(np.abs(after - before).sum(axis=2), steep.shape[::-1]))
    ] = 0
    whole = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def _kept_bare(holes: npt.NDArray[np.bool_], difference: Floats) -> npt.NDArray[np.bool_]:
    """(h, w) those of the enclosed holes that hardly differ while most do: cards laid in a ring."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(holes.astype(np.uint8))
    sizes = stats[:, cv2.CC_STAT_AREA].astype(float)
    sums = np.bincount(labels.ravel(), difference.ravel(), count)
    mean = sums / np.maximum(sizes, 1)
    sizes[0] = 0
    order = np.argsort(mean)
    half = np.searchsorted(np.cumsum(sizes[order]), sizes.sum() / 2)
    usual = mean[order[min(int(half), count - 1)]]
    noise = float(np.median(difference))
    bare = (mean - noise < _BARE * (usual - noise)) & (sizes > 0)
    return np.asarray(bare[labels])


class _Light:
    """How many times brighter the second picture is, worked out on small pictures."""

    def __init__(self, before: Floats, after: Floats) -> None:
        height, width = before.shape[:2]
        part = _LIGHT / max(height, width)
        self.full = (width, height)
        self.small = (max(2, round(width * part)), max(2, round(height * part)))
        one, two = (
            cv2.resize(picture, self.small, interpolation=cv2.INTER_AREA)
            for picture in (before, after)
        )
        self.log = np.asarray(np.log((two + _PULL) / (one + _PULL)), np.float32)
        within = (one > _DARK) & (one < _BRIGHT) & (two > _DARK) & (two < _BRIGHT)
        self.usable = within.all(axis=2)

    def everywhere(self) -> Floats:
        """(H, W, 3) gain: a smooth surface a channel, then shadows for all channels alike."""
        terms = _terms(self.small[1], self.small[0])
        gain = np.zeros_like(self.log)
        if self.usable.sum() > 100:
            for channel in range(3):
                answer = _robust_surface(terms[self.usable], self.log[self.usable, channel])
                gain[..., channel] = terms @ answer
        for _ in range(3):
            rest = self.log - gain
            weight = 1 / (1 + (np.abs(rest).max(axis=2) / 0.12) ** 2) ** 2 + 1e-4
            gain += _smooth(rest.mean(axis=2, keepdims=True), weight)
        return self._grown(gain)

    def beside(self, gain: Floats, inside: Mask) -> Floats:
        """The same, refined by what lies beside the things inside which all is new."""
        rough = np.log(cv2.resize(gain, self.small, interpolation=cv2.INTER_AREA))
        new = cv2.resize(inside.astype(np.float32), self.small, interpolation=cv2.INTER_AREA)
        new = cv2.dilate(new, np.ones((3, 3), np.uint8))
        rest = self.log - rough
        weight = (new < 0.05) / (1 + (np.abs(rest).max(axis=2) / 0.5) ** 2) + 1e-4
        return self._grown(rough + _smooth(rest, weight.astype(np.float32)))

    def _grown(self, gain: Floats) -> Floats:
        return np.exp(np.asarray(cv2.resize(gain, self.full), np.float32))


def _smooth(values: Floats, weight: Floats) -> Floats:
    """(h, w, n) weighted mean of the neighbourhood."""
    total = cv2.GaussianBlur(weight, (0, 0), _LOCAL)[..., None]
    spread = cv2.GaussianBlur(values * weight[..., None], (0, 0), _LOCAL)
    return np.asarray(spread.reshape(values.shape) / total, np.float32)


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
