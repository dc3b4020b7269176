"""How well a slot still fits its own empty look, whatever light and shadow fall on it."""

import numpy as np

from calibration.warp import Crops, Floats, brightest

# How far light on one slot may differ from that around it: log brightness, log tint; and how
# much a shadow may change it across the slot.
_BRIGHT, _TINT, _SHADE = 0.35, 0.07, 0.3
_INDEPENDENT = 150.0
_NOISE = 8.0
_ROUNDS = 3


def fit_empty(now: Crops, empty: Crops, gains: Floats) -> tuple[Floats, Floats]:
    """For coarse crops (n, h, w, 3): the part explained by the empty look, and its likeness.

    `gains` (n, 3) is the light expected; a smooth shadow may lie on top. Likeness (n,) is the
    correlation of what structure there is, 0 where the empty slot has none.
    """
    n, h, w = now.shape[:3]
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].reshape(2, -1).astype(np.float32)
    shades = np.stack([x, y, x * x - 1 / 3, x * y, y * y - 1 / 3])
    seen = now.reshape(n, -1, 3).astype(np.float32)
    lit = empty.reshape(n, -1, 3) * gains[:, None]
    k = 3 + len(shades)
    design = np.zeros((n, k, lit.shape[1], 3), np.float32)
    for c in range(3):
        design[:, c, :, c] = lit[..., c]
    design[:, 3:] = lit[:, None] * shades[None, :, :, None]
    flat = design.reshape(n, k, -1)
    one = np.full((3, 3), 1 / 3)
    prior = np.zeros((k, k), np.float32)
    prior[:3, :3] = one / _BRIGHT**2 + (np.eye(3) - one) / _TINT**2
    prior[3:, 3:] = np.eye(k - 3) / _SHADE**2
    aim = prior[:, :3].sum(axis=1)
    weight: Floats = np.ones((n, lit.shape[1]), np.float32)
    away: Floats = weight
    fitted: Floats = lit
    scale = _INDEPENDENT / lit.shape[1] / _NOISE**2
    for _ in range(_ROUNDS):
        weighted = flat * (np.repeat(weight, 3, axis=1) * scale)[:, None]
        normal = weighted @ flat.transpose(0, 2, 1) + prior
        pull = (weighted @ seen.reshape(n, -1, 1))[..., 0] + aim
        light = np.linalg.solve(normal, pull[..., None])
        fitted = (flat.transpose(0, 2, 1) @ light).reshape(lit.shape)
        away = brightest(np.asarray(np.abs(seen - fitted), np.float32))
        weight = 1 / (1 + (away / 20.0) ** 2) ** 2
    rest = np.minimum(np.median(away, axis=1), 10.0)
    explained = (away < (10.0 + 2.5 * rest)[:, None]).mean(axis=1)
    return np.asarray(explained, np.float32), correlation(seen, fitted)


def tell_apart(seen: Floats, card: Floats, light: Floats, tile: Floats) -> Floats:
    """(n,) 1 where pictures are the card, 0 and less where they rather are the tile.

    All are coarse, (n, h, w, 3). The card lies in its `light` (n, 4), gains and offset; a shadow
    may lie on the tile. Where card and tile are the same, nothing can be told: 0.
    """
    n = len(seen)
    card = card * light[:, None, None, :3] + light[:, None, None, 3:]
    seen, card, tile = (picture.reshape(n, -1) for picture in (seen, card, tile))
    gain = (seen * tile).sum(axis=1) / ((tile * tile).sum(axis=1) + 1.0)
    bare = tile * gain.clip(0.4, 1.6)[:, None]
    noise = _NOISE**2 / 4
    to_card, to_tile = (((seen - other) ** 2).mean(axis=1) + noise for other in (card, bare))
    return np.asarray(np.clip(1 - to_card / to_tile, -1, 1), np.float32)


def correlation(one: Floats, other: Floats, weight: Floats | None = None) -> Floats:
    """(n,) correlation of (n, p, 3) pictures, each channel about its own mean."""
    share = np.ones(one.shape[:2], np.float32) if weight is None else weight
    total = np.maximum(share.sum(axis=1), 1e-6)[:, None]
    mean_one, mean_other = ((share[:, None] @ p)[:, 0] / total for p in (one, other))
    each = np.repeat(share / total, 3, axis=1)
    flat_one, flat_other = (p.reshape(each.shape) for p in (one, other))

    def spread(a: Floats, b: Floats, mean_a: Floats, mean_b: Floats) -> Floats:
        return np.asarray(np.einsum("nk,nk->n", a, b) - (mean_a * mean_b).sum(axis=1))

    both = spread(each * flat_one, flat_other, mean_one, mean_other)
    spread_one = spread(each * flat_one, flat_one, mean_one, mean_one)
    spread_other = spread(each * flat_other, flat_other, mean_other, mean_other)
    norm = np.sqrt(np.maximum(spread_one, 0) * np.maximum(spread_other, 0))
    return np.asarray(both / (norm + 1.0), np.float32)
