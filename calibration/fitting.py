"""Fit taught cards onto each other to a fraction of a pixel: by rank, by card, by what is known."""

from collections.abc import Sequence

import numpy as np

from calibration.align import Templates, align, make_templates
from calibration.bare import correlation
from calibration.locate import pose_matrices, poses_between
from calibration.looks import predict
from calibration.photo import Image
from calibration.warp import Bools, Floats, Indices, corners_of, take, take_each

_AROUND = 0.2  # of the width, beside a rank's cards, in which it may be shifted
_A_LITTLE = 0.05  # of the width, that a whole rank may move whatever its sides say
_SPEAKS = 0.07  # of the width, within which the corners of a card's own sides speak for a place
# Of the width: how far the last fitting may still move a card's corners, and how far out of shape.
_MOST_FITTED, _MOST_BENT = 0.3, 0.06
_ROUNDS = 5


def fit_together(
    pictures: Sequence[Image],
    frames: Floats,
    located: Floats,
    names: Sequence[str],
    ranks: Sequence[Indices],
    size: tuple[int, int],
) -> Floats:
    """Frames (n, 3, 3) of cards of `size` (w, h) that already lie about alike, fitted finely.

    `located` (n, 3, 3) are where each card's own sides seem to be; `ranks` the cards of each rank.
    """
    for _ in range(2):
        frames = _by_rank(pictures, frames, located, ranks, size)
        frames = _by_kin(pictures, frames, located, ranks, size)
    for _ in range(2):
        frames = _by_looks(pictures, frames, located, names, size)
    return frames


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
        move = pose_matrices(poses_between(start, fitted))
        moved = frames[kin] @ move
        before, after = (
            np.count_nonzero(_near(np.linalg.inv(place) @ located[kin], size, _SPEAKS))
            for place in (frames[kin], moved)
        )
        if after > before or _near(move, size, _A_LITTLE)[0]:
            out[kin] = moved
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


def _best(picture: Image, frame: Floats, located: Floats, look: Floats) -> Floats:
    """The frame (3, 3) of a card that should look like that (h, w, 3), near the given one.

    It is looked for from there and from where its own sides seem to be; what fits best is kept.
    """
    size = (look.shape[1], look.shape[0])
    fitted = _fitted(picture, np.stack([frame, located]), make_templates(look[None]))
    tried = np.concatenate([frame[None], fitted])
    between = np.linalg.inv(frame) @ tried
    bent = np.linalg.inv(pose_matrices(poses_between(frame[None], tried))) @ between
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
