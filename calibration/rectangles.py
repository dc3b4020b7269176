"""Where cards of one size may lie: a map for every kind of slot, high at a card's centre.

Cards touch and lie askew, so their blobs merge; but every card still has four straight sides
where the picture now has an edge that the empty table had not.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.frame import Floats, Frame, Heap, look_at_heap
from calibration.layout import Layout

Kind = tuple[float, float, float]  # width, height and turn of a slot in the layout, degrees

APART = 0.75
ASKEW = (-8.0, -4.0, 0.0, 4.0, 8.0)
_ROUGH_ASKEW = (-3.5, 0.0, 3.5)
LIKELY = 0.8
_ODD = 0.35
_BUSY = 0.7
_TILTS = (-0.21, -0.14, -0.07, 0.07, 0.14, 0.21)


def respond(frame: Frame, kind: Kind, askew: Iterable[float] = ASKEW) -> tuple[Floats, Floats]:
    """(h, w) 0 to 1 how well a card of this kind fits there, and the turn that fits best."""
    width, height, turn = kind
    best = np.full(frame.inside.shape, -1.0, np.float32)
    angle = np.zeros(frame.inside.shape, np.float32)
    for lean in askew:
        fit = _respond_upright(frame, width, height, turn + lean)
        angle = np.where(fit > best, np.float32(lean), angle)
        best = np.maximum(best, fit)
    return best, angle


def _respond_upright(frame: Frame, width: float, height: float, turn: float) -> Floats:
    """The same for one turn, by turning the frame's pictures the other way."""
    quarter = round(turn / 90) % 2 == 1
    if quarter:
        width, height = height, width
        turn -= 90
    turn = (turn + 45) % 90 - 45
    across, down, inside = (_rotated(p, turn) for p in (frame.across, frame.down, frame.inside))
    upright = cv2.blur(across, (1, max(3, int(0.8 * height))))
    level = cv2.blur(down, (max(3, int(0.8 * width)), 1))
    # A side stands out from what is beside it; a busy print is steep everywhere.
    beside = max(5, int(0.4 * min(width, height)))
    upright = np.maximum(upright - _BUSY * cv2.blur(upright, (beside, 1)), 0)
    level = np.maximum(level - _BUSY * cv2.blur(level, (1, beside)), 0)
    sides = [
        _moved(upright, -width / 2, 0),
        _moved(upright, width / 2, 0),
        _moved(level, 0, -height / 2),
        _moved(level, 0, height / 2),
    ]
    filled = cv2.blur(inside, (max(3, int(0.85 * width)), max(3, int(0.85 * height))))
    fit = (sides[0] + sides[1] + sides[2] + sides[3]) / 4 * (0.4 + 0.6 * filled)
    return _rotated(np.asarray(fit, np.float32), -turn)


@dataclass(frozen=True)
class Sized:
    """A frame in which cards are of one size: frame pixels a layout unit `across` and `down`.

    `score`: how well separate cards of that size cover what lies there.
    """

    frame: Frame
    across: float
    down: float
    score: float


def size_cards(heap: Heap, layout: Layout) -> list[tuple[int, Sized]]:
    """The size of cards and the side from which the camera looks that fit best together.

    Tried for the layout as it is and turned by a quarter; a quarter that does not suit is left out.
    """
    flat = look_at_heap(heap)
    rough = [(quarter, _rough_size(flat, layout, bool(quarter))) for quarter in (0, 1)]
    bar = LIKELY * max(sized.score for _, sized in rough)
    return [
        (quarter, _levelled(heap, sized, layout, bool(quarter)))
        for quarter, sized in rough
        if sized.score >= bar
    ]


def _rough_size(flat: Frame, layout: Layout, quarter: bool) -> Sized:
    return _best(
        _sized(flat, (across, across * ratio), layout, quarter)
        for across in flat.unit * np.geomspace(0.75, 1.33, 7)
        for ratio in np.geomspace(0.78, 1.28, 5)
    )


