"""How the slots of this table lie on the flat table, learned from sloppily laid cards.

Every tile is a rigid panel, loose but nearly in line, and tiles are alike: a slot's place on
its tile is the mean over the tiles that have such a slot. Units are card widths.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.layout import Layout

Reals = npt.NDArray[np.float64]

SLOP = 0.06  # how far off centre people lay cards, in card widths
TILE_OFF, TILE_TURN = 0.06, np.radians(1.0)
PLACE_OFF = 0.10
STRETCH = 0.2
SLOP_TURN = np.radians(4.0)
ALIKE = 0.03


@dataclass(frozen=True)
class Arrangement:
    """Where slots are: slot -> centre (x, y) on the flat table, and the turn of its tile."""

    centres: Mapping[str, Reals]
    turns: Mapping[str, float]


class ArrangementFit:
    """The linear least-squares problem of one layout, built once and solved for many views."""

    def __init__(self, layout: Layout, unit: float) -> None:
        self.names = list(layout.slots)
        self._index = {name: i for i, name in enumerate(self.names)}
        flat = np.array([(s.x, s.y) for s in layout.slots.values()]) / unit
        flat = flat - flat.mean(axis=0)
        tile_of = _tiles(layout)
        self._tile = np.array([tile_of[name] for name in self.names])
        count = self._tile.max() + 1
        middles = np.array([flat[self._tile == t].mean(axis=0) for t in range(count)])
        # A tile with a head is not centred on its other slots: use what most tiles have.
        self._middles = _align_middles(flat, self._tile, middles)
        self._offsets = flat - self._middles[self._tile]
        self._role, self._roles = _roles(self._offsets)
        self._matrix, self._priors = self._equations()

    def _equations(self) -> tuple[Reals, Reals]:
        """Rows x, y of every slot in the unknowns, and the rows that keep unknowns small.

        Unknowns: origin 2, tile stretch 2, place stretch 2, then of every tile x, y, turn, and
        of every role x, y.
        """
        n, tiles, roles = len(self.names), len(self._middles), self._roles
        size = 6 + 3 * tiles + 2 * roles
        rows = np.zeros((2 * n, size))
        for i in range(n):
            t, r = self._tile[i], self._role[i]
            for axis in (0, 1):
                row = rows[2 * i + axis]
                row[axis] = 1
                row[2 + axis] = self._middles[t, axis]
                row[4 + axis] = self._offsets[i, axis]
                row[6 + 3 * t + axis] = 1
                row[6 + 3 * tiles + 2 * r + axis] = 1
                row[6 + 3 * t + 2] = self._offsets[i, 1 - axis] * (-1 if axis == 0 else 1)
        loose = np.full(size, 1 / PLACE_OFF)
        loose[:2] = 1e-3
        loose[2:6] = 1 / STRETCH
        loose[6 : 6 + 3 * tiles] = np.tile([1 / TILE_OFF, 1 / TILE_OFF, 1 / TILE_TURN], tiles)
        return rows, np.diag(loose)

    def weighed(self, slots: list[str], trust: Reals) -> "WeighedFit":
        """The problem for the cards of these slots, each trusted 0 to 1."""
        at = np.array([self._index[name] for name in slots])
        wide = np.stack([2 * at, 2 * at + 1], axis=1).ravel()
        tiles = np.zeros((len(slots), self._matrix.shape[1]))
        tiles[np.arange(len(slots)), 6 + 3 * self._tile[at] + 2] = 1
        scale = np.concatenate([np.repeat(trust, 2) / SLOP, trust / SLOP_TURN])
        rows = np.vstack([np.vstack([self._matrix[wide], tiles]) * scale[:, None], self._priors])
        return WeighedFit(self, wide, scale, rows, np.linalg.inv(rows.T @ rows) @ rows.T)

    def arrangement(self, answer: Reals) -> Arrangement:
        """What the unknowns mean."""
        fitted = (self._expected() + self._matrix @ answer).reshape(-1, 2)
        turns = answer[6 : 6 + 3 * len(self._middles)].reshape(-1, 3)[:, 2]
        return Arrangement(
            dict(zip(self.names, fitted, strict=True)),
            {name: float(turns[t]) for name, t in zip(self.names, self._tile, strict=True)},
        )

    def _expected(self) -> Reals:
        return np.asarray(self._middles[self._tile] + self._offsets).ravel()


@dataclass(frozen=True)
class WeighedFit:
    """Least squares with fixed weights: one multiplication a solution."""

    fit: ArrangementFit
    wide: npt.NDArray[np.int64]
    scale: Reals
    rows: Reals
    inverse: Reals

    def trust(self) -> Reals:
        """(3n,) the trust of every residual: x and y of every card, then turns."""
        n = len(self.scale) // 3
        return np.concatenate([self.scale[: 2 * n] * SLOP, self.scale[2 * n :] * SLOP_TURN])

    def solve(self, centres: Reals, turns: Reals) -> tuple[Arrangement, Reals]:
        """The arrangement for (n, 2) centres and (n,) turns of cards; all residuals in slops."""
        seen = np.concatenate([centres.ravel() - self.fit._expected()[self.wide], turns])
        wanted = np.concatenate([seen * self.scale, np.zeros(len(self.rows) - len(seen))])
        answer = self.inverse @ wanted
        return self.fit.arrangement(answer), self.rows @ answer - wanted


def _tiles(layout: Layout) -> dict[str, int]:
    """Slot -> number of its tile; slots of no tile share one."""
    tile_of = {name: number for number, names in enumerate(layout.tiles.values()) for name in names}
    rest = len(layout.tiles)
    numbers = {name: tile_of.get(name, rest) for name in layout.slots}
    order = {number: i for i, number in enumerate(sorted(set(numbers.values())))}
    return {name: order[number] for name, number in numbers.items()}


def _align_middles(flat: Reals, tile: npt.NDArray[np.int64], middles: Reals) -> Reals:
    """Shift tiles' middles so that as many slots as possible lie alike on all tiles."""
    groups = [flat[tile == t] - middles[t] for t in range(len(middles))]
    reference = min(groups, key=len)
    aligned = middles.copy()
    for t, offsets in enumerate(groups):
        best = 0
        for own in offsets if len(groups) > 1 else ():
            for other in reference[:4]:
                moved = offsets - (own - other)
                close = np.abs(moved[:, None] - reference[None]).max(axis=2).min(axis=1) < ALIKE
                if close.sum() > best:
                    best = int(close.sum())
                    aligned[t] = middles[t] + (own - other)
    return aligned


def _roles(offsets: Reals) -> tuple[npt.NDArray[np.int64], int]:
    """Number alike places on tiles alike."""
    known: list[Reals] = []
    numbers = []
    for offset in offsets:
        alike = [i for i, other in enumerate(known) if np.abs(offset - other).max() < ALIKE]
        numbers.append(alike[0] if alike else len(known))
        if not alike:
            known.append(offset)
    return np.array(numbers), len(known)
