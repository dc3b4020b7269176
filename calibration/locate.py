"""Where exactly a card lies in its slot: a rectangle of known size, found by its four sides."""

import cv2
import numpy as np

from calibration.warp import Crops, Floats

MOST_TURN = 12.0
MOST_OFF = 0.23  # of the card's width and height: a sixth, and some for an unnoticed shift

_TURNS = np.radians(np.linspace(-MOST_TURN, MOST_TURN, 25))
_BANDS = 14
_SCALES = np.linspace(0.86, 1.14, 15)
_SIZE_COST = 0.1  # of clearness: cards are about as large as their slots
_TURN_COST = 0.1  # of clearness, a radian: cards lie rather straight
_BESIDE = 2  # pixels on either side of a line that tell outside from inside


def find_sides(crops: Crops, same: Floats, quiet: Floats | None) -> Floats:
    """(4, n, h, w) how much each pixel looks like a card's left, right, top, bottom side.

    `same` (n, h, w) is 1 where the empty table still shows: outside a card, never inside;
    `quiet` (2, n, h, w) are the empty table's own edges, which are no card's.
    """
    slopes = edges(crops)
    if quiet is not None:
        slopes = np.maximum(slopes - quiet, 0)
    out = np.empty((4, *same.shape), np.float32)
    for axis in (0, 1):
        before, after = _beside(same, axis)
        out[2 * axis] = slopes[axis] * (0.3 + before * (1 - after))
        out[2 * axis + 1] = slopes[axis] * (0.3 + after * (1 - before))
    return out / 1.3


def _beside(same: Floats, axis: int) -> tuple[Floats, Floats]:
    """`same` a little before and after each pixel, across (axis 0) or down (axis 1)."""
    before, after = np.zeros_like(same), np.zeros_like(same)
    if axis == 0:
        before[:, :, _BESIDE:] = same[:, :, :-_BESIDE]
        after[:, :, :-_BESIDE] = same[:, :, _BESIDE:]
    else:
        before[:, _BESIDE:] = same[:, :-_BESIDE]
        after[:, :-_BESIDE] = same[:, _BESIDE:]
    return before, after


def edges(crops: Crops) -> Floats:
    """(2, n, h, w) strength of vertical and of horizontal edges, between 0 and 1."""
    n, h, w = crops.shape[:3]
    stack = crops.reshape(n * h, w, 3)
    sides = []
    for dx, dy in ((1, 0), (0, 1)):
        slope = cv2.convertScaleAbs(cv2.Sobel(stack, cv2.CV_16S, dx, dy), alpha=0.25)
        blue, green, red = cv2.split(slope)
        sides.append(cv2.max(cv2.max(blue, green), red).reshape(n, h, w).astype(np.float32))
    both = np.maximum(*sides)
    soft = 6.0 + 2.0 * float(np.median(both[:, ::4, ::4]))
    out = np.stack(sides) / (both + soft)
    out[:, :, [0, -1]] = 0
    return out


def locate(sides: Floats, size: tuple[float, float]) -> tuple[Floats, Floats]:
    """Likely rectangles of `size` (w, h) in each of the (4, n, h, w) maps of sides.

    Returns poses (n, 3, 3): x, y from the crop's centre and turn in radians, the best first,
    then the best that lean another way; and how clear their sides are, (n, 3), 0 to 1.
    """
    n = sides.shape[1]
    w, h = size
    lines_x, lines_y = _lines(sides, size)
    cos, tan = np.cos(_TURNS), np.tan(_TURNS)
    score_x, m = _pairs(lines_x, w / cos, MOST_OFF * (w + np.abs(tan) * h))
    score_y, k = _pairs(lines_y, h / cos, MOST_OFF * (h + np.abs(tan) * w))
    score = (score_x + score_y) / 2 - _TURN_COST * np.abs(_TURNS).astype(np.float32)
    rows = np.arange(n)
    poses, clear = np.empty((n, 3, 3), np.float32), np.empty((n, 3), np.float32)
    for i, turns in enumerate(np.array_split(np.arange(len(_TURNS)), 3)):
        turn = turns[score[:, turns].argmax(axis=1)]
        at_x, at_y, t = m[rows, turn], k[rows, turn], tan[turn]
        x, y = (at_x - t * at_y) / (1 + t * t), (at_y + t * at_x) / (1 + t * t)
        poses[:, i] = np.stack([x, y, _TURNS[turn]], axis=1)
        clear[:, i] = score[rows, turn]
    order = np.argsort(-clear, axis=1)
    return np.take_along_axis(poses, order[..., None], axis=1), np.take_along_axis(clear, order, 1)


