"""Follow the table when it was knocked: where the slots of a calibrated table lie in a picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.layout import Points
from calibration.photo import Image
from calibration.table import Table
from calibration.warp import Bools, Floats, take

_LARGE = 1300  # pictures are halved until no side is longer than this
_POINTS = 250
_COARSE = 2  # the first guess is made this many times smaller still
_REACH = 0.45  # of a card's short side, in every direction: a fifth along both axes, and some


@dataclass(frozen=True)
class Followed:
    """`moves`: (n, 3, 3) float32, for each slot from the table's picture to this one.

    `shifted`: picture pixels that the slots have moved, all in all. `held`: the part of the
    tracked points that were found again where the others say. `kept`: correlation of the slopes
    around the slots with those of the empty table, at the best shift; `clear`: how far that shift
    stands out from chance, in standard deviations. `detail`: the part of the empty table around
    the slots that has clear slopes at all.
    """

    moves: Floats
    shifted: float
    held: float
    kept: float
    clear: float
    detail: float


class Follower:
    """Made once for a table; follows it from picture to picture."""

    def __init__(self, table: Table) -> None:
        self.outlines = np.array([table.outlines[slot] for slot in table.layout.slots])
        self.centres: Points = self.outlines.mean(axis=1)
        sides = np.linalg.norm(np.roll(self.outlines, -1, axis=1) - self.outlines, axis=2)
        self.card = float(np.median(sides.min(axis=1)))
        # Whole pixels become one: anything between costs ten times as much.
        self.scale = 1 / max(1, -(-max(table.size) // _LARGE))
        self.empty = self._grey(table.empty)
        self.evened = _evened(self.empty)
        self.points = self._points()
        self.marks = _marks(self.empty, self.points)
        self.field, self.window = self._directions(self.empty)
        self.around = self._around()
        strong = (self.field**2).sum(axis=2) > 0.25
        self.detail = float((strong * self.around).sum() / max(1.0, float(self.around.sum())))
        self.waves = _waves(self.field), _waves(self.field * self.around[..., None])

    def follow(self, image: Image) -> Followed:
        """Where the slots are now; the identity where nothing can be followed."""
        grey = self._grey(image)
        first, kept, clear = self._first_guess(grey)
        known = kept, clear, self.detail
        n = len(self.outlines)
        still = np.tile(np.eye(3, dtype=np.float32), (n, 1, 1))
        if len(self.points) < 6:
            return Followed(still, 0.0, 0.0, *known)
        start = self.points + first
        found, ok, _ = cv2.calcOpticalFlowPyrLK(
            *(self.evened, _evened(grey), self.points, start.copy()),
            winSize=(15, 15),
            maxLevel=1,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
            criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 12, 0.02),
        )
        good = (ok.ravel() > 0) & (np.abs(found - start).max(axis=1) < 0.2 * self.card * self.scale)
        good &= self._alike(grey, np.asarray(found, np.float32))
        if good.sum() < 6:
            by = first / self.scale
            still[:, :2, 2] += by
            return Followed(still, _length(by), 0.0, *known)
        moves, shifted, held = self._settle(self.points[good], found[good])
        return Followed(moves, shifted, held, *known)

    def _settle(self, before: Points, after: Points) -> tuple[Floats, float, float]:
        """One turn and shift for the table, then each slot a little by what lies near it."""
        whole, weight = _rigid(before, after, 1.0)
        left = after - _moved(before, whole)
        near = 1.5 * self.card * self.scale
        centres = self.centres * self.scale
        apart = ((centres[:, None] - before[None]) ** 2).sum(axis=2) / (2 * near * near)
        share = np.exp(-apart) * weight
        local = (share @ left) / (share.sum(axis=1) + 2.0)[:, None]
        moves = np.tile(np.eye(3), (len(centres), 1, 1))
        moves[:, :2, :2] = whole[:, :2]
        moves[:, :2, 2] = (whole[:, 2] + local) / self.scale
        shift = (_moved(centres, whole) + local - centres) / self.scale
        far = _length(np.median(shift, axis=0))
        return moves.astype(np.float32), far, float(weight.mean())

    def _grey(self, image: Image) -> Image:
        if self.scale < 1.0:
            size = (round(image.shape[1] * self.scale), round(image.shape[0] * self.scale))
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)

    def _points(self) -> Points:
        """Corners of the empty table worth following, on and around the tiles."""
        mask = np.zeros_like(self.empty)
        grown = self.centres[:, None] + (self.outlines - self.centres[:, None]) * 1.5
        for outline in grown * self.scale:
            cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 255)
        found = cv2.goodFeaturesToTrack(
            self.evened, _POINTS, 0.01, 0.08 * self.card * self.scale, mask=mask
        )
        # A plain table has none, and then cv2 returns None whatever its types promise.
        points = [] if not isinstance(found, np.ndarray) else found.reshape(-1, 2)
        return np.asarray(points, np.float32).reshape(-1, 2)

    def _directions(self, grey: Image) -> tuple[Floats, tuple[slice, slice]]:
        """Slope directions around the slots, ready for correlation, and where they were taken."""
        low, high = self.outlines.min(axis=(0, 1)), self.outlines.max(axis=(0, 1))
        edge = self.card
        step = self.scale / _COARSE
        x0, y0 = np.maximum((low - edge) * step, 0).astype(int)
        x1, y1 = ((high + edge) * step).astype(int)
        window = (slice(y0, y1), slice(x0, x1))
        return _slopes(_coarse(grey)[window]), window

    def _around(self) -> Floats:
        """(h, w) 1 where no card comes to lie, over the window of the slopes."""
        rows, columns = self.window
        mask = np.ones(self.field.shape[:2], np.float32)
        grown = self.centres[:, None] + (self.outlines - self.centres[:, None]) * 1.1
        for outline in grown * self.scale / _COARSE - (columns.start, rows.start):
            cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), 0)
        return mask

    def _first_guess(self, grey: Image) -> tuple[Points, float, float]:
        """Whole pixels of shift, from the directions of all slopes together; `kept`, `clear`."""
        now = _slopes(_coarse(grey)[self.window])
        waves = _waves(now)
        every, beside = (_correlation(one, waves) for one in self.waves)
        reach = max(2, int(_REACH * self.card * self.scale / _COARSE))
        reach = min(reach, min(every.shape) // 2 - 1)
        near = np.ix_(*(np.arange(-reach, reach + 1),) * 2)
        y, x = np.unravel_index(int(every[near].argmax()), (2 * reach + 1,) * 2)
        first = np.array([x - reach, y - reach], np.float32) * _COARSE
        best = float(beside[near].max())
        before, after = ((f * self.around[..., None]) ** 2 for f in (self.field, now))
        kept = best / (float(np.sqrt(before.sum() * after.sum())) + 1e-6)
        return (
            first,
            kept,
            (best - float(np.median(beside[::4, ::4]))) / (float(beside.std()) + 1e-9),
        )

    def _alike(self, grey: Image, found: Points) -> Bools:
        """Whether each point's surroundings look as before, whatever the light."""
        one, two = self.marks, _marks(grey, found)
        norm = np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)
        return np.asarray(np.einsum("np,np->n", one, two) > 0.6 * norm + 1e-6)


