"""A glance at every slot: cheap enough for each frame, blind to light, awake to anything new."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.layout import Points
from calibration.photo import Image

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]

_ACROSS, _DOWN = 12, 18  # cells of a slot
_FINE = 2  # samples a cell, across and down
_WIDER = 1.12  # how far a glance goes beyond the slot, so that a card's edge is inside it
_DARK = 8  # added before the logarithm, so that noise in the dark does not count
_LOG = np.log(np.arange(256) + _DARK).astype(np.float32)
_GIVE = 0.3  # of a cell: how far an edge may shift before it counts
_SPREAD = 1.48  # from the median of what is left to its standard deviation
_TINT = 0.05  # log brightness by which the colour of light may differ from slot to slot
_LEAST = 0.045  # log brightness that always counts as the same
_LONG_AGO = 0.15  # the same when much time has passed


class Glance:
    """Samples slots of a picture; `outlines` is (n, 4, 2) in the picture."""

    def __init__(self, outlines: Points) -> None:
        across, down = _ACROSS * _FINE, _DOWN * _FINE
        x, y = np.meshgrid((np.arange(across) + 0.5) / across, (np.arange(down) + 0.5) / down)
        flat = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        places = []
        for outline in outlines:
            wide = outline.mean(axis=0) + (outline - outline.mean(axis=0)) * _WIDER
            place = cv2.getPerspectiveTransform(square, np.asarray(wide, np.float32)) @ flat
            places.append((place[:2] / place[2]).reshape(2, down, across))
        # Side by side: cv2.remap counts rows and columns in 16 bits.
        stacked = np.concatenate(places, axis=2).astype(np.float32)
        self._where, self._between = cv2.convertMaps(stacked[0], stacked[1], cv2.CV_16SC2)
        self._count = len(outlines)

    def look(self, image: Image) -> Floats:
        """(n, 3, 18, 12) float32: the logarithm of each cell's brightness in blue, green, red."""
        fine = cv2.remap(
            image, self._where, self._between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        cells = cv2.resize(fine, (self._count * _ACROSS, _DOWN), interpolation=cv2.INTER_AREA)
        # Colours apart: numpy is slow where the last axis has but three numbers.
        slots = cells.reshape(_DOWN, self._count, _ACROSS, 3).transpose(1, 3, 0, 2)
        return np.asarray(_LOG[np.ascontiguousarray(slots)])


class Memory:
    """How every slot looked when it was last understood, and whether it still looks so.

    `noise` is by how many grey levels cells differ from frame to frame though nothing moves.
    """

    def __init__(self, look: Floats) -> None:
        self.look = look.copy()
        self.noise = 1.0
        self._plane = _planes()
        self._low, self._high = _bounds(self.look)
        self._fine = np.exp(-self.look)

    def keep(self, look: Floats, which: npt.NDArray[np.bool_]) -> None:
        """Remember these slots as they look now."""
        self.look[which] = look[which]
        self._low[which], self._high[which] = _bounds(look[which])
        self._fine[which] = np.exp(-look[which])

    def drift(self, look: Floats, which: npt.NDArray[np.bool_], part: float) -> None:
        """Follow slow light: let the memory of these slots become a part more like now."""
        self.keep(self.look + np.float32(part) * (look - self.look), which)

    def stir(self, look: Floats) -> Numbers:
        """(n,) the part of each slot's cells that no smooth change of light explains."""
        return self._differ(look, self.look, (self._low, self._high), self._fine)

    def unlike(self, look: Floats, other: Floats) -> Numbers:
        """(n,) the same against a look of long ago, when the light may have been quite another."""
        return self._differ(look, other, _bounds(other), np.exp(-other), _LONG_AGO)

    def replaced(self, look: Floats, calm: npt.NDArray[np.bool_]) -> Numbers:
        """(n,) the same, but with brightness: only light that all `calm` slots share is taken out.

        A plain pale card on a darker tile would else be taken for light.
        """
        change = look - self.look
        light = change[calm] if calm.any() else change
        rest = np.abs(change - np.median(light.mean(axis=(2, 3)), axis=0)[:, None, None])
        bar = np.maximum(np.float32(_LONG_AGO), np.float32(4 * self.noise) * self._fine)
        return _part(rest > bar)

    def motion(self, look: Floats, before: Floats) -> Numbers:
        """(n,) the same between two frames; learns the noise from the slots that are still."""
        fine = np.exp(-before)
        rest = (self._without_light(look, before) - before) / fine
        self.noise += 0.1 * (_SPREAD * float(np.median(np.abs(rest))) - self.noise)
        return self._differ(look, before, _bounds(before), fine)

    def _differ(
        self,
        look: Floats,
        before: Floats,
        bounds: tuple[Floats, Floats],
        fine: Floats,
        least: float = _LEAST,
    ) -> Numbers:
        # The same noise weighs more in the dark, where a grey level is much of the brightness.
        bar = np.maximum(np.float32(least), np.float32(4 * self.noise) * fine)
        even = self._without_light(look, before)
        return _part((even > bounds[1] + bar) | (even < bounds[0] - bar))

    def _without_light(self, look: Floats, before: Floats) -> Floats:
        """The look in the light of `before`.

        Light is smooth, so within a slot its brightness is a slope; its colour changes for the
        whole table, and little from slot to slot. More than that is something that lies there.
        """
        n = len(look)
        change = (look - before).reshape(n, 3, -1)
        bright = change.mean(axis=1)
        # What changed much is no light; a second fit without it is little disturbed by it.
        slope = (bright @ self._plane.T) @ self._plane
        calm = np.clip(bright - slope, -0.2, 0.2) + slope
        slope = (calm @ self._plane.T) @ self._plane
        tint = change.mean(axis=2) - bright.mean(axis=1)[:, None]
        common = np.median(tint, axis=0)
        tint = common + np.clip(tint - common, -_TINT, _TINT)
        light = slope[:, None] + tint[:, :, None]
        return np.asarray(look - light.reshape(look.shape), np.float32)


def _part(away: npt.NDArray[np.bool_]) -> Numbers:
    """(n,) the part of the cells that are away in any colour, of (n, 3, 18, 12)."""
    return np.asarray((away[:, 0] | away[:, 1] | away[:, 2]).mean(axis=(1, 2)))


def _planes() -> Floats:
    """(3, cells) orthonormal: constant, across, down."""
    y, x = np.mgrid[-1 : 1 : _DOWN * 1j, -1 : 1 : _ACROSS * 1j]
    basis = np.stack([np.ones(x.size), x.ravel(), y.ravel()])
    return np.asarray(basis / np.linalg.norm(basis, axis=1, keepdims=True), np.float32)


def _bounds(look: Floats) -> tuple[Floats, Floats]:
    """Between what values each cell may lie when edges shift by a part of a cell."""
    wide = np.pad(look, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="edge")
    rows = (wide[:, :, :-2], wide[:, :, 1:-1], wide[:, :, 2:])
    down_low, down_high = np.minimum.reduce(rows), np.maximum.reduce(rows)
    low = np.minimum.reduce((down_low[..., :-2], down_low[..., 1:-1], down_low[..., 2:]))
    high = np.maximum.reduce((down_high[..., :-2], down_high[..., 1:-1], down_high[..., 2:]))
    give = np.float32(_GIVE)
    return look + give * (low - look), look + give * (high - look)
