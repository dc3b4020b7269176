"""Where cards of one size may lie: a map for every kind of slot, high at a card's centre.

Cards touch and lie askew, so their blobs merge; but every card still has four straight sides
where the picture now has an edge that the empty table had not.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.change import Change, new_edges
from calibration.layout import Layout, Points

Floats = npt.NDArray[np.float32]
Kind = tuple[float, float, float]  # width, height and turn of a slot in the layout, degrees

CARD = 24  # pixels a card is wide in the frame
APART = 0.75
ASKEW = (-8.0, -4.0, 0.0, 4.0, 8.0)
_ROUGH_ASKEW = (-3.5, 0.0, 3.5)


@dataclass(frozen=True)
class Frame:
    """A small upright picture of the changed part, x along one side of the cards, y the other.

    `to_frame`: (2, 3) from the compared pictures. `across`, `down`: (h, w) float32, 0 to 1, edges
    of sides that run down and across. `inside`: (h, w) float32, 1 where something new lies.
    `unit`: frame pixels a layout unit, by the area that changed.
    """

    to_frame: Points
    across: Floats
    down: Floats
    inside: Floats
    unit: float


def make_frame(change: Change, layout: Layout) -> Frame | None:
    """Turn the picture so that cards stand upright, scaled to small cards; None if nothing new."""
    area = sum(slot.w * slot.h for slot in layout.slots.values())
    width = min(min(slot.w, slot.h) for slot in layout.slots.values())
    row = _main_heap(change.changed, len(layout.slots))
    if row is None:
        return None
    unit = float(np.sqrt(row.sum() / area))
    axes = np.stack([_unit_vector(angle) for angle in _directions(row)])
    axes *= CARD / (unit * width)
    ys, xs = np.nonzero(row > 0.5)
    points = np.stack([xs, ys], axis=1) @ axes.T
    low, high = points.min(axis=0) - 1.6 * CARD, points.max(axis=0) + 1.6 * CARD
    to_frame = np.hstack([axes, -low[:, None]])
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    soft = max(0.4, 0.5 * unit * width / CARD)
    after, before, inside = (
        cv2.warpAffine(
            cv2.GaussianBlur(picture, (0, 0), soft),
            to_frame,
            size,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for picture in (change.after, change.before, row)
    )
    near = cv2.dilate(inside, np.ones((5, 5), np.uint8)) > 0.4
    edges = [
        near
        * new_edges(
            np.asarray(cv2.Sobel(after, cv2.CV_32F, dx, 1 - dx), np.float32),
            np.asarray(cv2.Sobel(before, cv2.CV_32F, dx, 1 - dx), np.float32),
        )
        for dx in (1, 0)
    ]
    usual = max(1.0, float(np.median(np.maximum(*edges)[near])))
    across, down = (np.asarray(edge / (edge + usual), np.float32) for edge in edges)
    return Frame(
        np.asarray(to_frame, np.float32),
        np.asarray(cv2.GaussianBlur(across, (0, 0), 0.8), np.float32),
        np.asarray(cv2.GaussianBlur(down, (0, 0), 0.8), np.float32),
        np.asarray(inside, np.float32),
        CARD / width,
    )


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
    sides = [
        _moved(upright, -width / 2, 0),
        _moved(upright, width / 2, 0),
        _moved(level, 0, -height / 2),
        _moved(level, 0, height / 2),
    ]
    filled = cv2.blur(inside, (max(3, int(0.85 * width)), max(3, int(0.85 * height))))
    fit = (sides[0] + sides[1] + sides[2] + sides[3]) / 4 * (0.4 + 0.6 * filled)
    return _rotated(np.asarray(fit, np.float32), -turn)


def card_scales(frame: Frame, layout: Layout, quarter: bool) -> tuple[float, float, float]:
    """Frame pixels a layout unit across and down at which cards fit best, and how well.

    `quarter`: the layout lies turned by 90 degrees in the frame.
    """
    shapes = [(s.w, s.h, s.turn) for s in layout.slots.values()]
    common = max(set(shapes), key=shapes.count)

    def score(across: float, down: float, askew: tuple[float, ...]) -> float:
        kind = kind_in_frame(common, (across, down), quarter)
        fit, _ = respond(frame, kind, askew)
        xs, ys, values = peaks(fit, kind, len(layout.slots))
        cards = [(np.array([x, y], float), kind) for x, y in zip(xs, ys, strict=True)]
        return float(values.sum()) * agreement(frame.inside, cards)

    grid = [
        (float(across), float(across * ratio))
        for across in frame.unit * np.geomspace(0.75, 1.33, 7)
        for ratio in np.geomspace(0.78, 1.28, 5)
    ]
    rough = max(grid, key=lambda scales: score(scales[0], scales[1], (0.0,)))
    fine = [
        (rough[0] * wider, rough[1] * higher)
        for wider in (0.95, 1.0, 1.05)
        for higher in (0.95, 1.0, 1.05)
    ]
    scored = [(score(across, down, _ROUGH_ASKEW), across, down) for across, down in fine]
    best = max(scored)
    return best[1], best[2], best[0]


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
    y, x = np.nonzero((fit >= cv2.dilate(fit, reach)) & (fit > 0.15))
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


def _unit_vector(degrees: float) -> npt.NDArray[np.float64]:
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
