"""Bring taught cards into one position: all the same way up, aligned to each other."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.deck import split_name
from calibration.fitting import fit_together
from calibration.locate import MOST_OFF, MOST_TURN, edges, pose_matrices, poses_between
from calibration.photo import Image
from calibration.warp import Bools, Crops, Floats, Indices, take, take_each, turned

_WIDE = 40  # pixels of card width at which cards are compared with each other
# Correlation that a turn by a radian and a shift by a width away from the given frame must gain.
_TURN_COST, _OFF_COST = 0.6, 0.4
_COARSE, _FINE = 3.0, 0.75  # degrees between the turns that are tried
_AGREED = 0.05  # of the width, within which cards' own sides agree
_LEVER = 0.9  # widths from a card's middle to its corners
_AS_ALL = 4.0  # cards of a rank that the whole deck counts as much as
_ROUNDS = 12


def congeal(
    pictures: Sequence[Image],
    frames: Floats,
    located: Floats,
    names: Sequence[str],
    size: tuple[int, int],
) -> Floats:
    """Frames (n, 3, 3) of cards of `size` (w, h), moved until all cards lie alike in them.

    No card goes farther from its given frame than cards lie from their slots. `located` (n, 3, 3)
    are where each card's own sides seem to be, which is believed where most agree.
    """
    small = (_WIDE, round(_WIDE * size[1] / size[0]))
    scale = np.diag([size[0] / small[0], size[1] / small[1], 1.0]).astype(np.float32)
    starts = frames @ scale
    ranks = _groups(names)
    sides = located @ scale
    poses = poses_between(starts, sides)

    def turn(which: Bools) -> None:
        starts[which] = turned(starts[which])
        sides[which] = turned(sides[which])
        poses[which, :2] *= -1

    # Cards lie askew at first: which way up is told again once they are straight.
    for steps in ((_COARSE, _COARSE), (_COARSE, _FINE)):
        marks = _marks(take_each(pictures, starts @ pose_matrices(poses), small))
        which = np.zeros(len(starts), np.bool_)
        for kin in ranks:
            which[kin] = _upside_down(marks[kin])
        turn(which)
        for step in steps:
            poses = _by_edges(pictures, starts, poses, ranks, small, step, 0.85)
            poses = _centred(poses, ranks)
        agreed = _agreed(starts @ pose_matrices(poses), sides, ranks, small[0])
        poses = poses_between(starts, starts @ pose_matrices(poses) @ pose_matrices(agreed))
    marks = _marks(take_each(pictures, starts @ pose_matrices(poses), small))
    means = np.stack([marks[kin].mean(axis=0) for kin in ranks])
    which = np.zeros(len(starts), np.bool_)
    for kin, whole in zip(ranks, _upside_down(means), strict=True):
        which[kin] = whole
    turn(which)
    for _ in range(2):
        poses = _by_edges(pictures, starts, poses, ranks, small, _FINE, 0.5)
    frames = starts @ pose_matrices(poses)
    frames = frames @ pose_matrices(_agreed(frames, sides, ranks, small[0]))
    frames = fit_together(pictures, frames, sides, names, ranks, small)
    return frames @ np.linalg.inv(scale)


def _groups(names: Sequence[str]) -> list[Indices]:
    """Which samples share a rank: these share their drawing."""
    ranks = np.array([split_name(name)[1] for name in names])
    return [np.nonzero(ranks == rank)[0] for rank in dict.fromkeys(ranks)]


def _marks(crops: Crops) -> Floats:
    """(n, h, w) how much of an edge there is, a little blurred."""
    strength = np.sqrt((edges(crops) ** 2).sum(axis=0))
    return np.stack([cv2.GaussianBlur(m, (0, 0), 1.0) for m in strength])


def _upside_down(marks: Floats) -> Bools:
    """(n,) which of these (n, h, w) must be turned so that all lie the same way up, most staying.

    Each pair is compared both ways up, slid until it agrees best; then all agree jointly.
    """
    n, _, w = marks.shape
    reach = max(1, round(w / 6))
    inner = marks[:, reach:-reach, reach:-reach].astype(np.float32)
    whole = marks.astype(np.float32)
    lean = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                upright = cv2.matchTemplate(whole[j], inner[i], cv2.TM_CCOEFF_NORMED).max()
                over = np.ascontiguousarray(inner[i, ::-1, ::-1])
                lean[i, j] = upright - cv2.matchTemplate(whole[j], over, cv2.TM_CCOEFF_NORMED).max()
    lean = lean + lean.T
    _, vectors = np.linalg.eigh(lean)
    ways = np.where(vectors[:, -1] < 0, -1.0, 1.0)
    for _ in range(n):
        # The best vector of fractions is not yet the best of signs.
        gains = ways * (lean @ ways)
        worst = int(gains.argmin())
        if gains[worst] >= 0:
            break
        ways[worst] *= -1
    if np.count_nonzero(ways < 0) * 2 > n:
        ways = -ways
    return np.asarray(ways < 0)


def _by_edges(
    pictures: Sequence[Image],
    starts: Floats,
    poses: Floats,
    ranks: Sequence[Indices],
    size: tuple[int, int],
    step: float,
    share: float,
) -> Floats:
    """Slide and turn each card until its edges lie where those of the others do.

    `poses` (n, 3) lead away from the frames `starts` and stay near them. Cards of the same rank
    have that `share` in what is wanted.
    """
    off = round(MOST_OFF * size[0])
    wide = (size[0] + 2 * off, size[1] + 2 * off)
    inner = _marks(take_each(pictures, starts @ pose_matrices(poses), size))
    most = np.radians(MOST_TURN)
    reach = np.arange(-4, 5) * np.radians(step)
    far = np.abs(np.arange(-off, off + 1)) / size[0]
    costs = (_OFF_COST * (far[:, None] ** 2 + far**2)).astype(np.float32)
    out = poses.copy()
    for kin in ranks:
        for i in kin:
            others = np.arange(len(poses)) != i
            same = kin[kin != i]
            if not others.any():
                continue
            wanted = inner[others].mean(axis=0)
            if len(same):
                wanted = (1 - share) * wanted + share * inner[same].mean(axis=0)
            best = -2.0
            for turn in np.unique((poses[i, 2] + reach).clip(-most, most)):
                spun = pose_matrices(np.array([[0, 0, turn]], np.float32))
                view = _marks(take(pictures[i], starts[i : i + 1] @ spun, wide))[0]
                match = cv2.matchTemplate(
                    view.astype(np.float32), wanted.astype(np.float32), cv2.TM_CCOEFF_NORMED
                )
                match -= costs + _TURN_COST * turn**2
                _, value, _, (x, y) = cv2.minMaxLoc(match)
                if value > best:
                    best = value
                    middle = spun[0, :2, :2] @ np.array([x - off, y - off], np.float32)
                    out[i] = (*middle, turn)
                    chosen = view[y : y + size[1], x : x + size[0]]
            inner[i] = chosen
    return out


def _centred(poses: Floats, ranks: Sequence[Indices]) -> Floats:
    """Cards lie about their slots to all sides: a whole rank that has wandered goes back."""
    out = poses.copy()
    for kin in ranks:
        out[kin] -= np.median(poses[kin], axis=0) * (len(kin) - 1) / (len(kin) + 1)
    return out


def _agreed(frames: Floats, located: Floats, ranks: Sequence[Indices], width: int) -> Floats:
    """(n, 3) poses of the cards' own sides in the frames, as the cards of each rank say together.

    A rank's cards lie alike in their frames, so all move together to where most of them have
    their sides, or else where most of the deck has; one that took a neighbour's side for its own
    hardly counts.
    """
    # Turns count as much as they move a corner.
    unit = np.array([width, width, width / _LEVER]) * _AGREED
    off = poses_between(frames, located) / unit
    out = np.empty_like(off)
    whole = _middle(off, np.zeros(3), 0.0)
    for kin in ranks:
        out[kin] = _middle(off[kin], whole, _AS_ALL) * unit
    return out


def _middle(points: Floats, usual: Floats, share: float) -> Floats:
    """(3,) where most of points (n, 3) lie, to about 1; `usual` (3,) has a say of that share."""
    apart = ((points[:, None] - points) ** 2).sum(axis=2)
    near = (1 / (1 + apart)).sum(axis=1) + share / (1 + ((points - usual) ** 2).sum(axis=1))
    middle = points[near.argmax()]
    for _ in range(_ROUNDS):
        weight = 1 / (1 + ((points - middle) ** 2).sum(axis=1))
        prior = share / (1 + ((usual - middle) ** 2).sum())
        middle = (weight @ points + prior * usual) / (weight.sum() + prior)
    return np.asarray(middle, np.float32)
