"""View and arrangement together: the camera and the tiles that explain the cards seen."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.arrangement import Arrangement, ArrangementFit, WeighedFit
from calibration.flat import Reals, View
from calibration.layout import Layout

EXACT = 0.01  # how exactly corners are measured, in card widths
SLIM = 0.15  # how far the cards' shape may differ from the layout's, as a part
BEND = 0.05
_STEPS = 8


@dataclass(frozen=True)
class Model:
    """The table understood: `height` of a card in card widths, `trust` a card, 0 to 1."""

    layout: Layout
    view: View
    height: float
    arrangement: Arrangement
    trust: dict[str, float]

    def outline(self, slot: str) -> Reals:
        """(4, 2) picture corners of a slot, clockwise from its unturned top left."""
        turn = np.radians(self.layout.slots[slot].turn) + self.arrangement.turns[slot]
        return self.view.to_picture(self.card(self.arrangement.centres[slot], turn))

    def card(self, centre: Reals, turn: float) -> Reals:
        """(4, 2) flat corners of a card."""
        return np.asarray(centre + _rectangle(self.height) @ turn_by(turn).T)


def common_width(layout: Layout) -> float:
    """The width of the layout's commonest slot: the unit of the flat table."""
    widths = [slot.w for slot in layout.slots.values()]
    return max(set(widths), key=widths.count)


def fit_model(layout: Layout, view: View, cards: dict[str, Reals], exact: float = EXACT) -> Model:
    """Least squares over camera, lens, tiles and places for (4, 2) picture corners of cards."""
    width = common_width(layout)
    heights = [slot.h / slot.w for slot in layout.slots.values()]
    usual = max(set(heights), key=heights.count)
    slots = list(cards)
    problem = _Problem(
        np.stack([cards[slot] for slot in slots]),
        np.radians([layout.slots[slot].turn for slot in slots]),
        usual,
        exact,
    )
    fit = ArrangementFit(layout, width)
    trust = np.ones(len(slots))
    height = usual
    for _ in range(_STEPS):
        weighed = fit.weighed(slots, trust)
        view, height = problem.step(view, height, weighed)
        _, slops = problem.residuals(view, height, weighed)
        trust = 1 / (1 + (slops / 2.5) ** 2)
    arrangement, _ = problem.residuals(view, height, fit.weighed(slots, trust))
    return Model(layout, view, height, arrangement, dict(zip(slots, trust.tolist(), strict=True)))


@dataclass(frozen=True)
class _Problem:
    corners: Reals
    turns: Reals
    usual: float
    exact: float

    def _all(
        self, view: View, height: float, weighed: WeighedFit
    ) -> tuple[Arrangement, Reals, Reals]:
        flat = view.to_flat(self.corners)
        centres = flat.mean(axis=1)
        shape = np.stack([_rectangle(height) @ turn_by(turn).T for turn in self.turns])
        apart = flat - centres[:, None]
        dot = (shape * apart).sum(axis=(1, 2))
        cross = (shape[..., 0] * apart[..., 1] - shape[..., 1] * apart[..., 0]).sum(axis=1)
        lean = np.arctan2(cross, dot)
        c, s = np.cos(lean)[:, None], np.sin(lean)[:, None]
        turned = np.stack(
            [c * shape[..., 0] - s * shape[..., 1], s * shape[..., 0] + c * shape[..., 1]], axis=2
        )
        misfit = (apart - turned) / self.exact
        # A corner that is far off was measured on something else.
        misfit = misfit / np.sqrt(1 + (misfit**2).sum(axis=2, keepdims=True) / 9)
        arrangement, rest = weighed.solve(centres, lean)
        own = np.array([np.log(height / self.usual) / SLIM, view.bend / BEND])
        everything = np.concatenate([misfit.ravel(), rest, own])
        n = len(centres)
        unscaled = rest[: 3 * n] / np.maximum(weighed.trust(), 1e-9)
        slops = np.sqrt((unscaled[: 2 * n].reshape(n, 2) ** 2).sum(axis=1) + unscaled[2 * n :] ** 2)
        return arrangement, everything, slops

    def residuals(
        self, view: View, height: float, weighed: WeighedFit
    ) -> tuple[Arrangement, Reals]:
        """The arrangement for this view, and how far off each card lies, in usual slops."""
        arrangement, _, slops = self._all(view, height, weighed)
        return arrangement, slops

    def step(self, view: View, height: float, weighed: WeighedFit) -> tuple[View, float]:
        """One damped Gauss-Newton step in the view's nine numbers and the cards' height."""
        _, now, _ = self._all(view, height, weighed)
        small = np.full(10, 1e-5)
        slopes = np.empty((len(now), 10))
        for i in range(10):
            step = np.zeros(10)
            step[i] = small[i]
            _, moved, _ = self._all(view.changed(step), height + step[9], weighed)
            slopes[:, i] = (moved - now) / small[i]
        square, pull = slopes.T @ slopes, slopes.T @ now
        for damping in (0.0, 1e-3, 1e-1, 10.0):
            stiff = square + np.diag(np.diag(square)) * damping + 1e-9 * np.eye(10)
            move = np.asarray(-np.linalg.solve(stiff, pull), np.float64)
            candidate, taller = view.changed(move), height + float(move[9])
            if taller <= 0.2 * self.usual:
                continue
            _, then, _ = self._all(candidate, taller, weighed)
            if (then**2).sum() < (now**2).sum():
                return candidate, taller
        return view, height


def _rectangle(height: float) -> Reals:
    return np.array([[-1, -height], [1, -height], [1, height], [-1, height]]) / 2


def turn_by(turn: float) -> npt.NDArray[np.float64]:
    """(2, 2) that turns columns clockwise by radians, y pointing down."""
    c, s = np.cos(turn), np.sin(turn)
    return np.array([[c, -s], [s, c]])