def _coarse(grey: Image) -> Image:
    size = (grey.shape[1] // _COARSE, grey.shape[0] // _COARSE)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _marks(grey: Image, points: Points) -> Floats:
    """(n, 225) the surroundings of points, about their mean."""
    frames = np.tile(np.eye(3, dtype=np.float32), (len(points), 1, 1))
    frames[:, :2, 2] = points
    flat = take(grey, frames, (15, 15)).reshape(len(points), -1).astype(np.float32)
    return np.asarray(flat - flat.mean(axis=1, keepdims=True))


def _slopes(grey: Image) -> Floats:
    """(h, w, 2) slopes, the strong ones held to about 1."""
    dx = cv2.Scharr(grey, cv2.CV_32F, 1, 0)
    dy = cv2.Scharr(grey, cv2.CV_32F, 0, 1)
    strength = np.sqrt(dx * dx + dy * dy)
    soft = strength + 3 * float(np.median(strength[::4, ::4])) + 30.0
    return np.stack([dx / soft, dy / soft], axis=2)


def _waves(field: Floats) -> Floats:
    """(h, w, 2) the spectrum of slopes (h, w, 2) as complex numbers, with room for shifts."""
    h, w = field.shape[:2]
    full = (cv2.getOptimalDFTSize(h + 32), cv2.getOptimalDFTSize(w + 32))
    padded = np.zeros((*full, 2), np.float32)
    padded[:h, :w] = field
    return np.asarray(cv2.dft(padded, flags=cv2.DFT_COMPLEX_OUTPUT), np.float32)


def _correlation(one: Floats, other: Floats) -> Floats:
    """(h, w) how well slopes agree at every shift, from both spectra."""
    product = cv2.mulSpectrums(other, one, 0, conjB=True)
    return np.asarray(cv2.idft(product, flags=cv2.DFT_SCALE)[..., 0], np.float32)


def _evened(grey: Image) -> Image:
    """Contrast made the same in light and shadow."""
    mean = cv2.boxFilter(grey, -1, (31, 31))
    return np.asarray(cv2.divide(grey, np.minimum(mean, 247) + 8, scale=128), np.uint8)


def _rigid(before: Points, after: Points, spread: float) -> tuple[Floats, Floats]:
    """(2, 3) turn and shift that most points agree on, and each point's weight."""
    weight = np.ones(len(before), np.float32)
    shift = np.median(after - before, axis=0)
    weight = _tukey(after - before - shift, 6 * spread)
    move = np.eye(2, 3, dtype=np.float32)
    for reach in (6, 6, 4, 3, 3):
        if weight.sum() < 3:
            break
        total = weight.sum()
        a, b = (weight @ before) / total, (weight @ after) / total
        p, q = before - a, after - b
        dot = float((weight * (p * q).sum(axis=1)).sum()) + 1e-9
        cross = float((weight * (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])).sum())
        angle = float(np.arctan2(cross, dot))
        size = float(np.hypot(dot, cross) / ((weight * (p * p).sum(axis=1)).sum() + 1e-9))
        size = 1 + (size - 1) * 0.9
        c, s = size * np.cos(angle), size * np.sin(angle)
        turn = np.array([[c, -s], [s, c]])
        move = np.column_stack([turn, b - turn @ a]).astype(np.float32)
        weight = _tukey(after - _moved(before, move), reach * spread)
    return move, weight


def _tukey(away: Points, reach: float) -> Floats:
    square = (away * away).sum(axis=1) / (reach * reach)
    return np.asarray(np.clip(1 - square, 0, 1) ** 2, np.float32)


def _moved(points: Points, move: Floats) -> Points:
    return np.asarray(points @ move[:, :2].T + move[:, 2], np.float32)


def _length(by: Points) -> float:
    return float(np.hypot(by[0], by[1]))
