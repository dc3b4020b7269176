"""Bring taught cards into one position: all the same way up, aligned to each other."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.align import Templates, align, make_templates
from calibration.bare import correlation
from calibration.deck import split_name
from calibration.locate import MOST_OFF, MOST_TURN, edges, pose_matrices
from calibration.looks import predict
from calibration.photo import Image
from calibration.warp import Bools, Crops, Floats, Indices, corners_of, take, turned

_WIDE = 40  # pixels of card width at which cards are compared with each other
# Correlation that a turn by a radian and a shift by a width away from the given frame must gain.
_TURN_COST, _OFF_COST = 0.6, 0.4
_COARSE, _FINE = 3.0, 0.75  # degrees between the turns that are tried
_AGREED = 0.04  # of the width, within which cards' own sides agree
_MANY, _MOST, _FEWEST = 0.35, 0.65, 4  # of the deck and of a rank must agree; at least so many
_AROUND = 0.2  # of the width, beside a rank's cards, in which it may be shifted
_A_LITTLE = 0.05  # of the width, that a whole rank may move whatever its sides say
_SPEAKS = 0.07  # of the width, within which the corners of a card's own sides speak for a place
# Of the width: how far the last fitting may still move a card's corners, and how far out of shape.
_MOST_FITTED, _MOST_BENT = 0.3, 0.06
_ROUNDS = 5


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
    poses = _poses(starts, sides)

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
        poses = _poses(starts, starts @ pose_matrices(poses) @ pose_matrices(agreed))
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
    for _ in range(2):
        frames = _by_rank(pictures, frames, sides, ranks, small)
        frames = _by_kin(pictures, frames, sides, ranks, small)
    for _ in range(2):
        frames = _by_looks(pictures, frames, sides, names, small)
    return frames @ np.linalg.inv(scale)


def take_each(pictures: Sequence[Image], frames: Floats, size: tuple[int, int]) -> Crops:
    """(n, h, w, 3): crop i of picture i."""
    crops = [take(p, frames[i : i + 1], size) for i, p in enumerate(pictures)]
    return np.concatenate(crops)


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


def _poses(starts: Floats, frames: Floats) -> Floats:
    """(n, 3) x, y and turn that lead from `starts` to `frames`, both (n, 3, 3)."""
    between = np.linalg.inv(starts) @ frames
    out = np.empty((len(frames), 3), np.float32)
    out[:, :2] = between[:, :2, 2] / between[:, 2:, 2]
    out[:, 2] = np.arctan2(between[:, 1, 0], between[:, 0, 0])
    return out


def _agreed(frames: Floats, located: Floats, ranks: Sequence[Indices], width: int) -> Floats:
    """(n, 3) poses of the cards' own sides in the frames, as far as cards say the same.

    All cards of a rank move together: as most of them say, or else as many of the deck do.
    """
    off = _poses(frames, located)
    out = np.zeros_like(off)
    every = np.arange(len(off))
    for kin, share in ((every, _MANY), *((kin, _MOST) for kin in ranks)):
        near = np.linalg.norm(off[kin, None, :2] - off[kin, :2], axis=2) < _AGREED * width
        most = near[near.sum(axis=1).argmax()]
        if most.sum() >= max(_FEWEST, share * len(kin)):
            out[kin] = np.median(off[kin[most]], axis=0)
    return out


def _by_rank(
    pictures: Sequence[Image],
    frames: Floats,
    located: Floats,
    ranks: Sequence[Indices],
    size: tuple[int, int],
) -> Floats:
    """Fit each rank as a whole onto what it shares with all others: paper, frame, rim.

    It goes far only if more of its cards' own sides speak for that place.
    """
    out = frames.copy()
    if len(ranks) < 3:
        return out
    pad = round(_AROUND * size[0])
    wide = (size[0] + 2 * pad, size[1] + 2 * pad)
    crops = take_each(pictures, frames, wide)
    means = np.stack([np.median(crops[kin], axis=0) for kin in ranks])
    inside = (slice(None), slice(pad, -pad), slice(pad, -pad))
    centre = np.array([[1, 0, (wide[0] - 1) / 2], [0, 1, (wide[1] - 1) / 2], [0, 0, 1]])
    for k, kin in enumerate(ranks):
        others = np.delete(means[inside], k, axis=0)
        templates = make_templates(np.median(others, axis=0)[None])
        start = centre.astype(np.float32)[None]
        fitted = _fitted(means[k].astype(np.uint8), start, templates)
        move = pose_matrices(_poses(start, fitted))
        moved = frames[kin] @ move
        before, after = (
            np.count_nonzero(_near(np.linalg.inv(place) @ located[kin], size, _SPEAKS))
            for place in (frames[kin], moved)
        )
        if after > before or _near(move, size, _A_LITTLE)[0]:
            out[kin] = moved
    return out


def _by_looks(
    pictures: Sequence[Image],
    frames: Floats,
    located: Floats,
    names: Sequence[str],
    size: tuple[int, int],
) -> Floats:
    """Fit each card onto what the other cards say it looks like."""
    crops = take_each(pictures, frames, size).astype(np.float32)
    own = {}
    for name in dict.fromkeys(names):
        own[name] = crops[[i for i, other in enumerate(names) if other == name]].mean(axis=0)
    guesses, _ = predict(own)
    out = frames.copy()
    for i, name in enumerate(names):
        others = [crops[j] for j, other in enumerate(names) if other == name and j != i]
        wanted = others + ([guesses[name]] if name in guesses else [])
        if wanted:
            out[i] = _best(pictures[i], frames[i], located[i], np.mean(wanted, axis=0))
    return out


def _by_kin(
    pictures: Sequence[Image],
    frames: Floats,
    located: Floats,
    ranks: Sequence[Indices],
    size: tuple[int, int],
) -> Floats:
    """Fit each card onto what most cards of its rank look like."""
    out = frames.copy()
    crops = take_each(pictures, frames, size).astype(np.float32)
    for kin in ranks:
        if len(kin) > 2:
            middle = np.median(crops[kin], axis=0)
            for i in kin:
                out[i] = _best(pictures[i], frames[i], located[i], middle)
    return out


def _best(picture: Image, frame: Floats, located: Floats, look: Floats) -> Floats:
    """The frame (3, 3) of a card that should look like that (h, w, 3), near the given one.

    It is looked for from there and from where its own sides seem to be; what fits best is kept.
    """
    size = (look.shape[1], look.shape[0])
    fitted = _fitted(picture, np.stack([frame, located]), make_templates(look[None]))
    tried = np.concatenate([frame[None], fitted])
    between = np.linalg.inv(frame) @ tried
    bent = np.linalg.inv(pose_matrices(_poses(frame[None], tried))) @ between
    tried = tried[_near(between, size, _MOST_FITTED) & _near(bent, size, _MOST_BENT)]
    seen = take(picture, tried, size).astype(np.float32).reshape(len(tried), -1, 3)
    alike = correlation(seen, np.broadcast_to(look.reshape(1, -1, 3), seen.shape))
    return np.asarray(tried[alike.argmax()])


def _fitted(picture: Image, frames: Floats, templates: Templates) -> Floats:
    """Frames (n, 3, 3) moved onto the first template, from as far as half a stroke's width.

    So far away what is out of place at first is not what lies over the card: look anew each time.
    """
    for _ in range(_ROUNDS):
        frames = align(picture, frames, templates, np.zeros(len(frames), np.intp), 1)
    return frames


def _near(moves: Floats, size: tuple[int, int], most: float) -> Bools:
    """(n,) whether moves (n, 3, 3) take corners of a card of `size` by `most` of its width."""
    rest = np.eye(3, dtype=np.float32)[None]
    moved = np.abs(corners_of(moves, size) - corners_of(rest, size)).max(axis=(1, 2))
    return np.asarray(moved <= most * size[0])