def _levelled(heap: Heap, rough: Sized, layout: Layout, quarter: bool) -> Sized:
    """The same, the heap seen from the side that makes its cards most alike in size."""
    ratio = rough.down / rough.across
    frames = [rough.frame, *(look_at_heap(heap, (tilt, 0.0)) for tilt in _TILTS)]
    rough = _best(
        _sized(frame, (across, across * ratio), layout, quarter)
        for frame in frames
        for across in rough.across * np.array([0.9, 1.0, 1.11, 1.23])
    )
    along = rough.frame.tilt[0]
    frames = [rough.frame, *(look_at_heap(heap, (along, tilt)) for tilt in _TILTS)]
    rough = _best(_sized(frame, (rough.across, rough.down), layout, quarter) for frame in frames)
    return _best(
        _sized(
            rough.frame, (rough.across * wider, rough.down * higher), layout, quarter, _ROUGH_ASKEW
        )
        for wider in (0.95, 1.0, 1.05)
        for higher in (0.95, 1.0, 1.05)
    )


def _best(tries: Iterable[Sized]) -> Sized:
    return max(tries, key=lambda one: one.score)


def _sized(
    frame: Frame,
    scales: tuple[float, float],
    layout: Layout,
    quarter: bool,
    askew: tuple[float, ...] = (0.0,),
) -> Sized:
    """How well cards of this size fit in the frame."""
    shapes = [(s.w, s.h, s.turn) for s in layout.slots.values()]
    kind = kind_in_frame(max(set(shapes), key=shapes.count), scales, quarter)
    fit, _ = respond(frame, kind, askew)
    xs, ys, values = peaks(fit, kind, len(layout.slots))
    cards = [(np.array([x, y], float), kind) for x, y in zip(xs, ys, strict=True)]
    fits = float(values.sum()) * agreement(frame.inside, cards)
    # Where edges say little, the area that changed and the layout's own shape do.
    across, down = scales
    odd = np.hypot(np.log(np.sqrt(across * down) / frame.unit), np.log(down / across))
    odd = np.hypot(odd, np.hypot(*frame.tilt) / 2)
    return Sized(frame, across, down, fits * float(np.exp(-((odd / _ODD) ** 2) / 2)))


def kind_in_frame(kind: Kind, scales: tuple[float, float], quarter: bool) -> Kind:
    """A slot's width, height and turn in frame pixels."""
    w, h, turn = kind
    turn = (turn + 90 * quarter) % 180
    lying = round(turn / 90) % 2 == 1
    across, down = scales[::-1] if lying else scales
    return w * across, h * down, turn


def peaks(
    fit: Floats, kind: Kind, most: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """x, y and height of a map's tops, highest first, where cards of a kind hardly overlap."""
    wide, high = extent(kind)
    reach = np.ones((2 * int(APART * high) + 1, 2 * int(APART * wide) + 1), np.uint8)
    y, x = np.nonzero((fit >= cv2.dilate(fit, reach)) & (fit > 0.05))
    order = np.argsort(-fit[y, x], kind="stable")[:most]
    return x[order], y[order], fit[y, x][order]


def agreement(inside: Floats, cards: Iterable[tuple[npt.NDArray[np.float64], Kind]]) -> float:
    """How well cards of a kind at (x, y), roughly upright, cover just the inside: 0 to 1."""
    under = np.zeros(inside.shape, np.float32)
    for (x, y), kind in cards:
        wide, high = extent(kind)
        top, left = max(0, round(y - high / 2)), max(0, round(x - wide / 2))
        under[top : max(0, round(y + high / 2)), left : max(0, round(x + wide / 2))] = 1
    both = float((under * inside).sum())
    return both / max(1.0, float(inside.sum() + under.sum()) - both)


def swollen(inside: Floats, by: int) -> Floats:
    """The inside grown by pixels, so that gaps between cards do not count."""
    return np.asarray(cv2.dilate(inside, np.ones((2 * by + 1, 2 * by + 1), np.uint8)), np.float32)


def extent(kind: Kind) -> tuple[float, float]:
    """Width and height that a card of a kind takes up in the frame."""
    lying = round(kind[2] / 90) % 2 == 1
    return (kind[1], kind[0]) if lying else (kind[0], kind[1])


def _rotated(picture: Floats, turn: float) -> Floats:
    """The picture turned anticlockwise by degrees about its middle."""
    if turn == 0:
        return picture
    size = picture.shape[::-1]
    matrix = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), turn, 1)
    return np.asarray(cv2.warpAffine(picture, matrix, size), np.float32)


def _moved(picture: cv2.typing.MatLike, x: float, y: float) -> Floats:
    """The picture looked up at an offset of (x, y)."""
    shift = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    return np.asarray(cv2.warpAffine(picture, shift, picture.shape[::-1]), np.float32)
