"""How the light has changed since the empty table was photographed, slot by slot."""

from dataclasses import dataclass

import numpy as np

from calibration.warp import Crops, Floats, brightest

_DARK = 6.0  # grey levels added before a ratio, so that noise in the dark does not count
_NOISE = 6.0  # grey levels by which cheap cameras err in the dark, whatever the light
_NEAR = 0.12  # log ratio within which two patches are lit alike
_ROUNDS = 5
_STEP = 3  # every third coarse pixel is enough to compare the light by
_ENOUGH = 60  # points of bare table needed to tell the light from them


@dataclass(frozen=True)
class Light:
    """`gains`: (n, 3) brightness of blue, green, red against the empty picture at each slot."""

    gains: Floats


def still_empty(now: Crops, empty: Crops, gains: Floats) -> Floats:
    """(n, h, w) 0 to 1: where crops still show the empty table, its light being `gains` (n, 3)."""
    lit = empty.astype(np.float32) * gains[:, None, None] + _DARK
    away = (now + np.float32(_DARK) - lit) / np.hypot(lit, np.float32(_NOISE / (1.5 * _NEAR)))
    square = np.einsum("nhwc,nhwc->nhw", away, away) / (3 * (1.5 * _NEAR) ** 2)
    return np.asarray(np.clip(1 - square, 0, 1), np.float32)


def compare_light(
    now: Crops, empty: Crops, places: Floats, around: Floats, beside: Floats
) -> Light:
    """Compare coarse crops (n, h, w, 3) of both pictures; `places` (n, 2) are slot centres.

    `around` (k, 3) are log ratios of the pictures at points `beside` (k, 2) where no card lies.
    """
    n = len(now)
    flat = log_ratio(*(crops.reshape(n, -1, 3)[:, ::_STEP] for crops in (now, empty)))
    usable = np.isfinite(flat[..., 0])
    flat[~usable] = 0
    known = np.isfinite(around[:, 0])
    around, beside = around[known], beside[known]
    enough = len(around) >= _ENOUGH
    start = _mode(around if enough else flat[usable])
    terms, terms_beside = _terms(places, places), _terms(beside, places)
    field = np.broadcast_to(start, (n, 3)).copy()
    field_beside = np.broadcast_to(start, (len(beside), 3))
    weight = np.zeros(flat.shape[:2], np.float32)
    for round_ in range(_ROUNDS):
        reach = _NEAR * (2.5 if round_ < 2 else 1.5)
        weight = _weight(flat - field[:, None], usable, reach)
        total = weight.sum(axis=1)
        mean = (weight[:, None] @ flat)[:, 0] / np.maximum(total, 1e-6)[:, None]
        outer = _weight((around - field_beside)[None], np.ones((1, len(around)), bool), reach)[0]
        # Where cards may lie, agreement may be chance: table beside the slots counts for more.
        share = np.minimum(_STEP * total, 100.0) * (0.02 if enough else 1.0)
        solved = _fit(
            np.concatenate([terms, terms_beside]),
            np.concatenate([mean, around]),
            np.concatenate([share, outer]),
        )
        field, field_beside = terms @ solved, terms_beside @ solved
    total = weight.sum(axis=1)
    rest = (weight[:, None] @ (flat - field[:, None]))[:, 0]
    local = field + rest / (total + 60.0 / _STEP)[:, None]
    return Light(gains=np.exp(local).astype(np.float32))


def log_ratio(now: Crops, empty: Crops) -> Floats:
    """(..., 3) log of now against empty; nan where either is burnt out or black."""
    ratio = np.log((now + np.float32(_DARK)) / (empty + np.float32(_DARK)))
    most = brightest(now)
    lost = (most > 250) | (brightest(empty) > 250) | (most < 4)
    ratio[lost] = np.nan
    return ratio


def _mode(ratios: Floats) -> Floats:
    """The log ratio that most of (k, 3) agree on."""
    if not len(ratios):
        return np.zeros(3, np.float32)
    some = ratios[:: max(1, len(ratios) // 500)]
    tries = ratios[:: max(1, len(ratios) // 60)]
    apart = (some**2).sum(axis=1) - 2 * tries @ some.T + (tries**2).sum(axis=1)[:, None]
    best = tries[(apart < 2 * _NEAR**2).sum(axis=1).argmax()]
    near = ((some - best) ** 2).sum(axis=1) < 2 * _NEAR**2
    return np.asarray(some[near].mean(axis=0), np.float32)


def _weight(away: Floats, usable: Floats, reach: float) -> Floats:
    square = np.einsum("npc,npc->np", away, away) / (reach * reach)
    return np.where(usable, np.clip(1 - square / 3, 0, 1) ** 2, 0).astype(np.float32)


def _terms(points: Floats, places: Floats) -> Floats:
    """(k, 6) polynomial of the second order in the place, about -1 to 1 over the slots."""
    middle = places.mean(axis=0)
    x, y = ((points - middle) / max(1.0, float(np.abs(places - middle).max()))).T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)


def _fit(terms: Floats, mean: Floats, weight: Floats) -> Floats:
    """(6, 3) a smooth field through log gains, the bendier terms held back."""
    total = float(weight.sum()) + 1e-6
    ridge = np.diag([1e-6, 0.01, 0.02, 0.03, 0.05, 0.05]).astype(np.float32)
    weighted = terms * (weight / total)[:, None]
    return np.asarray(np.linalg.solve(terms.T @ weighted + ridge, weighted.T @ mean), np.float32)
