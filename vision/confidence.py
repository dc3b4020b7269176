"""How sure a reading is: the chance that it is right, as measured on simulated tables."""

import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from calibration.warp import Floats, Indices

# Of a hundred readings at the bar, three may be wrong.
SURE = 0.97
_FITTED = json.loads(files("vision").joinpath("confidence.json").read_text("utf-8"))


@dataclass(frozen=True)
class Evidence:
    """What speaks for and against each of n slots.

    `score`: (n, m) log likelihood of each card, the back last if it is known. `best`: (n,) the
    card chosen, `margin`: (n,) how far it is ahead of what else is possible. `alike`, `explained`:
    (n,) how well it fits. `bare`, `shaded`: (n,) how well the empty slot fits, in the light around
    it and with a shadow of its own. `sides`: (n,) how clear the sides of a rectangle are. `apart`:
    (n,) how much nearer to the card than to the bare slot all looks.
    """

    score: Floats
    best: Indices
    margin: Floats
    alike: Floats
    explained: Floats
    bare: Floats
    shaded: Floats
    sides: Floats
    apart: Floats


def features(evidence: Evidence) -> Floats:
    """(n, 13) numbers that tell whether the chosen card is right, or the slot empty."""
    margin = np.log1p(np.clip(evidence.margin, 0.0, 400.0))
    alike, explained, bare, shaded, apart = (
        -np.log(np.clip(1.02 - part, 0.02, 1.02))
        for part in (
            *(evidence.alike, evidence.explained),
            *(evidence.bare, evidence.shaded, evidence.apart),
        )
    )
    sides = np.sqrt(np.clip(evidence.sides, 0.0, 0.5))
    one = np.ones_like(margin)
    both = margin * alike / 4
    fits = [margin, alike, both, explained, bare, shaded, sides, bare * sides, explained * sides]
    # Below 0 it grows without end: there is nothing of the card.
    against = np.clip(evidence.apart, -1.0, 0.0)
    return np.stack([*fits, apart, against, apart * alike / 4, one], axis=1)


def chance(numbers: Floats, fitted: str) -> Floats:
    """(n,) the chance that goes with (n, 13) features: of "card", "back", "empty", "covered"."""
    away = numbers @ np.array(_FITTED[fitted])
    return np.asarray(1 / (1 + np.exp(-np.clip(away, -30, 30))), np.float32)


def ahead(score: Floats, best: Indices) -> Floats:
    """(n,) how far the best card is ahead of the second."""
    rest = score.copy()
    rows = np.arange(len(score))
    rest[rows, best] = -np.inf
    return np.asarray(score[rows, best] - rest.max(axis=1), np.float32)
