"""From a stiff layout laid over the map of possible cards to one that gives way."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.slopes import Floats

Reals = npt.NDArray[np.float64]

LOOSE = 0.25  # how far a card may well lie from where its neighbours say, in card widths
EXCLUSIVE = 0.5  # two slots nearer than this share one card, in card widths


@dataclass(frozen=True)
class Settled:
    """`centres`: (n, 2) where each slot's card is or would be. `fits`, `turns`: (n,) of it.

    `claims`: (n,) fit, less the farther from where neighbours say, 0 if another slot has the card.
    """

    centres: Reals
    fits: Reals
    turns: Reals
    claims: Reals


def settle(where: Reals, maps: Sequence[tuple[Floats, Floats]], card: float) -> Settled:
    """Move every slot to the top of its map nearby, its neighbours drawing it along.

    `maps`: for every slot (fit, turn) pictures. `card`: the width of a card in their pixels.
    """
    points, tops = where.copy(), where.copy()
    fits, turns = np.zeros(len(where)), np.zeros(len(where))
    for reach in (0.45, 0.4, 0.35):
        for i, pair in enumerate(maps):
            tops[i], fits[i], turns[i] = _top(pair, points[i], reach * card)
        points = _drawn_along(where, tops, fits, card)
    away = np.linalg.norm(tops - points, axis=1) / card
    claims = fits * np.exp(-(away**2) / (2 * LOOSE**2))
    for i in np.argsort(claims):
        others = np.linalg.norm(tops - tops[i], axis=1) < EXCLUSIVE * card
        if (claims[others] > claims[i]).any():
            claims[i] = 0
    return Settled(np.where(claims[:, None] > 0, tops, points), fits, turns, claims)


def _top(maps: tuple[Floats, Floats], point: Reals, reach: float) -> tuple[Reals, float, float]:
    fit, turn = maps
    x0, y0 = np.maximum(np.floor(point - 1.6 * reach).astype(int), 0)
    x1, y1 = np.ceil(point + 1.6 * reach).astype(int) + 1
    part = fit[y0:y1, x0:x1]
    if part.size == 0:
        return point, 0.0, 0.0
    y, x = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    away = ((x - point[0]) ** 2 + (y - point[1]) ** 2) / reach**2
    at = int((part * np.exp(-away / 2)).argmax())
    row, column = divmod(at, part.shape[1])
    return (
        np.array([x0 + column, y0 + row], float),
        float(part[row, column]),
        float(turn[y0 + row, x0 + column]),
    )


def _drawn_along(where: Reals, tops: Reals, fits: Reals, card: float) -> Reals:
    """Where neighbours' moves would carry each slot: a local affine fit, weighted by nearness."""
    spread = 5 * card
    moved = np.empty_like(where)
    for i, point in enumerate(where):
        near = fits * np.exp(-(((where - point) ** 2).sum(axis=1)) / (2 * spread**2))
        weight = np.sqrt(near + 1e-9)[:, None]
        terms = np.hstack([np.ones((len(where), 1)), (where - point) / spread])
        square = (terms * weight).T @ (terms * weight) + np.diag([1e-6, 0.05, 0.05])
        answer = np.linalg.solve(square, (terms * weight).T @ ((tops - where) * weight))
        moved[i] = point + answer[0]
    return moved
