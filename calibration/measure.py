"""Exact outlines of cards that are all of one size, from rough ones."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.change import Change
from calibration.edges import (
    STEP,
    Floats,
    Sides,
    capped,
    line_scores,
    look_across_sides,
    settle_lines,
)
from calibration.slopes import new_edges

PIECE = 7  # samples along a side
LEANS = np.radians(np.arange(-4.0, 4.01, 0.5))


@dataclass(frozen=True)
class Measured:
    """`quads`: (n, 4, 2) float32, as given but exact. `edges`: (n,) 0 to 1, edge along the sides.

    `grown`: how much wider and higher than given the cards turned out, in pixels.
    """

    quads: Floats
    edges: Floats
    grown: tuple[float, float]


def measure_cards(
    change: Change, quads: Floats, reach: float, room: tuple[float, float] | None
) -> Measured:
    """Fit one rigid card of a common size to the new edges near each of (n, 4, 2) quads.

    Quads are clockwise from the card's top left. With `room` the common size is measured too:
    how many times wider and higher than given it is at most.
    """
    sides = look_across_sides(change.after, quads, reach)
    then = look_across_sides(change.before, quads, reach)
    steepness = capped(new_edges(_along(sides.change()), _along(then.change())))
    clear = steepness / (steepness + 0.5 * float(np.median(steepness.max(axis=3))) + 1e-3)
    covered = look_across_sides(change.differs, quads, reach).colours[..., 0]
    score, slopes = line_scores(np.asarray(clear + 2 * _endings(covered), np.float32), sides)
    lengths = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    leaning = _by_lean(score, slopes, lengths)
    table_x = _by_size(leaning[:, :, 3], leaning[:, :, 1])
    table_y = _by_size(leaning[:, :, 0], leaning[:, :, 2])
    wide = high = len(sides.across) // 2
    if room is not None:
        usual = np.median(lengths, axis=0)
        most = [
            max(1, wide + int((times - 1) * usual[side] / 2 / STEP))
            for side, times in zip((0, 1), room, strict=True)
        ]
        wide, high = _common_size(
            table_x.max(axis=3)[:, :, : most[0] + 1], table_y.max(axis=3)[:, :, : most[1] + 1]
        )
    return _settled(sides, steepness, table_x[:, :, wide], table_y[:, :, high], wide, high)


def _along(slopes: Floats) -> Floats:
    """(n, 4, samples, count, channels) the mean along a piece of the side: noise cancels out."""
    n, four, samples, count, channels = slopes.shape
    flat = slopes.reshape(n * four, samples, count * channels)
    means = np.stack([cv2.blur(side, (1, PIECE)) for side in flat])
    return np.asarray(means.reshape(slopes.shape), np.float32)


def _endings(covered: Floats) -> Floats:
    """(n, 4, samples, count) 0 to 1, where going outward the change ends: the card's true edge.

    Between cards that touch it does not end; there the edge between them has to do.
    """
    wide = 4
    ending = np.zeros_like(covered)
    ending[..., wide:-wide] = covered[..., : -2 * wide] - covered[..., 2 * wide :]
    return np.maximum(ending, 0)


def _by_lean(score: Floats, slopes: Floats, lengths: Floats) -> Floats:
    """(n, leans, 4, count) line scores when the whole card leans by each of LEANS."""
    wanted = -LEANS[None, :, None] * lengths[:, None, :]
    step = float(slopes[1] - slopes[0])
    index = np.clip(np.round((wanted - slopes[0]) / step), 0, len(slopes) - 1).astype(int)
    card = np.arange(len(index))[:, None, None]
    side = np.arange(4)[None, None]
    return np.asarray(score[card, side, index])


def _by_size(first: Floats, second: Floats) -> Floats:
    """(n, leans, sizes, shifts) score of two opposite sides, for growth and shift in steps.

    Growth g and shift s put the sides at offsets g - s and g + s; both count from the middle.
    """
    count = first.shape[2]
    middle = count // 2
    span = np.arange(-middle, middle + 1)
    low = middle + span[:, None] - span[None]
    high = middle + span[:, None] + span[None]
    inside = (low >= 0) & (low < count) & (high >= 0) & (high < count)
    low, high = np.clip(low, 0, count - 1), np.clip(high, 0, count - 1)
    # Both sides have to be there: one alone fits any size with some shift.
    both = 2 * np.sqrt(first[:, :, low] * second[:, :, high])
    return np.where(inside, both, 0.0)


def _common_size(across: Floats, down: Floats) -> tuple[int, int]:
    """Indices of the growth in width and height that suits all cards: (n, leans, sizes) each."""
    lean = (across.max(axis=2) + down.max(axis=2)).argmax(axis=1)
    cards = np.arange(len(across))
    wide, high = (int(table[cards, lean].sum(axis=0).argmax()) for table in (across, down))
    return wide, high


def _settled(
    sides: Sides, steepness: Floats, across: Floats, down: Floats, wide: int, high: int
) -> Measured:
    """Best lean and shift of every card, then to a fraction of a pixel."""
    n, _, count = across.shape
    middle = count // 2
    total = across.max(axis=2) + down.max(axis=2)
    lean = total.argmax(axis=1)
    cards = np.arange(n)
    dx = (across[cards, lean].argmax(axis=1) - middle) * STEP
    dy = (down[cards, lean].argmax(axis=1) - middle) * STEP
    edges = total[cards, lean] / 12
    grow = np.array([high, wide, high, wide]) - middle
    grow = grow * STEP
    shift = np.stack([-dy, dx, dy, -dx], axis=1)
    lengths = np.linalg.norm(np.roll(sides.quads, -1, axis=1) - sides.quads, axis=2)
    rough_slope = -LEANS[lean][:, None] * lengths
    offset, slope = settle_lines(
        steepness, sides, (grow + shift).astype(np.float32), rough_slope.astype(np.float32)
    )
    own = offset - shift
    sure = np.abs(own - grow) < 1.5
    exact = [
        float(np.median(own[:, [a, b]][sure[:, [a, b]]])) if sure[:, [a, b]].any() else grow[a]
        for a, b in ((0, 2), (1, 3))
    ]
    size = np.array([exact[0], exact[1], exact[0], exact[1]])
    weight = sure + 1e-3
    out = offset - size
    out = np.where(sure, out, shift)
    dy = (weight[:, 2] * out[:, 2] - weight[:, 0] * out[:, 0]) / (weight[:, 2] + weight[:, 0])
    dx = (weight[:, 1] * out[:, 1] - weight[:, 3] * out[:, 3]) / (weight[:, 1] + weight[:, 3])
    trust = np.where(np.abs(slope - rough_slope) < 2.0, lengths**2, 1e-3) * weight
    turn = (trust * -slope / lengths).sum(axis=1) / trust.sum(axis=1)
    offset = size + np.stack([-dy, dx, dy, -dx], axis=1)
    quads = sides.moved(offset.astype(np.float32), (-turn[:, None] * lengths).astype(np.float32))
    return Measured(quads, np.asarray(edges, np.float32), (2 * exact[1], 2 * exact[0]))
