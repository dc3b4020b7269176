"""Which cards of a deck look alike, so that people know where to expect doubt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.deck import split_name
from calibration.looks import Looks
from calibration.score import Scorer
from calibration.warp import Floats

_MOST = 10
_LIKENESS = 0.05  # below this two cards are never taken for each other
_CLOSE = 18.0  # grey levels: colours nearer than this run into each other


@dataclass(frozen=True)
class Alike:
    """Two cards and how alike they look: 1 the same, 0 nothing in common."""

    one: str
    other: str
    likeness: float


def look_alikes(looks: Looks) -> tuple[Alike, ...]:
    """The pairs of cards most easily confused, the worst first."""
    scorer = Scorer(looks.pictures)
    mask = np.ones(looks.pictures.shape[:3], np.float32)
    light = np.tile(np.array([1, 1, 1, 0], np.float32), (len(looks.cards), 1))
    fit = scorer.fit(looks.pictures, mask, light)
    apart = np.maximum(np.diag(fit.score)[:, None] - fit.score, 0)
    apart = np.minimum(apart, apart.T)
    likeness = np.exp(-apart / _scale(apart))
    pairs = [
        Alike(looks.cards[i], looks.cards[j], round(float(likeness[i, j]), 3))
        for i in range(len(looks.cards))
        for j in range(i)
        if likeness[i, j] >= _LIKENESS
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.likeness)[:_MOST])


def _scale(apart: Floats) -> float:
    return 40.0


def close_colours(looks: Looks) -> list[str]:
    """A sentence for each pair of colours that this light hardly tells apart."""
    by_colour: dict[str, dict[str, Floats]] = {}
    for card, picture in zip(looks.cards, looks.pictures, strict=True):
        colour, rank = split_name(card)
        by_colour.setdefault(colour, {})[rank] = picture
    colours = list(by_colour)
    out = []
    for i, one in enumerate(colours):
        for other in colours[:i]:
            gap = _gap([(by_colour[one][r], by_colour[other][r]) for r in by_colour[one]])
            if gap < _CLOSE:
                out.append(
                    f"{other} and {one} are too close under this light "
                    f"({gap:.0f} grey levels apart); use more or whiter light"
                )
    return out


def _gap(pairs: Sequence[tuple[Floats, Floats]]) -> float:
    """Grey levels between two colours where they differ most, over all ranks."""
    change = np.abs(np.mean([a - b for a, b in pairs], axis=0)).max(axis=2)
    return float(np.quantile(change, 0.98))
