"""The flat table: from the picture to a plane in which cards are equal rectangles, and back."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """How the camera sees the table; one unit on the flat table is the width of a card.

    `middle`, `half`: the picture's centre and half its long side, in pixels. `matrix`: (3, 3)
    from picture points, straightened and counted in `half` from `middle`, to the flat table.
    `bend`: how much the lens bends lines, as r -> r (1 + bend r^2).
    """

    middle: tuple[float, float]
    half: float
    matrix: Reals
    bend: float = 0.0

    def to_flat(self, points: Reals) -> Reals:
        """(..., 2) picture points on the flat table."""
        q: Reals = (np.asarray(points, float) - self.middle) / self.half
        q = q * (1 + self.bend * (q**2).sum(axis=-1, keepdims=True))
        return _project(self.matrix, np.asarray(q, float))

    def to_picture(self, points: Reals) -> Reals:
        """(..., 2) flat points in the picture."""
        inverse = np.asarray(np.linalg.inv(self.matrix), np.float64)
        straight = _project(inverse, np.asarray(points, float))
        q = straight
        for _ in range(12):
            q = straight / (1 + self.bend * (q**2).sum(axis=-1, keepdims=True))
        return q * self.half + self.middle

    def changed(self, step: Reals) -> "View":
        """The view with its nine numbers moved by `step`: eight of the matrix, then the bend."""
        matrix = self.matrix.copy()
        matrix.ravel()[:8] += step[:8]
        return replace(self, matrix=matrix, bend=self.bend + float(step[8]))


def view_from_matrix(matrix: Reals, size: tuple[int, int]) -> View:
    """A view without bend from a (3, 3) matrix of picture to flat table."""
    width, height = size
    middle, half = ((width - 1) / 2, (height - 1) / 2), max(width, height) / 2
    spread = np.array([[half, 0, middle[0]], [0, half, middle[1]], [0, 0, 1]])
    own = matrix @ spread
    return View(middle, half, own / own[2, 2])


def _project(matrix: Reals, points: Reals) -> Reals:
    spread = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(spread[..., :2] / spread[..., 2:])