def fit_size(sides: Floats, size: tuple[float, float]) -> tuple[float, float]:
    """How many times as wide and as high as `size` the rectangles are, all slots together."""
    cos, tan = np.cos(_TURNS), np.tan(_TURNS)
    best = []
    for lines, long, across in zip(_lines(sides, size), size, size[::-1], strict=True):
        clear = []
        for scale in _SCALES:
            reach = MOST_OFF * (long + np.abs(tan) * across)
            score, _ = _pairs(lines, long * scale / cos, reach)
            clear.append(score.max(axis=1))
        every = np.array(clear)
        # Slots without a card say nothing; those with one say it by their best size.
        told = np.argsort(-every.max(axis=0))[: max(1, every.shape[1] // 2)]
        total = every[:, told].mean(axis=1) - _SIZE_COST * np.abs(_SCALES - 1)
        best.append(float(_SCALES[total.argmax()]))
    return best[0], best[1]


def _lines(sides: Floats, size: tuple[float, float]) -> tuple[list[Floats], list[Floats]]:
    """Sums along leaning lines: of left and right sides, of top and bottom sides."""
    ch, cw = sides.shape[2:]
    w, h = size
    across = [_slanted(side, ch, h) for side in sides[:2]]
    flipped = [np.ascontiguousarray(side.transpose(0, 2, 1)) for side in sides[2:]]
    return across, [_slanted(side, cw, w)[::-1] for side in flipped]


def _slanted(edge: Floats, across: int, length: float) -> Floats:
    """(turns, positions, n): mean edge along lines that lean by each turn, near the middle."""
    first = round(across / 2 - length / 3)
    bounds = np.linspace(first, across - first, _BANDS + 1).round().astype(int)
    # Of very small cards a band may be thinner than a pixel: that pixel stands for it.
    sums = np.add.reduceat(edge[:, : bounds[-1]], bounds[:-1], axis=1)
    bands = sums / np.maximum(np.diff(bounds), 1)[:, None].astype(np.float32)
    # Slots last: what belongs together is then copied together.
    bands = np.ascontiguousarray(bands.transpose(1, 2, 0))
    middle = (bounds[:-1] + bounds[1:]) / 2 - across / 2
    positions = edge.shape[2]
    shift = -np.tan(_TURNS)[:, None] * middle
    place = np.arange(positions) + shift.round().astype(int)[:, :, None]
    place = place.clip(0, positions - 1)
    out = np.zeros((len(_TURNS), positions, len(edge)), np.float32)
    for band in range(_BANDS):
        out += bands[band][place[:, band]]
    return out / _BANDS


def _pairs(lines: list[Floats], gaps: Floats, reach: Floats) -> tuple[Floats, Floats]:
    """For each turn the best middle between two parallel sides, `gaps` apart: score, place."""
    turns, positions, n = lines[0].shape
    score = np.empty((n, turns), np.float32)
    place = np.empty((n, turns), np.float32)
    rows = np.arange(n)
    for i in range(turns):
        middles = np.arange(-reach[i], reach[i] + 0.5, 0.5)
        first, second = (
            _between(line[i], middles + (positions - 1) / 2 + half)
            for line, half in zip(lines, (-gaps[i] / 2, gaps[i] / 2), strict=True)
        )
        pair = (first + second) / 4 + np.minimum(first, second) / 2
        best = pair.argmax(axis=0)
        score[:, i] = pair[best, rows]
        place[:, i] = middles[best]
    return score, place


def _between(line: Floats, at: Floats) -> Floats:
    """Values of (positions, n) at fractions of positions."""
    at = at.clip(0, len(line) - 1.001)
    low = at.astype(int)
    part = (at - low).astype(np.float32)[:, None]
    return np.asarray(line[low] * (1 - part) + line[low + 1] * part)


def pose_matrices(poses: Floats) -> Floats:
    """(..., 3, 3) from card pixels to slot pixels for poses (..., 3)."""
    out = np.zeros((*poses.shape[:-1], 3, 3), np.float32)
    c, s = np.cos(poses[..., 2]), np.sin(poses[..., 2])
    out[..., 0, 0], out[..., 0, 1], out[..., 0, 2] = c, -s, poses[..., 0]
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = s, c, poses[..., 1]
    out[..., 2, 2] = 1
    return out


def poses_between(starts: Floats, frames: Floats) -> Floats:
    """(n, 3) x, y and turn that lead from `starts` to `frames`, both (n, 3, 3)."""
    between = np.linalg.inv(starts) @ frames
    out = np.empty((len(frames), 3), np.float32)
    out[:, :2] = between[:, :2, 2] / between[:, 2:, 2]
    out[:, 2] = np.arctan2(between[:, 1, 0], between[:, 0, 0])
    return out
