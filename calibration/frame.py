"""A small picture of the changed part in which cards stand upright and are all of one size."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.change import Change
from calibration.layout import Layout
from calibration.slopes import new_edges

Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]

CARD = 24  # pixels a card is wide in the frame
PIECE = 7  # pixels along a side over which slopes are summed
ROOM = 1.6  # empty room left around the cards, in card widths


@dataclass(frozen=True)
class Frame:
    """x runs along one side of the cards, y along the other.

    `to_frame`: (3, 3) from the compared pictures. `across`, `down`: (h, w) float32, 0 to 1, edges
    of sides that run down and across. `inside`: (h, w) float32, 1 where something new lies.
    `unit`: frame pixels a layout unit, by the area that changed. `tilt`: see look_at_heap.
    """

    to_frame: Reals
    across: Floats
    down: Floats
    inside: Floats
    unit: float
    tilt: tuple[float, float]

    def to_picture(self, points: Reals) -> Reals:
        """(n, 2) points of the frame in the compared pictures."""
        return _project(np.asarray(np.linalg.inv(self.to_frame), np.float64), points)


@dataclass(frozen=True)
class Heap:
    """The changed part that holds together as one table, and the directions of its cards.

    `before`, `after`, `row`: the compared pictures and the changed part, softened. `axes`: (2, 2)
    from the pictures to a frame seen from straight above. `spread`: (n, 2) its points there.
    `unit`: frame pixels a layout unit, by area.
    """

    before: Floats
    after: Floats
    row: Floats
    axes: Reals
    spread: Reals
    unit: float


def find_heap(change: Change, layout: Layout) -> Heap | None:
    """Where the cards lie and how the picture must be turned to see them upright; None if nowhere.

    Things that moved elsewhere in the picture are dropped.
    """
    area = sum(slot.w * slot.h for slot in layout.slots.values())
    width = min(min(slot.w, slot.h) for slot in layout.slots.values())
    row = _main_heap(change.changed, len(layout.slots))
    if row is None:
        return None
    row = _without_holes(row, 0.25 * float(row.sum()) / len(layout.slots))
    unit = float(np.sqrt(row.sum() / area))
    axes = np.stack([_unit_vector(angle) for angle in _directions(row)])
    axes *= CARD / (unit * width)
    ys, xs = np.nonzero(row > 0.5)
    soft = max(0.4, 0.5 * unit * width / CARD)
    before, after, row = (
        np.asarray(cv2.GaussianBlur(picture, (0, 0), soft), np.float32)
        for picture in (change.before, change.after, row)
    )
    return Heap(before, after, row, axes, np.stack([xs, ys], axis=1) @ axes.T, CARD / width)


def look_at_heap(heap: Heap, tilt: tuple[float, float] = (0.0, 0.0)) -> Frame:
    """The heap seen straight from above if the camera looks from the side by `tilt`.

    `tilt`: how much farther off than the heap's middle a point is that lies half the heap's
    longer side to the right, or down, as a part.
    """
    low, high = heap.spread.min(axis=0), heap.spread.max(axis=0)
    middle, half = (low + high) / 2, max(1.0, float((high - low).max()) / 2)
    flat = np.eye(3)
    flat[:2, :2], flat[:2, 2] = heap.axes, -middle
    level = np.eye(3)
    level[2, :2] = -np.array(tilt) / half
    ends = np.array([low, (high[0], low[1]), high, (low[0], high[1])]) - middle
    seen = _project(level, ends)
    low, high = seen.min(axis=0) - ROOM * CARD, seen.max(axis=0) + ROOM * CARD
    corner = np.eye(3)
    corner[:2, 2] = -low
    to_frame = corner @ level @ flat
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    after, before, inside = (
        np.asarray(
            cv2.warpPerspective(picture, to_frame, size, borderMode=cv2.BORDER_REPLICATE),
            np.float32,
        )
        for picture in (heap.after, heap.before, heap.row)
    )
    near = cv2.dilate(inside, np.ones((5, 5), np.uint8)) > 0.4
    edges = [
        near * new_edges(*(_slopes_along(picture, bool(dx)) for picture in (after, before)))
        for dx in (1, 0)
    ]
    usual = max(1.0, float(np.median(np.maximum(*edges)[near])))
    across, down = (np.asarray(edge / (edge + usual), np.float32) for edge in edges)
    return Frame(
        np.asarray(to_frame, np.float64),
        np.asarray(cv2.GaussianBlur(across, (0, 0), 0.8), np.float32),
        np.asarray(cv2.GaussianBlur(down, (0, 0), 0.8), np.float32),
        inside,
        heap.unit,
        tilt,
    )


def _slopes_along(picture: Floats, across: bool) -> Floats:
    """(h, w, 3) slopes across or down, the mean along a piece of a side: noise cancels out."""
    steep = cv2.Sobel(picture, cv2.CV_32F, int(across), int(not across))
    return np.asarray(cv2.blur(steep, (1, PIECE) if across else (PIECE, 1)), np.float32)


def _project(matrix: Reals, points: Reals) -> Reals:
    spread = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(spread[..., :2] / spread[..., 2:])


def _main_heap(changed: Floats, slots: int) -> Floats | None:
    """The changed part that holds together as one table; things moved elsewhere are dropped."""
    specks = np.asarray(changed > 0.5, np.uint8)
    solid = cv2.morphologyEx(specks, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if solid.sum() < 20 * slots:
        return None
    reach = int(1.5 * np.sqrt(solid.sum() / slots))
    wide = cv2.dilate(
        solid, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * (reach // 2) + 1,) * 2)
    )
    _, labels = cv2.connectedComponents(wide)
    sizes = np.bincount(labels[solid > 0], minlength=2)
    sizes[0] = 0
    return np.asarray(changed * (labels == sizes.argmax()), np.float32)


def _without_holes(row: Floats, largest: float) -> Floats:
    """Fill holes of up to so many pixels: print that looks like what is under it."""
    holes = np.asarray(row <= 0.5, np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(holes, connectivity=4)
    small = stats[:, cv2.CC_STAT_AREA] <= largest
    small[0] = False
    return np.where(small[labels], np.float32(1), row)


def _directions(row: Floats) -> tuple[float, float]:
    """Degrees of the normals of the two families of sides: near x and near y of the frame."""
    soft = cv2.GaussianBlur(row, (0, 0), 1.5)
    dx, dy = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    angle = np.degrees(np.arctan2(dy, dx)) % 180
    counts, _ = np.histogram(angle, 180, (0, 180), weights=np.hypot(dx, dy))
    kernel = np.exp(-(np.arange(-12, 13) ** 2) / 18)
    smooth = np.convolve(np.concatenate([counts[-12:], counts, counts[:12]]), kernel, "valid")
    first = int((smooth[:90] + smooth[90:]).argmax())

    def settle(middle: int) -> float:
        around = np.arange(-12, 13)
        weight = smooth[(middle + around) % 180]
        weight = (weight - weight.min()) ** 2
        return middle + 0.5 + float((weight * around).sum() / max(weight.sum(), 1e-6))

    return settle(first), settle(first + 90)


def _unit_vector(degrees: float) -> npt.NDArray[np.float64]:
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
